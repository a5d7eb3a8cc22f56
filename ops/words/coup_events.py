"""Sentences for the events of a shoe and of a coup: cards, wagers, payments, commission."""

from collections.abc import Iterable, Mapping, Sequence

from domain.rules.wording import N_, Amount, Words, counted
from ops.words.event_values import (
    Event,
    Values,
    Wording,
    of_entry,
    run_on,
    with_amount,
    worded_with,
)
from ops.words.show import missing_words, outcome_words
from ops.words.terms import (
    card_called,
    discard_called,
    hand_called,
    holder_called,
    shuffle_called,
)


def begins_a_dummy(event: Event) -> bool:
    """Whether the event closes the betting of a dummy coup, which never took bets."""
    return bool(event["type"] == "BettingClosed" and event["by"] == "dummy")


def _loaded(event: Event, values: Values) -> Words:
    decks = event["decks"]
    return counted(
        decks,
        "Shoe {shoe} is loaded: {n} deck.",
        "Shoe {shoe} is loaded: {n} decks.",
        **_of(values, "shoe"),
    )


def _shuffled(event: Event, values: Values) -> Words:
    template = (
        N_("The shoe is shuffled {method}. Its order is sealed by {commitment}.")
        if event.get("commitment")
        else N_("The cards came pre-shuffled.")
        if event["method"] == "pre-shuffled"
        else N_("The shoe is shuffled {method}.")
    )
    return worded_with(template, values, method=shuffle_called(event["method"]))


def _cut(event: Event, values: Values) -> Words:
    return counted(
        event["cut_card"],
        "The shoe is cut by {cut_by}. {n} card is behind the cut card.",
        "The shoe is cut by {cut_by}. {n} cards are behind the cut card.",
        **_of(values, "cut_by"),
    )


def _burned(event: Event, values: Values) -> Words:
    return counted(
        event["face_down"],
        "Burned {card} and {n} more face down.",
        "Burned {card} and {n} more face down.",
        **_of(values, "card"),
    )


def _ended(event: Event, values: Values) -> Words:
    return counted(
        event["coups"], "The shoe has ended after {n} coup.", "The shoe has ended after {n} coups."
    )


def _reconciled(event: Event, values: Values) -> Words:
    return counted(
        event["remaining"],
        "The shoe is counted: {n} card remains, {missing}.",
        "The shoe is counted: {n} cards remain, {missing}.",
        missing=missing_words(-event["difference"]),
    )


def _cut_card_shown(event: Event, values: Values) -> Words:
    return counted(
        event["cards_left"],
        "The cut card shows, {n} card left: coup {last_coup} is the last.",
        "The cut card shows, {n} cards left: coup {last_coup} is the last.",
        **_of(values, "last_coup"),
    )


def _cut_card_passed(event: Event, values: Values) -> Words:
    return counted(
        event["cards_left"],
        "The shoe is past its cut card: {n} card left.",
        "The shoe is past its cut card: {n} cards left.",
    )


def _not_dealt(event: Event, values: Values) -> Words | None:
    if not event["last_coup"]:
        return None
    return worded_with(N_("Coup {coup} does not count: coup {last_coup} is the last."), values)


def _misdrawn(event: Event, values: Values) -> Words:
    templates = {
        "carry": N_("{card} came when none was due: it goes to the next coup."),
        "burn": N_("{card} came when none was due: it is burned."),
        "dummy": N_("{card} came when none was due: a dummy coup follows."),
    }
    return worded_with(templates[event["disposition"]], values)


def _undue(event: Event, values: Values) -> Words:
    template = (
        N_("{card} was refused: the coup has all its cards.")
        if event["why"] == "coup-complete"
        else N_("{card} was refused: no coup was open.")
    )
    return worded_with(template, values)


def _discarded(event: Event, values: Values) -> Words:
    reason = discard_called(event["reason"])
    return worded_with(N_("{card} is discarded: {reason}."), values, reason=reason)


def _irregular(event: Event, values: Values) -> Words:
    if event["why"] == "foreign-card":
        return Words("The coup can only be voided: it has a card that is not of this shoe.")
    return worded_with(N_("The coup can only be voided: {why}."), values)


def _reuse_refused(event: Event, values: Values) -> Words:
    template = (
        N_("Batch {serial} came a second time: it was in shoe {loaded_in}.")
        if event["kind"] == "batch"
        else N_("Deck {serial} came a second time: it was in shoe {loaded_in}.")
    )
    return worded_with(template, values)


