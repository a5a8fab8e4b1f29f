"""The ways a game of My Village can end: the last graves, the last round, points, ties."""

from collections.abc import Callable, Iterator, Sequence

from engine.core.types import Seat, Standing
from engine.my_village.scoring import AREA, POPULATION, monks, standings
from engine.my_village.state import Burial, State, Village
from tests.games.my_village.seen import begins_turn, turns
from tests.games.watch import Eye, Game, Moment, Situation, at_end, each

SECTIONS_SHOWN = ("Game end", "Scoring", "Ties")
"""Sections of RULES.md in which every item needs a game."""


def is_over(moment: Moment) -> bool:
    """Return whether the game ends here by its rules."""
    return "my.over" in moment.keys


def at_over(happens: Callable[[Moment], bool]) -> Eye:
    """Return the eye that sees the end by the rules, if something *happens* there."""
    return at_end(lambda moment: is_over(moment) and happens(moment))


# --- the last round ---


def limit(state: State) -> int:
    """Return how many graves end the game."""
    return state.for_seats(state.tables.graves.limit)


def of_round(state: State) -> int:
    """Return how many turns a round has."""
    return len(state.villages) * state.for_seats(state.tables.turns.each)


def is_full(moment: Moment) -> bool:
    """Return whether the last grave that counts is filled here."""
    return "my.last-round" in moment.keys


def last_turns(game: Game, first: Moment) -> tuple[Seat, ...]:
    """Return the seats that have a turn after the entry *first*."""
    return tuple(one.record.entry.seat for one in game if one.seq > first.seq and begins_turn(one))


def filled_in_turn(number: int, seats: range = range(2, 5)) -> Eye:
    """Return the eye for the limit reached in a turn of this *number* in its round, and all others that follow."""

    def sees(game: Game) -> Iterator[int]:
        for moment in filter(is_full, game):
            state = moment.before
            at, wanted = of_round(state) - len(state.turns), number % of_round(state) + 1
            follow = last_turns(game, moment) == state.turns and is_over(game[-1])
            if at == wanted and follow and len(state.villages) in seats:
                yield moment.seq

    return sees


def passes_limit(moment: Moment) -> bool:
    """Return whether the limit is reached with another burial of the same turn to come."""
    return is_full(moment) and any(isinstance(phase, Burial) for phase in moment.after.stack)


def beyond_limit(moment: Moment) -> bool:
    """Return whether somebody is laid in a common grave that does not count any more."""
    return "my.buried" in moment.keys and moment.after.graves > limit(moment.after)


def dies_after(game: Game) -> Iterator[int]:
    """In a later turn of the last round somebody dies, with a roll and an invasion."""
    for turn in turns(game):
        keys = [key for moment in turn for key in moment.keys]
        if turn[0].before.ending and "my.buried" in keys and "my.invasion" in keys:
            yield next(moment.seq for moment in turn if "my.invasion" in moment.keys)


def bound(state: State) -> int:
    """
    Return the most rounds that a game can last.

    Each burial takes a lap of hours; turns without hours are those that put a pupil in a place that a burial has made,
    and those that take a free customer.
    """
    tables, seats = state.tables, len(state.villages)
    graves = limit(state) - 1
    hours = tables.time.lap * graves + (tables.time.lap - 1) * seats
    free = 2 * (graves + 2 * seats) + len(tables.customers.cards)
    return (hours + free) // of_round(state) + 1


def lasts_long(moment: Moment) -> bool:
    """Return whether the game lasted more than half of the rounds that are possible, and not more than all."""
    most = bound(moment.after)
    return most < 2 * moment.after.round <= 2 * most


def has_seats(number: int) -> Eye:
    """Return the eye for a whole game of *number* seats, which ends with a round in which the limit was reached."""

    def ended(moment: Moment) -> bool:
        state = moment.after
        return len(state.villages) == number and state.graves >= limit(state) and not state.turns

    return at_over(ended)


# --- points ---


def of(one: Standing, part: str) -> int:
    """Return the points of *one* from this *part*."""
    return dict(one.parts)[part]


