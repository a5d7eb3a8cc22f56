"""Events in the floor's words: a sentence for each, amounts in the house's currency."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from domain.rules.cards import symbol
from domain.rules.money import major
from ops.words.show import (
    chips,
    disagreement_words,
    missing_words,
    outcome_words,
    span,
    spot_called,
)

MONEY = {
    *("amount", "stake", "stakes", "paid", "winnings", "charged", "stated", "owed"),
    *("opener_total", "closer_total", "commission_charged", "allowed", "total", "variance"),
    *("returned", "paid_before", "paid_up", "commission_before", "before"),
}
_AMOUNTS_SET = ("reporting_amount", "variance_report", "variance_regulator", "dispute_notice_from")
_AMOUNTS_ANEW = (
    " Tables open once its amounts are set in it: reporting_amount, variance_report, "
    "variance_regulator, and dispute_notice_from unless it is 0."
)


# An event in the floor's words; None: another event of the same act says it.
_WORDS: dict[str, str | None] = {
    "TablePlaced": None,
    "DayOpened": None,
    "DayClosed": None,
    "PropertyFounded": "The house {name} is founded: {currency}, {zone}, day starts {day_start}.",
    "RuleSetAdopted": "Rule set {rules} is on record.",
    "Approved": "{rules} is approved: tables may open by it.",
    "RulesApproved": None,
    "TableDayOpened": "{table} is open for {day} under {rules}, opener {opener_total}.",
    "TableClosed": "The table is closed, closer {closer_total}, variance {variance}.",
    "PatronSeated": "{patron} sits at seat {seat}.",
    "PatronLeft": "{patron} leaves seat {seat}.",
    "ChairGivenUp": "{patron} gives up seat {seat}.",
    "CashDayBegun": None,
    "CashCounted": None,
    "ReportingAmountNear": "! {patron} is near the reporting amount: cash {direction} {total}.",
    "ReportingAmountPassed": "! {patron} is over the reporting amount: cash {direction} {total}.",
    "LimitsChanged": "From the next coup on: {limits_said}.",
    "DealerRelieved": "{staff} deals in place of {before}.",
    "SupervisorRelieved": "{staff} supervises in place of {before}.",
    "PatronMoved": "{patron} moves from seat {seat} to seat {to}.",
    "BoughtIn": "{patron} buys chips for {amount}.",
    "CashedOut": "{patron} is paid {amount} in cash.",
    "Filled": "Chips of {total} are in the tray, slip {slip}.",
    "Credited": "Chips of {total} are gone to the cage, slip {slip}.",
    "Held": "! No further coup: {case} holds the table.",
    "Released": "{case} holds the table no more.",
    "SlipBookOpened": None,
    "OrderUntold": "! The order of the shoe is lost, and stays untold.",
    "SlipRequested": "Slip {slip}: a {kind} of {total} is asked for.",
    "SlipIssued": "Slip {slip} is issued by {cashier}.",
    "SlipCarried": "Slip {slip} is carried by {runner}.",
    "SlipReceived": "Slip {slip} is received by {dealer} and {supervisor}.",
    "SlipVoided": "Slip {slip} is void: {reason}.",
    "SlipReuseRefused": "Slip {slip} came a second time.",
    "PatronKnown": None,
    "Identified": "{patron} is {patron_is}.",
    "Barred": "{patron} may not play: {kind}.",
    "Unbarred": "{patron} may play again.",
    "AdministratorsChanged": None,
    "HouseClosed": "From now on only those who signed on are heard.",
    "StaffMemberEnrolled": "{staff} is enrolled as {role}.",
    "RoleChanged": "{staff} is {role} now.",
    "CodeIssued": None,
    "PinChosen": "{staff} has chosen a PIN.",
    "PinProved": "{staff} has proved who they are.",
    "SignedOn": "{staff} is signed on.",
    "SignOnRefused": "The sign-on of {staff} was refused: {why}.",
    "RecoverySecretIssued": "A recovery secret is issued; one before it is good no more.",
    "AdministratorRecovered": "! Administrator {staff} was let in again ({how}): two people look.",
    "RecoveryRefused": "{staff} was not let in again: {why}.",
    "Locked": "{staff} is locked after {wrong} wrong PINs: an administrator enrols it again.",
    "ActRefused": "{staff} was refused {command}: {why}.",
    "LanguageChosen": "{staff} reads {language}.",
    "Retired": "{staff} is retired.",
    "CommissionAccountOpened": None,
    "ShoeBrought": None,
    "ShoeTakenOff": None,
    "ShoeLoaded": "Shoe {shoe} is loaded: {decks} decks.",
    "Inspected": "The shoe is inspected.",
    "Cut": "The shoe is cut by {cut_by}, {cut_card} cards behind the cut card.",
    "Burned": "Burned {card} and {face_down} more face down.",
    "Passed": "The shoe goes to {holder}.",
    "CarriedCardDealt": None,
    "CardDiscarded": "{card} is discarded: {reason}.",
    "OrderRevealed": "The order of the shoe is told; the secret is {secret}.",
    "DeckLoaded": None,
    "ReuseRefused": "The {kind} {serial} came again: it was in shoe {loaded_in}.",
    "FoundIrregular": "The coup can only be voided: {why}.",
    "CutCardShown": "The cut card shows, {cards_left} cards left: coup {last_coup} is the last.",
    "CutCardPassed": "The shoe is past its cut card: {cards_left} cards left.",
    "Ended": "The shoe has ended; coups: {coups}.",
    "CoupBegun": None,
    "CoupOpened": "Coup {coup} is open for bets.",
    "WagerPlaced": "Seat {seat} {patron}: {spot} {amount}.",
    "WagerWithdrawn": "Seat {seat} {patron} takes {amount} back from {spot}.",
    "CardDrawn": None,
    "PaymentDisagreed": "Seat {seat} was stated {stated} and is owed {owed}.",
    "Settled": "Settled: {stakes} staked, {paid} paid.",
    "WagerFound": "! Found: seat {seat} {patron} has {amount} on {spot}.",
    "WagerReduced": "Seat {seat} {patron}: {returned} of {spot} goes back, {amount} stays.",
    "HandsGiven": "The Player hand goes to {player}, the Banker hand to {banker}.",
    "CardMoved": "Card {n}, {card}, is moved to {hand}.",
    "Voided": "! The coup is void: {reason}.",
    "DocketOpened": None,
    "CaseEntered": None,
    "DisputeOpened": "{case} is opened: {patron} about {coup}: {complaint}.",
    "Decided": "{case} is decided, {decision}: {effect}.",
    "HoldPlaced": None,
    "HoldReleased": None,
    "PackMade": "The pack of {case} as of #{position}: JSON {json_sha256}, PDF {pdf_sha256}.",
    "Closed": "{case} is closed.",
    "CommissionCorrected": "{patron}'s commission changes by {charged}.",
    "CommissionOwedAgain": "Commission of {amount} of {patron} that was {was} is owed again.",
    "CommissionWaived": "Commission of {amount} of {patron} is waived: {reason}.",
    "CommissionWalked": "{patron} walked with {amount} commission: {reason}.",
    "ReceiptPrinted": "Receipt {receipt} is printed, copy {copy}.",
    "Unreadable": "An event cannot be read any more: {topic}.",
}


def sentences(events: Iterable[dict[str, Any]], currency: str) -> Iterator[str]:
    """What an answer tells; not which card was moved: whether it was turned, other answers told.

    Of a dummy coup nobody says that it is open for bets. A rule set that goes on record with
    the first table that opens by it names that table.
    """
    told = list(events)
    dummies = {event["coup"] for event in told if _begins_a_dummy(event)}
    opened = {event["rules"]: event["table"] for event in told if event["type"] == "TableDayOpened"}
    for event in told:
        if event["type"] == "CardMoved":
            yield f"Card {event['n']} is moved to {event['hand']}."
        elif event["type"] == "RuleSetAdopted" and event["rules"] in opened:
            yield f"Rule set {event['rules']} is on record; {opened[event['rules']]} uses it."
        elif event["type"] == "CoupOpened" and event["coup"] in dummies:
            continue
        elif words := sentence(event, currency):
            yield " ".join([words, *_further(event, currency)])


def _begins_a_dummy(event: Mapping[str, Any]) -> bool:
    return bool(event["type"] == "BettingClosed" and event["by"] == "dummy")


def sentence(event: dict[str, Any], currency: str) -> str | None:
    """One event of an answer as the floor would say it; None: another one says it."""
    said = {name: _value(name, value, currency) for name, value in event.items()}
    if event["type"] == "SettingChanged":
        said |= _setting_said(event, currency)
    if event["type"] == "LimitsChanged":
        said["limits_said"] = _limits_said(event, currency)
    chosen = _BY_CASE.get(event["type"])
    words = chosen(event) if chosen else _WORDS[event["type"]]
    return words.format(**said) if words else None


def _limits_said(event: Mapping[str, Any], currency: str) -> str:
    """All of them, as they are from then on, and how far apart Player and Banker may be."""
    spots = {"main": "Player and Banker"}
    limits = [
        f"{spots.get(spot) or spot_called(spot)} {span(limit, currency)}"
        for spot, limit in event["limits"].items()
    ]
    if event["differential"] is not None:
        limits.append(f"at most {chips(event['differential'], currency)} apart")
    return ", ".join(limits)


def _signed_off_words(event: dict[str, Any]) -> str:
    """Their own work ends; or somebody's who did not ask for it."""
    then = {
        "replaced": "was signed off here",
        "signed-on-again": "was signed off where they signed on before",
        "ended": "was signed off: the session had lasted its hours",
        "locked": "was signed off",
    }
    return f"{{staff}} {then.get(event['why'], 'is signed off')}."


