"""The cash of a patron on one gaming day, over all tables."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, field, structs

from domain.events import base

Alike = Annotated[
    list[str],
    Meta(description="other patrons, whose names look the same and whose cash is in the total"),
]

Agents = Annotated[
    list[str],
    Meta(description="others who play for the same person, or are that person; in the total, too"),
]


Threshold = Annotated[
    str, Meta(description="the threshold of the house's regime; empty: the house chose none")
]
Paper = Annotated[str, Meta(description="what is due, as the regime calls it")]
Due = Annotated[list[str], Meta(description="what is due: report, identity, log; empty: report")]


class Event(base.Event):
    """Of one patron, on one day."""

    NAMED_BY = ("patron", "day")
    patron: str = ""
    day: str = ""


class Begun(Event, topic="cash-day.begun", first=True):
    """The first cash of the day."""


class State(base.State):
    """The day's cash so far, each way."""

    def __init__(self, begun: Begun) -> None:
        super().__init__(begun)
        self.patron = begun.patron
        self.day = begun.day
        self.totals: dict[str, int] = {"in": 0, "out": 0}
        self.by_name: dict[str, dict[str, int]] = {}  # the same, by the name that was used
        self.little_play = False  # whether it was noted already
        self.split: set[str] = set()  # directions of which it was noted already
        # By threshold and transaction, 0 for the day's: how many reports were filed.
        self.filings: dict[tuple[str, int], int] = {}
        self.reports: dict[tuple[str, int], list[ReportFiled]] = {}  # of each, in their order
        self.to_amend: set[tuple[str, int, str]] = set()  # these, and the direction of the cash
        self.not_shown: dict[int, IdentityNotShown] = {}  # by its number in the stream, as it holds
        self.identity_seen = False  # whether somebody of the house saw the patron's ID on this day
        # Direction, kind and threshold: each of them once a day.
        self.alerts: set[tuple[str, str, str]] = set()

    def enter(self, name: str, direction: str, amount: int, total: int) -> None:
        """Adds cash under a name; `total`: the day's, of this direction."""
        of_name = self.by_name.setdefault(name, {"in": 0, "out": 0})
        of_name[direction] += amount
        self.totals[direction] = total


class CashCounted(Event, topic="cash-day.cash-counted"):
    """Cash came in, or went out."""

    direction: str  # `in` or `out`
    amount: int  # minor units
    total: int  # of this direction, on this day, with this amount
    table: str  # '' where an alias's cash of the day was carried over
    name: str  # under which it came

    def apply(self, state: State) -> None:
        state.enter(self.name, self.direction, self.amount, self.total)


class CashChanged(Event, topic="cash-day.cash-changed"):
    """Cash of the day was typed wrong, or came under another name."""

    direction: str  # `in` or `out`
    amount: int  # minor units; the change, negative for less
    total: int  # of this direction, on this day, with this change
    table: str  # '' where cash goes to another name
    name: str  # under which it came
    near: bool  # whether the total is still near the reporting amount
    over: bool  # whether it is still over it
    near_to: Annotated[
        list[str], Meta(description="the thresholds of the regime that the total is still near")
    ] = field(default_factory=list)
    reached: Annotated[
        list[str], Meta(description="the thresholds of the regime that it still reaches")
    ] = field(default_factory=list)
    LEFT_OUT = frozenset({"near_to", "reached"})

    def apply(self, state: State) -> None:
        state.enter(self.name, self.direction, self.amount, self.total)
        near, over = still_true(structs.asdict(self))
        holds = {"near": near, "passed": over}
        state.alerts = {
            (direction, kind, threshold)
            for direction, kind, threshold in state.alerts
            if direction != self.direction or threshold in holds[kind]
        }


def still_true(changed: Mapping[str, Any]) -> tuple[set[str], set[str]]:
    """The thresholds that cash is near, and that it reaches, by the fields of a CashChanged.

    That of a house without a regime is ''.
    """
    over = {*changed.get("reached", ()), *([""] if changed["over"] else ())}
    return {*over, *changed.get("near_to", ()), *([""] if changed["near"] else ())}, over


class ReportingAmountNear(Event, topic="cash-day.reporting-amount-near"):
    """Cash is near the reporting amount; the floor is alerted in time."""

    direction: str
    total: int
    reporting_amount: int
    alike: Alike = field(default_factory=list)
    agents: Agents = field(default_factory=list)
    threshold: Threshold = ""
    paper: Paper = ""
    LEFT_OUT = frozenset({"agents", "threshold", "paper"})

    def apply(self, state: State) -> None:
        state.alerts.add((self.direction, "near", self.threshold))


class ReportingAmountPassed(Event, topic="cash-day.reporting-amount-passed"):
    """Cash is over the reporting amount, or reaches a threshold of the house's regime."""

    direction: str
    total: int
    reporting_amount: int
    alike: Alike = field(default_factory=list)
    agents: Agents = field(default_factory=list)
    threshold: Threshold = ""
    paper: Paper = ""
    due: Due = field(default_factory=list)
    due_by: Annotated[
        str, Meta(description="the last day for it; empty where the regime knows no term")
    ] = ""
    single: Annotated[
        bool, Meta(description="whether one transaction reaches it; otherwise the day's cash")
    ] = False
    LEFT_OUT = frozenset({"agents", "threshold", "paper", "due", "due_by", "single"})

    def apply(self, state: State) -> None:
        if not self.single:
            state.alerts.add((self.direction, "passed", self.threshold))