def _betting_closed(event: Event, values: Values) -> Words:
    if begins_a_dummy(event):
        return worded_with(N_("Coup {coup} is a dummy: it takes no bets (R-IRR-1)."), values)
    return Words("No more bets.")


def _late(event: Event, values: Values) -> Words:
    if event["act"] == "withdraw":
        template = N_("Late withdrawal refused: seat {seat} {patron}, {spot} {amount}.")
    elif event["amount"]:
        template = N_("Late bet refused: seat {seat} {patron}, {spot} {amount}.")
    else:  # the first version recorded no amount
        template = N_("Late bet refused: seat {seat} {patron}, {spot}.")
    return worded_with(template, values)


def _entered_late(event: Event, values: Values) -> Words:
    template = (
        N_("Entered late: seat {seat} {patron} has {amount} on {spot}, not {amount_before}.")
        if event.get("amount_before")
        else N_("Entered late: seat {seat} {patron} has {amount} on {spot}.")
    )
    return worded_with(template, values)


def _limit_broken(event: Event, values: Values) -> Words:
    if event["detail"]:
        template = N_("After betting closed: {detail}")
    elif event["seat"] is None:
        template = N_(
            "After betting closed: Player and Banker differ by {amount}, allowed is {allowed}."
        )
    elif event["refusal"] != "UnderMinimum":
        template = N_(
            "After betting closed: seat {seat} {patron} has {amount} on {spot}, "
            "over the maximum of {allowed}."
        )
    elif event["spot"] == "tie":
        template = N_(
            "After betting closed: seat {seat} {patron} has {amount} on {spot} alone, "
            "under the minimum of {allowed}."
        )
    else:
        template = N_(
            "After betting closed: seat {seat} {patron} has {amount} on {spot}, "
            "under the minimum of {allowed}."
        )
    return worded_with(template, values)


def _dealt(event: Event, values: Values) -> Words:
    templates = {
        (False, False): N_("{card} to {hand} ({rule})."),
        (False, True): N_("{card} to {hand} ({rule}), from the coup before."),
        (True, False): N_("A card face down to {hand} ({rule})."),
        (True, True): N_("A card face down to {hand} ({rule}), from the coup before."),
    }
    which = bool(event["face_down"]), bool(event.get("carried"))
    return worded_with(templates[which], values)


def card_moved_unseen(event: Event) -> Words:
    """The sentence for a moved card without its name, because it may be face down."""
    return Words("Card {n} is moved to {hand}.", n=event["n"], hand=hand_called(event["hand"]))


def _hands_given(event: Event, values: Values) -> Words:
    return Words(
        "The Player hand goes to {player}, the Banker hand to {banker}.",
        player=holder_called(event["player"]),
        banker=holder_called(event["banker"]),
    )


def _given_back(event: Event, values: Values) -> Words:
    if event["by"] == "dealer":
        return worded_with(N_("The dealer gives the {hand} hand back."), values)
    if not event["by"].startswith("seat "):  # in a patron's copy
        return worded_with(N_("A patron gives the {hand} hand back."), values)
    seat = event["by"].removeprefix("seat ")
    return worded_with(N_("Seat {seat} gives the {hand} hand back."), values, seat=seat)


def _turned(event: Event, values: Values) -> Words:
    cards = " ".join(map(card_called, event["cards"]))
    if event["by"] == "dealer":
        return worded_with(N_("The dealer turns {hand} {cards}: {shows}."), values, cards=cards)
    if not event["by"].startswith("seat "):  # in a patron's copy
        return worded_with(N_("A patron turns {hand} {cards}: {shows}."), values, cards=cards)
    seat = event["by"].removeprefix("seat ")
    template = N_("Seat {seat} turns {hand} {cards}: {shows}.")
    return worded_with(template, values, cards=cards, seat=seat)


def _resulted(event: Event, values: Values) -> Words:
    totals = event["player_total"], event["banker_total"]
    return Words("{outcome}.", outcome=outcome_words(event["outcome"], *totals))


