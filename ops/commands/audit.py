"""Signing keys and signed checkpoints of the record: what `sabot audit` sends by itself."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from domain.rules.permissions import BOSSES, OWN_ONLY, Permission
from ops.commands.command import Command, Day, Reason

Note = Annotated[
    str, Meta(max_length=20_000, description="write a signed note, as `sabot audit` makes it")
]
Size = Annotated[int, Meta(ge=1, le=2**53, description="write a number of events, 1 or more")]
Count = Annotated[int, Meta(ge=0, le=2**53, description="write a number of events, 0 or more")]
Place = Annotated[
    str, Meta(min_length=1, max_length=500, description="write a directory or an address")
]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="write 64 hex digits")]
_CHECKPOINT = "The checkpoint as a signed note."


class AuditNewKey(Command, tag="audit.new-key"):
    """Introduces the house's first signing key; `sabot audit key new` makes it and sends this."""

    statement: Note

    permission = Permission(("administrator",))
    field_help: ClassVar[Mapping[str, str]] = {
        "statement": "A signed note that names the key, signed by it.",
    }


class AuditReplaceKey(Command, tag="audit.replace-key"):
    """Replaces the signing key, by two people; `sabot audit key rotate` sends this."""

    statement: Note
    reason: Reason
    lost: bool = False

    permission = Permission(("administrator",), second=(*BOSSES, "auditor"), must=True)
    field_help: ClassVar[Mapping[str, str]] = {
        "statement": "A signed note that names both keys, signed by both.",
        "lost": "True if the key before is lost, so that it cannot sign.",
    }


class OfCheckpoint(Command, kw_only=True):
    """About a signed checkpoint. The signature proves it, so that nobody needs to be signed on."""

    note: Note

    permission = OWN_ONLY
    needs_sign_on = False
    field_help: ClassVar[Mapping[str, str]] = {"note": _CHECKPOINT}


class AuditCheckpoint(OfCheckpoint, tag="audit.checkpoint"):
    """Records a signed checkpoint; `sabot audit checkpoint` makes it and sends this."""

    commands: Annotated[int, Meta(ge=0, le=2**53, description="write how many commands")]
    commands_head: Hash

    field_help: ClassVar[Mapping[str, str]] = {
        "commands": "How many commands were answered by then.",
        "commands_head": "The hash of the last of them, in hex.",
    }


class AuditSent(OfCheckpoint, tag="audit.sent"):
    """Records that a checkpoint went to a place outside the database."""

    place: Place

    field_help: ClassVar[Mapping[str, str]] = {"place": "The directory or the address."}


class AuditCosigned(OfCheckpoint, tag="audit.cosigned"):
    """Records that a witness cosigned a checkpoint."""

    witness: Place
    cosignature: Note

    field_help: ClassVar[Mapping[str, str]] = {
        "witness": "The address of the witness.",
        "cosignature": "The lines that the witness added to the note.",
    }


class AuditFailed(Command, tag="audit.failed"):
    """Records what a verification of the record found; the board rings until two people answer."""

    fault: Place
    at_event: Annotated[int, Meta(ge=0, le=2**53, description="write a position, 0 or more")]
    words: Annotated[str, Meta(max_length=2_000, description="write what was found")]
    since: Place

    permission = OWN_ONLY
    needs_sign_on = False
    field_help: ClassVar[Mapping[str, str]] = {
        "fault": "What kind of fault it is, as `sabot audit verify` names it.",
        "at_event": "The position in the record.",
        "words": "What was found.",
        "since": "When the round of verification began that found it first.",
    }


class AuditDistrusted(Command, tag="audit.distrusted"):
    """Records that another house's record is not to be trusted; the board rings."""

    house: Place
    origin: Place
    size: Count
    words: Annotated[str, Meta(max_length=2_000, description="write what was seen")]
    since: Place

    permission = OWN_ONLY
    needs_sign_on = False
    field_help: ClassVar[Mapping[str, str]] = {
        "house": "The other house, as `sabot group list` names it.",
        "origin": "The name of its record.",
        "size": "How many of its events were seen before, as it signed them.",
        "words": "What was seen.",
        "since": "When it was seen first.",
    }


