"""Sentences for the events of a coup: wagers, cards, payments."""

from collections.abc import Iterable, Mapping

from domain.rules.wording import N_, Words
from ops.words.event_values import (
    Event,
    Values,
    Wording,
    run_on,
    worded_with,
)
from ops.words.show import outcome_words
from ops.words.terms import (
    card_called,
    hand_called,
    holder_called,
)


def begins_a_dummy(event: Event) -> bool:
    """Whether the event closes the betting of a dummy coup, which never took bets."""
    return bool(event["type"] == "BettingClosed" and event["by"] == "dummy")


def _irregular(event: Event, values: Values) -> Words:
    if event["why"] == "foreign-card":
        return Words("The coup can only be voided: it has a card that is not of this shoe.")
    return worded_with(N_("The coup can only be voided: {why}."), values)


def _betting_closed(event: Event, values: Values) -> Words:
    if begins_a_dummy(event):
        return worded_with(N_("Coup {coup} is a dummy: it takes no bets (R-IRR-1)."), values)
    return Words("No more bets.")


def _second_bets_closed(event: Event, values: Values) -> Words:
    if event["by"] == "cards":
        return Words("A card was put right: no more bets after the first four cards (R-BET-8).")
    if event["by"] == "wagers":
        return Words(
            "A wager was put right: nobody may bet after the first four cards now (R-BET-8)."
        )
    return Words("No more bets after the first four cards (R-BET-8).")


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


def _placed(event: Event, values: Values) -> Words:
    if event.get("approved_by"):
        return worded_with(
            N_("Seat {seat} {patron}: {spot} {amount}, on both sides by leave of {approved_by}."),
            values,
        )
    return worded_with(N_("Seat {seat} {patron}: {spot} {amount}."), values)


_NOT_TAKEN = {
    "OnlyBeside": N_(
        "After betting closed: seat {seat} {patron} has {amount} on {spot} without the bet that "
        "it is taken beside."
    ),
    "SpotNotAtSeat": N_(
        "After betting closed: seat {seat} {patron} has {amount} on {spot}, which is not taken at "
        "this seat."
    ),
    "OverPart": N_(
        "After betting closed: seat {seat} {patron} has {amount} on {spot}, over {allowed}, the "
        "most beside its other bet."
    ),
    "SpotNotOnCards": N_(
        "A card was put right: seat {seat} {patron} has {amount} on {spot}, which takes no bets "
        "on these four cards."
    ),
    "SpotNotInCoup": N_(
        "After betting closed: seat {seat} {patron} has {amount} on {spot}, which is not taken in "
        "this coup of the shoe."
    ),
}


_FREE_HAND = N_("Dealt without a bet, one more in a row than the rule set allows.")


def _limit_broken(event: Event, values: Values) -> Words:
    if event["detail"]:
        template = N_("After betting closed: {detail}")
    elif event["refusal"] == "FreeHand":
        template = _FREE_HAND
    elif event["refusal"] in _NOT_TAKEN:
        template = _NOT_TAKEN[event["refusal"]]
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


def _ran_out(event: Event, values: Values) -> Words:
    """The sentence for a bet on several coups of which no coup comes any more."""
    template = {
        "win": N_("Seat {seat} {patron}: {spot} {stake} wins, {paid} with the bet."),
        "lose": N_("Seat {seat} {patron}: {spot} {stake} is lost: no further coup counts for it."),
        "push": N_(
            "Seat {seat} {patron}: {spot} {stake} is returned: no further coup counts for it."
        ),
    }[event["result"]]
    return worded_with(template, values)


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


COUP: Mapping[str, Wording] = {
    "CoupOpened": N_("Coup {coup} is open for bets."),
    "WagerPlaced": _placed,
    "WagerWithdrawn": N_("Seat {seat} {patron} takes {amount} back from {spot}."),
    "LateBetRefused": _late,
    "WagerFound": _entered_late,
    "StakeCorrected": N_(
        "Seat {seat} {patron}: {stake} lay on {spot}, not {stake_before}; it is not paid yet."
    ),
    "WagerReduced": N_("Seat {seat} {patron}: {returned} of {spot} goes back, {amount} stays."),
    "LimitFoundBroken": _limit_broken,
    "BettingClosed": _betting_closed,
    "SecondBetsOpened": N_(
        "Player has {player_total}, Banker {banker_total}: bets are taken on {offered} (R-BET-8)."
    ),
    "SecondBetsClosed": _second_bets_closed,
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
    "WagerCarried": N_(
        "Seat {seat} {patron}: {spot} {amount} of coup {placed_in} goes on, {won} of {counted} won."
    ),
    "WagerUndecided": N_(
        "Seat {seat} {patron}: {spot} {stake} is not decided yet, {won} of {counted} won."
    ),
    "WagerRecounted": N_(
        "Seat {seat} {patron}: the bet on {spot} is counted anew, {won} of {counted} won, because "
        "{because} was put right: {reason}."
    ),
    "WagerRanOut": _ran_out,
    "Settled": N_("Settled: {stakes} wagered, {paid} paid."),
    "WagerReturned": _returned,
    "Voided": N_("The coup is void: {reason}."),
    "LeftUnused": N_("Coup {coup} ended without a bet and without a card."),
    "PaymentCorrected": _corrected,
}
