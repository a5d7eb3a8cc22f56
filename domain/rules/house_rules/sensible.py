"""Checks of a rule set for sense, when it is approved; never on one that is on record."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from msgspec import to_builtins

from domain.rules.choices import OF_RULE_FILES, one_of
from domain.rules.conditions import Unreadable, condition
from domain.rules.house_rules.model import HouseRules, Limit
from domain.rules.house_rules.sensible_after_four import after_four_faults
from domain.rules.house_rules.sensible_coupons import coupon_faults
from domain.rules.house_rules.sensible_meters import meter_faults
from domain.rules.house_rules.sensible_over_coups import over_coups_faults
from domain.rules.money import LARGEST_AMOUNT, Rounding, is_currency, major, share
from domain.rules.odds.pack import whole
from domain.rules.odds.tally import fitting
from domain.rules.over_coups import is_line
from domain.rules.refusals import BadValue
from domain.rules.spots import SPOT, THE_TRADES, OwnSpot
from domain.rules.wagers import PUSH, PayLine, PayTable
from domain.rules.wording import Words

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*@[1-9][0-9]{0,3}")
SPOT_NAME = re.compile(r"[a-z]+(-[a-z0-9]+)*", re.ASCII)
KEY = re.compile(r"[a-jln-z][a-z]{1,3}", re.ASCII)  # after an amount `k` and `m` multiply
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z]+)?", re.ASCII)
LONGEST_CLOTH, LONGEST_LABEL = 12, 32
ROWS = range(21)
MOST_COUPS = 30  # at the beginning or the end of a shoe, in which a bet is not taken
DECKS = range(1, 13)
SEATS = range(1, 1_000)
MOST_TO_ONE = 100_000
LONGEST_SOURCE = 500
MOST_SECONDS = 3_600  # of a clock, and coups in an hour
MOST_STEPS = 20_000  # increments tried for a charge that the chips cannot make


def require_sensible(rules: HouseRules) -> None:
    """Refuses a rule set that cannot be dealt or paid by. Refuses: BadValue."""
    for fault in faults(rules):
        raise fault


def faults(rules: HouseRules) -> Iterator[BadValue]:
    """Every fault of a rule set, as a refusal."""
    yield from _head(rules)
    yield from _spots(rules)
    yield from _own_spots(rules)
    yield from _spot_terms(rules)
    yield from meter_faults(rules)
    yield from coupon_faults(rules)
    yield from _amounts(rules)
    yield from _commission(rules)
    yield from _shoe(rules)
    yield from _clock(rules)
    yield from _pace(rules)
    seats = rules.seats
    if not seats or len(set(seats)) < len(seats) or not set(seats) <= set(SEATS):
        yield _fault("seats", list(seats), "write different numbers from 1 to 999")


def _clock(rules: HouseRules) -> Iterator[BadValue]:
    for name, number in to_builtins(rules.clock).items() if rules.clock else ():
        if not 1 <= number <= MOST_SECONDS:
            yield _fault(f"clock.{name}", number, f"write 1 to {MOST_SECONDS}")


def _pace(rules: HouseRules) -> Iterator[BadValue]:
    """Faults of a pace that no table could keep."""
    if rules.pace is None:
        return
    slowest, fastest = rules.pace.slowest, rules.pace.fastest
    for name, number in to_builtins(rules.pace).items():
        if not 1 <= number <= MOST_SECONDS:
            yield _fault(f"pace.{name}", number, f"write 1 to {MOST_SECONDS}")
    if fastest < slowest:
        yield _fault("pace.fastest", fastest, f"the slowest is {slowest}")
    if rules.clock and rules.clock.coups_per_hour < slowest:
        why = f"the clock deals at most {rules.clock.coups_per_hour} coups an hour"
        yield _fault("pace.slowest", slowest, why)


def _fault(field: str, value: object, why: str) -> BadValue:
    return BadValue(field=field, value=value, why=why)


def _head(rules: HouseRules) -> Iterator[BadValue]:
    if not NAME.fullmatch(rules.name) or len(rules.name) > 64:
        yield _fault("name", repr(rules.name), "write a word and its version, as in riverside@1")
    source = rules.source
    if not source.strip() or not source.isprintable() or len(source) > LONGEST_SOURCE:
        why = f"write in one line, up to {LONGEST_SOURCE} characters, where the rules come from"
        yield _fault("source", ascii(source[:80]), why)
    if not is_currency(rules.currency):
        why = "there is no such currency; write three letters of ISO 4217, as in USD"
        yield _fault("currency", repr(rules.currency), why)


def _spots(rules: HouseRules) -> Iterator[BadValue]:
    if not rules.spots:
        yield _fault("spots", "none", "state at least one spot")
    for spot, stated in rules.spots.items():
        if spot not in THE_TRADES and spot not in rules.own_spots:
            yield _fault("spots", spot, one_of(THE_TRADES, spot, OF_RULE_FILES))
        over = spot in rules.over_coups
        pays = _pays(f"spots.{spot}.pays", stated.pays, rules.decks)
        yield from over_coups_faults(rules, spot) if over else pays


def _own_spots(rules: HouseRules) -> Iterator[BadValue]:
    keys: Counter[str] = Counter(SPOT[spot].key for spot in THE_TRADES)
    keys.update(own.key for own in rules.own_spots.values())
    for spot, own in rules.own_spots.items():
        field = f"spots.{spot}"
        if spot in THE_TRADES:
            yield _fault(field, "named again", "it is the trade's; leave key, cloth and row out")
        if not SPOT_NAME.fullmatch(spot) or len(spot) > LONGEST_LABEL or spot == "main":
            why = f"write up to {LONGEST_LABEL} small letters, as in lucky-nines"
            yield _fault(field, repr(spot), why)
        if not KEY.fullmatch(own.key):
            why = "write 2 to 4 small letters, the first one not k or m, as in ln"
            yield _fault(f"{field}.key", repr(own.key), why)
        elif keys[own.key] > 1:
            yield _fault(f"{field}.key", own.key, "another spot has it; choose another key")
        if len(own.cloth) > LONGEST_CLOTH or not own.cloth.isprintable():
            yield _fault(f"{field}.cloth", repr(own.cloth), f"write up to {LONGEST_CLOTH} letters")
        if own.row is not None and own.row not in ROWS:
            yield _fault(f"{field}.row", own.row, "write 0, at the patron, to 20, at the dealer")
        yield from _labels(field, own)


def _spot_terms(rules: HouseRules) -> Iterator[BadValue]:
    yield from _coups("free_hands", to_builtins(rules.free_hands) or {})
    for spot, terms in rules.terms.items():
        field = f"terms.{spot}"
        if spot not in rules.spots:
            yield _fault(field, "stated", "it is not offered")
        for other in terms.beside:
            yield from _beside(rules, f"{field}.beside", spot, other)
        if len(set(terms.seats)) < len(terms.seats) or not set(terms.seats) <= set(rules.seats):
            why = f"write different ones of {', '.join(map(str, rules.seats))}"
            yield _fault(f"{field}.seats", list(terms.seats), why)
        most, smallest = terms.most_won, min(rules.chips, default=1)
        if most is not None and (not 0 < most <= LARGEST_AMOUNT or most % max(smallest, 1)):
            why = f"write an amount that chips of {_say(rules)(smallest)} can make"
            yield _fault(f"{field}.most_won", _say(rules)(most), why)
        coups = {name: getattr(terms, name) for name in ("not_in_first", "not_in_last")}
        yield from _coups(field, coups)
        yield from after_four_faults(rules, spot)


def _coups(field: str, numbers: Mapping[str, int]) -> Iterator[BadValue]:
    for name, number in numbers.items():
        if not 0 <= number <= MOST_COUPS:
            yield _fault(f"{field}.{name}", number, f"write 0 to {MOST_COUPS} coups")


def _beside(rules: HouseRules, field: str, spot: str, other: str) -> Iterator[BadValue]:
    """Faults of a bet that a bet on the spot has to be beside."""
    if other == spot or other not in rules.spots:
        others = [each for each in rules.spots if each != spot]
        yield _fault(field, repr(other), one_of(others, other, OF_RULE_FILES))
    elif rules.terms_of(other).beside:
        why = "it is itself taken only beside another bet; write those bets"
        yield _fault(field, repr(other), why)


def _labels(field: str, own: OwnSpot) -> Iterator[BadValue]:
    for language, label in own.labels.items():
        if not LANGUAGE.fullmatch(language):
            yield _fault(f"{field}.labels", repr(language), "write a language, as in de")
        if not label.strip() or not label.isprintable() or len(label) > LONGEST_LABEL:
            why = f"write up to {LONGEST_LABEL} letters in one line"
            yield _fault(f"{field}.labels.{language}", repr(label), why)


def _pays(field: str, table: PayTable, decks: int) -> Iterator[BadValue]:
    unreadable = False
    for line in table:
        try:
            condition(line.when)
        except Unreadable as error:
            unreadable = True
            why = Words("{why}; {place} lists all", why=error.args[0], place=OF_RULE_FILES)
            if is_line(line.when):
                why = Words("it counts coups; state over in the bet's terms too")
            yield _fault(field, repr(line.when), why)
        to, each = line.pays
        if line.of_meter and not 0 < to <= each:
            yield _fault(field, line.text, "write meter, or a part of it, as in 10% of the meter")
        elif line.pays != PUSH and not (0 < to <= MOST_TO_ONE and 0 < each <= MOST_TO_ONE):
            yield _fault(field, f"{to}:{each}", "write odds as in 8:1, or push")
    if all(line.pays == PUSH for line in table):
        yield _fault(field, "without a win", "state at least one condition that pays")
    if len({line.when for line in table}) < len(table):
        yield _fault(field, "twice the same", "state each condition once")
    elif not unreadable and decks in DECKS:
        yield from _in_vain(field, table, decks)


def _in_vain(field: str, table: PayTable, decks: int) -> Iterator[BadValue]:
    """Lines by which no coup is decided, or every coup."""
    fits = fitting(table, whole(decks))
    for n, line in enumerate(table):
        if not any(n in lines for lines in fits):
            yield _fault(field, repr(line.when), "no coup can end so")
        elif all(n in lines for lines in fits):
            yield _fault(field, repr(line.when), "every coup ends so")
        elif not any(lines[:1] == (n,) for lines in fits):
            yield _fault(field, repr(line.when), "it never decides, because of the lines above it")


def _amounts(rules: HouseRules) -> Iterator[BadValue]:
    chips, step, say = rules.chips, rules.increment, _say(rules)
    if not chips or min(chips) < 1 or len(set(chips)) < len(chips):
        yield _fault(
            "chips", ", ".join(map(say, chips)) or "none", "write different amounts above 0"
        )
        return
    smallest = min(chips)
    for chip in chips:
        if chip % smallest:
            yield _fault("chips", say(chip), f"it is no multiple of the smallest, {say(smallest)}")
    if step < 1 or step % smallest:
        yield _fault("increment", say(step), f"chips of {say(smallest)} cannot make it")
        return
    yield from _limit("limits.main", rules.main, rules)
    for spot, stated in rules.spots.items():
        if stated.limit:
            yield from _limit(f"limits.{spot}", stated.limit, rules)
        most = rules.limit(spot).maximum
        if rules.most_paid(spot, most) > LARGEST_AMOUNT:
            why = "it would be paid more than 2^53 minor units"
            yield _fault(f"limits.{spot if stated.limit else 'main'}.maximum", say(most), why)
    apart = rules.differential
    if apart is not None and (apart % step or apart < rules.main.minimum):
        why = f"write a multiple of {say(step)}, at least the main minimum"
        yield _fault("differential", say(apart), why)


def _limit(field: str, limit: Limit, rules: HouseRules) -> Iterator[BadValue]:
    step, say = rules.increment, _say(rules)
    for bound, amount in (("minimum", limit.minimum), ("maximum", limit.maximum)):
        if amount % step or not 0 < amount <= LARGEST_AMOUNT:
            yield _fault(f"{field}.{bound}", say(amount), f"it is no multiple of {say(step)}")
    if limit.minimum > limit.maximum:
        why = f"it is under the minimum of {say(limit.minimum)}"
        yield _fault(f"{field}.maximum", say(limit.maximum), why)


def _say(rules: HouseRules) -> Callable[[int], str]:
    """Writes amounts in the rule set's currency."""
    return lambda amount: major(amount, rules.currency)


