"""The ways a game of Tiny Towns can end: towns complete, points, ties."""

from collections.abc import Callable, Iterator, Sequence

from engine.core.types import Seat, Standing
from engine.tiny_towns.layouts import ALL, pack, placements
from engine.tiny_towns.rules.building import can_build, cards_of
from engine.tiny_towns.rules.pieces import WAREHOUSE, markers
from engine.tiny_towns.scoring import CASTLE, COTTAGES_OF_CASTLE, standings
from engine.tiny_towns.state import State, masks
from tests.games.watch import Eye, Game, Moment, Situation, at_end, each

SECTIONS_SHOWN = ("Completion", "End and scoring", "Ties")
"""Sections of RULES.md in which every item needs a game."""


def is_over(moment: Moment) -> bool:
    """Return whether the game ends here by its rules."""
    return not {"towns.over", "towns.ranked"}.isdisjoint(moment.keys)


def at_over(happens: Callable[[Moment], bool]) -> Eye:
    """Return the eye that sees the end by the rules, if something *happens* there."""
    return at_end(lambda moment: is_over(moment) and happens(moment))


def completions(moment: Moment) -> tuple[Seat, ...]:
    """Return the seats whose towns are complete from this entry on."""
    return tuple(said["seat"] for said in moment.told("towns.completed"))


# --- complete ---


def apart(moment: Moment) -> bool:
    """Return whether no two of several towns were complete in one round."""
    rounds = [player.completed for player in moment.after.players]
    return len(rounds) > 1 and len(set(rounds)) == len(rounds)


def together(moment: Moment) -> bool:
    """Return whether several towns were complete in one round, all of them full."""
    return len(completions(moment)) == len(moment.after.players) > 1 and not left_open(moment)


def left_open(moment: Moment) -> list[Seat]:
    """Return the seats whose towns are complete here with a square empty: nobody may name any more."""
    return [seat for seat in completions(moment) if moment.before.town(seat).empty]


def full_for_a_while(game: Game) -> Iterator[int]:
    """A construction frees squares of a full town, and its owner stays in the game."""
    for moment in game:
        seat = moment.record.entry.seat
        if seat >= 0 and not moment.before.town(seat).empty and "towns.built" in moment.keys:
            stays = game[-1].after.players[seat].completed != moment.before.round
            if stays and moment.after.town(seat).empty:
                yield moment.seq


def declined(game: Game) -> Iterator[int]:
    """A player is done with a full town in which something could be constructed, and the town is complete."""
    for moment in game:
        seat = moment.record.entry.seat
        done = moment.text == "done" and not moment.before.town(seat).empty and can_build(moment.before, seat)
        if done and game[-1].after.players[seat].completed == moment.before.round:
            yield moment.seq


def is_stuck(state: State, seat: Seat) -> bool:
    """Return whether *seat* has an empty square and will never construct anything any more, without villagers."""
    town = state.town(seat)
    cubes, wild = masks(town)
    usable = [held | wild | pack(town.empty) for held in cubes]
    layouts = (state.tables.card(card).layout for card in cards_of(state, seat))
    fits = (
        all(not need & ~held for need, held in zip(one.needs, usable, strict=True))
        for layout in layouts
        for one in placements(layout)
    )
    return bool(town.empty) and not state.variant.villagers and not any(fits)


def stuck_stays(moment: Moment) -> bool:
    """Return whether a round ends and somebody stays in the game who will never construct any more."""
    state = moment.after
    return state.round > 1 and "towns.round" in moment.keys and any(is_stuck(state, seat) for seat in state.in_game)


def full_with_room(moment: Moment) -> bool:
    """Return whether a full town is complete though a Warehouse could take one more cube."""
    for seat in completions(moment):
        town = moment.before.town(seat)
        if any(len(town.held[at]) < moment.before.tables.warehouse.room for at in town.squares(WAREHOUSE)):
            return True
    return False


def passed_over(moment: Moment) -> Iterator[Seat]:
    """Yield the seats over which the hammer passes at this entry."""
    seats = len(moment.after.players)
    for said in moment.told("towns.round"):
        holder, namer = moment.before.builder, said["seat"]
        if moment.before.round and namer >= 0:
            yield from (Seat((holder + n) % seats) for n in range(1, (namer - holder - 1) % seats + 1))


