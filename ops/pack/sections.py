"""What a pack tells line by line: cards, wagers, payments, what was asked, who was on duty."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from msgspec import Struct

from domain.rules.cards import symbol
from domain.rules.hands import Step
from domain.rules.refusals import SENSELESS
from domain.rules.spots import SPOTS
from ops.ledger.streams import decoded
from ops.pack.content import PackEvent
from ops.pack.words import (
    NOTHING,
    Said,
    Section,
    Told,
    as_said,
    by_seat,
    called,
    face,
    place,
    places,
    section,
    stated,
)
from ops.replay.coup_story import CoupStory, Payment
from ops.replay.what_if_answer import PatronTotal, SeatDifference, WhatIfAnswer
from ops.words.show import spot_called
from projections.proofs import how_proved, with_proof

_CLOSED = {
    "dealer": ("No more bets was called", "R-DEAL-2"),
    "first-card": ("The first card closed the betting", "R-DEAL-2"),
    "dummy": ("A dummy coup, which takes no bets", "R-IRR-1"),
}
_AT_A_HAND = ("coup.hands-given", "coup.hand-given-back", "coup.hand-turned")
_ROUNDED = {"up": "up to", "nearest": "to the nearest"}
_ROUNDED_WHEN = {"per-win": "for each win", "on-collection": "when it is collected"}
_DUE = {"at-payout": "kept back when the wager is paid", "deferred": "owed until collected"}


def sections(said: Said) -> Iterator[Section]:
    """Whatever there is to tell, from top to bottom as it happened."""
    if said.story.cards:
        yield _cards(said)
    yield _wagers(said)
    if said.story.payments:
        yield _payments(said)
    if decided(said):
        yield _paid_now(said)
    for title, noted in (
        ("What was noted on the way", said.story.exceptions),
        ("What was put right and collected since", said.story.afterwards),
    ):
        if noted:
            yield _noted(said, title, noted)
    if any(each.about == "shoe" for each in said.content.events):
        yield the_shoe(said)
    for number, asked in enumerate(said.content.what_if, 1):
        yield _what_if(said, number, asked)


def _cards(said: Said) -> Section:
    rows: list[dict[str, Any]] = []
    decided = _decided(said.story)
    for each in said.story.cards:
        carried = " (carried: it came when none was due, R-IRR-1)" if each.carried else ""
        cells = [
            str(each.n),
            {"card": face(each.card or "")},
            f"to {each.hand.title()}{carried}",
            *(_total(total) for total in (each.player_total, each.banker_total)),
            said.moment(each.at),
            each.rule,
            place(each.position),
        ]
        rows.append({"cells": cells, "wrong": said.disagrees(f"card {each.n}, {each.card}")})
        rows += [{"across": step.why, "rule": step.rule} for step in decided.get(each.n, ())]
    for at_a_hand in said.of_the_coup(*_AT_A_HAND):
        row = {"across": at_a_hand.words, "rule": said.turning_rule}
        rows.append(row | {"place": place(at_a_hand.position)})
    for ended in said.of_the_coup("coup.resulted"):
        words = f"{said.called()}: nearer nine wins, equal totals tie"
        rows.append({"across": words, "rule": "R-WIN-1", "place": place(ended.position)})
    head = ["", "Card", "", "Player", "Banker", "Moment", "Rule", "Record"]
    return section("The cards", head, "rllccrlr", rows, wide=2)


def _total(total: int | None) -> str:
    return "" if total is None else str(total)


def _decided(story: CoupStory) -> dict[int, Sequence[Step]]:
    """What the fourth and the fifth card decided; a natural decides for both hands."""
    steps = story.steps
    if not steps or steps[0].rule == "R-DRAW-1":
        return {4: steps[:1]}
    return {4: steps[:1], 5: steps[1:]} if steps[0].draws else {4: steps}


def _wagers(said: Said) -> Section:
    notes = [] if said.story.wagers else ["No wager lay."]
    for closed in said.of_the_coup("coup.betting-closed"):
        how, rule = _CLOSED.get(str(stated(closed).get("by")), ("Betting was closed", "R-DEAL-2"))
        when = said.moment(closed.at)
        notes.append(f"{how}, {when} ({rule}, {place(closed.position)}).")
    rows = [
        {
            "cells": [
                f"Seat {each.seat}" if first else "",
                each.patron if first else "",
                spot_called(each.spot),
                said.money(each.stake),
                said.moment(each.at),
                _before_first_card(said.story, each.at),
                place(each.position),
            ],
            "begins": first,
        }
        for each, first in by_seat(said.story.wagers)
    ]
    head = ["", "Patron", "Spot", "Stake", "Placed", "Before the first card", "Record"]
    return section("The wagers", head, "lllrrrr", rows, wide=2, note=" ".join(notes))


def _before_first_card(story: CoupStory, at: str) -> str:
    if not story.cards:
        return NOTHING
    first = datetime.fromisoformat(story.cards[0].at)
    apart = (first - datetime.fromisoformat(at)).total_seconds()
    return f"{apart:.1f} s" if apart >= 0 else f"entered {-apart:.1f} s after it"


def _payments(said: Said) -> Section:
    payments = said.story.payments
    found = {
        (str(told.get("seat")), str(told.get("spot"))): place(each.position)
        for each in said.of_the_coup("coup.wager-settled")
        if (told := stated(each))
    }
    rows: list[dict[str, Any]] = [
        {
            "cells": [
                f"Seat {each.seat}" if first else "",
                spot_called(each.spot),
                said.money(each.stake),
                _reckoned(said, each),
                said.money(each.paid),
                found.get((str(each.seat), each.spot), NOTHING),
            ],
            "begins": first,
            "wrong": said.disagrees(f"seat {each.seat} {each.spot}"),
        }
        for each, first in by_seat(payments)
    ]
    staked = said.money(sum(each.stake for each in payments))
    paid = said.money(sum(each.paid for each in payments))
    rows.append({"cells": ["All", "", staked, "", paid, ""], "total": True})
    head = ["", "Spot", "Stake", "Reckoned", "Paid", "Record"]
    title = "The payments, as they were settled" if decided(said) else "The payments"
    return section(title, head, "llrlrr", rows, wide=3, note=_terms(said))


class Decided(Struct, frozen=True):
    """A wager of which two people said what it is paid."""

    seat: int
    patron: str
    spot: str
    settled: int | None  # None: it was not
    by_cards: int | None  # the same, unless the record does not agree with the rules
    now: int
    commission: int  # by so much more is owed; less than 0: by less

    @property
    def hands(self) -> int:
        """What changed hands in the end; a stake that went back before it was paid did not."""
        return 0 if self.settled is None else self.now - self.settled


def decided(said: Said) -> list[Decided]:
    """Every wager whose payment was put right, or that was returned, as it stands in the end."""
    story = said.story
    settled = {(each.seat, each.spot): each for each in story.payments}
    last = {
        (each["seat"], each["spot"]): each
        for each in story.afterwards
        if each["event"] in ("PaymentCorrected", "WagerReturned")
    }
    found = []
    for (seat, spot), each in sorted(last.items(), key=lambda wager: _in_order(*wager[0])):
        first = settled.get((seat, spot))
        paid = first.paid if first else None
        void = each["event"] == "WagerReturned"
        doubtful = void or said.disagrees(f"seat {seat} {spot}")
        found.append(
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
    return found


def _in_order(seat: int, spot: str) -> tuple[int, int]:
    """By seat, and as the spots lie; one that somebody made up comes last."""
    return seat, SPOTS.index(spot) if spot in SPOTS else len(SPOTS)


def _owed(due: str | None, charged: int | None) -> int:
    """The commission that is owed beside a payment."""
    return charged or 0 if due == "deferred" else 0


def _paid_now(said: Said) -> Section:
    """What was paid, what is paid by decision, and what that is worth to each patron."""
    lines = decided(said)
    rows: list[dict[str, Any]] = []
    seat = None
    for each in lines:
        first, seat = each.seat != seat, each.seat
        cells = [
            f"Seat {seat}" if first else "",
            each.patron if first else "",
            spot_called(each.spot),
            NOTHING if each.settled is None else said.money(each.settled),
            said.money(each.now),
            *_worth(said, [each]),
        ]
        rows.append({"cells": cells, "begins": first})
    patrons = list(dict.fromkeys(each.patron for each in lines))
    for patron in patrons if len(patrons) < len(lines) else ():
        own = [each for each in lines if each.patron == patron]
        cells = ["", patron, "together", "", "", *_worth(said, own)]
        rows.append({"cells": cells, "begins": patron == patrons[0]})
    rows.append({"cells": ["All", "", "", "", "", *_worth(said, lines)], "total": True})
    head = [
        "",
        "Patron",
        "Spot",
        "Settled",
        "Paid now",
        "Difference",
        "Commission",
        "Net to patron",
    ]
    title = "What is paid by decision"
    return section(title, head, "lllrrrrr", rows, wide=1)


def _worth(said: Said, lines: Sequence[Decided]) -> list[str]:
    """Together: what changed hands, by how much more commission is owed, and what is left."""
    hands, commission = sum(e.hands for e in lines), sum(e.commission for e in lines)
    return [said.more(each) for each in (hands, commission, hands - commission)]


def _terms(said: Said) -> str:
    """How commission is reckoned, where a wager lay that may owe some."""
    rules = said.content.rules
    if rules is None or all(each.spot != "banker" for each in said.story.payments):
        return ""
    terms = rules.terms["commission"]
    if not terms["rate"][0]:
        return "No commission is taken of what Banker wins."
    if terms["timing"] == "in-the-odds":
        return "The odds of Banker have the commission in them (R-COM-1)."
    rounding = terms["rounding"]
    rate = float(Fraction(*terms["rate"]) * 100)
    how = "exact, to the minor unit"
    if rounding["mode"] != "exact":
        how = f"rounded {_ROUNDED[rounding['mode']]} {said.money(rounding['unit'])}"
    least = f", at least {said.money(rounding['minimum'])}" if rounding["minimum"] else ""
    return (
        f"Commission is {rate:g}% of what Banker wins, {how}, "
        f"{_ROUNDED_WHEN[rounding['moment']]}{least}, {_DUE[terms['timing']]} "
        "(R-COM-1 to 3)."
    )


def _reckoned(said: Said, told: Payment) -> str:
    """Stake times odds less commission, as one reckons it with a pencil."""
    if told.result == "push":
        return "neither wins nor loses: the stake is returned"
    if told.result == "lose":
        return "loses"
    stake, won = said.money(told.stake), said.money(told.winnings)
    kept, commission = 0, ""
    if told.commission_due:
        kept = told.commission_charged if told.commission_due == "at-payout" else 0
        commission = _commission(said, told)
    comes_to = told.stake + told.winnings - kept + told.paid_up
    less = f" − {said.money(kept)}" if kept else ""
    up = f" + {said.money(told.paid_up)} for want of smaller chips" if told.paid_up else ""
    return (
        f"wins {_times(stake, told.odds)} = {won}{commission}; "
        f"{stake} + {won}{less}{up} = {said.money(comes_to)}"
    )


def _times(stake: str, odds: str | None) -> str:
    """`100.00 × 8`, or `100.00 × 19 ÷ 20`."""
    to, _, each = (odds or "1:1").partition(":")
    return f"{stake} × {to}" if each == "1" else f"{stake} × {to} ÷ {each}"


def _commission(said: Said, told: Payment) -> str:
    """What of the winnings is the house's, and when."""
    exact, charged = said.exactly(told.commission_exact), said.money(told.commission_charged)
    if told.commission_charged == 0:
        return f", commission {exact} is owed and rounded when it is collected"
    words = exact if exact == charged else f"{exact}, rounded {charged},"
    return f", commission {words}" + (" is owed" if told.commission_due == "deferred" else "")


