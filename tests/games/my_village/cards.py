"""Where cards show in a game of My Village: buildings, journeys, churches, meeting places, chambers."""

from collections.abc import Callable, Iterator

from engine.core.types import Seat
from engine.my_village import RULESET
from engine.my_village.components import FIELD, GOODS, MEETING
from engine.my_village.moves import Buy, Farm, Make, Travel
from engine.my_village.rules.buying import ABBOT, COUNCILMAN, CRAFTSMAN
from engine.my_village.rules.death import SANATORIUM
from engine.my_village.rules.travel import TRAVELLER, next_letter, surcharge
from engine.my_village.scoring import AREA, POPULATION, cards_in
from engine.my_village.state import PLAY, SCHOOL, State, Turn, Visiting
from tests.games.my_village.endings import at_over
from tests.games.my_village.seen import (
    Group,
    asks_first,
    can,
    deaths,
    first,
    later,
    offers,
    phase,
    says,
    turn,
    verb,
    village,
)
from tests.games.watch import Eye, Game, Moment, Said, each


def buys(card: str, *keys: str) -> Eye:
    """Return the eye for the purchase of *card* that brings what *keys* tell."""
    return each(lambda moment: bought(moment, card) and set(keys) <= set(moment.keys))


def bought(moment: Moment, card: str) -> bool:
    """Return whether *card* is bought at the entry."""
    return any(said["card"] == card for said in moment.told("my.bought"))


def wanted(said: Said, moment: Moment) -> tuple[str, ...]:
    """Return the real goods that a customer served got."""
    goods = list(moment.before.tables.customer[said["customer"]].goods)
    if said["joker"]:
        goods.remove(said["joker"])
    return tuple(goods)


# --- buildings, fields, customers ---


def made(group: Group) -> set[str]:
    """Return the goods that are made in a turn."""
    return {said["good"] for moment in group for said in moment.told("my.made")}


def several_made(group: Group) -> Moment | None:
    """Two goods are made in one turn, and go to one customer."""
    for moment in group:
        if any(len(made(group) & set(wanted(said, moment))) > 1 for said in moment.told("my.served")):
            return moment
    return None


def made_and_served(group: Group) -> Moment | None:
    """A good is delivered that was not there when the turn began."""
    for moment in group:
        for said in moment.told("my.served"):
            goods = wanted(said, moment)
            if any(group[0].before.me.count(good) < goods.count(good) for good in goods):
                return moment
    return None


def farmed(plows: range) -> Eye:
    """Return the eye for a field that brings its coins and one more, with so many *plows* there."""

    def sees(said: Said, moment: Moment) -> bool:
        block = moment.before.tables.field
        return said["coins"] == block.coins + block.plow and village(moment).count("plow") in plows

    return says("my.farmed", sees)


def several_farmed(group: Group) -> Moment | None:
    """Two fields are used in one turn."""
    found = [moment for moment in group if "my.farmed" in moment.keys]
    return found[1] if len(found) > 1 else None


def plow_is_gone(group: Group) -> Moment | None:
    """A plow is delivered, and a field then brings no more than its coins."""
    sold = next((one for one in group for said in one.told("my.served") if "plow" in wanted(said, one)), None)
    for moment in later(group, sold):
        if any(said["coins"] == moment.before.tables.field.coins for said in moment.told("my.farmed")):
            return moment
    return None


def works_same_round(game: Game) -> Iterator[int]:
    """A card bought in the first turn of a round of two works in the second."""
    cards: dict[Seat, str] = {}
    for moment in game:
        if "my.round" in moment.keys:
            cards.clear()
        cards.update({said["seat"]: said["card"] for said in moment.told("my.bought")})
        for said in moment.told("my.made", "my.farmed", "my.meeting"):
            flag = str(said.get("good", FIELD if "coins" in said else MEETING))
            mine = cards.get(said["seat"], "")
            fields = village(moment).fields
            if mine.startswith(flag) and (flag != FIELD or fields == 1):
                yield moment.seq


# --- journeys ---


def journey_is_over(moment: Moment) -> bool:
    """Return whether a traveller who came to the monastery cannot go on with a total that buys the next letter."""
    mine, tables = village(moment), moment.before.tables
    ended = bool(mine.journeys) and tables.journey[mine.journeys[-1]].last and TRAVELLER in mine.villagers
    return ended and asks_first(moment, tables.pile["e"].black) and not offers(moment, Travel)


