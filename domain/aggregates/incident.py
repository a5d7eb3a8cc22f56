"""One incident on the floor that is no dispute about a payment (R-FLOOR-1).

Somebody dances on the table, falls ill, fights, or loses chips. Whoever was in it is on record by
number, what happened in notes that nobody takes back, and how it ended.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Self
from uuid import UUID

from msgspec import Struct

from domain.aggregates.base import Aggregate
from domain.aggregates.tray import Signed
from domain.events import incident as events
from domain.rules import addresses
from domain.rules.evidence import Evidence
from domain.rules.incidents import OF_HOUSE, into_house
from domain.rules.refusals import BadValue
from domain.rules.wording import Words


class Account(Struct, frozen=True):
    """What somebody writes about an incident; `guests`: references of people without a number."""

    text: str
    patrons: Sequence[str] = ()
    staff: Sequence[str] = ()
    guests: Sequence[str] = ()
    evidence: Sequence[Evidence] = ()

    @property
    def fields(self) -> dict[str, Any]:
        """The fields that an event of it has."""
        return {
            "text": self.text,
            "patrons": list(self.patrons),
            "staff": list(self.staff),
            "guests": list(self.guests),
            "evidence": [each.as_recorded() for each in self.evidence],
        }


class Where(Struct, frozen=True):
    """Where and when it happened; `table`: '' for none."""

    table: str
    day: date
    shift: str


class Incident(Aggregate, events.State):
    """One incident."""

    MANY_CLOCKS = True

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day, and the table if it was at one."""
        return self.day, self.table

    @staticmethod
    def stream(address: addresses.Incident) -> UUID:
        """The stream of an incident."""
        return addresses.stream_id("incident", str(address))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(
        cls,
        address: addresses.Incident,
        kind: str,
        where: Where,
        account: Account,
        *,
        by: str,
        at: datetime,
    ) -> Self:
        """Begins an incident."""
        opened = events.Opened(
            incident=str(address),
            kind=kind,
            table=where.table,
            day=where.day.isoformat(),
            shift=where.shift,
            opened_by=by,
            **account.fields,
        )
        return cls.begin(opened, cls.stream(address), at)

    def note(self, account: Account, by: str) -> None:
        """Adds a note. Refuses: BadValue."""
        self._require_open()
        self.record(events.IncidentNoted(by=by, **account.fields))

    def move_money(
        self, amount: int, out_of: str, into: str, tray: addresses.TableDay | None, signed: Signed
    ) -> None:
        """Moves chips or money between two places, one of them the house's. Refuses: BadValue.

        `tray`: the table day whose tray it is; None for none.
        """
        self._require_open()
        if out_of == into or not {out_of, into} & {*OF_HOUSE}:
            raise BadValue(
                message=Words(
                    "Money goes from one place to another, and one of them is the house's: tray or "
                    "cage."
                )
            )
        self.record(
            events.MoneyMoved(
                amount=amount,
                from_place=out_of,
                to_place=into,
                table_day=str(tray or ""),
                balance=self.balance + into_house(amount, out_of, into),
                **signed.fields,
            )
        )

    def close(self, outcome: str, reason: str, by: str) -> None:
        """Closes it. Refuses: BadValue."""
        self._require_open()
        self.record(events.IncidentClosed(outcome=outcome, reason=reason, by=by))

    def reopen(self, reason: str, by: str) -> None:
        """Goes on with a closed incident. Refuses: BadValue."""
        if not self.closed:
            raise BadValue(
                message=Words(
                    "{incident} is open. Add what is new, with `incident note`.",
                    incident=self.address,
                )
            )
        self.record(events.IncidentReopened(reason=reason, by=by))

    def hand_out(self, position: int, json_sha256: str, pdf_sha256: str, by: str) -> None:
        """Records that a pack of it was made; also after it closed."""
        self.record(
            events.IncidentExported(
                position=position, json_sha256=json_sha256, pdf_sha256=pdf_sha256, by=by
            )
        )

    def _require_open(self) -> None:
        if self.closed:
            raise BadValue(
                message=Words(
                    "{incident} is closed. To go on with it, reopen it with `incident reopen`.",
                    incident=self.address,
                )
            )
