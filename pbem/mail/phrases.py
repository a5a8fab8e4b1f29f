"""
Phrases that mail programs write by themselves, as tables: footers, "… wrote", headers of the old mail, sign-offs.

They are a late signal: our marker line and the text of the mail that was answered come first and know no language.
"""

import re

# Whole lines, matched after folding of case; each ends where the line ends.
_FOOTERS = (
    r"sent (?:from|via|with|using) .{1,60}",
    r"get outlook for .{1,40}",
    r"download outlook for .{1,40}",
    r"enviad[oa] (?:do|da|de|a partir d[oea]|pelo|desde|com|con) .{1,60}",
    r"obt(?:er|enha) o outlook para .{1,40}",
    r"obtener outlook para .{1,40}",
    r"(?:diese nachricht wurde )?(?:von meinem .{1,60}|gesendet (?:von|mit|mithilfe) .{1,60})",
    r"(?:von meinem .{1,40} gesendet|outlook für .{1,40} (?:beziehen|herunterladen))",
    r"envoyé (?:de|depuis|à partir d|avec) ?.{1,60}",
    r"(?:obtenez|télécharger) outlook pour .{1,40}",
    r"inviato d(?:a|al|all'|alla|allo|ai) ?.{1,60}",
    r"scarica outlook per .{1,40}",
    r"verzonden (?:vanaf|via|met|vanuit) .{1,60}",
    r"(?:outlook voor .{1,40} downloaden|download outlook voor .{1,40})",
    r"wysłan[eoy] (?:z|za pomocą) .{1,60}",
    r"sendt fra .{1,60}",
    r"skickat från .{1,60}",
    r"lähetetty .{1,60}",
    r"odesláno (?:z|ze) .{1,60}",
    r"отправлено (?:с|из|от) .{1,60}",  # noqa: RUF001 - Cyrillic
    r"(?:this email has been checked for viruses|virus-free).{0,80}",
    r"(?:este e-?mail foi verificado|livre de vírus).{0,80}",
)
FOOTER = re.compile("|".join(f"(?:{pattern})" for pattern in _FOOTERS))

ADDRESS_OR_TIME = re.compile(r"\S@\S|\d{4}|\d{1,2}[:h.]\d{2}")
WROTE = re.compile(
    r"\b(?:wrote|writes|escreveu|escribió|escribio|schrieb|a écrit|ha scritto|schreef|napisała?|skrev|kirjoitti|"
    r"napsal|пишет|писал|написал|ha escrit|írta|yazdı|έγραψε)|写道|님이 작성"  # noqa: RUF001 - other alphabets
)

_LONGEST_RULE = 120
# A rule with words in it: "-----Original Message-----", "---------- Mensagem encaminhada ---------", "_____"
OLD_MAIL_RULE = re.compile(r"-{3,}\s?\w.{2,60}\w\s?-{3,}|_{20,}|-{20,}|begin forwarded message:?")
_FORWARDED = re.compile(
    r"[->\s]*(?:begin )?(?:forwarded message|mensagem (?:encaminhada|reencaminhada)|mensaje reenviado|"
    r"(?:anfang der )?weitergeleitete[nr]? (?:nachricht|e-?mail)|message (?:transféré|transmis)|"
    r"début du message (?:transféré|réexpédié)|"
    r"messaggio inoltrato|inizio messaggio inoltrato|doorgestuurd bericht|begin doorgestuurd bericht|"
    r"przekazana wiadomość|videresendt (?:melding|besked|e-post)|vidarebefordrat (?:meddelande|brev)|"
    r"início da mensagem (?:encaminhada|reencaminhada)|inicio del mensaje reenviado)\s*:?[-\s]*"
)
OLD_MAIL_HEADER = re.compile(r"[*_]{0,2}(?P<label>[^\W\d_][\w .\u0300-\u036f-]{0,14}?)[*_]{0,2}\s?:[*_]{0,2}\s+\S.*")
OLD_MAIL_LABELS = frozenset(
    [
        "from",
        "to",
        "cc",
        "bcc",
        "sent",
        "date",
        "subject",
        "reply-to",
        "de",
        "para",
        "enviado",
        "enviada",
        "data",
        "assunto",
        "cco",
        "fecha",
        "asunto",
        "von",
        "an",
        "gesendet",
        "datum",
        "betreff",
        "kopie",
        "à",
        "a",
        "envoyé",
        "objet",
        "da",
        "inviato",
        "oggetto",
        "van",
        "aan",
        "verzonden",
        "onderwerp",
        "od",
        "do",
        "wysłano",
        "temat",
        "fra",
        "til",
        "sendt",
        "emne",
        "från",
        "till",
        "skickat",
        "ämne",
    ],
)

SIGN_OFF = re.compile(
    r"(?:(?:best|kind|warm|many)?\s*(?:regards|wishes|thanks)|thank you|thanks|thx|cheers|best|sincerely|yours|bye|"
    r"obrigad[oa]|abraços?|abs|att|atenciosamente|cumprimentos|saudações|até mais|"
    r"saludos?|un saludo|gracias|atentamente|"
    r"(?:mit freundlichen|viele|liebe|beste|schöne)?\s*grüße[n]?|mfg|vg|lg|danke|"
    r"cordialement|bien à vous|merci|"
    r"(?:cordiali|distinti)? ?saluti|grazie|met vriendelijke groet(?:en)?|groetjes|pozdrawiam|hälsningar|mvh|hilsen)"
    r"\s*[,.!]*"
)
STOP_WORD = re.compile(r"#?(?:end|fim|fin|ende|fine)[.!]?")


def is_forward_rule(line: str) -> bool:
    """Return whether *line* says that a forwarded mail follows."""
    return len(line) <= _LONGEST_RULE and _FORWARDED.fullmatch(line.strip().casefold()) is not None
