"""`sabot audit checkpoint`, `prove` and `export`: the record signed, and what a stranger checks."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ops.cli.reading import permit
from ops.cli.session import database_of, dispatcher_on, json_option, say, with_database, write_whole
from ops.ledger import machine
from ops.ledger.database import Database
from ops.ledger.recorder import flush

if TYPE_CHECKING:
    import psycopg

    from domain.rules.destinations import Destination
    from ops.handlers.checkpoints import Made
    from ops.ledger.chain import Recorded
    from ops.proof.on_record import SignedOnRecord
    from ops.proof.proving import Proven

NO_KEY = "The house has no signing key. Make one with `audit key new`."
PIECE = 5_000


class NotAsSigned(click.ClickException):
    """A paper or a key is not what was signed; the record was not checked."""

    exit_code = 3


@click.command()
@click.option(
    "--to", "to", multiple=True, metavar="PLACE", help="A directory or mailto:ADDRESS too."
)
@click.option("--witness", multiple=True, metavar="URL", help="Ask this witness too.")
@json_option
@click.pass_context
def checkpoint(
    ctx: click.Context, to: tuple[str, ...], witness: tuple[str, ...], as_json: bool
) -> None:
    """Sign the record as it is now, and send that to the house's places and to these.

    The places of every checkpoint are the setting `checkpoint_to`. Exit status 1 if a place did not
    take it or a witness refused.

    \b
    Example: sabot audit checkpoint --to /media/usb
    """
    from domain.rules.destinations import Destination
    from ops.handlers.checkpoints import make

    places = [*(_directory_or(each) for each in to), *map(Destination.parse, witness)]
    made = make(dispatcher_on(database_of(ctx), channel="shell"), database_of(ctx), places)
    if not made:
        raise click.ClickException(NO_KEY)
    if as_json:
        click.echo(json.dumps(_as_json(made)))
    else:
        _print(made)
    sys.exit(1 if made.problems or made.refused else 0)


def _directory_or(place: str) -> "Destination":
    """The place; a directory may be given from here on."""
    from domain.rules.destinations import Destination

    here = place if place.startswith("mailto:") or "://" in place else str(Path(place).resolve())
    return Destination.parse(here)


def _as_json(made: "Made") -> dict[str, Any]:
    return {
        "origin": made.checkpoint.origin,
        "size": made.checkpoint.size,
        "root": made.checkpoint.root.hex(),
        "note": made.note,
        "cosignatures": list(made.cosignatures),
        "sent": list(made.sent),
        "problems": list(made.problems),
        "refused": list(made.refused),
    }


def _print(made: "Made") -> None:
    whole = made.note + "".join(made.cosignatures)
    click.echo(whole, nl=False)
    if not made.anew:
        say("Nothing happened since this checkpoint.")
    for place in made.sent:
        say(f"Sent to {place}.")
    if made.cosignatures:
        say(f"Cosigned by {len(made.cosignatures)} of the witnesses.")
    for words in made.problems:
        say(f"Not sent to {words}")
    for words in made.refused:
        say(
            f"REFUSED by {words} The record does not continue what that witness saw: run `sabot "
            "audit verify`, and call the regulator."
        )


@click.command()
@click.argument("what", required=False, metavar="COUP|POSITION|SHOE|DAY")
@click.option(
    "--consistent",
    nargs=2,
    metavar="OLD NEW",
    help="Prove that one checkpoint continues another: each a size, or a file with a checkpoint.",
)
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the events, and a .tlog-proof for each, to this directory.",
)
@json_option
@with_database
def prove(
    database: Database,
    what: str | None,
    consistent: tuple[str, str] | None,
    into: Path | None,
    as_json: bool,
) -> None:
    """Prove that events are in the record that a checkpoint signs.

    If no checkpoint covers them yet, the server makes one.

    \b
    Example: sabot audit prove B01/2026-11-21/1/17 --into proof
    """
    if bool(what) == bool(consistent):
        raise click.UsageError("Give what is to be proven, or --consistent with two checkpoints.")
    from ops.proof.by_hand import Mistyped
    from ops.proof.note import NotGood
    from ops.proof.tree import NotProven

    try:
        if consistent:
            _prove_consistent(database, *consistent, as_json=as_json)
        else:
            assert what is not None
            _prove(database, what, into, as_json=as_json)
    except Mistyped as error:
        raise NotAsSigned(str(error)) from error
    except (NotGood, NotProven) as error:
        raise click.ClickException(f"{error} Run `sabot audit verify`.") from error


def _prove(database: Database, what: str, into: Path | None, *, as_json: bool) -> None:
    from ops.proof import on_record
    from ops.proof.proving import proven
    from ops.reports.runner import reading_session

    permit(database, "audit prove", {"what": what}, "export" if into else None, as_json=as_json)
    with reading_session(database) as (connection, catches_up):
        events = _events_of(connection, what)
        signed = _covering(database, connection, events, catches_up=catches_up)
        proofs = proven(connection, events, signed)
        keys = on_record.keys(connection)
        flush(connection)
    if into:
        _write(into, proofs, keys[-1].key)
    if as_json:
        click.echo(json.dumps(_proofs_as_json(proofs, keys)))
        return
    first = proofs[0]
    click.echo(first.note, nl=False)
    for each in proofs:
        name = each.event.topic
        click.echo(f"#{each.event.position:<8} {name:<40} {len(each.hashes)} hashes: good")
    here = f" They are in {into}." if into else ""
    say(f"{len(proofs)} events are in the record of {first.checkpoint.size:,} events.{here}")
    if not signed.cosignatures:
        say(
            "No witness cosigned this checkpoint: it is as good as the copies of it outside the "
            "house, such as the one on paper."
        )


def _covering(
    database: Database,
    connection: "psycopg.Connection[Any]",
    events: "list[Recorded]",
    *,
    catches_up: bool,
) -> "SignedOnRecord":
    """The checkpoint that covers these events; it is made where the key is, if there is none."""
    from ops.handlers.checkpoints import READ, cover
    from ops.proof import on_record
    from ops.reports.rebuild import bring_up
    from ops.reports.runner import require_caught_up

    last = events[-1].position
    cover(dispatcher_on(database, channel="program"), database, last)
    if catches_up:
        bring_up(connection, *READ)
    else:
        require_caught_up(connection, READ)
    signed = on_record.covering(connection, last)
    if signed:
        return signed
    if not on_record.keys(connection):
        raise click.ClickException(NO_KEY)
    raise click.ClickException(
        f"No checkpoint covers event #{last:,} yet, and none can be made here: it is signed where "
        "the house's key is, on the server. Ask again from a terminal of the house, or have "
        "somebody run `sabot audit checkpoint` there."
    )


def _events_of(connection: "psycopg.Connection[Any]", what: str) -> "list[Recorded]":
    """The events that are asked for, in order. Refuses: BadValue, NotFound."""
    from domain.rules.refusals import NotFound
    from ops.ledger.reading import events_about

    events = events_about(connection, what)
    if not events:
        raise NotFound(what=f"events of {what}")
    return events


def _write(directory: Path, proofs: "list[Proven]", vkey: str) -> None:
    """Writes each event's canonical form and its proof, and the key that checks them."""
    from ops.proof.keys import public_pem

    directory.mkdir(parents=True, exist_ok=True)
    for each in proofs:
        name = f"{each.event.position:09}"
        write_whole(directory / f"{name}.event", each.leaf)
        write_whole(directory / f"{name}.tlog-proof", each.text.encode())
    write_whole(directory / "checkpoint", proofs[0].note.encode())
    write_whole(directory / "key.vkey", f"{vkey}\n".encode())
    write_whole(directory / "key.pem", public_pem(vkey).encode())


