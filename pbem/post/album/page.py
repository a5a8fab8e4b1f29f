"""The facts of an album become its files: a page that tells the game without a script, and data to move through it."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from engine import registry
from engine.core.types import Standing
from pbem.lexicon import search_path, template_root
from pbem.post.album.facts import AlbumFacts
from pbem.post.album.folder import DATA, DATA_BEGINS, EXPORT, FONTS
from pbem.post.album.scores import cursor_place, score_lines
from pbem.post.album.shapes import Shapes
from pbem.post.album.steps import Line, Step, lines_of, steps_of
from pbem.post.draw import Picture, pictures
from pbem.post.draw.chart import score_chart
from pbem.post.ending import round_ends
from pbem.post.words import Reader, Voice, Words

FORMAT = 1


class Made(Struct, frozen=True):
    """The files of an album by name, and how many positions it shows."""

    positions: int
    files: dict[str, bytes]


class _Album(Struct, frozen=True):
    """What all parts of the page are made from; `voice` speaks HTML, `plain` plain text."""

    facts: AlbumFacts
    voice: Voice
    plain: Voice
    said: Mapping[str, str]
    lines: list[Line]
    steps: list[Step]
    shapes: Shapes
    sheets: list[tuple[int, ...]]


def make_album(facts: AlbumFacts, words: Words, language: str, own: Path | None = None) -> Made:
    """Return the album of *facts* in *language*; *own* is the game master's folder of templates."""
    reader = Reader(None, tuple(one.name for one in facts.players), zone=facts.zone)
    voice = words.voice(language, facts.title, reader, html=True)
    plain = words.voice(language, facts.title, reader)
    lines = lines_of(facts, voice)
    steps = steps_of(facts, lines)
    shapes = Shapes()
    sheets = _draw(facts, steps, words, language, shapes)
    said = _words(voice.language, own)
    album = _Album(facts, voice, plain, said, lines, steps, shapes, sheets)
    page = words.environment(html=True).get_template("site/index.html.j2").render(_context(album))
    files = {
        DATA: DATA_BEGINS + _json(_data(album)).encode("ascii") + b";\n",
        "index.html": page.encode(),
        "album.js": _template("site/album.js", own),
        "album.css": _template("site/album.css", own),
        **({EXPORT: facts.export.encode()} if facts.export else {}),
        **{name: (template_root() / "fonts" / name).read_bytes() for name in FONTS},
    }
    return Made(len(steps), files)


def _draw(
    facts: AlbumFacts, steps: Sequence[Step], words: Words, language: str, shapes: Shapes
) -> list[tuple[int, ...]]:
    """Return for each step the numbers of its pictures; a position that looks the same is not drawn again."""
    names = tuple(one.name for one in facts.players)
    shown: list[tuple[int, ...]] = []
    for at, step in enumerate(steps):
        if at and step.view == steps[at - 1].view:
            shown.append(shown[-1])
            continue
        voice = words.voice(language, facts.title, Reader(None, names, zone=facts.zone, view=step.view))
        shown.append(tuple(shapes.add(one) for one in pictures(facts.title, step.view, voice)))
    return shown


def _template(name: str, own: Path | None) -> bytes:
    return next(file for folder in search_path(own) if (file := folder / name).is_file()).read_bytes()


def _words(language: str, own: Path | None) -> dict[str, str]:
    """Return the words of the page; a game master's own file needs to hold only what is different."""
    said: dict[str, str] = {}
    for folder in reversed(search_path(own)):
        file = folder / "site" / "words" / f"{language}.toml"
        if file.is_file():
            said |= tomllib.loads(file.read_text(encoding="utf-8"))
    return said