def _commission(rules: HouseRules) -> Iterator[BadValue]:
    taken, of = rules.commission.rate
    rounding, timing = rules.commission.rounding, rules.commission.timing
    shown = f"{taken} of {of}"
    if of < 1 or not 0 <= taken < of:
        yield _fault("commission.rate", shown, "write 0% or more, and less than 100%")
        return
    if 10**18 % of:
        yield _fault("commission.rate", shown, "write a rate with an end as a decimal number")
    if rounding.unit < 1 or rounding.minimum < 0:
        yield _fault("commission.rounding", "below 0", "write whole minor units")
    if rounding.mode == "exact" and rounding.unit != 1:
        yield _fault("commission.rounding.unit", rounding.unit, "the mode exact takes no unit")
    if rounding.minimum and rounding.moment != "per-win":
        why = "a minimum is per win, so write the moment per-win"
        yield _fault("commission.rounding.minimum", major(rounding.minimum, rules.currency), why)
    if rounding.moment == "on-collection" and timing != "deferred":
        why = "commission is collected later only if the timing is deferred"
        yield _fault("commission.rounding.moment", "on-collection", why)
    if rules.accounts and timing != "in-the-odds":
        why = "commission is taken in chips; with game accounts state it in the odds"
        yield _fault("accounts", "true", why)
    if timing == "in-the-odds":
        yield from _in_the_odds(rules)
    elif taken and rules.chips and min(rules.chips) > 0 < of and rounding.unit > 0:
        yield from _not_payable(rules)