def _proofs_as_json(proofs: "list[Proven]", keys: Iterable[Any]) -> dict[str, Any]:
    from ops.proof.note import b64

    first = proofs[0]
    return {
        "origin": first.checkpoint.origin,
        "size": first.checkpoint.size,
        "root": first.checkpoint.root.hex(),
        "note": first.note,
        "keys": [each.key for each in keys],
        "events": [
            {
                "position": each.event.position,
                "topic": each.event.topic,
                "event": b64(each.leaf),
                "hashes": [b64(part) for part in each.hashes],
                "proof": each.text,
            }
            for each in proofs
        ],
    }


def _prove_consistent(database: Database, old: str, new: str, *, as_json: bool) -> None:
    from ops.handlers.checkpoints import READ
    from ops.proof.note import b64
    from ops.proof.proving import consistency
    from ops.reports.rebuild import bring_up
    from ops.reports.runner import reading_session

    with reading_session(database) as (connection, catches_up):
        if catches_up:
            bring_up(connection, *READ)
        before, after = (_checkpoint_in(connection, each) for each in (old, new))
        hashes = consistency(connection, before, after)
        flush(connection)
    if as_json:
        body = {
            "old": {"size": before.size, "root": before.root.hex()},
            "new": {"size": after.size, "root": after.root.hex()},
            "hashes": [b64(each) for each in hashes],
        }
        click.echo(json.dumps(body))
        return
    for each in hashes:
        click.echo(b64(each))
    say(f"The record of {after.size:,} events continues that of {before.size:,}.")


