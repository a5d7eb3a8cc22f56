"""Signing keys and checkpoints: a signature is checked before anything of it is recorded."""

from domain.aggregates.archiving import Archiving
from domain.aggregates.checkpoint import Checkpoint
from domain.aggregates.other_house import OtherHouse
from domain.aggregates.signing_keys import KEYS_STREAM, SigningKeys
from domain.aggregates.verification import Verification
from domain.events.archiving import CoupsLeft
from domain.events.other_house import Distrusted
from domain.events.property import EventsMissing
from domain.rules.refusals import BadValue, NotFound
from domain.rules.wording import Words
from ops.commands import audit as commands
from ops.handlers import lost_lines
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.ledger.archived import is_missing, what_left
from ops.ledger.reading import head_of
from ops.proof import checkpoint, keys, on_record, stored, tree
from ops.proof.note import NotGood


@handles(commands.AuditNewKey)
def introduce_key(desk: Desk, command: commands.AuditNewKey) -> None:
    """Introduces the first key, which must have signed its own statement. Refuses: BadValue."""
    casino = desk.casino
    desk.house()  # its clock gives the gaming day
    if casino.find(SigningKeys, KEYS_STREAM):
        raise BadValue(
            message=Words(
                "The house has a signing key. Replace it with `audit key rotate`, if you have to."
            )
        )
    statement = _statement(command.statement)
    casino.make(
        SigningKeys.introduce(
            statement.origin,
            statement.key,
            statement.second,
            command.statement,
            casino.moment,
        )
    )


@handles(commands.AuditReplaceKey)
def replace_key(desk: Desk, command: commands.AuditReplaceKey) -> None:
    """Replaces the key. Refuses, unless `lost`, a statement without the key before: BadValue."""
    signed = desk.signed(Words("Replacing the signing key"), command, command.reason)
    known = _keys(desk)
    statement = _statement(command.statement)
    if (statement.origin, statement.before) != (known.origin, known.current):
        raise BadValue(
            message=Words(
                "The statement is about another key. Make a new one with `audit key rotate`."
            )
        )
    if not (command.lost or statement.signed_by(known.current)):
        raise BadValue(
            message=Words("The key before did not sign the statement. If it is lost, add `--lost`.")
        )
    known.replace(statement.key, statement.second, command.statement, signed, lost=command.lost)


def _statement(note: str) -> keys.Statement:
    """What a statement about a key says. Refuses one that its own key did not sign: BadValue."""
    try:
        return keys.Statement.read(note)
    except NotGood as error:
        raise BadValue(field="statement", value="…", why=Words(str(error))) from None


def _keys(desk: Desk) -> SigningKeys:
    """The keys of the house. Refuses: NotFound."""
    known = desk.casino.find(SigningKeys, KEYS_STREAM)
    if not known:
        raise NotFound(
            message=Words("The house has no signing key. Make one with `audit key new`.")
        )
    return known


@handles(commands.AuditCheckpoint)
def record_checkpoint(desk: Desk, command: commands.AuditCheckpoint) -> None:
    """Records a checkpoint that the house's key signed. Refuses: NotFound, BadValue."""
    casino = desk.casino
    signed = _opened(desk, command.note)
    with casino.ledger.connection() as connection:
        newest = head_of(connection)
    if signed.size > newest:
        raise BadValue(
            message=Words(
                "The checkpoint covers {size} events, and the ledger has {newest}. Make another.",
                size=signed.size,
                newest=newest,
            )
        )
    if casino.find(Checkpoint, Checkpoint.stream(signed.size)):
        return  # as often as it is sent, it is there once
    casino.make(
        Checkpoint.sign(
            size=signed.size,
            root=signed.root.hex(),
            key=_keys(desk).current,
            note=command.note,
            commands=command.commands,
            head=command.commands_head,
            at=casino.moment,
        )
    )


def _opened(desk: Desk, note: str) -> checkpoint.Checkpoint:
    """The checkpoint in a note that the house's present key signed. Refuses: NotFound, BadValue."""
    known = _keys(desk)
    try:
        vkeys = [each for each in (known.current, known.second) if each]
        origin = checkpoint.origin_of(known.origin, desk.house().epoch)
        return checkpoint.opened(note, origin, *vkeys)
    except NotGood as error:
        raise BadValue(field="note", value="…", why=Words(str(error))) from None


def _recorded(desk: Desk, note: str) -> Checkpoint:
    """The checkpoint on record with this very note. Refuses: NotFound, BadValue."""
    try:
        size = checkpoint.Checkpoint.of(note).size
    except NotGood as error:
        raise BadValue(field="note", value="…", why=Words(str(error))) from None
    known = desk.casino.find(Checkpoint, Checkpoint.stream(size))
    if not known or known.note != note:
        raise NotFound(what=Words("such checkpoint of {size} events", size=size))
    return known


