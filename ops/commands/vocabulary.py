"""Everything that changes the record, as one table: shell, terminal and feed all read it here.

A command is a line's fields, checked; what it means is `ops.handlers.floor`'s to say. Field names,
order and required ones are the contract of the feed.

>>> read({"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": 100_00}).amount
10000
>>> read({"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": -1})
Traceback (most recent call last):
    ...
domain.rules.refusals.BadValue: amount cannot be -1: it is a whole number of minor units from 1 to \
2^53.
"""

import difflib
import json
import re
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar
from unicodedata import is_normalized

import msgspec
from msgspec import Meta, Struct

from domain.aggregates.shoe import DISCARDS, DISPOSITIONS, SHUFFLES
from domain.rules.addresses import TABLE_CODE
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.permissions import DEVICE_FOR_TWO, ROLES
from domain.rules.refusals import BadLine, BadValue, MissingField, UnknownCommand, UnknownField
from domain.rules.spots import SPOTS

# No control or invisible character in any text; in a name single blanks between words only, so
# that two names that look the same are the same.
_HIDDEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    r"\U000e0000-\U000e0fff"
)
_TO_THE_MINUTE = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2})(?=[Zz+-])", re.ASCII
)
_LINE_OF_TEXT = rf"^(?=.*\S)[^{_HIDDEN}]+\Z"
_NAME = rf"^[^\s{_HIDDEN}]+( [^\s{_HIDDEN}]+)*\Z"

Text = Annotated[
    str,
    Meta(
        pattern=_NAME,
        max_length=64,
        description="it is 1 to 64 characters that can be seen, with single blanks between words",
    ),
]
Reason = Annotated[
    str,
    Meta(pattern=_LINE_OF_TEXT, max_length=500, description="it is a line of 1 to 500 characters"),
]
FileText = Annotated[
    str,
    Meta(
        pattern=r"^[^\x00]+\Z",
        max_length=100_000,
        description="it is a path, or the text itself with its line breaks",
    ),
]
TableCode = Annotated[
    str,
    Meta(
        pattern=rf"^{TABLE_CODE.pattern}\Z",
        description="it is a short code of letters and digits, as in B01",
    ),
]
CardText = Annotated[str, Meta(description="it is rank then suit, as in 9C or TH")]
Spot = Annotated[
    str, Meta(pattern=rf"^({'|'.join(SPOTS)})\Z", description="it is one of " + ", ".join(SPOTS))
]
SpotOrMain = Annotated[
    str,
    Meta(
        pattern=rf"^(main|{'|'.join(SPOTS)})\Z",
        description="it is main or one of " + ", ".join(SPOTS),
    ),
]
Shuffle = Annotated[
    str,
    Meta(pattern=rf"^({'|'.join(SHUFFLES)})\Z", description="it is one of " + ", ".join(SHUFFLES)),
]
Disposition = Annotated[
    str,
    Meta(
        pattern=rf"^({'|'.join(DISPOSITIONS)})\Z",
        description="it is one of " + ", ".join(DISPOSITIONS),
    ),
]
Discard = Annotated[
    str,
    Meta(pattern=rf"^({'|'.join(DISCARDS)})\Z", description="it is one of " + ", ".join(DISCARDS)),
]
Amount = Annotated[
    int,
    Meta(ge=1, le=LARGEST_AMOUNT, description="it is a whole number of minor units from 1 to 2^53"),
]
Seat = Annotated[int, Meta(ge=0, le=999, description="it is a seat's number, as in 3")]
CardNumber = Annotated[
    int, Meta(ge=1, le=6, description="it is the card's number in the coup, from 1 to 6")
]
Hand = Annotated[str, Meta(pattern=r"^(player|banker)\Z", description="it is player or banker")]
Count = Annotated[int, Meta(ge=0, le=100_000_000, description="it is a whole number, 0 or more")]
Moment = Annotated[
    datetime,
    Meta(tz=True, description="it is a moment with its offset, as in 2026-11-21T20:14:07+01:00"),
]
FURTHEST_OFF = (
    24 * 60 * 60 * 1000
)  # milliseconds; a camera's clock that is off by more says nothing
Denomination = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,11}\Z")]
Chips = Annotated[
    dict[Denomination, Count],
    Meta(description='it is chips by denomination in minor units, as in {"10000": 200}'),
]
Paid = Annotated[
    dict[
        Annotated[str, Meta(pattern=r"^(0|[1-9][0-9]{0,2})\Z")],
        Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT)],
    ],
    Meta(description='it is minor units by seat, as in {"3": 19500}'),
]


