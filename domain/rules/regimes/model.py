"""A regime: from which amount of cash what is due, and by when (R-CASH-1), and what is done before.

Before cash for which an ID is due the house only says so, holds it, or refuses it (R-CASH-2).

Each amount has the day from which it is the law, so that a gaming day is judged by the law of that
day.

>>> from datetime import date
>>> plain = of_amount(10_000_00)
>>> [each.due for each in plain.brought("in", before=7_000_00, amount=3_000_01)]
[('report',)]
>>> plain.brought("in", before=7_000_00, amount=3_000_00)
[]
"""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.play_cards import Carded
from domain.rules.play_time import Rest

Direction = Literal["in", "out"]
Due = Literal["report", "identity", "log", "if-suspicious"]
AtTheTable = Literal["say", "hold", "refuse"]
AT_THE_TABLE: tuple[AtTheTable, ...] = ("say", "hold", "refuse")
AtTheSeat = Literal["say", "refuse"]
NEAR = (8, 10)  # of an amount to report, from which the floor is alerted
WITHIN = re.compile(r"([1-9][0-9]?) (working )?days?")
HOURS = re.compile(r"([1-9][0-9]?) hours")
_SATURDAY = 6  # as date.isoweekday


class Threshold(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An amount of cash, and what is due from it."""

    name: str  # short, as in `ctr`
    paper: str  # what is due, as the regulator calls it
    amount: int  # minor units
    over: bool  # whether more than the amount brings it about; otherwise the amount itself does
    counts: Literal["day", "one"]  # the patron's sum of a gaming day, or one transaction
    directions: tuple[Direction, ...]
    due: tuple[Due, ...]
    source: str
    within: str = ""  # as in `15 days` or `10 working days`, from the gaming day; '': not known
    first_day: date = date.min  # from which it is the law
    last_day: date = date.max
    note: str = ""

    def is_reached_by(self, amount: int) -> bool:
        """Whether so much cash brings it about."""
        return amount > self.amount if self.over else amount >= self.amount

    def is_near(self, amount: int) -> bool:
        """Whether so much of a day's cash is near an amount to report."""
        return "report" in self.due and amount * NEAR[1] >= self.amount * NEAR[0]

    def is_just_missed_by(self, amount: int) -> bool:
        """Whether it is reported of one transaction, and so much is near it and stays under it."""
        return self.counts == "one" and self.is_near(amount) and not self.is_reached_by(amount)

    @property
    def term(self) -> tuple[int, bool]:
        """How many days there are, and whether only working days count; 0 if no term is known."""
        match = WITHIN.fullmatch(self.within)
        return (int(match[1]), bool(match[2])) if match else (0, False)

    def last_day_due(self, day: date) -> date | None:
        """The last day for what is due for a gaming day; weekends are not working days.

        None where no term is known.
        """
        days, working = self.term
        return term_ends(day, days, working=working) if days else None

    @property
    def alerts(self) -> bool:
        """Whether somebody has to do something; a log is kept by itself."""
        return bool({"report", "identity"} & set(self.due))


class Suspicion(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is due once somebody suspects that money is laundered, and by when."""

    paper: str  # what is due, as the regulator calls it
    source: str
    within: str = ""  # as in `30 days`, from the day on which it was noticed; '': no term is known
    urgent: str = ""  # as in `24 hours`, where it cannot wait; '': as `within`

    def due_at(self, detected: date, moment: datetime, zone: tzinfo, *, urgent: bool) -> str:
        """By when it is due, as a moment with its offset; '' where no term is known.

        `moment`: at which it was noticed. A term in days ends with its last day.
        """
        if urgent and (hours := HOURS.fullmatch(self.urgent)):
            return (moment + timedelta(hours=int(hours[1]))).astimezone(zone).isoformat()
        match = WITHIN.fullmatch(self.within)
        if match is None:
            return ""
        last = term_ends(detected, int(match[1]), working=bool(match[2]))
        return datetime.combine(last + timedelta(days=1), time(), zone).isoformat()


class Regime(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a country asks of cash, or what a house wrote for itself."""

    name: str
    title: str
    currency: str
    thresholds: tuple[Threshold, ...]
    at_the_table: AtTheTable = "say"  # before cash for which an ID is due
    at_the_seat: AtTheSeat = "refuse"  # where a patron should pause (R-PLAY-3)
    raise_after: int = 1  # days until a patron's own higher limit holds (R-PLAY-1)
    rests: tuple[Rest, ...] = ()  # after how much play (R-PLAY-4)
    carded: tuple[Carded, ...] = ()  # what is played by card alone (R-PLAY-5)
    note: str = ""
    # For so many years after a patron was here last their file is stored; 0: no law is known.
    files_years: int = 0
    files_source: str = ""
    suspicion: Suspicion | None = None  # what is due without an amount

    @property
    def suspected(self) -> Suspicion | None:
        """What is due on a suspicion: its own rule, or that of an amount that needs one."""
        if self.suspicion:
            return self.suspicion
        for each in self.thresholds:
            if each.due == ("if-suspicious",):
                return Suspicion(paper=each.paper, source=each.source, within=each.within)
        return None

    def on(self, day: date) -> "Regime":
        """The regime with the amounts, and the carded play, that are the law on a gaming day."""
        known = (each for each in self.thresholds if each.first_day <= day <= each.last_day)
        carded = (each for each in self.carded if each.first_day <= day)
        return replace(self, thresholds=tuple(known), carded=tuple(carded))

    def of(self, direction: Direction, counts: str) -> Iterator[Threshold]:
        """The amounts that the floor is alerted of, for a `day` or for `one` transaction."""
        for each in self.thresholds:
            if each.alerts and each.counts == counts and direction in each.directions:
                yield each

    def brought(self, direction: Direction, before: int, amount: int) -> list[Threshold]:
        """What cash brings about: nothing that the day's cash `before` it brought about already.

        `amount`: of one transaction.
        """
        return [
            each
            for each in self.thresholds
            if direction in each.directions
            and each.due != ("if-suspicious",)
            and (
                each.is_reached_by(amount)
                if each.counts == "one"
                else each.is_reached_by(before + amount) and not each.is_reached_by(before)
            )
        ]

    def file_may_go_on(self, last_here: date) -> date:
        """The first day on which the file of a patron may be erased who was last here then."""
        year = last_here.year + self.files_years
        try:
            return last_here.replace(year=year)
        except ValueError:  # 29 February
            return date(year, 3, 1)

    @property
    def reporting_amount(self) -> int:
        """The lowest amount that is reported, in minor units; 0 if none is."""
        return min((each.amount for each in self.thresholds if "report" in each.due), default=0)


def term_ends(day: date, days: int, *, working: bool) -> date:
    """The last of so many days after a day, or of so many from Monday to Friday.

    >>> term_ends(date(2026, 11, 20), 1, working=True).isoformat()  # after a Friday
    '2026-11-23'
    """
    last = day
    while days:
        last += timedelta(days=1)
        days -= not working or last.isoweekday() < _SATURDAY
    return last


def of_amount(reporting_amount: int) -> Regime:
    """The regime of a house that chose none: a day's cash over one amount is reported."""
    report = Threshold(
        name="",
        paper="",
        amount=reporting_amount,
        over=True,
        counts="day",
        directions=("in", "out"),
        due=("report",),
        source="",
    )
    return Regime(name="", title="", currency="", thresholds=(report,))
