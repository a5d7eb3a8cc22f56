"""Incidents on the floor, each from what somebody reports to its outcome (R-FLOOR-1)."""

from domain.aggregates.incident import Account, Incident, Where
from domain.aggregates.year_books import IncidentBook
from domain.rules import addresses
from domain.rules.refusals import MissingField, NotFound, TableClosed
from domain.rules.wording import Words
from ops.commands import incidents as commands
from ops.handlers.desk import Desk
from ops.handlers.disputes import evidence_of
from ops.handlers.enrolled import require_staff
from ops.handlers.handlers import handles
from ops.handlers.likeness import require_as_recorded
from ops.pack.incident import pack_of_incident


@handles(commands.IncidentOpen)
def open_incident(desk: Desk, command: commands.IncidentOpen) -> None:
    """Begins an incident, under the next number of the year."""
    where, account = _where(desk, command), _account(desk, command)
    address = desk.year_book(IncidentBook).number()
    casino = desk.casino
    casino.make(
        Incident.open(address, command.kind, where, account, by=casino.actor, at=casino.moment)
    )


@handles(commands.IncidentNote)
def note(desk: Desk, command: commands.IncidentNote) -> None:
    """Adds a note, with who was in it and what cameras saw."""
    _incident(desk, command.incident).note(_account(desk, command), desk.casino.actor)


@handles(commands.IncidentMoney)
def move_money(desk: Desk, command: commands.IncidentMoney) -> None:
    """Moves money between two places; a tray has it at once. Refuses: BadValue, TableClosed."""
    signed = desk.signed(Words("Moving money for an incident"), command, command.reason)
    incident = _incident(desk, command.incident)
    tray = None
    if "tray" in (command.source, command.into):
        table = command.table or incident.table
        if not table:
            raise MissingField(message=Words("The tray of which table? Name the table."))
        tray = desk.table_day(table)
    address = tray.address if tray else None
    incident.move_money(command.amount, command.source, command.into, address, signed)
    if tray:
        more = command.amount if command.into == "tray" else -command.amount
        tray.move_for_incident(str(incident.address), more)


@handles(commands.IncidentClose)
def close(desk: Desk, command: commands.IncidentClose) -> None:
    """Closes an incident with its outcome."""
    incident = _incident(desk, command.incident)
    incident.close(command.outcome, command.reason, desk.casino.actor)


@handles(commands.IncidentReopen)
def reopen(desk: Desk, command: commands.IncidentReopen) -> None:
    """Goes on with a closed incident."""
    _incident(desk, command.incident).reopen(command.reason, desk.casino.actor)


@handles(commands.IncidentExport)
def export(desk: Desk, command: commands.IncidentExport) -> None:
    """Makes an incident's pack and records its checksums; the same record gives the same files."""
    incident = _incident(desk, command.incident)
    with desk.casino.ledger.connection() as connection:
        made = pack_of_incident(connection, incident.address)
    incident.hand_out(made.position, made.json_sha256, made.pdf_sha256, desk.casino.actor)


def _account(desk: Desk, command: commands.Account) -> Account:
    """What somebody writes, as it is recorded. Refuses: BadValue, NotFound."""
    for name in command.involved:  # maybe an alias that begins here
        require_as_recorded(desk, name)
    require_staff(desk, *command.staff)
    return Account(
        text=command.text,
        patrons=command.involved,
        staff=command.staff,
        guests=command.guests,
        evidence=evidence_of(command.evidence),
    )


def _where(desk: Desk, command: commands.IncidentOpen) -> Where:
    """The table and the gaming day and shift on which it happened. Refuses: TableClosed."""
    house, moment, table = desk.house(), desk.casino.moment, command.table or ""
    if table and desk.table(table) is None:
        raise TableClosed(what=table)
    day = house.clock.day_of(moment)
    return Where(table, day, house.shift_of(moment, day))


def _incident(desk: Desk, text: str) -> Incident:
    """The incident that a command is about. Refuses: BadValue, NotFound."""
    address = addresses.Incident.parse(text)
    incident = desk.casino.find(Incident, Incident.stream(address))
    if incident is None:
        raise NotFound(what=Words("incident {incident}", incident=address))
    return incident