class Command(Struct, forbid_unknown_fields=True, kw_only=True, tag_field="command"):
    """What every line may carry: when it happened, who did it, its own id."""

    at: Moment | None = None
    late: bool = False
    by: Text | None = None
    second: Text | None = msgspec.field(default=None, name="with")
    id: (
        Annotated[
            str,
            Meta(
                pattern=_LINE_OF_TEXT,
                max_length=200,
                description="it is a text of 1 to 200 characters",
            ),
        ]
        | None
    ) = None

    arguments: ClassVar[tuple[str, ...]] = ()  # what the shell takes without a name, in order

    @property
    def second_person(self) -> str:
        """Who is named as the second person; '' for nobody."""
        return self.second or ""


class AtTable(Command, kw_only=True):
    """A command that is spoken at a table."""

    table: TableCode

    arguments: ClassVar[tuple[str, ...]] = ("table",)


class TableOpen(AtTable, tag="table.open"):
    """Opens a table for a gaming day, with its opener in the tray."""

    rules: Text
    opener: Chips
    day: Annotated[str, Meta(description="it is a date, as in 2026-11-21")] | None = None

    arguments = ("table", "rules")


class TableLimits(AtTable, tag="table.limits"):
    """The limits of a spot, or of the main wagers, and the differential, from the next coup on."""

    spot: SpotOrMain = "main"
    minimum: Amount | None = None
    maximum: Amount | None = None
    differential: Amount | None = None


class TableDealer(AtTable, tag="table.dealer"):
    """Another dealer, from the next coup on."""

    staff: Text

    arguments = ("table", "staff")


class TableSupervisor(AtTable, tag="table.supervisor"):
    """Another supervisor, from the next coup on."""

    staff: Text

    arguments = ("table", "staff")


class TableSeat(AtTable, tag="table.seat"):
    """A patron takes a chair."""

    seat: Seat
    patron: Text

    arguments = ("table", "seat", "patron")


class Seating(Struct, forbid_unknown_fields=True):
    """Who takes which chair, as one of several."""

    seat: Seat
    patron: Text


class TableSeats(AtTable, tag="table.seats"):
    """Several patrons take a chair each: all of them sit down, or nobody."""

    patrons: Annotated[
        list[Seating],
        Meta(
            min_length=1,
            max_length=24,
            description='it is up to 24 of seat and patron, as in {"seat": 3, "patron": "P-10417"}',
        ),
    ]

    arguments = ("table", "patrons")


class TableMove(AtTable, tag="table.move"):
    """A patron takes another chair; what they owe goes along (R-COM-5)."""

    seat: Seat
    to: Seat

    arguments = ("table", "seat", "to")


class TableBuyIn(AtTable, tag="table.buy-in"):
    """Cash into the box, and chips of that worth to the patron."""

    seat: Seat
    amount: Amount

    arguments = ("table", "seat", "amount")


class TableCashOut(AtTable, tag="table.cash-out"):
    """Chips into the tray, and cash to the patron, where the house pays at the table."""

    seat: Seat
    amount: Amount

    arguments = ("table", "seat", "amount")


class TableFill(AtTable, tag="table.fill"):
    """Chips from the cage, every step and everybody in one line; the answer carries the slip."""

    chips: Chips
    requested_by: Text
    cashier: Text
    runner: Text


class TableCredit(AtTable, tag="table.credit"):
    """Chips to the cage, every step and everybody in one line; the answer carries the slip."""

    chips: Chips
    requested_by: Text
    cashier: Text
    runner: Text


class TableDrop(AtTable, tag="table.drop"):
    """The box was opened and counted; a closed table day takes it."""

    amount: Annotated[
        int, Meta(ge=0, le=LARGEST_AMOUNT, description="it is minor units, 0 or more")
    ]
    day: Annotated[str, Meta(description="it is a date, as in 2026-11-21")] | None = None

    arguments = ("table", "amount")


class TableLeave(AtTable, tag="table.leave"):
    """The patron of a seat leaves; refused while commission is owed (R-COM-4)."""

    seat: Seat

    arguments = ("table", "seat")


