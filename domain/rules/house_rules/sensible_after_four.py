"""Checks for sense of bets after the first four cards, when a rule set is approved (R-BET-8)."""

from collections.abc import Iterator

from domain.rules.after_four import looks_beyond
from domain.rules.choices import OF_RULE_FILES
from domain.rules.conditions import Unreadable, condition
from domain.rules.house_rules.model import HouseRules
from domain.rules.odds.pack import whole
from domain.rules.odds.tally import fitting_after
from domain.rules.refusals import BadValue
from domain.rules.spots import OPPOSITE
from domain.rules.wording import Words

LONGEST = 350  # characters of a condition on the first four cards
LARGEST_PART = 1_000_000  # above or below the line of a part


def after_four_faults(rules: HouseRules, spot: str) -> Iterator[BadValue]:
    """Every fault of a spot's terms after four cards, and of the part that a bet may be."""
    yield from _of_the_part(rules, spot)
    if rules.terms[spot].after_four:
        yield from _of_the_offer(rules, spot)
        return
    for other in rules.terms[spot].beside:
        if rules.terms_of(other).after_four:
            why = "it is bet only after the first four cards; write bets from before the first card"
            yield BadValue(field=f"terms.{spot}.beside", value=repr(other), why=why)


def _of_the_part(rules: HouseRules, spot: str) -> Iterator[BadValue]:
    terms = rules.terms[spot]
    if terms.up_to is None:
        return
    field, (part, of) = f"terms.{spot}.up_to", terms.up_to
    if not terms.beside:
        why = "it is a part of the bet beside it, so write beside too"
        yield BadValue(field=field, value=f"{part}/{of}", why=why)
    if not (0 < part <= LARGEST_PART and 0 < of <= LARGEST_PART):
        yield BadValue(field=field, value=f"{part}/{of}", why="write a part, as in 1/2, 1 or 150%")


def _of_the_offer(rules: HouseRules, spot: str) -> Iterator[BadValue]:
    """Faults of the condition, where it is stated at all."""
    when = rules.terms[spot].after_four
    field, shown = f"terms.{spot}.after_four", repr(when[:80])
    if spot in (*OPPOSITE, "tie"):
        why = "this bet is placed before the first card; name another spot"
        yield BadValue(field=field, value=shown, why=why)
    if spot in rules.progressives:
        why = "a bet with a meter is placed before the first card"
        yield BadValue(field=field, value=shown, why=why)
    if rules.clock or rules.accounts:
        why = "only a dealer waits for such bets, so leave clock and accounts out"
        yield BadValue(field=field, value=shown, why=why)
    if len(when) > LONGEST:
        yield BadValue(field=field, value=shown, why=f"write at most {LONGEST} characters")
        return
    try:
        beyond = looks_beyond(condition(when))
    except Unreadable as error:
        why = Words("{why}; {place} lists all", why=error.args[0], place=OF_RULE_FILES)
        yield BadValue(field=field, value=shown, why=why)
        return
    if beyond:
        why = "say it of the first two cards of a hand, as in first two player cards make 5"
        yield BadValue(field=field, value=shown, why=why)
    elif spot in rules.spots:
        yield from _undecided(rules, spot)


def _undecided(rules: HouseRules, spot: str) -> Iterator[BadValue]:
    """Cards after which nothing is drawn, and lines by which no offered bet is decided."""
    when, table = rules.terms[spot].after_four, rules.spots[spot].pays
    try:
        fits = fitting_after(table, when, whole(rules.decks))
    except Unreadable:  # a line of the pay table, which is a fault of its own
        return
    if not fits:
        why = "no third card is due then; write totals up to 7, and one of them up to 5"
        yield BadValue(field=f"terms.{spot}.after_four", value=repr(when), why=why)
        return
    for n, line in enumerate(table):
        if not any(fit[:1] == (n,) for _, fit in fits):
            why = "it never decides where this bet is offered"
            yield BadValue(field=f"spots.{spot}.pays", value=repr(line.when), why=why)