def _settled_words(event: dict[str, Any]) -> str:
    verdict = {"win": "wins", "lose": "loses", "push": "is returned"}[event["result"]]
    up = ", {paid_up} of it for want of smaller chips" if event.get("paid_up") else ""
    return f"Seat {{seat}} {{patron}}: {{spot}} {{stake}} {verdict}, paid {{paid}}{up}."


def _late_words(event: dict[str, Any]) -> str:
    late = {"bet": "bet", "withdraw": "withdrawal"}[event["act"]]
    amount = " {amount}" if event["amount"] else ""  # the first version told none
    return f"Late {late} refused: seat {{seat}} {{patron}}, {{spot}}{amount}."


def _limit_words(event: dict[str, Any]) -> str:
    found = "Found after betting closed:"
    if event["detail"]:
        return f"{found} {{detail}}"
    if event["seat"] is None:
        return f"{found} Player and Banker {{amount}} apart, may be {{allowed}}."
    under = event["refusal"] == "UnderMinimum"
    limit = "under the minimum" if under else "over the maximum"
    alone = " alone" if under and event["spot"] == "tie" else ""
    return f"{found} seat {{seat}} {{patron}} has {{amount}} on {{spot}}{alone}, {limit} of {{allowed}}."  # noqa: E501


def _who(by: str) -> str:
    """`The dealer`, `Seat 5`: at the beginning of a sentence."""
    return "The dealer" if by == "dealer" else by.capitalize()


