"""What is an address, and how a server is told it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.addresses import encode_domain, is_address


@pytest.mark.parametrize(
    "address",
    [
        "ana@example.org", "ana+g1.s2.d3.abc@example.org", "o'neil@example.org", '"ana b"@example.org', '"a,b"@c.test',
        "joão@example.org", "ana@exêmplo.example", "用户@例子.example", "ana@[127.0.0.1]", "ana@[IPv6:::1]",
        "a@localhost",
    ],
)  # fmt: skip
def test_an_address(address):
    assert is_address(address)


@pytest.mark.parametrize(
    "text",
    [
        "", "ana", "@example.org", "ana@", "a b@c", "a@b c", "a@b>", "<a@b>", "a@b\r\nDATA", "a@b\n", "a\x00@b",
        "a@b, c@d", "a@b@c", "a@b;", "a(x)@b", "a\u202eb@c", "a\u200bb@c", "a\ud800@b", '"a"b@c"', "a" * 250 + "@b.cd",
    ],
)  # fmt: skip
def test_no_address(text):
    assert not is_address(text)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("Ana@Example.org", "Ana@Example.org"),
        ("ana@exêmplo.example", "ana@xn--exmplo-jva.example"),
        ("joão@exêmplo.example", "joão@xn--exmplo-jva.example"),
        ("ana@EXÊMPLO.example", "ana@xn--exmplo-jva.example"),
        ("ana@exe\u0302mplo.example", "ana@xn--exmplo-jva.example"),
        ("ana@straße.example", "ana@xn--strae-oqa.example"),
        ("ana@例子。example", "ana@xn--fsqu00a.example"),
    ],
)
def test_a_domain_is_said_in_ascii(address, said):
    assert encode_domain(address) == said


@given(st.text(st.characters(categories=("L", "N"), min_codepoint=0x80, max_codepoint=0xFFFF), min_size=1, max_size=20))
def test_a_domain_in_ascii_stays_as_it_is(label):
    said = encode_domain(f"a@{label}.example")

    assert said.isascii()
    assert encode_domain(said) == said
