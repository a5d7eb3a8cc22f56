"""What commands share: the database they were pointed at, a dispatcher, options."""

import functools
from collections.abc import Callable
from typing import Any

import click

from domain.property import PROPERTY_STREAM, Property
from ops.casino import Casino
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


def dispatcher_on(database: Database, mouth: str, patience: float = 5.0) -> Dispatcher:
    """A dispatcher with a casino of its own."""
    ledger = Ledger(database)
    return Dispatcher(Casino(ledger), mouth, patience)


def currency_of(casino: Casino) -> str:
    """The currency that amounts are spoken in."""
    house = casino.find(Property, PROPERTY_STREAM, rely=False)
    return house.currency if house else "USD"
