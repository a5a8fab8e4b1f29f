"""What the contract suite needs of My Village: what never changes in a game, and drawn positions."""

import random

from msgspec.structs import replace

from engine.core.types import CHANCE, Seat
from engine.my_village import RULESET
from engine.my_village.components import AREAS, CRAFTS, CUSTOMERS, GOODS, LETTERS, MONKS, PROFESSIONS
from engine.my_village.phases import PHASES
from engine.my_village.rules.buying import AREA, GUILD, POPULATION
from engine.my_village.rules.meeting import places
from engine.my_village.rules.pieces import add
from engine.my_village.rules.steward import TRADE
from engine.my_village.rules.travel import CHURCH, next_letter
from engine.my_village.state import SPACES, NextRound, State, Village, clockwise, with_village

MOST_ROUNDS = (39, 77, 73)
"""The proven bound for 2, 3 and 4 seats with our table; how it is reckoned stands in `test_rules_end.py`."""


def check_end(state: State) -> None:
    """A game is over within the bound of rounds."""
    assert state.round <= MOST_ROUNDS[len(state.villages) - 2], f"{state.round} rounds"


def pieces(state: State) -> object:
    """Return every card of the box, wherever it lies, in order, and how many there are of those that are alike."""
    villages = state.villages
    named = [
        *state.crafts, *state.churches, *state.chambers, *state.pile, *state.display,
        *(card for deck in state.decks for card in deck),
    ]  # fmt: skip
    for village in villages:
        named += [*village.crafts, *village.customers, *village.served, *village.journeys]
        named += [card for card in (village.church, village.chamber) if card]
    return (
        tuple(sorted(named)),
        state.fields + sum(village.fields for village in villages),
        state.meetings + sum(village.meeting for village in villages),
        tuple(state.monks[at] + sum(village.monks[at] for village in villages) for at in range(len(MONKS))),
    )


VARIANTS: tuple[tuple[dict[str, str], tuple[int, ...]], ...] = (({}, (2, 3, 4)),)
"""Options with the numbers of seats that are played with them: the title has none, but drawn positions."""

LOOKING = (CHURCH, TRADE)
"""The churches that are dealt first: those that chance has to do with."""

FEW_CUSTOMERS = 8


