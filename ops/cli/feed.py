"""`sabot feed`: commands as JSON Lines, each answered by one line, in order and at once."""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import BinaryIO

import click

from domain.rules.refusals import BadLine
from ops.cli.session import dispatcher_on, say, with_database
from ops.cli.signing import CLOSINGS, sign_after_closing
from ops.cli.starts import record_start
from ops.commands.read import Line, decode
from ops.commands.signed_on import Token
from ops.door.acknowledged import LinesHere
from ops.door.device import Device, device_of
from ops.door.lines import waiting_in
from ops.door.missing import show_missing
from ops.handlers.answer import Answer, refused
from ops.handlers.compared import compare_with, lines_of
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.numbered import taken
from ops.handlers.several import Heard
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from ops.proof.seen import record_of
from ops.words import show
from ops.words.failure import LOST


def _print_schema(ctx: click.Context, option: click.Parameter, asked: bool) -> None:
    """Prints the schema and ends the command, before a line or the ledger is read."""
    if asked and not ctx.resilient_parsing:
        from ops.commands.schema import text

        click.echo(text(), nl=False)
        ctx.exit()


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option(
    "--stop-on-error", is_flag=True, help="Stop at the first line that is refused or unreadable."
)
@click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=60.0,
    show_default=True,
    help="How many seconds to wait for a ledger that is lost.",
)
@click.option(
    "--key",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file with the key of a device, which numbers and signs the lines.",
)
@click.option(
    "--new-key",
    metavar="NUMBER",
    help="Make the key of the device with this number in the file of --key, and stop.",
)
@click.option(
    "--replayed-days",
    is_flag=True,
    help="Accept moments in the future: the lines are of recorded or made-up days.",
)
@click.option(
    "--late",
    is_flag=True,
    help="Every line happened at its own time and is entered late; each needs its `at`.",
)
@click.option(
    "--missing",
    is_flag=True,
    help="Print the lines acknowledged here that a restored record lacks, and stop.",
)
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_schema,
    help="Print the JSON Schema of commands, answers, events and errors, and stop.",
)
@with_database
def feed(
    database: Database,
    file: BinaryIO,
    stop_on_error: bool,
    patience: float,
    key: Path | None,
    new_key: str | None,
    replayed_days: bool,
    late: bool,
    missing: bool,
) -> None:
    """Read commands from FILE, or from standard input, one JSON object a line.

    Each line is answered by one line, in order. Lines that arrive together are recorded together.

    Nobody can type a PIN here. In a closed house a command for two people is refused, unless --key
    is of a device that was enrolled for it (sabot staff enrol --for-two).

    Exit status: 0 every line was accepted; 1 a line was refused; 2 a line could not be read; 3 the
    ledger was lost, or an answer could not be written. Answered lines are recorded;
    later lines may be recorded too. Send the same file again: a line with an id is recorded once.
    """
    device = device_of(key, new_key)
    if missing:
        sys.exit(_print_missing(database))
    token = Token(device.number, key=device.public) if device else None
    dispatcher = dispatcher_on(database, "feed", patience, token=token, made_up=replayed_days)
    acknowledged = lines_of(database)
    compare_with(acknowledged, dispatcher)
    if not file.seekable():  # a file ends by itself: only what stays open is a part that runs
        record_start(database, "feed", token=token)
    counted: Counter[str] = Counter()
    try:
        with _progress(file) as lines:
            numbered = map(device.numbered, lines) if device else lines
            heard = partial(_keep, acknowledged, device)
            answers = answers_to(
                dispatcher, numbered, until_refused=stop_on_error, late=late, heard=heard
            )
            _print_all(answers, counted, until_refused=stop_on_error)
    finally:
        if not sys.stdout.isatty() and sys.stderr.isatty():
            say(
                f"{counted['accepted']} accepted, {counted['refused']} refused, "
                f"{counted['unreadable']} unreadable"
            )
    if counted["closings"]:
        sign_after_closing(database)
    sys.exit(2 if counted["unreadable"] else 1 if counted["refused"] else 0)


def _print_missing(database: Database) -> int:
    """Prints the lines acknowledged here that are not on record; the exit status."""
    with closing(Ledger(database)) as ledger:
        with ledger.connection() as connection:
            record = record_of(connection)
        return show_missing(lines_of(database), record, ledger.used_ids, sys.stdout)


def _print_all(answers: Iterable[Answer], counted: Counter[str], *, until_refused: bool) -> None:
    for number, answer in enumerate(answers, 1):
        _print(answer, number)
        counted[_kind(answer)] += 1
        counted["closings"] += answer.ok and answer.command in CLOSINGS
        if until_refused and not answer.ok:
            break


def _print(answer: Answer, number: int) -> None:
    """Prints an answer at once; if that fails, ends the feed as for a lost ledger."""
    try:
        click.echo(str(answer))
    except OSError as error:
        with suppress(OSError):  # otherwise Python writes the rest again at its end, and complains
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        say(
            f"The answer to line {number} could not be written: {error.strerror}. It is recorded, "
            "and lines after it may be: send the file again with the same ids."
        )
        sys.exit(LOST)


def answers_to(
    dispatcher: Dispatcher,
    waiting: Iterable[list[bytes]],
    *,
    until_refused: bool = False,
    late: bool = False,
    heard: Heard = lambda _: None,
) -> Iterator[Answer]:
    """The answers to all lines, in order; lines that wait together are recorded together.

    `late`: every line is entered late, so one without `at` is refused. `heard`: as for
    `dispatch_several`.
    """

    def decided(lines: list[Line]) -> Iterator[Answer]:
        return taken(dispatcher, lines, until_refused=until_refused, heard=heard)

    numbers = count(1)
    for lines in waiting:
        readable: list[Line] = []
        for line, number in zip(lines, numbers, strict=False):
            try:
                readable.append(decode(line, number) | ({"late": True} if late else {}))
            except BadLine as refusal:
                yield from decided(readable)
                readable.clear()
                yield refused({}, refusal).also_with(line=number)
        yield from decided(readable)


def _keep(
    acknowledged: LinesHere, device: Device | None, answered: Iterable[tuple[Line, Answer]]
) -> None:
    """Keeps those of these lines that were recorded, in one piece."""
    acknowledged.note(recorded_lines(answered, device))


def recorded_lines(
    answered: Iterable[tuple[Line, Answer]], device: Device | None
) -> Iterator[tuple[str, Line, int]]:
    """The lines that were recorded and that the house knows by an id, each with its position."""
    for line, answer in answered:
        name = device.id_of(line) if device else line.get("id")
        if answer.ok and answer.position and isinstance(name, str):
            yield name, line, answer.position


def _kind(answer: Answer) -> str:
    """The word under which an answer is counted."""
    if answer.ok:
        return "accepted"
    return "unreadable" if answer.error == BadLine.__name__ else "refused"


@contextmanager
def _progress(file: BinaryIO) -> Iterator[Iterable[list[bytes]]]:
    """The lines, in groups; with a progress bar if the answers go to a file."""
    if sys.stdout.isatty() or not sys.stderr.isatty() or not file.seekable():
        yield waiting_in(file)
        return
    from rich.progress import Progress

    size = file.seek(0, 2)
    file.seek(0)
    with Progress(console=show.console(err=True)) as bar:
        task = bar.add_task("feed", total=size)
        yield waiting_in(file, lambda read: bar.advance(task, read))
