"""What ends a letter, as tables: footers that mail programs and servers add, notices of companies, courtesies."""

import re

from pbem.mail.phrases import fold, table

_LONGEST = 200  # characters of a line that can be a phrase
_LONGEST_NOTICE = 2_000
_SHORTEST_NOTICE = 40
_LINK = re.compile(r"<(?:https?://|mailto:|#)[^<>]*>|\[(?:https?://|mailto:)[^\[\]]*\]", re.IGNORECASE)
_EDGE = " *_<>[]().!•·"

# Whole lines, matched without links and marks at their ends.
_FOOTERS = re.compile(
    table(
        (
            r"(?:sent|composed|written) (?:from|via|with|using|on) .{1,60}",
            r"(?:get|download) outlook for .{1,40}",
            r"enviad[oa] (?:do|da|de|a partir d[oea]|pel[oa]|desde|com|con|via|usando) .{1,60}",
            r"(?:obter|obtenha|baixe|baixar) o outlook para .{1,40}",
            r"(?:obtener|obtenga|descargar) outlook para .{1,40}",
            r"(?:diese nachricht wurde )?(?:von meinem .{1,60}|gesendet (?:von|mit|mithilfe|via|über|aus) .{1,60})",
            r"(?:von meinem .{1,40} gesendet|outlook für .{1,40} (?:beziehen|herunterladen))",
            r"holen sie sich outlook für .{1,40}",
            r"envoyé (?:de|depuis|à partir d|avec|par|via) ?.{1,60}",
            r"(?:obtenez|obtenir|téléchargez|télécharger) outlook pour .{1,40}",
            r"inviato (?:d(?:a|al|all'|alla|allo|ai)|con|tramite) ?.{1,60}",
            r"(?:scarica|ottieni) outlook per .{1,40}",
            r"ver(?:zonden|stuurd) (?:vanaf|via|met|vanuit) .{1,60}",
            r"(?:outlook voor .{1,40} downloaden|(?:download|verkrijg) outlook voor .{1,40})",
            r"wysłan[eoy] (?:z|za pomocą) .{1,60}",
            r"(?:pobierz|uzyskaj) program outlook .{1,40}",
            r"send[te]t? (?:fra|fra min|via|med) .{1,60}",
            r"(?:hent|få|skaffa|hämta) outlook (?:til|for|för) .{1,40}",
            r"skickat från .{1,60}",
            r"lähetetty .{1,60}",
            r"odesláno (?:z|ze|pomocí) .{1,60}",
            r"elküldve .{1,60}",
            r"trimis de pe .{1,60}",
            r"poslano (?:s|z|iz) .{1,60}",
            r".{1,40}'[a-z]{1,6} gönderildi",
            r"отправлено (?:с|из|от) .{1,60}",  # noqa: RUF001 - Cyrillic
            r"(?:надіслано|відправлено) (?:з|із) .{1,60}",
            r"στάλθηκε από .{1,60}",
            r".{1,40}から送信(?:されました)?",
            r"发自我的 ?.{1,40}",
            r"從我的 ?.{1,40}傳送",
            r"(?:获取|取得|下载) ?(?:适用于 ?.{1,40} ?的 ?)?outlook.{0,40}",
            r"(?:나의|내) ?.{1,40}에서 보냄",
            r"outlook for .{1,40}",
            r"yahoo mail: .{1,60}",
            r"yahoo ?mail.{0,40}(?:get the app|herunterladen|app)",
            r"inline image|imagem inline|imagen en línea|image en ligne",
            r"(?:image|imagem|imagen|bild|cid|inline image|immagine|afbeelding)\s?: ?.{0,150}",
            r".{1,60} (?:reacted (?:via|to)|reagiu (?:pelo|a|à)|reaccionó (?:desde|a)|a réagi (?:via|à)) .{1,40}",
            r".{1,60} hat (?:über|mit|auf) .{1,40} reagiert",
            r"(?:this (?:e-?mail|message) has been (?:checked|scanned) |virus-free).{0,80}",
            r"(?:este e-?mail foi (?:verificado|escaneado)|livre de vírus|não contém vírus|sem vírus).{0,80}",
            r"(?:libre de virus|diese e-?mail wurde von .{1,40} (?:geprüft|gescannt)|virenfrei).{0,80}",
            r"(?:garanti sans virus|sans virus|privo di virus|virusvrij).{0,80}",
            r"(?:crie|abra|tenha|create|get|erstellen|créez) .{0,40}(?:grátis|gratuit[oae]|free|kostenlos)\b.{0,80}",
            r"links?:|external links?:|ligações:|verweise:|liens ?:",
        )
    )
)

