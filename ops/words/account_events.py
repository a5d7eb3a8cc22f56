"""Sentences for the events of a game account."""

from collections.abc import Mapping

from domain.rules.wording import N_, Words
from ops.words.event_values import Event, Values, Wording, worded_with


def _paid_in(event: Event, values: Values) -> Words:
    template = (
        N_("Ticket {ticket}: {amount} for {patron}, seat {seat}, who now has {balance}.")
        if event["ticket"]
        else N_("Cash {amount} for {patron}, seat {seat}, who now has {balance}.")
    )
    return worded_with(template, values)


def _paid_out(event: Event, values: Values) -> Words:
    template = (
        N_(
            "{patron}, seat {seat}, has ticket {ticket} of {amount}. Left on the account: "
            "{balance}."
        )
        if event["ticket"]
        else N_("{patron}, seat {seat}, is paid {amount} in cash. Left on the account: {balance}.")
    )
    return worded_with(template, values)


def _payment_followed(event: Event, values: Values) -> Words:
    if event["into"] == "account":
        return worded_with(N_("Seat {seat} now has {balance} on the game account."), values)
    return worded_with(N_("{amount} is taken off seat {seat}'s game account."), values)


ACCOUNTS: Mapping[str, Wording] = {
    "GameAccountOpened": None,
    "PaidIn": _paid_in,
    "PaidOut": _paid_out,
    "HandPaid": N_(
        "{patron}, seat {seat}, is paid {amount} by hand: {reason}. Left on the account: {balance}."
    ),
    "Wagered": None,
    "WagerReleased": None,
    "StakeReturned": None,
    "StakeLost": None,
    "WinningsCredited": None,
    "PaymentFollowed": _payment_followed,
    "LeftOnAccount": N_(
        "{patron} is not at the table, and {balance} is left on the game account of seat {seat}."
    ),
    "FoundShort": N_(
        "{patron}, seat {seat}: {amount} is no longer on the game account. The house bears it."
    ),
    "SettledAtCage": N_("Left on the game account of {patron}: {balance}."),
    "CashPutRight": N_("Seat {seat} now has {balance} on the game account."),
    "TicketIssued": None,
    "TicketTaken": None,
    "TicketRefused": N_("Ticket {ticket} was not taken."),
    "TicketIn": None,
    "TicketOut": None,
}