@handles(commands.AuditSent)
def record_sending(desk: Desk, command: commands.AuditSent) -> None:
    """Records where a checkpoint went. Refuses: NotFound, BadValue."""
    _recorded(desk, command.note).send(command.place)


@handles(commands.AuditCosigned)
def record_cosignature(desk: Desk, command: commands.AuditCosigned) -> None:
    """Records a witness's cosignature. Refuses: NotFound, BadValue."""
    _recorded(desk, command.note).cosign(command.witness, command.cosignature)


@handles(commands.AuditRefused)
def record_refusal(desk: Desk, command: commands.AuditRefused) -> None:
    """Records that a witness refused. Refuses: NotFound, BadValue."""
    _recorded(desk, command.note).refuse(command.witness, command.status, command.answer)


@handles(commands.AuditMissing)
def record_missing(desk: Desk, command: commands.AuditMissing) -> None:
    """Records that events are missing, once for as much; or one line, once."""
    named = ("continues", "until", "signed", "mark", "known", "epoch", "server")
    of_line = ("line", "line_id", "acknowledged_at")
    fields = {each: getattr(command, each) for each in (*named, *of_line)}
    desk.house().miss(EventsMissing(**fields, table=command.at_table))


@handles(commands.AuditArchived)
def let_leave(desk: Desk, command: commands.AuditArchived) -> None:
    """Lets what is archived leave the database. Refuses: BadValue, SecondPersonNeeded."""
    with desk.casino.ledger.connection() as connection:
        known = on_record.of_size(connection, command.until)
    if known is None or checkpoint.Checkpoint.of(known.note).root.hex() != command.root:
        raise BadValue(message=Words("No checkpoint with this root is on record."))
    signed = desk.signed(Words("Removing what is archived"), command, command.reason)
    names = ("stay", "root", "directory", "first_day", "last_day")
    fields = {name: getattr(command, name) for name in names}
    left = CoupsLeft(events=command.until, **fields, **signed.fields)
    desk.casino.make(Archiving.let_leave(left, at=desk.casino.moment))


@handles(commands.AuditBroughtBack)
def note_brought_back(desk: Desk, command: commands.AuditBroughtBack) -> None:
    """Records that what left is in the database again. Refuses: BadValue."""
    with desk.casino.ledger.connection() as connection:
        left = what_left(connection)
        if left is None or is_missing(connection, left):
            raise BadValue(message=Words("Nothing that left is in the database again."))
    archiving = desk.casino.find(Archiving, left.stream)
    assert archiving is not None
    archiving.bring_back(command.directory)


@handles(commands.AuditRestored)
def go_on(desk: Desk, command: commands.AuditRestored) -> None:
    """Begins a new epoch of the record. Refuses: BadValue, SecondPersonNeeded."""
    signed = desk.signed(Words("Going on with a restored record"), command, command.reason)
    desk.house().go_on(lambda size: _root(desk, size), **signed.fields)


def _root(desk: Desk, size: int) -> str:
    """The root of the tree over the first events. Refuses while it has not grown: BadValue."""
    try:
        with desk.casino.ledger.connection() as connection:
            return tree.root(size, stored.tiles_of(connection)).hex()
    except tree.NotProven:
        raise BadValue(
            message=Words("The reports have not caught up with the record. Try again.")
        ) from None


@handles(commands.AuditAgain)
def take_again(desk: Desk, command: commands.AuditAgain) -> None:
    """Does what a missing line says, as of its own moment. Refuses: BadValue, NotFound."""
    lost_lines.take_again(desk, command)


@handles(commands.AuditFailed)
def record_fault(desk: Desk, command: commands.AuditFailed) -> None:
    """Records a fault of the record, once for as long as it lasts."""
    named = command.fault, command.at_event, command.words, command.since
    if not desk.casino.find(Verification, Verification.stream(*named)):
        desk.casino.make(Verification.fail(*named, at=desk.casino.moment))


@handles(commands.AuditDistrusted)
def distrust(desk: Desk, command: commands.AuditDistrusted) -> None:
    """Records that another house is not to be trusted, once for as long as it lasts."""
    desk.house()  # its clock gives the gaming day
    seen = Distrusted(
        house=command.house,
        origin=command.origin,
        size=command.size,
        words=command.words,
        since=command.since,
    )
    if not desk.casino.find(OtherHouse, OtherHouse.stream(seen.origin, seen.words, seen.since)):
        desk.casino.make(OtherHouse.distrust(seen, at=desk.casino.moment))
