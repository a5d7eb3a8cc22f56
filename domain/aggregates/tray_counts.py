"""The counts of a table day: the tray by shift and at closing, the drop and its boxes.

A count is compared with what the tray should have, by everything that moved chips. When money is
put right later, every count that it touches is compared again (R-IRR-5). Amounts are minor units.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from domain.aggregates.property import Property
from domain.aggregates.tray import Signed, Tray
from domain.events import table_counts as events
from domain.rules.chips import Chips, added, require_countable, total
from domain.rules.refusals import BadValue, ConfirmationNeeded, NotFound
from domain.rules.wording import N_, Words, listed

_OFF = {
    True: N_("The tray of {day} has {amount} more than it should"),
    False: N_("The tray of {day} has {amount} less than it should"),
}


class CountedTray(Tray):
    """The chips and the cash of one table day, as they are counted."""

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

    def await_box(self, box: str) -> None:
        """Expects a drop box with cash of this day. Refuses: TableClosed."""
        self.require_open()
        self.record(events.BoxAwaited(box=box))

    def count_box(self, box: str, amount: int) -> None:
        """Counts a drop box; the last one is compared with the table's figure and sets the drop."""
        self.record(events.BoxOpened(box=box, amount=amount))
        if self.boxes_awaited:
            return
        self._compare_boxes(drop_before=self.drop)
        if self.drop != self.boxes_cash:
            self.count_drop(self.boxes_cash)

    def _compare_boxes(self, drop_before: int | None) -> None:
        self.record(
            events.BoxesCounted(
                boxes=self.boxes,
                total=self.boxes_cash,
                table_figure=self.cash_in,
                difference=self.boxes_cash - self.cash_in,
                drop_before=drop_before,
            )
        )

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
        expected = self.expected_now(wagers_won, commission)
        counted = self.shift_counts.get(shift)
        self.record(
            events.ShiftCounted(
                shift=shift,
                chips=chips,
                total=total(chips),
                **_compared(total(chips), expected, house),
                before=counted.total if counted else None,
                counted_by=counted_by,
                signed_by=signed_by,
            )
        )

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
        won, paid = self.in_session(wagers_won, commission)
        expected = self.expected_now(wagers_won, commission)
        self._require_confirmed(total(closer) - expected, house, confirmed=confirmed)
        self.record(
            events.TableClosed(
                closer=closer,
                closer_total=total(closer),
                **_compared(total(closer), expected, house),
                wagers_won=won,
                commission=paid,
                counted_by=counted_by,
                signed_by=signed_by,
                why=why,
                session=len(self.sessions),
            )
        )

    def opener_of(self, number: int) -> Chips:
        """The chips with which a session began, as last corrected."""
        return next(
            each.chips or {}
            for each in self.moved.values()
            if (each.kind, each.session) == ("opener", number)
        )

    def opener_after(
        self, closed: int, opener: Chips, session: int
    ) -> events.OpenerDiffered | None:
        """How an opener differs from the closer of the session `closed`, or None.

        `session`: the number of the opener's own session, on this day or the next.
        """
        closer = self.sessions[closed - 1].closer_chips
        if closer is None or not added(closer, opener, -1):
            return None
        return events.OpenerDiffered(
            of=str(self.address),
            session=session,
            closer=closer,
            closer_total=total(closer),
            opener=opener,
            opener_total=total(opener),
            difference=total(opener) - total(closer),
        )

    def note(self, differs: events.OpenerDiffered | None) -> None:
        """Records that an opener differs, if it does."""
        if differs:
            self.record(differs)

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

    def _reckoned(self, number: int, closer: int, house: Property, more: int = 0) -> dict[str, Any]:
        """The fields of a closed session's variance, with this closer and `more` that came in."""
        expected = self.sessions[number - 1].expected + more
        compared = _compared(closer, expected, house)
        return {"session": number, "closer_total": closer, **compared}

    def _require_confirmed(self, variance: int, house: Property, *, confirmed: bool) -> None:
        if not confirmed and _level(abs(variance), house) != "none":
            off, amount = variance > 0, self._amount(abs(variance))
            raise ConfirmationNeeded(so=Words(_OFF[off], day=self.address, amount=amount))

    def session_at(self, moment: datetime) -> int:
        """The number of the session in which something happened."""
        begun = [number for number, each in enumerate(self.sessions, 1) if each.began <= moment]
        return begun[-1] if begun else 1

    def variances_of(self, number: int) -> dict[str, int]:
        """By how much each count of a session is off: by shift, and the closer under ''."""
        session = self.sessions[number - 1]
        off = {
            shift: count.total - count.expected
            for shift, count in self.shift_counts.items()
            if count.session == number
        }
        return off if session.closer is None else off | {"": session.closer - session.expected}

    def reckon_again(
        self,
        number: int,
        house: Property,
        before: Mapping[str, int],
        *,
        wagers_won: int = 0,
        commission: int = 0,
        came_at: datetime | None = None,
    ) -> None:
        """Records the variance of each count of a session whose money was corrected.

        `before`: `variances_of` before the correction; `wagers_won` and `commission`: by how much
        more or less was won on wagers and collected in it, at the moment at which it came. They are
        recorded even if the closer is off by as much as before: money on a game account is in no
        tray, but the session won more or less.
        """
        for shift, count in self.shift_counts.items():
            if count.session != number:
                continue
            more = wagers_won + commission if came_at and came_at <= count.at else 0
            fields = _compared(count.total, count.expected + more, house)
            if fields["variance"] != before[shift]:
                self.record(
                    events.ShiftVarianceChanged(
                        shift=shift, total=count.total, variance_before=before[shift], **fields
                    )
                )
        closer = self.sessions[number - 1].closer
        if closer is None:
            return
        reckoned = self._reckoned(number, closer, house, wagers_won + commission)
        if reckoned["variance"] != before[""] or wagers_won or commission:
            session = self.sessions[number - 1]
            self.record(
                events.VarianceChanged(
                    variance_before=before[""],
                    wagers_won=session.wagers_won + wagers_won,
                    commission=session.commission + commission,
                    more=wagers_won + commission,
                    **reckoned,
                )
            )

    def compare_boxes_again(self) -> None:
        """Compares boxes that were all counted with the table's figure, which was corrected."""
        if self.boxes and not self.boxes_awaited:
            self._compare_boxes(drop_before=None)

    def _require_other(self, amount: int, before: int) -> None:
        """Refuses a second count that gives the first one's total: BadValue."""
        if amount == before:
            raise BadValue(
                message=Words(
                    "{amount} is what was counted before. Nothing is to be put right.",
                    amount=self._amount(amount),
                )
            )


def _compared(counted: int, expected: int, house: Property) -> dict[str, Any]:
    """The fields that say how a count differs from what the tray should have."""
    variance = counted - expected
    return {
        "expected": expected,
        "variance": variance,
        "level": _level(abs(variance), house),
        "thresholds": [house.variance_report, house.variance_regulator],
    }


def _level(off: int, house: Property) -> str:
    """The level of a variance: whether it is reported in the house, or to the regulator."""
    if off >= house.variance_regulator:
        return "regulator"
    return "report" if off > house.variance_report else "none"