class TableClose(AtTable, tag="table.close"):
    """Closes the table, with its closer counted."""

    closer: Chips


class TableRollOver(AtTable, tag="table.roll-over"):
    """The gaming day ends and the next begins, with the closer as opener, as one act."""

    closer: Chips


class SlipRequest(AtTable, tag="slip.request"):
    """Requests a fill, or a credit; a dealer needs a supervisor. The answer carries the slip."""

    kind: Annotated[str, Meta(pattern=r"^(fill|credit)\Z", description="it is fill or credit")]
    chips: Chips

    arguments = ("table", "kind")


class OnSlip(Command, kw_only=True):
    """A step of a slip."""

    slip: Text

    arguments: ClassVar[tuple[str, ...]] = ("slip",)


class SlipIssue(OnSlip, tag="slip.issue"):
    """The cage gives out the chips, or waits for them."""


class SlipCarry(OnSlip, tag="slip.carry"):
    """Security has the chips."""


class SlipReceive(OnSlip, tag="slip.receive"):
    """The chips are where they belong, and counted by dealer and supervisor."""


class SlipVoid(OnSlip, tag="slip.void"):
    """The slip is void; its number stays its own."""

    reason: Reason

    arguments = ("slip", "reason")


class PatronIdentify(Command, tag="patron.identify"):
    """An alias turned out to be a patron: their facts count together from now on."""

    patron: Text
    patron_is: Text = msgspec.field(name="is")

    arguments = ("patron", "is")


class PatronBar(Command, tag="patron.bar"):
    """A patron may not play."""

    patron: Text
    reason: Reason
    kind: Annotated[
        str,
        Meta(pattern=r"^(barred|self-excluded)\Z", description="it is barred or self-excluded"),
    ] = "barred"

    arguments = ("patron", "reason")


class PatronUnbar(Command, tag="patron.unbar"):
    """A patron may play again."""

    patron: Text
    reason: Reason

    arguments = ("patron", "reason")


class AlertAcknowledge(Command, tag="alert.acknowledge"):
    """An alert of the board is in hand; it stays on record with who took it."""

    alert: Text
    text: Reason | None = None

    arguments = ("alert", "text")


class PropertySet(Command, tag="property.set"):
    """A setting of the house, from now on."""

    name: Text
    value: Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT)] | Reason = msgspec.field()

    arguments = ("name", "value")


class RulesApprove(Command, tag="rules.approve"):
    """A rule set of the house's own goes on record from a TOML file; it takes two people."""

    file: FileText

    arguments = ("file",)


class StaffEnrol(Command, tag="staff.enrol"):
    """A staff number and its role; the answer carries a one-time code for the first sign-on.

    A number that is somebody's gets a new code, and another role with `again` only.
    """

    staff: Text
    name: Text
    role: Annotated[
        str,
        Meta(pattern=rf"^({'|'.join(ROLES)})\Z", description="it is one of " + ", ".join(ROLES)),
    ]
    for_two: Annotated[
        list[Annotated[str, Meta(pattern=rf"^({'|'.join(map(re.escape, DEVICE_FOR_TWO))})\Z")]],
        Meta(
            max_length=len(DEVICE_FOR_TWO),
            description="it is commands that take two people, of " + ", ".join(DEVICE_FOR_TWO),
        ),
    ] = []

    again: bool = False

    arguments = ("staff", "name", "role")


class StaffSignOn(Command, tag="staff.sign-on"):
    """Begins work; the PIN is asked for at the terminal and stands in no line."""

    staff: Text
    table: TableCode | None = None

    arguments = ("staff",)


class StaffSignOff(Command, tag="staff.sign-off"):
    """Ends work; a supervisor, a pit boss or an administrator ends anybody's.

    Elsewhere than where it was begun it takes the person's own PIN, which is asked for.
    """

    staff: Text

    arguments = ("staff",)


class StaffChangePin(Command, tag="staff.change-pin"):
    """Another PIN, for whoever knows the old one."""

    staff: Text

    arguments = ("staff",)


class StaffRetire(Command, tag="staff.retire"):
    """The number is never used again."""

    staff: Text
    reason: Reason = ""

    arguments = ("staff",)


class StaffRecover(Command, tag="staff.recover"):
    """Lets an administrator in again, with a new one-time code; it is an alert for two people."""

    staff: Text

    arguments = ("staff",)


