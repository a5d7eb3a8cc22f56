"""A case as a page, and cases as a list, for the people who settle them."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import convert
from rich.table import Table
from rich.text import Text

from domain.events import dispute
from domain.review.replay import Line
from domain.rules.money import major
from ops.replay.case import CaseFile, Footage
from ops.words.effects import effect_words
from ops.words.terms import spot_called, status_called
from ops.words.values import NOTHING, CaseDue, amount, deadline_words
from projections.proofs import with_proof

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from rich.console import Console

    from ops.commands.house_events import House

Labelled = tuple[str, str]  # a label with its text


class CasePage:
    """One case, from the complaint to its end."""

    def __init__(self, case: CaseFile, currency: str, zone: "ZoneInfo") -> None:
        self.case = case
        self.currency = currency
        self.zone = zone

    def print(self, console: "Console") -> None:
        """Prints the whole case; a label is only on the first of its lines."""
        opened = self.case.opened
        status = status_called(self.case.status)
        head = f"   {status}   {opened.coup}   {opened.patron}   times of {self.zone.key}"
        console.print(Text.assemble((opened.case, "bold"), head))
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, style="bold")
        table.add_column(overflow="fold")
        last = ""
        for label, text in self.rows():
            table.add_row("" if label == last else label, text)
            last = label
        console.print(table)

    def rows(self) -> Iterator[Labelled]:
        """Every line of the page, in order, with its label."""
        case = self.case
        yield from self._opening(case.opened)
        for line in case.notes:
            for text in self._note(line):
                yield "Notes", text
        for line in case.decisions:
            yield "Decisions", self._decision(line)
        if len(case.decisions) > 1:
            yield "", f"In all: {self._hands(case.changes_hands)}"
        for text in (*self._regulator(), *self._patron()):
            yield "Deadlines", text
        for each in case.holds:
            how = {"placed": "The table waits", "decided": "Released by the decision"}
            words = how.get(each.step, "Released")
            yield "Hold", f"{self._moment(each.at)}  {words}, {_by(each.by)}."
        for line in case.packs:
            sums = f"JSON {line.event.json_sha256}, PDF {line.event.pdf_sha256}"
            yield "Packs", f"{self._moment(line.at)}  As of #{line.event.position}: {sums}."
        if case.closed:
            yield "Closed", f"{self._moment(case.closed.at)}  {_by(case.closed.event.by)}."

    def _opening(self, opened: dispute.Opened) -> Iterator[Labelled]:
        yield "Opened", f"{self._moment(self.case.opened_at)}  {_by(opened.opened_by)}."
        yield "Complaint", opened.complaint
        if opened.amount is None:
            yield "In dispute", "The amount is not known."
        else:
            most = "" if opened.amount_named else "Up to "
            yield "In dispute", f"{most}{self._money(opened.amount)}."
        for each in opened.wagers:
            stake, paid = _amount(each["stake"]), each["paid"]
            spot = spot_called(str(each["spot"]))
            came_to = "not paid yet" if paid is None else f"paid {self._money(_amount(paid))}"
            yield "Wagers", f"Seat {each['seat']} {spot} {self._money(stake)}, {came_to}."
        agrees = "agreed with the rules" if opened.agrees else "did NOT agree with the rules"
        frozen = f"At #{opened.frozen_at}, the coup {opened.coup_phase}: the record {agrees}"
        yield "Frozen", f"{frozen}{''.join(f'; {each}' for each in opened.disagreements)}."
        for each in opened.others:
            status = status_called(str(each["status"]))
            yield "Before", f"{each['case']} about the same coup, then: {status}."

    def _note(self, line: Line) -> Iterator[str]:
        note = line.event
        yield f"{self._moment(line.at)}  {note.text} ({note.by or 'person not named'})"
        for seen in note.evidence:
            yield f"  {self._seen(convert(seen, Footage))}"
        if note.what_if:
            yield f"  What if: {', '.join(note.what_if)}"

    def _seen(self, footage: Footage) -> str:
        """The moment by the record's clock, and by the camera's."""
        by_record = f"{footage.camera} at {self._moment(footage.by_record)}"
        if not footage.ahead:
            return f"{by_record}; its clock is the record's"
        which = "ahead" if footage.ahead > 0 else "behind"
        shown = self._moment(footage.at)
        return f"{by_record}; {shown} by its clock, {abs(footage.ahead):,} ms {which}"

    def _decision(self, line: Line) -> str:
        event = line.event
        second = with_proof(event.approved_by, line.proved)
        people = " with ".join(filter(None, (event.decided_by, second)))
        effect = str(effect_words(event.effect, self.currency))
        return (
            f"{event.number}  {self._moment(line.at)}  {effect[:1].upper()}{effect[1:]}. "
            f"Reason: {event.reason} ({people}). {self._hands(event.changes_hands)}"
        )

    def _hands(self, changes: int) -> str:
        """The amount paid to the patrons, or taken back."""
        if not changes:
            return "Nothing changes hands."
        way = "goes to" if changes > 0 else "comes from"
        return f"{self._money(abs(changes))} {way} the patrons."

    def _regulator(self) -> Iterator[str]:
        """The deadline for notifying the regulator, and when that was done."""
        notified, by = self.case.notified, self.case.notify_by
        if by:
            done = "" if notified else ", not done yet"
            yield f"Notify the regulator by {self._moment(by)}{done}."
        else:
            yield "The regulator need not be notified."
        for line in notified:
            reference = f", {line.event.reference}" if line.event.reference else ""
            yield f"  Notified {self._moment(line.at)}{reference}, {_by(line.event.by)}."

    def _patron(self) -> Iterator[str]:
        """The deadline to inform the patron of each decision, when it was done, and the appeal."""
        informed = {line.event.number: line for line in self.case.patron_informed}
        last = len(self.case.decisions)
        for event in (line.event for line in self.case.decisions):
            done = informed.get(event.number)
            if done is None and event.number < last:
                continue  # a later decision replaced it first
            missing = "" if done else ", not done yet"
            number = f" of decision {event.number}" if last > 1 else ""
            yield f"Inform the patron{number} by {self._moment(event.tell_by)}{missing}."
            if done:
                until = done.event.until
                appeal = (
                    f", may appeal to the regulator until {self._moment(until)}" if until else ""
                )
                yield f"  Informed {self._moment(done.at)}, {_by(done.event.by)}{appeal}."

    def _money(self, units: int) -> str:
        return major(units, self.currency)

    def _moment(self, at: datetime | str) -> str:
        """The house's time, with milliseconds if not zero."""
        moment = datetime.fromisoformat(at) if isinstance(at, str) else at
        moment = moment.astimezone(self.zone).replace(tzinfo=None)
        fraction = "milliseconds" if moment.microsecond else "seconds"
        return moment.isoformat(" ", fraction)


