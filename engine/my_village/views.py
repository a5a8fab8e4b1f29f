"""What a report needs of a position; hidden is only what a Travel church looks at."""

from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import Seat
from engine.my_village.components import (
    CHAMBERS,
    CHURCHES,
    FIELD,
    GOODS,
    MEETING,
    MONKS,
    Components,
    Craft,
    Customer,
    Journey,
)
from engine.my_village.moves import GRAMMAR
from engine.my_village.rules import dice, travel, turn
from engine.my_village.scoring import monks
from engine.my_village.state import FACES, Changing, Picking, State, Turn, Village, running, with_village

Number = tuple[str, int]
"""A name and how many there are; zeros are left out."""


class TotalView(Struct, frozen=True):
    """
    A total that the reader can make with the dice on offer.

    `coins`, `hours`  the least it costs, white dice first
    `dice`            the two dice at that price
    `uses`            what could be done with it now, as canonical moves; the main house is not among them
    """

    total: int
    coins: int
    hours: int
    dice: tuple[str, str]
    uses: tuple[str, ...]


class CardView(Struct, frozen=True):
    """A card that can be bought: the numbers of its flag, its hours, points, and how many are left."""

    card: str
    black: tuple[int, ...]
    hours: int
    points: int
    left: int


class LetterView(Struct, frozen=True):
    """The travel cards of a letter: the numbers of their flag, their hours, and what they may turn out to be."""

    letter: str
    black: tuple[int, ...]
    hours: int
    cards: tuple[Journey, ...]


class WorkView(Struct, frozen=True):
    """An own building and the goods on it."""

    craft: Craft
    goods: int


class VillageView(Struct, frozen=True):
    """
    One village.

    `play`        the numbers of its play flag
    `step`        hours since the bridge; `lap` from bridge to bridge
    `empty`       professions without a villager · `left`, `right` a pupil is there
    `next`        the letter that its traveller could buy, "" none; `more_hours`, `more_coins` what the last card adds
    `averts`      invasions that the Sanatorium will still avert · `window` monks at the window
    `tile`        the flag with the 2/12 tile, "" none · `mark` what the chamber marks, "" nothing
    """

    seat: Seat
    play: tuple[int, ...]
    step: int
    lap: int
    coins: int
    tree: int
    store: int
    headman: str
    villagers: tuple[str, ...]
    empty: tuple[str, ...]
    left: bool
    right: bool
    crafts: tuple[WorkView, ...]
    fields: int
    customers: tuple[Customer, ...]
    served: tuple[Customer, ...]
    journeys: tuple[Journey, ...]
    next: str
    more_hours: int
    more_coins: int
    church: str
    averts: int
    monks: tuple[Number, ...]
    window: int
    meeting: bool
    tile: str
    chamber: str
    mark: str
    joker: bool
    labourers: int


class View(Struct, frozen=True):
    """
    The position as a report needs it.

    `seat`       who looks; None a spectator
    `turn`       whose turn it is, or was last; None: nobody had one yet
    `holder`     has the hand tile · `palm` it can be taken · `heap` stories on it
    `turns`      the seats that still have a turn in this round, after the present one
    `white` `black`  faces of the dice on offer
    `dice`       the faces of the turn that runs, once coins have turned them
    `total`      what it makes, or is to make; 0 nothing yet, or any dice for the main house
    `taken`      its two dice while coins may turn them
    `totals`     what the reader could make of the dice on offer in a turn of its own
    `examples`   whole turns of the reader as canonical lines, one for each total that opens something, cheapest first
    `display`    customers that lie open, `pile` how many are to come
    `crafts`     buildings that lie open · `cards` everything else that can be bought by name · `letters` the journeys
    `rat`        steps to the village · `graves` burials, of `limit` · `book` stories for the next burials
    `seen`       the travel card that the reader alone sees
    `tables`     what everything costs and brings
    """

    seat: Seat | None
    over: bool
    round: int
    ending: bool
    turn: Seat | None
    turns: tuple[Seat, ...]
    holder: Seat | None
    palm: bool
    heap: int
    white: tuple[int, ...]
    black: tuple[int, ...]
    dice: tuple[int, ...]
    total: int
    taken: tuple[str, ...]
    totals: tuple[TotalView, ...]
    examples: tuple[str, ...]
    display: tuple[Customer, ...]
    pile: int
    crafts: tuple[Craft, ...]
    cards: tuple[CardView, ...]
    letters: tuple[LetterView, ...]
    villages: tuple[VillageView, ...]
    rat: int
    graves: int
    limit: int
    book: tuple[int, ...]
    seen: Journey | None
    tables: Components


