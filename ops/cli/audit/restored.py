"""`sabot audit restored`: goes on with a restored record, by two people."""

import json
import sys
from typing import NoReturn

import click

from domain.rules.wording import Words
from ops.cli.session import database_of, dispatcher_on, json_option, say
from ops.cli.speak import answer_to, tell
from ops.handlers.checkpoints import look, make
from ops.ledger.database import Database
from ops.proof.keys import NoKey
from ops.words.language import shown


@click.command()
@click.argument("reason", required=False)
@click.option("--look", "only_look", is_flag=True, help="Only say what is missing; decide nothing.")
@click.option("--by", metavar="STAFF", help="The staff number of the administrator.")
@click.option("--with", "with", metavar="STAFF", help="The second person; they type their PIN.")
@json_option
@click.pass_context
def restored(
    ctx: click.Context, /, only_look: bool, as_json: bool, **spoken: str | bool | None
) -> None:
    """Go on with a restored record without the events that are missing, by two people.

    Do this only if no database has them. A new epoch of the record begins: its
    checkpoints have another name, as in casino.example/baccarat/epoch-2, so
    that none of them contradicts one of before. Tell witnesses that name.

    \b
    Example: sabot audit restored 'the disk failed' --by A-1 --with S-11
    """
    database = database_of(ctx)
    missed = look(database)
    if only_look:
        _tell_missed(missed, as_json=as_json)
    if not spoken["reason"]:
        raise click.UsageError("Say why, as in 'the disk failed, backup of 20:00'.")
    if missed and not as_json:
        say(shown(missed))
    dispatcher = dispatcher_on(database, channel="shell").for_own_commands()
    answer, currency = answer_to(dispatcher, "audit.restored", spoken)
    if answer.ok:
        _sign(ctx, database)
    tell(ctx, answer, currency, as_json=as_json)


def _tell_missed(missed: Words | None, *, as_json: bool) -> NoReturn:
    """Prints what is missing, and ends; exit status 1 if anything is."""
    if as_json:
        click.echo(json.dumps({"ok": not missed, "missing": shown(missed) if missed else None}))
    else:
        click.echo(shown(missed) if missed else "Nothing that is known of the record is missing.")
    sys.exit(1 if missed else 0)


def _sign(ctx: click.Context, database: Database) -> None:
    """Makes the first checkpoint of the epoch, where the key is."""
    try:
        made = make(dispatcher_on(database, channel="shell"), database)
    except NoKey as error:
        say(f"The epoch is not signed yet: {error}")
        return
    if made:
        say(f"The record is signed as {made.checkpoint.origin}: {made.checkpoint.size:,} events.")
        for words in (*made.problems, *made.refused):
            say(f"Not sent to {words}")
