"""What commands share: the database they were pointed at, a dispatcher, options."""

import functools
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import click

from domain.property import PROPERTY_STREAM, Property
from domain.refusals import BadValue
from ops.casino import FURTHEST_AHEAD, Casino
from ops.cli import Settings
from ops.database import Database
from ops.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def database_of(ctx: click.Context) -> Database:
    """The database that this call is about."""
    settings = ctx.find_object(Settings) or Settings()
    return Database(settings.database_url)


def say(words: str) -> None:
    """To people, beside the data."""
    click.echo(words, err=True)


def with_database(command: Callable[..., Any]) -> Callable[..., Any]:
    """Hands the command its database first."""

    @click.pass_context
    @functools.wraps(command)
    def call(ctx: click.Context, /, **options: Any) -> Any:
        return command(database_of(ctx), **options)

    return call


def dispatcher_on(
    database: Database,
    mouth: str,
    patience: float = 5.0,
    ahead: timedelta | None = FURTHEST_AHEAD,
) -> Dispatcher:
    """A dispatcher with a casino of its own, which the command closes when it ends.

    Evenings that are made up may lie `ahead`.
    """
    casino = Casino(Ledger(database), ahead=ahead)
    context = click.get_current_context(silent=True)
    if context:
        context.call_on_close(casino.close)
    return Dispatcher(casino, mouth, patience)


def require_utf8(field: str, said: str | tuple[str, ...]) -> None:
    """The shell hands on any bytes. Refuses: BadValue, when they are no text."""
    for word in (said,) if isinstance(said, str) else said:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise BadValue(field=field, value=ascii(word), why="it is not UTF-8") from None


def currency_of(casino: Casino) -> str:
    """The currency that amounts are spoken in."""
    house = casino.find(Property, PROPERTY_STREAM, rely=False)
    return house.currency if house else "USD"
