"""A dispute about a coup: the complaint, what was noted, what was decided, who was told."""

from domain.events import base
from domain.rules import addresses

Part = dict[str, str | int | None]  # of an event
Choice = tuple[str, int | None, str | None]  # a decision, and of which wager


class Event(base.Event):
    """Of one case."""

    NAMED_BY = ("case",)
    case: str = ""


class Opened(Event, topic="dispute.opened", first=True):
    """What a patron says of a coup, and how the record has it."""

    coup: str
    table_day: str
    patron: str
    wagers: list[Part]  # the patron's: seat, spot, stake, paid; paid None: not yet
    complaint: str
    amount: int | None  # minor units in dispute; None: nobody knows
    amount_said: bool  # else it is the most that the wagers may be paid
    hold: bool
    frozen_at: int  # the ledger's last position
    coup_version: int
    coup_phase: str
    agrees: bool  # what the replay said then
    disagreements: list[str]
    notify_by: str | None  # until when the regulator must hear; None: it need not
    others: list[Part]  # of the same coup, then: case, and status
    opened_by: str


class State(base.State):
    """How far the case is."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.address = addresses.Case.parse(opened.case)
        self.coup = addresses.Coup.parse(opened.coup)
        self.patron = opened.patron
        self.holds = opened.hold
        self.notify_by = opened.notify_by
        self.notified = False
        self.decisions = 0
        self.decision = ""
        self.decided: list[Choice] = []  # every decision, the first one first
        self.undone = ""  # what a decision made of the payments; '': they stand as they stood
        self.moved = 0  # minor units that decisions have moved, one way or the other
        self.told = False  # of the last decision
        self.tell_by: str | None = None  # while the patron was not told
        self.closed = False


class Noted(Event, topic="dispute.noted"):
    """What somebody saw, said or asked, and where it can be seen."""

    text: str
    evidence: list[Part]  # camera, at, ahead (ms), by_record: `at` less `ahead`
    # changes that were asked about together; see domain.review.what_if.parse
    what_if: list[str]
    by: str


class Decided(Event, topic="dispute.decided"):
    """What two people decided, and what it came to."""

    number: int  # of this case's decisions, from 1
    decision: str  # `stand`, `correct` or `void`
    reason: str
    seat: int | None  # of a correction
    spot: str | None
    to: int | None  # None: what the cards say
    changes_hands: int  # to patrons; less than 0: from them
    commission_changes: int  # by so much more is charged; less than 0: less
    effect: str  # the same in words
    tell_by: str  # until when the patron must hear
    decided_by: str
    approved_by: str
    as_spot: str | None  # as what lay on this spot; None: on its own
    notify_by: str | None  # until when the regulator must hear; None: it need not

    def apply(self, state: State) -> None:
        state.decisions = self.number
        state.decision = self.decision
        state.decided.append((self.decision, self.seat, self.spot))
        state.moved += abs(self.changes_hands)
        state.notify_by = self.notify_by
        state.tell_by = self.tell_by
        state.told = False
        if self.decision != "stand":
            state.undone = self.effect


class PatronTold(Event, topic="dispute.patron-told"):
    """The patron heard the decision, and of their rights."""

    number: int  # which decision
    until: str | None  # they may turn to the regulator; None: nobody counts the days
    by: str

    def apply(self, state: State) -> None:
        state.told = True
        state.tell_by = None


class RegulatorNotified(Event, topic="dispute.regulator-notified"):
    """The regulator heard of the case."""

    reference: str
    by: str

    def apply(self, state: State) -> None:
        state.notified = True


class HoldPlaced(Event, topic="dispute.hold-placed"):
    """The table waits, later than the case was opened."""

    by: str

    def apply(self, state: State) -> None:
        state.holds = True


class HoldReleased(Event, topic="dispute.hold-released"):
    """The table need not wait for this case any more."""

    why: str  # `released`, or `decided`
    by: str

    def apply(self, state: State) -> None:
        state.holds = False


class PackMade(Event, topic="dispute.pack-made"):
    """A pack for the regulator: one JSON file, and one PDF."""

    position: int  # of the last event that it tells
    json_sha256: str
    pdf_sha256: str
    by: str


class Closed(Event, topic="dispute.closed"):
    """Nothing more is done about the case."""

    decision: str  # the last one
    by: str

    def apply(self, state: State) -> None:
        state.closed = True
