"""The tables and views of each projection: as this program declares them, and as they are live.

The table `projections.declared` has them, and the database makes them from there. So the login
that upgrades decides which tables there are; one that only writes rows cannot make others.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ops import VERSION
from ops.words.failure import LOST, Failure
from projections import PROJECTIONS, Projection
from projections.model import squeezed

if TYPE_CHECKING:
    import psycopg

_DECLARE = """
    INSERT INTO projections.declared AS d (projection, program, shape, tables, definition, views)
    VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT (projection) DO UPDATE SET
        program = excluded.program, shape = excluded.shape, tables = excluded.tables,
        definition = excluded.definition, views = excluded.views
"""
# Of what such a projection had begun, only tables that are there and that no other makes are its
# own: a swap would look for a table that nobody makes, or move one twice.
_OF_ANOTHER = """
    (to_regclass(format('beside.%%I', made)) IS NULL OR EXISTS (
        SELECT FROM projections.declared AS other
         WHERE other.projection = ANY(%(known)s) AND made = ANY(other.tables)))
"""
_DECLARED_NO_MORE = f"""
    UPDATE projections.declared
       SET program = %(program)s, shape = '', tables = '{{}}', definition = '', views = '{{}}',
           grown = ARRAY(SELECT made FROM unnest(grown) AS made WHERE NOT {_OF_ANOTHER})
     WHERE projection <> ALL(%(known)s)
"""  # noqa: S608
_GARBLED = f"""
    SELECT FROM projections.declared, unnest(grown) AS made WHERE shape = '' AND {_OF_ANOTHER}
"""
# Compares live tables only: copies are always made as this program declares them.
_CHANGED = """
    SELECT name FROM unnest(%s::text[], %s::text[]) AS mine (name, shape)
      LEFT JOIN projections.declared ON projection = name
     WHERE live_shape IS DISTINCT FROM mine.shape
       AND to_regclass('progress') = 'projections.progress'::regclass
"""


class MadeByNewer(Failure):
    """The projection {name} was made by Sabot {program}, which is newer. Upgrade this program."""

    status = LOST

    def __init__(self, name: str, program: str) -> None:
        super().__init__((type(self).__doc__ or "").format(name=name, program=program))
        self.name = name
        self.program = program

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.program)  # it may come from another process


def changed(
    connection: "psycopg.Connection[Any]", projections: Iterable[Projection]
) -> list[Projection]:
    """The projections, of these, whose live tables differ from what this program declares."""
    known = [each for each in projections if each.tables]
    asked = [each.name for each in known], [each.shape for each in known]
    others = {name for (name,) in connection.execute(_CHANGED, asked)}
    return [each for each in known if each.name in others]


def declared_otherwise(
    connection: "psycopg.Connection[Any]", projections: Iterable[Projection]
) -> list[Projection]:
    """The projections, of these, that the database does not know as this program declares them."""
    rows = connection.execute(
        "SELECT projection, shape, tables, definition, views FROM projections.declared"
    )
    known = {
        name: (shape, tables, squeezed(definition), views)
        for name, shape, tables, definition, views in rows
    }
    return [each for each in projections if known.get(each.name) != _declared(each)]


def to_be_declared(
    connection: "psycopg.Connection[Any]", projections: Iterable[Projection]
) -> bool:
    """Whether `declare` has something to do, for these or for one that is declared no more."""
    if declared_otherwise(connection, projections):
        return True
    return connection.execute(_GARBLED, {"known": list(PROJECTIONS)}).fetchone() is not None


def _declared(projection: Projection) -> tuple[str, list[str], str, dict[str, str]]:
    tables, definition = list(projection.tables), squeezed(projection.schema)
    return projection.shape, tables, definition, _views_of(projection)


def _views_of(projection: Projection) -> dict[str, str]:
    return {view.name: view.made for view in projection.views}


def declare(connection: "psycopg.Connection[Any]") -> None:
    """Records this program's projections; in an empty database it also makes their tables.

    In others, a changed projection is rebuilt at its next catch-up. Call it in a transaction; it
    needs the owner's role if anything changed. Raises MadeByNewer.
    """
    from psycopg.types.json import Jsonb

    programs = dict(connection.execute("SELECT projection, program FROM projections.declared"))
    chosen = declared_otherwise(connection, PROJECTIONS.values())
    for each in chosen:
        if _release(programs.get(each.name, "")) > _release(VERSION):
            raise MadeByNewer(each.name, programs[each.name])
    if not to_be_declared(connection, chosen):
        return
    connection.execute("SET LOCAL ROLE sabot_owner")
    for each in chosen:
        row = (each.name, VERSION, each.shape, list(each.tables), each.schema)
        connection.execute(_DECLARE, (*row, Jsonb(_views_of(each))))
    connection.execute(_DECLARED_NO_MORE, {"program": VERSION, "known": list(PROJECTIONS)})
    if not programs:
        for each in chosen:
            make_beside(connection, each)
        swap_in(connection, chosen)
    connection.execute("SET ROLE NONE")


def _release(program: str) -> tuple[int, ...]:
    """A version's numbers, for comparison."""
    return tuple(int(part) for part in program.split(".") if part.isdigit())


def make_beside(connection: "psycopg.Connection[Any]", projection: Projection) -> None:
    """Makes a projection's tables, empty, in the schema `beside`."""
    asked = (projection.name, projection.shape)
    connection.execute("SELECT projections.make_beside(%s, %s)", asked)


def swap_in(connection: "psycopg.Connection[Any]", projections: Iterable[Projection]) -> None:
    """Replaces live tables by those in `beside`; the caller holds the lock of the live rows."""
    chosen = list(projections)
    asked = ([each.name for each in chosen], [each.shape for each in chosen])
    connection.execute("SELECT projections.swap_in(%s, %s)", asked)
