"""Everything that the floor refuses, as one tree.

    Refusal
    ├── Reading    BadLine UnknownCommand UnknownField MissingField BadValue UnknownCard UnknownRule
    ├── Betting    SpotNotOffered BothSides NotAnIncrement UnderMinimum OverMaximum OnlyBeside
    │              DifferentialExceeded SpotNotAtSeat SpotNotInCoup FreeHand OverPart
    │              SpotNotOnCards NoWager CouponRefused · BettingClosed*
    ├── Dealing    CardNotInShoe ShoeNotReady ShoeStepOutOfOrder BurnDue CutCardOut OrderLost
    │              CoupNotFinished CoupOver BetsStillOpen · CardNotDue* PaymentDisagrees*
    ├── Floor      AlreadyOpen TableClosed SeatTaken SeatEmpty UnknownSeat PatronBarred
    │              CommissionOwed OverCollected UnknownRules AlreadyAcknowledged TableHeld
    │              TableLockedUp CaseClosed CaseUnfinished ConfirmationNeeded AccountsNotOffered
    │              AccountNotEmpty AccountShort NoAccount CashNotTaken PlayPaused
    │              · SlipReused* SerialReused* TicketRefused*
    ├── People     NotSignedOn PinsSlowed WeakPin NotRecovered ChangedSince SecondPersonNeeded
    │              · NotPermitted* WrongPin* PinLocked*
    └── Ledger     IdReused NumberReused GivenUp NotFound Conflict ClockOff

A class's docstring is its usual message: what is wrong, what to do, commands as at a shell. Its
`{names}` are filled by the code that refuses. * an event of it is saved beside the answer.
"""

from typing import ClassVar

from domain.rules.wording import N_, Words


class Refusal(Exception):
    """The floor refuses."""

    rule: str | None = None
    recorded: bool = False  # whether an event of it is saved
    stored: ClassVar[bool] = True  # whether the answer is kept under the line's id without events

    def __init__(
        self, *, rule: str | None = None, message: Words | None = None, **values: object
    ) -> None:
        template = type(self).__doc__ or ""
        if message is None and not values:
            template.format()  # raises KeyError for a name that is not given
        self.words = message or Words(template, **values)
        super().__init__(self.words)
        self.rule = rule or self.rule

    @property
    def error(self) -> str:
        """The error's name in answers."""
        return type(self).__name__

    def reword(self, message: Words) -> None:
        """Replaces the message, where one line asked for several things."""
        self.words, self.args = message, (message,)


class Reading(Refusal):
    """The command cannot be understood."""

    stored = False


class BadLine(Reading):
    """Line {line} cannot be read: {why}. Send one JSON object a line."""


class UnknownCommand(Reading):
    """There is no command {command}. `sabot --help` lists them all."""


class UnknownField(Reading):
    """{command} has no field '{field}'. Its fields are {takes}."""


class MissingField(Reading):
    """{command} needs '{field}'."""


class BadValue(Reading):
    """{field} cannot be {value}: {why}."""


class UnknownCard(Reading):
    """'{card}' is no card: write rank then suit, A 2-9 T J Q K and C D H S, as in `9C` or `TH`."""

    rule = "R-CARD-1"


class UnknownRule(Reading):
    """There is no rule {number}. The nearest are {near}; `sabot rule` lists all."""


class Betting(Refusal):
    """The wager is not allowed."""


class SpotNotOffered(Betting):
    """{rules} has no spot {spot}. Its spots are {spots}."""

    rule = "R-BET-2"


class BothSides(Betting):
    """A patron bets on Player or on Banker, and seat {seat} has {amount} on {spot}. Take that back first, or bet on it again."""  # noqa: E501

    rule = "R-BET-1"


class NotAnIncrement(Betting):
    """{amount} is no multiple of {increment}. Bet {near}."""

    rule = "R-BET-3"


class UnderMinimum(Betting):
    """Seat {seat}'s {amount} on {spot} is under the minimum of {minimum}. Raise it, or take it back."""  # noqa: E501

    rule = "R-BET-3"


class OverMaximum(Betting):
    """Seat {seat}'s {amount} on {spot} is over the maximum of {maximum}. Lower it."""

    rule = "R-BET-3"


class DifferentialExceeded(Betting):
    """Player and Banker wagers differ by {gap}, and at most {differential} is allowed. Change a bet, then close the betting."""  # noqa: E501

    rule = "R-BET-4"


class OnlyBeside(Betting):
    """Seat {seat}'s bet on {spot} is taken only beside one on {spots}. Bet on that first, or in the same line."""  # noqa: E501

    rule = "R-BET-6"


