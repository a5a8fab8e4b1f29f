"""Where the course of a game of My Village shows: hand tile, dice, time, deaths, school, customers."""

from collections.abc import Iterator

from engine.core.types import Seat
from engine.my_village.moves import Advance, Enrol, Farm, Hand, Make, Promote, Serve, Steward
from engine.my_village.rules.buying import COUNCILMAN, CRAFTSMAN
from engine.my_village.rules.dice import face, is_black
from engine.my_village.rules.steward import TRADE
from engine.my_village.rules.travel import CHURCH, TRAVELLER
from engine.my_village.rules.working import MERCHANT
from engine.my_village.state import COIN, HOME, PLAY, STORIES, Changing, Visiting
from tests.games.my_village.seen import (
    Group,
    asks_first,
    deaths,
    first,
    later,
    offers,
    phase,
    then,
    turn,
    verb,
    village,
)
from tests.games.watch import Eye, Game, Moment, each

NEEDS = {
    "make": CRAFTSMAN, "serve": MERCHANT, "joker": MERCHANT, "meeting": COUNCILMAN, "travel": TRAVELLER
}  # fmt: skip
"""Verb -> the villager that its flag needs, where the verb alone says it."""

BOX_LABOURERS = 4
"""Tiles of minus points in the box."""


# --- boards, house, steward, book, hand ---


def plays_free(moment: Moment) -> bool:
    """Return whether the play flag brings a story and takes no hour, and the turn goes on."""
    told = "my.played" in moment.keys and turn(moment) is not None
    return told and then(moment).tree > village(moment).tree and then(moment).hours == village(moment).hours


def full_circle(game: Game) -> Iterator[int]:
    """A headman comes home who has been at the far end since he left."""
    been: dict[Seat, list[str]] = {}
    spaces = {"my.house-coin": COIN, "my.house-stories": STORIES, "my.house-home": HOME}
    for moment in game:
        for key in set(spaces) & set(moment.keys):
            way = been.setdefault(moment.before.turn, [])
            way.append(spaces[key])
            if way[-4:] == [COIN, STORIES, COIN, HOME]:
                yield moment.seq


def buys_fourth(moment: Moment) -> bool:
    """Return whether the fourth customer of a visit is bought."""
    now = phase(moment)
    return isinstance(now, Visiting) and now.bought == 3 and "my.took" in moment.keys


def rat_is_back(moment: Moment) -> bool:
    """Return whether the rat was rolled beyond the village, and is back at its start."""
    state = moment.before
    steps = state.for_seats(state.tables.rat.steps)
    return not moment.after.rat and any(state.rat + said["face"] > steps for said in moment.told("my.invasion"))


def laid_first_common(moment: Moment) -> bool:
    """Return whether somebody is laid in a common grave, the first for whom the book has no room."""
    state = moment.after
    book = state.tables.book.stories[len(state.villages) - 2]
    return "my.buried" in moment.keys and state.graves == len(book) + 1


def taken_late(game: Game) -> Iterator[int]:
    """In a second turn of a round of two the hand tile is taken from the other; the order of the round stays."""
    for moment in game:
        state = moment.before
        if "my.hand" not in moment.keys or len(state.villages) != 2 or len(state.turns) > 1:
            continue
        begins = [said["seat"] for one in game if one.seq >= moment.seq for said in one.told("my.round")]
        if state.holder != state.turn and begins[:1] == [state.turn]:
            yield moment.seq


def hand_is_back(moment: Moment) -> bool:
    """Return whether the total would take the hand tile, but it shows its back."""
    state = moment.before
    return not state.palm and asks_first(moment, state.tables.hand.black) and not offers(moment, Hand)


# --- dice, time, death ---


def black_die_changed(moment: Moment) -> bool:
    """Return whether the black die of two colours is changed."""
    now = phase(moment)
    if not isinstance(now, Changing) or is_black(now.dice[0]) == is_black(now.dice[1]):
        return False
    return int(moment.text.split()[2]) != face(now.dice[1])


def flag_is_left(moment: Moment) -> bool:
    """Return whether no flag is used though a good could be made, a field used, or a customer served."""
    now = turn(moment)
    return now is not None and not now.used and moment.text == "done" and offers(moment, Make, Farm, Serve)


def ends_on_nine(group: Group) -> Moment | None:
    """A turn that begins just behind the bridge takes all hours of a lap but one, and nobody dies."""
    lap, seat = group[0].before.tables.time.lap, group[0].before.turn
    spent = group[-1].after.villages[seat].hours - group[0].before.me.hours
    fresh = group[0].before.me.hours % lap == 0
    mine = [moment for moment in group if moment.record.entry.seat == seat]
    return mine[-1] if fresh and spent == lap - 1 else None


def passes_exactly(moment: Moment) -> bool:
    """Return whether the last hour of a turn is the first behind the bridge."""
    return "my.bridge" in moment.keys and then(moment).hours % moment.before.tables.time.lap == 0


def black_dice_pass(group: Group) -> Moment | None:
    """Black dice pass the bridge, a flag that needs a villager is used all the same, and then somebody dies."""
    taken = first(group, "my.dice")
    if taken is None:
        return None
    lap = taken.before.tables.time.lap
    flag = next((one for one in later(group, taken) if verb(one) in NEEDS), None)
    passed = taken.before.me.hours // lap < then(taken).hours // lap
    return first(later(group, flag), "my.booked", "my.buried") if passed else None


