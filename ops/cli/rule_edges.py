"""The exact edges of a rule set, as `sabot rules check` and `sabot rules new` show them."""

import math
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from domain.rules.house_rules import HouseRules, Progressive
from domain.rules.money import major
from domain.rules.odds import (
    SpotOdds,
    break_even_meter,
    count_deals,
    favoured_by_rounding,
    odds_by_totals,
)
from domain.rules.wagers import PUSH
from ops.cli.odds import (
    favouring,
    favours_at_minimum_words,
    favours_words,
    overlaps_words,
    pays,
    spot_as_dict,
    spots_of,
)
from ops.words import show
from ops.words.rule_terms import (
    coupon_words,
    kind_called,
    meter_words,
    taken_words,
    term_words,
    value_words,
)
from ops.words.terms import spot_called

if TYPE_CHECKING:
    from rich.table import Table


def edges_as_dict(rules: HouseRules) -> dict[str, object]:
    """The rule set's name, and each spot with its exact odds."""
    spots = spots_of(rules, rules.decks)
    edges = [spot_as_dict(rules, spot, each) for spot, each in spots.items()]
    for each in edges:
        if each["spot"] in rules.after_four:
            each["by_totals"] = by_totals_as_dict(rules, str(each["spot"]))
    body = {"ok": True, "name": rules.name, "digest": rules.digest, "spots": edges}
    at_minimum = [*favoured_by_rounding(rules, rules.decks)]
    return {
        **body,
        "favours_patron": favouring(spots),
        "favours_patron_at_minimum": at_minimum,
    }


def print_edges(rules: HouseRules) -> None:
    """Prints each spot with its edge, lines that overlap, and what favours the patron."""
    spots = spots_of(rules, rules.decks)
    page = show.console()
    page.print(_edges(rules, spots))
    for spot in rules.after_four:
        _print_by_totals(rules, spot, spots[spot])
    for words in taken(rules):
        page.print(words)
    at_minimum = favours_at_minimum_words(rules, rules.decks)
    for words in (*overlaps_words(rules, spots), *favours_words(spots), *at_minimum):
        page.print(words)


def by_totals_as_dict(rules: HouseRules, spot: str) -> list[dict[str, object]]:
    """The odds of a bet after four cards, by the totals then."""
    return [
        {
            "player": player,
            "banker": banker,
            "deals": each.deals,
            "edge_percent": each.house_percent,
        }
        for (player, banker), each in odds_by_totals(rules, spot, rules.decks).items()
    ]


def _print_by_totals(rules: HouseRules, spot: str, every: SpotOdds) -> None:
    """Prints a bet after four cards by the totals then, and by who takes it when (R-BET-8)."""
    page, decks = show.console(), rules.decks
    page.print()
    numbers = ("Player", "Banker", "house edge", "wins", "offered")
    table = table_of(spot, *numbers, right=numbers)
    by_totals, deals = odds_by_totals(rules, spot, decks), count_deals(decks).deals
    for (player, banker), each in by_totals.items():
        pays_at = ", ".join(
            pays(line)
            for line, ways in zip(rules.spots[spot].pays, each.lines, strict=True)
            if ways and line.pays != PUSH
        )
        table.add_row(
            pays_at,
            *(str(player), str(banker), f"{float(-each.edge):z.4%}"),
            *(f"{each.wins / each.deals:.4%}", f"1 coup in {deals / each.deals:,.0f}"),
        )
    page.print(table)
    (player, banker), dearest = max(by_totals.items(), key=lambda each: each[1].edge)
    good = [each for each in by_totals.values() if each.edge > 0]
    page.print(
        f"{spot_called(spot)} is offered in {every.deals / deals:.4%} of coups. A patron who takes "
        f"every offer {_wins_or_loses(every.edge)} of these bets; of the dearest, when Player "
        f"has {player} and Banker {banker}, the patron {_wins_or_loses(dearest.edge)}."
    )
    if good:
        taken_then = sum(each.deals for each in good)
        gain = float(sum(each.edge * each.deals for each in good) / taken_then)
        page.print(
            f"A patron who takes only the offers that favour patrons bets in "
            f"{taken_then / deals:.4%} of coups, and wins {gain:z.4%} of these bets."
        )


