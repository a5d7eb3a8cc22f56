"""Checks for sense of bets on the next coups, when a rule set is approved (R-BET-9)."""

from collections.abc import Iterator

from domain.rules.choices import OF_RULE_FILES
from domain.rules.conditions import Unreadable, condition
from domain.rules.house_rules.model import HouseRules
from domain.rules.odds.pack import whole
from domain.rules.odds.tally import fitting
from domain.rules.over_coups import OverCoups, Score, is_line, judge_coups
from domain.rules.refusals import BadValue
from domain.rules.spots import OPPOSITE
from domain.rules.wagers import PUSH, PayLine, PayTable
from domain.rules.wording import Words

COUPS = range(2, 21)  # that such a bet may be on
LONGEST = 200  # characters of a condition by which it wins a coup, or skips one
MOST_TO_ONE = 100_000


def over_coups_faults(rules: HouseRules, spot: str) -> Iterator[BadValue]:
    """Every fault of a bet on several coups, and of what it pays."""
    over, field = rules.over_coups[spot], f"terms.{spot}.over"
    yield from _not_with(rules, spot, field)
    if over.coups not in COUPS:
        why = f"write {COUPS[0]} to {COUPS[-1]} coups"
        yield BadValue(field=f"{field}.coups", value=over.coups, why=why)
        return
    unreadable = list(_conditions(over, field))
    yield from unreadable
    if not unreadable and rules.decks in range(1, 13):
        yield from _in_vain(over, field, rules.decks)
    yield from _lines(over, f"spots.{spot}.pays", rules.spots[spot].pays)


def _not_with(rules: HouseRules, spot: str, field: str) -> Iterator[BadValue]:
    """Terms that such a bet does not have: each depends on one coup, or needs no dealer."""
    terms = rules.terms[spot]
    if spot in (*OPPOSITE, "tie"):
        yield BadValue(field=field, value="stated", why="this bet is decided by its own coup")
    for name in ("beside", "up_to", "after_four", "most_won"):
        if getattr(terms, name):
            why = f"a bet on several coups has no {name}; leave one of them out"
            yield BadValue(field=field, value="stated", why=why)
    if spot in rules.progressives:
        why = "a bet with a meter is decided by its own coup"
        yield BadValue(field=field, value="stated", why=why)
    if rules.clock or rules.accounts:
        why = "only a dealer looks after such bets, so leave clock and accounts out"
        yield BadValue(field=field, value="stated", why=why)


def _conditions(over: OverCoups, field: str) -> Iterator[BadValue]:
    """Conditions that cannot be read."""
    for name, when in (("wins", over.wins), ("skips", over.skips or over.wins)):
        shown = repr(when[:80])
        if len(when) > LONGEST:
            why = f"write at most {LONGEST} characters"
            yield BadValue(field=f"{field}.{name}", value=shown, why=why)
            continue
        try:
            condition(when)
        except Unreadable as error:
            words = Words("{why}; {place} lists all", why=error.args[0], place=OF_RULE_FILES)
            yield BadValue(field=f"{field}.{name}", value=shown, why=words)


def _in_vain(over: OverCoups, field: str, decks: int) -> Iterator[BadValue]:
    """Conditions that are so of every coup, or of none."""
    wins = fitting((PayLine(over.wins, (1, 1)),), whole(decks))
    skips = fitting((PayLine(over.skips or over.wins, PUSH),), whole(decks))
    for name, fits in (("wins", wins), ("skips", skips)):
        if len(fits) < 2:
            how = "every coup ends so" if next(iter(fits)) else "no coup can end so"
            yield BadValue(field=f"{field}.{name}", value=repr(getattr(over, name)), why=how)
            return
    if over.skips:
        both = fitting((PayLine(over.skips, PUSH), PayLine(over.wins, (1, 1))), whole(decks))
        for only, why in (((1,), "it skips each coup that it wins"), ((), "no coup is lost")):
            if only not in both:
                yield BadValue(field=f"{field}.skips", value=repr(over.skips), why=why)


def _lines(over: OverCoups, field: str, table: PayTable) -> Iterator[BadValue]:
    """Lines that cannot be read or paid, or that decide no bet."""
    faults = list(_unreadable(over, field, table))
    yield from faults
    if all(line.pays == PUSH for line in table):
        why = "state at least one line that pays"
        yield BadValue(field=field, value="without a win", why=why)
    if faults:
        return
    decided = {judge_coups(over, table, end) for end in _ends(over)}
    lines = {each.line for each in decided if each}
    for line in table:
        if line not in lines:
            why = "it never decides, because of the lines above it"
            yield BadValue(field=field, value=repr(line.when), why=why)
    if None not in lines and len(lines) == 1:
        yield BadValue(field=field, value=repr(table[0].when), why="every bet ends so")


def _unreadable(over: OverCoups, field: str, table: PayTable) -> Iterator[BadValue]:
    for line in table:
        to, each = line.pays
        if not is_line(line.when):
            why = "over several coups write won 3, won 2 or more, or in a row 4"
            yield BadValue(field=field, value=repr(line.when[:80]), why=why)
        elif int("".join(filter(str.isdigit, line.when))) > over.coups:
            why = f"the bet is on {over.coups} coups"
            yield BadValue(field=field, value=repr(line.when), why=why)
        if line.of_meter or (
            line.pays != PUSH and not (0 < to <= MOST_TO_ONE and 0 < each <= MOST_TO_ONE)
        ):
            yield BadValue(field=field, value=line.text, why="write odds as in 8:1, or push")


def _ends(over: OverCoups) -> set[Score]:
    """How such a bet may have done after all its coups."""
    ends = {Score()}
    for _ in range(over.coups):
        ends = {each.after(won=won) for each in ends for won in (True, False)}
    return ends
