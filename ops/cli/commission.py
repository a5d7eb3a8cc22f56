"""`sabot commission`: collects commission; prints receipts and forms, on the screen or on paper."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from domain.rules.addresses import Form, Receipt
from ops.cli.session import NEW_FILE, database_of, dispatcher_on, require_place, say
from ops.cli.speak import answer_to, command_for, noun, tell
from ops.handlers.answer import Answer
from ops.ledger.chain import Fields
from ops.ledger.recorder import flush

if TYPE_CHECKING:
    import psycopg

    from ops.reports.form import Paper
    from ops.reports.receipt import Copy

commission = noun(
    "commission",
    "What is owed on Banker winnings (R-COM-1 to 5).",
    without=("commission.receipt", "commission.form"),
)
_Read = Callable[["psycopg.Connection[Any]", list[Fields]], "Copy | Paper"]


@click.pass_context
def receipt(ctx: click.Context, /, as_json: bool, pdf: Path | None, **spoken: Any) -> None:
    """Records a receipt, then prints it; a second print of it is a marked reprint."""
    _print(ctx, "commission.receipt", spoken, _receipt, pdf, as_json=as_json)


@click.pass_context
def form(ctx: click.Context, /, as_json: bool, pdf: Path | None, **spoken: Any) -> None:
    """Records a form's parts, then prints them; a second print of a part is a marked copy."""
    _print(ctx, "commission.form", spoken, _form, pdf, as_json=as_json)


def _print(
    ctx: click.Context,
    command: str,
    spoken: Mapping[str, Any],
    copy_in: _Read,
    pdf: Path | None,
    *,
    as_json: bool,
) -> None:
    dispatcher = dispatcher_on(database_of(ctx), channel="shell")
    answer, currency = answer_to(dispatcher, command, spoken)

    def printed() -> "Copy | Paper":
        with dispatcher.casino.ledger.connection() as connection:
            copy = copy_in(connection, answer.events)
            flush(connection)
        return copy

    if answer.ok and pdf:
        _write(pdf, printed(), answer)
    elif answer.ok and not as_json:
        click.echo(printed().text(), nl=False)
        return
    if as_json or not answer.ok:
        tell(ctx, answer, currency, as_json=as_json)


def _write(pdf: Path, copy: "Copy | Paper", answer: Answer) -> None:
    try:
        pdf.write_bytes(copy.pdf())
    except OSError as error:
        words = (
            f"{pdf} was not written: {error.strerror}. {copy.head} counts as printed: print again"
        )
        again = "a reprint" if answer.command == "commission.receipt" else "a copy"
        raise click.ClickException(f"{words} for {again}.") from error
    event = answer.events[0]
    say(f"{copy.head} of {event.get('receipt') or event.get('form')} is in {pdf}.")


def _receipt(connection: "psycopg.Connection[Any]", events: list[Fields]) -> "Copy":
    """The copy of a receipt that the answer recorded."""
    from ops.reports.receipt import find

    (event,) = events
    return find(connection, Receipt.parse(event["receipt"]), event["copy"])


def _form(connection: "psycopg.Connection[Any]", events: list[Fields]) -> "Paper":
    """The parts of a form that the answer recorded."""
    from ops.reports.form import find

    copies = [(event["part"], event["copy"]) for event in events]
    return find(connection, Form.parse(events[0]["form"]), copies)


for _name, _callback in (("commission.receipt", receipt), ("commission.form", form)):
    commission.add_command(
        command_for(
            _name,
            _callback,
            click.Option(
                ["--pdf"],
                type=NEW_FILE,
                callback=require_place,
                help="Write it to this file, as a PDF.",
            ),
        )
    )
