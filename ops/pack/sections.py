"""The tables of a pack: cards, wagers, payments, questions, and who was on duty.

They are in the reader's language; the questions (`_what_if`) are in English only, because only a
regulator's pack has them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from msgspec import Struct

from domain.rules.cards import symbol
from domain.rules.hands import Step
from domain.rules.refusals import SENSELESS
from domain.rules.spots import SPOTS
from domain.rules.wording import Words, counted, listed
from ops.ledger.streams import decoded
from ops.pack.content import PackEvent, Relief, Spoke
from ops.pack.words import (
    NOTHING,
    Fields,
    Section,
    Wording,
    by_seat,
    called,
    face,
    place,
    places,
    section,
    stated,
    with_suit,
)
from ops.replay.coup_story import CoupStory, Payment
from ops.replay.what_if_answer import PatronTotal, SeatDifference, WhatIfAnswer
from ops.words import coups
from ops.words.event_values import run_on, separated
from ops.words.language import N_, _, marked, shown
from ops.words.show import count
from ops.words.terms import shuffle_called
from projections.proofs import how_proved

_AT_A_HAND = ("coup.hands-given", "coup.hand-given-back", "coup.hand-turned")
# How commission is rounded, by mode and by moment; and when it is due.
_ROUNDED: Mapping[tuple[str, str], str] = {
    ("up", "per-win"): N_("It is rounded up to {unit} for each win."),
    ("up", "on-collection"): N_("It is rounded up to {unit} when it is collected."),
    ("nearest", "per-win"): N_("It is rounded to the nearest {unit} for each win."),
    ("nearest", "on-collection"): N_("It is rounded to the nearest {unit} when it is collected."),
}
_DUE: Mapping[str, str] = {
    "at-payout": N_("It is taken off when the wager is paid (R-COM-2)."),
    "deferred": N_("It is owed until it is collected (R-COM-2)."),
}


def sections(wording: Wording) -> Iterator[Section]:
    """Every table with at least one row, in the order of play."""
    if wording.story.cards:
        yield _cards(wording)
    yield _wagers(wording)
    if wording.story.payments:
        yield _payments(wording)
    if decided(wording):
        yield _paid_now(wording)
    for title, noted in (
        (_("Exceptions"), wording.story.exceptions),
        (_("Corrected and collected since"), wording.story.afterwards),
    ):
        if noted:
            yield _noted(wording, title, noted)
    if any(each.about == "shoe" for each in wording.content.events):
        yield the_shoe(wording)
    for number, asked in enumerate(wording.content.what_if, 1):
        yield _what_if(wording, number, asked)


def _cards(wording: Wording) -> Section:
    rows: list[dict[str, Any]] = []
    decided = _decided(wording.story)
    for each in wording.story.cards:
        hand = coups.spot_name(each.hand)
        cells = [
            str(each.n),
            {"card": face(each.card or "")},
            _("to {hand} (carried: it came when none was due, R-IRR-1)", hand=hand)
            if each.carried
            else _("to {hand}", hand=hand),
            *(_total(total) for total in (each.player_total, each.banker_total)),
            wording.moment(each.at),
            each.rule,
            place(each.position),
        ]
        rows.append({"cells": cells, "wrong": wording.disagrees(f"card {each.n}, {each.card}")})
        rows += [{"across": shown(step.why), "rule": step.rule} for step in decided.get(each.n, ())]
    for at_a_hand in wording.of_the_coup(*_AT_A_HAND):
        row = {"across": shown(at_a_hand.words or ""), "rule": wording.turning_rule}
        rows.append(row | {"place": place(at_a_hand.position)})
    for ended in wording.of_the_coup("coup.resulted"):
        words = _("{outcome}: nearer nine wins, equal totals tie", outcome=wording.called())
        rows.append({"across": words, "rule": "R-WIN-1", "place": place(ended.position)})
    player, banker = map(coups.spot_name, ("player", "banker"))
    head = ["", _("Card"), "", player, banker, _("Moment"), _("Rule"), _("Record")]
    return {**section(_("The cards"), head, "rllccrlr", rows, wide=2), "cards": True}


def _total(total: int | None) -> str:
    return "" if total is None else str(total)


def _decided(story: CoupStory) -> dict[int, Sequence[Step]]:
    """The steps that decided about the fourth and fifth card; a natural decides for both."""
    steps = story.steps
    if not steps or steps[0].rule == "R-DRAW-1":
        return {4: steps[:1]}
    return {4: steps[:1], 5: steps[1:]} if steps[0].draws else {4: steps}


def _wagers(wording: Wording) -> Section:
    notes = [] if wording.story.wagers else [_("There was no wager.")]
    for event in wording.of_the_coup("coup.betting-closed"):
        how, rule = coups.closed(str(stated(event).get("by")))
        values = {"moment": wording.moment(event.at), "rule": rule, "place": place(event.position)}
        notes.append(_("{how}, {moment} ({rule}, {place}).", how=how, **values))
    rows = [
        {
            "cells": [
                _("Seat {seat}", seat=each.seat) if first else "",
                shown(each.patron) if first else "",
                coups.spot_name(each.spot),
                wording.money(each.stake),
                wording.moment(each.at),
                _before_first_card(wording.story, each.at),
                place(each.position),
            ],
            "begins": first,
        }
        for each, first in by_seat(wording.story.wagers)
    ]
    head = [
        *("", _("Patron"), _("Spot"), _("Wager"), _("Placed")),
        *(_("Before the first card"), _("Record")),
    ]
    note = shown(run_on(notes))
    return section(_("The wagers"), head, "lllrrrr", rows, wide=2, note=note)


def _before_first_card(story: CoupStory, at: str) -> str:
    if not story.cards:
        return NOTHING
    first, placed = datetime.fromisoformat(story.cards[0].at), datetime.fromisoformat(at)
    if placed <= first:
        return coups.seconds_before(placed, first)
    return _("entered {seconds} after it", seconds=coups.seconds_before(first, placed))


def _payments(wording: Wording) -> Section:
    payments = wording.story.payments
    positions = {
        (str(fields.get("seat")), str(fields.get("spot"))): place(each.position)
        for each in wording.of_the_coup("coup.wager-settled")
        if (fields := stated(each))
    }
    rows: list[dict[str, Any]] = [
        {
            "cells": [
                _("Seat {seat}", seat=each.seat) if first else "",
                coups.spot_name(each.spot),
                wording.money(each.stake),
                _computation(wording, each),
                wording.money(each.paid),
                positions.get((str(each.seat), each.spot), NOTHING),
            ],
            "begins": first,
            "wrong": wording.disagrees(f"seat {each.seat} {each.spot}"),
        }
        for each, first in by_seat(payments)
    ]
    staked = wording.money(sum(each.stake for each in payments))
    paid = wording.money(sum(each.paid for each in payments))
    rows.append({"cells": [_("All"), "", staked, "", paid, ""], "total": True})
    head = ["", _("Spot"), _("Wager"), _("Computation"), _("Paid"), _("Record")]
    title = _("The payments, as they were settled") if decided(wording) else _("The payments")
    return section(title, head, "llrlrr", rows, wide=3, note=_terms(wording))


class Decided(Struct, frozen=True):
    """A wager whose payment two people decided."""

    seat: int
    patron: str
    spot: str
    settled: int | None  # None: it was not settled
    by_cards: int | None  # as settled, or None if the record disagrees with the rules
    now: int
    commission: int  # additional commission owed; below 0: less

    @property
    def hands(self) -> int:
        """The amount paid by decision, without a stake returned before the payment."""
        return 0 if self.settled is None else self.now - self.settled


def decided(wording: Wording) -> list[Decided]:
    """Every wager that was corrected or returned, with its last payment."""
    story = wording.story
    settled = {(each.seat, each.spot): each for each in story.payments}
    last = {
        (each["seat"], each["spot"]): each
        for each in story.afterwards
        if each["event"] in ("PaymentCorrected", "WagerReturned")
    }
    lines = []
    for (seat, spot), each in sorted(last.items(), key=lambda wager: _in_order(*wager[0])):
        first = settled.get((seat, spot))
        paid = first.paid if first else None
        void = each["event"] == "WagerReturned"
        doubtful = void or wording.disagrees(f"seat {seat} {spot}")
        lines.append(
            Decided(
                seat=seat,
                patron=each["patron"],
                spot=spot,
                settled=paid,
                by_cards=None if doubtful else paid,
                now=each["stake"] if void else each["paid"],
                commission=_owed(each.get("commission_due"), each.get("commission_charged"))
                - (_owed(first.commission_due, first.commission_charged) if first else 0),
            )
        )
    return lines


def _in_order(seat: int, spot: str) -> tuple[int, int]:
    """The sort key: by seat, then by spot; an unknown spot comes last."""
    return seat, SPOTS.index(spot) if spot in SPOTS else len(SPOTS)


def _owed(due: str | None, charged: int | None) -> int:
    """The commission of a payment that is still owed: 0 unless deferred."""
    return charged or 0 if due == "deferred" else 0


def _paid_now(wording: Wording) -> Section:
    """The table of payments as settled and as decided, with the difference for each patron."""
    lines = decided(wording)
    rows: list[dict[str, Any]] = []
    seat = None
    for each in lines:
        first, seat = each.seat != seat, each.seat
        cells = [
            _("Seat {seat}", seat=seat) if first else "",
            shown(each.patron) if first else "",
            coups.spot_name(each.spot),
            NOTHING if each.settled is None else wording.money(each.settled),
            wording.money(each.now),
            *_worth(wording, [each]),
        ]
        rows.append({"cells": cells, "begins": first})
    patrons = list(dict.fromkeys(each.patron for each in lines))
    for patron in patrons if len(patrons) < len(lines) else ():
        own = [each for each in lines if each.patron == patron]
        cells = ["", shown(patron), _("together"), "", "", *_worth(wording, own)]
        rows.append({"cells": cells, "begins": patron == patrons[0]})
    rows.append({"cells": [_("All"), "", "", "", "", *_worth(wording, lines)], "total": True})
    head = [
        *("", _("Patron"), _("Spot"), _("Settled"), _("Paid now"), _("Difference")),
        *(_("Commission"), _("Net to patron")),
    ]
    return section(_("What is paid by decision"), head, "lllrrrrr", rows, wide=1)


def _worth(wording: Wording, lines: Sequence[Decided]) -> list[str]:
    """The cells of these wagers together: paid, commission, net to the patron."""
    hands, commission = sum(e.hands for e in lines), sum(e.commission for e in lines)
    return [wording.more(each) for each in (hands, commission, hands - commission)]


def _terms(wording: Wording) -> str:
    """The sentences on how commission is computed, or '' if no wager can owe any."""
    rules = wording.content.rules
    if rules is None or all(each.spot != "banker" for each in wording.story.payments):
        return ""
    terms = rules.terms["commission"]
    if not terms["rate"][0]:
        return _("No commission is taken of what Banker wins.")
    if terms["timing"] == "in-the-odds":
        return _("The odds of Banker have the commission in them (R-COM-1).")
    rounding = terms["rounding"]
    rate = marked(f"{float(Fraction(*terms['rate']) * 100):g}")
    sentences = [_("Commission is {rate}% of what Banker wins (R-COM-1).", rate=rate)]
    if rounding["mode"] == "exact":
        sentences.append(_("It is exact, to the minor unit."))
    else:
        rounded = _ROUNDED[rounding["mode"], rounding["moment"]]
        sentences.append(_(rounded, unit=wording.money(rounding["unit"])))
    if rounding["minimum"]:
        sentences.append(_("It is at least {amount}.", amount=wording.money(rounding["minimum"])))
    return shown(run_on([*sentences, _(_DUE[terms["timing"]])]))


def _computation(wording: Wording, payment: Payment) -> str:
    """Stake times odds less commission, as one computes it with a pencil."""
    if payment.result == "push":
        return _("neither wins nor loses: the wager is returned")
    if payment.result == "lose":
        return _("loses")
    stake, winnings = wording.money(payment.stake), wording.money(payment.winnings)
    won = _("wins {product} = {winnings}", product=_times(stake, payment.odds), winnings=winnings)
    deducted = payment.commission_charged if payment.commission_due == "at-payout" else 0
    terms = [f"{stake} + {winnings}"]
    if deducted:
        terms.append(f"− {wording.money(deducted)}")
    if payment.paid_up:
        up = wording.money(payment.paid_up)
        terms.append(_("+ {amount} rounded up to chips", amount=up))
    comes_to = payment.stake + payment.winnings - deducted + payment.paid_up
    total = f"{' '.join(terms)} = {wording.money(comes_to)}"
    if not payment.commission_due:
        return _("{won}; {total}", won=won, total=total)
    commission = _commission(wording, payment)
    return _("{won}, {commission}; {total}", won=won, commission=commission, total=total)


def _times(stake: str, odds: str | None) -> str:
    """`100.00 × 8`, or `100.00 × 19 ÷ 20`."""
    to, _colon, each = (odds or "1:1").partition(":")
    return f"{stake} × {to}" if each == "1" else f"{stake} × {to} ÷ {each}"


def _commission(wording: Wording, payment: Payment) -> str:
    """The commission of a payment, and when it is due."""
    exact = wording.exactly(payment.commission_exact)
    charged = wording.money(payment.commission_charged)
    if payment.commission_charged == 0:
        return _("commission {exact} is owed and rounded when it is collected", exact=exact)
    if payment.commission_due == "deferred":
        if exact == charged:
            return _("commission {charged} is owed", charged=charged)
        values = {"exact": exact, "charged": charged}
        return _("commission {exact}, rounded {charged}, is owed", **values)
    if exact == charged:
        return _("commission {charged}", charged=charged)
    return _("commission {exact}, rounded {charged}", exact=exact, charged=charged)


def _noted(wording: Wording, title: str, lines: Sequence[Fields]) -> Section:
    rows = []
    for each in lines:
        event = wording.events[each["position"]]
        words = [shown(event.words or each["event"]).removeprefix("! ")]
        people = [each[name] for name in ("requested_by", "by") if each.get(name)]
        if each.get("approved_by"):
            people.append(coups.proved(each["approved_by"], each.get("approved_proved")))
        if each.get("reason") and each["reason"] not in words[0]:
            words.append(_("Reason: {reason}.", reason=each["reason"]))
        if people:
            words.append(_("By {people}.", people=listed(people, N_("{some} with {last}"))))
        cells = [wording.moment(each["at"]), shown(run_on(words)), place(each["position"])]
        rows.append({"cells": cells})
    return section(title, [_("Moment"), "", _("Record")], "rlr", rows, wide=1)


def _what_if(wording: Wording, number: int, asked: WhatIfAnswer) -> Section:
    """The table of a question: the result it would have had, beside the record."""
    cards = [each.card for each in asked.cards]
    notes = [f"{' '.join(map(symbol, cards))}: {_comes_to(asked)}.", *asked.notes]
    rows: list[dict[str, Any]] = [
        {"cells": [f"Seat {each.seat}", *_apart(wording, each)]} for each in asked.difference
    ]
    if asked.house is not None:
        rows.append({"cells": ["House", "", "", "", wording.more(asked.house)], "total": True})
    later = asked.later
    if later:
        notes.append(f"It shifts {count(len(later.coups), 'later coup')} of the shoe.")
        rows += [{"cells": ["With them", *_apart(wording, each)]} for each in later.totals]
        total = ["House, with them", "", "", "", wording.more(later.house)]
        rows.append({"cells": total, "total": True})
    return section(
        f"What if ({number}): {', '.join(map(with_suit, asked.changes))}",
        ["", "Patron", "Paid", "Commission", "Better off by"],
        "llrrr",
        rows,
        wide=1,
        note=" ".join(notes),
        after="A question beside the record. It changed nothing.",
    )


def _comes_to(asked: WhatIfAnswer) -> str:
    if asked.void:
        return "the coup is void"
    if asked.short:
        return "a card is due that is not on record"
    return called(asked.outcome, asked.player_total, asked.banker_total)


def _apart(wording: Wording, row: SeatDifference | PatronTotal) -> list[str]:
    """A row: a patron, and by how much they would be better or worse off."""
    return [row.patron or NOTHING, *map(wording.more, (row.paid, row.commission, row.net))]


def on_duty(wording: Wording) -> Section:
    """The table of who dealt and supervised, and who entered or signed the coup's events."""
    duty = wording.content.on_duty
    people = {"dealer": duty.dealer or NOTHING, "supervisor": duty.supervisor or NOTHING}
    note = [_("Dealer {dealer}, supervisor {supervisor}.", **people)]
    if duty.shoe_holder:
        note.append(_("The shoe was held by {holder}.", holder=coups.holder(duty.shoe_holder)))
    note += [_relief(wording, each) for each in {each.role: each for each in duty.reliefs}.values()]
    rows = [
        {"cells": [each.staff or _("Not named"), _part(each), places(each.positions)]}
        for each in duty.spoke
    ]
    head = [_("Who"), "", _("Events of the coup")]
    return section(_("On duty"), head, "lll", rows, wide=2, note=shown(run_on(note)))