class StaffNewSecret(Command, tag="staff.new-secret"):
    """A new recovery secret, which the answer carries once; the old one is good for nothing."""


class ShoeLoad(AtTable, tag="shoe.load"):
    """Decks, or a sealed batch, come to the table (R-SHOE-1)."""

    decks: Annotated[int, Meta(ge=1, le=12, description="it is a number of decks from 1 to 12")]
    serials: Annotated[
        list[Text], Meta(max_length=24, description="it is a list of up to 24 serials")
    ] = []
    colour: Text | None = None
    batch: Text | None = None

    arguments = ("table", "decks")


class ShoeInspect(AtTable, tag="shoe.inspect"):
    """The cards were found whole; a sealed batch needs who counted along."""

    verified_by: Text | None = None

    @property
    def second_person(self) -> str:
        """Whoever counted along."""
        return self.verified_by or self.second or ""


class ShoeShuffle(AtTable, tag="shoe.shuffle"):
    """The cards were shuffled; a shoe without this deals no coup (R-SHOE-1)."""

    method: Shuffle
    device: Text | None = None

    arguments = ("table", "method")


class ShoeCut(AtTable, tag="shoe.cut"):
    """The shoe was cut, by a seat or a member of staff, and the cut card placed (R-SHOE-3)."""

    seat: Seat | None = None
    staff: Text | None = None
    cut_card: Count | None = None


class ShoeBurn(AtTable, tag="shoe.burn"):
    """The first card is shown and burned, and as many more face down (R-SHOE-2).

    A generated shoe gives the card itself.
    """

    card: CardText | None = None

    arguments = ("table", "card")


class ShoePass(AtTable, tag="shoe.pass"):
    """The shoe goes to a seat, or back to the dealer (R-DEAL-4)."""

    seat: Seat | None = None
    staff: Text | None = None


class ShoeCutCard(AtTable, tag="shoe.cut-card"):
    """The cut card shows (R-SHOE-3)."""


class ShoeMisdraw(AtTable, tag="shoe.misdraw"):
    """A card came when none was due; without a disposition the rule set's holds (R-IRR-1)."""

    card: CardText
    disposition: Disposition | None = None

    arguments = ("table", "card")


class ShoeDiscard(AtTable, tag="shoe.discard"):
    """A card is used for nothing; one that is foreign was never the shoe's (R-IRR-3, R-IRR-4)."""

    card: CardText
    reason: Discard

    arguments = ("table", "card", "reason")


class ShoeEnd(AtTable, tag="shoe.end"):
    """No more coups; before the cut card shows: with a supervisor, and a reason."""

    reason: Reason | None = None


class ShoeReconcile(AtTable, tag="shoe.reconcile"):
    """What is left of a shoe was counted, by number or card by card (R-SHOE-4).

    `burned` are the cards burned face down, when somebody turned them over.
    Without `shoe` it is the last one that ended and was not counted.
    """

    remaining: Annotated[
        Count | list[CardText],
        Meta(description="it is a count, or the list of the cards"),
    ]
    shoe: Text | None = None
    burned: Annotated[list[CardText], Meta(description="it is the list of the cards")] = []

    arguments = ("table", "remaining")


class CoupOpen(AtTable, tag="open"):
    """The next coup is open for bets; the first bet says this by itself."""


class Bet(AtTable, tag="bet"):
    """What lies on a spot from now on (R-BET-1 to 3); a second bet replaces the first."""

    seat: Seat
    spot: Spot
    amount: Amount

    arguments = ("table", "seat", "spot", "amount")


class Wager(Struct, forbid_unknown_fields=True):
    """What lies on a spot, as one of several."""

    seat: Seat
    spot: Spot
    amount: Amount


class Bets(AtTable, tag="bets"):
    """Several wagers at once, as so many bets: all of them stand, or none (R-BET-1 to 3)."""

    wagers: Annotated[
        list[Wager],
        Meta(
            min_length=1,
            max_length=200,
            description="it is up to 200 of seat, spot and amount, as in "
            '{"seat": 3, "spot": "banker", "amount": 10000}',
        ),
    ]

    arguments = ("table", "wagers")