def _checkpoint_in(connection: "psycopg.Connection[Any]", text: str) -> Any:
    """The checkpoint of a size on record, or in a file."""
    from ops.proof import on_record
    from ops.proof.by_hand import note_of, text_of
    from ops.proof.checkpoint import Checkpoint

    if not machine.is_another() and Path(text).is_file():
        return Checkpoint.of(note_of(text_of(Path(text)), on_record.verifiers(connection)))
    signed = on_record.of_size(connection, int(text)) if text.isdecimal() else None
    if not signed:
        raise click.ClickException(
            f"There is no checkpoint of {text} events, and no such file. Give a size that was "
            "signed, or a file with a checkpoint."
        )
    return Checkpoint.of(signed.note)


@click.command()
@click.option(
    "--tiles",
    "directory",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where to: any web server can serve it, and any C2SP client read it.",
)
@json_option
@with_database
def export(database: Database, directory: Path, as_json: bool) -> None:
    """Write the whole record as static tiles, up to the newest checkpoint.

    \b
    Example: sabot audit export --tiles /srv/record
    """
    from ops.handlers.checkpoints import READ
    from ops.proof import on_record
    from ops.proof.checkpoint import Checkpoint
    from ops.proof.tiles import write_log
    from ops.proof.tree import NotProven
    from ops.reports.rebuild import bring_up
    from ops.reports.runner import reading_session

    permit(database, "audit export", how="export", as_json=as_json)
    with reading_session(database) as (connection, catches_up):
        if catches_up:
            bring_up(connection, *READ)
        signed = on_record.newest(connection)
        if not signed:
            raise click.ClickException("There is no checkpoint yet. Run `sabot audit checkpoint`.")
        size = Checkpoint.of(signed.note)
        try:
            files = write_log(
                directory, _entries(connection, size.size), size.size, size.root,
                signed.whole.encode(),
            )  # fmt: skip
        except NotProven as error:
            raise click.ClickException(f"{error} Run `sabot audit verify`.") from error
        flush(connection)
    if as_json:
        body = {"directory": str(directory), "events": size.size, "files": files}
        click.echo(json.dumps(body))
    else:
        say(f"{size.size:,} events are in {directory}, in {files:,} files.")


def _entries(connection: "psycopg.Connection[Any]", size: int) -> Iterator[bytes]:
    """The canonical form of each event, in order; shows progress when it takes long."""
    from rich.progress import Progress

    from ops.ledger.chain import canonical
    from ops.ledger.reading import read_events
    from ops.words import show

    with Progress(
        console=show.console(err=True), transient=True, disable=not sys.stderr.isatty()
    ) as progress:
        task = progress.add_task("events", total=size, visible=size > 10 * PIECE)
        position = 0
        while position < size:
            piece = read_events(connection, position, PIECE, size)
            if not piece:
                return
            for event in piece:
                yield canonical(event)
            position = piece[-1].position
            progress.update(task, completed=position)
