"""Every rule of every title is claimed by a test, and every claim names a rule."""

import pytest

from tests.rules.claims import (
    Claim,
    ClaimError,
    claimants,
    load_claims,
    load_rules,
    read_claims,
    read_rules,
    too_broad,
    unknown,
)

LISTS = load_rules()

SOURCE = """
import pytest

@pytest.mark.rule("V-001", "V-002")
def test_one():
    pass

@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.rule("V-003", because="a long story")
def test_two(seats):
    pass

class TestMore:
    @pytest.mark.rule("V-004")
    def test_three(self):
        pass

def test_of_no_rule():
    pass
"""


@pytest.mark.parametrize("title", LISTS)
def test_every_rule_is_claimed(title: str) -> None:
    found = claimants(LISTS[title], load_claims())

    unclaimed = [rule for rule, tests in found.items() if not tests]

    assert [] == unclaimed


@pytest.mark.parametrize("title", LISTS)
def test_rules_are_numbered_without_a_gap(title: str) -> None:
    rules = LISTS[title]

    prefix = rules[0].split("-")[0]

    assert tuple(f"{prefix}-{number:03}" for number in range(1, len(rules) + 1)) == rules


def test_every_claim_names_a_rule() -> None:
    assert () == unknown(LISTS, load_claims())


def test_a_test_that_claims_many_rules_says_why() -> None:
    assert () == too_broad(load_claims())


def test_claims_are_read_without_running_a_test() -> None:
    claims = read_claims(SOURCE, "tests/test_x.py")

    expected = (
        Claim("tests/test_x.py::test_one", ("V-001", "V-002")),
        Claim("tests/test_x.py::test_two", ("V-003",), "a long story"),
        Claim("tests/test_x.py::TestMore::test_three", ("V-004",)),
    )
    assert expected == claims


def test_a_claim_must_be_plain_text() -> None:
    with pytest.raises(ClaimError, match="test_x: NAME is not plain text"):
        read_claims("@pytest.mark.rule(NAME)\ndef test_x(): ...", "test_x")


def test_a_rule_without_a_claim_is_found() -> None:
    claims = (Claim("test_x", ("V-001",)), Claim("test_y", ("V-001", "T-001")))

    found = claimants(("V-001", "V-002"), claims)

    assert {"V-001": ("test_x", "test_y"), "V-002": ()} == found


def test_a_claim_of_no_rule_is_found() -> None:
    claims = (Claim("test_x", ("V-001", "V-999")),)

    assert ("test_x: V-999",) == unknown({"village": ("V-001",)}, claims)


def test_six_claims_want_a_reason_and_five_do_not() -> None:
    five = tuple(f"V-00{number}" for number in range(5))
    six = (*five, "V-005")
    claims = (Claim("test_five", five), Claim("test_six", six), Claim("test_reasoned", six, "one story"))

    assert ("test_six",) == too_broad(claims)


def test_rules_are_the_numbered_items_of_a_list() -> None:
    text = "# Title\n\n- V-001 A rule\n  on two lines. [RB]\n- V-002 Another. [RB]\n- no rule V-003\n"

    assert ("V-001", "V-002") == read_rules(text)


def test_a_number_stands_once_in_a_list() -> None:
    with pytest.raises(ClaimError, match="twice in the list: V-001"):
        read_rules("- V-001 A rule.\n- V-001 Another.\n")
