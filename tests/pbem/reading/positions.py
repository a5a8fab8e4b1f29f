"""Positions of the table `lines.toml`: a game with its first cubes laid, its board and hands set, and moves played."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.log import Position, make_entry
from engine.core.play import play
from engine.core.ruleset import Ruleset
from engine.core.types import Seat
from engine.village.state import CUBES, SPACES, THINGS
from pbem.lexicon import Lexicon, add_words, load_lexicon
from tests.contract.titles import Setting, dice

add_words(Path(__file__).parents[2] / "contract" / "bids" / "words")


class Setup(Struct, frozen=True):
    """
    A position.

    `things`  what each seat has, by seat and thing · `board` cubes by space · `stalls` customers in front
    `homes`   where members of seat 0 stand, in the order of their numbers; the rest stay where they are
    `moves`   `SEAT TEXT`, played in order; seat -1 is chance
    """

    title: str
    seats: int = 2
    board: Mapping[str, tuple[str, ...]] = {}
    things: Mapping[str, Mapping[str, int]] = {}
    homes: tuple[str, ...] = ()
    stalls: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()

    @property
    def ruleset(self) -> Ruleset[Any, Any, Any]:
        """Return the rules of its title."""
        return Setting(self.title, self.seats).ruleset

    def position(self) -> Position[Any]:
        """Return the position."""
        place = Setting(self.title, self.seats).start()
        if self.title == "village":
            place = play(self.ruleset, place, {}, dice(1)).position
            place = replace(place, state=self._set(place.state))
        for move in self.moves:
            seat, text = move.split(" ", 1)
            place = make_entry(self.ruleset, place, Seat(int(seat)), text).position
        return place

    def _set(self, state: Any) -> Any:
        if self.board:
            counts = [tuple(self.board.get(space, ()).count(cube) for cube in CUBES) for space in SPACES]
            state = replace(state, board=tuple(counts))
        families = []
        for seat, family in enumerate(state.families):
            things = self.things.get(str(seat), {})
            homes = self.homes if seat == 0 else ()
            families.append(
                replace(
                    family,
                    things=tuple(things.get(thing, 0) for thing in THINGS),
                    members=(*homes, *family.members[len(homes) :]),
                )
            )
        if self.stalls:
            state = replace(state, stalls=self.stalls)
        return replace(state, families=tuple(families))


def lexicons(title: str) -> tuple[Lexicon, ...]:
    """Return the words of *title* in both languages."""
    return load_lexicon("en", title), load_lexicon("pt", title)
