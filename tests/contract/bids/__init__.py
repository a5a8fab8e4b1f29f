"""Bids: a small game of secret cards and sealed bids that proves the seam; it is no title of ours."""

from tests.contract.bids.ruleset import RULESET

__all__ = ["RULESET"]
