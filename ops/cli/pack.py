"""Writes a coup's pack: FILE.json and FILE.pdf side by side, completely or not at all."""

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from ops.cli.session import NEW_FILE, dispatcher_on, ended_tidily, require_place, say
from ops.ledger.database import Database
from ops.ledger.recorder import flush
from ops.replay.story import CoupRecord

if TYPE_CHECKING:
    import psycopg

    from ops.pack.pack import Pack
    from ops.replay.what_if_answer import WhatIfAnswer


class Pair(Struct, frozen=True):
    """The two files of a pack."""

    json: Path
    pdf: Path

    @classmethod
    def of(cls, file: Path) -> "Pair":
        """The paths of both files, from any of `coup-17`, `coup-17.json` and `coup-17.pdf`."""
        whole = file.name.removesuffix(".json").removesuffix(".pdf")
        return cls(file.with_name(f"{whole}.json"), file.with_name(f"{whole}.pdf"))

    def write(self, pack: "Pack") -> None:
        """Writes the PDF, then the JSON file with its hash, once both are complete on disk."""
        self._write({self.pdf.resolve(): pack.pdf, self.json.resolve(): pack.json})

    def write_paper(self, pdf: bytes) -> None:
        """Writes the PDF alone."""
        self._write({self.pdf.resolve(): pdf})

    def _write(self, contents: Mapping[Path, bytes]) -> None:
        beside = {place: place.with_name(f".{place.name}.{os.getpid()}.part") for place in contents}
        with ended_tidily(), ExitStack() as afterwards:
            for part in beside.values():
                afterwards.callback(_remove, part)
            try:
                for place, content in contents.items():
                    beside[place].write_bytes(content)
                for place in contents:
                    beside[place].replace(place)
            except OSError as error:
                words = f"{self.json} and {self.pdf} were not written: {error.strerror}."
                raise click.ClickException(words) from error


def _remove(part: Path) -> None:
    with suppress(OSError):
        part.unlink(missing_ok=True)


def require_pair(ctx: click.Context, option: click.Parameter, file: Path | None) -> Pair | None:
    """Raises a usage error, before anything is done, if the files cannot be created."""
    if file is None:
        return None
    try:
        if not file.name or file.is_dir():
            raise click.BadParameter(f"{file} is a directory: name a file in it.")
    except OSError as error:  # a name that no file system takes
        raise click.BadParameter(f"{file}: {error.strerror}.") from error
    pair = Pair.of(file)
    for each in (pair.pdf, pair.json):
        NEW_FILE.convert(str(each), option, ctx)
        require_place(ctx, option, each)
    return pair


export_option = click.option(
    "--export",
    "pair",
    metavar="FILE",
    type=click.Path(path_type=Path),
    callback=require_pair,
    help="Write the pack that a stranger can check: FILE.json and FILE.pdf.",
)


def export(
    database: Database,
    connection: "psycopg.Connection[Any]",
    record: CoupRecord,
    pair: Pair,
    *,
    what_if: Sequence["WhatIfAnswer"] = (),
    names: Collection[str] = (),
) -> None:
    """Writes the pack of a coup whose whole record was read. Raises UnreadableEvent.

    If no checkpoint covers the coup yet, one is made first, where the house's key is.
    `names`: a patron's names; then only that patron's paper is written.
    """
    from ops.handlers.checkpoints import cover  # slow to import; only a pack needs it
    from ops.pack.pack import pack, patron_copy

    if names:
        copy = patron_copy(connection, record, names)
        flush(connection)
        pair.write_paper(copy)
        whose = ", ".join(sorted(names))
        say(f"The copy of {record.address} for {whose} is in {pair.pdf}.")
        return
    cover(dispatcher_on(database, channel="program"), database, record.last_position)
    made = pack(connection, record, what_if=what_if)
    flush(connection)
    pair.write(made)
    say(f"The pack of {record.address} is in {pair.json} and {pair.pdf}.")
