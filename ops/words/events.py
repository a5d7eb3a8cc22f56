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


# A fact in the floor's words; None: another fact of the same act says it.
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
    "Unreadable": "A fact cannot be read any more: {topic}.",
}


def sentences(facts: Iterable[dict[str, Any]], currency: str) -> Iterator[str]:
    """What an answer tells; not which card was moved: whether it was turned, other answers told.

    Of a dummy coup nobody says that it is open for bets. A rule set that goes on record with
    the first table that opens by it names that table.
    """
    told = list(facts)
    dummies = {fact["coup"] for fact in told if _begins_a_dummy(fact)}
    opened = {fact["rules"]: fact["table"] for fact in told if fact["type"] == "TableDayOpened"}
    for fact in told:
        if fact["type"] == "CardMoved":
            yield f"Card {fact['n']} is moved to {fact['hand']}."
        elif fact["type"] == "RuleSetAdopted" and fact["rules"] in opened:
            yield f"Rule set {fact['rules']} is on record; {opened[fact['rules']]} uses it."
        elif fact["type"] == "CoupOpened" and fact["coup"] in dummies:
            continue
        elif words := sentence(fact, currency):
            yield " ".join([words, *_further(fact, currency)])


def _begins_a_dummy(fact: Mapping[str, Any]) -> bool:
    return bool(fact["type"] == "BettingClosed" and fact["by"] == "dummy")


def sentence(fact: dict[str, Any], currency: str) -> str | None:
    """One fact of an answer as the floor would say it; None: another one says it."""
    said = {name: _value(name, value, currency) for name, value in fact.items()}
    if fact["type"] == "SettingChanged":
        said |= _setting_said(fact, currency)
    if fact["type"] == "LimitsChanged":
        said["limits_said"] = _limits_said(fact, currency)
    chosen = _BY_CASE.get(fact["type"])
    words = chosen(fact) if chosen else _WORDS[fact["type"]]
    return words.format(**said) if words else None


def _limits_said(fact: Mapping[str, Any], currency: str) -> str:
    """All of them, as they are from then on, and how far apart Player and Banker may be."""
    spots = {"main": "Player and Banker"}
    limits = [
        f"{spots.get(spot) or spot_called(spot)} {span(limit, currency)}"
        for spot, limit in fact["limits"].items()
    ]
    if fact["differential"] is not None:
        limits.append(f"at most {chips(fact['differential'], currency)} apart")
    return ", ".join(limits)


def _signed_off_words(fact: dict[str, Any]) -> str:
    """Their own work ends; or somebody's who did not ask for it."""
    then = {
        "replaced": "was signed off here",
        "signed-on-again": "was signed off where they signed on before",
        "ended": "was signed off: the session had lasted its hours",
        "locked": "was signed off",
    }
    return f"{{staff}} {then.get(fact['why'], 'is signed off')}."


def _settled_words(fact: dict[str, Any]) -> str:
    verdict = {"win": "wins", "lose": "loses", "push": "is returned"}[fact["result"]]
    up = ", {paid_up} of it for want of smaller chips" if fact.get("paid_up") else ""
    return f"Seat {{seat}} {{patron}}: {{spot}} {{stake}} {verdict}, paid {{paid}}{up}."


def _late_words(fact: dict[str, Any]) -> str:
    late = {"bet": "bet", "withdraw": "withdrawal"}[fact["act"]]
    amount = " {amount}" if fact["amount"] else ""  # the first version told none
    return f"Late {late} refused: seat {{seat}} {{patron}}, {{spot}}{amount}."


def _limit_words(fact: dict[str, Any]) -> str:
    found = "Found after betting closed:"
    if fact["detail"]:
        return f"{found} {{detail}}"
    if fact["seat"] is None:
        return f"{found} Player and Banker {{amount}} apart, may be {{allowed}}."
    under = fact["refusal"] == "UnderMinimum"
    limit = "under the minimum" if under else "over the maximum"
    alone = " alone" if under and fact["spot"] == "tie" else ""
    return f"{found} seat {{seat}} {{patron}} has {{amount}} on {{spot}}{alone}, {limit} of {{allowed}}."  # noqa: E501