def _hands_over(event: dict[str, Any]) -> str:
    """What changes hands to put a payment right."""
    if event["changes_hands"] == 0:
        return ""
    return (
        ", and gets {changes_hands}"
        if event["changes_hands"] > 0
        else ", and gives {changes_hands} back"
    )


def _clock(moment: str) -> str:
    """A moment of an event to the minute, and by which clock: 2026-11-21 20:44 +01:00."""
    at = datetime.fromisoformat(moment)
    return f"{at:%Y-%m-%d %H:%M} {at.isoformat()[-6:]}"


def _seen_words(seen: dict[str, Any]) -> str:
    """Which camera, and when, by the record's clock."""
    return _as_it_is(f"; {seen['camera']} at {seen['by_record']}")


def _regulator_words(event: dict[str, Any]) -> str:
    """What a house owes its regulator in a dispute."""
    from domain.rules.regulators import REGIMES

    terms = REGIMES[event["value"]]
    hears = "it hears of no dispute"
    if terms.dispute_notice_from:
        which = "{begins} and more" if terms.dispute_notice_from > 1 else "whatever amount"
        hears = f"it hears of disputes of {which} within {terms.dispute_notice_minutes} minutes"
    days = terms.dispute_patron_days
    turn = f", and patrons may turn to it for {days} days" if days else ""
    return (
        f"The regulator is {{value}} from now on; it was {{before}}: {hears}{turn}. "
        "Cases that are open keep their terms."
    )


