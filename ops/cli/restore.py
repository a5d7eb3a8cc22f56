"""`sabot db restore`: a new ledger from a backup, and what is lost by it."""

import json
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO

import click
from msgspec import to_builtins

from ops.backup.archive import Archive
from ops.backup.encrypted import private_key
from ops.backup.restoring import Restore, Restored, Target
from ops.cli.backup import (
    DIRECTORY,
    against_option,
    bytes_bar,
    config_option,
    key_option,
    key_text,
)
from ops.cli.session import json_option, say
from ops.ledger.files import data_home
from ops.words import show


@click.command()
@click.option("--from", "source", type=DIRECTORY, required=True, help="The backup's directory.")
@key_option
@click.option(
    "--to",
    "target",
    metavar="MOMENT|POSITION",
    help="Restore to this moment, as in 2026-11-27T20:14:07+01:00, or to this event and what was "
    "recorded with it.",
)
@click.option("--into", type=DIRECTORY, help="A new home; without it, the one of this account.")
@click.option(
    "--remembering",
    "old",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    metavar="HOME",
    help="The home that was lost, if it can be read: what it knows to be signed and acknowledged "
    "is brought too, and keys that the backup lacks.",
)
@config_option
@against_option
@json_option
def restore(
    source: Path,
    key_file: IO[str] | None,
    target: str | None,
    into: Path | None,
    old: Path | None,
    config: str | None,
    against: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Make a new ledger from a backup, start and verify it, and show what is lost by it.

    Without --to everything that the backup has is restored. A home that is in use is refused, also
    one whose ledger is on another server. Give the home that was lost with --remembering: only so
    the new one knows what it lacks. Exit status 1 if the backup is not good or the restored record
    is not whole.

    \b
    Example: sabot db restore --from /mnt/backup --key key.txt --into /srv/new
                 --remembering /srv/old
    """
    home = (into or data_home()).resolve()
    archive = Archive(source)
    key = private_key(key_text(key_file))
    with bytes_bar("restoring") as (_, count):
        every = Restore(archive, key, say, count, config or "", old and old.resolve())
        restored = every.into(home, _target(target), list(against))
    if as_json:
        click.echo(json.dumps({"ok": restored.ok, "home": str(home), **to_builtins(restored)}))
    else:
        for line in restored_lines(restored, home):
            click.echo(line)
    sys.exit(0 if restored.ok else 1)


def _target(text: str | None) -> Target:
    """What is typed after --to. Raises a usage error."""
    if text is None:
        return Target()
    if text.lstrip("#").replace(",", "").isdecimal():
        return Target(position=int(text.lstrip("#").replace(",", "")))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise click.BadParameter(
            f"{text!r} is neither a moment with its offset, as in 2026-11-27T20:14:07+01:00, nor "
            "the number of an event."
        )
    return Target(moment=moment)


def restored_lines(restored: Restored, home: Path) -> Iterator[str]:
    """What a restore brought back and what it did not, in sentences."""
    at = restored.recorded_at
    until = f", the last recorded at {at.isoformat(timespec='seconds')}" if at else ""
    yield f"Restored {show.count(restored.position, 'event')}{until}, into {home}."
    if restored.lost:
        count = sum(each.events for each in restored.lost)
        yield f"Lost by it: {show.count(count, 'event')} from #{restored.position + 1:,} on."
    for each in restored.lost:
        yield (
            f"  {each.table or 'the house':<9} {show.count(each.events, 'event')} from "
            f"#{each.first:,} on, from {each.since:%Y-%m-%d %H:%M:%S} to "
            f"{each.until:%Y-%m-%d %H:%M:%S}"
        )
    if restored.signed > restored.position:
        gone = restored.signed - restored.position
        yield f"  of them {show.count(gone, 'event')} that a checkpoint has signed"
    yield from (f"! {fault}" for fault in restored.faults)
    if restored.faults:
        yield "It is not to be used. Restore into another new home: `sabot manual drill`."
        return
    if restored.missing:
        yield from _missing(restored)
    yield "The chain, the checkpoints and the projections are good."
    if restored.pepper:
        yield f"! {restored.pepper}"
    yield f"Use it with SABOT_HOME={home}. Turn its backups on again, with a new directory."


def _missing(restored: Restored) -> Iterator[str]:
    """That it lacks what was promised."""
    lost = sum(each.events for each in restored.lost)
    newest = max(restored.signed, restored.acknowledged)
    if newest > restored.position + lost:
        yield f"Events up to #{newest:,} were signed or acknowledged: the backup lacks the last."
    yield "Two people decide whether the house goes on without them: `sabot audit restored`."