def _who(by: str) -> str:
    """`The dealer`, `Seat 5`: at the beginning of a sentence."""
    return "The dealer" if by == "dealer" else by.capitalize()


def _hands_over(fact: dict[str, Any]) -> str:
    """What changes hands to put a payment right."""
    if fact["changes_hands"] == 0:
        return ""
    return (
        ", and gets {changes_hands}"
        if fact["changes_hands"] > 0
        else ", and gives {changes_hands} back"
    )


def _clock(moment: str) -> str:
    """A moment of a fact to the minute, and by which clock: 2026-11-21 20:44 +01:00."""
    at = datetime.fromisoformat(moment)
    return f"{at:%Y-%m-%d %H:%M} {at.isoformat()[-6:]}"


def _seen_words(seen: dict[str, Any]) -> str:
    """Which camera, and when, by the record's clock."""
    return _as_it_is(f"; {seen['camera']} at {seen['by_record']}")


def _regulator_words(fact: dict[str, Any]) -> str:
    """What a house owes its regulator in a dispute."""
    from domain.rules.regulators import REGIMES

    terms = REGIMES[fact["value"]]
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


def _setting_said(fact: dict[str, Any], currency: str) -> dict[str, str]:
    """Amounts as people write them."""
    from domain.rules.regulators import REGIMES

    if fact["name"] in _AMOUNTS_SET:
        return {name: major(int(fact[name]), currency) for name in ("value", "before")}
    if fact["name"] == "regulator":
        return {"begins": major(REGIMES[fact["value"]].dispute_notice_from, currency)}
    return {}


def _further(fact: dict[str, Any], currency: str) -> Iterator[str]:
    """What only whoever opens or decides a case is answered: what follows from it."""
    if fact["type"] == "DisputeOpened":
        yield from _opened_further(fact, currency)
    if fact["type"] == "Decided":
        if fact["notify_by"]:
            yield f"The regulator must have heard of it by {_clock(fact['notify_by'])}."
        yield f"The patron must hear it by {_clock(fact['tell_by'])}."


def _opened_further(fact: dict[str, Any], currency: str) -> Iterator[str]:
    """What it is worth, how the record stands, who must hear, and what was said before."""
    if fact["amount"] is None:
        yield "Nobody knows what is in dispute."
    else:
        larger = "" if fact["amount_said"] else ", the most that the wagers may be paid"
        yield f"{major(fact['amount'], currency)} is in dispute{larger}."
    if fact["agrees"]:
        yield f"Frozen at #{fact['frozen_at']}: the record agrees with the rules."
    else:
        yield f"! Frozen at #{fact['frozen_at']}: {'; '.join(fact['disagreements'])}."
    if fact["notify_by"]:
        yield f"The regulator must hear of it by {_clock(fact['notify_by'])}."
    if others := fact["others"]:
        told = ", ".join(f"{each['case']} ({each['status']})" for each in others)
        yield f"The coup was disputed before: {told}."


def _as_it_is(text: str) -> str:
    """Words that no value is put into."""
    return text.replace("{", "{{").replace("}", "}}")


