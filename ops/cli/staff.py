"""`sabot staff`: who works here. PINs are typed at a prompt and are never an argument."""

import json
import sys
from contextlib import closing
from typing import Any

import click

from domain.rules.pins import HOW_LONG, SHORTEST_PIN, weakness
from domain.rules.refusals import NotFound
from ops.cli.reading import permit
from ops.cli.session import (
    ask_secret,
    currency_of,
    database_of,
    dispatcher_on,
    json_option,
    with_database,
)
from ops.cli.speak import answer_to, command_for, noun, tell
from ops.commands.saved_token import forget_token, save_token
from ops.handlers import sign_on as signing
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.sign_on import awaits_code, who_is_here
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from ops.ledger.secrets import People, Proof
from ops.typed.shell import require_utf8

staff = noun(
    "staff",
    "Who works here, in which role.",
    without=("staff.sign-on", "staff.sign-off", "staff.change-pin", "staff.recover"),
)


@staff.command("sign-on")
@click.argument("staff")
@click.option("--table", help="At which table, as in B01; without it at none.")
@json_option
@click.pass_context
def sign_on(ctx: click.Context, staff: str, table: str | None, as_json: bool) -> None:
    """Begin work: asks for the PIN, or for the one-time code and a new PIN.

    The commands that follow at this terminal are entered by STAFF, until the sign-off. Whoever
    was signed on here before is signed off.
    """
    require_utf8("staff", staff)
    dispatcher = _dispatcher(database_of(ctx))
    secret, new_pin = _asked(staff, code=awaits_code(dispatcher, staff))
    answer, token = signing.sign_on(dispatcher, staff, secret, new_pin, table)
    if answer.ok:
        save_token(token)
    tell(ctx, answer, currency_of(dispatcher.casino), as_json=as_json)


@click.pass_context
def _sign_off(ctx: click.Context, /, as_json: bool, **spoken: Any) -> None:
    """Signs off; asks for the PIN, unless the person who is signed on may sign others off."""
    dispatcher, number = _dispatcher(database_of(ctx)), spoken["staff"]
    require_utf8("staff", number)
    if signing.sign_off_takes_pin(dispatcher, number):
        answer = signing.sign_off(dispatcher, number, _secret(f"PIN of {number}"))
    else:
        answer, _ = answer_to(dispatcher, "staff.sign-off", spoken)
    if answer.ok:
        forget_token(number)
    tell(ctx, answer, "", as_json=as_json)


staff.add_command(command_for("staff.sign-off", _sign_off))


@staff.command("change-pin")
@click.argument("staff")
@json_option
@click.pass_context
def change_pin(ctx: click.Context, staff: str, as_json: bool) -> None:
    """Choose another PIN; asks for the old one."""
    require_utf8("staff", staff)
    dispatcher = _dispatcher(database_of(ctx))
    old = _secret(f"Old PIN of {staff}")
    answer = signing.change_pin(dispatcher, staff, old, _new_pin(staff))
    tell(ctx, answer, currency_of(dispatcher.casino), as_json=as_json)


@staff.command()
@click.argument("staff")
@json_option
@click.pass_context
def recover(ctx: click.Context, staff: str, as_json: bool) -> None:
    """Let an administrator in again who is locked or forgot the PIN, with a new one-time code.

    Another administrator who is signed on does so as they are. If there is no other, or every other
    is locked, whoever owns the database does, and is asked for the recovery secret that was shown
    when the first administrator was enrolled; a superuser of a remote server needs none. A secret
    that was used no longer works: the answer has the next one. After a wrong one the next try has
    to wait.

    It is an alert, which stays on the board until two people acknowledge it.
    """
    require_utf8("staff", staff)
    database = database_of(ctx)
    dispatcher = _dispatcher(database)
    holder, proof = who_is_here(dispatcher), None
    if holder is None or holder.role != "administrator":
        database.require_owner()
        proof = _recovers(database, People(dispatcher.casino.ledger))
    answer = dispatcher.dispatch({"command": "staff.recover", "staff": staff}, proof)
    tell(ctx, answer, currency_of(dispatcher.casino), as_json=as_json)


@staff.command()
@click.argument("staff")
@json_option
@with_database
def name(database: Database, staff: str, as_json: bool) -> None:
    """Show the name of STAFF. Names are in no event; `sabot find` looks for them, too."""
    require_utf8("staff", staff)
    permit(database, "staff name", {"staff": staff}, as_json=as_json)
    with closing(Ledger(database)) as ledger:
        stored = People(ledger).name(staff)
    if stored is None:
        raise NotFound(what=f"name of {staff}")
    click.echo(json.dumps({"staff": staff, "name": stored}) if as_json else stored)


def _dispatcher(database: Database) -> Dispatcher:
    """Where a PIN can be checked, before one is asked for. Raises OnStandby, LedgerLost."""
    dispatcher = dispatcher_on(database, channel="shell")
    dispatcher.casino.ledger.require_leader()
    return dispatcher


def _recovers(database: Database, people: People) -> Proof:
    if database.superuser_from_afar():
        return Proof(right=True, how="database-superuser")
    return people.recovery_proof(_secret("Recovery secret"))


def _asked(staff: str, *, code: bool) -> tuple[str, str | None]:
    """Asks every question before any check, so that the questions reveal nothing."""
    if code:
        return _secret(f"One-time code of {staff}"), _new_pin(staff)
    return _secret(f"PIN of {staff}"), None


def _secret(words: str) -> str:
    """Asks until something is typed: unseen at a terminal, the next line from a pipe."""
    while not (secret := ask_secret(words, unseen=sys.stdin.isatty())):
        click.echo("Nothing was typed. Type it, then Enter.", err=True)
    return secret


def _new_pin(staff: str) -> str:
    """Asks for a new PIN twice; what the role requires is checked later."""
    while True:
        pin = _secret(f"New PIN, {HOW_LONG}")
        if weak := weakness(pin, staff, SHORTEST_PIN):
            click.echo(f"The new PIN is {weak}: choose another.", err=True)
        elif pin != _secret("The same PIN again"):
            click.echo("The two PINs differ.", err=True)
        else:
            return pin
