"""Where the rulings in the README.md of Tiny Towns show in a game, its variants, and its villager cards."""

from collections.abc import Callable, Iterator, Sequence

from engine.core.types import CHANCE
from engine.tiny_towns import RULESET
from engine.tiny_towns.layouts import NUMBER, wanted
from engine.tiny_towns.moves import Activate, Cavern, Place, Replace
from engine.tiny_towns.rules.effects import GUILD, UNIVERSITY
from engine.tiny_towns.rules.pieces import COTTAGE, OBELISK, free_markers
from engine.tiny_towns.rules.placing import STATUE
from engine.tiny_towns.rules.round import FORT, is_free
from engine.tiny_towns.scoring import CASTLE, TEMPLE, feedings, standings
from engine.tiny_towns.state import (
    Ability,
    Building,
    Foraging,
    Giving,
    Phase,
    Placing,
    Putting,
    Renovating,
    Replacing,
    State,
    Taking,
    Variant,
    Watching,
)
from tests.games.tiny_towns.endings import at_over, completions, passed_over
from tests.games.watch import Eye, Game, Moment, Situation, each

FIRST_GAME = ("cottage", "farm", "well", "chapel", "tavern", "theater", "factory")


def asked(moment: Moment) -> Phase | None:
    """Return what is answered by the entry; None for a draw and for the game master."""
    seat = moment.record.entry.seat
    return moment.before.stacks[seat][-1] if seat >= 0 and moment.before.stacks[seat] else None


def answers(moment: Moment, *kinds: type[Phase]) -> bool:
    """Return whether the entry answers a question of one of these *kinds*."""
    return isinstance(asked(moment), kinds)


def by_round(game: Game) -> Iterator[tuple[Moment, Sequence[Moment]]]:
    """Yield each entry with those of the same seat before it in the same round."""
    earlier: list[Moment] = []
    for moment in game:
        yield moment, tuple(one for one in earlier if one.record.entry.seat == moment.record.entry.seat)
        earlier = [] if "towns.round" in moment.keys else [*earlier, moment]


# --- variants ---


def plays(variant: Callable[[Variant], bool]) -> Eye:
    """Return the eye for a whole game of a *variant*."""
    return at_over(lambda moment: variant(moment.after.variant))


def cards_are_named(first_game: bool) -> Eye:
    """Return the eye for a whole game whose cards are not drawn: those of the first game, or others."""

    def sees(game: Game) -> Iterator[int]:
        drawn = any("towns.card" in moment.keys for moment in game)
        if not drawn and (game[0].before.cards == FIRST_GAME) == first_game:
            yield game[-1].seq

    return sees


def helpers_are_named(game: Game) -> Iterator[int]:
    """Yield the end of a game in which no villager card is drawn."""
    if game[0].before.helpers and not any("towns.helper" in moment.keys for moment in game):
        yield game[-1].seq


def new_card_is_built(moment: Moment) -> bool:
    """Return whether one of the cards that come with Villagers is constructed."""
    return any(moment.before.tables.card(said["card"]).new for said in moment.told("towns.built"))


# --- set-up and the answer to a resource ---


def still_owes_the_same(moment: Moment, kind: type[Phase]) -> bool:
    """Return whether one answers and another goes on owing its answer, unchanged: they answer at once."""
    if not answers(moment, kind):
        return False
    seat = moment.record.entry.seat
    numbers = dict(moment.record.position.numbers)
    number = moment.record.decision.number
    others = [one for one in moment.after.seats if one != seat and moment.after.stacks[one]]
    return any(isinstance(moment.after.stacks[one][-1], kind) and numbers[one] == number for one in others)


def no_second_answer(moment: Moment) -> bool:
    """Return whether what a Factory or a Warehouse brought must be placed though Statue or Cavern could be used."""
    state, seat = moment.before, moment.record.entry.seat
    if not answers(moment, Putting):
        return False
    town = state.town(seat)
    cottage = STATUE in town.buildings and any(not town.held[at] for at in town.squares(COTTAGE))
    cavern = state.variant.cavern and state.players[seat].cavern < state.tables.cavern.uses
    return (cottage or cavern) and all(isinstance(move, Place) for move in RULESET.legal(state, seat))


