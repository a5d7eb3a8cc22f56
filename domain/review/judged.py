"""A coup's own record beside today's rules: every line in which they differ.

A wrong record is shown as it was recorded, beside what today's code says. Each line is compared
with what held before it, as the replay read it.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from domain.events import coup_wagers
from domain.events.base import Unreadable
from domain.review.over_coups import bets_over_coups_differ
from domain.review.replay import Disagreement, Line, Replay
from domain.review.stood import Runs, Stood, lots_of, result_of
from domain.rules.hands import Result, next_due
from domain.rules.house_rules import RULE_SETS
from domain.rules.money import decimal_string
from domain.rules.pro_rata import Lots
from domain.rules.progressives import NOT_BROUGHT, Brought, staked
from domain.rules.spot_terms import against, may_be_free
from domain.rules.spots import OPPOSITE


def judge(replay: Replay) -> list[Disagreement]:
    """Every line in which the record differs from today's code."""
    return [
        *_unread(replay),
        *_rules_differ(replay),
        *_not_taken(replay),
        *(Disagreement(*each) for each in replay.by_line),
        *_cards_differ(replay),
        *_left_out(replay),
        *_payments_differ(replay),
        *bets_over_coups_differ(replay),
        *_afterwards_differ(replay),
        *_meters_differ(replay),
    ]


def _unread(replay: Replay) -> Iterator[Disagreement]:
    for line in replay.exceptions:
        if isinstance(line.event, Unreadable):
            yield Disagreement(f"position {line.position}", line.event.topic, line.event.why)
    for line in replay.senseless:
        name = type(line.event).__name__
        yield Disagreement(f"position {line.position}", name, "follows from what was before")


def _rules_differ(replay: Replay) -> Iterator[Disagreement]:
    opened = replay.opened.event
    today = RULE_SETS.get(opened.rules, replay.rules)
    if opened.rules_digest != today.digest:
        yield Disagreement(f"digest of {today.name}", opened.rules_digest, today.digest)


def _not_taken(replay: Replay) -> Iterator[Disagreement]:
    """Bets that lay against the rule set's terms when the betting closed, unremarked (R-BET-6)."""
    rules, bets = replay.rules, replay.closed_in_play
    known = {
        (line.event.seat, line.event.spot)
        for line in replay.exceptions
        if isinstance(line.event, coup_wagers.LimitFoundBroken)
    } | {
        (line.event.seat, line.event.spot) for line in replay.carried
    }  # these were taken before (R-BET-9)
    for seat, spot in sorted(bets.keys() - known) if rules.terms else ():
        theirs = {on: line.event.amount for (where, on), line in bets.items() if where == seat}
        stake = theirs[spot]
        for refusal in against(rules, seat, spot, theirs, replay.state.layout.nth, stake):
            yield Disagreement(f"seat {seat} {spot}", "taken", f"refused as {refusal.error}")
    free = not bets and not replay.closed_with_coupons
    nth, dealt_free = replay.state.layout.nth, free and replay.closed is not None
    if dealt_free and not replay.state.dummy and not may_be_free(rules, nth) and not known:
        yield Disagreement("the coup", "without a bet", "refused as FreeHand")
    for seat in sorted({seat for seat, spot in bets if spot == "player"}):
        both = [bets[seat, side].event for side in OPPOSITE if (seat, side) in bets]
        leave = rules.both_sides == "with-leave" and any(each.approved_by for each in both)
        if len(both) > 1 and rules.both_sides != "free" and not leave:
            yield Disagreement(f"seat {seat}", "on both sides", "refused as BothSides")


def _cards_differ(replay: Replay) -> Iterator[Disagreement]:
    due = next_due(())
    for shown in replay.cards:
        event = shown.line.event
        expected = f"{due.hand} ({due.rule})" if due else "no card"
        if due is None or (event.hand, event.rule) != (due.hand, due.rule):
            what = f"card {event.n}, {event.card}"
            yield Disagreement(what, f"{event.hand} ({event.rule})", expected)
        due = shown.due
    for line, cards in replay.results:
        yield from _result_differs(line, result_of(cards))
    stated = replay.resulted
    if stated and stated is not replay.results[-1][0]:
        yield from _result_differs(stated, replay.result)


