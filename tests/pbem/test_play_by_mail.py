"""The test title, played by mail from the invitation to the end."""

from collections.abc import Callable
from datetime import timedelta

from pbem.report import verify_game
from tests.pbem.table import Table, text_of

SetTable = Callable[..., Table]


def two(set_table: SetTable, **values: object) -> Table:
    table = set_table("Ana pt", "Bob en", **values)
    table.tick()
    return table


def answer_rounds(table: Table, rounds: int = 60) -> None:
    """Let both answer whatever they are asked, by number, until the game is over."""
    for _ in range(rounds):
        if table.live().game.status == "over":
            return
        for name in ("Ana", "Bob"):
            if any(one.header("X-PBEM-Kind") == "report" for one in table.mails(name)):
                table.post(table.reply(name, "1\n1"))
        table.tick()


def test_an_invitation_tells_the_commitment_and_starts_when_all_accept(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", start=False)
    table.tick()
    invitation = table.mail("Ana")

    table.says("Ana", "aceito jabuticaba")
    waiting = table.mail("Ana")
    table.mails("Bob")
    table.says("Bob", "accept")

    assert invitation.header("X-PBEM-Kind") == "invitation"
    assert table.live().game.commitment in text_of(invitation).replace("\n", "").replace(" ", "")
    assert "Bob" in text_of(waiting)
    assert table.live().game.words == ("jabuticaba",)
    assert table.live().game.status == "running"
    assert table.mail("Ana").header("X-PBEM-Kind") == "report"


def test_a_declined_invitation_calls_the_game_off(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", start=False)
    table.tick()

    table.says("Bob", "decline")

    assert table.live().game.status == "aborted"
    assert "Bob" in text_of(table.mails("Ana")[-1])


def test_sealed_answers_wait_for_all_and_are_entered_in_seat_order(set_table: SetTable) -> None:
    table = two(set_table)
    high, low = table.hand("Ana")[0], table.hand("Bob")[0]
    table.mails("Ana")

    table.says("Bob", f"stake {low}: bid 1")
    assert table.moves() == []
    assert table.mails("Ana") == []
    assert table.mails("Bob")[-1].header("X-PBEM-Kind") == "acknowledgement"

    table.says("Ana", f"apostar {high}: oferecer 2")

    assert table.moves()[:4] == [f"0 stake {high}", "0 bid 2", f"1 stake {low}", "1 bid 1"]


def test_half_an_answer_is_kept_and_the_rest_is_asked(set_table: SetTable) -> None:
    table = two(set_table)
    card = table.hand("Bob")[0]
    table.mails("Bob")

    table.says("Bob", f"stake {card}")
    answer = table.mail("Bob")
    table.says("Bob", "bid 3")

    assert "bid" in text_of(answer)
    assert answer.header("X-PBEM-Decision")
    assert table.live().holders[1].plan[0].choices[0][0] == f"stake {card}"
    assert len(table.live().holders[1].plan) == 2


def test_a_whole_game_by_mail_is_verified(set_table: SetTable) -> None:
    table = two(set_table)

    answer_rounds(table)

    assert table.live().game.status == "over"
    with table.service.store.read() as session:
        assert verify_game(session, table.live())["verified"]
    final = text_of(table.last("Bob"))
    assert table.live().game.seed.hex() in final.replace("\n", "").replace(" ", "")


def test_nobody_reads_the_others_secrets(set_table: SetTable) -> None:
    table = two(set_table)
    seed = table.live().game.seed.hex()

    answer_rounds(table, rounds=6)

    for to, raw in table.server.taken:
        assert seed.encode() not in raw or table.live().game.status == "over"
        others = [one.address for one in table.people.values() if one.address != to]
        assert not any(other.encode() in raw for other in others)


def test_a_default_is_played_after_the_clock_and_told_to_all(set_table: SetTable) -> None:
    table = two(set_table, clock="24h")
    card = table.hand("Ana")[0]
    table.says("Ana", f"apostar {card}: oferecer 2")
    table.mails("Ana")

    table.tick(after=timedelta(hours=19))
    reminder = table.mails("Bob")[-1]
    table.tick(after=timedelta(hours=6))

    assert reminder.header("X-PBEM-Kind") == "reminder"
    assert table.moves()[2].startswith("1 stake")
    assert "Bob" in text_of(table.mails("Ana")[-1])


def test_an_order_that_arrived_in_time_counts_however_late_it_is_fetched(set_table: SetTable) -> None:
    table = two(set_table, clock="24h")
    card = table.hand("Bob")[1]
    table.says("Ana", f"apostar {table.hand('Ana')[0]}: oferecer 0")

    table.post(table.reply("Bob", f"stake {card}: bid 5"), when=table.now + timedelta(hours=23))
    table.tick(after=timedelta(hours=30))

    assert f"1 stake {card}" in table.moves()
    assert "1 bid 5" in table.moves()


def test_a_hold_lets_an_order_be_changed_until_it_is_over(set_table: SetTable) -> None:
    table = two(set_table, hold="10m")
    first, second = table.hand("Bob")
    table.says("Ana", f"apostar {table.hand('Ana')[0]}: oferecer 0: agora")
    table.says("Bob", f"stake {first}: bid 1")
    table.says("Bob", f"stake {second}: bid 2")
    assert table.moves() == []

    table.tick(after=timedelta(minutes=11))

    assert "1 bid 2" in table.moves()
    assert "1 bid 1" not in table.moves()


def test_a_bot_answers_without_mail(set_table: SetTable) -> None:
    table = set_table("Ana pt", "bot:random", "bot:greedy")
    table.tick()
    card = table.hand("Ana")[0]

    table.says("Ana", f"apostar {card}: oferecer 1")

    seats = {one.split()[0] for one in table.moves()}
    assert seats == {"0", "1", "2"}


def test_an_answer_ahead_is_played_when_its_time_comes(set_table: SetTable) -> None:
    table = two(set_table)
    table.says("Bob", f"stake {table.hand('Bob')[0]}: bid 5\ntip: tip 0")
    table.says("Ana", f"apostar {table.hand('Ana')[0]}: oferecer 0")

    assert "1 tip 0" in table.moves()