def _relief(wording: Wording, relief: Relief) -> str:
    values = {
        "staff": relief.staff,
        "before": relief.before or NOTHING,
        "moment": wording.moment(relief.at),
        "place": place(relief.position),
    }
    if relief.role == "dealer":
        return _("{staff} took over as dealer from {before} at {moment} ({place}).", **values)
    return _("{staff} took over as supervisor from {before} at {moment} ({place}).", **values)


def _part(staff: Spoke) -> str:
    """The person's part: who entered it, or the second person, with the proof."""
    part = _("entered it") if staff.role == "by" else _("second person")
    return coups.proved(part, staff.proved)


def the_shoe(wording: Wording) -> Section:
    """The table of the shoe: its decks, its inspection and its preparation."""
    events = [(each, stated(each)) for each in wording.content.events if each.about == "shoe"]
    rows = [
        {"cells": [wording.moment(each.at), words, place(each.position)]}
        for each, event in events
        if event and (words := _of_the_shoe(each.topic.partition(".")[2], event, each))
    ]
    coup = wording.content.coup.rpartition("/")[2]
    head = [_("Moment"), "", _("Record")]
    note = _("This was coup {coup} of the shoe.", coup=coup)
    return section(_("The shoe"), head, "rlr", rows, wide=1, note=note)


