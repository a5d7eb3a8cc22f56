"""Events in words: one or two sentences each, with amounts in the house's currency.

>>> str(sentence({"type": "CardMisdrawn", "card": "9H", "disposition": "burn"}, "USD"))
'9♥ came when none was due: it is burned.'
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.events.base import event_name
from domain.rules.inquiries import NOTED
from domain.rules.wording import Words
from ops.words.account_events import ACCOUNTS
from ops.words.aml_events import AML
from ops.words.case_events import CASES, what_follows
from ops.words.commission_events import COMMISSION, commission_at_payout, commission_let_go
from ops.words.coup_events import COUP, begins_a_dummy, card_moved_unseen
from ops.words.coupon_events import COUPONS
from ops.words.event_values import MONEY, Event, Wording, run_on, values_of, worded_with
from ops.words.house_events import HOUSE, PATRONS, STAFF
from ops.words.incident_events import INCIDENTS
from ops.words.inquiry_events import INQUIRIES
from ops.words.left_open_events import LEFT_OPEN, bets_together, covered_by_settling
from ops.words.meter_events import METERS
from ops.words.patron_files import FILES
from ops.words.play_events import PLAY
from ops.words.record_events import RECORD
from ops.words.regimes import REGIMES
from ops.words.shoe_events import SHOE
from ops.words.table_events import TABLE
from ops.words.terms import WITHHELD

__all__ = ["MONEY", "WORDINGS", "sentence", "sentences"]

WORDINGS: Mapping[str, Wording] = {
    **TABLE,
    **ACCOUNTS,
    **SHOE,
    **COUP,
    **COUPONS,
    **METERS,
    **COMMISSION,
    **LEFT_OPEN,
    **CASES,
    **INCIDENTS,
    **INQUIRIES,
    **AML,
    **HOUSE,
    **STAFF,
    **PATRONS,
    **FILES,
    **PLAY,
    **RECORD,
    **REGIMES,
}
_BY_CODE = ("CardDiscarded",)  # whose reason is one of a few, and in the sentence
# Events marked `!`, because somebody must look at them.
_MARKED = (
    *("ReportingAmountNear", "ReportingAmountPassed", "Held", "OrderUntold", "Voided"),
    *(
        "AdministratorRecovered",
        "WitnessRefused",
        "VerificationFailed",
        "OtherHouseDistrusted",
        "EventsMissing",
        "WagerFound",
        "StakeCorrected",
        "LimitFoundBroken",
        "AdjudicationDisagreed",
        "PaymentCorrected",
        "CouponCorrected",
        "RefusedAt",
    ),
)


_NOTED = frozenset(map(event_name, NOTED))


def sentences(
    events: Iterable[Event], currency: str, *, marked: bool = True, suspicions: bool = False
) -> Iterator[Words]:
    """The sentences of a command's events, with each reason once; see `event_sentences`.

    They are read by whoever gave the command, so what raises a suspicion is not among them: it is
    an alert for who looks into that, with `suspicions`.
    """
    spoken = (each for each in events if suspicions or each["type"] not in _NOTED)
    every = list(event_sentences(spoken, currency, marked=marked))
    given = {why for event, words in every if (why := reason_of(event)) and _holds(words, why)}
    for event, words in every:
        why = reason_of(event)
        worded = run_on([words, *what_follows(event, currency)])
        yield worded if why in given else _with_reason(worded, why)
        given.add(why)


def reason_of(event: Mapping[str, Any]) -> str:
    """Why somebody did it, in words of their own; '' for none, and in a patron's copy."""
    reason = str(event.get("reason") or "")
    return "" if event["type"] in _BY_CODE or reason == WITHHELD else reason


def _with_reason(words: Words, why: str) -> Words:
    """A sentence with the reason behind it, if it does not have it."""
    if not why or _holds(words, why):
        return words
    return run_on([words, Words("Reason: {written}", written=why)])


