"""The letters of `tests/mail` at the gate."""

import pytest

from pbem.gate.bounces import read_bounce
from pbem.gate.chain import judge
from tests.mail.corpus import cases, facts_of, letter_of


@pytest.mark.parametrize("name", cases())
def test_verdict(name):
    case = cases()[name]

    ruling = judge(facts_of(letter_of(name), case.person))

    assert (case.verdict, case.key) == (ruling.verdict, ruling.key)


@pytest.mark.parametrize("name", [name for name, case in cases().items() if case.bounce is not None])
def test_bounce_tells_what_came_back(name):
    case = cases()[name]

    bounce = read_bounce(letter_of(name))

    assert case.bounce == (bounce.outcome, bounce.status, bounce.recipients[0], bounce.outbox)
    assert [12] == [tag.game for tag in bounce.tags]