class AuditMissing(Command, tag="audit.missing"):
    """Records that a restored record lacks events; the board rings until two people decide."""

    continues: Count
    until: Size
    signed: bool
    mark: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z", description="write 64 hex digits")]
    known: Place
    epoch: Size
    server: Annotated[str, Meta(max_length=100, description="write a server and its timeline")]
    line: Annotated[str, Meta(max_length=1 << 20, description="write a line of the feed")] = ""
    line_id: Annotated[str, Meta(max_length=200, description="write the id of a line")] = ""
    acknowledged_at: Annotated[str, Meta(max_length=40, description="write a moment")] = ""
    at_table: Annotated[str, Meta(max_length=16, description="write a table's code")] = ""

    permission = OWN_ONLY
    needs_sign_on = False
    field_help: ClassVar[Mapping[str, str]] = {
        "continues": "Up to this event the record is as it was.",
        "until": "Up to this event something outside the database knows it.",
        "signed": "True if a checkpoint covers them; false if they were acknowledged.",
        "mark": "The root of that checkpoint, or the hash of the last event, in hex.",
        "known": "Where that is known.",
        "epoch": "The epoch of the record that had them.",
        "server": "The database server's system identifier and its timeline.",
        "line": "A line that was acknowledged, as JSON.",
        "line_id": "The id under which it was acknowledged.",
        "acknowledged_at": "When it was acknowledged.",
        "at_table": "The table that it names.",
    }


class AuditArchived(Command, tag="audit.archived"):
    """Lets the coups and shoes of closed days leave the database for an archive, by two people.

    `sabot db remove-archived` gives it, once it has checked the archive.
    """

    until: Size
    stay: Count
    root: Hash
    directory: Place
    first_day: Day
    last_day: Day
    reason: Reason

    permission = Permission(("administrator",), second=(*BOSSES, "auditor"), must=True)
    field_help: ClassVar[Mapping[str, str]] = {
        "until": "Up to this event they leave; a checkpoint is of as many events.",
        "stay": "How many events up to there stay.",
        "root": "The root of that checkpoint, in hex.",
        "directory": "The directory of the archive.",
        "first_day": "The first gaming day of what leaves.",
        "last_day": "The last gaming day of what leaves.",
    }


class AuditBroughtBack(Command, tag="audit.brought-back"):
    """Records that all that left for an archive is in the database again.

    `sabot db bring-back` gives it, once all of it is.
    """

    directory: Place

    permission = Permission(("administrator",), must=True)
    field_help: ClassVar[Mapping[str, str]] = {
        "directory": "The directory of the archive from which it came.",
    }


class AuditRestored(Command, tag="audit.restored"):
    """Goes on with a restored record without the events that are missing, by two people."""

    reason: Reason

    permission = Permission(("administrator",), second=(*BOSSES, "auditor"), must=True)


class AuditAgain(Command, tag="audit.again"):
    """Takes an acknowledged line again that a restored record lacks, by two people."""

    alert: Annotated[str, Meta(max_length=100, description="write an alert, as on the board")]
    reason: Reason

    permission = Permission(("administrator",), second=(*BOSSES, "auditor"), must=True)
    field_help: ClassVar[Mapping[str, str]] = {
        "alert": "The alert of the line, as in `line-missing/48213`.",
    }


class AuditRefused(OfCheckpoint, tag="audit.refused"):
    """Records that a witness refused a checkpoint; the board shows it until somebody acts."""

    witness: Place
    status: Annotated[int, Meta(ge=100, le=599, description="write an HTTP status, as in 409")]
    answer: Annotated[str, Meta(max_length=2_000, description="write what the witness wrote")]

    field_help: ClassVar[Mapping[str, str]] = {
        "witness": "The address of the witness.",
        "status": "409: it knows a longer record. 422: it knows another record.",
        "answer": "What the witness wrote.",
    }
