"""Commands that record a pack and then write it, so that the record has every pack."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from ops.cli.pack import Pair, require_pair
from ops.cli.session import database_of, dispatcher_on, say
from ops.cli.speak import answer_to, command_for, tell
from ops.commands.vocabulary import COMMANDS
from ops.handlers.answer import Answer
from ops.handlers.checkpoints import cover
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import flush

if TYPE_CHECKING:
    import psycopg

    from ops.pack.pack import Pack

    Connection = psycopg.Connection[Any]


class Handout(Struct, frozen=True):
    """What a pack is made of: a case or an inquiry, as its command and its event name it."""

    what: str
    command: str
    parse: Callable[[str], Any]  # its address. Refuses: BadValue
    last: "Callable[[Connection, Any], int]"  # its last position. Refuses: NotFound
    make: "Callable[[Connection, Any, int], Pack]"  # as of a position


def export_command(handout: Handout) -> click.Command:
    """The shell form of a command that records a pack; it writes the pack, too."""

    @click.pass_context
    def export(ctx: click.Context, /, as_json: bool, into: Path, **spoken: Any) -> None:
        """Records the pack, then writes it.

        If no checkpoint covers it yet, one is made first, where the house's key is.
        """
        pair, dispatcher = None, dispatcher_on(database_of(ctx), channel="shell")
        if dispatcher.authority.may_give(COMMANDS[handout.command]):
            pair, last = _pair(ctx, handout, into, spoken[handout.what])
            cover(dispatcher, database_of(ctx), last)
        answer, currency = answer_to(dispatcher, handout.command, spoken)
        if answer.ok and pair:
            _write(pair, handout, dispatcher, answer)
        tell(ctx, answer, currency, as_json=as_json)

    return command_for(handout.command, export, _into(handout.what))


def _into(what: str) -> click.Option:
    return click.Option(
        ["--into"],
        metavar="DIR",
        required=True,
        type=click.Path(file_okay=False, path_type=Path),
        help="Where {0}.json and {0}.pdf are written.".format(what.upper().replace("_", "-")),
    )


def _pair(ctx: click.Context, handout: Handout, into: Path, name: str) -> tuple[Pair, int]:
    """The paths of the two files, and the last position; makes a missing directory.

    Refuses: BadValue, NotFound.
    """
    address = handout.parse(name)
    with database_of(ctx).session("sabot_auditor") as connection:
        last = handout.last(connection, address)
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{into} cannot be made: {error.strerror}.") from None
    pair = require_pair(ctx, _into(handout.what), into / str(address))
    assert pair is not None
    return pair, last


def _write(pair: Pair, handout: Handout, dispatcher: Dispatcher, answer: Answer) -> None:
    """Makes the pack of the answer's event from the record, and writes it."""
    (event,) = answer.events
    name = event[handout.what]
    with dispatcher.casino.ledger.connection() as connection:
        made = handout.make(connection, handout.parse(name), event["position"])
        flush(connection)
    if made.json_sha256 != event["json_sha256"]:
        raise click.ClickException(
            f"Another version of this program made the pack of {name} that is on record, "
            "and this one makes other bytes. Export it again, with another id."
        )
    try:
        pair.write(made)
    except click.ClickException as error:
        words = f"{error.message} The record has its hashes: ask again for the same files."
        raise click.ClickException(words) from error
    say(f"The pack of {name} is in {pair.json} and {pair.pdf}.")
