"""Everything the floor says no to, as one tree.

    Refusal
    ├── Reading    BadLine UnknownCommand UnknownField MissingField BadValue UnknownCard
    │              UnknownRule
    ├── Betting    SpotNotOffered BothSides NotAnIncrement UnderMinimum OverMaximum
    │              DifferentialExceeded NoWager · BettingClosed*
    ├── Dealing    CardNotInShoe ShoeNotReady ShoeStepOutOfOrder CutCardOut
    │              OrderLost
    │              CoupNotFinished CoupOver · CardNotDue* PaymentDisagrees*
    ├── Floor      AlreadyOpen TableClosed SeatTaken SeatEmpty UnknownSeat PatronBarred
    │              CommissionOwed OverCollected UnknownRules AlreadyAcknowledged
    │              TableHeld CaseClosed CaseUnfinished
    │              · SlipReused* SerialReused*
    ├── People     NotSignedOn PinsSlowed WeakPin NotRecovered
    │              · NotPermitted* SecondPersonNeeded WrongPin* PinLocked*
    └── Ledger     IdReused GivenUp NotFound Conflict ClockOff

A class's docstring is its message; the names in braces are filled in by whoever refuses.
Those marked * are worth knowing: the aggregate has recorded an event before it refused,
and that event is saved beside the answer.

>>> str(CardNotInShoe(gone="All 8 of 9S are out", then=""))
'All 8 of 9S are out: look at the card again.'
>>> CardNotInShoe(gone="", then="").rule
'R-CARD-3'
"""

from typing import ClassVar

from domain.rules.wording import Words


class Refusal(Exception):
    """The floor says no."""

    rule: str | None = None
    recorded: bool = False
    kept: ClassVar[bool] = True

    def __init__(self, *, rule: str | None = None, **words: object) -> None:
        self.words = Words(type(self).__doc__ or "", **words)
        super().__init__(self.words)
        if rule is not None:
            self.rule = rule

    @property
    def error(self) -> str:
        """The name that answers carry."""
        return type(self).__name__

    def put(self, before: str = "", after: str = "") -> None:
        """Says more, where several things were asked in one line: of which it is, and of all."""
        self.words = Words(
            "{before}{refusal}{after}", before=before, refusal=self.words, after=after
        )
        self.args = (self.words,)


class Reading(Refusal):
    """The command cannot be understood."""


class BadLine(Reading):
    """Line {line} cannot be read: {why}. Send one JSON object a line."""


class UnknownCommand(Reading):
    """There is no command {command}.{hint} `sabot --help` lists them all."""


class UnknownField(Reading):
    """{command} has no field {field!r}; it takes {takes}."""


class MissingField(Reading):
    """{command} needs {field!r}{why}."""


class BadValue(Reading):
    """{field} cannot be {value}: {why}."""


class UnknownCard(Reading):
    """{card!r} is no card: write rank then suit, A 2-9 T J Q K and C D H S, as in 9C or TH."""

    rule = "R-CARD-1"


class UnknownRule(Reading):
    """There is no rule {number}. The nearest are {near}; `sabot rule` lists all."""


class Betting(Refusal):
    """The wager cannot stand."""


class SpotNotOffered(Betting):
    """{rules} has no spot {spot}; it has {spots}."""

    rule = "R-BET-2"


class BothSides(Betting):
    """Seat {seat} already has {amount} on {spot}: take that back first, or bet on it again."""

    rule = "R-BET-1"


class NotAnIncrement(Betting):
    """{amount} is no multiple of {increment}: bet {near}."""

    rule = "R-BET-3"


class UnderMinimum(Betting):
    """{amount} on {spot} for seat {seat} is under its minimum of {minimum}: raise it or take it back."""  # noqa: E501

    rule = "R-BET-3"


class OverMaximum(Betting):
    """{amount} on {spot} for seat {seat} is over its maximum of {maximum}: lower it."""

    rule = "R-BET-3"


class DifferentialExceeded(Betting):
    """Player and Banker are {gap} apart and may be {differential}: level the bets, then close."""

    rule = "R-BET-4"


class NoWager(Betting):
    """Seat {seat} has nothing on {spot} to take back."""

    rule = "R-BET-1"


class BettingClosed(Betting):
    """Betting is closed on {coup}: {why}. {then}."""

    rule = "R-DEAL-2"
    recorded = True


class Dealing(Refusal):
    """The cards cannot go on so."""


class CardNotInShoe(Dealing):
    """{gone}: look at the card again{then}."""

    rule = "R-CARD-3"


class CardNotDue(Dealing):
    """{card} is not due: {why}. {then}."""

    rule = "R-IRR-1"
    recorded = True


class OrderLost(Dealing):
    """The order of shoe {shoe} cannot be opened: {why}. Put that right; or void the coup in play and end the shoe with a supervisor and a reason, its order untold."""  # noqa: E501

    rule = "R-SHOE-5"
    kept = False


class ShoeNotReady(Dealing):
    """{shoe} deals no coup yet: next is {step}."""

    rule = "R-SHOE-1"


