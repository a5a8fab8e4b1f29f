"""The pictures of one mail: the position as its reader may see it, and after the end where the points came from."""

import hashlib
import shutil
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from pbem.post.draw import Picture, pictures
from pbem.post.draw.chart import score_chart
from pbem.post.facts import MailFacts
from pbem.post.mime import Image
from pbem.post.voice import Voice


def illustrate(facts: MailFacts, voice: Voice, host: str, kept: Path | None = None) -> tuple[Image, ...]:
    """
    Return the pictures of *facts*, the chart of a finished game first; only a report has some.

    *voice* speaks plain text. *host* ends their Content-IDs. *kept* is a folder for what was drawn this month.
    """
    if facts.kind != "report" or facts.view is None or not facts.pictures:
        return ()
    shown: tuple[Picture, ...] = pictures(facts.title, facts.view, voice)
    if facts.over and not facts.over.void and facts.history:
        shown = (score_chart(facts.history, voice), *shown)
    folder = month_folder(kept, facts.now) if kept is not None and shown else None
    return tuple(_image(one, host, folder) for one in shown)


def _image(picture: Picture, host: str, folder: Path | None) -> Image:
    from pbem.post.draw.png import png_of  # noqa: PLC0415 - slow to import, and most passes draw nothing

    png = png_of(picture.svg, folder)
    mark = hashlib.sha256(png).hexdigest()[:16]
    return Image(picture.name, f"{picture.name}.{mark}@{host}", picture.alt, png)


def month_folder(kept: Path, now: datetime) -> Path:
    """Return the folder for the pictures of this month; those of months before are taken away."""
    folder = kept / f"{now:%Y-%m}"
    if not folder.exists():
        with suppress(OSError):
            for old in kept.iterdir():
                shutil.rmtree(old, ignore_errors=True)
    return folder
