"""Pictures: drawn as SVG, turned into PNG with the one font that we ship, never with a font of the machine."""
