"""The counts of a table day: the tray by shift and at closing, the drop and its boxes.

Amounts are minor units.
"""

from domain.events import base
from domain.events.table_money import ShiftCount, TrayState
from domain.rules.chips import Chips


class DropCounted(base.Event, topic="table-day.drop-counted"):
    """The box was opened and counted, or counted again."""

    amount: int
    before: int | None  # the earlier count; None: this is the first
    reason: str  # why it was counted again; '' the first time
    requested_by: str
    approved_by: str

    def apply(self, state: TrayState) -> None:
        state.drop = self.amount


class BoxAwaited(base.Event, topic="table-day.box-awaited"):
    """A drop box takes the cash of this day, and is to be counted."""

    box: str

    def apply(self, state: TrayState) -> None:
        state.boxes_awaited.append(self.box)


class BoxOpened(base.Event, topic="table-day.box-opened"):
    """A drop box of this day was opened and its cash counted."""

    box: str
    amount: int

    def apply(self, state: TrayState) -> None:
        state.boxes_awaited.remove(self.box)
        state.boxes_cash += self.amount
        state.boxes += 1


class BoxesCounted(base.Event, topic="table-day.boxes-counted"):
    """The last drop box of the day was counted, and compared with the table's own figure."""

    boxes: int
    total: int  # cash of all boxes, in minor units
    table_figure: int  # chips bought with cash at the table
    difference: int  # total minus the table's figure
    drop_before: int | None  # a drop that was entered before; None: there was none


class ShiftCounted(base.Event, topic="table-day.shift-counted"):
    """The tray was counted at the end of a shift; no money moved."""

    shift: str
    chips: Chips
    total: int  # minor units
    expected: int  # the value that the tray should have
    variance: int  # counted minus expected
    level: str  # `none`, `report`, or `regulator`
    thresholds: list[int]  # over the first: a report; from the second: the regulator's
    before: int | None  # an earlier count of this shift; None: this is the first
    counted_by: str  # who hands the table over
    signed_by: str  # who takes it over

    def apply(self, state: TrayState) -> None:
        state.count_chips(self.originator_version, self.chips)
        state.shift_counts[self.shift] = ShiftCount(
            entry=self.originator_version,
            at=self.timestamp,
            session=len(state.sessions),
            total=self.total,
            expected=self.expected,
        )


class TableClosed(base.Event, topic="table-day.table-closed"):
    """Everybody has left, and the tray was counted."""

    closer: Chips
    closer_total: int  # minor units
    expected: int | None  # the value that the tray should have
    variance: int | None  # counted minus expected
    level: str  # `none`, `report`, or `regulator`
    thresholds: list[int] | None  # over the first: a report; from the second: the regulator's
    wagers_won: int | None  # chips won on wagers, without commission taken at payout
    commission: int | None  # collected in chips
    counted_by: str
    signed_by: str
    why: str  # `closed`, or `rolled-over`
    session: int  # the openers of the day so far

    def apply(self, state: TrayState) -> None:
        state.closed = True
        state.why_closed = self.why
        session = state.sessions[-1]
        session.wagers_won, session.commission = self.wagers_won or 0, self.commission or 0
        session.closer, session.closer_chips = self.closer_total, self.closer


class OpenerDiffered(base.Event, topic="table-day.opener-differed"):
    """A session began with other chips than the closer before it had."""

    of: str  # the table day of the closer
    session: int  # of the opener
    closer: Chips
    closer_total: int  # minor units
    opener: Chips
    opener_total: int
    difference: int  # opener minus closer


class Reckoned(base.Event):
    """The variance of a closed session."""

    session: int
    closer_total: int
    expected: int
    variance: int  # counted minus expected
    level: str  # `none`, `report`, or `regulator`
    thresholds: list[int]


class CloserRecounted(Reckoned, topic="table-day.closer-recounted"):
    """The tray of a closed session was counted again."""

    closer: Chips
    before: int  # the count before, in minor units
    counted_by: str
    signed_by: str
    reason: str

    def apply(self, state: TrayState) -> None:
        session = state.sessions[self.session - 1]
        session.closer, session.closer_chips = self.closer_total, self.closer


class VarianceChanged(Reckoned, topic="table-day.variance-changed"):
    """A closed session should have had another tray, because money of it was corrected."""

    variance_before: int
    wagers_won: int  # in the session, in chips
    commission: int  # collected in the session, in chips
    more: int  # by how much more of both came in it than was recorded

    def apply(self, state: TrayState) -> None:
        session = state.sessions[self.session - 1]
        more = self.commission - session.commission
        won_more = self.wagers_won - session.wagers_won
        session.wagers_won, session.commission = self.wagers_won, self.commission
        if self.session < len(state.sessions):
            won, collected = state.before_session
            state.before_session = won + won_more, collected + more


class ShiftVarianceChanged(base.Event, topic="table-day.shift-variance-changed"):
    """The tray should have held more or less after a shift, because money was corrected."""

    shift: str
    total: int  # minor units, as counted
    expected: int
    variance: int  # counted minus expected
    level: str  # `none`, `report`, or `regulator`
    thresholds: list[int]
    variance_before: int

    def apply(self, state: TrayState) -> None:
        state.shift_counts[self.shift].expected = self.expected