def _setting_said(event: dict[str, Any], currency: str) -> dict[str, str]:
    """Amounts as people write them."""
    from domain.rules.regulators import REGIMES

    if event["name"] in _AMOUNTS_SET:
        return {name: major(int(event[name]), currency) for name in ("value", "before")}
    if event["name"] == "regulator":
        return {"begins": major(REGIMES[event["value"]].dispute_notice_from, currency)}
    return {}


def _further(event: dict[str, Any], currency: str) -> Iterator[str]:
    """What only whoever opens or decides a case is answered: what follows from it."""
    if event["type"] == "DisputeOpened":
        yield from _opened_further(event, currency)
    if event["type"] == "Decided":
        if event["notify_by"]:
            yield f"The regulator must have heard of it by {_clock(event['notify_by'])}."
        yield f"The patron must hear it by {_clock(event['tell_by'])}."


def _opened_further(event: dict[str, Any], currency: str) -> Iterator[str]:
    """What it is worth, how the record stands, who must hear, and what was said before."""
    if event["amount"] is None:
        yield "Nobody knows what is in dispute."
    else:
        larger = "" if event["amount_said"] else ", the most that the wagers may be paid"
        yield f"{major(event['amount'], currency)} is in dispute{larger}."
    if event["agrees"]:
        yield f"Frozen at #{event['frozen_at']}: the record agrees with the rules."
    else:
        yield f"! Frozen at #{event['frozen_at']}: {'; '.join(event['disagreements'])}."
    if event["notify_by"]:
        yield f"The regulator must hear of it by {_clock(event['notify_by'])}."
    if others := event["others"]:
        told = ", ".join(f"{each['case']} ({each['status']})" for each in others)
        yield f"The coup was disputed before: {told}."


def _as_it_is(text: str) -> str:
    """Words that no value is put into."""
    return text.replace("{", "{{").replace("}", "}}")


