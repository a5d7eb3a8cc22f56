"""The values of a report in the reader's words and forms.

JSON and CSV have the values of the feed's contract: minor units, ratios as decimals, events field
by field.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from msgspec import Struct

from domain.rules.money import digits
from domain.rules.wording import N_, Amount, Words, counted
from ops.words import language
from ops.words.access import UNNAMED
from ops.words.alerts import stretch_words
from ops.words.coups import proved
from ops.words.events import sentences
from ops.words.language import _, short_moment, shown
from ops.words.terms import spot_called
from ops.words.unlikely import unlikely_words
from projections import Report

NOTHING = "·"
PERCENT = ("hold", "occupancy", "full")
# The event of an exception in a coup's row, by its kind.
_TYPES = {
    "late bet": "LateBetRefused",
    "wager found late": "WagerFound",
    "over or under limit": "LimitFoundBroken",
    "differential": "LimitFoundBroken",
    "wager reduced": "WagerReduced",
    "undue card": "UndueCardRefused",
    "exposed or foreign card": "CardDiscarded",
    "card moved": "CardMoved",
    "burn left out": "BurnLeftOut",
    "account short": "FoundShort",
    "commission left open": "CommissionLeftOpen",
    "bet left open": "BetLeftOpen",
    "cut card passed": "CutCardPassed",
    "payment disagrees": "PaymentDisagreed",
    "payment corrected": "PaymentCorrected",
    "stake corrected": "StakeCorrected",
    "card corrected": "CardCorrected",
    "wager moved": "WagerMoved",
    "coup voided": "Voided",
    "disagreement on re-adjudication": "AdjudicationDisagreed",
}


def amount(value: object, currency: str) -> str:
    """An amount in major units; an exact one with all its digits."""
    exact = Decimal(str(value))
    if exact == exact.to_integral_value():
        return language.amount(int(exact), currency)
    return language.marked(f"{exact.scaleb(-digits(currency)).normalize():,f}")


def percent(ratio: object) -> str:
    """A ratio in percent: `21.5 %`."""
    value = (Decimal(str(ratio)) * 100).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return language.marked(f"{value + 0:,f} %")  # no zero is negative


def sum_by_spot(amounts: Mapping[str, Any], currency: str) -> str:
    """The sum of money over all spots, or unknown if one spot's amount is."""
    known = [each for each in amounts.values() if each is not None]
    return amount(sum(known), currency) if len(known) == len(amounts) else NOTHING


def by_spot(amounts: Mapping[str, Any], currency: str) -> str:
    """The sum, with a line for each spot below it."""
    spots = (
        f"{shown(spot_called(spot))} {NOTHING if each is None else amount(each, currency)}"
        for spot, each in amounts.items()
    )
    return "\n".join([sum_by_spot(amounts, currency), *spots])