def scores(happens: Callable[[State, Village, Standing], bool]) -> Eye:
    """Return the eye for an end at which something *happens* to one of the villages and its points."""

    def scored(moment: Moment) -> bool:
        state = moment.after
        return any(happens(state, state.villages[one.seat], one) for one in standings(state))

    return at_over(scored)


def adds_up(_state: State, _village: Village, one: Standing) -> bool:
    """Return whether there are points from six sources, minus points among them, that add up."""
    points = [points for _, points in one.parts]
    return sum(map(bool, points)) >= 6 and min(points) < 0 and sum(points) == one.points


def religion(state: State, village: Village, one: Standing) -> bool:
    """Return whether a church and two to six monks count by the table, which is not added up."""
    number, points = monks(state, village), state.tables.window.points
    if not village.church or not 2 <= number < len(points):
        return False
    return of(one, "religion") == state.tables.church[village.church].points + points[number]


def many_monks(state: State, village: Village, one: Standing) -> bool:
    """Return whether more monks than the table knows count as its last."""
    points = state.tables.window.points
    more = monks(state, village) >= len(points)
    return more and of(one, "religion") == state.tables.church[village.church].points + points[-1]


def council(state: State, village: Village, one: Standing) -> bool:
    """Return whether a meeting place counts beside a chamber, with the points of its effect."""
    if not village.meeting or village.chamber not in {AREA, POPULATION}:
        return False
    return of(one, "council") > state.tables.meeting_place.points + state.tables.chamber[village.chamber].points


def journeys(state: State, village: Village, one: Standing) -> bool:
    """Return whether three cards of a journey count."""
    return len(village.journeys) >= 3 and of(one, "travel") == sum(
        state.tables.journey[card].points for card in village.journeys
    )


def market(state: State, village: Village, one: Standing) -> bool:
    """Return whether served customers count and others that are held do not."""
    served = sum(state.tables.customer[name].points for name in village.served)
    return bool(village.served and village.customers) and of(one, "market") == served


def stories(state: State, village: Village, one: Standing) -> bool:
    """Return whether stories in the house count, and neither those on the tree nor those on the own hand tile."""
    heap = state.heap and state.holder == one.seat
    return bool(village.store and village.tree and heap) and of(one, "stories") == village.store


def nothing(_state: State, village: Village, one: Standing) -> bool:
    """Return whether buildings, goods, coins and a pupil are all there is, and it counts nothing."""
    pupil = village.left or village.right
    return bool(village.crafts and any(village.goods) and village.coins and pupil) and not any(
        points for _, points in one.parts
    )


# --- ties ---


def tie_at_the_top(decides: Callable[[Sequence[Standing], Sequence[Standing]], bool]) -> Eye:
    """Return the eye for a tie on points at the top that *decides* tells by the winners and the others who tie."""

    def tied(moment: Moment) -> bool:
        table = standings(moment.after)
        most = max(one.points for one in table)
        first = [one for one in table if one.rank == 1]
        others = [one for one in table if one.points == most and one.rank > 1]
        return decides(first, others)

    return at_over(tied)


def one_sum(moment: Moment) -> bool:
    """Return whether the winner of a tie has fewer stories on the tree than the other: the sum counts."""
    table = standings(moment.after)
    most = max(one.points for one in table)
    figures = {one.seat: rest(moment.after.villages[one.seat]) for one in table}
    first = [one.seat for one in table if one.rank == 1]
    others = [one.seat for one in table if one.points == most and one.rank > 1]
    return any(
        figures[winner][0] < figures[other][0] and sum(figures[winner]) > sum(figures[other])
        for winner in first
        for other in others
    )


def rest(village: Village) -> tuple[int, int, int]:
    """Return stories on the tree, coins and goods."""
    return village.tree, village.coins, sum(village.goods)


def not_counted(moment: Moment) -> bool:
    """Return whether jokers, pupils and stories elsewhere would turn a tie of any two, if they counted."""
    state, table = moment.after, standings(moment.after)
    besides = [one.joker + one.left + one.right + one.store for one in state.villages]
    besides[state.holder] += state.heap
    return any(
        one.points == other.points
        and one.rank < other.rank
        and one.ties[0] + besides[one.seat] < other.ties[0] + besides[other.seat]
        for one in table
        for other in table
    )


