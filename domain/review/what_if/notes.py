"""Notes on a what-if: what the table would have refused, and where cards go.

Each note is a sentence with its rule.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from domain.review.what_if.changes import (
    BetIs,
    BetMoved,
    CardIs,
    RoundingIs,
    RulesAre,
    Then,
    ThirdCard,
)
from domain.review.what_if.misdraw import Misdrawn
from domain.review.what_if.question import WhatIf
from domain.review.what_if.wagers import Table, refused_at_the_table
from domain.rules.after_four import are_so, goes_on
from domain.rules.cards import symbol
from domain.rules.spots import spot_label
from domain.rules.wording import N_, Words

_LEFT_OVER: Mapping[str, str] = {
    "carry": N_("{card} is left over: it is carried, as the first of the next coup (R-IRR-1)."),
    "burn": N_("{card} is left over: it is burned (R-IRR-1)."),
    "dummy": N_("{card} is left over: it is the first of a coup without bets (R-IRR-1)."),
}

_MISDRAWN: Mapping[str, str] = {
    "carry": N_("{card} came when none was due: carried, it is the coup's first card (R-IRR-1)."),
    "burn": N_("{card} came when none was due: burned, it is in no coup (R-IRR-1)."),
    "dummy": N_(
        "{card} came when none was due: it begins a coup without bets, before this one (R-IRR-1)."
    ),
}

# Whether the card had been put aside.
_TAKEN: Mapping[bool, str] = {
    False: N_("{card} is the next card of the shoe."),
    True: N_("{card} is the next card of the shoe, which was burned when none was due."),
}


def notes(answer: WhatIf) -> list[Words]:
    """All notes, in the order of the page: the record, the wagers, the cards, the money."""
    return [
        *_of_the_record(answer),
        *_of_wagers(answer),
        *_of_bets_over_coups(answer),
        *_of_third_cards(answer),
        *_of_cards(answer),
        *_of_the_shoe(answer),
        *_of_meters(answer),
        *_of_coupons(answer),
        *_of_commission(answer),
    ]


def _of_the_record(answer: WhatIf) -> Iterator[Words]:
    if answer.recorded.final is None:
        yield Words("The coup is not settled, so there is no payment to compare with.")
    elif answer.recorded.void and not answer.void:
        yield Words("The coup is void on record; this is as if it had been played (R-IRR-5).")
    if answer.void and len(answer.changes) > 1:
        yield Words(
            "The coup is void, so every stake is returned, whatever else is asked (R-IRR-4)."
        )


def _of_wagers(answer: WhatIf) -> Iterator[Words]:
    rules, table = answer.rules, answer.table
    before = set(answer.recorded.wagers)
    judged = [each for each in answer.wagers if each not in before]
    if any(isinstance(each, RulesAre) for each in answer.changes):
        judged = list(answer.wagers)
        limits = {"main": [rules.main.minimum, rules.main.maximum]}
        for spot in rules.spots:
            limits[spot] = [rules.limit(spot).minimum, rules.limit(spot).maximum]
        table = Table(limits, rules.differential, nth=table.nth)
    if judged:
        for refusal in refused_at_the_table(rules, table, judged, answer.wagers):
            yield Words(
                "The table would refuse this ({rule}): {refusal}",
                rule=refusal.rule,
                refusal=refusal.words,
            )
    for wager in answer.wagers:
        if wager.spot not in rules.spots:
            yield Words(
                "Seat {seat}'s wager on {spot} is returned: {rules} has no such spot.",
                seat=wager.seat,
                spot=spot_label(wager.spot),
                rules=rules.name,
            )
        elif wager.spot in rules.after_four and not _is_offered(answer, wager.spot):
            yield Words(
                "{spot} is not offered on these four cards (R-BET-8).", spot=spot_label(wager.spot)
            )
    asked = [each for each in answer.changes if isinstance(each, BetIs | BetMoved)]
    chairs = {each.to_seat if isinstance(each, BetMoved) else each.seat for each in asked}
    for seat in sorted(chairs & {each.seat for each in answer.wagers if not each.patron}):
        yield Words("It is not known who sat at seat {seat}.", seat=seat)


def _of_bets_over_coups(answer: WhatIf) -> Iterator[Words]:
    """Bets on several coups whose other coups the answer does not play again (R-BET-9)."""
    for wager in answer.recorded.undecided:
        yield Words(
            "Seat {seat}'s bet on {spot} went on to the next coup and is left out (R-BET-9).",
            seat=wager.seat,
            spot=spot_label(wager.spot),
        )
    for wager in answer.wagers:
        if wager.run and wager.run.recounted:
            yield Words(
                "Seat {seat}'s bet on {spot} is paid by all of its coups as they are on record "
                "(R-BET-9).",
                seat=wager.seat,
                spot=spot_label(wager.spot),
            )


def _is_offered(answer: WhatIf, spot: str) -> bool:
    """Whether the first four cards offer a bet on a spot; not where no third card is due."""
    four = [dealt.card for dealt in answer.hands.dealt[:4]]
    return goes_on(four) and are_so(answer.rules.terms[spot].after_four, four)


def _of_third_cards(answer: WhatIf) -> Iterator[Words]:
    for change in answer.changes:
        if not isinstance(change, ThirdCard) or change.hand in answer.hands.forced:
            continue
        made = [each for each in answer.hands.decisions if each.hand == change.hand]
        for each in made:
            yield Words(
                "The tableau says the same: {why} ({rule}).", why=each.why, rule=each.step.rule
            )


def _of_cards(answer: WhatIf) -> Iterator[Words]:
    for change in answer.changes:
        if not isinstance(change, CardIs):
            continue
        before = Counter(each.card for each in answer.hands.dealt if each.n < change.n)
        if answer.begun.out_before[change.card] + before[change.card] >= answer.around.decks:
            yield Words(
                "Card {n} cannot have been {card}: all {decks} of them were already out "
                "(R-CARD-3).",
                n=change.n,
                card=symbol(change.card),
                decks=answer.around.decks,
            )
    if answer.short and answer.hands.due:
        due = answer.hands.due
        yield Words(
            "{hand}'s card is due ({rule}), but no further card is on record.",
            hand=spot_label(due.hand),
            rule=due.rule,
        )


def _of_the_shoe(answer: WhatIf) -> Iterator[Words]:
    for card in answer.begun.misdrawn:
        yield Words(_MISDRAWN[answer.begun.disposition], card=symbol(card))
    if answer.begun.dummy:
        dealt = " ".join(symbol(each.card) for each in answer.begun.dummy.dealt)
        yield Words("The coup without bets takes {cards}.", cards=dealt)
    for card in answer.left_over:
        yield Words(_LEFT_OVER[answer.disposition], card=symbol(card))
    if not answer.left_over and any(isinstance(each, Then) for each in answer.changes):
        yield Words("No card is left over.")
        if answer.around.misdrawn != Misdrawn():
            yield Words("For the card that came before the coup, ask with `misdraw`.")
    for each in answer.taken:
        yield Words(_TAKEN[each.aside], card=symbol(each.card))
    if answer.later and answer.later.coups and answer.around.cut_card_shown:
        yield Words("The place of the cut card is not computed again (R-SHOE-3).")


def _of_meters(answer: WhatIf) -> Iterator[Words]:
    """Meters that would pay, of which the coup has no record."""
    recorded = answer.recorded
    wagers = [each.wager for each in answer.payments if each.payment.by_meter]
    for spot in sorted({recorded.paid_as.get((w.seat, w.spot), w.spot) for w in wagers}):
        if spot not in recorded.meters:
            yield Words(
                "It is not known what the meter of {spot} stood at, so what it would pay is left "
                "out (R-PROG-3).",
                spot=spot_label(spot),
            )


def _of_coupons(answer: WhatIf) -> Iterator[Words]:
    if answer.recorded.has_coupons:
        yield Words("What coupons would be paid is left out: they are no money (R-PROMO-4).")


def _of_commission(answer: WhatIf) -> Iterator[Words]:
    if answer.short or answer.void:
        return
    commission = answer.rules.commission
    if commission.timing == "in-the-odds" and any(
        isinstance(each, RoundingIs) for each in answer.changes
    ):
        yield Words(
            "{rules} takes its commission in the odds, so nothing is rounded.",
            rules=answer.rules.name,
        )
    if commission.rounding.moment == "on-collection" and any(
        each.commission_exact for each in answer.payments
    ):
        yield Words(
            "Commission is rounded when it is collected, together with other debts; here it is "
            "rounded alone (R-COM-3)."
        )
