"""What is conserved in Bids."""

from tests.contract.bids.ruleset import State


def pieces(state: State) -> tuple[int, ...]:
    """Return all cards, sorted."""
    hands = [card for hand in state.hands for card in hand]
    staked = [card for card in state.stakes if card]
    return tuple(sorted([*state.deck, *hands, *staked, *state.discard]))