# A notice of a company: one word of each group in one long line.
_CONFIDENTIAL = re.compile(
    table((r"confiden[ct]i", r"vertraulich", r"privileged", r"sigilos", r"poufn", r"vertrouwelijk"))
)
_ADDRESSED = re.compile(
    table(
        (
            r"\b(?:e-?mail|message|communication|recipient|addressee|intended)\b",
            r"\b(?:mensage(?:m|ns)|mensaje|correo|destinat[aá]ri[oa]s?)\b",
            r"\b(?:nachricht|empfänger)",
            r"\b(?:messaggio|destinataire|bericht|ontvanger|wiadomość|odbiorc)",
        )
    )
)

_SIGN_OFFS = re.compile(
    r"(?:"
    + table(
        (
            r"(?:with )?(?:(?:best|kind|kindest|warm|warmest|many)? ?(?:regards|wishes|thanks))",
            r"(?:thanks|thank you|thx|ty|tks)(?: (?:a lot|again|in advance|(?:so|very) much|everyone|everybody|all))?",
            r"cheers|best|all the best|sincerely|yours(?: (?:sincerely|truly|faithfully))?|bye(?: bye)?|xoxo",
            r"take care|see you(?: (?:soon|later))?|good luck|love",
            r"(?:muito |muitíssimo )?(?:obrigad[oa]|grat[oa]|agradecid[oa])(?: (?:desde já|e abraços?))?",
            r"desde já,? (?:grat[oa]|obrigad[oa])|valeu|vlw|falou|flw|tchau|até (?:mais|logo|breve|já|a próxima)",
            r"(?:um |forte |grande )*(?:abraços?|abração|abs|abçs?|beijos?|bjs?|beijinhos?)(?: a todos)?",
            r"att|at\.?te|atenciosamente|cordialmente|respeitosamente|sinceramente",
            r"(?:com os melhores |melhores )?(?:cumprimentos|saudações)",
            r"saludos?(?: cordiales)?|un (?:cordial )?saludo|(?:muchas )?gracias|atentamente",
            r"(?:un )?abrazos?|besos|hasta (?:luego|pronto)",
            r"(?:mit )?(?:(?:freundlich|best|viel|herzlich|lieb|schön)en? )?grüße?n?",
            r"(?:(?:schön|lieb|best|viel|herzlich)en? )?gruß|mfg|vg|lg|bis (?:bald|dann)|tschüss?",
            r"danke(?: (?:schön|sehr|dir|euch))?|vielen dank",
            r"(?:bien )?cordialement|bien à (?:vous|toi)|amicalement|salutations|bises|à (?:bientôt|plus)",
            r"merci(?: (?:beaucoup|d'avance))?",
            r"(?:(?:cordiali|distinti|cari) )?saluti|(?:molte )?grazie(?: mille)?|un abbraccio|ciao",
            r"(?:met )?(?:(?:vriendelijke|hartelijke) )?groet(?:en|jes)?|bedankt|dank je(?: wel)?|mvg",
            r"z poważaniem|pozdrawiam|pozdrowienia|dzięki|dziękuję",
            r"(?:med )?(?:(?:vänliga|bästa) )?hälsningar|(?:med )?(?:venn?lig )?hilsen|mvh|vh|tack|takk?",
            r"terveisin|kiitos|s pozdravem|děkuji|díky|üdvözlettel|köszönöm",
            r"saygılarımla|teşekkürler|cu respect|mulțumesc",  # noqa: RUF001 - Turkish
            r"с уважением|спасибо|з повагою|дякую|με εκτίμηση|ευχαριστώ",  # noqa: RUF001 - other alphabets
            r"よろしく(?:お願い(?:し|いたし)ます)?|ありがとう(?:ございます)?|谢谢|此致|감사합니다",
        )
    )
    + r")(?P<name> ?[,.!:;-]+ ?.{0,30}?)?\W*"
)
_NAME = re.compile(r"(?:[^\W\d_]+\.?-?){1,3}(?: (?:[^\W\d_]+\.?-?){1,3})?")
STOP_WORD = re.compile(r"#?(?:end|fim|fin|ende|fine)[.!]?")


def is_footer(line: str) -> bool:
    """Return whether a mail program or server wrote *line* by itself, below what the person wrote or in its place."""
    if len(line) > _LONGEST_NOTICE:
        return False
    plain = _LINK.sub(" ", line).strip(_EDGE)
    if not plain:
        return _LINK.search(line) is not None
    folded = fold(plain)
    if len(folded) <= _LONGEST and _FOOTERS.fullmatch(folded):
        return True
    return len(folded) >= _SHORTEST_NOTICE and bool(_CONFIDENTIAL.search(folded) and _ADDRESSED.search(folded))


def is_sign_off(line: str) -> bool:
    """Return whether *line* is a courtesy that ends a letter, with or without the name."""
    match = _SIGN_OFFS.fullmatch(fold(line)) if len(line) <= _LONGEST else None
    if match is None:
        return False
    name = (match["name"] or "").strip(" ,.!:;-")
    return not name or _NAME.fullmatch(name) is not None


def is_stop_word(line: str) -> bool:
    """Return whether *line* is the word that ends a letter."""
    return len(line) <= _LONGEST and STOP_WORD.fullmatch(fold(line)) is not None
