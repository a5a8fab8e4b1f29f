"""The game master's own desk: his letters and those of his deputies, read, done and answered."""
