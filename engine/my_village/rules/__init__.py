"""The rules, one family of actions a file; each function names its source."""
