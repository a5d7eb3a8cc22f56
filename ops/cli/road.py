"""`sabot road SHOE`: the roads of a shoe, as on the displays at the tables."""

import json
from pathlib import Path

import click
from msgspec import to_builtins

from domain.rules.wording import plain
from ops.cli.session import json_option, say, with_database
from ops.ledger.database import Database
from ops.roads.page import page
from ops.roads.road import ShoeRoads, answer_of, find, shoe_meant
from ops.roads.svg import picture
from ops.words import show


@click.command()
@click.argument("shoe")
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write the display to this file, as a picture.",
)
@json_option
@with_database
def road(database: Database, shoe: str, svg: Path | None, as_json: bool) -> None:
    """Show the roads of SHOE, as in B01/2026-11-21/1, and what they would show next.

    A table, as in B01 or B01/2026-11-20, is its last shoe.

    Bead plate, big road, and the three roads made from it: Big Eye Boy, Small Road and
    Cockroach Pig. They tell how the shoe fell; of the next coup no road knows anything.
    """
    shoe_roads = find(database, shoe_meant(database, shoe))
    if svg:
        _write(svg, shoe_roads)
    if as_json:
        click.echo(json.dumps(to_builtins(answer_of(shoe_roads), enc_hook=plain)))
    elif not svg:
        _print(shoe_roads)


def _write(svg: Path, shoe_roads: ShoeRoads) -> None:

    try:
        svg.write_text(
            picture(str(shoe_roads.address), shoe_roads.roads), encoding="utf-8", newline="\n"
        )
    except OSError as error:
        raise click.ClickException(f"{svg} was not written: {error.strerror}.") from error
    say(f"The roads of {shoe_roads.address} are in {svg}.")


def _print(shoe_roads: ShoeRoads) -> None:

    out = show.console()
    for line in page(shoe_roads, out.width):
        out.print(line, no_wrap=True, overflow="crop")
