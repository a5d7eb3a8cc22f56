"""`sabot dealer`: the keyboard at the table."""

import click

from ops.cli.session import database_of, kept_token, require_utf8


@click.command()
@click.argument("table")
@click.option("--plain", is_flag=True, help="A line in, a line out: for a screen reader.")
@click.option("--by", help="Who deals, in open house; default the table's dealer.")
@click.option(
    "--theme",
    type=click.Choice(["dark", "light"]),
    default="dark",
    help="For a dark room or a bright one.",
)
@click.pass_context
def dealer(ctx: click.Context, table: str, plain: bool, by: str | None, theme: str) -> None:
    """Deal at TABLE by keyboard: bets, cards, done.

    \b
    3 b 500        seat 3 bets 500 on Banker; spots are p b t dp db pp pb
    1-4b100 5p1k   several seats, several wagers, at once
    =              everybody as in the last coup; 3 = only seat 3
    3 -   u        takes back what seat 3 has; what was placed last
    n              no more bets
    9c5s7cqd       cards, as they come
    s              settles
    c 3            collects what seat 3 owes
    ?              what there is to do now

    Any other command is said as in the shell, without the table: shoe load 8.
    """
    from ops.terminal.session import Session

    require_utf8("table", table)
    session = Session(database_of(ctx), table, by=by or "", token=kept_token())
    try:
        if plain:
            from ops.terminal.plain import Plain

            ctx.exit(Plain(session).run())
        from ops.terminal.screen.app import DealerScreen

        error = DealerScreen(session, theme=theme).run()
        if error:
            raise error
    finally:
        session.close()
