"""My Village, a game of dice and flags for 2 to 4 villages; `phases.py` is the file to read first."""

from engine.my_village.ruleset import RULESET

__all__ = ["RULESET"]
