"""What-ifs: a copy of a game in which the game master tries things, and of which nobody else learns."""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from msgspec import structs

from engine import registry
from engine.core.types import Seat
from pbem.branching import branch
from pbem.cli import shared
from pbem.live import Live, take_up
from pbem.mail.letter import read_letter
from pbem.mail.marker import TAG
from pbem.report import verify_game
from pbem.store import games
from pbem.timekeeper import bot_plan
from tests.contract.cli.schema import faults
from tests.pbem.cli.test_documented import leaves
from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, acts, command, dump, notices, read_all, said, seated, stake, verified

DAY = timedelta(hours=24)
TITLES = ("village", "my_village", "tiny_towns", "bids")


def data(table: Table, *words: str) -> Any:
    """Return the JSON of a command that does what it says."""
    ran = command(table, *words, "--json")
    assert ran.code == 0, (words, ran.out, ran.err)
    return ran.json


def refused(table: Table, *words: str) -> str:
    """Return the key of a refusal."""
    ran = command(table, *words, "--json")
    assert ran.code == 1, (words, ran.out, ran.err)
    return ran.refused


def one_round(table: Table) -> None:
    """Let all answer this round of the test title."""
    for name in table.people:
        table.says(name, stake(table, name))
    read_all(table)


def stored(table: Table, number: int) -> Live:
    """Return a game as it is stored."""
    with table.service.store.read() as session:
        return take_up(session, number)


def moved_on(table: Table, title: str, moves: int) -> None:
    """Let a bot answer for everybody, so many times."""
    for _ in range(moves):
        live = table.live()
        for seat in live.owed():
            text = " : ".join(bot_plan(live, seat, "greedy")[-1].choices[0])
            command(table, "gm", "play", "1", "--seat", str(seat), text)


def tried(table: Table, number: int, *flags: str) -> str:
    """Let the game master answer as a bot would for the first seat that has to, and return the line; "" at the end."""
    live = stored(table, number)
    seat = next((one for one in sorted(live.owed()) if not live.holders[one].plan), None)
    if seat is None:
        return ""
    text = " : ".join(bot_plan(live, seat, "greedy")[-1].choices[0])
    data(table, "gm", "play", str(number), "--seat", str(seat), text, *flags)
    return text


def mailed(table: Table) -> list[tuple[str, str, str]]:
    """Return all that was mailed, without what is drawn by lot for each installation: the tags and receipts."""
    found = []
    for to, raw in table.server.taken:
        mail = read_letter(raw)
        text = re.sub(r"\b\w{5}-\w{5}\b", "", TAG.sub("", f"{mail.subject}\n{text_of(mail)}"))
        found.append((to, mail.header("X-PBEM-Kind"), text))
    return found


@pytest.mark.parametrize("title", TITLES)
def test_a_what_if_stands_where_the_game_stood_and_can_be_played(set_table: SetTable, title: str) -> None:
    table = seated(set_table, title=title)
    moved_on(table, title, 1)
    length, before = len(table.log()), dump(table.service.store)

    made = data(table, "gm", "branch", "1", "--at", str(length))
    copy, game = stored(table, 2), table.live()

    assert faults("gm-branch", made) == []
    assert (made["game"], made["branch_of"]) == (2, 1)
    assert copy.game.seed != game.game.seed
    assert copy.game.commitment != game.game.commitment
    if made["at"] == length:
        assert copy.position.state == game.position.state
        assert copy.owed().keys() == game.owed().keys()
    flags = ("--reveal",) if game.ruleset.has_secrets else ()
    played = [tried(table, 2, *flags) for _ in range(3)]
    assert all(played)
    with table.service.store.read() as session:
        assert verify_game(session, take_up(session, 2))["verified"]
    assert verified(table)["verified"]
    after = dump(table.service.store)
    for name, rows in before.items():
        assert [one for one in rows if one not in after[name]] == [], name
    changed = {name for name, rows in after.items() if rows != before[name]}
    assert changed <= {"games", "seats", "log", "acts", *(["notices"] if flags else [])}


def test_a_what_if_is_played_to_its_end_and_taken_back(set_table: SetTable) -> None:
    table = seated(set_table)
    one_round(table)
    data(table, "gm", "branch", "1")

    while tried(table, 2, "--reveal"):
        pass
    shown = data(table, "game", "show", "2")
    assert faults("game-show", shown) == []
    assert (shown["status"], shown["branch_of"], shown["pending"]) == ("branch", 1, [])
    assert shown["winners"] != []
    length = shown["length"]
    data(table, "gm", "rewind", "2", "--to", "1")

    assert tried(table, 2, "--reveal")
    with table.service.store.read() as session:
        assert verify_game(session, take_up(session, 2))["length"] > length
    assert table.live().running


