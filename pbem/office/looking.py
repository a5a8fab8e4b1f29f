"""`status`, `games` and `show`: where things stand, in few lines, without anything that not everybody may know."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from engine.core.types import CHANCE
from pbem.branching import want_real
from pbem.clock import format_moment
from pbem.desk.mastering import Order
from pbem.live import take_up
from pbem.office.values import Office, Outcome, Serve
from pbem.overview import ASKED, Line, Overview, look_over
from pbem.report import show_game
from pbem.store import games

MOST_GAMES = 40
"""Games that `games` lists."""
MOST_PRESSING = 6
"""Games that `status` names: those whose answer is due first."""
MOST_PROBLEMS = 8
LONGEST_ERROR = 120
MOST_NAMES = 3


def _status(office: Office, order: Order) -> Outcome:  # noqa: ARG001 - the shape of what serves an order
    seen = look_over(office.service, office.session, office.now)
    pressing = [one for one in seen.games if one.deadline is not None][:MOST_PRESSING]
    office.tell(
        "master.status",
        problems=[[one.key, _problem(one.fields)] for one in seen.problems[:MOST_PROBLEMS]],
        more=len(seen.problems[MOST_PROBLEMS:]),
        games=[_row(one) for one in pressing],
        counts=_counts(seen),
        held=[one.letter for one in seen.held if one.reason not in ASKED],
        post=[
            format_moment(seen.read_at),
            format_moment(seen.sent_at),
            seen.ready[0],
            seen.new[0] - 1,
        ],  # without the letter that asks
    )
    return "accepted"


def _problem(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a problem; what a server said may be long."""
    return {name: value[:LONGEST_ERROR] if isinstance(value, str) else value for name, value in fields.items()}


def _counts(seen: Overview) -> list[list[Any]]:
    """Return how many games there are in each state."""
    states = [one.game.status for one in seen.games]
    return [[state, states.count(state)] for state in dict.fromkeys(states)]


def _games(office: Office, order: Order) -> Outcome:  # noqa: ARG001 - the shape of what serves an order
    seen = look_over(office.service, office.session, office.now)
    office.tell("master.games", rows=[_row(one) for one in seen.games[:MOST_GAMES]], more=len(seen.games[MOST_GAMES:]))
    return "accepted"


def _row(line: Line) -> list[Any]:
    """Return game, title, state, who is waited for and how many more, since when, until when, free seats, held."""
    names = [one.name for one in line.waits]
    since = line.waits[0].since if line.waits else None
    return [
        line.game.game,
        line.game.ruleset,
        line.game.status,
        names[:MOST_NAMES],
        len(names[MOST_NAMES:]),
        _moment(since),
        _moment(line.deadline),
        line.free,
        line.held,
    ]


def _moment(moment: datetime | None) -> str:
    return format_moment(moment) or ""


def _show(office: Office, order: Order) -> Outcome:
    live = take_up(office.session, order.game)
    want_real(live)
    shown = show_game(office.service, live)
    acts = [one for one in games.list_acts(office.session, order.game) if one.what != "reveal"][-MOST_NAMES:]
    office.tell(
        "master.show",
        game=order.game,
        title=live.game.ruleset,
        status=live.game.status,
        length=shown["length"],
        clock=live.game.clock,
        waits=[
            [one["name"], one["deadline"] or "", one["plan"], one["stand_in"]]
            for one in shown["pending"]
            if one["seat"] != CHANCE
        ],
        seats=[[one.name, bool(one.bot)] for one in live.holders],
        standings=[[one["name"], one["rank"], one["points"]] for one in shown["standings"]],
        acts=[[one.what, one.who, _moment(one.at)] for one in acts],
    )
    return "accepted"


def _help(office: Office, order: Order) -> Outcome:  # noqa: ARG001 - the shape of what serves an order
    office.tell("master.help")
    return "accepted"


LOOKS: Mapping[str, Serve] = {"status": _status, "games": _games, "show": _show, "help": _help}
"""What changes nothing, and may be asked again and again."""
