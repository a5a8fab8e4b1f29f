"""
Drawings made of signs and square names, for laws over all squares; and the geometry of the grid, told once more.

    sketch({"a1": "O", "b1": "K"})  ->  "OK../..../..../...."
"""

import random
from collections.abc import Iterator, Mapping
from itertools import permutations

SQUARES = tuple(f"{column}{row}" for row in "1234" for column in "abcd")
BUILT = "CRAOEYK"
"""The signs of the seven types, in the order of the colours."""


def sketch(signs: Mapping[str, str], empty: str = ".") -> str:
    """The drawing with *signs* on their squares, and *empty* on the others."""
    return "/".join("".join(signs.get(f"{column}{row}", empty) for column in "abcd") for row in "1234")


def distance(one: str, other: str) -> tuple[int, int]:
    """How many columns and rows lie between two squares."""
    return abs(ord(one[0]) - ord(other[0])), abs(int(one[1]) - int(other[1]))


def is_beside(one: str, other: str) -> bool:
    """Whether two squares share a side."""
    return 1 == sum(distance(one, other))


def in_line(one: str, other: str) -> bool:
    """Whether two different squares share a row or a column."""
    return one != other and 0 in distance(one, other)


def pairs() -> Iterator[tuple[str, str]]:
    """Every two different squares, in both orders."""
    return permutations(SQUARES, 2)


def scattered(count: int, signs: str, seed: int = 1) -> Iterator[dict[str, str]]:
    """So many towns by chance, each square with one of *signs*; `.` is an empty one."""
    chance = random.Random(seed)
    for _ in range(count):
        filled = chance.randint(1, 16)
        yield {square: chance.choice(signs) for square in chance.sample(SQUARES, filled)}


def with_sign(town: Mapping[str, str], sign: str) -> list[str]:
    """The squares with *sign*."""
    return [square for square in SQUARES if town.get(square) == sign]


def groups_of(squares: list[str]) -> list[int]:
    """The sizes of the groups that are joined by their sides, the largest first."""
    left, sizes = set(squares), []
    while left:
        group = {left.pop()}
        while more := {one for one in left if any(is_beside(one, other) for other in group)}:
            group |= more
            left -= more
        sizes.append(len(group))
    return sorted(sizes, reverse=True)