def surcharge_is_short(moment: Moment) -> bool:
    """Return whether a journey cannot go on for want of the coins that the last card asks for."""
    mine = village(moment)
    letter = next_letter(moment.before, mine)
    if not letter or not asks_first(moment, moment.before.tables.pile[letter].black):
        return False
    short = surcharge(moment.before, mine)[1] > mine.coins
    return short and TRAVELLER in mine.villagers and not offers(moment, Travel)


def surcharge_once(said: Said, moment: Moment) -> bool:
    """Return whether a letter costs its hours and no more, though a card before the last asked for more."""
    cards = [moment.before.tables.journey[card] for card in village(moment).journeys[:-1]]
    plain = said["hours"] == moment.before.tables.pile[said["letter"]].hours and not said["coins"]
    return plain and any(card.hours for card in cards)


def resumed(game: Game) -> Iterator[int]:
    """A journey goes on that was begun by a traveller who died since."""
    died: set[Seat] = set()
    for moment in game:
        died |= {seat for seat, who in deaths(moment) if who == TRAVELLER and moment.before.villages[seat].journeys}
        if any(said["seat"] in died for said in moment.told("my.travel")):
            yield moment.seq


# --- churches ---


def averted_all(game: Game) -> Iterator[int]:
    """A Sanatorium has averted all that it can, and the next invasion costs in full."""
    spent: set[Seat] = set()
    for moment in game:
        if any(said["seat"] in spent for said in moment.told("my.lost")):
            yield moment.seq
        spent |= {said["seat"] for said in moment.told("my.averted") if not said["left"]}


def averts_nothing(moment: Moment) -> bool:
    """Return whether an invasion would cost the owner of a Sanatorium nothing, and uses nothing up."""
    touched = {said["seat"] for said in moment.told("my.averted", "my.lost")}
    uses = moment.before.tables.church[SANATORIUM].uses
    return "my.invasion" in moment.keys and any(
        one.church == SANATORIUM and one.averted < uses and seat not in touched
        for seat, one in enumerate(moment.before.villages)
    )


def averts_at_once(group: Group) -> Moment | None:
    """A Sanatorium averts an invasion at the end of the turn of its purchase."""
    purchase = next((moment for moment in group if bought(moment, SANATORIUM)), None)
    for moment in later(group, purchase):
        if any(said["seat"] == moment.before.turn for said in moment.told("my.averted")):
            return moment
    return None


def is_free(moment: Moment) -> bool:
    """Return whether the free customer of a Trade church is taken."""
    now = phase(moment)
    return isinstance(now, Visiting) and bool(now.free) and "my.took" in moment.keys


def works_without_abbot(moment: Moment) -> bool:
    """Return whether a church works though the abbot of its owner is dead."""
    seats = [said["seat"] for said in moment.told("my.averted", "my.looked")]
    seats += [moment.before.turn] if is_free(moment) else []
    return any(ABBOT not in moment.before.villages[seat].villagers for seat in seats)


# --- meeting place and tile ---


def after_meeting(happens: Callable[[Moment, Turn], bool]) -> Eye:
    """Return the eye for the first flag after the meeting place was used, if something *happens* there."""

    def sees(moment: Moment) -> bool:
        now = turn(moment)
        return now is not None and now.free and now.used[-1] == MEETING and happens(moment, now)

    return each(sees)


def is_used_up(group: Group) -> Moment | None:
    """A building was used, the meeting place brings its other number, and it cannot be used again."""
    totals: dict[str, int] = {}
    for moment in group:
        now, mine = turn(moment), village(moment)
        if now is None:
            continue
        for good, total in totals.items():
            numbers = moment.before.tables.craft[mine.craft(good)].white
            up = MEETING in now.used and now.total != total and now.total in numbers
            if up and CRAFTSMAN in mine.villagers and not can(moment, Make(good)):
                return moment
        totals.update({str(said["good"]): now.total for said in moment.told("my.made")})
    return None


VERBS = {
    PLAY: ("play",), SCHOOL: ("enrol", "advance", "promote"), FIELD: ("farm",), MEETING: ("meeting",)
}  # fmt: skip
"""The verbs of each white flag that is not told by name."""