class Withdraw(AtTable, tag="withdraw"):
    """A wager is taken back before the first card; without a spot all that the seat has."""

    seat: Seat
    spot: Spot | None = None

    arguments = ("table", "seat", "spot")


class NoMoreBets(AtTable, tag="no-more-bets"):
    """Betting closes; the first card says this by itself."""


class Draw(AtTable, tag="draw"):
    """A card leaves the shoe and goes where it is due (R-DEAL-1).

    A generated shoe gives the card itself. `face_down`: a reading shoe told the card, and nobody
    has turned it yet (R-DEAL-5); a device need not say so.
    """

    card: CardText | None = None
    settle: bool = False
    face_down: bool = False

    arguments = ("table", "card")


class Settle(AtTable, tag="settle"):
    """Every wager is paid or taken; `paid` is what a chip-reading layout saw."""

    paid: Paid | None = None


class CoupVoid(Command, tag="void"):
    """Every wager of a coup is returned, by two people of whom one is a supervisor (R-IRR-5)."""

    coup: Text
    reason: Reason
    table: TableCode | None = None

    arguments = ("coup", "reason")


class CoupCorrect(Command, tag="correct"):
    """A wager is paid otherwise after all, by two people of whom one is a supervisor (R-IRR-5).

    `to`: what the patron should have been paid in all; without it, what the cards say. `as`: where
    it should have lain; it is paid as that.
    """

    coup: Text
    seat: Seat
    spot: Spot
    reason: Reason
    to: (
        Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT, description="it is minor units, 0 or more")]
        | None
    ) = None
    as_spot: Spot | None = msgspec.field(default=None, name="as")
    table: TableCode | None = None

    arguments = ("coup", "seat", "spot", "reason")


class Readjudicate(Command, tag="readjudicate"):
    """A coup is adjudicated again from its record; that it does not agree is an exception."""

    coup: Text

    arguments = ("coup",)


class OfDispute(Command, kw_only=True):
    """A command about what a patron says of a coup (R-IRR-5)."""


class DisputeOpen(OfDispute, tag="dispute.open"):
    """Opens a case: a patron says that a coup was paid wrongly; the answer carries it (R-IRR-5).

    `hold`: no further coup at the table until it is decided or released. `amount`: in dispute.
    """

    coup: Text
    patron: Text
    complaint: Reason
    hold: bool = False
    amount: Amount | None = None

    arguments = ("coup", "patron", "complaint")


class OnCase(OfDispute, kw_only=True):
    """A step of a case."""

    case: Text

    arguments: ClassVar[tuple[str, ...]] = ("case",)


class Seen(Struct, forbid_unknown_fields=True):
    """What a camera saw: when, by its own clock, and how far that is ahead of the record's."""

    camera: Text
    at: Moment
    ahead: Annotated[int, Meta(ge=-FURTHEST_OFF, le=FURTHEST_OFF)] = 0


class DisputeNote(OnCase, tag="dispute.note"):
    """Adds what somebody says or asks, and where it can be seen.

    `what_if`: changes that are asked about together, written as for `sabot replay --what-if`.
    """

    text: Reason
    evidence: Annotated[
        list[Seen],
        Meta(
            max_length=24,
            description="it is up to 24 of camera, at and ahead in milliseconds, as in "
            '{"camera": "CAM-14", "at": "2026-11-21T20:14:05+00:00", "ahead": 1500}',
        ),
    ] = []
    what_if: Annotated[
        list[Text],
        Meta(max_length=24, description='it is up to 24 changes, as in ["card 5 = KH"]'),
    ] = []

    arguments = ("case", "text")


class DisputeDecide(OnCase, tag="dispute.decide"):
    """Two people decide a case; what follows is done at once (R-IRR-5).

    To `correct` takes what the command of that name takes.
    """

    decision: Annotated[
        str,
        Meta(pattern=r"^(stand|correct|void)\Z", description="it is one of stand, correct, void"),
    ]
    reason: Reason
    seat: Seat | None = None
    spot: Spot | None = None
    to: (
        Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT, description="it is minor units, 0 or more")]
        | None
    ) = None
    as_spot: Spot | None = msgspec.field(default=None, name="as")

    arguments = ("case", "decision", "reason")


class DisputeTell(OnCase, tag="dispute.tell"):
    """The patron was told the decision, and whom they may turn to."""