def troubled(set_table: SetTable, monkeypatch: pytest.MonkeyPatch, *, with_branch: bool) -> Table:
    """Return a table at which all happens that somebody is told of, in some months; with a what-if beside it or not."""
    table = set_table(
        "Ana pt", "Bob en", title="village", clock="1h + 1h; remind 1/2", misses=2, digest="08:00", late="default"
    )
    monkeypatch.setattr(shared, "utc_now", lambda: table.now)
    table.tick()
    command(table, "gm", "observe", "1", "Zoe <zoe@players.test> en")
    for _ in range(3):
        moved_on(table, "village", 1)
        table.tick()
    if with_branch:
        data(table, "gm", "branch", "1")
        data(table, "gm", "branch", "1", "--at", "3")
        tried(table, 2)
        tried(table, 3)
    table.says("Ana", "bench")
    table.says("Bob", "join 2")
    table.says("Bob", "join 3\ngames\nstatus")
    table.post(table.letter("new@strangers.test", "join 2", Subject="join 2"))
    table.tick(after=timedelta(minutes=40))
    table.tick(after=4 * DAY, dead=True)
    for hour in range(40):
        table.tick(after=timedelta(hours=1 + hour % 5 * 6))
        if with_branch and hour == 20:
            tried(table, 2)
            data(table, "gm", "rewind", "2", "--to", "1")
            data(table, "gm", "discard", "3")
    table.mailbox.gone = True
    table.tick(after=2 * DAY)
    table.tick(after=2 * DAY)
    table.mailbox.gone = False
    table.tick(after=timedelta(hours=1))
    return table


