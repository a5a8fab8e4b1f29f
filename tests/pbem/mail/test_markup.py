"""HTML to lines."""

import pytest

from pbem.mail.markup import html_lines

PLACES = {"": "", "old": "~", "signature": "="}


def lines(markup: str) -> list[str]:
    return [">" * line.depth + PLACES[line.place] + line.text for line in html_lines(markup) if line.text]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("a<br>b<BR/>c", ["a", "b", "c"]),
        ("<p>a</p><p>b</p>", ["a", "b"]),
        ("<div>a<div>b</div>c</div>", ["a", "b", "c"]),
        ("<ul><li>a<li>b</ul>", ["a", "b"]),
        ("<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>", ["a b", "c"]),
        ("take <b>green</b>\n   council", ["take green council"]),
        ("a &amp; b&nbsp;&lt;c&gt; &#233; &bogus;", ["a & b <c> é &bogus;"]),
        ("<pre>a\n  b\nc</pre>", ["a", "b", "c"]),
        ("a<!-- <p>b</p> -->c<!-- never closed", ["ac"]),
        ("<!DOCTYPE html><?xml x?><![if !mso]>a<![endif]>", ["a"]),
        ("<script>x<p></script><style>p {}</style>a<title>t</title>", ["a"]),
        ("a<script>b", ["a"]),
        ("1 < 2 and 3 > 2", ["1 < 2 and 3 > 2"]),
        ("a<", ["a<"]),
        ("a<p", ["a"]),
        ("</>a</ p>b", ["ab"]),
        ('<a title="x > y" href="z">a</a>', ["a"]),
        ('<a title="never closed>a</a>', ["a"]),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", [">a", ">>b", "c"]),
        ("<blockquote>a<div>b</blockquote>c</div></blockquote>d", [">a", ">b", "c", "d"]),
        ('<div class="x yahoo_quoted">a<div>b</div></div>c', ["~a", "~b", "c"]),
        ('a<div id="divRplyFwdMsg">b</div>c', ["a", "~b", "~c"]),
        ("a<div id=x_divRplyFwdMsg>b</div><blockquote>c</blockquote>d", ["a", "~b", ">~c", "~d"]),
        ('a<div id="appendonsend"></div>c', ["a", "c"]),
        ('a<div class="gmail_signature" dir="ltr">b<p>c</div>d', ["a", "=b", "=c", "d"]),
        ("<div id=Signature>a</div>b", ["=a", "b"]),
        ("<div id='AppleMailSignature'>a</div>b", ["=a", "b"]),
        ('<div title="my signature">a</div>', ["a"]),
        ('<div class="protonmail_quote">a<blockquote>b</blockquote>c</div>', ["a", ">b", "c"]),
        ("<style>\u0130 p {}</style>a<script>\u0130\u0130</SCRIPT>b", ["ab"]),
        ('<div style="x:y; DISPLAY : none">a<p>b</p></div>c', ["c"]),
        ('<img style="display:none">a', ["a"]),
        ("", []),
    ],
)
def test_lines(markup, expected):
    assert expected == lines(markup)