def by_tile(moment: Moment, flag: str) -> bool:
    """Return whether *flag*, which bears the 2/12 tile, is used by the tile's numbers."""
    now = turn(moment)
    if now is None or village(moment).tile != flag or now.total not in moment.before.tables.tile.numbers:
        return False
    return verb(moment) in VERBS[flag] if flag in VERBS else flag in moment.text.split()[1:2]


def by_tile_of(*flags: str) -> Eye:
    """Return the eye for the use of one of *flags* by the tile's numbers."""
    return each(lambda moment: any(by_tile(moment, flag) for flag in flags))


def tile_of_customer(moment: Moment) -> bool:
    """Return whether a customer is served by the numbers of the tile that it bears."""
    return village(moment).tile.startswith("market") and by_tile(moment, village(moment).tile)


def one_field_alone(moment: Moment) -> bool:
    """Return whether one field is used by the tile, and the others cannot be used with this total."""
    if not by_tile(moment, FIELD) or village(moment).fields < 2:
        return False
    owed = RULESET.pending(moment.after)
    return not any(isinstance(move, Farm) for one in owed for move in RULESET.legal(moment.after, one.seat))


def moved_and_used(group: Group) -> Moment | None:
    """The tile comes to the meeting place with a customer served, and opens it in the same turn."""
    return next((one for one in later(group, first(group, "my.tile-moved")) if by_tile(one, MEETING)), None)


def tile_without_councilman(moment: Moment) -> bool:
    """Return whether the tile serves another flag than the meeting place though the councilman is dead."""
    flags = (PLAY, SCHOOL, FIELD, *GOODS)
    dead = COUNCILMAN not in village(moment).villagers
    return dead and (any(by_tile(moment, flag) for flag in flags) or tile_of_customer(moment))


# --- chambers ---


def joker_serves(happens: Callable[[Moment, tuple[str, ...], str], bool]) -> Eye:
    """Return the eye for the joker: the entry, the goods beside it, and what it stands for."""

    def sees(said: Said, moment: Moment) -> bool:
        return bool(said["joker"]) and happens(moment, wanted(said, moment), said["joker"])

    return says("my.served", sees)


def joker_is_no_plow(said: Said, moment: Moment) -> bool:
    """Return whether a field brings no more than its coins to somebody who has a joker."""
    return village(moment).joker and said["coins"] == moment.before.tables.field.coins


def area_counts(area: str) -> Eye:
    """Return the eye for an end at which an Area chamber counts two cards of its *area* at least."""

    def counts(state: State) -> bool:
        return any((one.chamber, one.mark) == (AREA, area) and cards_in(one, area) > 1 for one in state.villages)

    return at_over(lambda moment: counts(moment.after))


def population(*, filled: bool) -> Eye:
    """Return the eye for an end at which the profession that a Population chamber marks is *filled*, or not."""

    def counts(state: State) -> bool:
        return any(one.chamber == POPULATION and (one.mark in one.villagers) == filled for one in state.villages)

    return at_over(lambda moment: counts(moment.after))


def successor_counts(game: Game) -> Iterator[int]:
    """At the end the marked profession is filled by another villager than when it was marked."""
    died: set[Seat] = set()
    for moment in game:
        for seat, who in deaths(moment):
            one = moment.before.villages[seat]
            died |= {seat} if one.chamber == POPULATION and who == one.mark else set()
        if "my.over" in moment.keys:
            villages = moment.after.villages
            if any(villages[seat].mark in villages[seat].villagers for seat in died):
                yield moment.seq


# --- what is gone ---


def fields_are_gone(moment: Moment) -> bool:
    """Return whether the total would buy a field, and none is left."""
    return not moment.before.fields and asks_first(moment, moment.before.tables.field.black)


def monk_is_gone(moment: Moment) -> bool:
    """Return whether the total would buy a monk of a kind that is sold out."""
    state, mine = moment.before, village(moment)
    kinds = [one for one, left in zip(state.tables.monks, state.monks, strict=True) if not left]
    may = bool(mine.church) and ABBOT in mine.villagers
    return may and any(asks_first(moment, kind.black) and not can(moment, Buy(kind.id)) for kind in kinds)


def church_is_gone(moment: Moment) -> bool:
    """Return whether the total would buy a church that somebody else has, and the seat has none."""
    state, mine = moment.before, village(moment)
    kinds = [one for one in state.tables.churches if one.id not in state.churches]
    may = not mine.church and ABBOT in mine.villagers
    return may and any(asks_first(moment, kind.black) and not can(moment, Buy(kind.id)) for kind in kinds)
