"""Compares what is stored beside the record with its digests in the events.

PINs, one-time codes, the recovery secret and the orders of generated shoes cannot be in events. So
the event of each has the SHA-256 of what is stored, and a swap shows. The event of a patron's file
or of a text of a case has its seal.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from domain.events import aml_case, patron_file, shoe, staff_member
from domain.events import property as property_events
from ops.ledger.aml_texts import named as text_named
from ops.ledger.chain import Fields, Recorded
from ops.ledger.patron_files import read_of_files
from ops.ledger.reading import UnreadableEvent, head_of, read_with_digests
from ops.ledger.row_seals import AML_TEXT, FILE
from ops.verify.faults import Fault

if TYPE_CHECKING:
    import psycopg

PIN, CODE, SECRET, ORDER = "PIN", "one-time code", "recovery secret", "sealed order"
BEFORE, ROW = "PIN before", "staff row"
THERE = ""  # the digest of a row that has to be there, whatever it says
PIECE = 100_000  # positions
Named = tuple[str, str]  # what it is, and whose: a staff number, a shoe, or '' for the house


class Digest(Struct, frozen=True):
    """The digest that an event has of what is stored."""

    digest: str
    position: int


def check_beside(connection: "psycopg.Connection[Any]") -> list[Fault]:
    """A fault for each secret or sealed order that is not the one that the record names."""
    stored, head = _stored(connection)
    recorded = _recorded(connection, head)
    return [
        fault
        for named in sorted(stored | recorded.keys())
        if (fault := _fault(named, stored.get(named), recorded.get(named), head))
    ]


def _stored(connection: "psycopg.Connection[Any]") -> tuple[dict[Named, str], int]:
    """The digests of what is stored, and the position of the last event at that moment."""
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        rows = connection.execute("SELECT what, whose, digest FROM people.digests()").fetchall()
        return {(what, whose): digest for what, whose, digest in rows}, head_of(connection)


def _recorded(connection: "psycopg.Connection[Any]", head: int) -> dict[Named, Digest]:
    """The digests of what should be stored after the events up to a position."""
    recorded: dict[Named, Digest] = {}
    for event in _events(connection, head):
        # An event that cannot be read was changed, which its chain shows.
        with suppress(msgspec.MsgspecError, LookupError):
            fields = msgspec.json.decode(event.state, type=Fields)
            _apply(recorded, event, fields)
    return recorded


def _apply(recorded: dict[Named, Digest], event: Recorded, fields: Fields) -> None:
    match event.topic:
        case staff_member.Enrolled.TOPIC:
            recorded[ROW, fields["staff"]] = Digest(THERE, event.position)
            return
        case staff_member.CodeIssued.TOPIC:
            _keep_pin_before(recorded, fields["staff"])
            named = CODE, fields["staff"]
        case staff_member.KeyRegistered.TOPIC:  # a device has neither PIN nor code
            _keep_pin_before(recorded, fields["staff"])
            recorded.pop((CODE, fields["staff"]), None)
            return
        case staff_member.PinChosen.TOPIC:
            recorded.pop((CODE, fields["staff"]), None)
            recorded.pop((BEFORE, fields["staff"]), None)
            named = PIN, fields["staff"]
        case property_events.RecoverySecretIssued.TOPIC:
            named = SECRET, ""
        case patron_file.FileChanged.TOPIC | aml_case.TextWritten.TOPIC:
            named = _personal(event.topic, fields)
        case patron_file.FileErased.TOPIC:
            recorded.pop((FILE, fields["patron"]), None)
            return
        case shoe.Shuffled.TOPIC if fields["digest"]:
            named = ORDER, fields["shoe"]
        case shoe.OrderRevealed.TOPIC | shoe.OrderUntold.TOPIC:
            recorded.pop((ORDER, fields["shoe"]), None)
            return
        case _:
            return
    recorded[named] = Digest(fields["digest"], event.position)


def _personal(topic: str, fields: Fields) -> Named:
    """The file of a patron, or the text of a case, whose digest an event has."""
    if topic == patron_file.FileChanged.TOPIC:
        return FILE, fields["patron"]
    return AML_TEXT, text_named(fields["aml_case"], fields["number"])


def _keep_pin_before(recorded: dict[Named, Digest], staff: str) -> None:
    """A PIN that works no more is kept, so that it cannot be chosen again."""
    if pin := recorded.pop((PIN, staff), None):
        recorded[BEFORE, staff] = pin


def _events(connection: "psycopg.Connection[Any]", head: int) -> Iterator[Recorded]:
    for after in range(0, head, PIECE):
        until = min(after + PIECE, head)
        with suppress(UnreadableEvent):
            yield from read_with_digests(connection, after, until)
        with suppress(UnreadableEvent):
            yield from read_of_files(connection, after, until)


def _fault(named: Named, stored: str | None, recorded: Digest | None, head: int) -> Fault | None:
    what, whose = named
    it = f"The {what} of {whose}" if whose else f"The {what}"
    if recorded is None:
        return Fault(head, what, f"{it} is stored, and no event has its digest: it was forged.")
    if stored is None:
        return Fault(recorded.position, what, f"{it} is no longer stored: it was deleted.")
    if stored != recorded.digest:
        words = f"{it} is not the one of the event at #{recorded.position:,}: it was replaced."
        return Fault(recorded.position, what, words)
    return None
