"""`sabot dispute`: what a patron says of a coup, how it was decided, and what followed."""

from pathlib import Path
from typing import Any

import click

from domain.addresses import Case
from ops.cli.pack import Pair, require_pair
from ops.cli.session import database_of, dispatcher_on, say
from ops.cli.speak import answer_to, command_for, noun, tell
from ops.dispatcher import Answer, Dispatcher
from ops.ledger.recorder import flush

dispute = noun(
    "dispute",
    "What a patron says of a coup, until it is settled (R-IRR-5).",
    without=("dispute.export",),
)


@click.pass_context
def export(ctx: click.Context, /, as_json: bool, into: Path, **spoken: Any) -> None:
    """Recorded first, written then: there is no pack of which the record does not know."""
    pair = _pair(ctx, into, spoken["case"])
    dispatcher = dispatcher_on(database_of(ctx), mouth="shell")
    answer, currency = answer_to(dispatcher, "dispute.export", spoken)
    if answer.ok:
        _write(pair, dispatcher, answer)
    tell(ctx, answer, currency, as_json=as_json)


def _pair(ctx: click.Context, into: Path, case: str) -> Pair:
    """Where the two files go; a directory that is not there yet is made. Refuses: BadValue."""
    name = str(Case.parse(case))
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{into} cannot be made: {error.strerror}.") from None
    pair = require_pair(ctx, _INTO, into / name)
    assert pair is not None
    return pair


def _write(pair: Pair, dispatcher: Dispatcher, answer: Answer) -> None:
    """The pack that the answer tells of, made again from the record."""
    from ops.case_pack import pack_of_case

    (fact,) = answer.body["events"]
    with dispatcher.casino.ledger.connection() as connection:
        made = pack_of_case(connection, Case.parse(fact["case"]))
        flush(connection)
    if made.json_sha256 != fact["json_sha256"]:
        raise click.ClickException(f"More was recorded of {fact['case']} meanwhile: ask again.")
    pair.write(made)
    say(f"The pack of {fact['case']} is in {pair.json} and {pair.pdf}.")


_INTO = click.Option(
    ["--into"],
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where CASE.json and CASE.pdf are written.",
)
dispute.add_command(command_for("dispute.export", export, _INTO))