def finished_stays_out(game: Game) -> Iterator[int]:
    """The hammer passes over a complete town, which stands at the end of the game as it stands here."""
    last = game[-1].after
    for moment in game:
        for seat in passed_over(moment):
            before = moment.after.players[seat]
            if before.completed and before.town.buildings == last.town(seat).buildings:
                yield moment.seq


def alone(moment: Moment) -> bool:
    """Return whether the only player left becomes Master Builder once more."""
    names = [said["seat"] for said in moment.told("towns.round")]
    return names == list(moment.after.in_game) == [moment.before.builder] and len(moment.after.players) > 1


# --- points ---


def cleared(moment: Moment) -> bool:
    """Return whether cubes leave the grids at the end, and those on a Warehouse stay and cost points."""
    before = moment.before
    left = any(cube for seat in before.seats for cube in before.town(seat).cubes)
    gone = not any(cube for seat in moment.after.seats for cube in moment.after.town(seat).cubes)
    held = any(moment.after.town(seat).held[at] for seat in before.seats for at in before.town(seat).squares(WAREHOUSE))
    return left and gone and held


def empty_squares_cost(moment: Moment) -> bool:
    """Return whether squares cost a point where a cube lay until the end."""
    for seat, one in enumerate(standings(moment.after)):
        bare = moment.after.town(seat).buildings.count("")
        if any(moment.before.town(seat).cubes) and dict(one.parts)["empty"] == -bare < 0:
            return True
    return False


def adds_up(moment: Moment) -> bool:
    """Return whether somebody has points from five sources at least, the empty squares among them, that add up."""
    return any(
        sum(map(bool, parts)) >= 5 and parts[-1] < 0 and sum(parts) == one.points
        for one in standings(moment.after)
        for parts in [[points for _, points in one.parts]]
    )


def in_hand(moment: Moment) -> bool:
    """Return whether a Monument was never constructed, and counts nothing."""
    return any(
        player.monument and not player.town.monument and dict(one.parts)["monument"] == 0
        for player, one in zip(moment.after.players, standings(moment.after), strict=True)
    )


def finished_neighbour_counts(moment: Moment) -> bool:
    """Return whether Feast Halls give little because of a neighbour on the right who completed in an earlier round."""
    state = moment.after
    for seat, one in enumerate(standings(state)):
        right = (seat - 1) % len(state.players)
        halls = [len(state.town(town).squares("feast-hall")) for town in (seat, right)]
        earlier = state.players[right].completed < state.players[seat].completed
        if earlier and 0 < halls[0] <= halls[1] and dict(one.parts)["green"] == 2 * halls[0]:
            return True
    return False


# --- ties ---

Decides = Callable[[Sequence[Standing], Sequence[Standing]], bool]
"""(who wins, the others who have as many points) -> whether this is the tie that is looked for."""


def tie_at_the_top(decides: Decides, *, town_hall: bool = False) -> Eye:
    """Return the eye for a tie on points at the top that *decides* tells."""

    def tied(moment: Moment) -> bool:
        table = standings(moment.after)
        most = max(one.points for one in table)
        first = [one for one in table if one.rank == 1]
        others = [one for one in table if one.points == most and one.rank > 1]
        right_kind = moment.after.variant.town_hall == town_hall and len(first) + len(others) > 1
        return right_kind and decides(first, others)

    return at_over(tied)


def told_by(number: int) -> Decides:
    """Return whether the figure of this *number* told the winner from somebody, those before it being alike."""

    def decides(first: Sequence[Standing], others: Sequence[Standing]) -> bool:
        best = first[0].ties
        return any(one.ties[:number] == best[:number] and one.ties[number] != best[number] for one in others)

    return decides


def only_the_tied_are_compared(moment: Moment) -> bool:
    """Return whether turns told the winner though somebody with fewer points had fewer still."""
    table = standings(moment.after)
    first = next(one for one in table if one.rank == 1)
    tied = any(one.points == first.points and one.ties[0] > first.ties[0] for one in table)
    return tied and any(one.points < first.points and one.ties[0] < first.ties[0] for one in table)


def castle_is_no_cottage(moment: Moment) -> bool:
    """Return whether Cottages tell two seats apart that would rank otherwise if a Castle counted as two."""
    table = standings(moment.after)
    counts = [one.ties[2] + COTTAGES_OF_CASTLE * len(moment.after.town(one.seat).squares(CASTLE)) for one in table]
    return any(
        (one.points, one.ties[:2]) == (other.points, other.ties[:2])
        and one.rank < other.rank
        and counts[one.seat] <= counts[other.seat]
        for one in table
        for other in table
    )