class SpotNotAtSeat(Betting):
    """{spot} is not taken at seat {seat}, only at {seats}. Bet on another spot."""

    rule = "R-BET-6"


class SpotNotInCoup(Betting):
    """{spot} is not taken in this coup of the shoe. Bet on another spot."""

    rule = "R-BET-6"


class FreeHand(Betting):
    """{coup} has no bet, and at most {n} coups in a row are dealt without one. Take a bet, or end the shoe with a supervisor."""  # noqa: E501

    rule = "R-BET-7"


class OverPart(Betting):
    """Seat {seat}'s {amount} on {spot} is over {allowed}, the most beside its other bet. Lower it."""  # noqa: E501

    rule = "R-BET-8"


class SpotNotOnCards(Betting):
    """{spot} takes no bets on these four cards. Bet on it when they are others."""

    rule = "R-BET-8"


class NoWager(Betting):
    """Seat {seat} has no bet on {spot} to take back."""

    rule = "R-BET-1"


class BettingClosed(Betting):
    """Betting is closed on {coup}: {why}. {then}."""

    rule = "R-DEAL-2"
    recorded = True


class CouponRefused(Betting):
    """Coupon {coupon} is not taken: {why}. {then}."""

    rule = "R-PROMO-1"


class Dealing(Refusal):
    """The cards cannot go on like this."""


class BetsStillOpen(Dealing):
    """Bets on {spots} are still taken. Close them with `no-more-bets`, then draw the card."""

    rule = "R-BET-8"


class CardNotInShoe(Dealing):
    """All {decks} of {card} are out of the shoe already. Look at the card again; if it is one too many, call the supervisor and discard it as foreign, with `shoe discard`."""  # noqa: E501

    rule = "R-CARD-3"


class CardNotDue(Dealing):
    """{card} is not due: {why}. If it left the shoe, put it aside, call the supervisor, and enter it with `shoe misdraw`; this is on record."""  # noqa: E501

    rule = "R-IRR-1"
    recorded = True


class BurnDue(Dealing):
    """A card is burned face down before coup {coup}. Burn it, with `shoe burn`; if the coup was begun without it, `shoe burn --left-out`."""  # noqa: E501

    rule = "R-SHOE-6"


class OrderLost(Dealing):
    """The order of shoe {shoe} cannot be opened: {why}. Repair that, or void the coup in play and end the shoe with a supervisor and a reason, which leaves its order unknown."""  # noqa: E501

    rule = "R-SHOE-5"
    stored = False


class ShoeNotReady(Dealing):
    """Shoe {shoe} is not ready to deal. Next comes {step}."""

    rule = "R-SHOE-1"


class ShoeStepOutOfOrder(Dealing):
    """Shoe {shoe} is not ready for that: {why}."""

    rule = "R-SHOE-1"


class CutCardOut(Dealing):
    """The cut card has shown, and {coup} was the last coup of this shoe. End the shoe."""

    rule = "R-SHOE-3"


class CoupNotFinished(Dealing):
    """{coup} is not finished: {why}."""

    rule = "R-DEAL-1"


class CoupOver(Dealing):
    """{coup} is over. The next bet opens the next coup."""

    rule = "R-WIN-1"


class PaymentDisagrees(Dealing):
    """In coup {coup} {differences}. Correct the payment on the table, then settle again."""

    rule = "R-PAY-1"
    recorded = True


class Floor(Refusal):
    """Something else is so on the floor."""


class AlreadyOpen(Floor):
    """{what} is already open: {then}."""


class TableClosed(Floor):
    """{what} is not open. Open it first, with `table open`."""


class SeatTaken(Floor):
    """Seat {seat} is taken by {patron}. Choose another seat."""

    rule = "R-BET-1"


class SeatEmpty(Floor):
    """Nobody sits at seat {seat}. Seat the patron first, with `table seat`."""

    rule = "R-BET-1"


class UnknownSeat(Floor):
    """{table} has no seat {seat}. Its seats are {seats}."""


class PatronBarred(Floor):
    """{patron} may not play: {why}. Call the supervisor, and do not take the bet."""


class PlayPaused(Floor):
    """Seat {seat} takes a break until {until}."""


class AccountsNotOffered(Floor):
    """With {rules} patrons bet with chips, not from game accounts. Use `table buy-in`."""

    rule = "R-ACC-1"


class NoAccount(Floor):
    """Seat {seat} has no game account. Open one with `account pay-in`."""

    rule = "R-ACC-1"


class AccountShort(Floor):
    """Seat {seat} has {balance} on its game account, less than {amount}. Take less, or pay in first."""  # noqa: E501

    rule = "R-ACC-1"


