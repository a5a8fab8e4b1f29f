"""What is kept: rows, and the only SQL. Callers get frozen values."""
