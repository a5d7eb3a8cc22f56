"""Patrons: who an alias turned out to be, so that their facts count together in every report."""

from collections.abc import Iterator

from domain.events import patron
from projections.model import Fact, Projection, Statement

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


PROJECTION = Projection(
    name="patrons",
    tables=("patron_identities",),
    changes={patron.Identified.TOPIC: _identified},
)
