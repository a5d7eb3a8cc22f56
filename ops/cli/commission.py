"""`sabot commission`: collects commission, and prints receipts on the screen or on paper."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from domain.rules.addresses import Receipt
from ops.cli.session import NEW_FILE, database_of, dispatcher_on, require_place, say
from ops.cli.speak import answer_to, command_for, noun, tell
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import flush

if TYPE_CHECKING:
    from ops.reports.receipt import Copy

commission = noun(
    "commission",
    "What is owed on Banker winnings (R-COM-1 to 5).",
    without=("commission.receipt",),
)


@click.pass_context
def receipt(ctx: click.Context, /, as_json: bool, pdf: Path | None, **spoken: Any) -> None:
    """Records a receipt, then prints it; a second print of it is a marked reprint."""
    dispatcher = dispatcher_on(database_of(ctx), channel="shell")
    answer, currency = answer_to(dispatcher, "commission.receipt", spoken)
    if answer.ok and pdf:
        _write(pdf, dispatcher, answer)
    elif answer.ok and not as_json:
        click.echo(_printed(dispatcher, answer).text(), nl=False)
        return
    if as_json or not answer.ok:
        tell(ctx, answer, currency, as_json=as_json)


def _write(pdf: Path, dispatcher: Dispatcher, answer: Answer) -> None:
    copy = _printed(dispatcher, answer)
    try:
        pdf.write_bytes(copy.pdf())
    except OSError as error:
        words = (
            f"{pdf} was not written: {error.strerror}. {copy.head} counts as printed: print again"
        )
        raise click.ClickException(f"{words} for a reprint.") from error
    say(f"{copy.head} of {copy.receipt} is in {pdf}.")


def _printed(dispatcher: Dispatcher, answer: Answer) -> "Copy":
    """The copy that the answer recorded."""
    from ops.reports.receipt import find

    (event,) = answer.body["events"]
    with dispatcher.casino.ledger.connection() as connection:
        copy = find(connection, Receipt.parse(event["receipt"]), event["copy"])
        flush(connection)
    return copy


commission.add_command(
    command_for(
        "commission.receipt",
        receipt,
        click.Option(
            ["--pdf"],
            type=NEW_FILE,
            callback=require_place,
            help="Write it to this file, as a PDF.",
        ),
    )
)
