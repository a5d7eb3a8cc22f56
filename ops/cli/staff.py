"""`sabot staff`: who works here. PINs are asked for at the terminal and stand in no argument."""

import secrets
import sys
from dataclasses import replace

import click

from ops.authority import Token
from ops.cli.session import (
    currency_of,
    database_of,
    dispatcher_on,
    json_option,
    keep_token,
)
from ops.cli.speak import noun, tell
from ops.dispatcher import Dispatcher
from ops.people import People, Proof, digest

SHORTEST_PIN = 4

staff = noun(
    "staff", "Who works here, in which role.", without=("staff.sign-on", "staff.change-pin")
)


@staff.command("sign-on")
@click.argument("staff")
@click.option("--table", help="At which table, as in B01; without it at none.")
@click.option("--id", "id_", help="Your own id: the same command with it counts once.")
@json_option
@click.pass_context
def sign_on(
    ctx: click.Context, staff: str, table: str | None, id_: str | None, as_json: bool
) -> None:
    """Begin work: asks for the PIN, or for the one-time code and a new PIN.

    The commands that follow at this terminal are STAFF's, until the sign-off.
    """
    dispatcher = dispatcher_on(database_of(ctx), mouth="shell")
    token = Token(staff, secrets.token_urlsafe(24))
    proof = replace(_asked(dispatcher, staff), session=digest(token.secret))
    line = {"command": "staff.sign-on", "staff": staff, "table": table, "id": id_}
    answer = dispatcher.dispatch({k: v for k, v in line.items() if v is not None}, proof)
    if answer.ok:
        keep_token(token)
    tell(ctx, answer, currency_of(dispatcher.casino), as_json=as_json)


@staff.command("change-pin")
@click.argument("staff")
@json_option
@click.pass_context
def change_pin(ctx: click.Context, staff: str, as_json: bool) -> None:
    """Choose another PIN; asks for the old one."""
    dispatcher = dispatcher_on(database_of(ctx), mouth="shell")
    right = People(dispatcher.casino.ledger).right(staff, _secret(f"Old PIN of {staff}"))
    proof = Proof(right=right, new_pin=_new_pin() if right else None)
    answer = dispatcher.dispatch({"command": "staff.change-pin", "staff": staff}, proof)
    tell(ctx, answer, currency_of(dispatcher.casino), as_json=as_json)


def _asked(dispatcher: Dispatcher, staff: str) -> Proof:
    people = People(dispatcher.casino.ledger)
    if people.awaits_code(staff):
        right = people.right(staff, _secret(f"One-time code of {staff}"))
        return Proof(right=right, new_pin=_new_pin() if right else None)
    return Proof(right=people.right(staff, _secret(f"PIN of {staff}")))


def _secret(words: str) -> str:
    """At a terminal unseen; from a pipe the next line."""
    unseen = sys.stdin.isatty()
    said: str = click.prompt(words, hide_input=unseen, err=True, default="", show_default=False)
    return said


def _new_pin() -> str:
    while True:
        pin = _secret(f"New PIN, {SHORTEST_PIN} digits or more")
        if not (pin.isascii() and pin.isdecimal() and len(pin) >= SHORTEST_PIN):
            click.echo("A PIN is digits only, and no fewer.", err=True)
        elif pin != _secret("The same once more"):
            click.echo("They are not the same.", err=True)
        else:
            return pin
