"""`sabot audit checkpoint`: the record as it is, signed."""

import json
import sys
import time
from pathlib import Path

import click

from domain.rules.destinations import Destination
from ops.cli.audit.papers import NO_KEY
from ops.cli.session import database_of, dispatcher_on, json_option, say
from ops.handlers.checkpoints import Made, make


@click.command()
@click.option(
    "--to", "to", multiple=True, metavar="PLACE", help="A directory or mailto:ADDRESS too."
)
@click.option("--witness", multiple=True, metavar="URL", help="Ask this witness too.")
@click.option(
    "--every",
    type=click.FloatRange(min=0.2),
    metavar="SECONDS",
    help="Go on until Ctrl-C, and sign what is new as often; only new checkpoints are printed.",
)
@json_option
@click.pass_context
def checkpoint(
    ctx: click.Context,
    to: tuple[str, ...],
    witness: tuple[str, ...],
    every: float | None,
    as_json: bool,
) -> None:
    """Sign the record as it is now, and send that to the house's places and to these.

    The places of every checkpoint are the setting `checkpoint_to`. Exit status 1 if a place did not
    take it or a witness refused.

    \b
    Example: sabot audit checkpoint --to /media/usb
    """
    places = [*(_directory_or(each) for each in to), *map(Destination.parse, witness)]
    dispatcher = dispatcher_on(database_of(ctx), channel="shell")
    show = _print_json if as_json else _print

    def sign() -> Made:
        made = make(dispatcher, database_of(ctx), places)
        if not made:
            raise click.ClickException(NO_KEY)
        return made

    while every is not None:
        if (made := sign()).anew:
            show(made)
        time.sleep(every)
    made = sign()
    show(made)
    sys.exit(1 if made.problems or made.refused else 0)


def _directory_or(place: str) -> Destination:
    """The place; a directory may be given from here on."""
    here = place if place.startswith("mailto:") or "://" in place else str(Path(place).resolve())
    return Destination.parse(here)


def _print_json(made: Made) -> None:
    click.echo(json.dumps(_as_json(made)))


def _as_json(made: Made) -> dict[str, object]:
    return {
        "origin": made.checkpoint.origin,
        "size": made.checkpoint.size,
        "root": made.checkpoint.root.hex(),
        "note": made.note,
        "cosignatures": list(made.cosignatures),
        "sent": list(made.sent),
        "problems": list(made.problems),
        "refused": list(made.refused),
    }


def _print(made: Made) -> None:
    whole = made.note + "".join(made.cosignatures)
    click.echo(whole, nl=False)
    if not made.anew:
        say("Nothing happened since this checkpoint.")
    for place in made.sent:
        say(f"Sent to {place}.")
    if made.cosignatures:
        say(f"Cosigned by {len(made.cosignatures)} of the witnesses.")
    for words in made.problems:
        say(f"Not sent to {words}")
    for words in made.refused:
        say(
            f"REFUSED by {words} The record does not continue what that witness saw: run `sabot "
            "audit verify`, and call the regulator."
        )
