"""Orders: what is taken, kept, refused; the second choice; stale answers."""

from datetime import timedelta

from tests.pbem.witness import SetTable, command, holder, notices, read_all, said, seated, stake


def missing(table: object, name: str) -> int:
    """Return a card that *name* does not hold."""
    return next(card for card in range(1, 10) if card not in table.hand(name))  # type: ignore[attr-defined]


def test_a_line_whose_second_choice_was_played_is_taken(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Ana", stake(table, "Ana", 1))
    table.says("Bob", f"{stake(table, 'Bob', 6)}\ntip: tip 0 or keep")
    read_all(table)

    assert "1 keep" in table.moves()


def test_a_letter_with_a_second_choice_counts_as_accepted(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Ana", stake(table, "Ana", 1))

    counts = table.says("Bob", f"stake {missing(table, 'Bob')}: bid 1 or {stake(table, 'Bob', 2)}")

    assert "1 bid 2" in table.moves()
    assert counts["accepted"] == 1
    assert [one["key"] for one in notices(table, 1, "order.taken", "plan.second")] == ["plan.second", "order.taken"]


def test_a_refused_line_says_what_is_possible_instead(set_table: SetTable) -> None:
    table = seated(set_table)
    card = missing(table, "Bob")

    counts = table.says("Bob", f"stake {card}")

    mail = table.mail("Bob")
    assert counts["refused"] == 1
    assert mail.header("X-PBEM-Kind") == "refusal"
    assert f'Line 1 "stake {card}" was not played: there is no card {card} to play' in said(mail)
    assert f"stake {table.hand('Bob')[0]}" in said(mail)


def test_good_lines_stand_beside_a_bad_one(set_table: SetTable) -> None:
    table = seated(set_table)

    counts = table.says("Bob", f"{stake(table, 'Bob')}\ntip: tip 3")

    assert counts["kept"] == 1
    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]
    assert [one["line"] for one in notices(table, 1, "order.refused")] == [2]


def test_a_line_is_kept_until_all_have_answered_or_until_it_is_asked(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", f"{stake(table, 'Bob')}\ntip: tip 0")

    mail = said(table.mail("Bob"))
    assert f'"{stake(table, "Bob")}": kept until all have answered.' in mail
    assert '"tip: tip 0": kept for later' in mail


def test_a_part_of_an_answer_waits_for_all_too(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", f"stake {table.hand('Bob')[0]}")
    first = said(table.mail("Bob"))
    table.says("Bob", "bid 2")

    assert "kept until all have answered" in first
    assert '"bid 2": kept until all have answered' in said(table.mail("Bob"))


def test_a_line_that_is_held_or_of_a_paused_game_does_not_wait_for_others(set_table: SetTable) -> None:
    held, paused = seated(set_table, hold="10m"), seated(set_table)
    command(paused, "gm", "pause", "1")

    for table in (held, paused):
        table.says("Bob", stake(table, "Bob"))

        assert "kept for later" in said(table.last("Bob"))


def test_a_later_letter_replaces_the_lines_for_the_same_decision_only(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", f"{stake(table, 'Bob', 1)}\ntip: keep")

    table.says("Bob", stake(table, "Bob", 4))

    assert [(one.key, one.choices) for one in holder(table, 1).plan] == [
        ("bids.tip", (("keep",),)),
        ("bids.stake", ((f"stake {table.hand('Bob')[0]}", "bid 4"),)),
    ]


def test_an_answer_to_a_settled_question_is_stale(set_table: SetTable) -> None:
    table = seated(set_table)
    old = table.last("Bob")
    for name in table.people:
        table.says(name, stake(table, name))
    read_all(table)
    entries = table.log()

    table.post(table.reply("Bob", "stake 5: bid 3", to=old))
    table.tick()

    assert "it answers the question of an earlier mail" in said(table.mail("Bob"))
    assert table.log() == entries
    assert holder(table, 1).plan == ()


def test_an_answer_ahead_to_an_old_mail_still_counts(set_table: SetTable) -> None:
    table = seated(set_table)
    old = table.last("Bob")
    table.says("Bob", stake(table, "Bob"))

    table.post(table.reply("Bob", "tip: keep", to=old))
    table.tick()

    assert {one.key for one in holder(table, 1).plan} == {"bids.stake", "bids.tip"}


def test_a_number_means_the_list_of_the_mail_that_is_answered(set_table: SetTable) -> None:
    table = seated(set_table)
    hand = sorted(set(table.hand("Bob")))

    table.says("Bob", "2")

    assert holder(table, 1).plan[0].choices == ((f"stake {hand[1]}",),)


def test_a_held_plan_is_told_until_when(set_table: SetTable) -> None:
    table = seated(set_table, hold="10m")

    table.says("Bob", stake(table, "Bob"))

    assert "Your lines are played on Monday 2 March, 12:12 (UTC)" in said(table.mail("Bob"))
    assert holder(table, 1).held_until == table.now + timedelta(minutes=10)


def test_now_skips_the_hold(set_table: SetTable) -> None:
    table = seated(set_table, hold="10m")

    for name, word in (("Ana", "agora"), ("Bob", "now")):
        table.says(name, f"{stake(table, name)}: {word}")

    assert len(table.moves()) >= 4
