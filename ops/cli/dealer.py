"""`sabot dealer`: the keyboard at the table."""

import functools
from typing import TYPE_CHECKING, Any

import click

from ops.cli.session import database_of, house_of_call, require_screen, say, theme_option
from ops.cli.signing import sign_after_closing
from ops.cli.starts import record_start
from ops.cli.training import require_training, train, training_options
from ops.commands.read import read
from ops.commands.saved_token import forget_token, save_token, saved_token
from ops.kit.hang_up import end_with_terminal
from ops.ledger.database import Database, LedgerLost
from ops.typed.shell import require_utf8

if TYPE_CHECKING:
    from ops.terminal.dealer.house import House
    from ops.terminal.dealer.session import Session


@click.command()
@click.argument("table", required=False)
@click.option("--plain", is_flag=True, help="A line in, a line out: for a screen reader.")
@click.option("--by", help="Who deals, in open house; default the table's dealer.")
@theme_option
@training_options
@click.pass_context
def dealer(
    ctx: click.Context,
    /,
    table: str | None,
    plain: bool,
    by: str | None,
    theme: str,
    training: bool,
    **course: Any,
) -> None:
    """Deal at TABLE by keyboard: bets, cards, payments.

    \b
    3 b 500        seat 3 bets 500 on Banker; spots are p b t dp db pp pb
    1-4b100 5p1k   several seats, several wagers, at once
    =              everybody as in the last coup; 3 = seat 3 as it bet last
    3 -   u        takes back all bets of seat 3; the last bet entered
    n              no more bets
    9c5s7cqd       cards, in the order dealt
    s              settles
    c 3            collects what seat 3 owes
    off            signs off here, and the next dealer signs on
    ?              what can be typed now

    Any other command is typed as in the shell, without the table: shoe load 8.

    In a closed house the dealer signs on here first, by number and PIN, as with `sabot staff
    sign-on`. Everything typed here is entered by them until they sign off.

    With --training a course instead, at a table of its own: a caller calls wagers and cards, and
    makes mistakes. Type ! when something is wrong. At the end: speed, errors, rules to read again.
    """
    require_training(ctx, training=training, **course)
    if table is not None:
        _require_table(table)
    elif not training:
        raise click.UsageError("Missing argument 'TABLE'.")
    require_utf8("by", by or "")
    end_with_terminal()
    if not plain:
        require_screen("with `--plain` it takes lines instead")
    if training:
        face = functools.partial(_face, plain=plain, theme=theme)
        train(ctx, table, face, by=by, **course)
        return
    assert table is not None
    if house := house_of_call(ctx):
        ctx.exit(_deal_there(house, table, by or "", plain=plain, theme=theme))
    database = database_of(ctx)
    _wake(database)
    record_start(database, "dealer", table=table, by=by or "")
    from ops.terminal.dealer.house import HouseHere

    at_house = HouseHere(database, token=saved_token(), compares=True)
    status = _deal(at_house, table, by or "", plain=plain, theme=theme)
    sign_after_closing(database)
    ctx.exit(status)


def _deal_there(address: str, table: str, by: str, *, plain: bool, theme: str) -> int:
    """Deals at a house server, which records the start and signs at the end."""
    from ops.door.connection import NoHouse
    from ops.terminal.dealer.house_there import HouseThere

    try:
        house = HouseThere(address, token=saved_token(), by=by)
    except NoHouse as error:
        raise click.UsageError(str(error)) from None
    return _deal(house, table, by, plain=plain, theme=theme)


def _deal(house: "House", table: str, by: str, *, plain: bool, theme: str) -> int:
    """Deals until the terminal is left; returns the exit status."""
    from ops.terminal.dealer.session import Session

    session = Session(
        house,
        table,
        by=by,
        save_token=save_token,
        forget_token=forget_token,
        saved_token=saved_token,
    )
    try:
        status = _face(session, plain=plain, theme=theme)
        if staff := session.signed_on:
            say(f"{staff} is still signed on here. `sabot staff sign-off {staff}` signs off.")
        return status
    finally:
        session.close()


def _face(session: "Session", *, plain: bool, theme: str) -> int:
    """Runs the full screen or the line mode; returns the exit status."""
    if plain:
        from ops.terminal.dealer.plain import Plain

        return Plain(session).run()
    from ops.terminal.dealer.screen.app import DealerScreen

    return DealerScreen(session, theme=theme).attend()


def _require_table(table: str) -> None:
    """Checks the table's name as commands do. Refuses: BadValue."""
    require_utf8("table", table)
    read({"command": "no-more-bets", "table": table})


def _wake(database: Database) -> None:
    """Starts Sabot's own server, with messages, before the screen is shown."""
    if not database.embedded:
        return
    try:
        database.connect("sabot_app", say).close()
    except LedgerLost:
        return  # the terminal opens anyway, shows the failure, and tries again