class DisputeNotify(OnCase, tag="dispute.notify"):
    """The regulator was notified of it; again, when its reference comes later."""

    reference: Text | None = None

    arguments = ("case", "reference")


class DisputeHold(OnCase, tag="dispute.hold"):
    """No further coup at the table from now on, until it is decided or released."""


class DisputeRelease(OnCase, tag="dispute.release"):
    """The table deals again, whatever is decided."""


class DisputeExport(OnCase, tag="dispute.export"):
    """Makes the pack of a case, for the regulator; which files those are is on record."""


class DisputeClose(OnCase, tag="dispute.close"):
    """Closes a case that is decided, told and notified; nothing is added any more."""


class MoveCard(AtTable, tag="move-card"):
    """The last card lay on the wrong hand, and is where it belongs now (R-IRR-2)."""

    n: CardNumber
    hand: Hand

    arguments = ("table", "n", "hand")


class Reveal(AtTable, tag="reveal"):
    """A hand that lies face down is turned, or its card of that number (R-DEAL-3)."""

    hand: Hand
    n: CardNumber | None = None

    arguments = ("table", "hand")


class CommissionCollect(AtTable, tag="commission.collect"):
    """A patron, by seat or by name, pays any part of the commission owed (R-COM-2)."""

    amount: Amount
    seat: Seat | None = None
    patron: Text | None = None

    arguments = ("table", "who", "amount")


class CommissionTiming(AtTable, tag="commission.timing"):
    """A patron, by seat or by name, pays commission as it wins from now on, or later (R-COM-2)."""

    timing: Annotated[
        str,
        Meta(pattern=r"^(as-it-wins|deferred)\Z", description="it is as-it-wins or deferred"),
    ]
    seat: Seat | None = None
    patron: Text | None = None

    arguments = ("table", "who", "timing")


class LettingGo(AtTable, kw_only=True):
    """Commission that nobody is asked for any more: all that is owed, or a part of it (R-COM-4)."""

    reason: Reason
    amount: Amount | None = None
    seat: Seat | None = None
    patron: Text | None = None

    arguments: ClassVar[tuple[str, ...]] = ("table", "who", "reason")


class CommissionWaive(LettingGo, tag="commission.waive"):
    """A supervisor lets a patron off what is owed, or a part of it (R-COM-4)."""


class CommissionWalked(LettingGo, tag="commission.walked"):
    """A patron is gone with what is owed, or a part of it (R-COM-4)."""


class CommissionReceipt(Command, tag="commission.receipt"):
    """A receipt is printed: the original once, reprints after that."""

    receipt: Text

    arguments = ("receipt",)


COMMANDS: dict[str, type[Command]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        *(StaffEnrol, StaffSignOn, StaffSignOff, StaffChangePin, StaffRetire),
        *(StaffRecover, StaffNewSecret),
        *(TableOpen, TableLimits, TableDealer, TableSupervisor),
        *(TableSeat, TableSeats, TableMove, TableLeave),
        *(TableBuyIn, TableCashOut, TableFill, TableCredit, TableDrop, TableRollOver, TableClose),
        *(SlipRequest, SlipIssue, SlipCarry, SlipReceive, SlipVoid),
        *(ShoeLoad, ShoeInspect, ShoeShuffle, ShoeCut, ShoeBurn, ShoePass),
        *(ShoeCutCard, ShoeMisdraw, ShoeDiscard, ShoeEnd, ShoeReconcile),
        *(CoupOpen, Bet, Bets, Withdraw, NoMoreBets, Draw, MoveCard, Reveal, Settle),
        *(CoupVoid, CoupCorrect),
        Readjudicate,
        *(CommissionCollect, CommissionTiming, CommissionWaive, CommissionWalked),
        CommissionReceipt,
        *(DisputeOpen, DisputeNote, DisputeDecide, DisputeTell),
        *(DisputeNotify, DisputeHold, DisputeRelease, DisputeExport, DisputeClose),
        *(PatronIdentify, PatronBar, PatronUnbar),
        PropertySet,
        RulesApprove,
        AlertAcknowledge,
    )
}


COMMON = tuple(field.encode_name for field in msgspec.structs.fields(Command))
EARLIEST = datetime(1970, 1, 2, tzinfo=UTC)
LATEST = datetime(2199, 12, 31, tzinfo=UTC)


