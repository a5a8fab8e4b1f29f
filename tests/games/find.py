"""
Find golden games: `python -m tests.games.find [--what KEY ...] [--players NAME ...] [--seats N ...] [--games 20]`.

Plays games of like-minded bots with the real rules and the real dice, seed by seed, and prints what they show: for
each situation that no golden game shows yet, or for those that are named, the shortest game and the entry. `--keep`
writes as few of these games as show all of it, and their places in the index. `--list` only tells what is looked for.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import product
from typing import Any

import msgspec
from msgspec import Struct

from engine import registry
from engine.core.bots import play_game, roller
from engine.core.dice import Dice, demo_seed
from engine.core.export import Export, Header
from engine.core.log import Position, Record, first_link, first_position, make_correction, next_link
from engine.core.ruleset import Config, make_config
from engine.core.types import Seat
from tests.games.files import Golden, Run, keep, kept_tables, load_index, situations, state_digest, titles
from tests.games.watch import Situation, moments


class Played(Struct, frozen=True):
    """A game as it was played: how, from where, and its records."""

    run: Run
    config: Config
    start: Position[Any]
    records: tuple[Record[Any], ...]


class Sight(Struct, frozen=True):
    """A game that shows something: its length, and the entries at which each situation is seen first."""

    run: Run
    length: int
    shows: dict[str, int]


def play_run(title: str, run: Run) -> Played:
    """Return the game that *run* tells."""
    ruleset = registry.load(title)
    players = import_module(f"tests.games.{title}.players")
    config = make_config(run.seats, options_of(run), allowed=ruleset.seats, options=ruleset.options)
    start = first_position(ruleset, config, kept_tables(title))
    rolls = [roller(demo_seed(run.seed * 10 + seat)) for seat in range(run.seats)]
    bots = {Seat(seat): players.make_bot(run.players, roll) for seat, roll in enumerate(rolls)}
    records = play_game(ruleset, start, bots, dice_of(run))
    if run.stop:
        records = records[: run.stop]
        records = (*records, make_correction(ruleset, records, start, "finish"))
    return Played(run, config, start, records)


def options_of(run: Run) -> dict[str, str]:
    """Return the options that *run* tells."""
    return dict(option.split("=", 1) for option in run.options)


def dice_of(run: Run) -> Dice:
    """Return the dice of a game."""
    return Dice(demo_seed(run.seed), run.words)


def look(title: str, run: Run, wanted: Iterable[Situation]) -> Sight:
    """Return what the game of *run* shows of what is *wanted*."""
    played = play_run(title, run)
    game = moments(played.start, played.records)
    seen = {situation.key: next(situation.sees(game), 0) for situation in wanted}
    return Sight(run, len(game), {key: seq for key, seq in seen.items() if seq})


def export_of(title: str, played: Played) -> Export:
    """Return the whole game with its seed and chain."""
    ruleset, dice = registry.load(title), dice_of(played.run)
    header = Header(
        ruleset=title,
        rules=ruleset.rules,
        seats=played.config.seats,
        options=played.config.options,
        tables=kept_tables(title).digest,
        commitment=dice.commitment,
        words=played.run.words,
        seed=dice.seed.hex(),
    )
    entries = tuple(record.entry for record in played.records)
    link = first_link(header.constant_text())
    for entry in entries:
        link = next_link(link, dice, entry)
    return Export(msgspec.structs.replace(header, chain=link.hex()), entries)


def golden_of(title: str, sight: Sight, shows: Sequence[str], played: Played) -> Golden:
    """Return the place in the index of a game that is kept for what it *shows*, named after the first of it."""
    state = played.records[-1].position.state
    standings = registry.load(title).standings(state)
    return Golden(
        file=f"{shows[0]}.game",
        run=sight.run,
        shows={key: sight.shows[key] for key in shows},
        points=tuple(one.points for one in standings),
        winners=tuple(one.seat for one in standings if one.rank == 1),
        state=state_digest(state),
    )


def choose(best: dict[str, Sight], seen: dict[str, int]) -> Iterator[tuple[Sight, list[str]]]:
    """Yield games and what each is kept for: from the rarest situation on, whatever is not shown yet."""
    left = sorted(best, key=lambda key: seen[key])
    while left:
        sight = best[left[0]]
        shows = [key for key in left if key in sight.shows]
        left = [key for key in left if key not in shows]
        yield sight, shows


def sweep(title: str, runs: Iterable[Run], wanted: Sequence[Situation]) -> Iterator[tuple[Sight, list[str]]]:
    """Yield the games to keep, after all *runs* were played."""
    best: dict[str, Sight] = {}
    seen: dict[str, int] = {}
    for run in runs:
        sight = look(title, run, wanted)
        for key in sight.shows:
            seen[key] = seen.get(key, 0) + 1
            if key not in best or sight.length < best[key].length:
                best[key] = sight
    print(f"{len(seen)} of {len(wanted)} seen")
    for situation in wanted:
        if situation.key not in seen:
            print(f"not seen: {situation.key}")
    yield from choose(best, seen)


def main() -> int:
    """Play, print what was seen, and return 1 if something was not."""
    parser = argparse.ArgumentParser(prog="python -m tests.games.find", description=__doc__)
    parser.add_argument("--title", default="village", choices=titles())
    parser.add_argument(
        "--what", nargs="*", default=[], help="keys of situations; those without a game if none is named"
    )
    parser.add_argument("--players", nargs="*", default=[], help="names in players.py; all if none is named")
    parser.add_argument("--seats", nargs="*", type=int, default=[])
    parser.add_argument("--games", type=int, default=20, help="seeds for each kind of players and number of seats")
    parser.add_argument("--from", dest="since", type=int, default=0, help="the first seed")
    parser.add_argument("--words", nargs="*", default=[], help="words of the players")
    parser.add_argument("--options", nargs="*", default=[], help="options of the game, as NAME=VALUE")
    parser.add_argument("--stop", type=int, default=0, help="the entry after which the game master finishes the game")
    parser.add_argument("--keep", action="store_true", help="write games and index")
    parser.add_argument("--list", action="store_true", help="tell what is looked for, and nothing else")
    given = parser.parse_args()
    title, known = given.title, situations(given.title)
    if given.list:
        print(*(f"{situation.key}: {situation.says}" for situation in known), sep="\n")
        return 0
    shown = load_index(title).shown()
    wanted = [one for one in known if (one.key in given.what if given.what else one.key not in shown)]
    players = import_module(f"tests.games.{title}.players").PLAYERS
    names = given.players or players
    unknown = set(given.what) - {one.key for one in known} | set(names) - set(players)
    if unknown:
        parser.error(f"not known: {' '.join(sorted(unknown))}")
    seats = given.seats or registry.load(title).seats
    runs = (
        Run(name, number, seed, tuple(given.words), tuple(given.options), given.stop)
        for seed, name, number in product(range(given.since, given.since + given.games), names, seats)
    )
    found = 0
    for sight, shows in sweep(title, runs, wanted):
        found += len(shows)
        print(msgspec.json.encode(sight.run).decode(), {key: sight.shows[key] for key in shows})
        if given.keep:
            played = play_run(title, sight.run)
            keep(title, golden_of(title, sight, shows, played), export_of(title, played), kept_tables(title))
    return 0 if found == len(wanted) else 1


if __name__ == "__main__":
    sys.exit(main())
