"""
How mail programs head an old mail, as tables: "… wrote", headers, rules, the words of a forwarded mail.

They are a late signal: our marker line and the text of the mail that was answered come first and know no language. All
tables are folded as the lines are (`fold`), so that an accent or an ß more or less does not matter. What ends a letter
is in `endings`.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

_LONGEST = 200  # characters of a line that can be a phrase
_LONGEST_HEADER = 2_000
_FOLDED = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("`\xb4\u2018\u2019\u201a\u201b", "'"),
    **dict.fromkeys("\xab\xbb\u201c\u201d\u201e\u201f", '"'),
}
_SIGNS = re.compile(f"[{''.join(_FOLDED)}]")
# Combining marks of the scripts that the tables are written in, and of Japanese.
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0487\u3099\u309a]+")


@lru_cache(2_000)
def fold(text: str) -> str:
    """Return *text* as it is compared: case, accents, dashes, quotation marks, width and space folded."""
    if not text.isascii():
        plain = _SIGNS.sub(lambda match: _FOLDED[match[0]], text)
        text = _MARKS.sub("", unicodedata.normalize("NFKD", plain).casefold())
    return " ".join(text.lower().split())


def table(patterns: Iterable[str]) -> str:
    r"""Return *patterns* as one, with their words folded; they may hold no escape in capitals such as `\S`."""
    return "|".join(f"(?:{fold(pattern)})" for pattern in patterns)


ADDRESS = re.compile(r"[^\s<>@\"']@[^\s<>@\"']")
TIME = re.compile(r"\d{4}|\d{1,2}[:h.]\d{2}")
DATE = re.compile(r"(?<!\d)\d{4}(?!\d)|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b")
_VERBS = (
    *("wrote", "writes", "escreveu", "disse", "escribió", "escribe", "schrieb", "a écrit", "ha scritto", "schreef"),
    *("napisała?", "pisze", "skrev", "skrifaði", "kirjoitti", "napsala?", "napísala?", "ha escrit", "a scris"),
    *("írta", "yazdı", "έγραψε", "je napisao", "menulis", "đã viết", "пишет", "писала?", "написала?", "пише"),  # noqa: RUF001
)
WROTE = re.compile(
    rf"\b(?:{table(_VERBS)})\b|" + table(("写道", "寫道", "のメール", "書きました", "님이 작성", "작성"))
)
CITED = re.compile(
    table(("quoting", "citando", "citando a", "zitat von", "quoting from", "citat (?:från|fra)", "cytowanie", "quoted"))
    + r"\b"
)
"""How an introduction begins that has no verb."""

_ENDS = (":", ">")

_RULE = re.compile(r"-{3,}\s?\w.{2,60}\w\s?-{3,}|_{20,}|-{20,}")
_DRAWN = re.compile(r"[-_=~*#.·\s|]{2,}")
_FORWARDED_WORDS = table(
    (
        "(?:begin )?forwarded (?:message|mail)",
        "mensage(?:m|ns) (?:encaminhadas?|reencaminhadas?)",
        "início da mensagem (?:encaminhada|reencaminhada)",
        "mensaje (?:reenviado|original reenviado)",
        "inicio del mensaje reenviado",
        "(?:anfang der )?weitergeleitete[nr]? (?:nachricht|e-?mail)",
        "message (?:transféré|transmis|réexpédié)",
        "début du message (?:transféré|réexpédié)",
        "(?:inizio )?messaggio inoltrato",
        "(?:begin )?doorgestuurd bericht",
        "(?:początek )?przekazan(?:a|ej) wiadomoś(?:ć|ci)",
        "(?:start på )?videresendt (?:melding|besked|e-post|meddelelse)",
        "(?:start på |början på )?vidarebefordrat (?:meddelande|brev)",
        "(?:välitetty|edelleenlähetetty) viesti",
        "(?:začátek přeposlané|přeposlaná) zpráv[ay]",
        "iletilen (?:ileti|mesaj)",
        "пересылаемое сообщение",
        "начало переадресованного сообщения",
        "转发的邮件",
        "転送されたメッセージ",
        "전달된 메시지",
    )
)
_FORWARDED = re.compile(
    rf"[->\s]*(?:{_FORWARDED_WORDS})(?: (?:from|de|von|da|van) .{{1,80}}?)?(?:\s*:?[-\s]*|\s?-{{3,}} .*)"
)
_FORWARD_END = re.compile(
    r"[->\s]*(?:end (?:of )?(?:the )?forwarded (?:message|mail)|"
    + table(("fim da mensagem (?:encaminhada|reencaminhada)", "fin del mensaje reenviado"))
    + "|"
    + table(("ende der weitergeleiteten (?:nachricht|e-?mail)", "fin du message (?:transféré|réexpédié)"))
    + r")[-\s]*"
)

_HEADER = re.compile(r"[*_]{0,2}(?P<label>[^\W\d_][\w .'()-]{0,24}?)[*_]{0,2}\s?[:\uff1a][*_]{0,2}\s*\S.*")
# From, to, copy, sent, date, subject, answer to, in one language a line.
_LABELS = frozenset(
    fold(label)
    for labels in (
        "from, to, cc, bcc, sent, sent at, date, subject, reply-to",
        "de, para, cco, enviado, enviada, enviados, enviadas, enviado em, enviada em, data, data de envio, assunto",
        "de, para, responder a, enviado el, enviado a las, fecha, fecha de envío, asunto",
        "von, an, gesendet, gesendet am, datum, betreff, kopie, antwort an",
        "de, à, envoyé, envoyé le, date d'envoi, objet, copie à, répondre à",
        "da, a, inviato, inviato il, oggetto, rispondi a",
        "van, aan, verzonden, verzonden op, onderwerp, beantwoorden",
        "od, do, dw, wysłano, data wysłania, temat",
        "fra, til, kopi, sendt, dato, emne",
        "från, till, kopia, skickat, skickades, ämne",
        "lähettäjä, vastaanottaja, kopio, lähetetty, päivämäärä, aihe",
        "komu, kopie, odesláno, datum odeslání, předmět",
        "feladó, címzett, másolatot kap, elküldve, dátum, tárgy",
        "kimden, gönderen, kime, alıcı, bilgi, gönderildi, gönderilme, tarih, konu",  # noqa: RUF001 - Turkish
        "от, кому, копия, отправлено, дата, тема, отправитель, получатель",
        "від, кому, копія, надіслано, дата, тема",
        "από, προς, κοιν, στάλθηκε, ημερομηνία, θέμα",
        "de la, către, trimis, subiect",
        "发件人, 收件人, 抄送, 发送时间, 日期, 时间, 主题",
        "寄件者, 收件者, 副本, 寄件日期, 傳送時間, 主旨",
        "差出人, 送信者, 宛先, 送信日時, 日時, 日付, 件名",
        "보낸 사람, 보낸사람, 받는 사람, 받는사람, 참조, 보낸 날짜, 날짜, 제목",
    )
    for label in labels.split(", ")
)
_GLUED = re.compile(r"(?P<label>[^\W\d_]{2,12}):\s?\S")
_GLUED_LABELS = 3


def is_introduction(text: str, names: Sequence[str] = ()) -> bool:
    """
    Return whether *text*, right above a quote, introduces it, in any language.

    Of these it has two: an address, a time or one of *names* (how we are called, folded); a verb or a word for quoting;
    the end of an introduction.
    """
    folded = fold(text)
    is_sourced = has_source(text, names)
    says_so, ends = _says_so(folded), folded.endswith(_ENDS)
    is_bare = folded.startswith(tuple(names)) and TIME.search(folded) is not None
    return (is_sourced and (says_so or ends)) or (says_so and ends) or is_bare


def is_full_introduction(text: str, names: Sequence[str] = ()) -> bool:
    """Return whether *text* introduces a quote even where none is marked: it has all signs, and tells who wrote."""
    folded = fold(text)
    is_signed = any(name in folded for name in names) or (ADDRESS.search(text) and TIME.search(text))
    return bool(is_signed) and _says_so(folded) and folded.endswith(_ENDS)


def has_source(text: str, names: Sequence[str] = ()) -> bool:
    """Return whether *text* has what an introduction tells: an address, a time, or one of *names*."""
    if ADDRESS.search(text) or TIME.search(text):
        return True
    folded = fold(text)
    return any(name in folded for name in names)


def _says_so(folded: str) -> bool:
    return WROTE.search(folded) is not None or CITED.match(folded) is not None


def has_verb(text: str) -> bool:
    """Return whether *text* holds a word for writing, as introductions of quotes do."""
    return WROTE.search(fold(text)) is not None


@lru_cache(2_000)
def is_header(line: str) -> bool:
    """Return whether *line* has the form of a header, "Label: value", whatever the label."""
    return len(line) <= _LONGEST_HEADER and _HEADER.fullmatch(line) is not None


@lru_cache(2_000)
def is_known_header(line: str) -> bool:
    """Return whether *line* is a header of a mail as mail programs write it above the old one."""
    match = _HEADER.fullmatch(line) if len(line) <= _LONGEST_HEADER else None
    return match is not None and fold(match["label"]) in _LABELS


def is_glued_headers(line: str) -> bool:
    """Return whether *line* holds several headers of a mail whose line ends were lost, and begins with one."""
    if not is_known_header(line):
        return False
    labels = [fold(match["label"]) for match in _GLUED.finditer(line[:_LONGEST_HEADER])]
    known = [label for label in labels if any(label.endswith(one) for one in _ENGLISH_LABELS)]
    return len(known) >= _GLUED_LABELS


_ENGLISH_LABELS = ("from", "to", "sent", "date", "subject", "de", "para", "enviado", "assunto")


def is_rule(line: str) -> bool:
    """Return whether *line* is a rule that may stand above an old mail: "-----Original Message-----", "_____"."""
    return len(line) <= _LONGEST and _RULE.fullmatch(line) is not None


def is_drawn(line: str) -> bool:
    """Return whether *line* holds nothing but a drawn rule or bullets."""
    return len(line) <= _LONGEST and _DRAWN.fullmatch(line) is not None


def is_forward_rule(line: str) -> bool:
    """Return whether *line* says that a forwarded mail follows."""
    return len(line) <= _LONGEST_HEADER and _FORWARDED.fullmatch(fold(line)) is not None


def is_forward_end(line: str) -> bool:
    """Return whether *line* says that a forwarded mail ends."""
    return len(line) <= _LONGEST and _FORWARD_END.fullmatch(fold(line)) is not None
