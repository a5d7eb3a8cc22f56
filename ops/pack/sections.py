"""The tables of a pack: cards, wagers, payments, questions, and who was on duty.

They are in the reader's language; the questions (`_what_if`) are in English only, because only a
regulator's pack has them.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from domain.rules.cards import symbol
from domain.rules.hands import Step
from domain.rules.wording import listed
from ops.ledger.chain import Fields
from ops.pack.content import Relief, Spoke
from ops.pack.payment_sections import decided, paid_now, payments
from ops.pack.printed import Across, CardCell, Row, Section
from ops.pack.shoe_section import the_shoe
from ops.pack.words import (
    NOTHING,
    Wording,
    by_seat,
    called,
    face,
    place,
    places,
    stated,
    with_suit,
)
from ops.replay.coup_story import CoupStory, WagerLaid
from ops.replay.people import who_did
from ops.replay.what_if_answer import PatronTotal, SeatDifference, WhatIfAnswer
from ops.words import coups
from ops.words.event_values import run_on
from ops.words.language import N_, _, shown
from ops.words.show import count

_AT_A_HAND = ("coup.hands-given", "coup.hand-given-back", "coup.hand-turned")


def sections(wording: Wording) -> Iterator[Section]:
    """Every table with at least one row, in the order of play."""
    if wording.story.cards:
        yield _cards(wording)
    yield _wagers(wording)
    if wording.story.payments:
        yield payments(wording)
    if decided(wording):
        yield paid_now(wording)
    for title, noted in (
        (_("Coupons, which are no money"), wording.story.coupons or []),
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
    rows: list[Row | Across] = []
    decided = _decided(wording.story)
    for each in wording.story.cards:
        hand = coups.spot_name(each.hand)
        cells: list[str | CardCell] = [
            str(each.n),
            CardCell(face(each.card or "")),
            _("to {hand} (carried: it came when none was due, R-IRR-1)", hand=hand)
            if each.carried
            else _("to {hand}", hand=hand),
            *(_total(total) for total in (each.player_total, each.banker_total)),
            wording.moment(each.at),
            each.rule,
            place(each.position),
        ]
        rows.append(Row(cells, wrong=wording.disagrees(f"card {each.n}, {each.card}")))
        rows += [Across(shown(step.why), step.rule) for step in decided.get(each.n, ())]
    for at_a_hand in wording.of_the_coup(*_AT_A_HAND):
        words, position = shown(at_a_hand.words or ""), place(at_a_hand.position)
        rows.append(Across(words, wording.turning_rule, position))
    for ended in wording.of_the_coup("coup.resulted"):
        words = _("{outcome}: nearer nine wins, equal totals tie", outcome=wording.called())
        rows.append(Across(words, "R-WIN-1", place(ended.position)))
    player, banker = map(coups.spot_name, ("player", "banker"))
    head = ["", _("Card"), "", player, banker, _("Moment"), _("Rule"), _("Record")]
    return Section(_("The cards"), head, "rllccrlr", rows, wide=2, cards=True)


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
    for topic in ("second-bets-opened", "second-bets-closed", "wager-undecided"):
        for event in wording.of_the_coup(f"coup.{topic}"):
            words = shown(event.words or "")
            values = {"moment": wording.moment(event.at), "place": place(event.position)}
            notes.append(_("{words} {moment} ({place}).", words=words, **values))
    rows = [
        Row(
            [
                _("Seat {seat}", seat=each.seat) if first else "",
                shown(each.patron) if first else "",
                coups.spot_name(each.spot),
                wording.money(each.stake),
                wording.moment(each.at),
                _before_first_card(wording, each),
                place(each.position),
            ],
            begins=first,
        )
        for each, first in by_seat(wording.story.wagers)
    ]
    head = [
        *("", _("Patron"), _("Spot"), _("Wager"), _("Placed")),
        *(_("Before the first card"), _("Record")),
    ]
    note = shown(run_on(notes))
    return Section(_("The wagers"), head, "lllrrrr", rows, wide=2, note=note)


def _before_first_card(wording: Wording, wager: WagerLaid) -> str:
    """How long before the card that closed the bets; of those after four cards, the fifth."""
    story, after_four = wording.story, wager.spot in wording.after_four
    if len(story.cards) < (5 if after_four else 1):
        return NOTHING
    closed_by = story.cards[4 if after_four else 0]
    first, placed = datetime.fromisoformat(closed_by.at), datetime.fromisoformat(wager.at)
    if placed > first:
        return _("entered {seconds} after it", seconds=coups.seconds_before(first, placed))
    words = coups.seconds_before(placed, first)
    if after_four:
        words = _("{seconds}, card {n}", seconds=words, n=5)
    results = wording.of_the_coup("coup.resulted")
    known_from = results[0].position if results else None
    return coups.with_late(words, wager.position, closed_by.position, known_from)


def _noted(wording: Wording, title: str, lines: Sequence[Fields]) -> Section:
    rows = []
    for each in lines:
        event = wording.events[each["position"]]
        words = [shown(event.words or each["event"]).removeprefix("! ")]
        second = coups.proved(each.get("approved_by", ""), each.get("approved_proved"))
        first = who_did(each) or (event.actor if second else "")
        people = [person for person in (first, second) if person]
        if each.get("reason") and each["reason"] not in words[0]:
            words.append(_("Reason: {reason}.", reason=each["reason"]))
        if people:
            words.append(_("By {people}.", people=listed(people, N_("{some} with {last}"))))
        cells = [wording.moment(each["at"]), shown(run_on(words)), place(each["position"])]
        rows.append(Row(cells))
    return Section(title, [_("Moment"), "", _("Record")], "rlr", rows, wide=1)


def _what_if(wording: Wording, number: int, asked: WhatIfAnswer) -> Section:
    """The table of a question: the result it would have had, beside the record."""
    cards = [each.card for each in asked.cards]
    notes = [f"{' '.join(map(symbol, cards))}: {_comes_to(asked)}.", *asked.notes]
    rows = [Row([f"Seat {each.seat}", *_apart(wording, each)]) for each in asked.difference]
    if asked.house is not None:
        rows.append(Row(["House", "", "", "", wording.more(asked.house)], total=True))
    later = asked.later
    if later:
        notes.append(f"It shifts {count(len(later.coups), 'later coup')} of the shoe.")
        rows += [Row(["With them", *_apart(wording, each)]) for each in later.totals]
        rows.append(Row(["House, with them", "", "", "", wording.more(later.house)], total=True))
    return Section(
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
        Row([each.staff or _("Not named"), _part(each), places(each.positions)])
        for each in duty.spoke
    ]
    head = [_("Who"), "", _("Events of the coup")]
    return Section(_("On duty"), head, "lll", rows, wide=2, note=shown(run_on(note)))


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
