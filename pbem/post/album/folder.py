"""The folder of an album: only an empty one, or one that holds an album already, is written into."""

import errno
import os
from collections.abc import Mapping
from pathlib import Path

from pbem.errors import Refused

DATA = "data.js"
DATA_BEGINS = b"window.album = "
EXPORT = "game.pbem"
FONTS = ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf", "LICENSE-DejaVu.txt")
FILES = (DATA, "index.html", "album.js", "album.css", EXPORT, *FONTS)
"""All files that an album can have, the one that it is known by first."""

MOST_NAMED = 3


def prepare_folder(folder: Path) -> None:
    """
    Make *folder* if it is not there, and see that an album can be written into it.

    Raises: Refused `album.file`, `album.foreign`, `album.unwritable`.
    """
    if folder.is_file():
        raise Refused("album.file", folder=str(folder))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = sorted(one.name for one in folder.iterdir())
        begins = (folder / DATA).read_bytes()[: len(DATA_BEGINS)] if DATA in there else b""
    except OSError as error:
        raise Refused("album.unwritable", folder=str(folder), reason=error.strerror or "") from error
    foreign = there if begins != DATA_BEGINS else [one for one in there if one not in FILES]
    if foreign:
        raise Refused("album.foreign", folder=str(folder), files=tuple(foreign[:MOST_NAMED]))
    if not os.access(folder, os.W_OK):
        raise Refused("album.unwritable", folder=str(folder), reason=os.strerror(errno.EACCES))


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """
    Write *files* into *folder*, which is there; what an older album had and this one has not is taken away.

    Raises: Refused `album.unwritable`.
    """
    try:
        for name in FILES:
            if name in files:
                (folder / name).write_bytes(files[name])
            else:
                (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise Refused("album.unwritable", folder=str(folder), reason=error.strerror or "") from error
