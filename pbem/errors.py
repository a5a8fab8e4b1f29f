"""
What the service raises, and the exit code of each.

    PbemError                   70  has a key and fields; the sentence is made elsewhere
    ├── Refused                  1  understood, but it cannot be done, or a check failed
    ├── Misuse                   2  the command line does not say what to do
    │   └── SettingsError        2  neither does `pbem.toml`, or the environment
    └── TryLater                75  a mailbox, a server or the store cannot be had just now; nothing is lost

A `PbemError` that is none of the others, and any other exception, is our own fault (70). Ctrl-C is 130. The mail layer
has its own tree in `pbem/mail/errors.py`, the engine in `engine/core/errors.py`. No field holds a secret.
"""

from enum import IntEnum
from typing import ClassVar

from engine.core.types import Fields, FieldValue


class Exit(IntEnum):
    """What the command line answers to the shell."""

    DONE = 0
    REFUSED = 1
    MISUSE = 2
    FAULT = 70
    TRY_LATER = 75
    INTERRUPTED = 130


class PbemError(Exception):
    """The root; `key` names the reason, `fields` its arguments."""

    exit: ClassVar[Exit] = Exit.FAULT

    def __init__(self, key: str, /, **values: FieldValue) -> None:
        self.key = key
        self.fields: Fields = tuple(values.items())
        shown = " ".join(f"{name}={value}" for name, value in self.fields)
        super().__init__(f"{key} {shown}".rstrip())


class Refused(PbemError):
    """What was asked is clear, but it cannot be done here and now; or a check failed."""

    exit = Exit.REFUSED


class Misuse(PbemError):
    """The command line does not say what to do."""

    exit = Exit.MISUSE


class SettingsError(Misuse):
    """A setting is missing, unknown or cannot be read; the field `key` names it as `section.key`."""


class TryLater(PbemError):
    """Something outside cannot be had just now; the next pass tries again and nothing is lost."""

    exit = Exit.TRY_LATER


def exit_code(error: BaseException) -> Exit:
    """Return the exit code for *error*."""
    if isinstance(error, PbemError):
        return error.exit
    return Exit.INTERRUPTED if isinstance(error, KeyboardInterrupt) else Exit.FAULT
