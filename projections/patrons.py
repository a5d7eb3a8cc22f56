"""Patrons: which patron an alias stands for, so that their events count together."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from domain.events import patron
from projections.model import Event, Projection, View
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- An alias of an alias leads straight to the last patron.
CREATE TABLE patron_identities (
    alias  text NOT NULL PRIMARY KEY,                  -- the name used at a table
    patron text NOT NULL CHECK (patron <> alias),      -- who it is
    named  text NOT NULL                               -- the name that was typed
);
CREATE INDEX patron_identities_by_patron ON patron_identities (patron);
"""

# A report joins this to show the patron that a name stands for.
KNOWN = "LEFT JOIN patron_identities AS known ON known.alias = {0}.patron"
IDENTITY = "coalesce(known.patron, {0}.patron)"

# Whether a row's patron is the one asked for, by their own name or by any alias.
ASKED = """
(%(patron)s::text IS NULL OR {0} = coalesce(
    (SELECT patron FROM patron_identities WHERE alias = %(patron)s), %(patron)s))
"""


class Identity(Row):
    """An alias, with the patron that it stands for."""

    alias: str
    patron: str
    named: str  # the name that it was identified as, which may be an alias too


IDENTITIES = Table("patron_identities", Identity, "alias")
OF_A_PATRON = IDENTITIES.page("patron")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if "was" in event.fields:
        yield IDENTITIES.by_key, (event.fields["patron"],)
        return
    yield IDENTITIES.by_key, (event.fields["patron_is"],)
    yield OF_A_PATRON, (event.fields["patron"],)


def _identified(event: Event, rows: Rows) -> None:
    """Links an alias to its patron, through other aliases in both directions."""
    alias, patron = event.fields["patron"], event.fields["patron_is"]
    if known := rows.get(IDENTITIES, patron):
        patron = known.patron
    for each in rows.find(OF_A_PATRON, alias):
        rows.drop(IDENTITIES, each)
        rows.put(IDENTITIES, replace(each, patron=patron))
    if patron != alias:
        named = event.fields["patron_is"]
        rows.put(IDENTITIES, Identity(alias=alias, patron=patron, named=named))


def _separated(event: Event, rows: Rows) -> None:
    """Makes an alias nobody's again; the aliases that were identified as it are its own."""
    alias = event.fields["patron"]
    known = rows.change(IDENTITIES, alias)
    if not known:
        return
    rows.drop(IDENTITIES, known)
    theirs, through = rows.find(OF_A_PATRON, known.patron), {alias}
    for _ in theirs:
        through |= {each.alias for each in theirs if each.named in through}
    for each in theirs:
        if each.alias in through:
            rows.drop(IDENTITIES, each)
            rows.put(IDENTITIES, replace(each, patron=alias))


_VIEWS = (
    View(
        name="patrons",
        what="Who an alias is. The other views name the patron, not the alias.",
        sql="""
SELECT alias, patron FROM projections.patron_identities
""",
        columns={
            "alias": "The name that somebody had at a table.",
            "patron": "The patron that it is.",
        },
    ),
)

PROJECTION = Projection(
    name="patrons",
    schema=_TABLES,
    views=_VIEWS,
    changes={patron.Identified.TOPIC: _identified, patron.Separated.TOPIC: _separated},
    loads=_loads,
)