def _wins_or_loses(edge: Fraction) -> str:
    return f"{'wins' if edge > 0 else 'loses'} {float(abs(edge)):.4%}"


def taken(rules: HouseRules) -> Iterator[str]:
    """When each bet with such terms is taken (R-BET-6)."""
    if rules.both_sides != "forbidden":
        who = value_words("both_sides", rules.both_sides, rules.currency)
        yield f"{term_words('both_sides')}: {who}."
    if rules.burn_between != "none":
        burned = value_words("burn_between", rules.burn_between, rules.currency)
        yield f"{term_words('burn_between')}: {burned}."
    if rules.free_hands:
        for name in ("in_a_row", "at_start"):
            yield f"{term_words(f'free_hands {name}')}: {getattr(rules.free_hands, name)}."
    for spot, terms in rules.terms.items():
        yield f"{spot_called(spot)}: {taken_words(terms, rules.currency)}."
    for kind, coupon in rules.coupons.items():
        yield f"{kind_called(kind)}: {coupon_words(coupon)} (R-PROMO-1)."
    for spot, meter in rules.progressives.items():
        yield f"{spot_called(spot)}: {meter_words(meter, rules.currency, hidden=True)} (R-PROG-1)."
        if meter.must_hit_by is not None:
            yield _must_be_won(rules, spot, meter)
        even = break_even_meter(rules, spot, rules.decks)
        if even is not None:
            least, at = (
                major(each, rules.currency)
                for each in (rules.limit(spot).minimum, max(math.ceil(even), 0))
            )
            beyond = meter.must_hit_by is not None and even > meter.must_hit_by
            favours = "" if beyond else f" From a meter of {at} on, the bet favours the patron."
            yield (
                f"{spot_called(spot)}: the edge is that of a wager of {least}, with the meter at "
                f"its seed.{favours}"
            )


def _must_be_won(rules: HouseRules, spot: str, meter: Progressive) -> str:
    """What a meter pays because it must be won, which no edge has in it (R-PROG-6)."""
    assert meter.must_hit_by
    name = spot_called(spot)
    if any(line.of_meter for line in rules.spots[spot].pays):
        return f"{name}: what the meter pays because it must be won is not in the edge."
    both, between = meter.must_hit_by + meter.seed, meter.must_hit_by - meter.seed
    share = float(Fraction(*meter.share) * both / between)
    return (
        f"{name}: over time the meter is won at {major(both // 2, rules.currency)} on average, and "
        f"pays back about {share:.2%} of all bets on it. That is not in the edge."
    )


def _edges(rules: HouseRules, spots: dict[str, SpotOdds]) -> "Table":
    numbers = ("house edge", "wins", "deviation", "dearest")
    table = table_of("spot", *numbers, right=numbers)
    for spot, each in spots.items():
        lines = zip(rules.spots[spot].pays, each.lines, strict=True)
        line, ways = max(lines, key=lambda line: (line[0].of_meter, Fraction(*line[0].pays)))
        table.add_row(
            spot,
            f"{float(-each.edge):z.4%}",
            f"{each.wins / each.deals:.4%}",
            f"{sqrt(each.variance):.4f}",
            f"{pays(line)}, 1 coup in {each.deals / ways:,.0f}",
        )
    return table


def table_of(*names: str, right: tuple[str, ...] = ()) -> "Table":
    """A table with these heads, those of amounts on the right; without a name, it has no heads."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", show_header=any(names))
    for name in names:
        amount = name in right
        table.add_column(
            name, justify="right" if amount else "left", no_wrap=amount, overflow="fold"
        )
    return table