def _result_differs(stated: Line, result: Result | None) -> Iterator[Disagreement]:
    """The fields in which a recorded result is another than that of the cards known then."""
    on_record = stated.event
    pairs: Sequence[tuple[str, object, object]] = (
        ("outcome", on_record.outcome, result and result.outcome),
        ("natural", on_record.natural, result and result.natural),
        ("Player's total", on_record.player_total, result and result.player_total),
        ("Banker's total", on_record.banker_total, result and result.banker_total),
    )
    for what, recorded, adjudicated in pairs:
        if recorded != adjudicated:
            yield Disagreement(what, recorded, adjudicated)


def _left_out(replay: Replay) -> Iterator[Disagreement]:
    """Events that are missing from the record of a coup that came so far."""
    if replay.dealt and replay.closed is None:
        yield Disagreement("betting", "not closed", "closed before the first card")
    if replay.settled and replay.face_down:
        numbers = ", ".join(map(str, sorted(replay.face_down)))
        yield Disagreement(f"cards {numbers}", "face down", "turned before the payment")
    if replay.result and replay.resulted is None and not replay.face_down:
        yield Disagreement("outcome", None, replay.result.outcome)
    result = _when_settled(replay)
    if replay.settled and result:
        total = replay.settled.event
        placed = [line.event for line in replay.settled_in_play.values()]
        lots = _settled_lots(replay)
        stakes = sum(wager.amount for wager in placed)
        runs = _settled_runs(replay)
        paid = sum(replay.pay(each, each.spot, result, lots, runs).paid for each in placed)
        if (total.stakes, total.paid) != (stakes, paid):
            yield Disagreement("staked and paid", [total.stakes, total.paid], [stakes, paid])


def _when_settled(replay: Replay) -> Result | None:
    """The result by which the coup was settled."""
    return replay.stood[replay.settled.position].result if replay.settled else None


def _settled_lots(replay: Replay) -> Lots:
    """The wagers that were settled: the spot and the stake of each."""
    return {
        (seat, spot): (spot, line.event.amount)
        for (seat, spot), line in replay.settled_in_play.items()
    }


def _settled_runs(replay: Replay) -> Runs:
    """What each wager that was settled brought along from the coups before (R-BET-9)."""
    return replay.stood[replay.settled.position].runs if replay.settled else {}


def _payments_differ(replay: Replay) -> Iterator[Disagreement]:
    result = _when_settled(replay)
    if result is None:
        return
    recorded = {(line.event.seat, line.event.spot): line.event for line in replay.payments}
    lots, runs = _settled_lots(replay), _settled_runs(replay)
    if len(recorded) != len(replay.payments):
        yield Disagreement("payments", f"{len(replay.payments)}", f"{len(recorded)} wagers")
    for seat, spot in sorted(recorded.keys() | replay.settled_in_play.keys()):
        what = f"seat {seat} {spot}"
        settled = recorded.get((seat, spot))
        wager = replay.settled_in_play.get((seat, spot))
        if settled is None or wager is None:
            yield Disagreement(
                what, "settled" if settled else "not settled", "a wager" if wager else "none"
            )
            continue
        stake = wager.event.amount
        payment = replay.pay(wager.event, spot, result, lots, runs)
        whose = {"patron": wager.event.patron, "stay": wager.event.stay, "stake": stake}
        for name, adjudicated in {**whose, **payment.as_recorded()}.items():
            if getattr(settled, name) != adjudicated:
                yield Disagreement(f"{what}: {name}", getattr(settled, name), adjudicated)


def _afterwards_differ(replay: Replay) -> Iterator[Disagreement]:
    """Corrections and returns start from the payment before, and move the difference."""
    followed = (*replay.paid_late, *replay.moved, *replay.corrected, *replay.returned)
    followed += (*replay.stakes_corrected,)
    for line in sorted(followed, key=lambda each: each.position):
        yield from _put_right_differs(replay, line.event, replay.stood[line.position])
    ran_out = {(each.event.seat, each.event.spot) for each in replay.ran_out}
    if replay.left_unused and (replay.in_play.keys() - ran_out or replay.dealt):
        yield Disagreement("the coup", "left unused", "not left unused")
    if replay.voided:
        back = (*replay.returned, *replay.undecided)
        missing = replay.in_play.keys() - {(each.event.seat, each.event.spot) for each in back}
        for seat, spot in sorted(missing):
            yield Disagreement(f"seat {seat} {spot}", "not returned", "returned")
        together = sum(line.event.changes_hands for line in replay.returned)
        if replay.voided.event.changes_hands != together:
            recorded = replay.voided.event.changes_hands
            yield Disagreement("changes hands", recorded, together)


