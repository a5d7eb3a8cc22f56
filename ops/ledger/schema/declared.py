"""What each projection's tables and views are: as this program declares them, and as they are live.

They are on record in `projections.declared`, and the database makes them from there. So whoever
upgrades decides which there are, and who only grows rows can make no other.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ops import VERSION
from ops.words.failure import LOST, Failure
from projections import PROJECTIONS, Projection

if TYPE_CHECKING:
    import psycopg

_DECLARE = """
    INSERT INTO projections.declared AS d (projection, program, shape, tables, definition, views)
    VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT (projection) DO UPDATE SET
        program = excluded.program, shape = excluded.shape, tables = excluded.tables,
        definition = excluded.definition, views = excluded.views
    WHERE d.shape <> excluded.shape
"""
_DECLARED_NO_MORE = """
    UPDATE projections.declared
       SET program = %s, shape = '', tables = '{}', definition = '', views = '{}'
     WHERE projection <> ALL(%s)
"""
# Of live rows only: a copy is made of what this program declares.
_CHANGED = """
    SELECT name FROM unnest(%s::text[], %s::text[]) AS mine (name, shape)
      LEFT JOIN projections.declared ON projection = name
     WHERE live_shape IS DISTINCT FROM mine.shape
       AND to_regclass('progress') = 'projections.progress'::regclass
"""


class MadeByNewer(Failure):
    """The projection {name} is one of Sabot {program}, which is newer: upgrade this program."""

    status = LOST

    def __init__(self, name: str, program: str) -> None:
        super().__init__((type(self).__doc__ or "").format(name=name, program=program))
        self.name = name
        self.program = program

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.program)  # from a process of its own


def changed(
    connection: "psycopg.Connection[Any]", projections: Iterable[Projection]
) -> list[Projection]:
    """Those whose tables are not what this program declares, where this session reads live ones."""
    known = [each for each in projections if each.tables]
    asked = [each.name for each in known], [each.shape for each in known]
    others = {name for (name,) in connection.execute(_CHANGED, asked)}
    return [each for each in known if each.name in others]


def declare(connection: "psycopg.Connection[Any]") -> None:
    """Puts on record what this program's projections are; in an empty database makes them.

    Elsewhere those that changed are grown anew when somebody next catches up. In a transaction;
    it takes the owner when there is something to declare. Raises MadeByNewer.
    """
    from psycopg.types.json import Jsonb

    known = connection.execute("SELECT projection, shape, program FROM projections.declared")
    of = {name: (shape, program) for name, shape, program in known}
    mine = VERSION
    chosen = [each for each in PROJECTIONS.values() if of.get(each.name, ("",))[0] != each.shape]
    for each in chosen:
        if each.name in of and _release(of[each.name][1]) > _release(mine):
            raise MadeByNewer(each.name, of[each.name][1])
    if not chosen:
        return
    connection.execute("SET LOCAL ROLE sabot_owner")
    for each in chosen:
        views = Jsonb({view.name: view.made for view in each.views})
        row = (each.name, mine, each.shape, list(each.tables), each.schema, views)
        connection.execute(_DECLARE, row)
    connection.execute(_DECLARED_NO_MORE, (mine, list(PROJECTIONS)))
    if not of:
        for each in chosen:
            make_beside(connection, each)
        swap_in(connection, chosen)
    connection.execute("RESET ROLE")


def _release(program: str) -> tuple[int, ...]:
    """A version's numbers, in the order in which they count."""
    return tuple(int(part) for part in program.split(".") if part.isdigit())


def make_beside(connection: "psycopg.Connection[Any]", projection: Projection) -> None:
    """Empty tables in the schema `beside`, as this program declares them."""
    asked = (projection.name, projection.shape)
    connection.execute("SELECT projections.make_beside(%s, %s)", asked)


def swap_in(connection: "psycopg.Connection[Any]", projections: Iterable[Projection]) -> None:
    """What was grown beside takes the live place; whoever calls holds the lock of the live rows."""
    chosen = list(projections)
    asked = ([each.name for each in chosen], [each.shape for each in chosen])
    connection.execute("SELECT projections.swap_in(%s, %s)", asked)