def _of_the_shoe(what: str, event: Fields, pack_event: PackEvent) -> str:
    """The words of an event of preparation, or '' for other events or unreadable ones."""
    words = _PREPARED.get(what)
    if what == "inspected":
        event = {**event, "verified_by": _verified(event, pack_event)}
    try:
        return words(event) if words else ""
    except SENSELESS:
        return ""


def _verified(event: Fields, pack_event: PackEvent) -> str:
    """The second person of the inspection, with the proof."""
    staff = event.get("verified_by") or ""
    return coups.proved(staff, how_proved(staff, pack_event.actor, decoded(pack_event.metadata)))


def _loaded(event: Fields) -> str:
    made_of: list[str] = [counted(event["decks"], "{n} deck", "{n} decks")]
    if event["serials"]:
        serials = ", ".join(map(str, event["serials"]))
        made_of.append(Words("serials {serials}", serials=serials))
    if event["batch"]:
        made_of.append(Words("batch {batch}", batch=event["batch"]))
    if event["colour"]:
        made_of.append(Words("colour {colour}", colour=event["colour"]))
    return _("Loaded: {decks}", decks=separated(made_of))


def _shuffled(event: Fields) -> str:
    how = [shuffle_called(event["method"])]
    if event["device"]:
        how.append(Words("device {device}", device=event["device"]))
    if event.get("commitment"):
        how.append(Words("commitment {commitment}", commitment=event["commitment"]))
    return _("Shuffled: {how}", how=separated(how))


def _cut(event: Fields) -> str:
    return _(
        "Cut by {staff}; the cut card {cards} from the back",
        staff=coups.holder(event["cut_by"] or "") or _unnamed(),
        cards=event["cut_card"],
    )


def _burned(event: Fields) -> str:
    cards = {"card": symbol(event["card"]), "face_down": event["face_down"]}
    return _("Burned: {card}, and {face_down} face down", **cards)


def _unnamed() -> str:
    return _("a person not named")


_PREPARED: Mapping[str, Callable[[Fields], str]] = {
    "loaded": _loaded,
    "inspected": lambda event: _(
        "Inspected, and verified by {staff}", staff=event["verified_by"] or _unnamed()
    ),
    "shuffled": _shuffled,
    "cut": _cut,
    "burned": _burned,
    "passed": lambda event: _("Passed to {holder}", holder=coups.holder(event["holder"])),
    "cut-card-shown": lambda event: _(
        "The cut card came out, {cards} cards left", cards=event["cards_left"]
    ),
}
