"""What a player may choose for himself."""

import pytest

from tests.pbem.witness import SetTable, holder, notices, read_all, said, seated, stake


@pytest.mark.parametrize(
    ("line", "value"),
    [("watch all", "all"), ("watch mine", "mine"), ("watch normal", "normal"), ("acompanhar tudo", "all"),
     ("Acompanhar: meu", "mine")],
)  # fmt: skip
def test_which_reports_come_is_chosen(set_table: SetTable, line: str, value: str) -> None:
    table = seated(set_table)

    table.says("Bob", line)

    assert holder(table, 1).watch == value
    assert value in said(table.mail("Bob"))


@pytest.mark.parametrize(
    ("line", "value"),
    [("acks few", "few"), ("acks all", "all"), ("respostas poucas", "few"), ("respostas: todas", "all")],
)
def test_which_letters_are_answered_is_chosen(set_table: SetTable, line: str, value: str) -> None:
    table = seated(set_table)

    table.says("Ana", line)

    assert holder(table, 0).acks == value
    assert table.mail("Ana").header("X-PBEM-Kind") == "help"


def test_with_few_answers_a_clean_and_complete_plan_is_not_answered(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "acks few")
    read_all(table)

    table.says("Bob", stake(table, "Bob"))

    assert holder(table, 1).plan != ()
    assert table.mails("Bob") == []


@pytest.mark.parametrize("text", ["stake {card}", "stake {card}: bid 1\ntip: tip 3", "bid 99"])
def test_with_few_answers_whatever_is_not_clean_and_complete_is_answered(set_table: SetTable, text: str) -> None:
    table = seated(set_table)
    table.says("Bob", "acks few")
    read_all(table)

    table.says("Bob", text.format(card=table.hand("Bob")[0]))

    assert table.mail("Bob").header("X-PBEM-Kind") in ("acknowledgement", "refusal")


@pytest.mark.parametrize(
    ("line", "language"),
    [("language pt", "pt"), ("language Português", "pt"), ("language portuguese", "pt"), ("idioma inglês", "en"),
     ("idioma: EN", "en"), ("language English", "en"), ("language pt-BR", "pt")],
)  # fmt: skip
def test_the_language_of_mails_is_chosen(set_table: SetTable, line: str, language: str) -> None:
    table = seated(set_table)

    table.says("Bob", line)

    words = {"pt": "Responda", "en": "Reply"}
    assert words[language] in said(table.mail("Bob"))


@pytest.mark.parametrize(
    ("line", "zone"),
    [("zone Europe/Lisbon", "Europe/Lisbon"), ("fuso São Paulo", "America/Sao_Paulo"),
     ("zone new york", "America/New_York"), ("timezone utc", "UTC"), ("zone: lisbon", "Europe/Lisbon")],
)  # fmt: skip
def test_times_are_shown_in_the_zone_that_was_chosen(set_table: SetTable, line: str, zone: str) -> None:
    table = seated(set_table)

    table.says("Bob", line)

    assert zone in said(table.mail("Bob"))
    assert notices(table, 1, "desk.setting")[0]["value"] == zone


@pytest.mark.parametrize("line", ["watch everything", "acks", "language klingon", "zone Mars", "zone", "language"])
def test_what_cannot_be_chosen_is_explained_and_changes_nothing(set_table: SetTable, line: str) -> None:
    table = seated(set_table)
    before = holder(table, 1)

    counts = table.says("Bob", line)

    assert counts["refused"] == 1
    answer = said(table.mail("Bob"))
    assert "so nothing was changed" in answer
    command, *_ = line.split()
    assert f'Write "{command}' in answer or f'for example "{command}' in answer
    assert holder(table, 1) == before


@pytest.mark.parametrize("line", ["new tag", "nova etiqueta"])
def test_a_new_tag_makes_the_old_one_worthless(set_table: SetTable, line: str) -> None:
    table = seated(set_table)
    old = table.last("Bob")

    table.says("Bob", line)
    answer = table.mail("Bob")
    table.post(table.reply("Bob", stake(table, "Bob"), to=old))
    counts = table.tick()
    refused = table.mail("Bob")
    table.says("Bob", stake(table, "Bob"), to=refused)

    assert "new secret" in said(answer)
    assert counts["refused"] == 1
    assert holder(table, 1).plan != ()


def test_a_letter_with_the_old_secret_is_told_so(set_table: SetTable) -> None:
    table = seated(set_table)
    old = table.last("Bob")
    table.says("Bob", "new tag")
    table.mails("Bob")

    table.post(table.reply("Bob", stake(table, "Bob"), to=old))
    table.tick()

    assert "from before your seat got a new secret" in said(table.mail("Bob"))
