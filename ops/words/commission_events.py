"""Sentences for the events of commission: accrued, paid, corrected, left owing."""

from collections.abc import Mapping, Sequence

from domain.rules.wording import N_, Amount, Words
from ops.words.event_values import (
    Event,
    Values,
    Wording,
    of_entry,
    run_on,
    with_amount,
    worded_with,
)


def _accrued(event: Event, values: Values) -> Words:
    template = (
        N_("{patron}: commission of {charged} is taken from the payout.")
        if event["due"] == "at-payout"
        else N_("{patron} owes {charged} more commission.")
    )
    return worded_with(template, values)


def _collected(event: Event, values: Values) -> Words | None:
    """The sentence for collected commission, or None at payout: the accrual names it."""
    if event["how"] == "at-payout":
        return None
    template = (
        N_("{amount} commission that {patron} owed is settled, receipt {receipt}.")
        if event["how"] == "settlement"
        else N_("{patron} paid {amount} commission, receipt {receipt}.")
    )
    return worded_with(template, values)


def _refunded(event: Event, values: Values) -> Words | None:
    """The sentence for commission given back, or None at payout: it is in the payment."""
    if event["how"] == "at-payout":
        return None
    template = (
        N_("{amount} commission that {patron} was owed is settled, receipt {receipt}.")
        if event["how"] == "settlement"
        else N_("{patron} gets {amount} commission back, receipt {receipt}.")
    )
    return worded_with(template, values)


def _brought_forward(event: Event, values: Values) -> Words | None:
    """What goes on at another stay; None where it goes back, so that a day is put right."""
    if event["from_stay"] > event["stay"]:
        return None
    template = (
        N_("{patron}'s account goes on: {patron} still owes {open} commission.")
        if event["amount"] >= 0
        else N_("{patron}'s account goes on: the house still owes {patron} {open} commission.")
    )
    return with_amount(template, event["amount"], values)


def _commission_corrected(event: Event, values: Values) -> Words:
    less = event["charged"] < 0
    if event["due"] == "at-payout":
        template = (
            N_("{patron}: {change} less commission is taken from the payout.")
            if less
            else N_("{patron}: {change} more commission is taken from the payout.")
        )
    else:
        template = (
            N_("{patron} is charged {change} less commission.")
            if less
            else N_("{patron} is charged {change} more commission.")
        )
    charged = event["charged"]
    return worded_with(template, values, change=Amount(abs(charged), str(values["currency"])))


def commission_at_payout(bet: Event, currency: str) -> Words:
    """The sentence for what a bet was paid after commission, and is paid after it was put right."""
    void = bet["type"] == "WagerReturned"
    before, after = bet["commission_before"], 0 if void else bet["commission_charged"]
    if void:
        template = N_(
            "{patron}: the stake of {stake} goes back; {was} was paid after {before} commission."
        )
    elif not after:
        template = N_("{patron}: {was} was paid after {before} commission.")
    elif not before:
        template = N_("{patron}: {paid} is after {after} commission.")
    else:
        template = N_(
            "{patron}: {was} was paid after {before} commission; {paid} is after {after} "
            "commission."
        )
    amounts = {"stake": bet["stake"], "was": bet["paid_before"], "paid": bet.get("paid", 0)}
    amounts |= {"before": before, "after": after}
    worth = {name: Amount(each, currency) for name, each in amounts.items()}
    return worded_with(template, worth, patron=bet["patron"])


def commission_let_go(event: Event, again: Sequence[Event], currency: str) -> Words:
    """The sentence for less commission, of which some was waived or written off before.

    `again`: the events by which that is owed again, so that it can be taken off.
    """
    parts = {each["was"]: each["amount"] for each in again}
    less, owed = -event["charged"], -event["charged"] - sum(parts.values())
    amounts = {name: Amount(each, currency) for name, each in parts.items()}
    if len(amounts) > 1:
        template = N_(
            "{patron} is charged {change} less commission; of that, {waived} was waived and "
            "{walked} written off."
        )
    elif "waived" in amounts:
        template = N_("{patron} is charged {change} less commission; of that, {waived} was waived.")
    else:
        template = N_(
            "{patron} is charged {change} less commission; of that, {walked} was written off."
        )
    patron = event["patron"]
    first = Words(template, patron=patron, change=Amount(less, currency), **amounts)
    if not owed:
        return run_on([first, Words("What {patron} owes stays the same.", patron=patron)])
    return first


def _owed_again(event: Event, values: Values) -> Words:
    template = (
        N_("{patron} owes {amount} commission again, which was waived.")
        if event["was"] == "waived"
        else N_("{patron} owes {amount} commission again, which was written off.")
    )
    return worded_with(template, values)


def _recovery_issued(event: Event, values: Values) -> Words:
    """The sentence for a recovery form, with what is still open of each form that it is for."""
    issued = N_("Form {form} of {amount} is issued. Print it with `commission form {form}`.")
    currency = str(values["currency"])
    still_open = (
        Words("{amount} of {form} is still open.", amount=Amount(amount, currency), form=form)
        if amount
        else Words("{form} is settled.", form=form)
        for form, amount in event["still_open"].items()
    )
    return run_on([worded_with(issued, values), *still_open])


def _form_printed(event: Event, values: Values) -> Words:
    templates = {
        ("original", True): N_("The original of {form} is printed."),
        ("duplicate", True): N_("The duplicate of {form} is printed."),
        ("original", False): N_("Copy {number} of the original of {form} is printed."),
        ("duplicate", False): N_("Copy {number} of the duplicate of {form} is printed."),
    }
    template = templates[event["part"], event["copy"] == 1]
    return worded_with(template, values, number=event["copy"] - 1)


def _collection_corrected(event: Event, values: Values) -> Words:
    template = (
        N_(
            "{patron} paid {amount} commission, not {amount_before}: receipt {receipt} replaces "
            "{wrong_receipt}."
        )
        if event["receipt"]
        else N_("{patron} did not pay {amount_before} commission: {wrong_receipt} is void.")
    )
    return of_entry(event, worded_with(template, values))


COMMISSION: Mapping[str, Wording] = {
    "CommissionAccountOpened": None,
    "CommissionAccrued": _accrued,
    "CommissionCorrected": _commission_corrected,
    "CommissionCollected": _collected,
    "CollectionCorrected": _collection_corrected,
    "CommissionRefunded": _refunded,
    "CommissionOwedAgain": _owed_again,
    "CommissionWaived": N_("{patron}: commission of {amount} is waived: {reason}."),
    "CommissionCarriedForward": None,
    "CommissionBroughtForward": _brought_forward,
    "CommissionWalked": N_("{patron} left owing {amount} commission: {reason}."),
    "ReceiptPrinted": N_("Receipt {receipt} is printed, copy {copy}."),
    "FormBookOpened": None,
    "UncollectedFormIssued": N_(
        "Form {form} of {amount} is issued. Print it with `commission form {form}`."
    ),
    "RecoveryFormIssued": _recovery_issued,
    "JackpotFormIssued": N_(
        "Form {form} of {amount} is issued for the meter. Print it with `commission form {form}`."
    ),
    "FormRecovered": None,
    "FormAdjusted": N_("Form {form} is {amount} less, because {coup} was corrected."),
    "FormPrinted": _form_printed,
}