def with_proofs(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row in which each person who signed has beside the name how that is known."""
    proofs = {name: how for name, how in row.items() if name.endswith("_proved")}
    by = {f"{name.removesuffix('_proved')}_by": how for name, how in proofs.items()}
    by |= row.get("proved") or {}
    return {**row, **{name: proved(row[name], how) for name, how in by.items() if row[name]}}


def nothing_words(name: str, row: Mapping[str, Any]) -> str:
    """The words for a value that the record does not have; for no coup, the table."""
    if name == "acknowledged_by" and row["acknowledged_at"] is not None:
        return _(UNNAMED)
    return (row.get("table") if name == "coup" else None) or NOTHING


class Deadlines(Struct, frozen=True):
    """The deadlines of a case: moments, or None for one that there is not."""

    notify_by: str | None
    tell_by: str | None
    patron_until: str | None


class CaseDue(Struct, frozen=True):
    """What the report `disputes` has of a case's deadlines, and of what was done."""

    deadlines: Deadlines
    status: str
    regulator_notified_at: str | None
    patron_told_at: str | None


APPEAL = "appeal"  # until when the patron may
DUE_BY = {
    "notify": N_("notify the regulator by"),
    "tell": N_("inform the patron by"),
    APPEAL: N_("patron may appeal until"),
}


def due_of(case: CaseDue) -> list[tuple[str, str]]:
    """The deadlines of a case that are still to be met, the soonest first, each with its kind."""
    deadlines, due = case.deadlines, []
    if case.status != "closed":
        if deadlines.notify_by and not case.regulator_notified_at:
            due.append((deadlines.notify_by, "notify"))
        if deadlines.tell_by and not case.patron_told_at:
            due.append((deadlines.tell_by, "tell"))
    if deadlines.patron_until:
        due.append((deadlines.patron_until, APPEAL))
    return sorted(due, key=lambda each: datetime.fromisoformat(each[0]))


def deadline_words(case: CaseDue, moment: Callable[[datetime], str] = short_moment) -> str:
    """The deadlines of a case that are still to be met, the soonest first."""
    due = ((kind, datetime.fromisoformat(at)) for at, kind in due_of(case))
    return "; ".join(f"{_(DUE_BY[kind])} {moment(at)}" for kind, at in due) or NOTHING


NOT_SUMMED = " *"  # at a row that the total leaves out


class Totals(Struct, frozen=True):
    """The last line of a report: its sums, and the number of rows left out of them."""

    sums: Mapping[str, Decimal]  # in minor units
    texts: Mapping[str, str]
    left_out: int

    @property
    def words(self) -> Words | None:
        """The words for the rows that the total leaves out, or None if it has all of them."""
        if not self.left_out:
            return None
        return counted(
            self.left_out,
            "* Not in the total: {n} row that is not complete yet.",
            "* Not in the total: {n} rows that are not complete yet.",
        )


def is_summed(report: Report, row: Mapping[str, Any]) -> bool:
    """Whether the total has a row: it is complete, or the report has no total."""
    return all(row[name] is not None for name in report.summed if name not in report.may_lack)


def marked(report: Report, row: Mapping[str, Any]) -> str:
    """The mark of a row that the total leaves out, '' for any other."""
    return "" if is_summed(report, row) else NOT_SUMMED


def below_total(report: Report, rows: Sequence[Mapping[str, Any]], summed: Totals | None) -> str:
    """The line below the rows: which of them the total leaves out, or why there is no total."""
    if summed:
        return shown(summed.words or "")
    return _(report.no_total) if report.money and report.no_total and rows else ""


def totals(report: Report, rows: Sequence[Mapping[str, Any]], currency: str) -> Totals | None:
    """The sums over every complete row, or None for a report without a total.

    `rows`: at least the columns of money of each.
    """
    if not report.summed:
        return None
    whole = [row for row in rows if is_summed(report, row)]
    sums = {
        name: sum((Decimal(str(row[name])) for row in whole if row[name] is not None), Decimal())
        for name in report.summed
    }
    return totals_of(report, sums, len(whole), len(rows), currency)


def totals_of(
    report: Report, sums: Mapping[str, Decimal], whole: int, many: int, currency: str
) -> Totals:
    """The totals whose sums are known, of so many complete rows among so many."""
    texts = {name: amount(each, currency) if whole else NOTHING for name, each in sums.items()}
    if "hold" in report.columns:
        texts["hold"] = percent(sums["win"] / sums["drop"]) if sums["drop"] else NOTHING
    return Totals(sums, texts, many - whole)


def as_event(noted: Mapping[str, Any]) -> Mapping[str, Any]:
    """An exception of a coup as an event, for its sentence."""
    kind = _TYPES[noted["kind"]]
    if noted["kind"] == "undue card" and "disposition" in noted:
        kind = "CardMisdrawn"
    elif noted["kind"] == "stake corrected" and "paid_before" in noted:
        kind = "PaymentCorrected"
    return {"type": kind, **noted}


def detail_words(detail: Mapping[str, Any], currency: str) -> Iterator[Words]:
    """The sentences of an exception or an alert; for a command, those of all its events."""
    yield from stretch_words(detail)
    events = detail.get("facts", [detail] if "type" in detail else [])
    yield from sentences(events, currency, marked=False)  # each would have its mark
    for each in detail.get("owing", ()):
        owed = Amount(int(each["owed"]), currency)
        yield Words("{patron} owes {amount}.", patron=each["patron"], amount=owed)
    if "tell_by" in detail and "type" not in detail:
        yield Words("{case}: {patron}.", case=case_state(detail), patron=detail["patron"])
    if "question" in detail:
        yield unlikely_words(detail)


def case_state(case: Mapping[str, Any]) -> Words:
    """The status of a case that is not closed."""
    if case["decision"] is None:
        return Words("{case} is open", case=case["case"])
    if case["tell_by"]:
        return Words("{case} is decided", case=case["case"])
    return Words("{case} is decided, the patron informed: it can be closed", case=case["case"])