def _noted(said: Said, title: str, lines: Sequence[Told]) -> Section:
    rows = []
    for each in lines:
        words = [(said.events[each["position"]].words or each["event"]).removeprefix("! ")]
        people = [each[name] for name in ("requested_by", "by") if each.get(name)]
        if each.get("approved_by"):
            people.append(with_proof(each["approved_by"], each.get("approved_proved")))
        if each.get("reason") and each["reason"] not in words[0]:
            words.append(f"Reason: {each['reason']}.")
        if people:
            words.append(f"By {' with '.join(people)}.")
        cells = [said.moment(each["at"]), " ".join(words), place(each["position"])]
        rows.append({"cells": cells})
    return section(title, ["Moment", "", "Record"], "rlr", rows, wide=1)


def _what_if(said: Said, number: int, asked: WhatIfAnswer) -> Section:
    """A question, and what it would have come to beside the record."""
    cards = [each.card for each in asked.cards]
    notes = [f"{' '.join(map(symbol, cards))}: {_comes_to(asked)}.", *asked.notes]
    rows: list[dict[str, Any]] = [
        {"cells": [f"Seat {each.seat}", *_apart(said, each)]} for each in asked.difference
    ]
    if asked.house is not None:
        rows.append({"cells": ["House", "", "", "", said.more(asked.house)], "total": True})
    later = asked.later
    if later:
        notes.append(f"It shifts the {len(later.coups)} later coups of the shoe.")
        rows += [{"cells": ["With them", *_apart(said, each)]} for each in later.totals]
        total = ["House, with them", "", "", "", said.more(later.house)]
        rows.append({"cells": total, "total": True})
    return section(
        f"What if ({number}): {', '.join(map(as_said, asked.changes))}",
        ["", "Patron", "Paid", "Commission", "Better off by"],
        "llrrr",
        rows,
        wide=1,
        note=" ".join(notes),
        after="Beside the record; asked, and not recorded.",
    )


