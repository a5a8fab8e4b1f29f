"""Village, a game for 2 to 4 families; `phases.py` is the file to read first."""

from engine.village.ruleset import RULESET

__all__ = ["RULESET"]