def name_of(command: Command | type[Command]) -> str:
    """The command's word on the feed."""
    return str(command.__struct_config__.tag)


def second_in(line: dict[str, Any]) -> str:
    """Whom a line names as its second person, before it is read; '' for nobody."""
    verifies = line.get("verified_by") if line.get("command") == "shoe.inspect" else None
    second = verifies or line.get("with")
    return second if isinstance(second, str) else ""


def decode(line: bytes | str, number: int) -> dict[str, Any]:
    """A feed line as an object. Refuses: BadLine."""
    try:
        found = msgspec.json.decode(line)
        json.loads(line, object_pairs_hook=_told_once)
    except UnicodeError:
        raise BadLine(line=number, why="it is not UTF-8") from None
    except RecursionError:
        raise BadLine(line=number, why="it is nested too deeply") from None
    except msgspec.DecodeError as error:
        why = "a number in it is too large" if "range" in str(error) else str(error)
        raise BadLine(line=number, why=why.partition(" (byte")[0]) from None
    except KeyError as twice:
        raise BadLine(line=number, why=f"it has {_shown(twice.args[0])} twice") from None
    if not isinstance(found, dict):
        raise BadLine(line=number, why="it is not a JSON object")
    return found


def _told_once(pairs: list[tuple[str, Any]]) -> None:
    """Two values under one name: nobody knows which was meant."""
    names = set()
    for name, _ in pairs:
        if name in names:
            raise KeyError(name)
        names.add(name)


def read(line: dict[str, Any]) -> Command:
    """The command that a line states. Refuses: the kinds of Reading."""
    kind = _kind(line)
    known = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for name, value in line.items():
        if name not in known and name != "command":
            own = sorted((each for each in known if each not in COMMON), key="table".__ne__)
            takes = ", ".join([*own, *COMMON])
            raise UnknownField(command=name_of(kind), field=_cut(name), takes=takes)
        if not is_normalized("NFC", str(value)):
            why = "its letters and accents come apart; write it in Unicode's form NFC"
            raise BadValue(field=name, value=_told(kind, name, value), why=why)
    for name, field in known.items():
        if field.required and name not in line:
            raise MissingField(command=name_of(kind), field=name, why="")
    try:
        command = msgspec.convert(_with_seconds(line), kind)
    except msgspec.ValidationError as error:
        name = re.findall(r"`\$\.([^.\[`]+)", str(error))[-1]
        why = _words(known[name])
        raise BadValue(field=name, value=_told(kind, name, line[name]), why=why) from None
    if command.late and command.at is None:
        raise MissingField(command=name_of(kind), field="at", why=" beside 'late'")
    if command.at and not EARLIEST <= command.at <= LATEST:
        raise BadValue(field="at", value=_shown(line["at"]), why="no casino was open then")
    return command


def _with_seconds(line: dict[str, Any]) -> dict[str, Any]:
    """A moment to the minute is its first second."""
    at = line.get("at")
    if not isinstance(at, str) or not (found := _TO_THE_MINUTE.match(at)):
        return line
    return {**line, "at": f"{found[1]}:00{at[found.end(1) :]}"}


def _kind(line: dict[str, Any]) -> type[Command]:
    name = line.get("command")
    if name is None:
        raise MissingField(command="A line", field="command", why="")
    if not isinstance(name, str) or name not in COMMANDS:
        near = difflib.get_close_matches(str(name)[:80], COMMANDS, n=1)
        hint = f" Is it {near[0]!r}?" if near else ""
        said = f"{_cut(name)!r}" if isinstance(name, str) else _shown(name)
        raise UnknownCommand(command=said, hint=hint)
    return COMMANDS[name]


def _told(kind: type[Command], name: str, value: object) -> str:
    """A value as a refusal repeats it; answers are kept, and people's names are not."""
    return "what was given" if (kind, name) == (StaffEnrol, "name") else _shown(value)


def _shown(value: object) -> str:
    return _cut(msgspec.json.encode(value).decode())


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "…"


def _words(field: msgspec.structs.FieldInfo) -> str:
    """What the field must be, as its type describes itself."""
    for option in (field.type, *getattr(field.type, "__args__", ())):
        for meta in getattr(option, "__metadata__", ()):
            if isinstance(meta, Meta) and meta.description:
                return meta.description
    return "it is true or false" if field.type is bool else "it is of another kind"