def drawn(first: State, number: int) -> State:
    """
    Return the beginning of a round in the middle of a game that chance has drawn.

    Each village has a church, cards of every area and villagers missing, and is near the bridge; at times the customers
    run out.
    """
    chooser = random.Random(number)
    state = first
    while RULESET.pending(state)[0].seat == CHANCE:
        decision = RULESET.pending(state)[0]
        moves = list(RULESET.legal(state, CHANCE))
        state = RULESET.apply(state, CHANCE, chooser.choices(moves, decision.odds)[0]).state
    seats = range(len(state.villages))
    graves = chooser.randint(len(seats), state.for_seats(state.tables.graves.limit) // 2)
    mourners = chooser.choices(seats, k=graves)
    churches = chooser.sample(LOOKING, len(LOOKING)) + [church for church in state.churches if church not in LOOKING]
    for seat, church in zip(chooser.sample(seats, len(seats)), churches, strict=False):
        state = with_village(state, seat, _lived(state, chooser, state.villages[seat], mourners.count(seat)))
        state = _travelled(_endowed(state, chooser, seat, church), chooser, seat)
    state = _tiled(_shopped(state, chooser), chooser)
    began, holder = chooser.choice(seats), chooser.choice(seats)
    state = replace(
        state,
        graves=graves,
        rat=chooser.randrange(state.for_seats(state.tables.rat.steps)),
        round=graves + chooser.randint(1, 5),
        turn=clockwise(state, began)[-1],
        turns=(),
        holder=Seat(holder),
        palm=began == holder,
        heap=chooser.randint(1, 4) if began == holder else 0,
        stack=(NextRound(),),
    )
    return PHASES.settle(state).state


def _lived(state: State, chooser: random.Random, village: Village, burials: int) -> Village:
    """Return the village after so many *burials*: its villagers and pupils, hours, coins and stories."""
    labourers = chooser.randint(0, max(0, burials + 1 - len(PROFESSIONS)))
    least = max(1, len(PROFESSIONS) - burials + labourers)
    living = chooser.sample(PROFESSIONS, chooser.randint(least, len(PROFESSIONS)))
    lap = state.tables.time.lap
    return replace(
        village,
        hours=lap * burials + max(chooser.randrange(lap) for _ in range(2)),
        coins=chooser.randint(0, 5),
        tree=chooser.randint(0, 9),
        store=chooser.randint(0, 12),
        headman=chooser.choice(SPACES),
        villagers=tuple(one for one in PROFESSIONS if one in living),
        left=chooser.random() < 0.5,
        right=chooser.random() < 0.3,
        labourers=labourers,
    )


def _endowed(state: State, chooser: random.Random, seat: int, church: str) -> State:
    """Return the state in which *seat* has buildings with goods, fields, *church* with monks, and council cards."""
    tables, crafts, goods, monks = state.tables, [], [0] * len(GOODS), state.monks
    for at, good in enumerate(GOODS):
        if chooser.random() < 0.5:
            crafts.append(chooser.choice([card for card in state.crafts if card.startswith(good)]))
            goods[at] = chooser.randint(0, 3)
    for _ in range(chooser.randint(0, 3)):
        monks = add(monks, chooser.choice([at for at in range(len(MONKS)) if monks[at]]), -1)
    chamber = chooser.choice(state.chambers) if chooser.random() < 0.6 else ""
    fields, meeting = chooser.randint(0, 2), chooser.random() < 0.7
    village = replace(
        state.villages[seat],
        crafts=tuple(crafts),
        goods=tuple(goods),
        fields=fields,
        church=church,
        averted=chooser.randint(0, tables.church[church].uses),
        monks=tuple(before - after for before, after in zip(state.monks, monks, strict=True)),
        meeting=meeting,
        chamber=chamber,
        mark=chooser.choice(AREAS if chamber == AREA else PROFESSIONS) if chamber in (AREA, POPULATION) else "",
        joker=chamber == GUILD and chooser.random() < 0.7,
    )
    state = replace(
        state,
        crafts=tuple(card for card in CRAFTS if card in state.crafts and card not in crafts),
        churches=tuple(card for card in state.churches if card != church),
        chambers=tuple(card for card in state.chambers if card != chamber),
        monks=monks,
        fields=state.fields - fields,
        meetings=state.meetings - meeting,
    )
    return with_village(state, seat, village)


def _travelled(state: State, chooser: random.Random, seat: int) -> State:
    """Return the state in which *seat* has travelled for a while."""
    for _ in range(min(chooser.randint(0, len(LETTERS)) for _ in range(2))):
        village = state.villages[seat]
        letter = next_letter(state, village)
        if letter:
            card = chooser.choice(state.deck(letter))
            decks = tuple(tuple(one for one in deck if one != card) for deck in state.decks)
            state = with_village(
                replace(state, decks=decks), seat, replace(village, journeys=(*village.journeys, card))
            )
    return state


def _shopped(state: State, chooser: random.Random) -> State:
    """Return the state in which customers are held and served, and the others lie open or are to come."""
    cards = chooser.sample([*state.display, *state.pile], len(state.display) + len(state.pile))
    few, many = chooser.randint(2, FEW_CUSTOMERS), chooser.randint(FEW_CUSTOMERS, len(cards))
    left = chooser.choice((few, many))
    for card in cards[left:]:
        seat = chooser.randrange(len(state.villages))
        village = state.villages[seat]
        if chooser.random() < 0.5:
            village = replace(village, customers=(*village.customers, card))
        else:
            village = replace(village, served=(*village.served, card))
        state = with_village(state, seat, village)
    shown = min(left, state.tables.steward.open)
    pile = tuple(card for card in CUSTOMERS if card in cards[shown:left])
    return replace(state, display=tuple(cards[:shown]), pile=pile)


def _tiled(state: State, chooser: random.Random) -> State:
    """Return the state in which each 2/12 tile lies somewhere."""
    for seat, village in enumerate(state.villages):
        if village.meeting:
            tile = chooser.choice(places(replace(state, turn=Seat(seat))))
            state = with_village(state, seat, replace(village, tile=tile))
    return state