class IdentitySeen(Event, topic="cash-day.identity-seen"):
    """Somebody saw who the patron is before the cash was taken or paid that asks for it."""

    direction: str
    amount: int  # minor units, of the cash that waited for it
    thresholds: list[str]  # of the regime, for which it was due

    def apply(self, state: State) -> None:
        state.identity_seen = True


class IdentityNotShown(Event, topic="cash-day.identity-not-shown"):
    """Somebody was asked for their ID, for cash that is not taken or paid, and did not show it.

    Only who may read cases of money laundering is alerted.
    """

    direction: str
    amount: int  # minor units, of the cash for which it was asked
    thresholds: list[str]  # of the regime, for which it was due; empty: for none
    answer: Annotated[
        str, Meta(description="what they did: refused, without (had none with them), or left")
    ]
    table: str  # '' for none
    name: str  # that they had there

    def apply(self, state: State) -> None:
        state.not_shown[self.originator_version] = self


class IdentityNotShownWithdrawn(Event, topic="cash-day.identity-not-shown-withdrawn"):
    """That somebody did not show their ID was typed by mistake; two people withdrew it."""

    position: Annotated[int, Meta(description="the position at which it was recorded")]
    entry: Annotated[int, Meta(description="its number in the stream")]
    direction: str
    amount: int  # minor units
    table: str  # '' for none
    name: str  # that they had there
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        del state.not_shown[self.entry]


class ReportFiled(Event, topic="cash-day.report-filed"):
    """The day's cash was reported to the regulator."""

    threshold: Threshold
    number: int  # of the filing, from 1
    filing: str  # `initial` or `amended`
    reference: str  # of the regulator
    filed_on: str
    late: bool  # whether it was due before
    sha256: str  # of the file that was sent; '': not known
    by: str
    transaction: Annotated[
        int, Meta(description="the position of the one transaction that is in it; 0: the day's")
    ] = 0
    cash_in: Annotated[
        int, Meta(description="the cash in of which it is, in minor units; both 0: not known")
    ] = 0
    cash_out: Annotated[int, Meta(description="the cash out of which it is")] = 0
    in_report_of: Annotated[
        str, Meta(description="the patron of whom it was filed, with this cash; empty: this one")
    ] = ""
    with_cash_of: Annotated[
        list[str], Meta(description="further patrons, whose cash is in it, too")
    ] = field(default_factory=list)
    LEFT_OUT = frozenset({"transaction", "cash_in", "cash_out", "in_report_of", "with_cash_of"})

    def apply(self, state: State) -> None:
        key = self.threshold, self.transaction
        state.filings[key] = self.number
        state.reports.setdefault(key, []).append(self)
        state.to_amend -= {(*key, "in"), (*key, "out")}

    def has(self, direction: str) -> int:
        """The cash of a direction that is in it, in minor units; 0: none, or not known."""
        return self.cash_in if direction == "in" else self.cash_out


class ReportTakenBack(Event, topic="cash-day.report-taken-back"):
    """That the day's cash was reported was typed by mistake, or with a wrong number or day."""

    threshold: Threshold
    number: Annotated[int, Meta(description="the number of the filing, from 1")]
    reference: Annotated[str, Meta(description="the number under which it was typed")]
    filed_on: Annotated[str, Meta(description="the day that was typed")]
    transaction: Annotated[
        int, Meta(description="the position of the one transaction that is in it; 0: the day's")
    ]
    by: str
    reason: str = ""
    LEFT_OUT = frozenset({"reason"})

    def apply(self, state: State) -> None:
        key = self.threshold, self.transaction
        left = state.reports[key] = state.reports[key][:-1]
        state.filings[key] = left[-1].number if left else 0


class ReportToAmend(Event, topic="cash-day.report-to-amend"):
    """More cash came than was reported, or it fell below the amount: by a correction, for one."""

    direction: str
    total: Annotated[int, Meta(description="the cash as it is now, in minor currency units")]
    reported: Annotated[
        int, Meta(description="the cash in the newest report, in minor currency units")
    ]
    threshold: Threshold
    paper: Paper
    transaction: Annotated[
        int, Meta(description="the position of the one transaction that is in it; 0: the day's")
    ]
    reference: str  # of the newest report

    def apply(self, state: State) -> None:
        state.to_amend.add((self.threshold, self.transaction, self.direction))


class LittlePlayNoted(Event, topic="cash-day.little-play-noted"):
    """Cash came in and went out again, with little or no play between."""

    total_in: int  # minor units, of this day
    total_out: int
    played: int  # staked on coups that were settled

    def apply(self, state: State) -> None:
        state.little_play = True


class CashSplit(Event, topic="cash-day.cash-split"):
    """Several transactions of the day are each just under an amount that is reported of one."""

    direction: str
    pieces: Annotated[int, Meta(description="how many transactions are just under it")]
    total: Annotated[int, Meta(description="their sum, in minor currency units")]
    reporting_amount: int
    threshold: Threshold
    paper: Paper
    alike: Alike
    agents: Agents

    def apply(self, state: State) -> None:
        state.split.add(self.direction)
