"""`sabot odds`: exact counts, probabilities and the house edge of every spot."""

import json
from typing import Any

import click

from domain.house_rules import HouseRules, named
from domain.odds import DealCounts, SpotOdds, count_deals, spot_odds
from domain.wagers import PUSH
from ops import show
from ops.cli.session import json_option


@click.command()
@click.option("--rules", "name", default="dragon-bonus@1", show_default=True, help="A rule set.")
@click.option(
    "--decks", type=click.IntRange(1, 12), help="Decks in the shoe; default the rule set's."
)
@json_option
def odds(name: str, decks: int | None, as_json: bool) -> None:
    """Walk every coup of a full shoe, with the tableau and pay tables that tables deal by."""
    rules = named(name)
    counts = count_deals(decks or rules.decks)
    spots = {spot: spot_odds(rules, spot, counts.decks) for spot in rules.spots}
    if as_json:
        click.echo(json.dumps(as_dict(rules, counts, spots)))
    else:
        _print(rules, counts, spots)


def as_dict(rules: HouseRules, counts: DealCounts, spots: dict[str, SpotOdds]) -> dict[str, Any]:
    """As `--json` prints it: counts whole, edges as fractions in lowest terms."""
    return {
        "rules": rules.name,
        "decks": counts.decks,
        "deals": counts.deals,
        "outcomes": counts.outcomes,
        "cards": {str(cards): ways for cards, ways in counts.cards.items()},
        "spots": [
            {
                "spot": spot,
                "edge": f"{each.edge.numerator}/{each.edge.denominator}",
                "edge_percent": round(float(-each.edge * 100), 4),
                "wins": each.wins,
                "pushes": each.pushes,
                "loses": each.loses,
                "pays": [
                    {"when": line.when, "pays": _pays(line.pays), "deals": ways}
                    for line, ways in zip(rules.spots[spot].pays, each.lines, strict=True)
                ],
            }
            for spot, each in spots.items()
        ],
    }


def _pays(odds: tuple[int, int]) -> str:
    return "push" if odds == PUSH else f"{odds[0]}:{odds[1]}"


def _print(rules: HouseRules, counts: DealCounts, spots: dict[str, SpotOdds]) -> None:
    from rich.table import Table
    from rich.text import Text

    page = show.console()
    deals = f"  {counts.decks} decks  {counts.deals:,} deals of six cards"
    page.print(Text.assemble((rules.name, "bold"), deals))
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
            f"{float(-each.edge):.4%}",
        )
    page.print(table)