# Facts whose words depend on what they tell.
_BY_CASE: Mapping[str, Callable[[dict[str, Any]], str]] = {
    "SignedOff": _signed_off_words,
    "Resulted": lambda fact: (
        outcome_words(fact["outcome"], fact["player_total"], fact["banker_total"]) + "."
    ),
    "CardDealt": lambda fact: (
        ("A card face down" if fact["face_down"] else "{card}")
        + " to {hand} ({rule})"
        + (", carried." if fact.get("carried") else ".")
    ),
    "Reconciled": lambda fact: (
        f"The shoe is counted: {{remaining}} cards remain, {missing_words(-fact['difference'])}."
    ),
    "Shuffled": lambda fact: (
        "The shoe is shuffled: {method}"
        + (", bound by {commitment}." if fact.get("commitment") else ".")
    ),
    "BettingClosed": lambda fact: (
        "Coup {coup} is a dummy: it takes no bets (R-IRR-1)."
        if _begins_a_dummy(fact)
        else "No more bets."
    ),
    "CardMisdrawn": lambda fact: (
        "{card} came when none was due: "
        + {
            "carry": "it is carried to the next coup.",
            "burn": "it is burned.",
            "dummy": "a dummy coup follows.",
        }[fact["disposition"]]
    ),
    "DropCounted": lambda fact: (
        "The drop is {amount}"
        + ("." if fact["before"] is None else ", in place of {before} that was counted before.")
    ),
    "CoupNotDealt": lambda fact: (
        "Coup {coup} was no coup: coup {last_coup} is the last." if fact["last_coup"] else ""
    ),
    "HandGivenBack": lambda fact: f"{_who(fact['by'])} gives the {fact['hand'].title()} hand back.",
    "HandTurned": lambda fact: (
        f"{_who(fact['by'])} turns {fact['hand'].title()} "
        f"{' '.join(map(symbol, fact['cards']))}: {{shows}}."
    ),
    "WagerSettled": _settled_words,
    "LateBetRefused": _late_words,
    "UndueCardRefused": lambda fact: (
        "{card} was refused: "
        + ("the coup has all its cards." if fact["why"] == "coup-complete" else "no coup was open.")
    ),
    # In a row of its own it says what it was about.
    "AlertAcknowledged": lambda fact: (
        "No coup for {minutes} minutes, then acknowledged."
        if "minutes" in fact
        else "{alert} is acknowledged."
    ),
    "LimitFoundBroken": _limit_words,
    "AdjudicationDisagreed": lambda fact: (
        "! The record does not agree: " + _as_it_is(disagreement_words(fact["disagreements"])) + "."
    ),
    "CommissionAccrued": lambda fact: (
        "Commission of {charged} is taken of what {patron} is paid."
        if fact["due"] == "at-payout"
        else "{patron} owes {charged} more commission."
    ),
    "CommissionTimingChosen": lambda fact: (
        "{patron} pays commission as it wins from now on: it is taken of each payout."
        if fact["timing"] == "as-it-wins"
        else "{patron} owes commission until it is collected from now on."
    ),
    # What was taken of a payment was told as it accrued, or with the correction. Kept answers of
    # the first version tell no receipt.
    "CommissionCollected": lambda fact: (
        ""
        if fact["how"] == "at-payout"
        else "{patron} paid {amount} commission"
        + (", receipt {receipt}." if fact.get("receipt") else ".")
    ),
    "CommissionRefunded": lambda fact: (
        "{patron} gets {amount} commission back"
        + (", receipt {receipt}." if fact["receipt"] else ".")
    ),
    "EarlierCoupPutRight": lambda fact: (
        "{changes_hands} goes to the patrons for {coup}, from the {place}."
        if fact["changes_hands"] > 0
        else "{changes_hands} comes from the patrons for {coup}, into the {place}."
    ),
    "SettingChanged": lambda fact: (
        _regulator_words(fact)
        if fact["name"] == "regulator"
        else "{name} is {value} from now on; it was {before}."
        + (_AMOUNTS_ANEW if fact["name"] == "currency" else "")
    ),
    "Noted": lambda fact: (
        "Noted in {case}: {text}"
        + "".join(map(_seen_words, fact["evidence"]))
        + "."
        + (f" Asked: {_as_it_is(', '.join(fact['what_if']))}." if fact["what_if"] else "")
    ),
    "PatronTold": lambda fact: (
        "{case}: the patron is told"
        + (
            f", and may turn to the regulator until {_clock(fact['until'])}."
            if fact["until"]
            else "."
        )
    ),
    "RegulatorNotified": lambda fact: (
        "{case}: the regulator is notified" + (", {reference}." if fact["reference"] else ".")
    ),
    "WagerReturned": lambda fact: (
        "Seat {seat} {patron}: {stake} on {spot} is returned" + _hands_over(fact) + "."
    ),
    "PaymentCorrected": lambda fact: (
        "! Seat {seat} {patron}: {spot} {stake}"
        + (", as {as_spot}," if fact.get("as_spot") else "")
        + " is paid {paid} in all, not {paid_before}"
        + _hands_over(fact)
        + "."
    ),
}


def _value(name: str, value: Any, currency: str) -> Any:
    if name == "changes_hands":
        return major(abs(value), currency)
    if name == "card" and value:
        return symbol(value)
    return major(value, currency) if name in MONEY and isinstance(value, int) else value
