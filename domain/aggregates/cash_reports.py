"""Reports of a patron's cash of a gaming day: which were filed, and which are to be amended."""

from collections.abc import Iterable, Sequence
from datetime import date

from msgspec import Struct

from domain.aggregates.base import OfDay
from domain.events import cash_day as events
from domain.rules.aml import Filing
from domain.rules.refusals import BadValue
from domain.rules.regimes import Direction, Threshold
from domain.rules.wording import Words, listed


class Reported(Struct, frozen=True, kw_only=True):
    """What a report of a day's cash is about; amounts in minor units, as they are when it is filed.

    `transaction`: the position of the only one that is in it; 0: all of that day's.
    """

    threshold: str
    transaction: int = 0
    cash_in: int = 0
    cash_out: int = 0


class CashReports(OfDay, events.State):
    """The reports of one patron's cash of one gaming day."""

    def filed(self, about: Reported, others: Sequence["CashReports"] = ()) -> int:
        """How many reports of that were filed; `others`: whose cash is in the same one.

        One of which it is not known about which transaction it was is about each.
        """
        keys = {(about.threshold, about.transaction), (about.threshold, 0)}
        return max(each.filings.get(key, 0) for each in (self, *others) for key in keys)

    def file(
        self, about: Reported, filing: Filing, by: str, others: Sequence["CashReports"] = ()
    ) -> None:
        """Records that the day's cash was reported, of everybody in the report. Refuses: BadValue.

        `others`: whose cash is in the same report.
        """
        before = self.filed(about, others)
        name = f"{self.patron}, {self.day}"
        filing.require_order(name, before)
        key = about.threshold, about.transaction
        newest = [each.filed_on for one in (self, *others) for each in one.reports.get(key, ())]
        filing.require_day(name, date.fromisoformat(self.day), max(newest, default=""))
        for each in (self, *others):
            each._file(about, filing, before + 1, by, self, others)

    def _file(
        self,
        about: Reported,
        filing: Filing,
        number: int,
        by: str,
        first: "CashReports",
        others: Sequence["CashReports"],
    ) -> None:
        self.record(
            events.ReportFiled(
                threshold=about.threshold,
                number=number,
                filing=filing.filing,
                reference=filing.reference,
                filed_on=filing.filed_on,
                late=filing.late,
                sha256=filing.sha256,
                by=by,
                transaction=about.transaction,
                cash_in=about.cash_in,
                cash_out=about.cash_out,
                in_report_of="" if self is first else first.patron,
                with_cash_of=[each.patron for each in others] if self is first else [],
            )
        )

    def newest(self, reference: str) -> events.ReportFiled:
        """The report of this number, which nothing corrected since. Refuses: BadValue."""
        of_it = [reports for reports in self.reports.values() if reports]
        for reports in of_it:
            if reports[-1].reference == reference:
                return reports[-1]
        known = [each.reference for reports in of_it for each in reports[-1:]]
        raise BadValue(
            message=Words(
                "{reference} is not the newest report about {patron}, {day}. Take back the newest "
                "first: {known}.",
                reference=reference,
                patron=self.patron,
                day=self.day,
                known=listed(known),
            )
            if known
            else Words(
                "No report about {patron}, {day}, is on record.", patron=self.patron, day=self.day
            )
        )

    def take_back(self, report: events.ReportFiled, by: str, reason: str) -> None:
        """Records that the newest report was typed by mistake."""
        self.record(
            events.ReportTakenBack(
                threshold=report.threshold,
                number=report.number,
                reference=report.reference,
                filed_on=report.filed_on,
                transaction=report.transaction,
                by=by,
                reason=reason,
            )
        )

    def outdate(
        self,
        direction: Direction,
        thresholds: Iterable[Threshold],
        total: int,
        transaction: int = 0,
    ) -> None:
        """Alerts once of a report since which more cash came, or whose cash fell below its amount.

        Of several whose cash is in one report it is the patron of whom it was filed.
        """
        for each in thresholds:
            report = next(reversed(self.reports.get((each.name, transaction), [])), None)
            reported = report.has(direction) if report else 0
            known = (each.name, transaction, direction) in self.to_amend
            if not report or report.in_report_of:
                continue
            came, fell = total > reported > 0, total < reported and not each.is_reached_by(total)
            if (came or fell) and not known:
                self.record(
                    events.ReportToAmend(
                        direction=direction,
                        total=total,
                        reported=reported,
                        threshold=each.name,
                        paper=each.paper,
                        transaction=transaction,
                        reference=report.reference,
                    )
                )
