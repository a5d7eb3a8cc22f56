"""`sabot audit program`: the installed files, their digest, and the starts on record."""

import json
import sys
from collections.abc import Iterator
from datetime import date

import click
from msgspec import Struct, to_builtins

from domain.rules.addresses import parse_day
from ops import VERSION
from ops.cli.session import json_option, with_database
from ops.commands.house_events import house
from ops.ledger import clock
from ops.ledger.database import Database
from ops.ledger.installed import Difference, as_released, differences, installed
from ops.ledger.starts import Start, last_start, starts_of
from ops.words import show
from ops.words.failure import Failure, in_words

_MOST = 20  # files that are named on a screen; JSON has all of them


class Checked(Struct):
    """What is installed here, and what the record and the installer say of it."""

    ok: bool
    version: str
    digest: str
    files: int
    day: str | None = None  # of `starts`; None if the ledger could not be read
    recorded: Start | None = None  # the newest start of this version
    starts: list[Start] = []
    differing: list[Difference] = []
    not_checked: list[str] = []


@click.command()
@click.option("--day", help="List the starts of this gaming day; default today's.")
@json_option
@with_database
def program(database: Database, day: str | None, as_json: bool) -> None:
    """Show the version and the SHA-256 of the installed files, and which parts were started.

    The digest is compared with the last recorded start of the same version, and each file with the
    installer's list, if there is one. Exit status 1 if one of them differs.

    It can be computed without Sabot, in the directory that has the packages:

    \b
    find domain ops projections -type f ! -path '*/__pycache__/*' |
        LC_ALL=C sort | xargs sha256sum | sha256sum
    """
    chosen = parse_day(day) if day else None
    now, released = installed(), as_released()
    checked = Checked(ok=True, version=VERSION, digest=now.digest, files=len(now.files))
    if released:
        checked.differing = differences(now, released)
    else:
        checked.not_checked.append(
            "There is no installer's list of files here, as in a checkout, so no file was compared."
        )
    status = 0
    try:
        _compare(database, chosen, checked)
    except Failure as error:
        checked.not_checked.append(f"The recorded starts were not read: {in_words(error)}")
        status = error.status
    checked.ok = not checked.differing and _as_recorded(checked)
    if as_json:
        click.echo(json.dumps(to_builtins(checked)))
    else:
        for line in _lines(checked):
            click.echo(line)
    sys.exit(status if checked.ok else 1)


def _compare(database: Database, day: date | None, checked: Checked) -> None:
    """Reads the starts on record. Raises LedgerLost, NotFit, UnreadableEvent."""
    with database.session("sabot_auditor") as connection:
        day = day or house(connection).clock.day_of(clock.wall_clock())
        checked.starts = starts_of(connection, day)
        checked.recorded = last_start(connection, checked.version)
        checked.day = day.isoformat()
    if checked.recorded is None:
        checked.not_checked.append(
            f"No start of version {checked.version} is on record to compare the digest with."
        )


def _as_recorded(checked: Checked) -> bool:
    return checked.recorded is None or checked.recorded.digest == checked.digest


def _lines(checked: Checked) -> Iterator[str]:
    yield f"Sabot {checked.version}, {show.count(checked.files, 'file')}"
    yield f"SHA-256 {checked.digest}"
    if last := checked.recorded:
        verdict = "the same files" if _as_recorded(checked) else f"OTHER FILES: {last.digest}"
        yield f"Last recorded start of this version, #{last.position:,}: {verdict}"
    for each in checked.differing[:_MOST]:
        yield f"BAD   {each.file}: {each.fault}"
    if more := checked.differing[_MOST:]:
        yield f"BAD   and {show.count(len(more), 'more file')}"
    yield from (f"Not checked: {each}" for each in checked.not_checked)
    if checked.day:
        yield f"Starts on {checked.day}: {len(checked.starts):,}"
    for start in sorted(checked.starts, key=lambda each: (each.part, each.table, each.position)):
        yield _line(start, checked.digest)


def _line(start: Start, digest: str) -> str:
    same = "the same files" if start.digest == digest else f"other files: {start.digest}"
    where = " ".join(filter(None, (start.part, start.table, "on", start.machine)))
    return f"#{start.position:,}  {start.at:%H:%M:%S} UTC  {where}: Sabot {start.version}, {same}"
