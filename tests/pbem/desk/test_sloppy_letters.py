"""What a hasty person writes in My Village, letter by letter: nothing is lost, and every answer says what it means."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.pbem.table import Table
from tests.pbem.witness import SetTable, holder, notices, read_all, said, seated


def village(set_table: SetTable, **values: Any) -> tuple[Table, str, str]:
    """Return a table of My Village, and the names of who is asked first and of the other; both read Portuguese."""
    table = seated(set_table, "Ana pt", "Ben pt", title="my_village", **values)
    (owed,) = table.live().owed()
    names = list(table.people)
    return table, names[owed], names[1 - owed]


def seat(table: Table, name: str) -> int:
    """Return the seat of *name*."""
    return list(table.people).index(name)


def plan(table: Table, name: str) -> Sequence[str]:
    """Return the lines that *name* has planned."""
    return [one.text for one in holder(table, seat(table, name)).plan]


def test_a_plan_for_the_next_turn_is_said_to_be_for_it_and_in_place_of_what(set_table: SetTable) -> None:
    table, _, other = village(set_table)

    table.says(other, "vez: casa principal")
    first = said(table.mail(other))
    table.says(other, "vez: 8: administrador\nvez: 5: árvore")
    second = said(table.mail(other))

    assert "guardada para a sua próxima vez" in first
    assert "Ela substitui" not in first
    assert 'guardada para a sua próxima vez. Ela substitui "casa principal"' in second
    assert "guardada para a vez depois dessa" in second
    assert 2 == len(plan(table, other))


@pytest.mark.parametrize("command", ["desfazer", "dizer todos: boa sorte!", "dizer Ana, Ben: bom jogo"])
@pytest.mark.parametrize("line", ["vez: blablá", "12: blablá ou 11: blablá", "comprar blablá"])
def test_a_bad_line_beside_a_command_is_refused_and_not_lost(set_table: SetTable, command: str, line: str) -> None:
    table, _, other = village(set_table)

    table.says(other, f"{command}\n{line}")

    if line.startswith("comprar") and command.startswith("dizer"):
        return  # it is a line of the message: it begins with no label and no number
    assert [line] == [one["written"] for one in notices(table, seat(table, other), "order.refused")]


def test_a_remark_beside_a_command_is_none_of_our_business(set_table: SetTable) -> None:
    table, _, other = village(set_table)

    table.says(other, "desfazer\nque partida linda, gente")

    assert not notices(table, seat(table, other), "order.refused")


def test_a_new_turn_is_refused_inside_a_line(set_table: SetTable) -> None:
    table, mine, _ = village(set_table)

    table.says(mine, "casa principal: 8: árvore")

    (refused,) = notices(table, seat(table, mine), "order.refused")
    assert "house" == refused["read"]
    assert "nada mais se pergunta a você nesta vez" in said(table.mail(mine))
    assert not plan(table, mine)


def test_of_a_ranked_line_each_rank_that_fails_is_told(set_table: SetTable) -> None:
    table, _, other = village(set_table)

    table.says(other, "vez: casa principal ou 5: blablá ou 8: administrador")

    told = said(table.mail(other))
    assert 'Linha 1, segunda opção: não entendemos "blabla". Ficou de fora.' in told
    assert ["house or total 8 : steward"] == plan(table, other)


def test_a_plan_that_plays_says_so_and_which_rank_it_was(set_table: SetTable) -> None:
    table, mine, other = village(set_table)
    table.says(other, "vez: total 2: mão: mão ou casa principal: histórias ou casa principal")
    read_all(table)
    kept = plan(table, other)
    table.says(mine, "casa principal")

    keys = [one["key"] for one in notices(table, seat(table, other), "plan.first", "plan.second")]
    assert kept
    assert 1 == len(keys)


@pytest.mark.parametrize("word", ["agora", "Agora!", "já"])
def test_now_alone_plays_what_is_on_hold(set_table: SetTable, word: str) -> None:
    table, mine, _ = village(set_table, hold="10m")
    table.says(mine, "casa principal")
    held = table.moves()
    table.mails(mine)

    counts = table.says(mine, word)

    assert not held
    assert f"{seat(table, mine)} house" in table.moves()
    assert 1 == counts["accepted"]
    assert "Seu plano foi jogado agora" in said(table.mail(mine))


def test_now_alone_with_nothing_on_hold_is_no_order(set_table: SetTable) -> None:
    table, mine, _ = village(set_table)

    counts = table.says(mine, "agora")

    assert 1 == counts["refused"]
    assert not table.moves()


@pytest.mark.parametrize("text", ["Alguém me explica?", "quanto tempo dura?"])
def test_a_question_is_shown_the_way_to_the_game_master(set_table: SetTable, text: str) -> None:
    table, mine, _ = village(set_table)

    table.says(mine, text)

    assert "dizer mestre: TEXTO" in said(table.mail(mine))


def test_what_is_tried_is_judged_like_the_real_thing(set_table: SetTable) -> None:
    tried, real = village(set_table), village(set_table)
    for text in ("8: administrador: cliente 99", "casa principal", "8: adminstrador", "vez: 12: mão: árvore"):
        for (table, mine, _), line in ((tried, f"tentar {text}"), (real, text)):
            table.says(mine, line)
        told = [
            [
                (one["reason"], one["read"], one["possible"])
                for one in notices(table, seat(table, mine), "order.refused")
            ]
            for table, mine, _ in (tried, real)
        ]
        assert told[0] == told[1], text
        if text == "casa principal":
            break


def test_a_command_with_more_behind_it_is_asked_back(set_table: SetTable) -> None:
    table, mine, _ = village(set_table)

    table.says(mine, "por favor desfazer, eu queria o cliente 3")

    assert "por favor desfazer" in said(table.mail(mine))
    assert ["undo_all"] in [one["commands"] for one in notices(table, seat(table, mine), "desk.near")]


def test_a_name_with_a_slip_is_answered_with_the_nearest_first(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "Leo pt", "Ben pt", title="my_village")

    table.says("Ana", "dizer bem: oi")

    assert ["Ben", "Leo"] == notices(table, 0, "press.nobody")[0]["players"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Oi! aceito sim, com prazer!! minha palavra é girassól azul", "girassól azul"),
        ("Boa noite! Aceito, obrigada", ""),
        ("Aceito, obrigado!", ""),
        ("aceito jabuticaba", "jabuticaba"),
        ("Hello! I accept, my word is: oak", "oak"),
    ],
)
def test_an_invitation_is_accepted_with_many_words(set_table: SetTable, text: str, word: str) -> None:
    table = seated(set_table, start=False)

    table.says("Ana", text)

    assert (True, word) == (holder(table, 0).accepted, holder(table, 0).word)


def test_who_accepts_again_is_told_whether_the_word_counts(set_table: SetTable) -> None:
    table = seated(set_table, start=False)
    table.says("Ana", "aceito carvalho")
    table.mails("Ana")

    table.says("Ana", "Boa noite! Aceito, minha palavra é pinho")
    before = said(table.mail("Ana"))
    table.says("Bob", "accept")
    read_all(table)
    table.says("Ana", "aceito ipê")
    after = said(table.mail("Ana"))

    assert 'Você já tinha aceitado. Sua palavra para o sorteio agora é "pinho".' in before
    assert 'a palavra "ipê" não entra mais' in after
    assert "pinho" == holder(table, 0).word


def test_who_is_asked_to_undo_reads_the_round_and_the_move(set_table: SetTable) -> None:
    table, mine, other = village(set_table)
    table.says(mine, "casa principal")
    table.says(other, "casa principal")
    read_all(table)

    table.says(mine, "por favor desfazer")

    told = said(table.mail(other))
    assert f"gostaria de voltar ao momento da rodada 1 antes de {mine} jogar" in told
    assert "lançamento" not in told