class ShoeStepOutOfOrder(Dealing):
    """{shoe} cannot be {step} now: {why}."""

    rule = "R-SHOE-1"


class CutCardOut(Dealing):
    """The cut card has shown and {coup} was the last coup of this shoe: end the shoe."""

    rule = "R-SHOE-3"


class CoupNotFinished(Dealing):
    """{coup} is not finished: {why}."""

    rule = "R-DEAL-1"


class CoupOver(Dealing):
    """{coup} is over: it {why}."""

    rule = "R-WIN-1"


class PaymentDisagrees(Dealing):
    """On {coup} {differences}: mend the payment, then settle again."""

    rule = "R-PAY-1"
    recorded = True


class Floor(Refusal):
    """The floor is not so."""


class AlreadyOpen(Floor):
    """{what} is open already: {then}."""


class TableClosed(Floor):
    """{what} is not open: open it first, with `table open`."""


class SeatTaken(Floor):
    """Seat {seat} is taken by {patron}: {then}."""

    rule = "R-BET-1"


class SeatEmpty(Floor):
    """Nobody sits at seat {seat}: seat the patron first, with `table seat`."""

    rule = "R-BET-1"


class UnknownSeat(Floor):
    """{table} has no seat {seat}; its seats are {seats}."""


class PatronBarred(Floor):
    """{patron} may not play: {why}. Call the supervisor, and do not take the bet."""


class SlipReused(Floor):
    """Slip {slip} {why}: a slip is used once. Take the next number, and call the pit boss."""

    recorded = True


class SerialReused(Floor):
    """{kind} {serial} was in shoe {shoe} already: used cards never come back. Take another, and call the pit boss."""  # noqa: E501

    rule = "R-SHOE-1"
    recorded = True


class CommissionOwed(Floor):
    """Commission is owed: {balances}. Collect it; or a supervisor waives it, or records it as walked when the patron is gone."""  # noqa: E501

    rule = "R-COM-4"


class OverCollected(Floor):
    """{patron} owes {owed}, and {amount} is more: {then}."""

    rule = "R-COM-4"


class UnknownRules(Floor):
    """There is no rule set {rules!r}; there are {known}."""


class AlreadyAcknowledged(Floor):
    """{alert} is acknowledged already{by}: there is nothing more to do about it."""


class TableHeld(Floor):
    """{table} is held by {cases}: no further coup until that is decided with `dispute decide`, or released with `dispute release`."""  # noqa: E501

    rule = "R-IRR-5"


class CaseClosed(Floor):
    """{case} is closed: nothing is added to it any more. Open another case about {coup}."""

    rule = "R-IRR-5"


class CaseUnfinished(Floor):
    """{case} cannot be {step} yet: {why}."""

    rule = "R-IRR-5"


class People(Refusal):
    """The people are not right for it."""


class SecondPersonNeeded(People):
    """{act} needs a second person: name {who} too{but}."""

    rule = "R-IRR-5"


class NotSignedOn(People):
    """{who} {but}: say `sabot staff sign-on {number}` first."""

    kept = False

    def __init__(
        self, *, but: str = "is not signed on", rule: str | None = None, **words: object
    ) -> None:
        """`who`: a staff number; or another word, and then `number` is what to type."""
        words.setdefault("number", words.get("who"))
        super().__init__(rule=rule, but=but, **words)


class PinsSlowed(People):
    """Too many wrong PINs were typed on this machine: wait {wait}, then try again."""

    kept = False


class WeakPin(People):
    """The new PIN is {why}: choose another."""

    kept = False


class NotPermitted(People):
    """{who} may not {act}: {why}."""

    recorded = True


class WrongPin(People):
    """That is not the {typed} of {staff}: look at the number, and type both again."""

    recorded = True

    def __init__(self, *, typed: str = "PIN", rule: str | None = None, **words: object) -> None:
        """`typed`: it may have been a one-time code."""
        super().__init__(rule=rule, typed=typed, **words)


class PinLocked(People):
    """{staff} is locked after {wrong} wrong PINs: an administrator enrols it again, with a new code."""  # noqa: E501

    recorded = True


class NotRecovered(People):
    """{staff} is not let in again: {why}."""


class Ledger(Refusal):
    """The ledger cannot answer so."""


class IdReused(Ledger):
    """The id {id!r} was used for another command: send this one with a new id."""


class GivenUp(Ledger):
    """Nobody knew what became of {id}, so it was given up: it is not on record and never will be. Say it again under another id."""  # noqa: E501


class NotFound(Ledger):
    """The ledger has no {what}."""


class Conflict(Ledger):
    """Somebody else wrote first, {times} times: nothing was recorded, send it again."""

    kept = False


class ClockOff(Ledger):
    """This machine's clock is {off} {way} the ledger's, and an entry takes its moment from it: nothing was recorded. Set the clock right, best over the network, then send it again."""  # noqa: E501

    kept = False


# What events that somebody altered may raise in code that trusts them.
SENSELESS = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
    Refusal,
)