# Events whose words depend on what they tell.
_BY_CASE: Mapping[str, Callable[[dict[str, Any]], str]] = {
    "SignedOff": _signed_off_words,
    "Resulted": lambda event: (
        outcome_words(event["outcome"], event["player_total"], event["banker_total"]) + "."
    ),
    "CardDealt": lambda event: (
        ("A card face down" if event["face_down"] else "{card}")
        + " to {hand} ({rule})"
        + (", carried." if event.get("carried") else ".")
    ),
    "Reconciled": lambda event: (
        f"The shoe is counted: {{remaining}} cards remain, {missing_words(-event['difference'])}."
    ),
    "Shuffled": lambda event: (
        "The shoe is shuffled: {method}"
        + (", bound by {commitment}." if event.get("commitment") else ".")
    ),
    "BettingClosed": lambda event: (
        "Coup {coup} is a dummy: it takes no bets (R-IRR-1)."
        if _begins_a_dummy(event)
        else "No more bets."
    ),
    "CardMisdrawn": lambda event: (
        "{card} came when none was due: "
        + {
            "carry": "it is carried to the next coup.",
            "burn": "it is burned.",
            "dummy": "a dummy coup follows.",
        }[event["disposition"]]
    ),
    "DropCounted": lambda event: (
        "The drop is {amount}"
        + ("." if event["before"] is None else ", in place of {before} that was counted before.")
    ),
    "CoupNotDealt": lambda event: (
        "Coup {coup} was no coup: coup {last_coup} is the last." if event["last_coup"] else ""
    ),
    "HandGivenBack": lambda event: (
        f"{_who(event['by'])} gives the {event['hand'].title()} hand back."
    ),
    "HandTurned": lambda event: (
        f"{_who(event['by'])} turns {event['hand'].title()} "
        f"{' '.join(map(symbol, event['cards']))}: {{shows}}."
    ),
    "WagerSettled": _settled_words,
    "LateBetRefused": _late_words,
    "UndueCardRefused": lambda event: (
        "{card} was refused: "
        + (
            "the coup has all its cards."
            if event["why"] == "coup-complete"
            else "no coup was open."
        )
    ),
    # In a row of its own it says what it was about.
    "AlertAcknowledged": lambda event: (
        "No coup for {minutes} minutes, then acknowledged."
        if "minutes" in event
        else "{alert} is acknowledged."
    ),
    "LimitFoundBroken": _limit_words,
    "AdjudicationDisagreed": lambda event: (
        "! The record does not agree: "
        + _as_it_is(disagreement_words(event["disagreements"]))
        + "."
    ),
    "CommissionAccrued": lambda event: (
        "Commission of {charged} is taken of what {patron} is paid."
        if event["due"] == "at-payout"
        else "{patron} owes {charged} more commission."
    ),
    "CommissionTimingChosen": lambda event: (
        "{patron} pays commission as it wins from now on: it is taken of each payout."
        if event["timing"] == "as-it-wins"
        else "{patron} owes commission until it is collected from now on."
    ),
    # What was taken of a payment was told as it accrued, or with the correction. Kept answers of
    # the first version tell no receipt.
    "CommissionCollected": lambda event: (
        ""
        if event["how"] == "at-payout"
        else "{patron} paid {amount} commission"
        + (", receipt {receipt}." if event.get("receipt") else ".")
    ),
    "CommissionRefunded": lambda event: (
        "{patron} gets {amount} commission back"
        + (", receipt {receipt}." if event["receipt"] else ".")
    ),
    "EarlierCoupPutRight": lambda event: (
        "{changes_hands} goes to the patrons for {coup}, from the {place}."
        if event["changes_hands"] > 0
        else "{changes_hands} comes from the patrons for {coup}, into the {place}."
    ),
    "SettingChanged": lambda event: (
        _regulator_words(event)
        if event["name"] == "regulator"
        else "{name} is {value} from now on; it was {before}."
        + (_AMOUNTS_ANEW if event["name"] == "currency" else "")
    ),
    "Noted": lambda event: (
        "Noted in {case}: {text}"
        + "".join(map(_seen_words, event["evidence"]))
        + "."
        + (f" Asked: {_as_it_is(', '.join(event['what_if']))}." if event["what_if"] else "")
    ),
    "PatronTold": lambda event: (
        "{case}: the patron is told"
        + (
            f", and may turn to the regulator until {_clock(event['until'])}."
            if event["until"]
            else "."
        )
    ),
    "RegulatorNotified": lambda event: (
        "{case}: the regulator is notified" + (", {reference}." if event["reference"] else ".")
    ),
    "WagerReturned": lambda event: (
        "Seat {seat} {patron}: {stake} on {spot} is returned" + _hands_over(event) + "."
    ),
    "PaymentCorrected": lambda event: (
        "! Seat {seat} {patron}: {spot} {stake}"
        + (", as {as_spot}," if event.get("as_spot") else "")
        + " is paid {paid} in all, not {paid_before}"
        + _hands_over(event)
        + "."
    ),
}


def _value(name: str, value: Any, currency: str) -> Any:
    if name == "changes_hands":
        return major(abs(value), currency)
    if name == "card" and value:
        return symbol(value)
    return major(value, currency) if name in MONEY and isinstance(value, int) else value
