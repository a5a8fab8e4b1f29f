"""Two things timed in turn, and what is told of them."""

import gc
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Literal

from msgspec import Struct

ROUNDS = 5


class Row(Struct, frozen=True):
    """
    One line of the table: ours beside a peer's, both measured in this run.

    `ratio`  ours to the peer's, the median of the rounds; `least` and `most` are the spread
    `bar`    what the ratio should reach, None where the row only tells; `better` is the side that is good
    Units:   `ours` and `peer` in `unit`, each the median of the rounds
    """

    name: str
    unit: str
    ours: float
    peer: float | None = None
    against: str = ""
    ratio: float | None = None
    least: float | None = None
    most: float | None = None
    bar: float | None = None
    better: Literal["low", "high"] = "low"

    @property
    def reached(self) -> bool | None:
        """Return whether the bar is reached; None without one."""
        value = self.ours if self.ratio is None else self.ratio
        if self.bar is None:
            return None
        return value <= self.bar if self.better == "low" else value >= self.bar


def seconds(what: Callable[[], object]) -> float:
    """Return how many seconds *what* takes, without collecting garbage in between."""
    gc.collect()
    gc.disable()
    try:
        begun = time.perf_counter()
        what()
        return time.perf_counter() - begun
    finally:
        gc.enable()


def in_turn(ours: Callable[[], float], peer: Callable[[], float], rounds: int = ROUNDS) -> list[tuple[float, float]]:
    """Return the measures of both, one after the other in each round; the first round only warms up."""
    found = [(ours(), peer()) for _ in range(rounds + 1)]
    return found[1:]


def compared(
    name: str,
    unit: str,
    pairs: Sequence[tuple[float, float]],
    against: str,
    bar: float | None,
    better: Literal["low", "high"] = "low",
) -> Row:
    """Return the row that tells *pairs* of ours and the peer's measures."""
    ratios = sorted(one / other for one, other in pairs)
    return Row(
        name,
        unit,
        median(one for one, _ in pairs),
        median(other for _, other in pairs),
        against,
        median(ratios),
        ratios[0],
        ratios[-1],
        bar,
        better,
    )
