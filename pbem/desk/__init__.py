"""What a letter of a seat may ask for: moves, and a few commands, one file each."""