def _settled_wager(event: Event, values: Values) -> Words:
    templates = {
        ("win", False): N_("Seat {seat} {patron}: {spot} {stake} wins, {paid} with the bet."),
        ("win", True): N_(
            "Seat {seat} {patron}: {spot} {stake} wins, {paid} with the bet. "
            "Of that, {paid_up} is rounded up to chips."
        ),
        ("lose", False): N_("Seat {seat} {patron}: {spot} {stake} loses."),
        ("lose", True): N_(
            "Seat {seat} {patron}: {spot} {stake} loses, paid {paid}. "
            "Of that, {paid_up} is rounded up to chips."
        ),
        ("push", False): N_("Seat {seat} {patron}: {spot} {stake} is returned."),
        ("push", True): N_(
            "Seat {seat} {patron}: {spot} {stake} is returned, paid {paid}. "
            "Of that, {paid_up} is rounded up to chips."
        ),
    }
    return worded_with(templates[event["result"], bool(event.get("paid_up"))], values)


def _returned(event: Event, values: Values) -> Words:
    """The sentence for a wager of a void coup, with what it was paid before."""
    if event["paid_before"] is None:
        template = N_("Seat {seat} {patron}: {stake} on {spot} is returned.")
    elif not event["paid_before"]:
        template = N_(
            "Seat {seat} {patron}: {stake} on {spot} was lost; the patron gets {changes_hands}."
        )
    else:
        template = _by_sign(
            event["changes_hands"],
            N_("Seat {seat} {patron}: {stake} on {spot} was returned already."),
            N_(
                "Seat {seat} {patron}: {stake} on {spot} was paid {paid_before}; the patron gets "
                "{changes_hands}."
            ),
            N_(
                "Seat {seat} {patron}: {stake} on {spot} was paid {paid_before}; the patron gives "
                "back {changes_hands}."
            ),
        )
    return worded_with(template, values)


def _corrected(event: Event, values: Values) -> Words:
    if event["stake"] != event["stake_before"]:
        template = _stake_corrected(event)
    elif event.get("as_spot"):
        template = _by_sign(
            event["changes_hands"],
            N_(
                "Seat {seat} {patron}: {spot} {stake}, as {as_spot}, is paid {paid} in all, as "
                "before."
            ),
            N_(
                "Seat {seat} {patron}: {spot} {stake}, as {as_spot}, is paid {paid} in all, "
                "not {paid_before}; the patron gets {changes_hands}."
            ),
            N_(
                "Seat {seat} {patron}: {spot} {stake}, as {as_spot}, is paid {paid} in all, "
                "not {paid_before}; the patron gives back {changes_hands}."
            ),
        )
    else:
        template = _by_sign(
            event["changes_hands"],
            N_("Seat {seat} {patron}: {spot} {stake} is paid {paid} in all, as before."),
            N_(
                "Seat {seat} {patron}: {spot} {stake} is paid {paid} in all, not {paid_before}; "
                "the patron gets {changes_hands}."
            ),
            N_(
                "Seat {seat} {patron}: {spot} {stake} is paid {paid} in all, not {paid_before}; "
                "the patron gives back {changes_hands}."
            ),
        )
    return worded_with(template, values)


def _stake_corrected(event: Event) -> str:
    """The template for a stake that was typed wrong, with the spot as which it counts."""
    other = bool(event.get("as_spot"))
    if event["paid"] == event["paid_before"] == 0:
        return (
            N_(
                "Seat {seat} {patron}: {stake} lay on {spot}, which counts as {as_spot}, not "
                "{stake_before}; it is lost."
            )
            if other
            else N_("Seat {seat} {patron}: {stake} lay on {spot}, not {stake_before}; it is lost.")
        )
    if event["paid"] == event["paid_before"]:
        return (
            N_(
                "Seat {seat} {patron}: {stake} lay on {spot}, which counts as {as_spot}, not "
                "{stake_before}; it is paid {paid} in all, as before."
            )
            if other
            else N_(
                "Seat {seat} {patron}: {stake} lay on {spot}, not {stake_before}; it is paid "
                "{paid} in all, as before."
            )
        )
    return (
        N_(
            "Seat {seat} {patron}: {stake} lay on {spot}, which counts as {as_spot}, not "
            "{stake_before}; it is paid {paid} in all, not {paid_before}."
        )
        if other
        else N_(
            "Seat {seat} {patron}: {stake} lay on {spot}, not {stake_before}; it is paid {paid} in "
            "all, not {paid_before}."
        )
    )


def _by_sign(changes_hands: int, none: str, gets: str, gives: str) -> str:
    if changes_hands == 0:
        return none
    return gets if changes_hands > 0 else gives


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


def _passed(event: Event, values: Values) -> Words:
    return Words("The shoe goes to {holder}.", holder=holder_called(event["holder"]))


