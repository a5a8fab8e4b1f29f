"""
The album of a game: a static site that shows every position, for those who played it and those they show it to.

It opens from a file, without a server or anything from elsewhere. While the game runs it holds only what everybody may
know; once it has ended, all of it.
"""

from pathlib import Path
from typing import Any

from pbem.live import Live
from pbem.post.album.facts import album_facts
from pbem.post.album.folder import prepare_folder, write_files
from pbem.post.album.page import make_album
from pbem.post.words import words_of
from pbem.service import Service
from pbem.store.base import Session

__all__ = ["write_album"]


def write_album(session: Session, service: Service, live: Live, folder: Path, language: str) -> dict[str, Any]:
    """
    Write the album of the game into *folder* and return what was written.

    Raises: Refused `album.not-begun`, `album.file`, `album.foreign`, `album.unwritable`; LogError where the log does
            not replay.
    """
    facts = album_facts(session, service, live)
    prepare_folder(folder)
    made = make_album(facts, words_of(service), language, service.own_templates)
    write_files(folder, made.files)
    return {
        "game": live.game.id,
        "positions": made.positions,
        "files": list(made.files),
        "bytes": sum(map(len, made.files.values())),
    }
