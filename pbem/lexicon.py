"""
The words of one language for one title: verbs and labels of orders, and the names of things.

They stand in `templates/words/<language>/orders.toml` and `names.toml`, under the title's name. A game master's own
`templates` folder is looked at first; it needs to hold only what is different.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from engine.core.errors import GrammarError
from engine.core.grammar import Arg, Grammar, Verb
from pbem.errors import SettingsError

Words = tuple[str, ...]

_FILES = ("orders.toml", "names.toml")
_ADDED: list[Path] = []


class Name(Struct, frozen=True, forbid_unknown_fields=True):
    """
    What one thing or verb is called.

    `one`     the word that we say ourselves; `many` its plural, the same if empty
    `gender`  of the noun, where the language has one
    `also`    other words that a person may use for it
    `form`    of a verb: how a move is said whose words cannot just follow each other ("set the {} to {}")
    """

    one: str
    many: str = ""
    gender: Literal["", "m", "f"] = ""
    also: Words = ()
    form: str = ""

    @property
    def plural(self) -> str:
        """Return the word for several."""
        return self.many or self.one

    @property
    def words(self) -> Words:
        """Return every word for it, the one that we say first."""
        return (self.one, *((self.many,) if self.many else ()), *self.also)


class Service(Struct, frozen=True, forbid_unknown_fields=True):
    """
    Words that belong to no title; of several, the first is the one that we say.

    `heading`   stands before a colon and says nothing ("orders")
    `skip`      is passed over wherever it stands ("please"); `keep` is never passed over, though another language does
    `until`     stands before the last round of a condition, `during` before a number of rounds
    `greeting`  begins a line that is no order ("thanks")
    `doubt`     takes back or narrows what stands beside it ("not", "only if"): such a remark is never passed over
    `endings`   of a word that no file has -> what may stand in its place ("ando": "ar")
    `numbers`   a number in digits -> words for it ("two", "second")
    """

    any: Words = ()
    either: Words = msgspec.field(default=(), name="or")
    also: Words = msgspec.field(default=(), name="and")
    when: Words = ()
    until: Words = ()
    during: Words = ()
    now: Words = ()
    ask: Words = ()
    next: Words = ()
    heading: Words = ()
    skip: Words = ()
    keep: Words = ()
    greeting: Words = ()
    doubt: Words = ()
    endings: Mapping[str, Words] = {}
    numbers: Mapping[str, Words] = {}


class TitleWords(Struct, frozen=True, forbid_unknown_fields=True):
    """
    The order words of one title.

    `turn`    key of a seat's own turn, which the word for `next` means
    `skip`    passed over in this title only
    `labels`  key of a decision -> words before a colon that name it; two decisions may share one ("mass")
    `verbs`   canonical word -> its names
    `noise`   verb -> canonical words that a person adds to it though they change nothing ("grain" in `buy horse`)
    """

    turn: str = ""
    skip: Words = ()
    labels: Mapping[str, Words] = {}
    verbs: Mapping[str, Name] = {}
    noise: Mapping[str, Words] = {}


class Lexicon(Struct, frozen=True, eq=False):
    """
    All words of one language for one title; each is loaded once, so that two are equal only if they are the same.

    `names`  family -> canonical value -> name
    """

    language: str
    title: str
    service: Service
    orders: TitleWords
    names: Mapping[str, Mapping[str, Name]]

    def name(self, family: str, value: str) -> Name:
        """
        Return the name of *value*: of its own family, else of any that has it, else put together from its parts.

        A value that no file names is its own name.
        """
        found = self._find(family, value)
        if found is None and "-" in value:
            parts = [self._find(family, part) or Name(part) for part in value.split("-")]
            found = Name("-".join(part.one for part in parts))
        return found or Name(value)

    def verb(self, word: str) -> Name:
        """Return the name of the verb that is canonically written *word*."""
        return self.orders.verbs.get(word, Name(word))

    def label(self, key: str) -> str:
        """Return the word that names the decision *key* before a colon; the key itself if it has none."""
        return self.orders.labels.get(key, (key,))[0]

    def local_text(self, grammar: Grammar[Any], text: str) -> str:
        """Return the canonical *text* in the words of this language, token by token; the reader reads it back."""
        try:
            verb, values = split_text(grammar, text)
        except GrammarError:
            return text
        said = [value if arg.numbers else self.name(arg.family, value).one for arg, value in values]
        name = self.verb(verb.word)
        return name.form.format(*said) if name.form else " ".join([name.one, *said])

    def _find(self, family: str, value: str) -> Name | None:
        own = self.names.get(family, {}).get(value)
        return own or next((names[value] for names in self.names.values() if value in names), None)


def split_text(grammar: Grammar[Any], text: str) -> tuple[Verb[Any], tuple[tuple[Arg, str], ...]]:
    """
    Return the verb of a canonical *text*, and each of its tokens with the argument that it belongs to.

    Raises: GrammarError if it is no move of the title.
    """
    grammar.parse_move(text)
    word, *tokens = text.split(" ")
    verb = grammar.verb(word)
    assert verb is not None
    return verb, tuple(_spread(verb, tokens))


def _spread(verb: Verb[Any], tokens: list[str]) -> Iterator[tuple[Arg, str]]:
    rest = list(tokens)
    for arg in verb.args:
        while rest and arg.fits(rest[0]):
            yield arg, rest.pop(0)
            if not arg.many:
                break


def template_root() -> Path:
    """Return the folder of our own templates: inside the installed package if there, else beside it."""
    package = Path(__file__).parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def search_path(own: Path | None = None) -> tuple[Path, ...]:
    """Return the template folders in the order in which they are looked at; *own* is the game master's."""
    return (*((own,) if own else ()), template_root())


