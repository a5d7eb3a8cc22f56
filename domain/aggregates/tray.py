"""The money of a table day: what came into the tray and left it, counted, and put right.

A movement that was typed wrong is corrected by two people as an event of its own; both values stay
on record (R-IRR-5). Amounts are minor units.
"""

from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from domain.aggregates.base import Aggregate
from domain.aggregates.property import Property
from domain.events import table_day as events
from domain.rules.chips import Chips, require_countable, total
from domain.rules.house_rules import HouseRules, of
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.refusals import AlreadyOpen, BadValue, ConfirmationNeeded, NotFound, TableClosed
from domain.rules.seating import Stay
from domain.rules.wording import N_, Amount, Words, listed

_OFF = {
    True: N_("The tray of {day} has {amount} more than it should"),
    False: N_("The tray of {day} has {amount} less than it should"),
}


class Signed(Struct, frozen=True):
    """Why something is put right, and the two people who do it (R-IRR-5)."""

    reason: str
    requested_by: str
    approved_by: str

    @property
    def fields(self) -> dict[str, Any]:
        """The fields that an event of it has."""
        return asdict(self)


class Tray(Aggregate, events.State):
    """The chips and the cash of one table day."""

    @property
    def rules(self) -> HouseRules:
        """The rule set of this table day."""
        return of(self.rules_name, self.rules_digest)

    def require_open(self) -> None:
        """Refuses: TableClosed."""
        if self.closed:
            raise TableClosed(what=str(self.address))

    def fill(self, slip: str, chips: Chips) -> None:
        """Receives chips from the cage, with their slip. Refuses: TableClosed."""
        self.require_open()
        require_countable("chips", chips)
        self._require_bounded(self.tray + total(chips))
        self.record(events.Filled(slip=slip, chips=chips, total=total(chips)))

    def credit(self, slip: str, chips: Chips) -> None:
        """Gives chips to the cage, with their slip. Refuses: TableClosed."""
        self.require_open()
        require_countable("chips", chips)
        self._require_bounded(self.tray - total(chips))
        self.record(events.Credited(slip=slip, chips=chips, total=total(chips)))

    def count_drop(self, amount: int, *, confirmed: bool = True) -> None:
        """Counts the drop; a closed table day takes it too. Refuses: ConfirmationNeeded."""
        if self.drop is not None and not confirmed:
            raise ConfirmationNeeded(
                so=Words(
                    "The drop of {day} was already counted, as {before}. {amount} would replace it",
                    day=self.address,
                    before=self._amount(self.drop),
                    amount=self._amount(amount),
                )
            )
        self._record_drop(amount, Signed("", "", ""))

    def recount_drop(self, amount: int, signed: Signed) -> None:
        """Counts the drop again, by two people. Refuses: NotFound, BadValue."""
        if self.drop is None:
            raise NotFound(
                message=Words(
                    "The drop of {day} was not counted yet. Count it, with `table drop`.",
                    day=self.address,
                )
            )
        self._require_other(amount, self.drop)
        self._record_drop(amount, signed)

    def _record_drop(self, amount: int, signed: Signed) -> None:
        self.record(
            events.DropCounted(
                amount=amount,
                before=self.drop,
                **signed.fields,
            )
        )

    def put_coup_right(self, coup: str, changes_hands: int) -> None:
        """Corrects a coup of a closed day with chips of this tray, or of the cage."""
        place = "cage" if self.closed else "tray"
        self.record(events.EarlierCoupPutRight(coup=coup, changes_hands=changes_hands, place=place))

    def recover_commission(self, patron: str, stay: str, amount: int) -> None:
        """Takes commission written off elsewhere into this tray. Refuses: TableClosed."""
        self.require_open()
        self._require_bounded(self.tray + amount)
        self.record(events.CommissionRecovered(patron=patron, stay=stay, amount=amount))

    # Counting.
    def await_box(self, box: str) -> None:
        """Expects a drop box with cash of this day. Refuses: TableClosed."""
        self.require_open()
        self.record(events.BoxAwaited(box=box))

    def count_box(self, box: str, amount: int) -> None:
        """Counts a drop box; the last one is compared with the table's figure and sets the drop."""
        self.record(events.BoxOpened(box=box, amount=amount))
        if self.boxes_awaited:
            return
        self.record(
            events.BoxesCounted(
                boxes=self.boxes,
                total=self.boxes_cash,
                table_figure=self.cash_in,
                difference=self.boxes_cash - self.cash_in,
                drop_before=self.drop,
            )
        )
        if self.drop != self.boxes_cash:
            self.count_drop(self.boxes_cash)

    def shift_to_count(self, house: Property, at: datetime) -> str:
        """The shift that a count at this moment ends: the one before, unless it was counted."""
        names = [each.name for each in house.named_shifts]
        opened = names.index(house.shift_of(self.created_on, self.address.day))
        now = names.index(house.shift_of(at, self.address.day))
        before = now - 1
        counted = before < opened or names[before] in self.shift_counts
        return names[now if counted else before]

    def count_shift(
        self,
        shift: str,
        chips: Chips,
        house: Property,
        *,
        wagers_won: int = 0,
        commission: int = 0,
        counted_by: str = "",
        signed_by: str = "",
    ) -> None:
        """Counts the tray at the end of a shift; no money moves.

        `wagers_won` and `commission`: the chips that they brought into the tray in the whole day.
        Refuses: TableClosed, BadValue.
        """
        self.require_open()
        names = [each.name for each in house.named_shifts]
        if shift not in names:
            raise BadValue(
                message=Words(
                    "There is no shift {shift}. The shifts are {names}.",
                    shift=shift,
                    names=listed(names),
                )
            )
        require_countable("chips", chips)
        won, paid = self._in_session(wagers_won, commission)
        expected = self.tray + won + paid
        variance = total(chips) - expected
        self.record(
            events.ShiftCounted(
                shift=shift,
                chips=chips,
                total=total(chips),
                expected=expected,
                variance=variance,
                level=_level(abs(variance), house),
                thresholds=[house.variance_report, house.variance_regulator],
                before=self.shift_counts.get(shift),
                counted_by=counted_by,
                signed_by=signed_by,
            )
        )

    def _in_session(self, wagers_won: int, commission: int) -> tuple[int, int]:
        """What of the whole day's chips came in this session."""
        won_before, commission_before = self.before_session
        return wagers_won - won_before, commission - commission_before

    def count_closer(
        self,
        closer: Chips,
        house: Property,
        *,
        wagers_won: int,
        commission: int,
        counted_by: str,
        signed_by: str,
        why: str,
        confirmed: bool,
    ) -> None:
        """Records the closer of the session; `wagers_won` and `commission`: of the whole day.

        Refuses: ConfirmationNeeded, for a variance that is reported.
        """
        require_countable("closer", closer)
        won, paid = self._in_session(wagers_won, commission)
        expected = self.tray + won + paid
        variance = total(closer) - expected
        self._require_confirmed(variance, house, confirmed=confirmed)
        self.record(
            events.TableClosed(
                closer=closer,
                closer_total=total(closer),
                expected=expected,
                variance=variance,
                level=_level(abs(variance), house),
                thresholds=[house.variance_report, house.variance_regulator],
                wagers_won=won,
                commission=paid,
                counted_by=counted_by,
                signed_by=signed_by,
                why=why,
                session=len(self.sessions),
            )
        )

    def recount_closer(
        self, closer: Chips, house: Property, *, counted_by: str, signed_by: str, reason: str
    ) -> None:
        """Counts the tray of the session that closed last again. Refuses: NotFound, BadValue."""
        require_countable("closer", closer)
        number = len(self.sessions) if self.closed else len(self.sessions) - 1
        before = self.sessions[number - 1].closer if number else None
        if before is None:
            raise NotFound(
                message=Words(
                    "{day} has no closer yet. Close the table, with `table close`.",
                    day=self.address,
                )
            )
        self._require_other(total(closer), before)
        self.record(
            events.CloserRecounted(
                closer=closer,
                before=before,
                counted_by=counted_by,
                signed_by=signed_by,
                reason=reason,
                **self._reckoned(number, total(closer), house),
            )
        )

    def _reckoned(
        self, number: int, closer: int, house: Property, commission: int = 0
    ) -> dict[str, Any]:
        """The fields of a closed session's variance, with this closer and more commission."""
        expected = self.sessions[number - 1].expected + commission
        return {
            "session": number,
            "closer_total": closer,
            "expected": expected,
            "variance": closer - expected,
            "level": _level(abs(closer - expected), house),
            "thresholds": [house.variance_report, house.variance_regulator],
        }

    def _require_confirmed(self, variance: int, house: Property, *, confirmed: bool) -> None:
        if not confirmed and _level(abs(variance), house) != "none":
            off, amount = variance > 0, self._amount(abs(variance))
            raise ConfirmationNeeded(so=Words(_OFF[off], day=self.address, amount=amount))

    # Putting right.
    def movement(self, entry: int) -> events.Movement:
        """Cash or chips that moved, as last corrected. Refuses: NotFound."""
        if entry not in self.moved:
            raise NotFound(
                message=Words(
                    "That event moved no money of {day}. Name a buy-in, a cash-out, a fill, a "
                    "credit or an opener.",
                    day=self.address,
                )
            )
        return self.moved[entry]

    def correct_cash(
        self, position: int, entry: int, seat: int, stay: Stay, amount: int, signed: Signed
    ) -> None:
        """Corrects a buy-in or a cash-out; 0: it never was. Refuses: BadValue."""
        before = self.movement(entry)
        if (before.patron, before.stay, before.amount) == (stay.patron, stay.address, amount):
            raise self._nothing_new()
        self._require_bounded(self.tray + events.SIGN[before.kind] * (amount - before.amount))
        self.record(
            events.CashCorrected(
                position=position,
                entry=entry,
                kind=before.kind,
                seat=seat,
                patron=stay.patron,
                stay=stay.address,
                amount=amount,
                patron_before=before.patron,
                stay_before=before.stay,
                amount_before=before.amount,
                **signed.fields,
            )
        )

    def correct_chips(self, position: int, entry: int, chips: Chips, signed: Signed) -> None:
        """Corrects the chips of an opener, a fill or a credit; none: it never was.

        Refuses: BadValue.
        """
        before = self.movement(entry)
        require_countable("chips", chips)
        if before.chips == chips:
            raise self._nothing_new()
        more = events.SIGN[before.kind] * (total(chips) - before.amount)
        self._require_bounded(self.tray + more)
        self.record(
            events.ChipsCorrected(
                position=position,
                entry=entry,
                kind=before.kind,
                slip=before.slip,
                session=before.session,
                chips=chips,
                total=total(chips),
                chips_before=before.chips or {},
                total_before=before.amount,
                **signed.fields,
            )
        )

    def session_at(self, moment: datetime) -> int:
        """The number of the session in which something happened."""
        begun = [number for number, each in enumerate(self.sessions, 1) if each.began <= moment]
        return begun[-1] if begun else 1

    def variance_of(self, number: int) -> int | None:
        """The variance of a session, or None while it is open."""
        session = self.sessions[number - 1]
        return None if session.closer is None else session.closer - session.expected

    def reckon_again(
        self, number: int, house: Property, variance_before: int | None, *, commission: int = 0
    ) -> None:
        """Records the variance of a closed session whose money was corrected.

        `variance_before`: `variance_of` before the correction; `commission`: by how much more or
        less was collected in it.
        """
        session = self.sessions[number - 1]
        if session.closer is None or variance_before is None:
            return
        fields = self._reckoned(number, session.closer, house, commission)
        if fields["variance"] != variance_before:
            collected = session.commission + commission
            self.record(
                events.VarianceChanged(
                    variance_before=variance_before, commission=collected, **fields
                )
            )

    def _nothing_new(self) -> BadValue:
        return BadValue(
            message=Words("That is how it is on record. Give what was wrong as it really was.")
        )

    def _require_other(self, amount: int, before: int) -> None:
        """Refuses a second count that gives the first one's total: BadValue."""
        if amount == before:
            raise BadValue(
                message=Words(
                    "{amount} is what was counted before. Nothing is to be put right.",
                    amount=self._amount(amount),
                )
            )

    def _require_bounded(self, tray: int) -> None:
        """Refuses a tray that some readers of JSON could not read exactly: BadValue."""
        if abs(tray) > LARGEST_AMOUNT:
            raise BadValue(
                message=Words(
                    "The tray would come to more than 2^53 minor units. Check the amount."
                )
            )

    def _amount(self, amount: int) -> Amount:
        return Amount(amount, self.rules.currency)

    # A further session.
    def reopen(
        self,
        opener: Chips,
        signed: Signed,
        *,
        wagers_won: int,
        commission: int,
    ) -> None:
        """Opens the closed day for a further session, with its own opener. Refuses: AlreadyOpen.

        `wagers_won` and `commission`: of the whole day before it. Who requests it is the dealer,
        who approves it the supervisor.
        """
        if not self.closed:
            raise AlreadyOpen(what=self.address, then=Words("close it first"))
        require_countable("opener", opener)
        self.record(
            events.Reopened(
                session=len(self.sessions) + 1,
                opener=opener,
                opener_total=total(opener),
                dealer=signed.requested_by or self.dealer,
                supervisor=signed.approved_by or self.supervisor,
                wagers_won=wagers_won,
                commission=commission,
                reason=signed.reason,
            )
        )


def _level(off: int, house: Property) -> str:
    """The level of a variance: whether it is reported in the house, or to the regulator."""
    if off >= house.variance_regulator:
        return "regulator"
    return "report" if off > house.variance_report else "none"