def rank_is_shared(moment: Moment) -> bool:
    """Return whether two share a rank below the first."""
    ranks = [one.rank for one in standings(moment.after)]
    return any(ranks.count(rank) > 1 for rank in set(ranks) - {1})


ENDINGS = (
    *(
        Situation(f"end.seats-{number}", f"a whole game of {number}: the round in which the limit was reached is"
                  " played to its end", has_seats(number), rules=("M-222",))
        for number in range(2, 5)
    ),
    Situation("end.first", "the first player of a round fills the last grave; all others still have their turns",
              filled_in_turn(1), rules=("M-222", "M-223")),
    Situation("end.first-of-two", "the same with two seats: three more turns", filled_in_turn(1, range(2, 3)),
              rules=("M-223", "M-268")),
    Situation("end.last", "the last turn of a round fills the last grave: nobody has another turn", filled_in_turn(0),
              rules=("M-222",)),
    Situation("end.passed", "the last grave is filled by the first of two burials of one turn", each(passes_limit),
              rules=("M-224", "M-269")),
    Situation("end.beyond", "after the limit somebody is laid in a common grave", each(beyond_limit),
              "Book and graves", ("M-224",)),
    Situation("end.dies-after", "in a later turn of the last round somebody dies, and the rat invades", dies_after,
              rules=("M-223",)),
    Situation("end.invasion", "the very last draw is an invasion, and stories are lost",
              at_over(lambda m: {"my.invasion", "my.lost"} <= set(m.keys)), rules=("M-223",)),
    Situation("end.hired", "the very last entry hires a day labourer", at_over(lambda m: "my.labourer" in m.keys),
              rules=("M-218",)),
    Situation("end.bound", "players who spare time play more than half of the rounds that are possible, and no more"
              " than all", at_over(lasts_long), "Idle hour", ("M-225",)),
    Situation("end.game-master", "the game master finishes the game before its end",
              at_end(lambda m: "gm.finish" in m.keys)),
    # points
    Situation("score.adds-up", "points from six sources, minus points among them, add up", scores(adds_up),
              rules=("M-226",)),
    Situation("score.religion", "a church and its monks count by the table", scores(religion),
              rules=("M-227", "M-228")),
    Situation("score.many-monks", "more than six monks count as six", scores(many_monks), "Monks", ("M-228",)),
    Situation("score.council", "a meeting place counts, and a chamber with its effect", scores(council),
              "Score details", ("M-229",)),
    Situation("score.fields", "three fields count three points",
              scores(lambda _s, village, one: of(one, "fields") == village.fields >= 3), rules=("M-230",)),
    Situation("score.travel", "three cards of a journey count", scores(journeys), rules=("M-231",)),
    Situation("score.market", "served customers count, those held do not", scores(market), "Score details",
              ("M-232",)),
    Situation("score.stories", "stories in the house count, those on the tree and on the own hand tile do not",
              scores(stories), rules=("M-233",)),
    Situation("score.negative", "day labourers bring somebody below zero",
              scores(lambda _s, _village, one: one.points < 0), "Score details", ("M-234",)),
    Situation("score.hand", "the hand tile counts a point for its holder, on its back too",
              at_over(lambda m: not m.after.palm and of(standings(m.after)[m.after.holder], "hand") == 1),
              rules=("M-235",)),
    Situation("score.nothing", "buildings, goods, coins and a pupil count nothing", scores(nothing), "Score details",
              ("M-236",)),
    # ties
    Situation("tie.rest", "a tie on points is broken by what is left",
              tie_at_the_top(lambda first, others: bool(others)), "Score details", ("M-238",)),
    Situation("tie.one-sum", "likewise, though the winner has fewer stories on the tree", at_over(one_sum),
              "Score details", ("M-238", "M-277")),
    Situation("tie.not-counted", "likewise of any two, where jokers, pupils and stories elsewhere would turn it",
              at_over(not_counted), "Score details", ("M-239",)),
    Situation("tie.shared", "a tie in what is left too is a shared win",
              tie_at_the_top(lambda first, _: len(first) > 1), "Score details", ("M-240", "M-276")),
    Situation("tie.rank-shared", "two share a rank below the first", at_over(rank_is_shared), "Score details",
              ("M-240",)),
)  # fmt: skip
