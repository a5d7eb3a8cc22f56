"""A dispute about a coup: the complaint, the notes, the decisions, the notices."""

from domain.events import base
from domain.rules import addresses

Part = dict[str, str | int | None]  # of an event
Choice = tuple[str, int | None, str | None]  # a decision, with the seat and spot of its wager


class Event(base.Event):
    """About one case."""

    NAMED_BY = ("case",)
    case: str = ""


class Opened(Event, topic="dispute.opened", first=True):
    """A patron's complaint about a coup, and the record then."""

    coup: str
    table_day: str
    patron: str
    wagers: list[Part]  # the patron's: seat, spot, stake, paid; paid None: not yet
    complaint: str
    amount: int | None  # minor units in dispute; None: unknown
    amount_named: bool  # false: it is the most that the wagers could be paid
    hold: bool
    frozen_at: int  # the ledger's last position
    coup_version: int
    coup_phase: str
    agrees: bool  # the result of the replay then
    disagreements: list[str]
    notify_by: str | None  # the deadline to notify the regulator; None: not needed
    others: list[Part]  # of the same coup, then: case, and status
    opened_by: str


class State(base.State):
    """The status of the case."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.address = addresses.Case.parse(opened.case)
        self.coup = addresses.Coup.parse(opened.coup)
        self.table_day = addresses.TableDay.parse(opened.table_day)
        self.patron = opened.patron
        self.holds = opened.hold
        self.notify_by = opened.notify_by
        self.notified = False
        self.decisions = 0
        self.decision = ""
        self.decided: list[Choice] = []  # every decision, oldest first
        self.effect = ""  # of the last decision on the payments; '': unchanged
        self.moved = 0  # minor units that decisions moved, in either direction
        self.patron_informed = False  # of the last decision
        self.tell_by: str | None = None  # the deadline to inform the patron; None: done
        self.closed = False


class Noted(Event, topic="dispute.noted"):
    """A note, with its evidence and what-if questions."""

    text: str
    evidence: list[Part]  # camera, at, ahead (ms), by_record: `at` less `ahead`
    # Changes of one question; see domain.review.what_if.parse
    what_if: list[str]
    by: str


class Decided(Event, topic="dispute.decided"):
    """Two people decided, with this effect."""

    number: int  # of this case's decisions, from 1
    decision: str  # `stand`, `correct` or `void`
    reason: str
    seat: int | None  # of a correction
    spot: str | None
    to: int | None  # None: the amount by the cards
    changes_hands: int  # to patrons; negative: from them
    commission_changes: int  # how much more is charged; negative: less
    effect: str  # the same in words
    tell_by: str  # the deadline to inform the patron
    decided_by: str
    approved_by: str
    as_spot: str | None  # paid as a wager on this spot; None: on its own
    notify_by: str | None  # the deadline to notify the regulator; None: not needed
    stake: int | None = None  # what really lay there; None: what was on record

    LEFT_OUT = frozenset({"stake"})

    def apply(self, state: State) -> None:
        state.decisions = self.number
        state.decision = self.decision
        state.decided.append((self.decision, self.seat, self.spot))
        state.moved += abs(self.changes_hands)
        state.notify_by = self.notify_by
        state.tell_by = self.tell_by
        state.patron_informed = False
        if self.decision != "stand":
            state.effect = self.effect


class PatronTold(Event, topic="dispute.patron-told"):
    """The patron was told the decision and their rights."""

    number: int  # which decision
    until: str | None  # the deadline to turn to the regulator; None: no deadline
    by: str
    in_words: str = ""  # in which words, if they are written down

    LEFT_OUT = frozenset({"in_words"})

    def apply(self, state: State) -> None:
        state.patron_informed = True
        state.tell_by = None


class RegulatorNotified(Event, topic="dispute.regulator-notified"):
    """The regulator was notified."""

    reference: str
    by: str

    def apply(self, state: State) -> None:
        state.notified = True


class HoldPlaced(Event, topic="dispute.hold-placed"):
    """The table was held after the case was opened."""

    by: str

    def apply(self, state: State) -> None:
        state.holds = True


class HoldReleased(Event, topic="dispute.hold-released"):
    """The case no longer holds the table."""

    why: str  # `released`, or `decided`
    by: str

    def apply(self, state: State) -> None:
        state.holds = False


class PackMade(Event, topic="dispute.pack-made"):
    """A pack for the regulator was made: one JSON file, and one PDF."""

    position: int  # of the last event in it
    json_sha256: str
    pdf_sha256: str
    by: str


class Closed(Event, topic="dispute.closed"):
    """The case was closed."""

    decision: str  # the last one
    by: str

    def apply(self, state: State) -> None:
        state.closed = True
