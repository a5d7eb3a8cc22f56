"""`sabot commission`: what is owed is paid, and the receipt is told on the screen or on paper."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from domain.addresses import Receipt
from ops.cli.session import database_of, dispatcher_on, say
from ops.cli.speak import answer_to, command_for, noun, tell
from ops.dispatcher import Answer, Dispatcher
from ops.ledger.recorder import flush

if TYPE_CHECKING:
    from ops.receipts import Copy

commission = noun(
    "commission",
    "What is owed on Banker winnings (R-COM-1 to 5).",
    without=("commission.receipt",),
)


@click.pass_context
def receipt(ctx: click.Context, /, as_json: bool, pdf: Path | None, **spoken: Any) -> None:
    """Recorded first, printed then: a lost original is reprinted, and there are never two."""
    dispatcher = dispatcher_on(database_of(ctx), mouth="shell")
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
        words = f"{pdf} was not written: {error.strerror}. {copy.head} counts as printed; ask again"
        raise click.ClickException(f"{words} for a reprint.") from error
    say(f"{copy.head} of {copy.receipt} is in {pdf}.")


def _printed(dispatcher: Dispatcher, answer: Answer) -> "Copy":
    """The copy that the answer tells of, from the record."""
    from ops.receipts import find

    (fact,) = answer.body["events"]
    with dispatcher.casino.ledger.connection() as connection:
        copy = find(connection, Receipt.parse(fact["receipt"]), fact["copy"])
        flush(connection)
    return copy


def _require_place(ctx: click.Context, option: click.Parameter, pdf: Path | None) -> Path | None:
    """A file that cannot be made is wrong usage, and known before anything is recorded."""
    if pdf and not os.path.lexists(pdf):
        try:
            pdf.touch()
            pdf.unlink()
        except OSError as error:
            raise click.BadParameter(f"{pdf} cannot be written: {error.strerror}.") from None
    return pdf


commission.add_command(
    command_for(
        "commission.receipt",
        receipt,
        click.Option(
            ["--pdf"],
            type=click.Path(dir_okay=False, writable=True, path_type=Path),
            callback=_require_place,
            help="Write it to this file, as a PDF.",
        ),
    )
)
