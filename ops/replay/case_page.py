"""A case as a page, and cases as a list, for the people who settle them."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import convert
from rich.table import Table
from rich.text import Text

from domain.events import dispute
from domain.review.replay import Line
from domain.rules.wording import N_, Amount, Moment, Number, Words
from ops.replay.case import CaseFile, Footage
from ops.words.case_events import with_its_words
from ops.words.columns import heading_here
from ops.words.coups import proved
from ops.words.effects import effect_words
from ops.words.language import _, shown
from ops.words.terms import spot_called, status_called
from ops.words.values import NOTHING, CaseDue, amount, deadline_words

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from rich.console import Console

    from ops.commands.house_events import House

Labelled = tuple[str, str]  # a label with its text, both in the reader's language
OPENED, COMPLAINT, NOTES = N_("Opened"), N_("Complaint"), N_("Notes")
WAGERS = N_("Wagers")
# What happened to the table that waits, by the step; and in which phase the coup was.
_HELD = {
    "placed": N_("{moment}  The table waits, {by}."),
    "decided": N_("{moment}  Released by the decision, {by}."),
}
_RELEASED = N_("{moment}  Released, {by}.")
_PHASES = {
    "betting": N_("betting"),
    "dealing": N_("dealing"),
    "resulted": N_("resulted"),
    "settled": N_("settled"),
    "voided": N_("voided"),
    "unused": N_("unused"),
}
_BEFORE = N_("{case} about the same coup, then: {status}.")
_NOT_PAID = N_("Seat {seat} {spot} {stake}, not paid yet.")
_SAME = N_("{camera} at {moment}; its clock is the record's")
_AHEAD = N_("{camera} at {moment}; {its} by its clock, {ms} ms ahead")
_BEHIND = N_("{camera} at {moment}; {its} by its clock, {ms} ms behind")
# By whether the patron was informed, and whether there are several decisions.
_INFORM = {
    (True, False): N_("Inform the patron by {moment}."),
    (False, False): N_("Inform the patron by {moment}, not done yet."),
    (True, True): N_("Inform the patron of decision {n} by {moment}."),
    (False, True): N_("Inform the patron of decision {n} by {moment}, not done yet."),
}
_AGREED = N_("At #{position}, the coup {phase}: the record agreed with the rules{more}.")
_DISAGREED = N_("At #{position}, the coup {phase}: the record did NOT agree with the rules{more}.")


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
        zone = _("times of {zone}", zone=self.zone.key)
        head = f"   {status}   {opened.coup}   {opened.patron}   {zone}"
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
        for label, text in self._rows():
            yield _(label), shown(text)

    def _rows(self) -> Iterator[Labelled]:
        case = self.case
        yield from self._opening(case.opened)
        for line in case.notes:
            for text in self._note(line):
                yield NOTES, text
        for line in case.decisions:
            yield N_("Decisions"), self._decision(line)
        if len(case.decisions) > 1:
            hands = self._hands(case.changes_hands)
            yield "", Words("In all: {hands}", hands=hands)
        for text in (*self._regulator(), *self._patron()):
            yield N_("Deadlines"), text
        for each in case.holds:
            held = _HELD.get(each.step, _RELEASED)
            yield N_("Hold"), Words(held, moment=self._moment(each.at), by=_by(each.by))
        for line in case.packs:
            yield (
                N_("Packs"),
                Words(
                    "{moment}  As of #{position}: JSON {json}, PDF {pdf}.",
                    moment=self._moment(line.at),
                    position=line.event.position,
                    json=line.event.json_sha256,
                    pdf=line.event.pdf_sha256,
                ),
            )
        if case.closed:
            by = _by(case.closed.event.by)
            yield N_("Closed"), Words("{moment}  {by}.", moment=self._moment(case.closed.at), by=by)

    def _opening(self, opened: dispute.Opened) -> Iterator[Labelled]:
        at, by = self._moment(self.case.opened_at), _by(opened.opened_by)
        yield OPENED, Words("{moment}  {by}.", moment=at, by=by)
        yield COMPLAINT, opened.complaint
        if opened.amount is None:
            yield N_("In dispute"), Words("The amount is not known.")
        elif opened.amount_named:
            yield N_("In dispute"), Words("{amount}.", amount=self._money(opened.amount))
        else:
            yield N_("In dispute"), Words("Up to {amount}.", amount=self._money(opened.amount))
        for each in opened.wagers:
            yield WAGERS, wager_words(each, self.currency)
        yield N_("Frozen"), self._frozen(opened)
        for each in opened.others:
            status = status_called(str(each["status"]))
            yield N_("Before"), Words(_BEFORE, case=each["case"], status=status)

    def _frozen(self, opened: dispute.Opened) -> Words:
        more = "".join(f"; {each}" for each in opened.disagreements)
        phase = _PHASES.get(opened.coup_phase)
        return Words(
            _AGREED if opened.agrees else _DISAGREED,
            position=opened.frozen_at,
            phase=Words(phase) if phase else opened.coup_phase,
            more=more,
        )

    def _note(self, line: Line) -> Iterator[str]:
        note = line.event
        by = note.by or Words("person not named")
        yield Words("{moment}  {text} ({by})", moment=self._moment(line.at), text=note.text, by=by)
        for seen in note.evidence:
            yield _below(self._seen(convert(seen, Footage)))
        if note.what_if:
            yield _below(Words("What if: {changes}", changes=", ".join(note.what_if)))

    def _seen(self, footage: Footage) -> Words:
        """The moment by the record's clock, and by the camera's."""
        camera, at = footage.camera, self._moment(footage.by_record)
        if not footage.ahead:
            return Words(_SAME, camera=camera, moment=at)
        return Words(
            _AHEAD if footage.ahead > 0 else _BEHIND,
            camera=camera, moment=at, its=self._moment(footage.at), ms=Number(abs(footage.ahead)),
        )  # fmt: skip

    def _decision(self, line: Line) -> str:
        event, people = line.event, line.event.decided_by
        if second := proved(event.approved_by, line.proved):
            people = Words("{one} with {other}", one=people, other=second) if people else second
        effect = shown(effect_words(event.effect, self.currency))
        decided = _(
            "{number}  {moment}  {effect}. Reason: {reason} ({people}).",
            number=event.number,
            moment=self._moment(line.at),
            effect=f"{effect[:1].upper()}{effect[1:]}",
            reason=event.reason,
            people=people,
        )
        return f"{decided} {shown(self._hands(event.changes_hands))}"

    def _hands(self, changes: int) -> Words:
        """The amount paid to the patrons, or taken back."""
        if not changes:
            return Words("Nothing changes hands.")
        amount = self._money(abs(changes))
        if changes > 0:
            return Words("{amount} is due to the patrons.", amount=amount)
        return Words("{amount} is due from the patrons.", amount=amount)

    def _regulator(self) -> Iterator[str]:
        """The deadline for notifying the regulator, and when that was done."""
        notified, by = self.case.notified, self.case.notify_by
        if not by:
            yield Words("The regulator need not be notified.")
        elif notified:
            yield Words("Notify the regulator by {moment}.", moment=self._moment(by))
        else:
            yield Words("Notify the regulator by {moment}, not done yet.", moment=self._moment(by))
        for line in notified:
            reference = f", {line.event.reference}" if line.event.reference else ""
            by_whom = _by(line.event.by)
            yield _below(
                Words(
                    "Notified {moment}{reference}, {by}.",
                    moment=self._moment(line.at), reference=reference, by=by_whom,
                )
            )  # fmt: skip

    def _patron(self) -> Iterator[str]:
        """The deadline to inform the patron of each decision, when it was done, and the appeal."""
        informed = {line.event.number: line for line in self.case.patron_informed}
        last = len(self.case.decisions)
        for event in (line.event for line in self.case.decisions):
            done = informed.get(event.number)
            if done is None and event.number < last:
                continue  # a later decision replaced it first
            informs = _INFORM[done is not None, last > 1]
            yield Words(informs, n=event.number, moment=self._moment(event.tell_by))
            if done:
                yield _below(self._informed(done))

    def _informed(self, done: Line) -> Words:
        at, by, until = self._moment(done.at), _by(done.event.by), done.event.until
        informed = Words("Informed {moment}, {by}.", moment=at, by=by)
        if until:
            informed = Words(
                "Informed {moment}, {by}, may appeal to the regulator until {until}.",
                moment=at, by=by, until=self._moment(until),
            )  # fmt: skip
        return with_its_words(informed, done.event.in_words)

    def _money(self, units: int) -> Amount:
        return Amount(units, self.currency)

    def _moment(self, at: datetime | str) -> Moment:
        """The house's time, with milliseconds if not zero."""
        moment = datetime.fromisoformat(at) if isinstance(at, str) else at
        return Moment(moment.astimezone(self.zone))


