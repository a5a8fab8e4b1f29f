"""Bots with a liking: where games of chance seldom go, players of one mind soon get."""

from collections.abc import Mapping
from fnmatch import fnmatchcase

from msgspec import Struct

from engine.core.bots import Bot, Roll
from engine.core.ruleset import Ruleset
from engine.core.types import Seat
from engine.village.moves import Bury, Move
from engine.village.rules.death import free_places
from engine.village.state import SECTION_OF, State

USUAL = 10


class Liking(Struct, frozen=True):
    """
    What a player likes.

    `weights`  pattern of a move's text -> how often it is chosen beside the others; the first that fits counts, and
               `USUAL` if none does; where all weights are 0 every move is as good
    `buries`   whether it names, where it can, a victim for whom the chronicle has a place (or, False, has none)
    """

    weights: tuple[tuple[str, int], ...] = ()
    buries: bool | None = None

    def weight(self, text: str) -> int:
        """Return the weight of the move with this *text*."""
        return next((weight for pattern, weight in self.weights if fnmatchcase(text, pattern)), USUAL)


_SLOW = (("take plague *", 1), ("take * market", 3), ("pass", 30), ("sell *", 0))
"""Spend no time and sell nothing."""

PLAYERS: Mapping[str, Liking] = {
    "random": Liking(),
    # take the cubes of the second stage of the council
    "takers": Liking((*_SLOW, ("use 2", 300), ("advance 1 *", 200), ("enter * scroll", 300), ("enter *", 60),
                      ("take green *", 30), ("harvest", 9), ("well *", 0), ("buy *", 0), ("train *", 0),
                      ("pray * time", 1), ("advance *", 0), ("depart *", 0), ("skip", 3))),
    # collect goods and keep them
    "collectors": Liking((*_SLOW, ("buy *", 200), ("make *", 20), ("pick *", 500), ("use 3", 400), ("advance 3 *", 0),
                          ("advance *", 100), ("enter *", 50), ("train *", 5), ("harvest", 100), ("act crafts", 90),
                          ("act council", 40), ("act harvest", 30), ("depart *", 0), ("pray *", 0), ("skip", 0),
                          ("home *", 0), ("mill", 0), ("well *", 4))),
    # mill coins and keep them
    "millers": Liking((("*coin*", 0), ("redeem *", 0), ("use 4", 0), ("take plague *", 1), ("take * market", 1),
                       ("take * harvest", 60), ("take * crafts", 60), ("mill", 900), ("buy *", 0), ("train *", 1),
                       ("harvest", 100), ("sell *", 1))),
    # the same, and travel where coins are given
    "travellers": Liking((("*coin*", 0), ("redeem *", 0), ("use 4", 0), ("take plague *", 2), ("take * market", 1),
                          ("mill", 300), ("buy wagon *", 300), ("make wagon", 200), ("train wainwright *", 100),
                          ("travel *", 500), ("depart *", 300), ("take * travel", 30), ("train *", 0), ("sell *", 0),
                          ("harvest", 100))),
    # pay the well, with coins if they can
    "well-lovers": Liking((("well coin coin coin", 900), ("mill", 300), ("well *", 60), ("redeem *", 0),
                           ("sell * coin", 0), ("take * harvest", 40), ("harvest", 100))),
    # spend time at the market
    "traders": Liking((("take green market", 60), ("take * market", 40), ("take green *", 30), ("sell *", 200),
                       ("pass", 5), ("buy *", 60), ("make *", 40), ("pick *", 60), ("harvest", 60), ("pray *", 1),
                       ("depart *", 1)), buries=False),
    # the same, and spare the graves
    "careful-traders": Liking((("take green market", 60), ("take * market", 40), ("take green *", 30), ("sell *", 200),
                               ("pass", 5), ("buy *", 60), ("make *", 40), ("train *", 60), ("harvest", 60),
                               ("enter *", 60), ("skip", 1)), buries=True),
    # leave the market to the end of the round, then sell all they can
    "late-traders": Liking((("take * market", 1), ("take green *", 60), ("take plague *", 10), ("take *", 30),
                            ("sell *", 500), ("pass", 1), ("buy *", 60), ("make *", 60), ("train *", 40),
                            ("pick *", 60), ("harvest", 60), ("enter * scroll", 2), ("enter *", 1), ("pray *", 1),
                            ("depart *", 1), ("well *", 1), ("skip", 1)), buries=False),
    # the same, and spare the graves
    "careful-late-traders": Liking((("take * market", 1), ("take green *", 60), ("take *", 30), ("sell *", 500),
                                    ("pass", 1), ("buy *", 60), ("make *", 60), ("train *", 60), ("harvest", 60),
                                    ("skip", 1)), buries=True),
    # fill the chronicle
    "chroniclers": Liking((("train wainwright 1", 90), ("train * 1", 30), ("train *", 3), ("make wagon", 90),
                           ("buy wagon *", 90), ("depart * 1 *", 200), ("depart *", 3), ("enter 1 *", 60),
                           ("pray 1 *", 60), ("redeem 1", 200), ("take * travel", 20), ("take * market", 2),
                           ("home *", 1), ("skip", 3)), buries=True),
    # pray, and rise on the windows
    "faithful": Liking((("take * church", 60), ("take brown *", 30), ("pray *", 90), ("rise *", 40), ("redeem *", 60),
                        ("harvest", 60), ("take * harvest", 20))),
    # take cubes and do nothing
    "hoarders": Liking((("take plague *", 1), ("take *", 90), ("skip", 9), ("pass", 9), ("*", 0))),
}  # fmt: skip


def make_bot(name: str, roll: Roll) -> Bot:
    """Return a bot that takes its legal moves as often as the players with this *name* like them."""
    liking = PLAYERS[name]

    def choose(ruleset: Ruleset[State, Move, object], state: State, seat: Seat) -> Move:
        moves = list(ruleset.legal(state, seat))
        if isinstance(moves[0], Bury) and liking.buries is not None:
            spots = [move for move in moves if (free_places(state, SECTION_OF[move.spot]) > 0) == liking.buries]
            moves = spots or moves
        weights = [liking.weight(ruleset.grammar.format_move(move)) for move in moves]
        if not any(weights):
            weights = [1] * len(moves)
        left = roll(sum(weights))
        for move, weight in zip(moves, weights, strict=True):
            left -= weight
            if left < 0:
                return move
        raise AssertionError("the weights add up to their total")

    return choose