def _of(values: Values, *names: str) -> dict[str, object]:
    return {name: values[name] for name in names}


def _card_corrected(event: Event, values: Values) -> Words:
    """The sentence for a card that was another one, and for the cards after it."""
    was = card_called(event["was"])
    first = worded_with(N_("Card {n} was {card}, not {was}: {reason}."), values, was=was)
    if event["untyped"]:
        then = Words(
            "{cards} was typed by mistake and is back in the shoe.",
            cards=_cards(event["untyped"]),
        )
    elif event["undue"]:
        then = Words("{cards} came when none was due.", cards=_cards(event["undue"]))
    else:
        return first
    return run_on([first, then])


def _cards(cards: Iterable[str]) -> str:
    return " ".join(map(card_called, cards))


def _wager_moved(event: Event, values: Values) -> Words:
    if event["seat"] is None:  # in a patron's copy
        return worded_with(
            N_("{spot} {stake} of another patron was seat {to_seat} {to_patron}'s: {reason}."),
            values,
        )
    if event["to_seat"] is None:
        return worded_with(
            N_("{spot} {stake} of seat {seat} {patron} was another patron's: {reason}."), values
        )
    return worded_with(
        N_("{spot} {stake} of seat {seat} {patron} was seat {to_seat} {to_patron}'s: {reason}."),
        values,
    )


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


def _recounted(event: Event, values: Values) -> Words:
    again = worded_with(
        N_("Counted again, {remaining} cards are left, not {remaining_before}."), values
    )
    return run_on([again, _reconciled(event, values)])


SHOE: Mapping[str, Wording] = {
    "ShoeLoaded": _loaded,
    "CameAlong": N_("Shoe {shoe} goes on, on {table_day}."),
    "Inspected": N_("The shoe is inspected."),
    "Shuffled": _shuffled,
    "Cut": _cut,
    "Burned": _burned,
    "Passed": _passed,
    "CoupBegun": None,
    "CoupNotDealt": _not_dealt,
    "CardDrawn": None,
    "UndueCardRefused": _undue,
    "CardMisdrawn": _misdrawn,
    "CarriedCardDealt": None,
    "CardDiscarded": _discarded,
    "CutCardShown": _cut_card_shown,
    "CutCardPassed": _cut_card_passed,
    "Ended": _ended,
    "OrderRevealed": N_("The order of the shoe is published. Its secret is {secret}."),
    "OrderUntold": N_("The order of the shoe is lost and stays unknown."),
    "Reconciled": _reconciled,
    "Recounted": _recounted,
    "CardRenamed": None,
    "CardTakenBack": None,
    "DeckLoaded": None,
    "ReuseRefused": _reuse_refused,
}
COUP: Mapping[str, Wording] = {
    "CoupOpened": N_("Coup {coup} is open for bets."),
    "WagerPlaced": N_("Seat {seat} {patron}: {spot} {amount}."),
    "WagerWithdrawn": N_("Seat {seat} {patron} takes {amount} back from {spot}."),
    "LateBetRefused": _late,
    "WagerFound": _entered_late,
    "StakeCorrected": N_(
        "Seat {seat} {patron}: {stake} lay on {spot}, not {stake_before}; it is not paid yet."
    ),
    "WagerReduced": N_("Seat {seat} {patron}: {returned} of {spot} goes back, {amount} stays."),
    "LimitFoundBroken": _limit_broken,
    "BettingClosed": _betting_closed,
    "HandsGiven": _hands_given,
    "HandGivenBack": _given_back,
    "CardDealt": _dealt,
    "CardCorrected": _card_corrected,
    "WagerMoved": _wager_moved,
    "WagerSettledLate": _settled_wager,
    "CardMoved": N_("Card {n}, {card}, is moved to {hand}."),
    "HandTurned": _turned,
    "Resulted": _resulted,
    "FoundIrregular": _irregular,
    "PaymentDisagreed": N_("Seat {seat}: payment stated {stated}, owed {owed}."),
    "WagerSettled": _settled_wager,
    "Settled": N_("Settled: {stakes} wagered, {paid} paid."),
    "WagerReturned": _returned,
    "Voided": N_("The coup is void: {reason}."),
    "LeftUnused": N_("Coup {coup} ended without a bet and without a card."),
    "PaymentCorrected": _corrected,
}
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
    "FormRecovered": None,
    "FormAdjusted": N_("Form {form} is {amount} less, because {coup} was corrected."),
    "FormPrinted": _form_printed,
}
