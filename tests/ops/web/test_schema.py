"""The schema, which anybody may ask for: it is made once, and sent once to who keeps it."""

import asyncio
from types import SimpleNamespace

import pytest

from ops.commands.schema import text
from ops.web import app
from ops.web.app import Doors
from ops.web.tokens import NOBODY


@pytest.fixture
def doors():
    """The handlers of a server that was just started; no house is needed."""
    return Doors(SimpleNamespace(), NOBODY)


def asked(**headers):
    """A request for the schema."""
    return SimpleNamespace(headers=headers)


def test_the_schema_is_made_once_however_often_it_is_asked_for(doors, monkeypatch):
    made = []
    monkeypatch.setattr(app, "schema_text", lambda: made.append(1) or text())

    async def many():
        first = await asyncio.gather(*(doors.schema(asked()) for _ in range(20)))
        return [*first, await doors.schema(asked())]

    answers = asyncio.run(many())

    assert {each.body for each in answers} == {text().encode()}
    assert len(made) == 1


def test_whoever_has_the_schema_is_told_that_it_is_still_the_same(doors):
    async def twice():
        tag = (await doors.schema(asked())).headers["ETag"]
        same = await doors.schema(asked(**{"if-none-match": f"W/{tag}"}))
        other = await doors.schema(asked(**{"if-none-match": '"another"'}))
        return same, other

    same, other = asyncio.run(twice())

    assert (same.status_code, same.body) == (304, b"")
    assert (other.status_code, other.body) == (200, text().encode())
