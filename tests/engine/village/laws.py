"""What is conserved in Village."""

from engine.village.state import CUBES, THINGS, State


def pieces(state: State) -> tuple[int, ...]:
    """
    Return all pieces: every thing, customers, members of each family.

    `monks` are apart: those that are out of the bag lie on no spot, and all come back after the draw.
    """
    things = [state.supply[at] + sum(family.things[at] for family in state.families) for at in range(len(THINGS))]
    for at in range(len(CUBES)):
        things[at] += state.green_bag[at] + sum(cubes[at] for cubes in state.board)
    served = sum(len(family.customers) for family in state.families)
    customers = sum(map(bool, state.stalls)) + len(state.line) + len(state.pile) + served
    members = [len(family.members) for family in state.families]
    return (*things, customers, *members)
