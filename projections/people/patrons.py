"""Patrons: every name with what it looks like, and which patron an alias stands for."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from msgspec.structs import replace

from domain.events import patron, table_day
from domain.rules.likeness import SHAPES, looks
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

-- Every name of a patron, once for each of its looks: names with a look in common look the same.
CREATE TABLE patron_looks (
    look       text NOT NULL,
    name       text NOT NULL,
    table_code text NOT NULL,   -- where they sat down last; '' if never
    gaming_day date,            -- then; NULL if never
    PRIMARY KEY (look, name)
);

-- For whom a patron plays: of those that began on a gaming day, the last row holds.
CREATE TABLE patron_principals (
    position  bigint NOT NULL PRIMARY KEY,
    patron    text   NOT NULL,
    from_day  date   NOT NULL,   -- the first gaming day on which it holds
    principal text   NOT NULL    -- '': for themselves
);

-- Who may not play, while it lasts; what an alias had, the patron has too.
CREATE TABLE patron_barrings (
    patron text        NOT NULL PRIMARY KEY,
    since  timestamptz NOT NULL
);
"""

# A report joins this to show the patron that a name stands for.
KNOWN = "LEFT JOIN patron_identities AS known ON known.alias = {0}.patron"
IDENTITY = "coalesce(known.patron, {0}.patron)"

# Whether a row's patron is the one asked for, by their own name or by any alias.
ASKED = """
(%(patron)s::text IS NULL OR {0} = coalesce(
    (SELECT patron FROM patron_identities WHERE alias = %(patron)s), %(patron)s))
"""

# The same of a list of names.
ASKED_AMONG = """
(%(patron)s::text IS NULL OR EXISTS (
    SELECT FROM jsonb_array_elements_text({0}) AS one (name)
           LEFT JOIN patron_identities AS known ON known.alias = one.name
     WHERE coalesce(known.patron, one.name) = coalesce(
           (SELECT patron FROM patron_identities WHERE alias = %(patron)s), %(patron)s)))
"""


class Identity(Row):
    """An alias, with the patron that it stands for."""

    alias: str
    patron: str
    named: str  # the name that it was identified as, which may be an alias too


class Look(Row):
    """What a name looks like, and where the patron sat down last under it."""

    look: str
    name: str
    table_code: str = ""
    gaming_day: date | None = None


class Principal(Row):
    """For whom a patron plays, from a gaming day on."""

    position: int
    patron: str
    from_day: date
    principal: str


class Barring(Row):
    """That a patron may not play, by the house's decision or their own."""

    patron: str
    since: datetime


BARRINGS = Table("patron_barrings", Barring, "patron")
PRINCIPALS = Table("patron_principals", Principal, "position")
IDENTITIES = Table("patron_identities", Identity, "alias")
OF_A_PATRON = IDENTITIES.page("patron")
LOOKS = Table("patron_looks", Look, "look", "name")

# Since when somebody, by their own name or an alias, may not play; no row if they may.
BARRED = """
SELECT since FROM patron_barrings
 WHERE patron = coalesce((SELECT known.patron FROM patron_identities AS known
                           WHERE known.alias = %(patron)s), %(patron)s)
"""

# Seats of who may not play, and of who plays for them (`whom`), each with since when.
_SEATS = f"""
SELECT table_code, gaming_day, seat, seats_now.position, {IDENTITY.format("seats_now")} AS patron
  FROM seats_now JOIN tables_now USING (table_code) {KNOWN.format("seats_now")}
 WHERE closed_at IS NULL
"""  # noqa: S608
BARRED_NOW = f"""
SELECT seats.*, NULL AS whom, since
  FROM ({_SEATS}) AS seats JOIN patron_barrings USING (patron)
 UNION ALL
SELECT seats.*, patron_barrings.patron, since
  FROM ({_SEATS}) AS seats
  JOIN LATERAL (SELECT principal FROM patron_principals AS since_then
                 WHERE since_then.patron = seats.patron AND from_day <= gaming_day
                 ORDER BY since_then.position DESC LIMIT 1) AS whose ON true
  LEFT JOIN patron_identities AS named ON named.alias = principal
  JOIN patron_barrings ON patron_barrings.patron = coalesce(named.patron, principal)
 WHERE NOT EXISTS (SELECT FROM patron_barrings AS own WHERE own.patron = seats.patron)
"""  # noqa: S608

# The events that bring a name of a patron, and the fields with names.
NAMED = {
    table_day.PatronSeated.TOPIC: ("patron",),
    patron.Known.TOPIC: ("patron",),
    patron.Identified.TOPIC: ("patron", "patron_is"),
}


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    for name in names_in(event):
        for look in looks(name):
            yield LOOKS.by_key, (look, name)
    if event.topic == patron.Separated.TOPIC:
        yield IDENTITIES.by_key, (event.fields["patron"],)
    if event.topic in (patron.Barred.TOPIC, patron.Unbarred.TOPIC):
        yield BARRINGS.by_key, (event.fields["patron"],)
    if event.topic == patron.PlaysFor.TOPIC:
        yield PRINCIPALS.by_key, (event.position,)
    if event.topic != patron.Identified.TOPIC:
        return
    yield IDENTITIES.by_key, (event.fields["patron_is"],)
    yield OF_A_PATRON, (event.fields["patron"],)


def names_in(event: Event) -> list[str]:
    """The names of patrons that an event brings."""
    return [event.fields[name] for name in NAMED.get(event.topic, ())]


def _named(event: Event, rows: Rows) -> None:
    """Adds the names of an event; whoever sits down was there last."""
    for name in names_in(event):
        for look in looks(name):
            row = rows.change(LOOKS, look, name)
            if row is None:
                row = Look(look=look, name=name)
                rows.put(LOOKS, row)
            if event.table:
                row.table_code, row.gaming_day = event.table, event.gaming_day


def _identified(event: Event, rows: Rows) -> None:
    """Links an alias to its patron, through other aliases in both directions."""
    _named(event, rows)
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


def _plays_for(event: Event, rows: Rows) -> None:
    fields = event.fields
    whom = Principal(
        position=event.position,
        patron=fields["patron"],
        from_day=date.fromisoformat(fields["from_day"]),
        principal=fields["principal"],
    )
    rows.put(PRINCIPALS, whom)


def _barred(event: Event, rows: Rows) -> None:
    rows.put(BARRINGS, Barring(patron=event.fields["patron"], since=event.at))


def _unbarred(event: Event, rows: Rows) -> None:
    if barring := rows.get(BARRINGS, event.fields["patron"]):
        rows.drop(BARRINGS, barring)


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
    changes={
        table_day.PatronSeated.TOPIC: _named,
        patron.Known.TOPIC: _named,
        patron.Identified.TOPIC: _identified,
        patron.Separated.TOPIC: _separated,
        patron.PlaysFor.TOPIC: _plays_for,
        patron.Barred.TOPIC: _barred,
        patron.Unbarred.TOPIC: _unbarred,
    },
    loads=_loads,
    version=SHAPES,
)
