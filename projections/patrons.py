"""Patrons: who an alias turned out to be, so that their facts count together in every report."""

from collections.abc import Iterator

from domain.events import patron
from projections.model import Fact, Projection, Statement, View

_TABLES = """
-- An alias of an alias leads straight to the last patron.
CREATE TABLE patron_identities (
    alias  text NOT NULL PRIMARY KEY,                  -- the name that somebody had at a table
    patron text NOT NULL CHECK (patron <> alias)       -- who it turned out to be
);
CREATE INDEX patron_identities_by_patron ON patron_identities (patron);
"""

# What a report joins to show the patron that a name stands for.
KNOWN = "LEFT JOIN patron_identities AS known ON known.alias = {0}.patron"
IDENTITY = "coalesce(known.patron, {0}.patron)"

# Whether that patron is asked for, by their own name or by any alias.
ASKED = """
(%(patron)s::text IS NULL OR {0} = coalesce(
    (SELECT patron FROM patron_identities WHERE alias = %(patron)s), %(patron)s))
"""

# Who the alias is may be an alias itself, and other aliases may have led to this one.
_IDENTIFIED = """
WITH identity AS (
    SELECT coalesce(
        (SELECT patron FROM patron_identities WHERE alias = %(patron_is)s::text),
        %(patron_is)s::text) AS patron
), moved AS (
    UPDATE patron_identities AS known SET patron = identity.patron
      FROM identity WHERE known.patron = %(patron)s::text
)
INSERT INTO patron_identities
SELECT %(patron)s::text, patron FROM identity WHERE patron <> %(patron)s::text
"""


def _identified(fact: Fact) -> Iterator[Statement]:
    yield _IDENTIFIED, {name: fact.told[name] for name in ("patron", "patron_is")}


_VIEWS = (
    View(
        name="patrons",
        what=(
            "Who an alias turned out to be. The other views tell the patron that it stands for by"
            " now."
        ),
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
    changes={patron.Identified.TOPIC: _identified},
)
