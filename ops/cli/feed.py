"""`sabot feed`: commands as JSON Lines, one answer a line, in order, flushed at once."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any, BinaryIO, TextIO

import click

from domain.rules.refusals import BadLine
from ops.cli.session import dispatcher_on, say, with_database
from ops.commands.authority import Token
from ops.commands.read import decode
from ops.handlers.answer import Answer, refused
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.words import show
from ops.words.failure import LOST

PIECE = 1 << 16  # bytes that are read at once


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

    Lines that wait already are recorded together, and answered then; a line that comes alone is
    answered at once.

    In a closed house nobody can type a PIN here: what takes two people is refused, unless --key is
    that of a device that was enrolled for it (sabot staff enrol --for-two).

    Exit status: 0 every line accepted, 1 any refused, 2 any unreadable, 3 the ledger was lost, or
    an answer could not be written; what was answered stays recorded, and so may be lines that
    waited with it. The same file may be sent again: a line with an id counts once.
    """
    token = Token.read(key.read()) if key else None
    dispatcher = dispatcher_on(database, "feed", patience, token=token, made_up=replayed_days)
    counted: Counter[str] = Counter()
    try:
        with _progress(file) as lines:
            answers = answers_to(dispatcher, lines, until_refused=stop_on_error)
            for number, answer in enumerate(answers, 1):
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
            f"The answer to line {number} could not be written: {error.strerror}. It is recorded, "
            "and lines behind it may be: send the file again with the same ids."
        )
        sys.exit(LOST)


def answers_to(
    dispatcher: Dispatcher, waiting: Iterable[list[bytes]], *, until_refused: bool = False
) -> Iterator[Answer]:
    """The answers to all lines, in order; those that wait together are appended together."""
    numbers = count(1)
    for lines in waiting:
        readable: list[dict[str, Any]] = []
        for line, number in zip(lines, numbers, strict=False):
            try:
                readable.append(decode(line, number))
            except BadLine as refusal:
                yield from dispatcher.dispatch_several(readable, until_refused=until_refused)
                readable.clear()
                yield Answer({**refused({}, refusal).body, "line": number})
        yield from dispatcher.dispatch_several(readable, until_refused=until_refused)


def _kind(answer: Answer) -> str:
    if answer.ok:
        return "accepted"
    return "unreadable" if answer.body["error"] == BadLine.__name__ else "refused"


@contextmanager
def _progress(file: BinaryIO) -> Iterator[Iterable[list[bytes]]]:
    """The lines, with a bar for people when the answers go elsewhere."""
    if sys.stdout.isatty() or not sys.stderr.isatty() or not file.seekable():
        yield waiting_in(file, lambda _: None)
        return
    from rich.progress import Progress

    size = file.seek(0, 2)
    file.seek(0)
    with Progress(console=show.console(err=True)) as bar:
        task = bar.add_task("feed", total=size)
        yield waiting_in(file, lambda read: bar.advance(task, read))


def waiting_in(file: BinaryIO, heard: Callable[[int], None]) -> Iterator[list[bytes]]:
    """The lines as they come: all that wait already at once, and one that comes alone alone."""
    rest = b""
    while piece := file.read1(PIECE):  # type: ignore[attr-defined]  # what is there, and no more
        *lines, rest = (rest + piece).split(b"\n")
        if lines:
            yield [line + b"\n" for line in lines]
        heard(len(piece))
    if rest:
        yield [rest]
