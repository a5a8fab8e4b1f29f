"""The command line: each command parses, calls one function, and prints. No logic lives here."""

from pbem.cli.app import main

__all__ = ["main"]
