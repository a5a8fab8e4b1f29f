"""The points of all players from the first position to the last: one line for each, its name at its end."""

from collections.abc import Sequence
from itertools import pairwise

from engine.core.types import Standing
from pbem.post.draw.chart import COLOURS
from pbem.post.draw.drawing import INK, MARGIN, QUIET, RULE, SMALL, WIDTH, Drawing
from pbem.post.voice import Voice

LEFT, PLOT, TOP, HIGH = 34, 206, 14, 170
"""Where the lines begin, how wide they run, and the same downwards."""

NAMES = 104
"""How wide the names beside them are."""

LINE = 15
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4", "12 4")
"""One for each seat, so that lines are told apart without colours."""

NICE = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
MOST_RULES = 5


def score_lines(history: Sequence[tuple[Standing, ...]], starts: Sequence[tuple[int, int]], voice: Voice) -> str:
    """
    Return the chart as SVG.

    Shape:  `history` has the standings at each position; `starts` the numbers of positions at which a round begins,
            each with the round.
    """
    drawing = Drawing()
    points = [[one.points for one in stage] for stage in history]
    least, most = min(0, *map(min, points)), max(1, *map(max, points))
    bottom = TOP + HIGH
    _rules(drawing, least, most)
    _rounds(drawing, starts, len(history))
    ends: list[tuple[float, int]] = []
    for seat in range(len(points[0])):
        line = [(_across(n, len(points)), _down(stage[seat], least, most)) for n, stage in enumerate(points)]
        drawing.path(_steps(line), stroke=COLOURS[seat % len(COLOURS)], thick=2, dash=DASHES[seat % len(DASHES)])
        ends.append((line[-1][1], seat))
    for y, seat in _spread(ends, bottom):
        words = f"{points[-1][seat]}  {voice.name_of(seat)}"
        x = LEFT + PLOT + 8
        drawing.rect(x, y - 8, 5, 8, COLOURS[seat % len(COLOURS)])
        drawing.text(x + 9, y, words, SMALL, most=NAMES - 9)
    return drawing.svg(bottom + 24)


def cursor_place() -> dict[str, int]:
    """Return where the line of the present position stands at the first and at the last one, and how far it reaches."""
    return {"left": LEFT, "right": LEFT + PLOT, "top": TOP - 4, "bottom": TOP + HIGH}


def _across(step: int, count: int) -> float:
    return LEFT + PLOT * step / max(1, count - 1)


def _down(points: int, least: int, most: int) -> float:
    return TOP + HIGH * (most - points) / (most - least)


def _steps(line: Sequence[tuple[float, float]]) -> str:
    """Return a line that goes across first, then up or down: points come all at once."""
    path = [f"M{line[0][0]:.1f} {line[0][1]:.1f}"]
    for (_, before), (x, y) in pairwise(line):
        if y != before:
            path.append(f"H{x:.1f}V{y:.1f}")
    return "".join([*path, f"H{line[-1][0]:.1f}"])


def _rules(drawing: Drawing, least: int, most: int) -> None:
    step = next((one for one in NICE if (most - least) // one < MOST_RULES), NICE[-1])
    for points in range(-(-least // step) * step, most + 1, step):
        y = _down(points, least, most)
        drawing.line(LEFT, y, LEFT + PLOT, y, RULE)
        drawing.text(LEFT - 6, y + 4, str(points), SMALL, anchor="end", fill=QUIET)


def _rounds(drawing: Drawing, starts: Sequence[tuple[int, int]], count: int) -> None:
    """Draw where rounds begin, their numbers below as far as there is room."""
    bottom, free = TOP + HIGH, float(LEFT)
    for step, number in starts:
        x = _across(step, count)
        drawing.line(x, bottom, x, bottom + 4, QUIET)
        if x >= free and x <= WIDTH - MARGIN - NAMES:
            drawing.text(x, bottom + 16, str(number), SMALL, anchor="middle", fill=INK)
            free = x + 22


def _spread(ends: Sequence[tuple[float, int]], bottom: float) -> list[tuple[float, int]]:
    """Return *ends* from the top down, so far apart that their names do not cover each other."""
    placed: list[tuple[float, int]] = []
    for y, seat in sorted(ends):
        placed.append((max(y + 4, placed[-1][0] + LINE) if placed else max(y + 4, TOP), seat))
    over = max(0.0, placed[-1][0] - bottom - 4)
    fixed: list[tuple[float, int]] = []
    for n, (y, seat) in enumerate(reversed(placed)):
        highest = fixed[-1][0] - LINE if fixed else bottom + 4
        fixed.append((min(y, highest) if over or n else y, seat))
    return fixed[::-1]
