"""Where the rulings in Village's README.md show in a game."""

from collections.abc import Iterator
from itertools import combinations

from engine.core.types import CHANCE
from engine.village import RULESET
from engine.village.components import COLOURS, GOODS
from engine.village.moves import COIN, Act, Buy, Make
from engine.village.rules.death import victims
from engine.village.rules.pieces import numbers_at, payments
from engine.village.state import (
    BAG,
    SECTION_OF,
    SPACES,
    WINDOWS,
    CubeChoice,
    Death,
    GoodChoice,
    Produce,
    State,
)  # fmt: skip
from engine.village.views import view
from tests.games.village.endings import DEATHS, by_day, is_free_action
from tests.games.watch import Game, Moment, Situation, at_end, each

SOMEBODY_DIES = (*DEATHS, "village.nobody-dies")
NOTHING_GIVEN = ("village.marker-gone", "village.no-cubes", "village.no-goods")


def asked(state: State) -> str:
    """Return the key of what is asked, or "" when the game is over."""
    return state.stack[-1].key if state.stack else ""


def offers_less(state: State) -> bool:
    """Return whether not every action can be chosen of the seven."""
    return sum(isinstance(move, Act) for move in RULESET.legal(state, state.turn)) < len(SPACES)


def deal(card: tuple[int, ...], number: int) -> list[int]:
    """Return how many of *number* cubes each space gets, one to a space in turn and none above its own number."""
    laid = [0] * len(card)
    for _ in range(number):
        laid[min((at for at, wanted in enumerate(card) if laid[at] < wanted), key=laid.__getitem__)] += 1
    return laid


def bag_is_dry(moment: Moment) -> bool:
    """Return whether fewer cubes than the card shows are laid out, one to a space, round and round."""
    card = moment.after.tables.board.cards[len(moment.after.families) - 2]
    laid = [[len(said[space]) for space in SPACES] for said in moment.told("village.seeded")]
    return any(sum(one) < sum(card) and one == deal(card, sum(one)) for one in laid)


def market_is_held_in_vain(moment: Moment) -> bool:
    """Return whether a market day is chosen at the well, or free, on which nobody can sell."""
    return moment.text == "act market" and "village.market-over" in moment.keys and "village.sold" not in moment.keys


def coins_paid(moment: Moment) -> Iterator[tuple[int, int]]:
    """Yield how many coins and how many true cubes each payment of the entry holds."""
    for event in moment.record.events:
        paid = dict(event.fields).get("pay", ())
        words = (paid,) if isinstance(paid, str) else paid
        yield words.count(COIN), sum(word in COLOURS for word in words)


def unasked_deaths(moment: Moment) -> Iterator[bool]:
    """Yield, for each death that the rules settle alone, whether several members were alike."""
    events = [event for event in moment.record.events if event.key in DEATHS]
    for event in events[moment.text.startswith("bury") :]:
        said = dict(event.fields)
        yield said["number"] in numbers_at(moment.after, said["seat"], said["spot"])


def asks_within_section(moment: Moment) -> bool:
    """Return whether it is asked who dies though two of the candidates stand in one section."""
    if not isinstance(moment.before.stack[-1] if moment.before.stack else None, Death):
        return False
    sections = [SECTION_OF[spot] for spot in victims(moment.before, moment.before.stack[-1].seat)[1]]
    return len(set(sections)) < len(sections)


def plague_waits(game: Game) -> Iterator[int]:
    """A plague cube passes the bridge, a market day is held with sales, and the death comes after it."""
    owing, sold = -1, False
    for moment in game:
        if moment.text == "take plague market" and "village.bridge" in moment.keys:
            owing, sold = moment.record.entry.seat, False
        for event, held in by_day(moment):
            said = dict(event.fields)
            sold = sold or event.key == "village.sold"
            if event.key in SOMEBODY_DIES and said["seat"] == owing and not held:
                if sold:
                    yield moment.seq
                owing = -1


def sale_kills(moment: Moment) -> bool:
    """Return whether the time of a surcharge passes the bridge and the death is settled or asked at once."""
    if not {"village.sold", "village.bridge"} <= set(moment.keys):
        return False
    after = moment.keys[moment.keys.index("village.bridge") + 1 :]
    return bool(after and after[0] in SOMEBODY_DIES) or isinstance(moment.after.stack[-1], Death)


def line_moves_up(moment: Moment) -> bool:
    """Return whether a customer who waited goes to a stall nearer the head than one who stayed."""
    sold = {said["customer"] for said in moment.told("village.sold")}
    before = ["" if name in sold else name for name in moment.before.stalls]
    if "village.market-over" not in moment.keys or not moment.before.line or "" not in before:
        return False
    hole = before.index("")
    return any(before[hole:]) and moment.after.stalls[hole] == moment.before.line[0]