def _json(value: object) -> str:
    """Return *value* as JSON that ends no script and no page, wherever it stands."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def _data(album: _Album) -> dict[str, Any]:
    """Return what the script needs to show any position."""
    standings: dict[tuple[Standing, ...], int] = {}
    at = [standings.setdefault(one.standings, len(standings)) for one in album.steps]
    return {
        "format": FORMAT,
        "game": album.facts.game,
        "seq": [one.seq for one in album.steps],
        "round": [one.round for one in album.steps],
        "sheet": album.sheets,
        "sheets": [[one.alt, one.head, one.shapes] for one in album.shapes.sheets],
        "shapes": album.shapes.shapes,
        "standing": at,
        "standings": [
            [[one.seat, one.rank, one.points, *(points for _, points in one.parts)] for one in _ranked(stage)]
            for stage in standings
        ],
        "names": [album.plain.name_of(one.seat) for one in album.facts.players],
        "parts": [album.plain.part(name) for name in registry.load(album.facts.title).vocabulary.parts],
        "words": {name: album.said[name] for name in _SCRIPT},
    }


_SCRIPT = ("before", "entry", "round", "setup", "play", "stop")
"""The words of the page that the script says anew."""


def _ranked(standings: Sequence[Standing]) -> list[Standing]:
    return sorted(standings, key=lambda one: (one.rank, one.seat))


def _context(album: _Album) -> dict[str, Any]:
    """Return what the page is made of."""
    facts, voice, last = album.facts, album.voice, album.steps[-1]
    return {
        "f": facts,
        "v": voice,
        "w": voice.service,
        "s": album.said,
        "language": voice.language,
        "title": voice.title.title(),
        "names": [_player(album, one.seat) for one in facts.players],
        "rounds": _by_round(album.lines),
        "last": last,
        "sheets": [(album.shapes.sheets[n].alt, _safe(album.shapes.svg(n))) for n in album.sheets[-1]],
        "positions": len(album.steps),
        "rows": [_row(album.plain, one) for one in _ranked(last.standings)],
        "ties": [voice.tie(name) for name in voice.tie_names],
        "chart": _bare(_lines_chart(album)),
        "cursor": cursor_place(),
        "sources": _sources(album),
        "export": EXPORT if facts.export else "",
    }


def _player(album: _Album, seat: int) -> str:
    """Return who holds *seat*, a bot named as one."""
    name = album.plain.name_of(seat)
    return album.plain.phrase("bot", name) if album.facts.players[seat].bot else name


def _by_round(lines: Sequence[Line]) -> list[tuple[int, list[Line]]]:
    """Return *lines* in their order, those of one round together; a round that was taken back comes twice."""
    rounds: list[tuple[int, list[Line]]] = []
    for line in lines:
        if not rounds or rounds[-1][0] != line.round:
            rounds.append((line.round, []))
        rounds[-1][1].append(line)
    return rounds


def _row(voice: Voice, standing: Standing) -> dict[str, Any]:
    """Return what the tables tell of one player."""
    return {
        "rank": standing.rank,
        "name": voice.name_of(standing.seat),
        "points": standing.points,
        "parts": [(voice.part(name), points) for name, points in standing.parts],
        "ties": list(zip((voice.figure(name) for name in voice.tie_names), standing.ties, strict=True)),
    }


def _lines_chart(album: _Album) -> str:
    """Return the points at each position, drawn."""
    steps = album.steps
    starts = [(n, one.round) for n, one in enumerate(steps) if one.round and (not n or steps[n - 1].round != one.round)]
    return score_lines([one.standings for one in steps], starts, album.plain)


def _sources(album: _Album) -> tuple[str, Markup] | None:
    """Return the alt text and the drawing of where the points of a finished game came from."""
    facts = album.facts
    history = round_ends(registry.load(facts.title), facts.records)
    if facts.over is None or facts.over.void or not history:
        return None
    chart = score_chart(history, album.plain)
    return chart.alt, _bare(chart.svg)


def _bare(svg: str) -> Markup:
    """Return a drawing as it stands in a page: as wide as there is room."""
    shapes = Shapes()
    return _safe(shapes.svg(shapes.add(Picture("chart", "", svg))))


def _safe(svg: str) -> Markup:
    return Markup(svg)  # noqa: S704 - a drawing of ours, in which all words are escaped
