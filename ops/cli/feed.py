"""`sabot feed`: commands as JSON Lines, one answer a line, in order, flushed at once."""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, TextIO

import click

from domain.rules.refusals import BadLine
from ops.cli.session import dispatcher_on, say, with_database
from ops.commands.authority import Token
from ops.commands.read import decode
from ops.handlers.dispatcher import Answer, Dispatcher, refused
from ops.ledger.database import Database
from ops.words import show
from ops.words.failure import LOST


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--stop-on-error", is_flag=True, help="Stop at the first line that is not accepted.")
@click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=15.0,
    show_default=True,
    help="Seconds to wait for a ledger that is gone before giving up.",
)
@click.option(
    "--key",
    type=click.File("r", encoding="utf-8", errors="replace"),
    help="A file with a device's key, NUMBER:CODE, from its enrolment.",
)
@click.option(
    "--replayed-days",
    is_flag=True,
    help="The lines are of recorded or made-up days, whose moments may lie ahead of the clock.",
)
@with_database
def feed(
    database: Database,
    file: BinaryIO,
    stop_on_error: bool,
    patience: float,
    key: TextIO | None,
    replayed_days: bool,
) -> None:
    """Read FILE, or standard input, one command a line.

    In a closed house nobody can type a PIN here: what takes two people is refused, unless --key is
    that of a device that was enrolled for it (sabot staff enrol --for-two).

    Exit status: 0 every line accepted, 1 any refused, 2 any unreadable, 3 the ledger was lost, or
    an answer could not be written; what was answered stays recorded, and the same file may be
    sent again.
    """
    token = Token.read(key.read()) if key else None
    dispatcher = dispatcher_on(database, "feed", patience, token=token, made_up=replayed_days)
    counted: Counter[str] = Counter()
    try:
        with _progress(file) as lines:
            for number, line in enumerate(lines, 1):
                answer = answer_to(dispatcher, line, number)
                _print(answer, number)
                counted[_kind(answer)] += 1
                if stop_on_error and not answer.ok:
                    break
    finally:
        if not sys.stdout.isatty() and sys.stderr.isatty():
            say(
                f"{counted['accepted']} accepted, {counted['refused']} refused, "
                f"{counted['unreadable']} unreadable"
            )
    sys.exit(2 if counted["unreadable"] else 1 if counted["refused"] else 0)


def _print(answer: Answer, number: int) -> None:
    """One line, at once. Where it cannot be written the feed ends, as of a lost ledger."""
    try:
        click.echo(str(answer))
    except OSError as error:
        with suppress(OSError):  # or Python tries to write the rest once more, and complains
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        say(
            f"The answer to line {number} could not be written: {error.strerror}. What was "
            "answered stays recorded; send the file again with the same ids."
        )
        sys.exit(LOST)


def answer_to(dispatcher: Dispatcher, line: bytes, number: int) -> Answer:
    """The answer to one raw line."""
    try:
        read = decode(line, number)
    except BadLine as refusal:
        return Answer({**refused({}, refusal).body, "line": number})
    return dispatcher.dispatch(read)


def _kind(answer: Answer) -> str:
    if answer.ok:
        return "accepted"
    return "unreadable" if answer.body["error"] == BadLine.__name__ else "refused"


@contextmanager
def _progress(file: BinaryIO) -> Iterator[Any]:
    """The lines, with a bar for people when the answers go elsewhere."""
    if sys.stdout.isatty() or not sys.stderr.isatty() or not file.seekable():
        yield iter(file.readline, b"")
        return
    from rich.progress import wrap_file

    size = file.seek(0, 2)
    file.seek(0)
    with wrap_file(file, size, description="feed", console=show.console(err=True)) as lines:
        yield lines
