"""The parts that commands share: database, dispatcher, options, and writing files safely."""

import functools
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from domain.rules.permissions import READINGS
from ops.commands.casino import Casino, house_of
from ops.commands.saved_token import saved_token
from ops.commands.signed_on import Token
from ops.handlers.dispatcher import Dispatcher
from ops.ledger import files
from ops.ledger.database import Database, LedgerLost
from ops.ledger.recorder import Ledger

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
theme_option = click.option(
    "--theme",
    type=click.Choice(["dark", "light", "ansi"]),
    default="dark",
    show_default=True,
    help="For a dark room or a bright one, or in the terminal's own colours.",
)
_LOOKS = (
    *("db status", "db views", "projections status", "projections check"),
    *("audit verify", "audit prove", "audit key show"),
)
NEW_FILE = click.Path(dir_okay=False, writable=True, path_type=Path)


def database_of(ctx: click.Context) -> Database:
    """The database of this call; a command that only reads begins none."""
    database = Database(ctx.obj)
    if database.embedded:
        database.embedded.only_reads = _only_reads(" ".join(ctx.command_path.split()[1:]))
    return database


def _only_reads(command: str) -> bool:
    """Whether a command has nothing to show in a home without a house.

    >>> [_only_reads(each) for each in ("report wagers", "db status", "bet", "db up")]
    [True, True, False, False]
    """
    return command in (*READINGS, *_LOOKS) or command.partition(" ")[0] in ("report", "export")


def house_of_call(ctx: click.Context) -> str:
    """The address of the house server that was named; '' if none was."""
    return str(ctx.find_root().params.get("house") or "")


def say(words: str) -> None:
    """Prints a message to standard error, apart from the data."""
    click.echo(words, err=True)


def leave_down(database: Database) -> None:
    """From now on the embedded server is not started here if it was taken down on purpose."""
    if database.embedded:
        database.embedded.leaves_down = True


def with_database(command: Callable[..., Any]) -> Callable[..., Any]:
    """Passes the database to the command as its first argument."""

    @click.pass_context
    @functools.wraps(command)
    def call(ctx: click.Context, /, **options: Any) -> Any:
        try:
            return command(database_of(ctx), **options)
        except Exception as error:
            import psycopg

            if isinstance(error, psycopg.OperationalError):  # it broke where nobody put it in words
                raise LedgerLost(error) from error
            raise

    return call


def dispatcher_on(
    database: Database,
    channel: str,
    patience: float = 5.0,
    token: Token | None = None,
    *,
    made_up: bool = False,
) -> Dispatcher:
    """A dispatcher with a casino of its own, closed when the command ends.

    `made_up`: entries may be dated in the future. `token`: by default the saved one.
    """
    casino = Casino(Ledger(database), made_up=made_up)
    context = click.get_current_context(silent=True)
    if context:
        context.call_on_close(casino.close)
    return Dispatcher(casino, channel, patience, token=token or saved_token())


def ask_secret(words: str, *, unseen: bool) -> str:
    """Asks for a PIN or a code, which is never an argument."""
    typed: str = click.prompt(words, hide_input=unseen, err=True, default="", show_default=False)
    return typed


def currency_of(casino: Casino) -> str:
    """The currency of amounts."""
    return house_of(casino).currency


def require_screen(otherwise: str) -> None:
    """Raises a usage error if there is no screen or no keyboard."""
    dumb = os.environ.get("TERM", "dumb") in ("", "dumb", "unknown")
    if dumb or not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise click.UsageError(f"It needs a screen and a keyboard; {otherwise}.")


def require_place(ctx: click.Context, option: click.Parameter, file: Path | None) -> Path | None:
    """Raises a usage error, before anything is done, if the file cannot be created."""
    if file and not os.path.lexists(file):
        try:
            file.touch()
            file.unlink()
        except OSError as error:
            raise click.BadParameter(f"{file} cannot be written: {error.strerror}.") from None
    return file


@contextmanager
def ended_tidily() -> Iterator[None]:
    """Turns signals into SystemExit, so that half-written files are removed."""

    def end(by: int, _: object) -> NoReturn:
        sys.exit(128 + by)  # the exit status that shells use for a signal

    before = {each: signal.signal(each, end) for each in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for each, how in before.items():
            signal.signal(each, how)


def write_whole(file: Path, content: bytes, *, private: bool = False) -> None:
    """Writes a file completely or not at all, by way of a second file beside it.

    `private`: it has names or suspicions, so only its owner can read it.
    """
    try:
        if file.exists() and not file.is_file():
            file.write_bytes(content)
            return
        with ended_tidily():
            files.write_whole(file, content, private=private)
    except OSError as error:
        raise click.ClickException(f"{file} was not written: {error.strerror}.") from error
