"""`sabot dealer`: the keyboard at the table."""

import functools
from typing import TYPE_CHECKING, Any

import click

from ops.cli.session import database_of, kept_token, require_utf8
from ops.cli.training import require_training, train, training_options

if TYPE_CHECKING:
    from ops.terminal.session import Session


@click.command()
@click.argument("table", required=False)
@click.option("--plain", is_flag=True, help="A line in, a line out: for a screen reader.")
@click.option("--by", help="Who deals, in open house; default the table's dealer.")
@click.option(
    "--theme",
    type=click.Choice(["dark", "light"]),
    default="dark",
    help="For a dark room or a bright one.",
)
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

    With --training a course instead, at a table of its own: wagers and cards are told, and
    whoever tells them makes mistakes. ! is: that is wrong. Afterwards speed, errors, and the rules
    to read again.
    """
    require_training(training=training, **course)
    require_utf8("table", table or "")
    if training:
        face = functools.partial(_face, plain=plain, theme=theme)
        train(ctx, table, face, by=by, **course)
        return
    if table is None:
        raise click.UsageError("Missing argument 'TABLE'.")
    from ops.terminal.session import Session

    session = Session(database_of(ctx), table, by=by or "", token=kept_token())
    try:
        ctx.exit(_face(session, plain=plain, theme=theme))
    finally:
        session.close()


def _face(session: "Session", *, plain: bool, theme: str) -> int:
    """The exit status."""
    if plain:
        from ops.terminal.plain import Plain

        return Plain(session).run()
    from ops.terminal.screen import DealerScreen

    screen = DealerScreen(session, theme=theme)
    screen.run()
    return screen.return_code or 0