def view(state: State, seat: Seat | None) -> View:
    """Return the position as *seat* sees it."""
    tables = state.tables
    white, black = (
        tuple(face for face, number in zip(FACES, counts, strict=True) for _ in range(number)) for counts in state.pool
    )
    now = running(state)
    phase = state.stack[-1] if state.stack else None
    sees = seat is not None and state.turn == seat and bool(state.seen)
    totals = _totals(state, seat) if seat is not None and state.stack else ()
    return View(
        seat=seat,
        over=not state.stack,
        round=state.round,
        ending=state.ending,
        turn=state.turn if state.turn >= 0 else None,
        turns=state.turns,
        holder=state.holder if state.holder >= 0 else None,
        palm=state.palm,
        heap=state.heap,
        white=white,
        black=black,
        dice=now.dice if now else (),
        total=phase.total if isinstance(phase, Picking | Changing) else now.total if now else 0,
        taken=phase.dice if isinstance(phase, Changing) else (),
        totals=totals,
        examples=_examples(state, seat, totals) if seat is not None and state.stack else (),
        display=tuple(tables.customer[name] for name in state.display),
        pile=len(state.pile),
        crafts=tuple(tables.craft[card] for card in state.crafts),
        cards=_cards(state),
        letters=tuple(
            LetterView(
                pile.letter, pile.black, pile.hours, tuple(map(tables.journey.__getitem__, state.deck(pile.letter)))
            )
            for pile in tables.journeys
        ),
        villages=tuple(_village(state, Seat(at), village) for at, village in enumerate(state.villages)),
        rat=state.for_seats(tables.rat.steps) - state.rat,
        graves=state.graves,
        limit=state.for_seats(tables.graves.limit),
        book=tables.book.stories[len(state.villages) - 2][state.graves :],
        seen=tables.journey[state.seen] if sees else None,
        tables=tables,
    )


def _totals(state: State, seat: Seat) -> tuple[TotalView, ...]:
    supposed = replace(state, turn=seat)
    coins = state.villages[seat].coins
    found = []
    pairs = list(dice.pairs(state.pool))
    for total in dice.TOTALS:
        pair = min(
            (pair for pair in pairs if dice.price(pair, total) <= coins),
            key=lambda pair: dice.dearness(supposed, pair, total),
            default=None,
        )
        if pair is None:
            continue
        price = dice.price(pair, total)
        paid = with_village(supposed, seat, replace(state.villages[seat], coins=coins - price))
        found.append(TotalView(total, price, dice.hours_of(state, pair), pair, _uses(paid, total)))
    return tuple(found)


def _examples(state: State, seat: Seat, totals: tuple[TotalView, ...]) -> tuple[str, ...]:
    """Return a line for each total that opens something, the cheapest first; of any dice before a new roll."""
    comes = seat in state.turns or state.turn == seat
    cheapest = sorted(totals, key=lambda one: (one.coins + one.hours, one.total)) if comes else ()
    found = [(one.total, one.uses) for one in cheapest]
    if not any(uses for _, uses in found):
        found = [(total, _uses(replace(state, turn=seat), total)) for total in dice.TOTALS]
    return tuple(_whole_turn(state, total, min(uses, key=_asks)) for total, uses in found if uses)


def _uses(state: State, total: int) -> tuple[str, ...]:
    """Return what the seat of the turn could do with *total*, as canonical moves without the main house."""
    uses = (GRAMMAR.format_move(move) for move in turn.uses(state, Turn(0, (total,))))
    return tuple(text for text in uses if not text.startswith("house "))


def _asks(text: str) -> bool:
    """Return whether the move *text* asks something besides, so that it makes no short example."""
    return text in ("steward", "meeting") or text.startswith(("travel ", "promote "))


def _whole_turn(state: State, total: int, use: str) -> str:
    """Return the line of a turn that uses one flag, with a customer where the steward is visited."""
    line = f"total {total} : {use}"
    return f"{line} : take {state.display[0]}" if use == "steward" and state.display else line


def _cards(state: State) -> tuple[CardView, ...]:
    tables = state.tables
    points = {
        FIELD: tables.field.points,
        MEETING: tables.meeting_place.points,
        **{card: tables.church[card].points for card in CHURCHES},
        **{card: tables.chamber[card].points for card in CHAMBERS},
    }
    left = {
        FIELD: state.fields,
        **{card: int(card in state.churches) for card in CHURCHES},
        **dict(zip(MONKS, state.monks, strict=True)),
        MEETING: state.meetings,
        **{card: int(card in state.chambers) for card in CHAMBERS},
    }
    return tuple(
        CardView(card, *tables.priced[card], points.get(card, 0), number) for card, number in left.items() if number
    )


def _village(state: State, seat: Seat, village: Village) -> VillageView:
    tables = state.tables
    more_hours, more_coins = travel.surcharge(state, village)
    letter = travel.next_letter(state, village)
    uses = tables.church[village.church].uses if village.church else 0
    return VillageView(
        seat=seat,
        play=tables.boards.play[village.board - 1] if village.board else (),
        step=village.hours % tables.time.lap,
        lap=tables.time.lap,
        coins=village.coins,
        tree=village.tree,
        store=village.store,
        headman=village.headman,
        villagers=village.villagers,
        empty=village.empty,
        left=village.left,
        right=village.right,
        crafts=tuple(
            WorkView(tables.craft[village.craft(good)], village.count(good)) for good in GOODS if village.craft(good)
        ),
        fields=village.fields,
        customers=tuple(tables.customer[name] for name in village.customers),
        served=tuple(tables.customer[name] for name in village.served),
        journeys=tuple(tables.journey[card] for card in village.journeys),
        next=letter,
        more_hours=more_hours if letter else 0,
        more_coins=more_coins if letter else 0,
        church=village.church,
        averts=uses - village.averted,
        monks=tuple((kind, number) for kind, number in zip(MONKS, village.monks, strict=True) if number),
        window=monks(state, village),
        meeting=village.meeting,
        tile=village.tile,
        chamber=village.chamber,
        mark=village.mark,
        joker=village.joker,
        labourers=village.labourers,
    )
