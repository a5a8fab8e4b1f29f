"""
Bids. Each seat holds two secret cards. Each round a prize is drawn, gold or silver; all at once, and unseen by the
others, each seat stakes one card and bids coins. The highest bid (then the higher stake, then the lower seat) pays and
scores its stake, twice for gold. The winner may give a coin away. Then everybody draws up to two cards.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.grammar import Arg, Grammar, Verb
from engine.core.ruleset import Config, Option, Vocabulary
from engine.core.tables import Tables, read_tables
from engine.core.types import CHANCE, Ahead, Decision, Event, Seat, Standing, Step, fields, rank_by

PRIZES = ("gold", "silver")


class Draw(Struct, frozen=True, tag=True):
    what: str


class Deal(Struct, frozen=True, tag=True):
    card: int


class Stake(Struct, frozen=True, tag=True):
    card: int


class Bid(Struct, frozen=True, tag=True):
    coins: int


class Tip(Struct, frozen=True, tag=True):
    seat: int


class Keep(Struct, frozen=True, tag=True):
    pass


Move = Draw | Deal | Stake | Bid | Tip | Keep

GRAMMAR: Grammar[Move] = Grammar(
    (
        Verb("draw", Draw, (Arg("what", PRIZES, kind="prize"),), ("bids.prize",)),
        Verb("deal", Deal, (Arg("card", numbers=(1, 9)),), ("bids.deal",)),
        Verb("stake", Stake, (Arg("card", numbers=(1, 9)),), ("bids.stake",)),
        Verb("bid", Bid, (Arg("coins", numbers=(0, 99)),), ("bids.bid",)),
        Verb("tip", Tip, (Arg("seat", numbers=(0, 3)),), ("bids.tip",)),
        Verb("keep", Keep, (), ("bids.tip",), closes=("bids.tip",)),
    )
)


class Deck(Struct, frozen=True):
    cards: tuple[int, ...]
    coins: int
    rounds: int
    status: str = ""
    source: str = ""


class Components(Struct, frozen=True):
    deck: Deck


class State(Struct, frozen=True, omit_defaults=True):
    """`stakes` and `bids` are 0 and -1 while open; `winner` is -1 while nobody may tip."""

    rounds: int
    deck: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    coins: tuple[int, ...]
    points: tuple[int, ...]
    stakes: tuple[int, ...]
    bids: tuple[int, ...]
    discard: tuple[int, ...] = ()
    prize: str = ""
    round: int = 1
    winner: int = -1


class View(Struct, frozen=True):
    """What one seat may see; a spectator has no hand."""

    seat: int
    round: int
    prize: str
    coins: tuple[int, ...]
    points: tuple[int, ...]
    hand: tuple[int, ...]
    stake: int
    bid: int
    over: bool


def _put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


class Bids:
    """The ruleset."""

    name = "bids"
    rules = 1
    seats = range(2, 5)
    options: Mapping[str, Option] = {"purse": Option("normal", ("normal", "small"))}
    grammar = GRAMMAR
    has_secrets = True
    facts: tuple[str, ...] = PRIZES
    state_type = State
    vocabulary = Vocabulary(
        decisions={
            "bids.prize": (), "bids.deal": ("seat",), "bids.stake": (), "bids.bid": ("most",), "bids.tip": (),
        },
        events={
            "bids.prize": ("what",), "bids.dealt": ("seat",), "bids.card": ("card",), "bids.staked": ("card",),
            "bids.bid": ("coins",), "bids.shown": ("seat", "card", "coins"), "bids.won": ("seat", "points", "coins"),
            "bids.tipped": ("seat", "to"), "bids.kept": ("seat",),
        },
        reasons={"bids.no-card": ("card",), "bids.too-much": ("need", "have"), "bids.tip-whom": ("seat",)},
        parts=("prizes", "coins"),
        ties=("coins",),
        reveals=("bids.shown", "bids.won"),
        facts={"bids.stake": PRIZES, "bids.bid": PRIZES},
        news=("bids.won",),
    )  # fmt: skip

    def setup(self, config: Config, tables: Tables) -> State:
        deck = read_tables(tables, Components).deck
        n = config.seats
        coins = deck.coins if config.option("purse") == "normal" else deck.coins // 2
        return State(deck.rounds, deck.cards, ((),) * n, (coins,) * n, (0,) * n, (0,) * n, (-1,) * n)

    def pending(self, state: State) -> tuple[Decision, ...]:
        if state.round > state.rounds:
            return ()
        short = next((seat for seat, hand in enumerate(state.hands) if len(hand) + bool(state.stakes[seat]) < 2), None)
        if short is not None and state.winner < 0:
            odds = tuple(state.deck.count(card) for card in sorted(set(state.deck)))
            return (Decision(CHANCE, "bids.deal", fields(seat=short), odds),)
        if not state.prize:
            return (Decision(CHANCE, "bids.prize", odds=(1, 2)),)
        if state.winner >= 0:
            return (Decision(Seat(state.winner), "bids.tip", occasion=state.round, wait=False),)
        return tuple(self._owes(state, Seat(seat)) for seat in range(len(state.hands)) if state.bids[seat] < 0)

    def _owes(self, state: State, seat: Seat) -> Decision:
        facts = (state.prize,)
        if not state.stakes[seat]:
            return Decision(seat, "bids.stake", occasion=state.round, facts=facts, secret=True)
        most = fields(most=state.coins[seat])
        return Decision(seat, "bids.bid", most, occasion=state.round, facts=facts)

    def ahead(self, state: State, seat: Seat) -> tuple[Ahead[State], ...]:
        owed = [one.key for one in self.pending(state) if one.seat == seat]
        found: list[Ahead[State]] = []
        if state.round <= state.rounds and "bids.tip" not in owed:
            found.append(
                Ahead(Decision(seat, "bids.tip", occasion=state.round, wait=False), replace(state, winner=seat))
            )
        if state.round < state.rounds:
            found.append(Ahead(Decision(seat, "bids.stake", occasion=state.round + 1, secret=True)))
        return tuple(found)

    def legal(self, state: State, seat: Seat) -> Iterator[Move]:
        key = next((one.key for one in self.pending(state) if one.seat == seat), "")
        if key == "bids.deal":
            yield from (Deal(card) for card in sorted(set(state.deck)))
        elif key == "bids.prize":
            yield from (Draw(what) for what in PRIZES)
        elif key == "bids.stake":
            yield from (Stake(card) for card in sorted(set(state.hands[seat])))
        elif key == "bids.bid":
            yield from (Bid(coins) for coins in range(state.coins[seat] + 1))
        elif key == "bids.tip":
            yield Keep()
            if state.coins[seat]:
                yield from (Tip(to) for to in range(len(state.hands)) if to != seat)

    def apply(self, state: State, seat: Seat, move: Move) -> Step[State]:
        decision = next((one for one in self.pending(state) if one.seat == seat), None)
        verb = GRAMMAR.verb_of(move)
        if decision is None or decision.key not in verb.decisions:
            raise IllegalMoveError("turn.not-asked", verb=verb.word, seat=seat)
        match move:
            case Draw(what):
                return Step(replace(state, prize=what), (Event("bids.prize", fields(what=what)),))
            case Deal(card):
                return self._deal(state, Seat(int(str(dict(decision.fields)["seat"]))), card)
            case Stake(card):
                return self._stake(state, seat, card)
            case Bid(coins):
                return self._bid(state, seat, coins)
            case Tip(to):
                return self._tip(state, seat, to)
            case Keep():
                return Step(self._next_round(state), (Event("bids.kept", fields(seat=seat)),))

    def _deal(self, state: State, seat: Seat, card: int) -> Step[State]:
        if card not in state.deck:
            raise IllegalMoveError("bids.no-card", card=card)
        at = state.deck.index(card)
        hands = tuple((*hand, card) if n == seat else hand for n, hand in enumerate(state.hands))
        deck = state.deck[:at] + state.deck[at + 1 :]
        events = (Event("bids.dealt", fields(seat=seat)), Event("bids.card", fields(card=card), (seat,)))
        return Step(replace(state, deck=deck, hands=hands), events)

    def _stake(self, state: State, seat: Seat, card: int) -> Step[State]:
        hand = state.hands[seat]
        if card not in hand:
            raise IllegalMoveError("bids.no-card", card=card)
        at = hand.index(card)
        hands = tuple(h[:at] + h[at + 1 :] if n == seat else h for n, h in enumerate(state.hands))
        after = replace(state, hands=hands, stakes=_put(state.stakes, seat, card))
        return Step(after, (Event("bids.staked", fields(card=card), (seat,)),))

    def _bid(self, state: State, seat: Seat, coins: int) -> Step[State]:
        if coins > state.coins[seat]:
            raise IllegalMoveError("bids.too-much", need=coins, have=state.coins[seat])
        after = replace(state, bids=_put(state.bids, seat, coins))
        events = [Event("bids.bid", fields(coins=coins), (seat,))]
        if min(after.bids) < 0:
            return Step(after, tuple(events))
        shown = [(after.bids[n], after.stakes[n], -n) for n in range(len(after.bids))]
        events += [Event("bids.shown", fields(seat=n, card=c, coins=b)) for n, (b, c, _) in enumerate(shown)]
        paid, card, winner = max(shown)
        points = card * (2 if after.prize == "gold" else 1)
        events.append(Event("bids.won", fields(seat=-winner, points=points, coins=paid)))
        after = replace(
            after,
            winner=-winner,
            coins=_put(after.coins, -winner, after.coins[-winner] - paid),
            points=_put(after.points, -winner, after.points[-winner] + points),
        )
        return Step(after, tuple(events))

    def _tip(self, state: State, seat: Seat, to: int) -> Step[State]:
        if to == seat or to >= len(state.hands) or not state.coins[seat]:
            raise IllegalMoveError("bids.tip-whom", seat=to)
        coins = _put(_put(state.coins, seat, state.coins[seat] - 1), to, state.coins[to] + 1)
        return Step(self._next_round(replace(state, coins=coins)), (Event("bids.tipped", fields(seat=seat, to=to)),))

    def _next_round(self, state: State) -> State:
        n = len(state.hands)
        discard = (*state.discard, *state.stakes)
        return replace(
            state, round=state.round + 1, winner=-1, prize="", discard=discard, stakes=(0,) * n, bids=(-1,) * n
        )

    def default(self, state: State, seat: Seat) -> Move:
        return next(self.legal(state, seat))

    def view(self, state: State, seat: Seat | None) -> View:
        own = -1 if seat is None else int(seat)
        hand, stake, bid = ((), 0, -1) if seat is None else (state.hands[seat], state.stakes[seat], state.bids[seat])
        over = not self.pending(state)
        return View(own, state.round, state.prize, state.coins, state.points, hand, stake, bid, over)

    def standings(self, state: State) -> tuple[Standing, ...]:
        parts = tuple((("prizes", p), ("coins", c)) for p, c in zip(state.points, state.coins, strict=True))
        scores = tuple((p + c, c) for p, c in zip(state.points, state.coins, strict=True))
        ranks = rank_by(scores)
        return tuple(Standing(Seat(n), ranks[n], total, parts[n], (coins,)) for n, (total, coins) in enumerate(scores))


RULESET = Bids()
