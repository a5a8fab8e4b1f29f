"""The engine beside python-chess: moves generated and checked, and a finished game replayed."""

import io
import random
from collections.abc import Callable, Iterator
from typing import Any

from engine.core.bots import play_game, random_bot, roller
from engine.core.dice import demo_seed
from engine.core.export import Export, Header, format_export, parse_export, verify
from engine.core.types import CHANCE, Seat
from tests.bench.measure import Row, compared, in_turn, seconds
from tests.contract.titles import Setting, dice

LEAST_MOVES = 20
"""Positions with fewer moves are left out, ours and those of chess."""

POSITIONS = 150
SEATS = {"village": 3, "my_village": 3, "tiny_towns": 3}


def rows(chess: Any) -> Iterator[Row]:
    """Yield the rows of the engine; *chess* is python-chess."""
    boards = _boards(chess)
    for title in SEATS:
        found = _positions(title)
        made = in_turn(_rate(_generated, found), _rate(_chess_generated, boards))
        yield compared(f"{title}: moves generated and checked", "a second", made, "python-chess", 1.0, "high")
        played = in_turn(_rate(_played, found), _rate(_chess_played, boards))
        yield compared(f"{title}: the same, each played", "a second", played, "python-chess", None, "high")
    for title in SEATS:
        yield _replayed(title, chess)


def _rate(count: Callable[[list[Any]], int], found: list[Any]) -> Callable[[], float]:
    """Return what measures how many moves *count* finds in a second at the positions *found*."""

    def measure() -> float:
        done: list[int] = []
        spent = seconds(lambda: done.append(count(found)))
        return done[0] / spent

    return measure


def _positions(title: str) -> list[Any]:
    """Return positions of random games in which a person has many moves: rules, state, seat."""
    setting = Setting(title, SEATS[title])
    found: list[Any] = []
    number = 0
    while len(found) < 4 * POSITIONS:
        number += 1
        states = [one.position.state for one in _records(setting, number)]
        found += [
            (setting.ruleset, state, owed.seat)
            for state in states
            for owed in setting.ruleset.pending(state)
            if owed.seat != CHANCE and sum(1 for _ in setting.ruleset.legal(state, owed.seat)) >= LEAST_MOVES
        ]
    return random.Random(1).sample(found, POSITIONS)


def _records(setting: Setting, number: int) -> Any:
    seats = {Seat(n): random_bot(roller(demo_seed(number * 10 + n))) for n in range(setting.seats)}
    return play_game(setting.ruleset, setting.start(), seats, dice(number))


def _boards(chess: Any) -> list[Any]:
    chance = random.Random(1)
    found: list[Any] = []
    while len(found) < 4 * POSITIONS:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            board.push(chance.choice(list(board.legal_moves)))
            if board.legal_moves.count() >= LEAST_MOVES:
                found.append(board.copy(stack=False))
    return chance.sample(found, POSITIONS)


def _generated(found: list[Any]) -> int:
    return sum(1 for ruleset, state, seat in found for _ in ruleset.legal(state, seat))


def _played(found: list[Any]) -> int:
    count = 0
    for ruleset, state, seat in found:
        for move in ruleset.legal(state, seat):
            ruleset.apply(state, seat, move)
            count += 1
    return count


def _chess_generated(boards: list[Any]) -> int:
    return sum(1 for board in boards for _ in board.legal_moves)


def _chess_played(boards: list[Any]) -> int:
    count = 0
    for board in boards:
        for move in board.legal_moves:
            board.push(move)
            board.pop()
            count += 1
    return count


def _replayed(title: str, chess: Any) -> Row:
    """Return how long a finished game takes to be replayed with all checks, beside a PGN of as many moves."""
    setting = Setting(title, SEATS[title])
    records, thrown = _records(setting, 3), dice(3)
    options = tuple((name, one.default) for name, one in setting.ruleset.options.items())
    header = Header(
        title,
        setting.ruleset.rules,
        setting.seats,
        options,
        setting.tables.digest,
        thrown.commitment,
        seed=thrown.seed.hex(),
    )
    text = format_export(Export(header, tuple(one.entry for one in records)))
    games = _games(chess, len(records))

    def ours() -> float:
        return seconds(lambda: verify(setting.ruleset, setting.tables, parse_export(text)))

    def peer() -> float:
        return seconds(lambda: [chess.pgn.read_game(io.StringIO(one)) for one in games])

    return compared(f"{title}: {len(records)} entries replayed", "s", in_turn(ours, peer), "python-chess, PGN", 1.0)


def _games(chess: Any, moves: int) -> list[str]:
    """Return PGNs of random games with so many *moves* in all."""
    chance, texts, left = random.Random(2), [], moves
    while left:
        board = chess.Board()
        while left and not board.is_game_over() and board.ply() < 120:
            board.push(chance.choice(list(board.legal_moves)))
            left -= 1
        texts.append(str(chess.pgn.Game.from_board(board)))
    return texts