def _meters_differ(replay: Replay) -> Iterator[Disagreement]:
    """What meters took of the coup and paid it, beside its wagers and payments (R-PROG-2, 3)."""
    rules, state = replay.rules, replay.state
    if not rules.progressives and not state.meters:
        return
    stakes = {(each.seat, each.spot): each.stake for each in state.layout.wagers()}
    won = {place: payment.winnings for place, payment in state.settled.items()}
    lots, settled = lots_of(stakes, state.paid_as), state.phase == "settled"
    now = staked(rules, lots, won, replay.result, replay.stood_at) if settled else {}
    for spot in sorted({*state.meters, *now}):
        meter, terms = state.meters.get(spot), rules.progressives.get(spot)
        brought = Brought.of(terms, *now.get(spot, (0, 0))) if terms else NOT_BROUGHT
        address = terms and terms.address(spot, state.table_day.table, rules.currency)
        recorded = meter.brought if meter else NOT_BROUGHT
        pairs = (
            ("meter", meter and meter.meter, address),
            ("staked", recorded.staked, brought.staked),
            ("share", decimal_string(recorded.share), decimal_string(brought.share)),
            ("reserve", decimal_string(recorded.reserve), decimal_string(brought.reserve)),
            ("paid by the meter", recorded.paid, brought.paid),
        )
        for name, was, rightly in pairs:
            if was != rightly:
                yield Disagreement(f"meter of {spot}: {name}", was, rightly)
        if meter and terms and meter.stood.reached:
            at, stood = meter.stood.reached.amount, decimal_string(meter.stood.amount)
            if terms.must_hit_by is None or meter.stood.amount < terms.payable(Fraction(at)):
                yield Disagreement(f"meter of {spot}: must be won", stood, f"only at {at}")


def _stake_differs(what: str, event: Any, stood: Stood) -> Iterator[Disagreement]:
    """The stake on record before it was corrected, if another one stood."""
    stake = stood.stakes.get((event.seat, event.spot))
    if event.stake_before != stake:
        yield Disagreement(f"{what}: stake before", event.stake_before, stake)


def _put_right_differs(replay: Replay, event: Any, stood: Stood) -> Iterator[Disagreement]:
    """The fields in which what was put right does not follow from what stood."""
    what = f"seat {event.seat} {event.spot}"
    payment = stood.paid.get((event.seat, event.spot))
    before = payment.paid if payment else None
    match event:
        case coup_wagers.WagerMoved():
            if event.paid != before:
                yield Disagreement(f"{what}: paid before", event.paid, before)
        case coup_wagers.StakeCorrected():
            yield from _stake_differs(what, event, stood)
        case coup_wagers.WagerSettledLate():
            yield from _payment_differs(replay, event, event.spot, "entered late", stood)
        case coup_wagers.PaymentCorrected() | coup_wagers.WagerReturned():
            comes_to = (
                event.paid if isinstance(event, coup_wagers.PaymentCorrected) else event.stake
            )
            if event.paid_before != before:
                yield Disagreement(f"{what}: paid before", event.paid_before, before)
            hands = 0 if before is None else comes_to - before
            if isinstance(event, coup_wagers.PaymentCorrected):
                yield from _stake_differs(what, event, stood)
                hands -= event.stake - event.stake_before
            if event.changes_hands != hands:
                yield Disagreement(f"{what}: changes hands", event.changes_hands, hands)
            if isinstance(event, coup_wagers.PaymentCorrected) and event.odds:
                # It was paid by the cards, as a wager on its own spot or another one
                spot = event.as_spot or event.spot
                yield from _payment_differs(replay, event, spot, "corrected", stood)


def _payment_differs(
    replay: Replay, event: Any, spot: str, how: str, stood: Stood
) -> Iterator[Disagreement]:
    """The fields in which a payment is another than today's rules give."""
    if stood.result is None:
        return
    rightly = replay.pay(event, spot, stood.result, stood.lots, stood.runs)
    for name, adjudicated in rightly.as_recorded().items():
        recorded = getattr(event, name)
        if recorded != adjudicated:
            what = f"seat {event.seat} {event.spot}: {how} {name}"
            yield Disagreement(what, recorded, adjudicated)