def builds_after(*instead: str) -> Eye:
    """Return the eye for a construction in a round in which the cube was not placed, but one of *instead*."""

    def sees(game: Game) -> Iterator[int]:
        for moment, earlier in by_round(game):
            if "towns.built" in moment.keys and any(set(instead) & set(one.keys) for one in earlier):
                yield moment.seq

    return sees


def cavern_is_barred(moment: Moment) -> bool:
    """Return whether a free choice of Town Hall cannot be set aside, though the owner has not used the cavern up."""
    state, seat = moment.before, moment.record.entry.seat
    if not (answers(moment, Placing) and state.variant.cavern and is_free(state)):
        return False
    unused = state.players[seat].cavern < state.tables.cavern.uses
    return unused and not any(isinstance(move, Cavern) for move in RULESET.legal(state, seat))


# --- buildings and Monuments ---


def replaced_with_load(moment: Moment) -> bool:
    """Return whether what lay on a replaced building is gone."""
    seat = moment.record.entry.seat
    for said in moment.told("towns.replaced"):
        at = NUMBER[said["square"]]
        if moment.before.town(seat).held[at] and not moment.after.town(seat).held[at]:
            return True
    return False


def guild_is_spared(moment: Moment) -> bool:
    """Return whether the Guild could replace several buildings, but not itself."""
    state, seat = moment.before, moment.record.entry.seat
    if not answers(moment, Replacing):
        return False
    own = [at for at, name in enumerate(state.town(seat).buildings) if name == GUILD]
    squares = {NUMBER[move.square] for move in RULESET.legal(state, seat) if isinstance(move, Replace)}
    return len(squares) > 1 and not squares.intersection(own)


def replaced_twice(game: Game) -> Iterator[int]:
    """The Guild replaces a building that it has just put in."""
    for moment, earlier in by_round(game):
        squares = {said["square"] for one in earlier if answers(one, Replacing) for said in one.told("towns.replaced")}
        if answers(moment, Replacing) and any(said["square"] in squares for said in moment.told("towns.replaced")):
            yield moment.seq


def worker_stays(moment: Moment) -> bool:
    """Return whether the Guild replaces a building and its worker goes on working."""
    seat = moment.record.entry.seat
    return answers(moment, Replacing) and any(
        NUMBER[said["square"]] in moment.after.town(seat).workers for said in moment.told("towns.replaced")
    )


def cube_beside_worker(moment: Moment) -> bool:
    """Return whether the Statue puts a cube on a Cottage in which somebody works."""
    workers = moment.after.town(moment.record.entry.seat).workers
    return any(said["card"] == COTTAGE and NUMBER[said["square"]] in workers for said in moment.told("towns.stored"))


def feeding_has_a_choice(moment: Moment) -> bool:
    """Return whether the feeders of a town leave a choice that its points depend on."""
    for seat in moment.after.seats:
        town = moment.after.town(seat)
        choices = set(feedings(moment.after.tables, town))
        sizes = {len(fed) for fed in choices}
        if len(choices) > 1 and (len(sizes) > 1 or town.squares(TEMPLE, CASTLE)):
            return True
    return False


def bank_owner_is_passed(moment: Moment) -> bool:
    """Return whether the hammer passes over somebody in the game with five Banks."""
    return any(
        seat in moment.after.in_game and not free_markers(moment.after.town(seat)) for seat in passed_over(moment)
    )


def idle_in_a_free_round(bars: Callable[[State, int], bool]) -> Eye:
    """Return the eye for a free round of Town Hall that begins, and in which a seat that is barred owes nothing."""

    def idle(moment: Moment) -> bool:
        state = moment.after
        return (
            "towns.round" in moment.keys
            and is_free(state)
            and any(bars(state, seat) and not state.stacks[seat] for seat in state.in_game)
        )

    return each(idle)


