"""Which test proves which rule of a title, and whether those proofs would notice a broken rule."""
