"""What is to be said beside a what-if: what the table would have refused, what became of cards.

Each note is a sentence with the rule that it rests on.
"""

from collections import Counter
from collections.abc import Iterator

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
from domain.rules.cards import symbol

_FATES = {
    "carry": "carried, as the first of the next coup",
    "burn": "burned",
    "dummy": "left where it is, as the first of a coup without bets",
}

_MISDRAWN = {
    "carry": "carried, it is the coup's first (R-IRR-1)",
    "burn": "burned, it is in no coup (R-IRR-1)",
    "dummy": "it begins a coup without bets, before this one (R-IRR-1)",
}


def notes(told: WhatIf) -> list[str]:
    """Everything, in the order of the page: the record, the wagers, the cards, the money."""
    return [
        *_of_the_record(told),
        *_of_wagers(told),
        *_of_third_cards(told),
        *_of_cards(told),
        *_of_the_shoe(told),
        *_of_commission(told),
    ]


def _of_the_record(told: WhatIf) -> Iterator[str]:
    if told.recorded.stands is None:
        yield "It is not settled yet: all of it is beside nothing paid."
    elif told.recorded.void and not told.void:
        yield "It is void on record: told as if it had been played (R-IRR-5)."
    if told.void and len(told.changes) > 1:
        yield "It is void: whatever else is asked, every stake goes back (R-IRR-4)."


def _of_wagers(told: WhatIf) -> Iterator[str]:
    rules, table = told.rules, told.table
    before = set(told.recorded.wagers)
    judged = [each for each in told.wagers if each not in before]
    if any(isinstance(each, RulesAre) for each in told.changes):
        judged = list(told.wagers)
        limits = {"main": [rules.main.minimum, rules.main.maximum]}
        for spot in rules.spots:
            limits[spot] = [rules.limit(spot).minimum, rules.limit(spot).maximum]
        table = Table(limits, rules.differential)
    if judged:
        for words in refused_at_the_table(rules, table, judged, told.wagers):
            yield f"At the table it is refused: {words}."
    for wager in told.wagers:
        if wager.spot not in rules.spots:
            yield f"Seat {wager.seat} {wager.spot}: {rules.name} pays no such spot; it goes back."
    asked = [each for each in told.changes if isinstance(each, BetIs | BetMoved)]
    chairs = {each.to_seat if isinstance(each, BetMoved) else each.seat for each in asked}
    for seat in sorted(chairs & {each.seat for each in told.wagers if not each.patron}):
        yield f"Nobody is known to have sat at seat {seat}."


def _of_third_cards(told: WhatIf) -> Iterator[str]:
    for change in told.changes:
        if not isinstance(change, ThirdCard) or change.hand in told.hands.forced:
            continue
        made = [each for each in told.hands.decisions if each.hand == change.hand]
        for each in made:
            yield f"By the tableau too: {each.why} ({each.step.rule})."


def _of_cards(told: WhatIf) -> Iterator[str]:
    for change in told.changes:
        if not isinstance(change, CardIs):
            continue
        before = Counter(each.card for each in told.hands.dealt if each.n < change.n)
        if told.begun.out_before[change.card] + before[change.card] >= told.around.decks:
            out = f"All {told.around.decks} of {symbol(change.card)} were out by then"
            yield f"{out}: it cannot have been card {change.n} (R-CARD-3)."
    if told.short and told.hands.due:
        due = told.hands.due
        yield f"{due.hand.title()}'s card is due ({due.rule}), and no further card is on record."


def _of_the_shoe(told: WhatIf) -> Iterator[str]:
    for card in told.begun.misdrawn:
        yield f"{symbol(card)} came when none was due: {_MISDRAWN[told.begun.disposition]}."
    if told.begun.dummy:
        dealt = " ".join(symbol(each.card) for each in told.begun.dummy.dealt)
        yield f"The dummy takes {dealt}."
    for card in told.left_over:
        yield f"{symbol(card)} is left over: {_FATES[told.disposition]} (R-IRR-1)."
    if not told.left_over and any(isinstance(each, Then) for each in told.changes):
        hint = ""
        if told.around.misdrawn != Misdrawn():
            hint = " A card came before the coup when none was due: of that one ask with misdraw."
        yield f"No card is left over.{hint}"
    for each in told.taken:
        was = ", which was burned when none was due" if each.aside else ""
        yield f"{symbol(each.card)} is the shoe's next card{was}."
    if told.later and told.later.coups and told.around.cut_card_shown:
        yield "Where the cut card shows is not reckoned again (R-SHOE-3)."


def _of_commission(told: WhatIf) -> Iterator[str]:
    if told.short or told.void:
        return
    commission = told.rules.commission
    if commission.timing == "in-the-odds" and any(
        isinstance(each, RoundingIs) for each in told.changes
    ):
        yield f"{told.rules.name} takes its commission in the odds: nothing is rounded."
    if commission.rounding.moment == "on-collection" and any(
        each.commission_exact for each in told.payments
    ):
        yield (
            "Commission is rounded when it is collected, with what else is owed then: here it is "
            "told as if it were collected by itself (R-COM-3)."
        )