def _holds(words: Words, text: str) -> bool:
    """Whether the text is one of what fills the words' template."""
    return any(
        _holds(each, text) if isinstance(each, Words) else str(each) == text
        for each in words.values.values()
    )


def event_sentences(
    events: Iterable[Event], currency: str, *, marked: bool = True
) -> Iterator[tuple[Event, Words]]:
    """A command's events with their sentences, without those that another sentence covers.

    A moved card is not named, because it may be face down. A dummy coup has no sentence for its
    opening. A rule set that goes on record with the first table that uses it has one sentence.
    Cash that goes through a game account has one sentence too, and so has commission that was
    waived or written off and is charged no longer; and the bets left open of one stay.
    """
    every = list(bets_together(events))
    dummies = {event["coup"] for event in every if begins_a_dummy(event)}
    tables = {
        event["rules"]: event["table"] for event in every if event["type"] == "TableDayOpened"
    }
    by_account = any(event["type"] in ("PaidIn", "PaidOut", "HandPaid") for event in every)
    covered = ("BoughtIn", "CashedOut") if by_account else ()
    again = _owed_again(every)
    let_go = [id(each) for some in again.values() for each in some]
    let_go += covered_by_settling(every)
    at_payout = _at_payout(every)
    for event in every:
        if event["type"] == "CardMoved":
            yield event, card_moved_unseen(event)
        elif event["type"] == "RuleSetAdopted" and event["rules"] in tables:
            named = {"rules": event["rules"], "table": tables[event["rules"]]}
            yield event, Words("Rule set {rules} is on record; {table} uses it.", **named)
        elif id(event) in again:
            yield event, commission_let_go(event, again[id(event)], currency)
        elif id(event) in at_payout:
            yield event, commission_at_payout(at_payout[id(event)], currency)
        elif (
            event["type"] in covered
            or id(event) in let_go
            or (event["type"] == "CoupOpened" and event["coup"] in dummies)
        ):
            continue
        elif worded := _sentence(event, currency, marked=marked):
            yield event, worded


def _at_payout(every: list[Event]) -> dict[int, Event]:
    """The bet of each commission that was put right in its payment, by identity."""
    bets = {
        (each.get("coup"), each.get("seat")): each
        for each in every
        if each["type"] in ("WagerReturned", "PaymentCorrected")
        and (each.get("commission_before") or each.get("commission_charged"))
    }
    return {
        id(each): bets[each.get("coup"), each.get("seat")]
        for each in every
        if each["type"] == "CommissionCorrected"
        and each.get("due") == "at-payout"
        and (each.get("coup"), each.get("seat")) in bets
    }


def _owed_again(every: Iterable[Event]) -> dict[int, list[Event]]:
    """The events by which commission is owed again, for each that takes it off, by identity."""
    again: dict[int, list[Event]] = {}
    waiting: list[Event] = []
    for event in every:
        if event["type"] == "CommissionOwedAgain" and event.get("coup"):
            waiting.append(event)
        elif event["type"] == "CommissionCorrected" and waiting:
            again[id(event)], waiting = waiting, []
    return again


def sentence(event: Event, currency: str, *, marked: bool = True) -> Words | None:
    """The words for one event, with its reason; None if another event's sentence covers it.

    `marked`: with `!` before events that somebody must look at.
    """
    words = _sentence(event, currency, marked=marked)
    return words and _with_reason(words, reason_of(event))


def _sentence(event: Event, currency: str, *, marked: bool) -> Words | None:
    if event["type"] not in WORDINGS:
        return Words(
            "A newer Sabot recorded {type}, which this one does not know.", type=event["type"]
        )
    wording = WORDINGS[event["type"]]
    if wording is None:
        return None
    values = {"currency": currency, **values_of(event, currency)}
    words = worded_with(wording, values) if isinstance(wording, str) else wording(event, values)
    if words and marked and event["type"] in _MARKED:
        return Words("! {sentence}", sentence=words)
    return words