def _amount(units: str | int | None) -> int:
    assert isinstance(units, int), units
    return units


def _by(who: str) -> str:
    return f"by {who}" if who else "by a person not named"


class CaseRow(CaseDue, frozen=True):
    """What a list of cases shows of a row of the report `disputes`; amounts are minor units."""

    case: str
    coup: str
    patron: str
    in_dispute: int | None
    changes_hands: int | None


def print_cases(rows: Iterable[CaseRow], house: "House", console: "Console") -> None:
    """Prints a list of cases; the last column is what is due, with its deadline."""
    table = Table(box=None, pad_edge=False, collapse_padding=True, header_style="bold")
    for name in ("case", "coup", "patron", "in dispute", "status", "hands", "due"):
        money = name in ("in dispute", "hands")
        table.add_column(
            name.replace(" ", "\n") if money else name,
            justify="right" if money else "left",
            no_wrap=name not in ("patron", "due"),
            overflow="fold",
        )
    for row in rows:
        amounts = (row.in_dispute, row.changes_hands)
        worth, hands = (
            NOTHING if each is None else amount(each, house.currency) for each in amounts
        )
        cells = (row.case, row.coup, row.patron, worth, status_called(row.status), hands)
        table.add_row(*cells, deadline_words(row))
    if table.row_count:
        console.print(table)
    else:
        console.print("There is no such case.")
