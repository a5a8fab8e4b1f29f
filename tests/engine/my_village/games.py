"""Whole games by bots, from the set-up or from a position with many cards, for what must hold in all of them."""

import random
from functools import cache
from typing import Any

from engine.core.bots import Bot, play_game, roller
from engine.core.dice import Dice, demo_seed
from engine.core.log import Position, Record
from engine.core.types import Seat
from engine.my_village import RULESET
from engine.my_village.components import (
    AREAS,
    CHAMBERS,
    CHURCHES,
    CUSTOMERS,
    FIELD,
    GOODS,
    JOURNEYS,
    LETTERS,
    MEETING,
    MONKS,
    PROFESSIONS,
)
from engine.my_village.moves import Done, House, Meeting, Move, Steward, Total, Travel
from engine.my_village.state import SPACES, State
from tests.engine.my_village.positions import COMPONENTS, position, start

_MONETARY, GUILD, AREA, POPULATION = CHAMBERS


def wealth(luck: random.Random, cards: dict[str, list[str]]) -> dict[str, Any]:
    """Fields of a village drawn by *luck*; the cards are taken out of *cards*."""
    crafts = [cards[good].pop() for good in GOODS if cards[good] and luck.random() < 0.6]
    owned = [card.partition("-")[0] for card in crafts]
    mine: dict[str, Any] = {
        "hours": luck.randrange(40),
        "coins": luck.choice((0, 0, 1, 2, 5)),
        "tree": luck.randrange(9),
        "store": luck.randrange(9),
        "headman": luck.choice(SPACES),
        "villagers": luck.sample(PROFESSIONS, luck.choice((1, 2, 4, 5, 5))),
        "left": luck.random() < 0.5,
        "right": luck.random() < 0.5,
        "crafts": tuple(crafts),
        "goods": {good: luck.randrange(4) for good in owned},
        "fields": luck.randrange(3),
        "customers": tuple(cards["held"].pop() for _ in range(luck.randrange(4))),
        "served": tuple(cards["held"].pop() for _ in range(luck.randrange(3))),
        "labourers": luck.randrange(3),
        "journeys": tuple(cards[letter].pop() for letter in LETTERS[: luck.randrange(6)] if cards[letter]),
    }
    if any(COMPONENTS.journey[card].last for card in mine["journeys"]):
        mine["journeys"] = mine["journeys"][:4]
    if luck.random() < 0.8:
        church = mine["church"] = cards["church"].pop()
        mine["averted"] = luck.randrange(COMPONENTS.church[church].uses + 1)
        monks = [cards["monk"].pop() for _ in range(luck.randrange(4))]
        mine["monks"] = {kind: monks.count(kind) for kind in MONKS}
    if luck.random() < 0.7:
        flags = [MEETING, "play", "school", *owned, *mine["customers"], *([FIELD] if mine["fields"] else [])]
        mine |= {"meeting": True, "tile": luck.choice(flags)}
    if luck.random() < 0.8:
        chamber = mine["chamber"] = cards["chamber"].pop()
        mine["joker"] = chamber == GUILD and luck.random() < 0.7
        mine["mark"] = {AREA: luck.choice(AREAS), POPULATION: luck.choice(PROFESSIONS)}.get(chamber, "")
    return mine


def rich(seats: int, number: int) -> State:
    """A position with many cards, drawn by chance *number*, at the beginning of a turn."""
    luck = random.Random(f"{seats}-{number}")
    monks = [kind for kind in MONKS for _ in range(COMPONENTS.monk[kind].count)]
    piles = {"held": CUSTOMERS, "church": CHURCHES, "chamber": CHAMBERS, "monk": monks}
    piles |= {good: [f"{good}-{n}" for n in range(1, 5)] for good in GOODS}
    piles |= {letter: [card for card in JOURNEYS if COMPONENTS.journey[card].letter == letter] for letter in LETTERS}
    cards = {name: luck.sample(pile, len(pile)) for name, pile in piles.items()}
    villages = [wealth(luck, cards) for _ in range(seats)]
    turn = luck.randrange(seats)
    return position(
        seats,
        turn,
        mine=villages[turn],
        others={seat: village for seat, village in enumerate(villages) if seat != turn},
        holder=luck.randrange(seats),
        heap=luck.randrange(6),
        palm=luck.random() < 0.7,
        rat=luck.randrange(COMPONENTS.rat.steps[seats - 2]),
        graves=luck.randrange(COMPONENTS.graves.limit[seats - 2]),
        round=luck.randrange(1, 30),
        offer=" ".join(f"{colour}-{luck.randint(1, 6)}" for colour in ["white"] * 6 + ["black"] * 3),
    )


def busy_bot(number: int) -> Bot:
    """A bot that takes any move with equal chance, but uses flags as long as it can, travels, and seldom stays home."""
    roll = roller(demo_seed(number))

    def dull(state: State, seat: Seat, move: Move) -> bool:
        if isinstance(move, Total):
            return not any(one.uses for one in RULESET.view(state, seat).totals if one.total == move.total)
        return isinstance(move, Done | House | Steward)

    def choose(_ruleset: object, state: State, seat: Seat) -> Move:
        moves = list(RULESET.legal(state, seat))
        best = [move for move in moves if isinstance(move, Travel | Meeting)]
        if best and roll(4):
            return best[0]
        for _ in range(3):
            chosen = moves[roll(len(moves))]
            if not dull(state, seat, chosen):
                break
        return chosen

    return choose


@cache
def game(seats: int, number: int, *, cards: bool = False) -> tuple[Record[State], ...]:
    """A whole game of busy bots, the same for the same *number*; with *cards* from a position with many of them."""
    state = rich(seats, number) if cards else start(seats)
    begun = Position(state, numbers=tuple((one.seat, 0) for one in RULESET.pending(state)))
    bots = {Seat(seat): busy_bot(number * 10 + seat) for seat in range(seats)}
    return play_game(RULESET, begun, bots, Dice(demo_seed(number)))


@cache
def states(seats: int) -> tuple[State, ...]:
    """Positions of games with so many seats, from the first draw to the end."""
    games = [*(game(seats, number) for number in range(2)), *(game(seats, number, cards=True) for number in range(12))]
    return (
        start(seats),
        *(rich(seats, number) for number in range(12)),
        *(record.position.state for records in games for record in records),
    )