def starloom(after: Callable[[list[int], int], bool]) -> Eye:
    """
    Return the eye for a Starloom at the end whose points follow from the rounds in which the others completed.

    *after* says of the others' rounds and the owner's own whether it is the case that is looked for.
    """

    def scored(moment: Moment) -> bool:
        for seat, one in enumerate(standings(moment.after)):
            own = moment.after.players[seat]
            rounds = [player.completed for at, player in enumerate(moment.after.players) if at != seat]
            place = sum(completed < own.completed for completed in rounds)
            figures = (*moment.after.tables.points("starloom"), *(0,) * 6)
            if own.town.monument == "starloom" and after(rounds, own.completed):
                return dict(one.parts)["monument"] == figures[place]
        return False

    return at_over(scored)


def tied_with_others(rounds: list[int], own: int) -> bool:
    """Return whether somebody else completed in the same round."""
    return own in rounds


def after_a_tie(rounds: list[int], own: int) -> bool:
    """Return whether several completed together, earlier."""
    earlier = [completed for completed in rounds if completed < own]
    return len(earlier) > len(set(earlier))


def one_piece_of_one(moment: Moment) -> bool:
    """Return whether, with two players, one construction of the other brings one piece of the Watch."""
    phase, state = asked(moment), moment.before
    if not isinstance(phase, Watching) or len(state.players) != 2:
        return False
    seat = moment.record.entry.seat
    return state.built[1 - seat].count(phase.card) == 1 and state.stacks[seat].count(phase) == 1


def university_lapses(moment: Moment) -> bool:
    """Return whether the University is constructed and no square is empty after it."""
    seat = moment.record.entry.seat
    built = any(said["card"] == UNIVERSITY for said in moment.told("towns.built"))
    return built and not moment.after.town(seat).empty


# --- villagers ---


def built_by(name: str) -> Eye:
    """Return the eye for a construction by the help of the ability *name*."""

    def sees(game: Game) -> Iterator[int]:
        for moment in game:
            phase = asked(moment)
            helped = isinstance(phase, Ability) and phase.name == name
            if "towns.built" in moment.keys and (helped or (name == "cooperate" and isinstance(phase, Giving))):
                yield moment.seq

    return sees


def post_serves(moment: Moment) -> bool:
    """Return whether a Trading Post stands for a cube in a construction by Cooperate or Innovate."""
    phase = asked(moment)
    if not (isinstance(phase, Giving) or (isinstance(phase, Ability) and phase.name != "cut-corners")):
        return False
    return any(
        len(said["cubes"]) < sum(wanted(moment.before.tables.card(said["card"]).layout))
        for said in moment.told("towns.built")
    )


def foraged_cube_serves(game: Game) -> Iterator[int]:
    """A cube foraged in the round serves in a construction by another ability."""
    for moment, earlier in by_round(game):
        foraged = {said["square"] for one in earlier if answers(one, Foraging) for said in one.told("towns.brought")}
        if answers(moment, Ability, Giving) and any(
            foraged.intersection(said["cubes"]) for said in moment.told("towns.built")
        ):
            yield moment.seq


def ability_is_not_offered(moment: Moment) -> bool:
    """Return whether workers could pay for an ability that is not offered, because it would do nothing."""
    state, seat = moment.before, moment.record.entry.seat
    if not answers(moment, Building):
        return False
    workers = len(state.town(seat).workers)
    paid = {name for name in state.helpers if name != "scrap" and state.tables.helper(name).cost <= workers}
    return bool(paid - {move.helper for move in RULESET.legal(state, seat) if isinstance(move, Activate)})


def goes_elsewhere(card: str) -> Eye:
    """Return the eye for a construction that goes on a square that none of its cubes left: a Shed, or by an Obelisk."""

    def elsewhere(moment: Moment) -> bool:
        if not answers(moment, Building):
            return False
        town = moment.before.town(moment.record.entry.seat)
        return any(
            said["square"] not in said["cubes"] and card in (said["card"], *town.buildings)
            for said in moment.told("towns.built")
        )

    return each(elsewhere)


def cooperates_on_a_cube(moment: Moment) -> bool:
    """Return whether a Shed, or anything beside an Obelisk, goes on an emptied square by Cooperate."""
    town = moment.before.town(moment.record.entry.seat)
    return answers(moment, Ability, Giving) and any(
        said["square"] in said["cubes"] and (said["card"] == "shed" or OBELISK in town.buildings)
        for said in moment.told("towns.built")
        if isinstance(asked(moment), Giving) or asked(moment).name == "cooperate"
    )


