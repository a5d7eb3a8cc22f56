"""A patron's cash of one gaming day, over all tables: in and out, never netted (R-CASH-1).

From which amount what is due, the house's regime says. The floor gets one alert when an amount to
report is near, while the patron is still there, and one when it happens. Patrons whose names look
the same count together: whether they are one person is for a person to judge, and they have one
alert. So do all who play for one person, with that person.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Self
from uuid import UUID

from msgspec import Struct

from domain.aggregates.cash_reports import CashReports, Reported
from domain.aggregates.tray import Signed
from domain.events import cash_day as events
from domain.rules.addresses import stream_id
from domain.rules.refusals import BadValue
from domain.rules.regimes import Direction, Regime, Threshold
from domain.rules.wording import Words


class Others(Struct, frozen=True):
    """The day's cash of others that counts together with a patron's."""

    alike: Sequence["CashDay"] = ()  # their names look the same
    agents: Sequence["CashDay"] = ()  # they play for the same person, or for the patron

    @property
    def every(self) -> tuple["CashDay", ...]:
        """All of them."""
        return (*self.alike, *self.agents)

    def total(self, direction: Direction) -> int:
        """What came, or went, in minor units."""
        return sum(each.totals[direction] for each in self.every)


NOBODY = Others()


class NotShown(Struct, frozen=True):
    """Who was asked for ID, under which name, at which table ('' for none), and what they did."""

    name: str
    table: str
    answer: str  # one of NOT_SHOWN


class CashDay(CashReports):
    """The cash of one patron on one gaming day."""

    @staticmethod
    def stream(patron: str, day: date) -> UUID:
        """The stream of a patron's cash of one day."""
        return stream_id("cash-day", f"{patron}/{day.isoformat()}", day)

    # Commands
    @classmethod
    def begin_day(cls, patron: str, day: date, at: datetime) -> Self:
        """Begins with the first cash of the day."""
        return cls.begin(
            events.Begun(patron=patron, day=day.isoformat()), cls.stream(patron, day), at
        )

    def brings(
        self, direction: Direction, amount: int, regime: Regime, others: Others = NOBODY
    ) -> list[Threshold]:
        """What so much cash more would bring about; `others` as in `count`.

        Where cash waits for the ID, it does until that is seen, also once the patron's own cash has
        reached the amount. It is due of everybody who plays for the same person, also of who comes
        once the cash of the others has (31 CFR 1010.312).
        """
        before = self.totals[direction] + others.total(direction)
        brought = regime.brought(direction, before, amount)
        own = before if others.agents else self.totals[direction]
        if not self.identity_seen and (others.agents or regime.at_the_table != "say"):
            brought += (
                each
                for each in regime.of(direction, "day")
                if "identity" in each.due and each.is_reached_by(own) and each not in brought
            )
        return brought

    def due_still(
        self, direction: Direction, regime: Regime, others: Others = NOBODY
    ) -> list[Threshold]:
        """Amounts that the day's cash has reached, of which the ID or the report is missing."""
        total = self.totals[direction] + others.total(direction)
        return [
            each
            for each in regime.of(direction, "day")
            if each.is_reached_by(total)
            and (
                ("identity" in each.due and not self.identity_seen)
                or ("report" in each.due and not self._is_reported(each, others))
            )
        ]

    def _is_reported(self, threshold: Threshold, others: Others) -> bool:
        return bool(self.filed(Reported(threshold=threshold.name), others.every))

    def see_identity(
        self, direction: Direction, amount: int, thresholds: Sequence[Threshold]
    ) -> None:
        """Records that somebody saw who the patron is, before the cash was taken or paid."""
        names = [each.name for each in thresholds]
        self.record(events.IdentitySeen(direction=direction, amount=amount, thresholds=names))

    def miss_identity(
        self, asked: NotShown, direction: Direction, amount: int, thresholds: Sequence[Threshold]
    ) -> None:
        """Records that somebody was asked who they are, for so much cash, and did not show it."""
        self.record(
            events.IdentityNotShown(
                direction=direction,
                amount=amount,
                thresholds=[each.name for each in thresholds],
                answer=asked.answer,
                table=asked.table,
                name=asked.name,
            )
        )

    def withdraw_not_shown(self, entry: int, position: int, signed: Signed) -> None:
        """Withdraws that somebody did not show who they are. Refuses: BadValue.

        `entry`: its number in this stream; `position`: in the record.
        """
        missed = self.not_shown.get(entry)
        if missed is None:
            raise BadValue(message=Words("#{position} is withdrawn already.", position=position))
        self.record(
            events.IdentityNotShownWithdrawn(
                position=position,
                entry=entry,
                direction=missed.direction,
                amount=missed.amount,
                table=missed.table,
                name=missed.name,
                reason=signed.reason,
                requested_by=signed.requested_by,
                approved_by=signed.approved_by,
            )
        )

    def count(
        self,
        direction: Direction,
        amount: int,
        regime: Regime,
        *,
        table: str = "",
        name: str = "",
        others: Others = NOBODY,
    ) -> None:
        """Counts cash in or out, and alerts the floor once when it is near and once when over.

        Of a report that was filed before, and does not have it, who deals with those is alerted.
        `table`: '' for the cash of an alias, which is no single transaction. `name`: the alias
        under which it came, if any. `others`: whose cash of the day counts together with it.
        """
        total = self.totals[direction] + amount
        self.record(
            events.CashCounted(
                direction=direction,
                amount=amount,
                total=total,
                table=table,
                name=name or self.patron,
            )
        )
        if table:
            self._alert_of_one(direction, amount, regime)
        self._alert(direction, regime, others)
        together = total + others.total(direction)
        for each in (self, *others.every):
            each.outdate(direction, regime.of(direction, "day"), together)

    def correct(
        self,
        direction: Direction,
        more: int,
        regime: Regime,
        *,
        became: int = 0,
        transaction: int = 0,
        table: str = "",
        name: str = "",
        others: Others = NOBODY,
    ) -> None:
        """Changes the day's cash by `more`, which may be negative; alerts the floor as `count`.

        `became`: what one transaction, at this position, really was, if that was wrong. An alert of
        the day's cash that is not true any more ends, also one of a patron who counts together with
        this. A report is looked at, too, which has cash that is another now.
        """
        together = self.totals[direction] + more + others.total(direction)
        self._change(direction, more, name or self.patron, table, regime, together)
        if more > 0:
            self._alert_of_one(direction, became, regime, before=became - more)
        if transaction:
            self.outdate(direction, regime.of(direction, "one"), became, transaction)
        self.look_again(direction, regime, others)

    def look_again(self, direction: Direction, regime: Regime, others: Others = NOBODY) -> None:
        """Ends alerts that are not true any more, and alerts the floor of what is.

        `others`: whose cash counts together with this now.
        """
        together = self.totals[direction] + others.total(direction)
        for each in (self, *others.every):
            if each._has_untrue_alert(direction, regime, together):
                each._change(direction, 0, each.patron, "", regime, together)
            each.outdate(direction, regime.of(direction, "day"), together)
        self._alert(direction, regime, others)

    def _has_untrue_alert(self, direction: Direction, regime: Regime, together: int) -> bool:
        holds = {
            each.name: {"passed": each.is_reached_by(together), "near": each.is_near(together)}
            for each in regime.of(direction, "day")
        }
        return any(
            way == direction and not holds.get(threshold, {}).get(kind)
            for way, kind, threshold in self.alerts
        )

    def _change(
        self,
        direction: Direction,
        more: int,
        name: str,
        table: str,
        regime: Regime,
        together: int,
    ) -> None:
        """Records a change; `together`: the cash after it, of all who count together."""
        of_day = list(regime.of(direction, "day"))
        reached = [each.name for each in of_day if each.is_reached_by(together)]
        near = [each.name for each in of_day if each.is_near(together)]
        self.record(
            events.CashChanged(
                direction=direction,
                amount=more,
                total=self.totals[direction] + more,
                table=table,
                name=name,
                near=bool(near),
                over=bool(reached),
                near_to=[each for each in near if each],
                reached=[each for each in reached if each],
            )
        )

    def could_be_little_play(self, amount: int) -> bool:
        """Whether so much came in and went out that the play between is to be looked at.

        `amount`: minor units of either; 0: never.
        """
        return bool(amount) and not self.little_play and min(self.totals.values()) >= amount

    def note_play(self, played: int, share: int) -> None:
        """Notes that less was staked than `share` per cent of the cash that went in and out."""
        if played * 100 < min(self.totals.values()) * share:
            self.record(
                events.LittlePlayNoted(
                    total_in=self.totals["in"], total_out=self.totals["out"], played=played
                )
            )

    def was_split(self, direction: Direction, others: Others) -> bool:
        """Whether it was noted that the day's cash of all who count together came in pieces."""
        return any(direction in each.split for each in (self, *others.every))

    def note_split(
        self, direction: Direction, threshold: Threshold, pieces: Sequence[int], others: Others
    ) -> None:
        """Notes that cash came in pieces, each of them just under what is reported of one."""
        self.record(
            events.CashSplit(
                direction=direction,
                pieces=len(pieces),
                total=sum(pieces),
                reporting_amount=threshold.amount,
                threshold=threshold.name,
                paper=threshold.paper,
                alike=sorted(each.patron for each in others.alike),
                agents=sorted(each.patron for each in others.agents),
            )
        )

    def names(self, direction: Direction) -> set[str]:
        """The patron, and each name under which cash came or went."""
        return {self.patron, *(name for name, sums in self.by_name.items() if sums[direction])}

    def names_after(self, direction: Direction, name: str, more: int) -> set[str]:
        """The same names after a change of what came or went under one of them."""
        sums = {each: of_name[direction] for each, of_name in self.by_name.items()}
        sums[name] = sums.get(name, 0) + more
        return {self.patron, *(each for each, amount in sums.items() if amount)}

    def was_alerted(self, direction: Direction, threshold: str, *kinds: str) -> bool:
        """Whether the floor was alerted of a threshold, of one of these kinds."""
        return any((direction, kind, threshold) in self.alerts for kind in kinds)

    def _alert(self, direction: Direction, regime: Regime, others: Others) -> None:
        """Alerts the floor of what the day's cash brought about, and of what is near.

        Of who only has others' cash beside them those others are alerted.
        """
        if not self.totals[direction]:
            return
        total = self.totals[direction] + others.total(direction)
        everybody = (self, *others.every)
        for each in regime.of(direction, "day"):
            if each.is_reached_by(total):
                known = any(one.was_alerted(direction, each.name, "passed") for one in everybody)
                if not known:
                    self._pass(direction, total, each, others)
            elif each.is_near(total) and not any(
                one.was_alerted(direction, each.name, "near", "passed") for one in everybody
            ):
                self.record(
                    events.ReportingAmountNear(
                        direction=direction,
                        total=total,
                        reporting_amount=each.amount,
                        alike=sorted(one.patron for one in others.alike),
                        agents=sorted(one.patron for one in others.agents),
                        threshold=each.name,
                        paper=each.paper,
                    )
                )

    def _alert_of_one(
        self, direction: Direction, amount: int, regime: Regime, before: int = 0
    ) -> None:
        """Alerts the floor of a transaction; `before`: what it was entered as."""
        for each in regime.of(direction, "one"):
            if each.is_reached_by(amount) and not each.is_reached_by(before):
                self._pass(direction, amount, each, NOBODY)

    def _pass(self, direction: Direction, total: int, threshold: Threshold, others: Others) -> None:
        due = [each for each in threshold.due if each != "identity" or not self.identity_seen]
        if not due:
            return  # the ID was seen, and nothing else is left to be done
        last_day = threshold.last_day_due(date.fromisoformat(self.day))
        self.record(
            events.ReportingAmountPassed(
                direction=direction,
                total=total,
                reporting_amount=threshold.amount,
                alike=sorted(each.patron for each in others.alike),
                agents=sorted(each.patron for each in others.agents),
                threshold=threshold.name,
                paper=threshold.paper,
                due=list(due) if threshold.name else [],
                due_by=last_day.isoformat() if last_day and "report" in due else "",
                single=threshold.counts == "one",
            )
        )