def wager_words(wager: Mapping[str, str | int | None], currency: str) -> Words:
    """A wager of the patron, and what it was paid then."""
    seat, spot, paid = wager["seat"], spot_called(str(wager["spot"])), wager["paid"]
    stake = Amount(_amount(wager["stake"]), currency)
    if paid is None:
        return Words(_NOT_PAID, seat=seat, spot=spot, stake=stake)
    return Words(
        "Seat {seat} {spot} {stake}, paid {paid}.",
        seat=seat, spot=spot, stake=stake, paid=Amount(_amount(paid), currency),
    )  # fmt: skip


def _amount(units: str | int | None) -> int:
    assert isinstance(units, int), units
    return units


def _below(text: Words) -> str:
    """A line that belongs to the one above it."""
    return f"  {shown(text)}"


def _by(who: str) -> Words:
    return Words("by {who}", who=who) if who else Words("by a person not named")


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
    for name in ("case", "coup", "patron", "in_dispute", "status", "changes_hands", "deadlines"):
        money = name in ("in_dispute", "changes_hands")
        table.add_column(
            heading_here(name).replace(" ", "\n") if money else heading_here(name),
            justify="right" if money else "left",
            no_wrap=name not in ("patron", "deadlines"),
            overflow="fold",
        )
    for row in rows:
        amounts = (row.in_dispute, row.changes_hands)
        worth, hands = (
            NOTHING if each is None else amount(each, house.currency) for each in amounts
        )
        cells = (row.case, row.coup, row.patron, worth, shown(status_called(row.status)), hands)
        table.add_row(*cells, deadline_words(row))
    if table.row_count:
        console.print(table)
    else:
        console.print(_("There is no such case."))
