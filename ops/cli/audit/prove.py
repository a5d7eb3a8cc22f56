"""`sabot audit prove`: what a checkpoint signs, for a stranger to check."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from domain.rules.refusals import NotFound
from ops.cli.audit.papers import NO_KEY, NotAsSigned
from ops.cli.reading import permit
from ops.cli.session import dispatcher_on, json_option, say, with_database, write_whole
from ops.commands.inquiries import InquiryOpen
from ops.handlers.checkpoints import READ, cover
from ops.ledger import machine
from ops.ledger.chain import Recorded
from ops.ledger.database import Database
from ops.ledger.mapper import is_secret_event
from ops.ledger.reading import events_about
from ops.ledger.recorder import flush
from ops.proof import on_record
from ops.proof.by_hand import Mistyped, note_of, text_of
from ops.proof.checkpoint import Checkpoint
from ops.proof.keys import public_pem
from ops.proof.note import NotGood, b64
from ops.proof.on_record import SignedOnRecord
from ops.proof.proving import Proven, consistency, proven
from ops.proof.tree import NotProven
from ops.reports.rebuild import bring_up
from ops.reports.runner import reading_session, require_caught_up

if TYPE_CHECKING:
    import psycopg

    from ops.commands.reader import How


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

    how: How | None = "export" if into else None
    reader = permit(database, "audit prove", {"what": what}, how, as_json=as_json)
    watches = reader.own_login or _may_read_inquiries(database)
    with reading_session(database) as (connection, catches_up):
        events = _events_of(connection, what, watches=watches)
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
    events: list[Recorded],
    *,
    catches_up: bool,
) -> SignedOnRecord:
    """The checkpoint that covers these events; it is made where the key is, if there is none."""
    last = events[-1].position
    if catches_up:
        cover(dispatcher_on(database, channel="program"), database, last)
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


def _may_read_inquiries(database: Database) -> bool:
    """Whether the one who is signed on here may learn that there is an inquiry."""
    dispatcher = dispatcher_on(database, channel="program")
    return dispatcher.authority.may_give(InquiryOpen)


def _events_of(
    connection: "psycopg.Connection[Any]", what: str, *, watches: bool
) -> list[Recorded]:
    """The events that are asked for, in order. Refuses: BadValue, NotFound.

    `watches`: whether the reader may see those of inquiries and suspicions; others have none.
    """
    events = [
        each for each in events_about(connection, what) if watches or not is_secret_event(each)
    ]
    if not events:
        raise NotFound(what=f"events of {what}")
    return events


def _write(directory: Path, proofs: list[Proven], vkey: str) -> None:
    """Writes each event's canonical form and its proof, and the key that checks them."""
    directory.mkdir(parents=True, exist_ok=True)
    for each in proofs:
        name = f"{each.event.position:09}"
        write_whole(directory / f"{name}.event", each.leaf)
        write_whole(directory / f"{name}.tlog-proof", each.text.encode())
    write_whole(directory / "checkpoint", proofs[0].note.encode())
    write_whole(directory / "key.vkey", f"{vkey}\n".encode())
    write_whole(directory / "key.pem", public_pem(vkey).encode())


def _proofs_as_json(proofs: list[Proven], keys: Iterable[Any]) -> dict[str, object]:

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
    if not machine.is_another() and Path(text).is_file():
        return Checkpoint.of(note_of(text_of(Path(text)), on_record.verifiers(connection)))
    signed = on_record.of_size(connection, int(text)) if text.isdecimal() else None
    if not signed:
        raise click.ClickException(
            f"There is no checkpoint of {text} events, and no such file. Give a size that was "
            "signed, or a file with a checkpoint."
        )
    return Checkpoint.of(signed.note)