def add_words(folder: Path) -> None:
    """Look for words in *folder* too, `<language>/orders.toml`: those of a title that comes from elsewhere."""
    if folder not in _ADDED:
        _ADDED.append(folder)
        load_lexicon.cache_clear()


def added_folders() -> tuple[Path, ...]:
    """Return the folders of `add_words`."""
    return tuple(_ADDED)


def languages() -> tuple[str, ...]:
    """Return the languages that we have words for."""
    return tuple(sorted(file.parent.name for file in (template_root() / "words").glob(f"*/{_FILES[0]}")))


def base_language(tag: str) -> str:
    """Return the language of a tag such as `pt-BR`."""
    return tag.replace("_", "-").partition("-")[0].lower()


def known_language(tag: str) -> str:
    """
    Return the language of ours that *tag* means.

    Raises: SettingsError `words.language`.
    """
    language = base_language(tag)
    if language not in languages():
        raise SettingsError("words.language", language=tag, known=languages())
    return language


@cache
def load_lexicon(language: str, title: str, own: Path | None = None) -> Lexicon:
    """
    Return the words of *language* for *title*, those in the folder *own* before ours.

    Raises: SettingsError `words.language`, `words.file`.
    """
    if language not in languages():
        raise SettingsError("words.language", language=language, known=languages())
    orders: dict[str, Any] = {}
    names: dict[str, Any] = {}
    for folder in (template_root() / "words", *_ADDED, *(_words_folder(own) if own else ())):
        _merge(orders, _load_file(folder / language / _FILES[0]))
        _merge(names, _load_file(folder / language / _FILES[1]))
    try:
        return Lexicon(
            language,
            title,
            msgspec.convert(orders.get("words", {}), Service),
            msgspec.convert(orders.get(title, {}), TitleWords),
            msgspec.convert(names.get(title, {}), dict[str, dict[str, Name]]),
        )
    except msgspec.ValidationError as error:
        raise SettingsError("words.file", language=language, title=title, detail=str(error)) from error


def _words_folder(own: Path) -> tuple[Path, ...]:
    """Return where a folder of the game master, or of a title, has its words."""
    return (own / "words",) if (own / "words").is_dir() else (own,)


def _load_file(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError("words.file", file=str(file), detail=str(error)) from error


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Put the values of *more* over those of *into*, table by table."""
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value