def shed_employs(moment: Moment) -> bool:
    """Return whether a Shed goes on the square of a villager that none of its cubes left, and employs it."""
    built = [said for said in moment.told("towns.built") if said["card"] == "shed"]
    works = {said["square"] for said in moment.told("towns.works")}
    return any(said["square"] in works and said["square"] not in said["cubes"] for said in built)


def finished_town_has_workers(game: Game) -> Iterator[int]:
    """A complete town has workers, the game goes on, and they are as they were at its end."""
    last = game[-1].after
    for moment in game:
        for seat in completions(moment):
            before, after = moment.after.town(seat), last.town(seat)
            if before.workers == after.workers != () and last.round > moment.before.round:
                yield moment.seq


def complete_without_villagers(moment: Moment) -> bool:
    """Return whether a town is complete while villagers wait in its Lodge."""
    return any(moment.before.variant.villagers and moment.after.town(seat).lodge for seat in completions(moment))


ALL_AT_ONCE = "What is hidden until all have answered"
ONE_ANSWER = "One answer to one resource"
STORING = "Storing stands for placing"
STAY = "Monuments stay"
WATCH = "When the pieces come down"
CAVERN = "The Cavern"
CARDS = "Villager cards"
GOES = "Where the piece goes"

RULINGS = (
    # variants
    Situation("variant.without-villagers", "a whole game without villagers", plays(lambda v: not v.villagers)),
    Situation("variant.without-monuments", "a whole game without Monuments", plays(lambda v: not v.monuments)),
    Situation("variant.town-hall", "a whole game of Town Hall", plays(lambda v: v.town_hall)),
    Situation("variant.cavern", "a whole game with the Cavern", plays(lambda v: v.cavern)),
    Situation("variant.ask-late", "a whole game that waits for Watch, villagers and Lodge",
              plays(lambda v: v.ask_late)),
    Situation("variant.first-game", "a whole game with the cards of the first game", cards_are_named(first_game=True)),
    Situation("variant.cards", "a whole game with cards chosen by name, one for each colour",
              cards_are_named(first_game=False), "Cards by name"),
    Situation("variant.helpers", "a whole game with villager cards chosen by name", helpers_are_named),
    Situation("variant.new-cards", "a card that comes with Villagers is constructed", each(new_card_is_built)),
    Situation("variant.feast-hall", "in Solo a Feast Hall is constructed",
              each(lambda m: m.before.solo and any(said["card"] == "feast-hall" for said in m.told("towns.built"))),
              "The Feast Hall alone"),
    # the round
    Situation("round.first", "the first Master Builder is drawn",
              each(lambda m: m.record.entry.seat == CHANCE and "towns.first" in m.keys), "The first Master Builder"),
    Situation("round.at-once", "one places while another owes the same, put once for all",
              each(lambda m: still_owes_the_same(m, Placing)), ALL_AT_ONCE),
    Situation("round.at-once-free", "likewise a free choice of Town Hall",
              each(lambda m: still_owes_the_same(m, Taking)), ALL_AT_ONCE),
    Situation("answer.once", "what a Factory or a Warehouse brings goes on an empty square only",
              each(no_second_answer), ONE_ANSWER),
    Situation("answer.stored", "a cube is stored, and its owner constructs", builds_after("towns.stored"), STORING),
    Situation("answer.aside", "a cube is set aside, and its owner constructs", builds_after("towns.aside"), STORING),
    Situation("answer.scrapped", "a cube is scrapped, and its owner constructs", builds_after("towns.scrapped"),
              STORING),
    Situation("cavern.town-hall", "a drawn cube is set aside in Town Hall",
              each(lambda m: m.before.variant.town_hall and "towns.aside" in m.keys), CAVERN),
    Situation("cavern.solo", "a chosen cube is set aside in Solo",
              each(lambda m: m.before.solo and "towns.aside" in m.keys), CAVERN),
    Situation("cavern.free", "a free choice of Town Hall cannot be set aside", each(cavern_is_barred), CAVERN),
    # buildings and Monuments
    Situation("replaced.load", "what lies on a replaced building goes back", each(replaced_with_load),
              "What lies on a replaced building"),
    Situation("guild.itself", "the Guild could replace several buildings, not itself", each(guild_is_spared), STAY),
    Situation("guild.again", "the Guild replaces what it has just put in", replaced_twice, STAY),
    Situation("guild.worker", "who works in a building that the Guild replaces goes on working", each(worker_stays),
              "Workers of the Guild"),
    Situation("statue.worker", "a cube comes on a Cottage in which somebody works", each(cube_beside_worker),
              "Workers of the Guild"),
    Situation("feeding.choice", "feeders leave a choice that the points depend on", at_over(feeding_has_a_choice),
              "The best feeding"),
    Situation("banks.passed", "the hammer passes over five Banks", each(bank_owner_is_passed), "Five Banks"),
    Situation("banks.free", "five Banks do nothing in a free round of Town Hall",
              idle_in_a_free_round(lambda state, seat: not free_markers(state.town(seat))), "Five Banks"),
    Situation("fort.free", "Fort Ironweed does nothing in a free round of Town Hall",
              idle_in_a_free_round(lambda state, seat: FORT in state.town(seat).buildings),
              "Fort Ironweed in Town Hall"),
    Situation("starloom.tied", "a Starloom that was completed together with another town has the better place",
              starloom(tied_with_others), "Places of the Starloom"),
    Situation("starloom.after-tie", "a Starloom comes after two that completed together: the third place",
              starloom(after_a_tie), "Places of the Starloom"),
    Situation("watch.two", "with two players one construction brings one piece of the Watch", each(one_piece_of_one),
              "Opaleye's Watch with two players"),
    Situation("watch.settled", "a piece of the Watch comes down",
              each(lambda m: answers(m, Watching) and "towns.added" in m.keys), WATCH),
    Situation("watch.declined", "a piece of the Watch is left there",
              each(lambda m: answers(m, Watching) and "towns.skipped" in m.keys), WATCH),
    Situation("watch.stays", "no square is empty: the piece stays on the Watch",
              each(lambda m: "towns.stays" in m.keys), WATCH),
    Situation("university.full", "the University is constructed and no square is empty", each(university_lapses),
              "The University in a full town"),
    # villagers
    *(
        Situation(f"helper.{name}", f"a building is constructed by the help of {name}", built_by(name), CARDS)
        for name in ("cooperate", "cut-corners", "innovate")
    ),
    Situation("helper.forage", "a resource is foraged",
              each(lambda m: answers(m, Foraging) and "towns.brought" in m.keys), CARDS),
    Situation("helper.renovate", "a building is renovated",
              each(lambda m: answers(m, Renovating) and "towns.replaced" in m.keys), CARDS),
    Situation("helper.scrap", "a resource is scrapped", each(lambda m: "towns.scrapped" in m.keys), CARDS),
    Situation("helper.post", "a Trading Post serves in a construction by Cooperate or Innovate", each(post_serves),
              CARDS),
    Situation("helper.foraged", "a foraged cube serves in a construction by another ability", foraged_cube_serves,
              "One ability for one construction"),
    Situation("helper.nothing", "an ability that would do nothing is not offered", each(ability_is_not_offered),
              "An ability that does nothing cannot be activated"),
    Situation("piece.shed", "a Shed goes on a square that none of its cubes left", goes_elsewhere("shed"), GOES),
    Situation("piece.obelisk", "likewise anything after an Obelisk", goes_elsewhere(OBELISK), GOES),
    Situation("piece.cooperate", "by Cooperate a Shed goes on an emptied square", each(cooperates_on_a_cube), GOES),
    Situation("piece.shed-employs", "a Shed on a villager's square employs it", each(shed_employs),
              "A Shed on a villager's square employs"),
    Situation("finished.workers", "the workers of a complete town stay as they are", finished_town_has_workers,
              "A finished town"),
    Situation("finished.lodge", "a town is complete while villagers wait in its Lodge",
              each(complete_without_villagers), "A finished town"),
    Situation("scrap.free", "a resource of a free round is scrapped",
              each(lambda m: is_free(m.before) and "towns.scrapped" in m.keys), "Scrap in a free round"),
)  # fmt: skip