def death_follows_refill(moment: Moment) -> bool:
    """Return whether a death that has waited comes after the new customers."""
    if "village.customers" not in moment.keys or not moment.before.me.due:
        return False
    after = moment.keys[moment.keys.index("village.customers") + 1 :]
    return bool(after and after[0] in SOMEBODY_DIES) or asked(moment.after) == Death.key


def good_is_out(moment: Moment) -> bool:
    """Return whether a good could be made or bought but for the supply, which has none, and is not offered."""
    state = moment.before
    if asked(state) != "village.crafts":
        return False
    offered = {move.good for move in RULESET.legal(state, state.turn) if isinstance(move, Make | Buy)}
    for building in state.tables.buildings:
        trained = numbers_at(state, state.turn, building.id)
        rich = state.me.count("grain") >= building.grain and any(True for _ in payments(state.me, building.cubes))
        if (trained or rich) and set(building.goods) - offered:
            return True
    return False


def training_is_all(moment: Moment) -> bool:
    """Return whether a member is trained where no good is left to make."""
    return "village.trained" in moment.keys and not isinstance(moment.after.stack[-1], Produce)


def good_cannot_be_picked(moment: Moment) -> bool:
    """Return whether a good is chosen while another is not offered."""
    state = moment.before
    return asked(state) == GoodChoice.key and len(list(RULESET.legal(state, state.turn))) < len(GOODS)


def coins_for_full_price(moment: Moment) -> Iterator[int]:
    """Yield how many coins the mill pays out."""
    price = moment.after.tables.mill
    for said in moment.told("village.milled"):
        if (said["grain"], said["time"]) == (price.grain, price.time):
            yield said["coins"]


def colours_offered(moment: Moment) -> int:
    """Return how many colours can be chosen; all where nothing is to be chosen."""
    state = moment.before
    if asked(state) != CubeChoice.key:
        return len(COLOURS)
    moves = list(RULESET.legal(state, state.turn))
    return len({colour for move in moves for colour in (move.colour, move.second) if colour})


def single_cube(moment: Moment) -> bool:
    """Return whether one cube is chosen where two are due."""
    phase = moment.before.stack[-1] if moment.before.stack else None
    return isinstance(phase, CubeChoice) and phase.count > 1 and len(moment.text.split()) == 2  # `choose`, one colour


def bag_decides_a_tie(moment: Moment) -> bool:
    """Return whether two families tie on points and customers, and rank otherwise than without the black bag."""
    state = moment.after
    if "village.over" not in moment.keys:
        return False
    for one, other in combinations(RULESET.standings(state), 2):
        members = [state.families[seat].members for seat in (one.seat, other.seat)]
        visible = [sum(spot in SECTION_OF for spot in spots) for spots in members]
        living = [seen + spots.count(BAG) for seen, spots in zip(visible, members, strict=True)]
        tied = (one.points, one.ties[0]) == (other.points, other.ties[0])
        if tied and order(*visible) != order(*living) == order(other.rank, one.rank):
            return True
    return False


def order(one: int, other: int) -> int:
    """Return -1, 0 or 1: *one* is less, the same or more."""
    return (one > other) - (one < other)


def rank_is_shared(moment: Moment) -> bool:
    """Return whether two seats share a rank below the first."""
    ranks = [one.rank for one in RULESET.standings(moment.after)]
    return "village.over" in moment.keys and any(ranks.count(rank) > 1 for rank in set(ranks) - {1})


def furthest_window_ties(moment: Moment) -> bool:
    """Return whether families share the majority though their other windows differ."""
    for said in moment.told("village.majority"):
        families = [moment.after.families[seat] for seat in said["seats"]]
        if len({tuple(sorted(spot for spot in one.members if spot in WINDOWS)) for one in families}) > 1:
            return True
    return False


def sale_is_public(moment: Moment) -> bool:
    """Return whether a spectator's view names every customer served, just after a sale."""
    if "village.sold" not in moment.keys:
        return False
    shown = [[tile.id for tile in family.customers] for family in view(moment.after, None).families]
    return shown == [list(family.customers) for family in moment.after.families]


def customer_comes(moment: Moment) -> bool:
    """Return whether a customer is drawn out of the pile during the game."""
    return moment.record.entry.seat == CHANCE and asked(moment.before) == "village.customer" and moment.before.days > 0


DRY = "The bag runs dry"
CANNOT = "An action that cannot be done cannot be chosen"
PAYMENT = "How a payment is written"
UNASKED = "A death without a choice"
PLAGUE = "Plague before a market day"
LINE = "The line moves up"
GOODS_OUT = "Goods run out"
COINS = "Coins run short"
CUBES = "Cubes run short"
PUBLIC = "Served customers are public"

