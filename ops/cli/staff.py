"""`sabot staff`: who works here. PINs are asked for at the terminal and stand in no argument."""

import sys

import click

from domain.refusals import NotFound
from ops import sign_on as signing
from ops.authority import DatabaseAdministrator
from ops.cli.session import (
    ask_secret,
    currency_of,
    database_of,
    dispatcher_on,
    json_option,
    keep_token,
    require_utf8,
)
from ops.cli.speak import noun, tell
from ops.people import People
from ops.sign_on import SHORTEST_PIN, awaits_code, is_pin

staff = noun(
    "staff", "Who works here, in which role.", without=("staff.sign-on", "staff.change-pin")
)


@staff.command("sign-on")
@click.argument("staff")
@click.option("--table", help="At which table, as in B01; without it at none.")
@json_option
@click.pass_context
def sign_on(ctx: click.Context, staff: str, table: str | None, as_json: bool) -> None:
    """Begin work: asks for the PIN, or for the one-time code and a new PIN.

    The commands that follow at this terminal are STAFF's, until the sign-off.
    """
    require_utf8("staff", staff)
    dispatcher = dispatcher_on(database_of(ctx), mouth="shell")
    secret, new_pin = _asked(staff, code=awaits_code(dispatcher, staff))
    answer, token = signing.sign_on(dispatcher, staff, secret, new_pin, table)
    if answer.ok:
        keep_token(token)
    tell(ctx, answer, currency_of(dispatcher.casino), as_json=as_json)


@staff.command("change-pin")
@click.argument("staff")
@json_option
@click.pass_context
def change_pin(ctx: click.Context, staff: str, as_json: bool) -> None:
    """Choose another PIN; asks for the old one."""
    require_utf8("staff", staff)
    dispatcher = dispatcher_on(database_of(ctx), mouth="shell")
    old = _secret(f"Old PIN of {staff}")
    proof = People(dispatcher.casino.ledger).proof(staff, old, _new_pin())
    answer = dispatcher.dispatch({"command": "staff.change-pin", "staff": staff}, proof)
    tell(ctx, answer, currency_of(dispatcher.casino), as_json=as_json)


@staff.command()
@click.argument("staff")
@json_option
@click.pass_context
def recover(ctx: click.Context, staff: str, as_json: bool) -> None:
    """Let a locked administrator in again, as whoever owns the database; it is recorded so.

    Answers with a new one-time code. Only for an administrator: they let in everybody else.
    """
    require_utf8("staff", staff)
    database = database_of(ctx)
    database.require_owner()
    dispatcher = dispatcher_on(database, mouth="shell")
    dispatcher.authority = DatabaseAdministrator(dispatcher.casino)
    name = People(dispatcher.casino.ledger).name(staff)
    if name is None or not dispatcher.floor.office.administers(staff):
        raise NotFound(what=f"administrator {staff}")
    line = {"command": "staff.enrol", "staff": staff, "name": name, "role": "administrator"}
    answer = dispatcher.dispatch(line)
    tell(ctx, answer, currency_of(dispatcher.casino), as_json=as_json)


def _asked(staff: str, *, code: bool) -> tuple[str, str | None]:
    """Asks for all of it before anything is judged, so that nobody learns from the questions."""
    if code:
        return _secret(f"One-time code of {staff}"), _new_pin()
    return _secret(f"PIN of {staff}"), None


def _secret(words: str) -> str:
    """At a terminal unseen; from a pipe the next line. Nothing typed is asked again."""
    while not (secret := ask_secret(words, unseen=sys.stdin.isatty())):
        click.echo("Nothing was typed.", err=True)
    return secret


def _new_pin() -> str:
    while True:
        pin = _secret(f"New PIN, {SHORTEST_PIN} digits or more")
        if not is_pin(pin):
            click.echo("A PIN is digits only, and no fewer.", err=True)
        elif pin != _secret("The same once more"):
            click.echo("They are not the same.", err=True)
        else:
            return pin