def _comes_to(asked: WhatIfAnswer) -> str:
    if asked.void:
        return "the coup is void"
    if asked.short:
        return "a card is due that nobody has on record"
    return called(asked.outcome, asked.player_total, asked.banker_total)


def _apart(said: Said, told: SeatDifference | PatronTotal) -> list[str]:
    """A patron, and by how much they would be better or worse off."""
    return [told.patron or NOTHING, *map(said.more, (told.paid, told.commission, told.net))]


def on_duty(said: Said) -> Section:
    """Who dealt and supervised, and whose commands the coup's events are."""
    duty = said.content.on_duty
    people = [f"dealer {duty.dealer or NOTHING}", f"supervisor {duty.supervisor or NOTHING}"]
    if duty.shoe_holder:
        people.append(f"the shoe held by {duty.shoe_holder}")
    for role in ("dealer", "supervisor"):
        people += [
            f"{each.staff} took over as {role} from {each.before or NOTHING} at "
            f"{said.moment(each.at)} ({place(each.position)})"
            for each in [found for found in duty.reliefs if found.role == role][-1:]
        ]
    rows = [
        {
            "cells": [
                each.staff or "Not named",
                _PART[each.role] + (f" ({each.proved})" if each.proved else ""),
                places(each.positions),
            ]
        }
        for each in duty.spoke
    ]
    note = "; ".join(people)
    head = ["Who", "", "Events of the coup"]
    return section("On duty", head, "lll", rows, wide=2, note=f"{note[:1].upper()}{note[1:]}.")