def test_every_mail_is_the_same_with_a_what_if_and_without(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = troubled(set_table, monkeypatch, with_branch=False)
    beside = troubled(set_table, monkeypatch, with_branch=True)

    assert mailed(beside) == mailed(without)
    kinds = {kind for _, kind, _ in mailed(beside)}
    assert kinds >= {"report", "reminder", "notice", "alert"}, kinds
    for name, column in (("notices", 1), ("outbox", 1)):
        assert {row[column] for row in dump(beside.service.store)[name]} <= {1, None}
    assert dump(beside.service.store)["people"] == dump(without.service.store)["people"]
    status, plain = (data(one, "status", "--all") for one in (beside, without))
    assert status["games"] == plain["games"]
    assert [one["key"] for one in status["problems"]] == [one["key"] for one in plain["problems"]]


def test_no_pass_ever_looks_at_a_what_if(set_table: SetTable) -> None:
    table = seated(set_table)
    data(table, "gm", "branch", "1")
    command(table, "gm", "finish", "1", "--void")
    before = stored(table, 2)

    for _ in range(5):
        assert table.tick(after=30 * DAY)["timed"] == 0

    assert stored(table, 2) == before
    assert before.game.next_due is None
    assert [one.deadline for one in before.holders] == [None, None]
    assert table.to_gm() == [], "that the mailbox was not read for long is no matter while no game runs"


def test_the_dice_of_a_what_if_are_its_own(set_table: SetTable) -> None:
    table = seated(set_table, title="village")
    seeds = {table.live().game.seed}

    for _ in range(5):
        seeds.add(stored(table, data(table, "gm", "branch", "1")["game"]).game.seed)

    assert len(seeds) == 6


def test_a_point_within_a_round_is_its_beginning_and_that_is_said(set_table: SetTable) -> None:
    table = seated(set_table)
    one_round(table)
    entries = table.log()
    begins = entries.index(next(one for one in entries if "stake" in one))

    ran = command(table, "gm", "branch", "1", "--at", str(begins + 1))
    made = data(table, "gm", "branch", "1", "--at", str(begins + 2))

    assert f"as it stood after entry {begins}." in ran.out
    assert f"Entry {begins + 1} lies within a round" in ran.out
    assert made["at"] == begins
    assert stored(table, 3).owed().keys() == {Seat(0), Seat(1)}


def test_a_what_if_waits_with_its_draws_so_that_they_can_be_chosen(set_table: SetTable) -> None:
    table = seated(set_table)
    one_round(table)
    prize = next(n for n, one in enumerate(table.log()) if one.startswith("-1 draw"))
    for at in (0, prize):
        data(table, "gm", "branch", "1", "--at", str(at))

    shown = command(table, "game", "show", "3").out
    data(table, "gm", "play", "3", "--seat", "-1", "draw gold", "--reveal")
    drawn = stored(table, 3).position.state.prize
    rolled = tried_at_once(table, 2)

    assert "Chance draws next" in shown
    assert drawn == "gold"
    assert rolled == "play.hidden"
    assert refused(table, "gm", "play", "3", "--seat", "-1", "draw gold", "--reveal") == "draw.not-owed"
    with table.service.store.read() as session:
        found = verify_game(session, take_up(session, 3))
    assert found["drawn_by_gm"] == [2]


def tried_at_once(table: Table, number: int) -> str:
    """Return what becomes of a card that nobody has, played where chance draws first."""
    return refused(table, "gm", "play", str(number), "--seat", "0", "stake 99: bid 1", "--reveal")


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["gm", "branch", "9"], "game.unknown"),
        (["gm", "branch", "1", "--at", "99"], "branch.number"),
        (["gm", "branch", "1", "--at", "-1"], "branch.number"),
        (["gm", "branch", "2"], "branch.branch"),
        (["gm", "branch", "3"], "branch.not-begun"),
        (["gm", "discard", "1"], "branch.none"),
        (["gm", "discard", "9"], "game.unknown"),
        (["gm", "rewind", "2", "--to", "0"], "branch.begins"),
        (["gm", "rewind", "2", "--to", "1"], "rewind.number"),
        (["game", "start", "2"], "branch.act"),
        (["game", "site", "2", "--output", "album"], "branch.act"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_nothing_changes(
    set_table: SetTable, words: list[str], key: str
) -> None:
    table = seated(set_table)
    data(table, "gm", "branch", "1")
    command(table, "game", "new", "bids", "--seat", "Cy <cy@players.test>", "--seat", "bot:greedy")
    if key == "branch.begins":
        data(table, "gm", "play", "2", "--seat", "0", stake(table, "Ana"), "--reveal")
        data(table, "gm", "play", "2", "--seat", "1", stake(table, "Bob"), "--reveal")
    before = dump(table.service.store)

    ran = command(table, *words)

    assert ran.code == 1
    assert not re.search(r"\w+\.\w+:|pbem:", ran.err), ran.err
    assert refused(table, *words) == key
    assert dump(table.service.store) == before


ELSEWHERE = {"gm preview", "gm play", "gm rewind", "gm branch", "gm discard"}
"""Commands that play in a what-if, make one, or throw it away; and one that is for no game."""

WORDS = {
    "gm extend": ["--by", "24h"],
    "gm clock": ["48h + 5d"],
    "gm replace": ["--seat", "0", "Cy <cy@players.test>"],
    "gm offer": ["--seat", "0"],
    "gm message": ["Hello"],
    "gm observe": ["Zoe <zoe@players.test>"],
}


@pytest.mark.parametrize("name", [one for one in leaves() if one.startswith("gm ") and one not in ELSEWHERE])
def test_nothing_else_can_be_done_with_a_what_if(set_table: SetTable, name: str) -> None:
    table = seated(set_table)
    data(table, "gm", "branch", "1")
    before = dump(table.service.store)

    assert refused(table, *name.split(), "2", *WORDS.get(name, [])) == "branch.act"
    assert dump(table.service.store) == before


def test_a_rehearsed_what_if_is_not_there(set_table: SetTable) -> None:
    table = seated(set_table)
    before = dump(table.service.store)

    made = data(table, "gm", "branch", "1", "--dry-run")

    assert made["dry_run"]
    assert dump(table.service.store) == before
    data(table, "gm", "branch", "1")
    data(table, "gm", "discard", "2", "--dry-run")
    assert stored(table, 2).game.status == "branch"


def test_a_what_if_is_marked_and_one_that_was_thrown_away_stands_in_no_list(set_table: SetTable) -> None:
    table = seated(set_table)
    data(table, "gm", "branch", "1")
    listed, plain = data(table, "game", "list"), command(table, "game", "list").out

    gone = data(table, "gm", "discard", "2")

    assert faults("game-list", listed) == []
    assert [(one["status"], one["branch_of"]) for one in listed["games"]] == [("running", None), ("branch", 1)]
    assert "what-if of game 1" in plain
    assert faults("gm-discard", gone) == []
    assert [one["game"] for one in data(table, "game", "list")["games"]] == [1]
    assert "what-if of game 1, thrown away" in command(table, "game", "show", "2").out
    assert faults("game-show", data(table, "game", "show", "2")) == []
    assert refused(table, "gm", "discard", "2") == "branch.discarded"
    assert refused(table, "gm", "rewind", "2", "--to", "0") == "branch.discarded"
    assert refused(table, "gm", "play", "2", "--seat", "0", "bid 1", "--reveal") == "branch.discarded"


LOOKS: Sequence[Sequence[str]] = (
    ("game", "orders", "2", "--seat", "0"),
    ("game", "export", "2"),
    ("game", "view", "2", "--seat", "0"),
    ("gm", "play", "2", "--seat", "0", "stake 1: bid 1"),
    ("gm", "play", "2", "--seat", "-1", "draw gold"),
)


@pytest.mark.parametrize("thrown_away", [False, True])
def test_what_is_hidden_in_the_game_is_hidden_in_its_what_if(set_table: SetTable, *, thrown_away: bool) -> None:
    table = seated(set_table)
    data(table, "gm", "branch", "1")
    if thrown_away:
        data(table, "gm", "discard", "2")
    before = dump(table.service.store)

    for words in LOOKS:
        ran = command(table, *words)
        why = "was thrown away already" if thrown_away and words[0] == "gm" else "--reveal"
        assert (ran.code, ran.out, why in ran.err) == (1, "", True), (words, ran)
    assert [one["text"] for one in data(table, "game", "log", "2")["log"]] == [None]
    assert dump(table.service.store) == before


def test_a_look_at_a_what_if_is_told_once_to_all_players_of_the_game(set_table: SetTable) -> None:
    table = seated(set_table)
    data(table, "gm", "branch", "1")
    first, second = stake(table, "Ana"), stake(table, "Bob")
    hidden = refused(table, "gm", "play", "2", "--seat", "0", first, "--reveal", "--dry-run")

    told = data(table, "gm", "play", "2", "--seat", "0", first, "--reveal")["told"]
    again = data(table, "gm", "play", "2", "--seat", "1", second, "--reveal", "--dry-run")["told"]
    data(table, "gm", "play", "2", "--seat", "1", second, "--reveal")
    command(table, "game", "view", "2", "--seat", "0", "--reveal")
    table.tick()

    assert hidden == "branch.rehearsal"
    assert [(one["name"], one["key"]) for one in told] == [("Ana", "gm.revealed"), ("Bob", "gm.revealed")]
    assert again == []
    assert [(one.what, one.fields) for one in acts(table)] == [("reveal", {"what": "branch", "of": 2})]
    assert "a copy of this game in which moves can be tried (2)" in said(table.mail("Bob"))
    assert "uma cópia deste jogo para experimentar jogadas (2)" in said(table.mail("Ana"))
    shown = data(table, "game", "show", "1")
    assert faults("game-show", shown) == []
    assert [(one["what"], one["of"]) for one in shown["revealed"]] == [("branch", 2)]


def test_once_the_game_is_over_its_what_if_hides_nothing(set_table: SetTable) -> None:
    table = seated(set_table)
    data(table, "gm", "branch", "1")
    data(table, "gm", "finish", "1")

    assert tried(table, 2)
    assert None not in [one["text"] for one in data(table, "game", "log", "2")["log"]]
    assert "reveal" not in [one.what for one in acts(table)]


def test_no_secret_is_in_play_where_there_is_none(set_table: SetTable) -> None:
    table = seated(set_table, title="village")
    data(table, "gm", "branch", "1")

    assert tried(table, 2)
    table.tick()
    assert [notices(table, seat, "gm.revealed") for seat in (0, 1)] == [[], []]


def test_an_upgrade_leaves_a_what_if_alone_which_is_only_thrown_away_then(set_table: SetTable) -> None:
    table = seated(set_table)
    data(table, "gm", "branch", "1")
    with table.service.store.write() as session:
        games.save_game(session, structs.replace(games.get_game(session, 2), rules=0))

    found = data(table, "upgrade")

    assert [one["game"] for one in found["games"]] == [1]
    assert refused(table, "gm", "play", "2", "--seat", "0", "bid 1", "--reveal") == "branch.outdated"
    assert data(table, "gm", "discard", "2")["branch_of"] == 1


def test_a_what_if_is_made_of_a_game_that_has_ended_too(set_table: SetTable) -> None:
    table = seated(set_table)
    one_round(table)
    data(table, "gm", "finish", "1")

    with table.service.store.write() as session:
        made = branch(session, take_up(session, 1), None, table.now)

    assert made.live.running
    assert set(made.live.owed()) | {Seat(-1)} != {Seat(-1)} or made.live.owes_draw
    assert registry.load("bids").view(made.live.position.state, None).over is False
