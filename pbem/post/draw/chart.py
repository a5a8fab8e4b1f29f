"""Where the points of a game came from: for each player one band of areas, source upon source, round after round."""

from collections.abc import Sequence
from itertools import pairwise

from engine.core.types import Standing
from pbem.post.draw.drawing import INK, LARGE, MARGIN, PAPER, QUIET, RULE, SMALL, WIDTH, Drawing, Picture
from pbem.post.voice import Voice

COLOURS = ("#35618f", "#c98a2b", "#4f8a4c", "#a34a3d", "#7a5c99", "#3f8f8f", "#b0a33a", "#8a6248", "#6f7f8f", "#c0699a")
PLOT, LABELS = 172, 158
"""How wide the areas are, and the words beside them."""

LINE = 15
LEAST_HIGH = 76
BELOW_HEAD = 26

History = Sequence[tuple[Standing, ...]]
"""The standings at the end of each round, the last ones at the end of the game; one for each seat, in seat order."""


def score_chart(history: History, voice: Voice) -> Picture:
    """Return the chart of all players, the best first."""
    drawing = Drawing()
    y = float(MARGIN)
    most = max((_above(one) for stage in history for one in stage), default=0)
    least = max((_below(one) for stage in history for one in stage), default=0)
    for final in sorted(history[-1], key=lambda one: (one.rank, one.seat)):
        y = _player(drawing, y, [stage[final.seat] for stage in history], voice, (most, least))
    leaders = [one for one in history[-1] if one.rank == 1]
    alt = voice.phrase("chart_alt", voice.join([voice.name_of(one.seat) for one in leaders]), leaders[0].points)
    return Picture("chart", alt, drawing.svg(y))


def _above(standing: Standing) -> int:
    return sum(points for _, points in standing.parts if points > 0)


def _below(standing: Standing) -> int:
    return -sum(points for _, points in standing.parts if points < 0)


def _player(drawing: Drawing, y: float, stages: list[Standing], voice: Voice, scale: tuple[int, int]) -> float:
    """Draw the band of one player from *y* down; return where the next one begins."""
    final = stages[-1]
    parts = [(name, points) for name, points in final.parts if points]
    high = max(LEAST_HIGH, LINE * len(parts) + 4)
    most, least = scale
    unit = high / max(1, most + least)
    base = y + BELOW_HEAD + most * unit
    points = voice.phrase("chart_points", final.points)
    drawing.text(MARGIN, y + 16, voice.name_of(final.seat), LARGE, bold=True, most=240)
    drawing.text(WIDTH - MARGIN, y + 16, points, LARGE, bold=True, anchor="end")
    for at, (name, _) in enumerate(final.parts):
        _area(drawing, stages, at, base, unit)
        _label(drawing, y, parts, name, voice, COLOURS[at % len(COLOURS)])
    drawing.line(MARGIN, base, MARGIN + PLOT, base, INK)
    drawing.text(MARGIN, y + BELOW_HEAD + high + 14, voice.phrase("chart_first"), SMALL, fill=QUIET)
    drawing.text(MARGIN + PLOT, y + BELOW_HEAD + high + 14, voice.phrase("chart_last"), SMALL, fill=QUIET, anchor="end")
    bottom = y + BELOW_HEAD + high + 24
    drawing.line(MARGIN, bottom, WIDTH - MARGIN, bottom, RULE)
    return bottom + 8


def _area(drawing: Drawing, stages: list[Standing], at: int, base: float, unit: float) -> None:
    """Draw what source number *at* gave, upon the sources before it; what costs points hangs below the line."""
    step = PLOT / max(1, len(stages) - 1)
    edges: list[tuple[float, float, float]] = []
    for n, stage in enumerate(stages if len(stages) > 1 else stages * 2):
        own = stage.parts[at][1]
        under = sum(points for _, points in stage.parts[:at] if (points > 0) == (own > 0))
        x = MARGIN + n * (step if len(stages) > 1 else PLOT)
        edges.append((x, base - under * unit, base - (under + own) * unit))
    for (left, _, _), (right, lower, upper) in pairwise(edges):
        if abs(upper - lower) > 0:
            drawing.rect(left, min(lower, upper), right - left, abs(upper - lower), COLOURS[at % len(COLOURS)],
                         stroke=PAPER, thick=0.5)  # fmt: skip


def _label(drawing: Drawing, y: float, parts: Sequence[tuple[str, int]], name: str, voice: Voice, colour: str) -> None:
    """Write one source and its points beside the areas, in the order in which these lie: the first lowest."""
    names = [one for one, _ in parts]
    if name not in names:
        return
    line = y + BELOW_HEAD + 11 + LINE * (len(names) - 1 - names.index(name))
    x = WIDTH - MARGIN - LABELS
    drawing.rect(x, line - 9, 10, 10, colour)
    drawing.text(x + 16, line, voice.part(name), SMALL, most=LABELS - 44)
    drawing.text(WIDTH - MARGIN, line, str(dict(parts)[name]), SMALL, anchor="end")