_PART = {"by": "spoke", "with": "stood by as the second person"}


def the_shoe(said: Said) -> Section:
    """What it was made of, who looked at it, and how it came to the table."""
    events = [(each, stated(each)) for each in said.content.events if each.about == "shoe"]
    rows = [
        {"cells": [said.moment(each.at), words, place(each.position)]}
        for each, event in events
        if event and (words := _of_the_shoe(each.topic.partition(".")[2], event, each))
    ]
    coup = said.content.coup.rpartition("/")[2]
    head = ["Moment", "", "Record"]
    note = f"This was coup {coup} of the shoe."
    return section("The shoe", head, "rlr", rows, wide=1, note=note)


def _of_the_shoe(what: str, event: Told, pack_event: PackEvent) -> str:
    """Its preparation in words; nothing, where the cards tell it, or nobody can read it."""
    words = _PREPARED.get(what)
    if what == "inspected":
        event = {**event, "verified_by": _verified(event, pack_event)}
    try:
        return words(event) if words else ""
    except SENSELESS:
        return ""


def _verified(event: Told, pack_event: PackEvent) -> str:
    """Who counted along, and how that is known."""
    staff = event.get("verified_by") or ""
    return with_proof(staff, how_proved(staff, pack_event.actor, decoded(pack_event.metadata)))


def _loaded(event: Told) -> str:
    made_of = [f"{event['decks']} decks"]
    if event["serials"]:
        made_of.append(f"serials {', '.join(map(str, event['serials']))}")
    made_of += [f"{name} {event[name]}" for name in ("batch", "colour") if event[name]]
    return f"Loaded: {'; '.join(made_of)}"


def _shuffled(event: Told) -> str:
    sealed = f"; commitment {event['commitment']}" if event.get("commitment") else ""
    return f"Shuffled: {', '.join(filter(None, (event['method'], event['device'])))}{sealed}"


_PREPARED: Mapping[str, Callable[[Told], str]] = {
    "loaded": _loaded,
    "inspected": lambda event: (
        f"Inspected, and verified by {event['verified_by'] or 'nobody named'}"
    ),
    "shuffled": _shuffled,
    "cut": lambda event: (
        f"Cut by {event['cut_by'] or 'nobody named'}; "
        f"the cut card {event['cut_card']} from the back"
    ),
    "burned": lambda event: f"Burned: {symbol(event['card'])}, and {event['face_down']} face down",
    "passed": lambda event: f"Passed to {event['holder']}",
    "cut-card-shown": lambda event: f"The cut card came out, {event['cards_left']} cards left",
}
