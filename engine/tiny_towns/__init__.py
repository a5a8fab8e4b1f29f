"""Tiny Towns with Villagers, for 1 to 6 towns; `phases.py` is the file to read first."""

from engine.tiny_towns.ruleset import RULESET

__all__ = ["RULESET"]
