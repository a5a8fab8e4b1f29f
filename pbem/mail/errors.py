"""
Errors of the mail layer.

::

    MailError
    ├── MailboxError          reading (IMAP)
    │   ├── MailboxDown       cannot be reached, or the connection died: try in the next pass
    │   ├── MailboxRefused    the login was refused: the GM must act
    │   ├── MailboxReadOnly   letters can be read, but not moved: they stay where they are
    │   └── LetterGone        this UID is no longer in the mailbox: go on with the next
    ├── SmtpError             sending
    │   ├── SmtpDown          cannot be reached: try in the next pass
    │   └── SmtpRefused       the login was refused: the GM must act
    └── ServerMissing         the embedded server needs packages that are not installed

No message holds a secret; `host` and `port` say where it happened.
"""


class MailError(Exception):
    """Anything the mail layer raises on purpose."""


class MailboxError(MailError):
    """Something about reading the mailbox."""


class MailboxDown(MailboxError):
    """The mailbox cannot be reached, or the connection died; nothing is lost, the next pass tries again."""


class MailboxRefused(MailboxError):
    """The mailbox refused our login; trying again without a change will not help."""


class MailboxReadOnly(MailboxError):
    """The server lets us move no letter: a mailbox that can only be read, a full or forbidden folder; reading works."""


class LetterGone(MailboxError):
    """The letter with this UID is no longer in the mailbox (moved or deleted by somebody else)."""


class SmtpError(MailError):
    """Something about sending."""


class SmtpDown(SmtpError):
    """The SMTP server cannot be reached or is not ready; nothing was sent."""


class SmtpRefused(SmtpError):
    """The SMTP server refused our login; trying again without a change will not help."""


class ServerMissing(MailError):
    """The embedded server needs packages that are not installed; the message names the extra."""