def has_seats(number: int) -> Eye:
    """Return the eye for a whole game of *number* seats."""
    return at_over(lambda moment: len(moment.after.players) == number)


def has_rank(rank: int) -> Eye:
    """Return the eye for a solo game that ends with this *rank*."""
    return at_over(lambda moment: any(said["rank"] == rank for said in moment.told("towns.ranked")))


def none_may_name(moment: Moment) -> bool:
    """Return whether the last who are left have five Banks each, or a Fort beside somebody."""
    return any(len(markers(moment.before.town(seat))) == 5 for seat in left_open(moment))


ENDINGS = (
    Situation("end.apart", "every town is complete, no two in one round", at_over(apart), rules=("T-227", "T-233")),
    Situation("end.together", "every town is complete in the same round", at_over(together), rules=("T-227", "T-233")),
    Situation("end.nobody-may-name", "nobody left may name: towns with empty squares are complete at once",
              each(none_may_name), "Nobody may name", ("T-232",)),
    Situation("end.full-for-a-while", "a town is full in the middle of a round; a construction keeps its owner in",
              full_for_a_while, rules=("T-228",)),
    Situation("end.declined", "a layout lies complete in a full town and is left: the town is complete", declined,
              rules=("T-227",)),
    Situation("end.stuck", "nothing can ever be constructed, one square is empty, and its owner stays in the game",
              each(stuck_stays), "No resigning", ("T-229",)),
    Situation("end.room", "a full town is complete though a Warehouse has room", each(full_with_room),
              "Full, with room on a building", ("T-230",)),
    Situation("end.passed-over", "the hammer passes over a complete town, which does not change any more",
              finished_stays_out, rules=("T-231",)),
    Situation("end.neighbour", "Feast Halls are compared with a town that was complete long before",
              at_over(finished_neighbour_counts), rules=("T-231",)),
    Situation("end.alone", "the only player left names round after round", each(alone)),
    Situation("end.cleared", "cubes leave the grids at the end; those on a Warehouse stay and cost", at_over(cleared),
              rules=("T-234",)),
    Situation("end.empty", "a square where a cube lay costs a point", at_over(empty_squares_cost), rules=("T-235",)),
    Situation("end.sixteen", "a town without a building is worth -16",
              at_over(lambda m: any(one.points == -len(ALL) for one in standings(m.after))), rules=("T-236",)),
    Situation("end.in-hand", "a Monument that was never constructed counts nothing", at_over(in_hand),
              rules=("T-238",)),
    Situation("end.adds-up", "points from five sources, the empty squares among them, add up", at_over(adds_up),
              rules=("T-239",)),
    Situation("end.game-master", "the game master finishes the game before its end",
              at_end(lambda m: "gm.finish" in m.keys)),
    *(
        Situation(f"end.seats-{number}", f"a whole game of {number}", has_seats(number)) for number in range(1, 7)
    ),
    *(Situation(f"end.rank-{rank}", f"a solo game of rank {rank}", has_rank(rank)) for rank in range(1, 7)),
    Situation("tie.turns", "a tie on points is broken by turns as Master Builder", tie_at_the_top(told_by(0)),
              rules=("T-240",)),
    Situation("tie.empty", "a tie on points and turns is broken by empty squares", tie_at_the_top(told_by(1)),
              rules=("T-241",)),
    Situation("tie.cottages", "a tie on points, turns and empty squares is broken by Cottages",
              tie_at_the_top(told_by(2)), rules=("T-242",)),
    Situation("tie.shared", "a tie in all that counts is a shared win", tie_at_the_top(lambda first, _: len(first) > 1),
              rules=("T-243",)),
    Situation("tie.only-tied", "turns break a tie though somebody with fewer points had fewer",
              at_over(only_the_tied_are_compared), rules=("T-244",)),
    Situation("tie.town-hall", "in Town Hall a tie on points is broken by empty squares",
              tie_at_the_top(told_by(1), town_hall=True), "Ties in Town Hall", ("T-245",)),
    Situation("tie.town-hall-shared", "in Town Hall a tie in the two that count is a shared win",
              tie_at_the_top(lambda first, _: len(first) > 1, town_hall=True), "Ties in Town Hall", ("T-245",)),
    Situation("tie.castle", "Cottages tell two apart who would rank otherwise if a Castle were two",
              at_over(castle_is_no_cottage), "A Castle is no Cottage in a tie"),
)  # fmt: skip