class AccountNotEmpty(Floor):
    """{patron} has {balance} on a game account. Pay it out first, with `account pay-out`."""

    rule = "R-ACC-1"


class TicketRefused(Floor):
    """Ticket {ticket} is not taken: {why}. Call the cage."""

    rule = "R-ACC-2"
    recorded = True


class SlipReused(Floor):
    """Slip {slip} is used already. Take the next number, and call the pit boss."""

    recorded = True


class SerialReused(Floor):
    """The cards of serial {serial} were already used in shoe {shoe}. Take others, and call the pit boss."""  # noqa: E501

    rule = "R-SHOE-1"
    recorded = True


class CommissionOwed(Floor):
    """{balances}. Collect the commission, or a supervisor waives it, or writes it off if the patron left."""  # noqa: E501

    rule = "R-COM-4"


class OverCollected(Floor):
    """{patron} owes {owed}, less than {amount}. Collect {owed} or less."""

    rule = "R-COM-4"


class ConfirmationNeeded(Floor):
    """{so}. Check it, then confirm it with `confirmed` if it is right."""


class CashNotTaken(Floor):
    """{so}. Send the patron to the cage: no table takes or pays it."""


class UnknownRules(Floor):
    """There is no rule set '{rules}'. The nearest are {near}; `sabot rules list` lists all."""


class AlreadyAcknowledged(Floor):
    """Alert {alert} is already acknowledged. Nothing more is to be done about it."""


class TableHeld(Floor):
    """{table} is held by {cases}: no further coup is dealt. Decide that with `dispute decide`, or release the table with `dispute release`."""  # noqa: E501

    rule = "R-IRR-5"


class TableLockedUp(Floor):
    """{table} is locked up. Two people settle its coup, or return every stake, with `table unlock`."""  # noqa: E501

    rule = "R-IRR-6"


class CaseClosed(Floor):
    """{case} is closed, and nothing can be added to it. Open another case about {coup}."""

    rule = "R-IRR-5"


class CaseUnfinished(Floor):
    """{case} is not finished. {why}."""

    rule = "R-IRR-5"


class People(Refusal):
    """Somebody else has to do it, or to help."""


class SecondPersonNeeded(People):
    """{act} takes two people. Name {who} as the second."""

    rule = "R-IRR-5"
    stored = False


class ChangedSince(People):
    """Nothing was recorded: the record has changed since this was shown. Look again, then sign."""

    rule = "R-IRR-5"
    stored = False


class NotSignedOn(People):
    """{who} is not signed on. Sign on first, with `sabot staff sign-on {who}`."""

    stored = False


class PinsSlowed(People):
    """Too many wrong PINs were typed on this machine. Wait {wait}, then try again."""

    stored = False


class WeakPin(People):
    """The new PIN is {why}. Choose another."""

    stored = False


class NotPermitted(People):
    """{who} may not {act}: {why}."""

    recorded = True
    stored = False


_WRONG = {
    "PIN": N_("That is not the PIN of {staff}. Check the number, then type both again."),
    "one-time code": N_(
        "That is not the one-time code of {staff}. Check the number, then type both again."
    ),
}


class WrongPin(People):
    """That does not prove that you are {staff}. Check the number, then type both again."""

    recorded = True

    def __init__(self, *, typed: str = "PIN", rule: str | None = None, **values: object) -> None:
        """`typed`: `PIN`, or `one-time code`."""
        message = Words(_WRONG[typed], **values) if values and typed in _WRONG else None
        super().__init__(rule=rule, message=message, **values)


class PinLocked(People):
    """{staff} is locked after {wrong} wrong PINs. An administrator enrols it again, with a new code."""  # noqa: E501

    recorded = True


class NotRecovered(People):
    """{staff} is not let in again: {why}."""


class Ledger(Refusal):
    """The ledger cannot answer that."""


class IdReused(Ledger):
    """The id '{id}' was used for another command. Send this one with a new id."""


class NumberReused(Ledger):
    """Number {n} of {device} was used for another line. Go on with {next}."""

    stored = False


class GivenUp(Ledger):
    """The outcome of command {id} was unknown, so it was given up: it is not on record and never will be. Send it again with a new id."""  # noqa: E501


class NotFound(Ledger):
    """The ledger has no {what}."""


class Conflict(Ledger):
    """Nothing was recorded: others changed the same thing {times} times. Send it again."""

    stored = False


class ClockOff(Ledger):
    """Nothing was recorded: this machine's clock is not the ledger's. Set the clock, best over the network, then send it again."""  # noqa: E501

    stored = False


SENSELESS = (  # what rows, and events, that somebody altered raise in code that trusts them
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
    Refusal,
)
