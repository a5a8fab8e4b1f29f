"""All commands together, and the exit codes."""

import sys
import traceback
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.core.errors import EngineError
from pbem.cli import demo, game, gm, house, mail, people, running, setup, status, tables
from pbem.cli.output import print_error, print_json, refusal, sentence
from pbem.cli.shared import Invocation
from pbem.errors import Exit, PbemError, exit_code
from pbem.mail.errors import MailboxDown, MailError, SmtpDown

app = typer.Typer(
    name="pbem",
    help="Board games by e-mail, run by a game master from a mailbox.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name, about in (
    ("demo", demo.demo),
    ("mailserver", demo.mailserver),
    ("init", setup.init),
    ("doctor", setup.doctor),
    ("tick", running.tick),
    ("fetch", running.fetch),
    ("judge", running.judge),
    ("time", running.time),
    ("send", running.send),
    ("watch", running.watch),
    ("status", status.status),
    ("tables", tables.tables),
    ("backup", house.backup),
    ("restore", house.restore),
    ("purge", house.purge),
    ("upgrade", house.upgrade),
):
    app.command(name)(about)
app.add_typer(game.app, name="game", help="Games: open, look at, verify, export, import.")
app.add_typer(gm.app, name="gm", help="Moderation: each act is told to those concerned and put on record.")
app.add_typer(
    people.app, name="people", help="Persons over all games: addresses, habits, how they answer, who is blocked."
)
app.add_typer(mail.app, name="mail", help="Letters that came and mails that go, with the reason for each state.")


@app.callback()
def _common(
    context: typer.Context,
    config: Annotated[
        Path | None, typer.Option(help="The pbem.toml to use; else $PBEM_CONFIG, else the one right here.")
    ] = None,
) -> None:
    context.obj = Invocation(config)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    sys.exit(int(run(words)))


def run(words: list[str]) -> int:
    """Return the exit code of the command in *words*."""
    try:
        commands()(words)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else Exit.DONE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except (EngineError, PbemError) as error:
        return _refuse(error, words)
    except MailError as error:
        print_error(str(error))
        return Exit.TRY_LATER if isinstance(error, MailboxDown | SmtpDown) else Exit.REFUSED
    except Exception:  # noqa: BLE001 - the last door: our own fault
        traceback.print_exc()
        return Exit.FAULT
    return Exit.DONE


@cache
def commands() -> Any:  # noqa: ANN401 - the class is one of typer's own
    """Return all commands as they are run, put together once."""
    return typer.main.get_command(app)


def _refuse(error: EngineError | PbemError, words: list[str]) -> int:
    if "--json" in words:
        print_json(refusal(error))
    print_error(sentence(error))
    return exit_code(error) if isinstance(error, PbemError) else Exit.REFUSED
