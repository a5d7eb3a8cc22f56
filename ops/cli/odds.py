"""`sabot odds`: exact counts, probabilities and the house edge of every spot."""

import json
from collections.abc import Iterator

import click

from domain.rules.house_rules import RULE_SETS, HouseRules, named
from domain.rules.money import LARGEST_AMOUNT, major, minor
from domain.rules.odds import (
    DealCounts,
    SpotOdds,
    count_deals,
    favoured_by_rounding,
    spot_odds,
    stake_odds,
)
from domain.rules.refusals import BadValue
from domain.rules.wagers import PUSH, PayLine
from ops.cli.session import json_option, with_database
from ops.commands.rule_book import Known, find
from ops.ledger.database import Database
from ops.typed.shell import require_utf8
from ops.words import show


@click.command()
@click.option("--rules", "name", default="dragon-bonus@1", show_default=True, help="The rule set.")
@click.option("--decks", type=click.IntRange(1, 12), help="How many decks; default the rule set's.")
@click.option("--stake", help="A wager, as in 25: its edge with payment and commission rounded.")
@json_option
@with_database
def odds(
    database: Database, name: str, decks: int | None, stake: str | None, as_json: bool
) -> None:
    """Show exact probabilities and the house edge of every spot, from a full shoe."""
    rules = rules_named(database, name).rules
    counts = count_deals(decks or rules.decks)
    amount = None if stake is None else _amount(stake, rules)
    spots = spots_of(rules, counts.decks, amount)
    if as_json:
        click.echo(json.dumps(as_dict(rules, counts, spots, amount)))
    else:
        _print(rules, counts, spots, amount)


def rules_named(database: Database, name: str) -> Known:
    """The program's rule set of that name, or the house's own. Refuses: UnknownRules.

    Only for the house's own is the ledger read; it is not created for this.
    """
    if name in RULE_SETS or not database.begun:
        return Known(named(name))
    with database.session("sabot_auditor") as connection:
        return find(connection, name)


def spots_of(rules: HouseRules, decks: int, stake: int | None = None) -> dict[str, SpotOdds]:
    """The odds of every spot; with a stake, those of a wager of that size."""
    if stake is None:
        return {spot: spot_odds(rules, spot, decks) for spot in rules.spots}
    return {spot: stake_odds(rules, spot, decks, stake) for spot in rules.spots}


def _amount(stake: str, rules: HouseRules) -> int:
    require_utf8("stake", stake)
    try:
        amount = minor(stake, rules.currency)
    except ValueError:
        amount = 0
    if not 0 < amount <= LARGEST_AMOUNT:
        why = f"write an amount of {rules.currency}, as in 25 or 12.50"
        raise BadValue(field="--stake", value=repr(stake), why=why)
    return amount


def as_dict(
    rules: HouseRules, counts: DealCounts, spots: dict[str, SpotOdds], stake: int | None = None
) -> dict[str, object]:
    """The odds as JSON fields: whole counts, and edges as fractions in lowest terms."""
    return {
        "rules": rules.name,
        "decks": counts.decks,
        "deals": counts.deals,
        "outcomes": counts.outcomes,
        "cards": {str(cards): ways for cards, ways in counts.cards.items()},
        "spots": [spot_as_dict(rules, spot, each) for spot, each in spots.items()],
        "stake": stake,
        "favours_patron": favouring(spots),
        "favours_patron_at_minimum": [*favoured_by_rounding(rules, counts.decks)],
    }


def spot_as_dict(rules: HouseRules, spot: str, odds: SpotOdds) -> dict[str, object]:
    """A spot's odds as JSON fields."""
    table = rules.spots[spot].pays
    return {
        "spot": spot,
        "edge": f"{odds.edge.numerator}/{odds.edge.denominator}",
        "edge_percent": odds.house_percent,
        "wins": odds.wins,
        "pushes": odds.pushes,
        "loses": odds.loses,
        "variance": f"{odds.variance.numerator}/{odds.variance.denominator}",
        "pays": [
            {"when": line.when, "pays": pays(line), "deals": ways}
            for line, ways in zip(table, odds.lines, strict=True)
        ],
        "overlaps": [
            {"decides": table[upper].when, "fits_too": table[lower].when, "deals": ways}
            for upper, lower, ways in odds.overlaps
        ],
    }


def overlaps_words(rules: HouseRules, spots: dict[str, SpotOdds]) -> Iterator[str]:
    """A sentence for each two lines of a pay table that fit the same coups."""
    for spot, odds in spots.items():
        table = rules.spots[spot].pays
        for upper, lower, ways in odds.overlaps:
            yield (
                f"{show.spot_called(spot)}: {ways / odds.deals:.4%} of coups fit both "
                f"‘{table[upper].when}’ and ‘{table[lower].when}’. "
                f"The first one decides: {pays(table[upper])}."
            )


def favouring(spots: dict[str, SpotOdds]) -> list[str]:
    """The spots on which the house loses in the long run."""
    return [spot for spot, each in spots.items() if each.edge > 0]


def favours_words(spots: dict[str, SpotOdds]) -> Iterator[str]:
    """A warning for each spot on which the house loses in the long run."""
    for spot in favouring(spots):
        edge = f"{float(spots[spot].edge):z.4%}"
        yield f"{show.spot_called(spot)} favours the patron: the house loses {edge} of all wagers."


def favours_at_minimum_words(rules: HouseRules, decks: int) -> Iterator[str]:
    """A warning for each spot on which the house loses with the least bet, as that is paid."""
    for spot, edge in favoured_by_rounding(rules, decks).items():
        minimum = major(rules.limit(spot).minimum, rules.currency)
        yield (
            f"{show.spot_called(spot)} favours the patron at its minimum of {minimum}, because "
            f"the payment is rounded: the house loses {float(edge):z.4%} of such wagers."
        )


def pays(line: PayLine) -> str:
    """What a line pays in the form of a rule set's file: `8:1`, `push`, `10% of the meter`."""
    return "push" if line.pays == PUSH else line.text


def _print(
    rules: HouseRules, counts: DealCounts, spots: dict[str, SpotOdds], stake: int | None
) -> None:
    from rich.table import Table
    from rich.text import Text

    page = show.console()
    deals = f"  {counts.decks} decks  {counts.deals:,} deals of six cards"
    page.print(Text.assemble((rules.name, "bold"), deals))
    if stake is not None:
        page.print(
            f"wagers of {major(stake, rules.currency)}, with payments rounded as at the table"
        )
    page.print(
        Text("  ").join(
            Text.assemble((outcome.title(), show.STYLES[outcome]), f" {ways / counts.deals:.4%}")
            for outcome, ways in counts.outcomes.items()
        )
    )
    page.print(
        "  ".join(f"{n} cards {ways / counts.deals:.4%}" for n, ways in counts.cards.items())
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("spot", "wins", "pushes", "loses", "house edge"):
        table.add_column(column, justify="left" if column == "spot" else "right")
    for spot, each in spots.items():
        ways = (each.wins, each.pushes, each.loses)
        table.add_row(
            spot,
            *(f"{part / counts.deals:.4%}" for part in ways),
            f"{float(-each.edge):z.4%}",
        )
    page.print(table)
    for words in (*favours_words(spots), *favours_at_minimum_words(rules, counts.decks)):
        page.print(words)
