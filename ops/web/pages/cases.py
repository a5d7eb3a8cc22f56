"""A case from complaint to pack: its events, and what may be done next."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.rules import addresses
from domain.rules.refusals import NotFound
from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.ledger.mapper import fields_of
from ops.ledger.recorder import flush
from ops.ledger.streams import name_of
from ops.replay.case import read_case
from ops.words.coups import proved
from ops.words.events import sentence
from ops.words.language import shown


class CaseEvent(Struct, frozen=True):
    """One event of a case."""

    at: datetime
    words: str
    position: int
    by: str


class Case(Struct, frozen=True):
    """A case as it is now."""

    name: str
    coup: str
    patron: str
    complaint: str
    amount: int | None
    currency: str
    zone: ZoneInfo
    events: list[CaseEvent]
    status: str
    notify_by: str | None  # the deadline to notify the regulator
    decided: bool
    closed: bool
    holds: bool


# What a form may send to each command of a case: fields that become options, then arguments.
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "open": ("amount", "hold"),
    "note": ("evidence", "what-if"),
    "decide": ("seat", "spot", "to", "as"),
}
_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "open": ("coup", "patron", "complaint"),
    "note": ("case", "text"),
    "decide": ("case", "decision", "reason"),
    "tell": ("case",),
    "notify": ("case", "reference"),
    "hold": ("case",),
    "release": ("case",),
    "close": ("case",),
}
_FLAGS = ("hold",)
ACTS = tuple(_ARGUMENTS)


def read(database: Database, name: str) -> Case:
    """A case. Refuses: NotFound. Raises LedgerLost, UnreadableEvent."""
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        _, case = read_case(connection, addresses.Case.parse(name))
        flush(connection)
    opened = case.opened
    return Case(
        name=name,
        coup=opened.coup,
        patron=opened.patron,
        complaint=opened.complaint,
        amount=opened.amount,
        currency=of.currency,
        zone=ZoneInfo(of.zone),
        events=[
            CaseEvent(
                at=line.at,
                words=shown(
                    sentence(
                        {"type": name_of(line), **fields_of(line.event)},
                        of.currency,
                        marked=False,
                    )
                    or name_of(line)
                ),
                position=line.position,
                by=proved(getattr(line.event, "approved_by", "") or "", line.proved),
            )
            for line in case.lines
        ],
        status=case.status,
        notify_by=case.notify_by,
        decided=bool(case.decisions),
        closed=case.closed is not None,
        holds=bool(case.holds and case.holds[-1].step == "placed"),
    )


def words_of(act: str, form: Mapping[str, str]) -> list[str]:
    """The command of the shell that a form asks for. Refuses: NotFound.

    A value never becomes an option: options have it behind `=`, arguments come after `--`.
    """
    if act not in _ARGUMENTS:
        raise NotFound(what=f"`dispute {act}`")
    words = ["dispute", act]
    for name in (*_OPTIONS.get(act, ()), "with"):
        value = form.get(name, "").strip()
        if name in _FLAGS:
            words += [f"--{name}"] * bool(value)
        elif value:
            words.append(f"--{name}={value}")
    arguments = [form.get(name, "").strip() for name in _ARGUMENTS[act]]
    while arguments and not arguments[-1]:
        arguments.pop()
    return [*words, "--", *arguments]