def _not_payable(rules: HouseRules) -> Iterator[BadValue]:
    """Faults of charges that the table's chips cannot make (R-COM-3)."""
    rounding, smallest, say = rules.commission.rounding, min(rules.chips), _say(rules)
    why = f"chips of {say(smallest)} cannot make it"
    if rounding.minimum % smallest:
        yield _fault("commission.rounding.minimum", say(rounding.minimum), why)
    if rounding.mode != "exact":
        if rounding.unit % smallest:
            yield _fault("commission.rounding.unit", say(rounding.unit), why)
        return
    for line in rules.spots["banker"].pays if "banker" in rules.spots else ():
        unpayable = _charged_in_vain(rules, line) if line.pays != PUSH else None
        if unpayable:
            won, charged = map(say, unpayable)
            round_up = f'state rounding = {{mode = "up", unit = "{say(smallest)}"}}'
            why = f"of {won} won it charges {charged}, and {why}; {round_up}"
            yield _fault("commission.rounding.mode", "exact", why)
            return


def _charged_in_vain(rules: HouseRules, line: PayLine) -> tuple[int, int] | None:
    """Winnings and a charge on them that the chips cannot make, or None if they make each.

    If the chips make the charge of one step, they make every multiple; if not, some multiple fails
    as soon as the missing parts add up to a minor unit.
    """
    smallest, (to, each), step = min(rules.chips), line.pays, rules.increment
    rate = rules.commission.rate
    whole = step * to // each if step * to % each == 0 else 1
    if smallest == 1 or share(whole, rate) % smallest == 0:
        return None
    first = -(-rules.limit("banker").minimum // step)
    for steps in range(first, first + MOST_STEPS):
        won = step * steps * to // each
        charged = rules.commission.rounding.charge(share(won, rate))
        if charged % smallest:
            return won, charged
    return None


def _in_the_odds(rules: HouseRules) -> Iterator[BadValue]:
    """Faults where no commission is taken: the rate is what Banker's odds withhold, or 0."""
    taken, of = rules.commission.rate
    if rules.commission.rounding != Rounding():
        why = "the commission is in the odds, so leave rounding out"
        yield _fault("commission.rounding", "set", why)
    banker = rules.spots["banker"].pays if "banker" in rules.spots else ()
    withheld = [
        (line.pays[1] - line.pays[0]) * of == taken * line.pays[1]
        for line in banker
        if line.when == "banker wins"
    ]
    if taken and withheld != [True]:
        why = "the commission is in the odds: write the part that Banker's odds withhold"
        yield _fault("commission.rate", f"{taken} of {of}", why)


def _shoe(rules: HouseRules) -> Iterator[BadValue]:
    allowed = rules.decks_allowed
    if not allowed or len(set(allowed)) < len(allowed) or not set(allowed) <= set(DECKS):
        yield _fault("decks_allowed", list(allowed), "write different numbers from 1 to 12")
        return
    if rules.decks not in allowed:
        why = f"write one of the decks allowed: {', '.join(map(str, allowed))}"
        yield _fault("decks", rules.decks, why)
    fewest = 52 * min(allowed)
    if not 0 < rules.cut_card < fewest:
        yield _fault("cut_card", rules.cut_card, f"the smallest shoe has {fewest} cards")
    if rules.burn != "fixed" and rules.burn_face_down:
        why = "only the burn fixed takes a number"
        yield _fault("burn_face_down", rules.burn_face_down, why)
    if not 0 <= rules.burn_face_down < fewest - 1:
        why = f"the smallest shoe has {fewest} cards"
        yield _fault("burn_face_down", rules.burn_face_down, why)
