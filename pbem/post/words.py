"""
The words that people read: Jinja macros for each language and title, as text and as HTML.

What the files hold is told in `pbem/post/voice.py`; where they lie, in `pbem/lexicon.py`.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2.bccache import Bucket

from pbem import lexicon
from pbem.desk.words import shown_word
from pbem.lexicon import base_language, languages, load_lexicon, search_path
from pbem.post.layout import WIDTH, glue
from pbem.post.voice import Reader, Source, Voice
from pbem.service import Service

__all__ = ["Reader", "Voice", "Words", "kept_words", "near_language", "words_of"]


class Words:
    """
    All languages and titles; made once, then asked for voices.

    `own`    the game master's folder of templates, which is looked at before ours, or None
    `cache`  a folder for compiled templates, or None
    """

    def __init__(self, own: Path | None = None, *, cache: Path | None = None) -> None:
        self._own = own
        self._said: dict[tuple[str, str], dict[str, str]] = {}
        self._text = _environment(search_path(own), cache, html=False)
        self._html = _environment(search_path(own), cache, html=True)

    def environment(self, *, html: bool) -> jinja2.Environment:
        """Return the environment of one of the two forms."""
        return self._html if html else self._text

    def voice(self, language: str, title: str = "", reader: Reader | None = None, *, html: bool = False) -> Voice:
        """Return the words of *language* (the nearest that we have) for *title*, which may be empty, and *reader*."""
        words = load_lexicon(near_language(language), title, self._own)
        said = self._said.setdefault((words.language, title), {})
        return Voice(Source(self.environment(html=html), words, self._own, said, html), reader or Reader())

    def order(self, language: str, command: str) -> str:
        """Return the word that asks the desk for *command* in *language*, or in the nearest that we have."""
        return shown_word(command, near_language(language), self._own)


@cache
def kept_words(own: Path | None, cache: Path | None = None) -> Words:
    """Return the words, compiled once in this process, and kept compiled in the folder *cache* for the next."""
    return Words(own, cache=cache)


def words_of(service: Service) -> Words:
    """Return the words of *service*, compiled once."""
    return kept_words(service.own_templates, service.compiled_templates)


def near_language(language: str) -> str:
    """Return the language of ours that is meant by a tag such as `pt-BR`; English if none is."""
    base = base_language(language)
    return base if base in languages() else "en"


class _Added(jinja2.BaseLoader):
    """Finds `words/…` in the folders of titles that come from elsewhere (`pbem.lexicon.add_words`)."""

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str | None, Any]:
        """Return the source of *template* and where it was found."""
        top, _, name = template.partition("/")
        folders = [str(folder) for folder in lexicon.added_folders()] if top == "words" else []
        return jinja2.FileSystemLoader(folders).get_source(environment, name or template)


def _capfirst(text: str) -> str:
    """Return *text* with a capital at its beginning."""
    return text if "@" in text else text[:1].upper() + text[1:]


class _Cache(jinja2.FileSystemBytecodeCache):
    """Compiled templates in a folder; where it cannot be read or written they are compiled anew."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template, if it is there."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, if there is room."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _cache(folder: Path, pattern: str) -> _Cache:
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return _Cache(str(folder), pattern)


def _environment(folders: Sequence[Path], cache: Path | None, *, html: bool) -> jinja2.Environment:
    pattern = "pbem_html_%s.cache" if html else "pbem_text_%s.cache"
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.FileSystemLoader([str(folder) for folder in folders]), _Added()]),
        autoescape=html,  # noqa: S701 - the other form is plain text
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=["jinja2.ext.do"],
        bytecode_cache=_cache(cache, pattern) if cache is not None else None,
    )
    environment.globals["width"] = WIDTH
    environment.filters |= {"capfirst": _capfirst, "glue": glue}
    return environment