def dies_twice(moment: Moment) -> bool:
    """Return whether a turn ends that owes two burials."""
    return moment.keys.count("my.bridge") == 2


def hired_twice(group: Group) -> Moment | None:
    """The last villager dies, a day labourer comes and dies too, and another comes, all in one turn."""
    found = [moment for moment in group if "my.labourer" in moment.keys]
    return found[1] if len(found) > 1 else None


def invaded_between(group: Group) -> Moment | None:
    """Between two burials of one turn the rat invades, and then the book pays for the second."""
    return first(later(group, first(group, "my.lost")), "my.booked")


def dies_unasked(moment: Moment) -> bool:
    """Return whether somebody dies without a question."""
    return any(deaths(moment)) and verb(moment) != "bury"


def promoted(group: Group) -> tuple[Group, set[str]]:
    """Return the entries after a promotion, and the profession."""
    moment = first(group, "my.promoted")
    return later(group, moment), {said["profession"] for said in moment.told("my.promoted")} if moment else set()


def promoted_dies(group: Group) -> Moment | None:
    """A pupil becomes a villager and is buried in the same turn."""
    rest, names = promoted(group)
    return next((moment for moment in rest for _, who in deaths(moment) if who in names), None)


def promoted_works(group: Group) -> Moment | None:
    """A pupil becomes a villager and works in the same turn."""
    rest, names = promoted(group)
    return next((moment for moment in rest if NEEDS.get(verb(moment)) in names), None)


def worker_dies(group: Group) -> Moment | None:
    """The villager whose flag was used dies at the end of the turn."""
    names = {NEEDS[verb(moment)] for moment in group if verb(moment) in NEEDS}
    return next((moment for moment in group for _, who in deaths(moment) if who in names), None)


def labourer_works(game: Game) -> Iterator[int]:
    """A day labourer serves a flag that needs a villager."""
    hired: dict[Seat, str] = {}
    for moment in game:
        hired.update({said["seat"]: said["profession"] for said in moment.told("my.labourer")})
        for seat, who in deaths(moment):
            if hired.get(seat) == who:
                del hired[seat]
        if NEEDS.get(verb(moment), "") == hired.get(moment.record.entry.seat):
            yield moment.seq


def fifth_labourer(moment: Moment) -> bool:
    """Return whether a tile of minus points is taken after all four that are in the box."""
    return "my.labourer" in moment.keys and sum(one.labourers for one in moment.after.villages) == BOX_LABOURERS + 1


def idles(*used: str) -> Eye:
    """Return the eye for an idle hour after just these flags."""

    def happens(moment: Moment) -> bool:
        now = turn(moment)
        flags = () if now is None else (*now.used, *([PLAY] if "my.played" in moment.keys else []))
        return now is not None and "my.idle" in moment.keys and flags == used

    return each(happens)


def costs_nothing(group: Group) -> Moment | None:
    """The only flag is a step of a pupil that takes no hour, and there is no idle hour."""
    step = first(group, "my.enrolled", "my.advanced")
    seat, hours = group[0].before.turn, group[0].before.me.hours
    return step if step is not None and group[-1].after.villages[seat].hours == hours else None


def black_die_is_enough(moment: Moment) -> bool:
    """Return whether no flag is used after black dice, and their hours stand for the idle hour."""
    now = turn(moment)
    return now is not None and not now.used and moment.text == "done" and village(moment).hours > now.before


# --- school, customers, travel church ---


def school_is_shut(moment: Moment) -> bool:
    """Return whether both spaces and all five professions are full: the total opens the school in vain."""
    mine = village(moment)
    full = mine.left and mine.right and not mine.empty
    return (
        full and asks_first(moment, moment.before.tables.school.white) and not offers(moment, Enrol, Advance, Promote)
    )


def few_for_trade(moment: Moment) -> bool:
    """Return whether a Trade church finds no seventh customer."""
    visits = "my.steward" in moment.keys and village(moment).church == TRADE
    return visits and not moment.before.pile and len(moment.before.display) <= moment.before.tables.steward.open


def seventh_is_last(moment: Moment) -> bool:
    """Return whether the seventh customer of a Trade church is the last of the pile."""
    return "my.steward" in moment.keys and village(moment).church == TRADE and len(moment.before.pile) == 1


def gap_stays(moment: Moment) -> bool:
    """Return whether a visit ends, fewer customers lie open than before, and the pile is empty."""
    ends = isinstance(phase(moment), Visiting) and not any(isinstance(one, Visiting) for one in moment.after.stack)
    return ends and not moment.after.pile and len(moment.after.display) < moment.after.tables.steward.open


def all_are_taken(moment: Moment) -> bool:
    """Return whether the last customer that lies open is taken."""
    return "my.took" in moment.keys and len(moment.before.display) == 1


def steward_is_idle(moment: Moment) -> bool:
    """Return whether the total would open the steward's office, but no customer is left."""
    state = moment.before
    return not state.display and asks_first(moment, state.tables.steward.black) and not offers(moment, Steward)


def looks_in_secret(moment: Moment) -> bool:
    """Return whether a card is seen, and told to the owner of the Travel church alone."""
    told = [event.seats for event in moment.record.events if event.key == "my.seen"]
    return told == [(moment.before.turn,)]


def nothing_to_see(moment: Moment) -> bool:
    """Return whether the owner of a Travel church travels by the last card of a letter, unseen."""
    return village(moment).church == CHURCH and any(
        len(moment.before.deck(said["letter"])) == 1 for said in moment.told("my.travel")
    )
