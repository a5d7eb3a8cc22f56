"""Checks that the reader may read, before anything is printed."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from domain.rules.refusals import Refusal
from ops.cli.session import database_of, say
from ops.commands.reader import Asked, How, Reader, require_reader
from ops.commands.rights import Rights, read_by
from ops.commands.saved_token import saved_token
from ops.handlers.answer import refused
from ops.ledger.database import Database
from ops.ledger.recorder import flush_to_show
from ops.words.language import shown

if TYPE_CHECKING:
    import psycopg


def permit(
    database: Database,
    what: str,
    about: Mapping[str, str | None] = MappingProxyType({}),
    how: How | None = None,
    *,
    as_json: bool = False,
) -> Reader:
    """Checks and records the reader of WHAT. Refuses: NotSignedOn, NotPermitted.

    What the command reads from now on is read for them. A `day` is a range of one. With
    `as_json` a refusal is a line of JSON, and the exit status 1.
    """
    day = about.get("day")
    narrowed = {**about, "from": day, "to": day} if day else about
    asked = Asked(what, how or ("json" if as_json else "screen"), narrowed)
    try:
        reader = require_reader(database, asked, saved_token())
    except Refusal as refusal:
        if not as_json:
            raise
        click.echo(str(refused({"command": what}, refusal)))
        click.get_current_context().exit(1)
    click.get_current_context().with_resource(read_by(Rights(reader.role)))
    return reader


def permit_here(
    what: str, about: Mapping[str, str | None], how: How | None = None, *, as_json: bool = False
) -> str:
    """Checks and records the reader, if there is a house here at all; else nobody can be asked.

    Their staff number, if it is known. Refuses: NotSignedOn, NotPermitted.
    """
    database = database_of(click.get_current_context())
    if database.begun:
        return permit(database, what, about, how, as_json=as_json).who
    return saved_token().staff


def read_safely(connection: "psycopg.Connection[Any]") -> None:
    """Waits until what was read is on disk; says so, if the standby may not have it."""
    if words := flush_to_show(connection):
        say(shown(words))