RULINGS = (
    Situation("bag.dry", "fewer cubes than the card shows are laid out, one to a space, round and round",
              each(bag_is_dry), DRY),
    Situation("action.not-at-well", "after the well an action that cannot be done is not offered",
              each(lambda m: "village.well" in m.keys and offers_less(m.after)), CANNOT),
    Situation("action.not-free", "on the emptied board an action that cannot be done is not offered",
              each(lambda m: is_free_action(m.before) and offers_less(m.before)), CANNOT),
    Situation("action.cannot", "a cube is taken where nothing can be done, and the rules move on",
              each(lambda m: "village.cannot-act" in m.keys), CANNOT),
    Situation("action.market-in-vain", "a market day is chosen on which nobody can sell", each(market_is_held_in_vain),
              CANNOT),
    Situation("well.coins-too", "the well is paid with cubes of one colour and coins",
              each(lambda m: m.text.startswith("well") and any(c and t for c, t in coins_paid(m))),
              "Coins at the well"),
    Situation("well.coins-alone", "the well is paid with coins alone",
              each(lambda m: m.text.startswith("well") and any(c and not t for c, t in coins_paid(m))),
              "Coins at the well"),
    Situation("payment.cube-then-coin", "a price is paid with a true cube and a coin, written in this order",
              each(lambda m: not m.text.startswith("well") and any(c and t for c, t in coins_paid(m))), PAYMENT),
    Situation("payment.coin-kept", "a price is paid with true cubes alone while coins are at hand",
              each(lambda m: m.before.me.count(COIN) > 0 and m.record.entry.seat == m.before.turn
                   and any(t > 1 and not c for c, t in coins_paid(m))), PAYMENT),
    Situation("death.only-one", "the only candidate dies unasked",
              each(lambda m: False in unasked_deaths(m)), UNASKED),
    Situation("death.all-on-one-spot", "one of several on one spot dies unasked",
              each(lambda m: True in unasked_deaths(m)), UNASKED),
    Situation("death.within-section", "it is asked who dies of two in one section but on different spots",
              each(asks_within_section), UNASKED),
    Situation("death.nobody", "the bridge is passed and nobody is visible: nobody dies, and no death is owed",
              each(lambda m: any(not m.after.families[said["seat"]].due for said in m.told("village.nobody-dies"))),
              "Nobody visible"),
    Situation("plague.waits", "a plague cube passes the bridge at the market; the death comes after the day and its"
              " sales", plague_waits, PLAGUE),
    Situation("plague.surcharge-kills", "the time of a surcharge kills during the day", each(sale_kills), PLAGUE),
    Situation("line.moves-up", "who waited first goes to the empty stall nearest the head of the line",
              each(line_moves_up), LINE),
    Situation("line.death-follows", "a death that has waited comes after the new customers",
              each(death_follows_refill), LINE),
    Situation("line.pile-empty", "the pile is empty and the line stays short",
              each(lambda m: "village.customers" in m.keys and len(m.after.line) < m.after.tables.stalls.line), LINE),
    Situation("goods.not-offered", "a good that could be made or bought is out", each(good_is_out), GOODS_OUT),
    Situation("goods.not-picked", "a good is chosen while another is out", each(good_cannot_be_picked), GOODS_OUT),
    Situation("goods.training-alone", "a member is trained where no good is left to make", each(training_is_all),
              GOODS_OUT),
    Situation("goods.none", "no good at all is left to choose", each(lambda m: "village.no-goods" in m.keys),
              GOODS_OUT),
    Situation("coins.one", "the mill pays one coin for its full price",
              each(lambda m: 1 in coins_for_full_price(m)), COINS),
    Situation("coins.none", "the mill pays nothing for its full price",
              each(lambda m: 0 in coins_for_full_price(m)), COINS),
    Situation("coins.none-in-city", "a city has no coin to give",
              each(lambda m: any(said["coins"] == 0 for said in m.told("village.city-coins"))), COINS),
    Situation("cubes.colour-out", "cubes are chosen while the supply lacks a colour",
              each(lambda m: colours_offered(m) < len(COLOURS)), CUBES),
    Situation("cubes.one", "a single cube is left to choose", each(single_cube), CUBES),
    Situation("cubes.none", "no cube is left to choose", each(lambda m: "village.no-cubes" in m.keys), CUBES),
    Situation("cubes.empty-privilege", "a privilege is used that gives nothing",
              each(lambda m: any(key in m.keys for key in NOTHING_GIVEN)), CUBES),
    Situation("living.in-bag", "members in the black bag decide a tie on points and customers",
              at_end(bag_decides_a_tie), "Living members", ("V-234",)),
    Situation("rank.shared", "two seats share a rank below the first", at_end(rank_is_shared), "Shared ranks",
              ("V-235",)),
    Situation("church.empty", "nobody stands on a window and the majority gives nothing",
              each(lambda m: "village.no-majority" in m.keys), "An empty church"),
    Situation("church.furthest", "families share the majority with one best window and different others",
              each(furthest_window_ties), "The furthest window"),
    Situation("public.served", "a spectator sees the customers served", each(sale_is_public), PUBLIC),
    Situation("public.pile", "a customer is drawn when one is due", each(customer_comes), PUBLIC),
)  # fmt: skip
