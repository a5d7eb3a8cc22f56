"""What is really there: each table, column, index, function, right … of the schema.

The upgrade writes them to `public.schema_objects`; `differences` compares them with what is there
now. Tables of projections are made anew with other columns, so of them only their triggers, owners
and rights count, which are alike for all. A role that may do more than it should always counts.
"""

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    import psycopg

ROLES = ("sabot_owner", "sabot_app", "sabot_projector", "sabot_auditor", "sabot_analyst")
SCHEMAS = (
    *("ledger", "locks", "people", "sealed", "projections", "beside", "outgoing", "analysis"),
)
_OBJECTS = Path(__file__).with_suffix(".sql")
# Every name is then written with its schema.
_QUALIFIED = """
    SELECT before FROM (SELECT current_setting('search_path') AS before OFFSET 0) AS was,
           LATERAL set_config('search_path', 'pg_catalog', left(before, 0) = '')
"""
_AS_BEFORE = "SELECT set_config('search_path', %s, true)"
_WRITTEN = "SELECT kind, name, definition FROM public.schema_objects"
_WRITE = "INSERT INTO public.schema_objects (kind, name, definition) VALUES (%s, %s, %s)"
_ADDABLE = {"table", "view", "relation", "index"}
_WHOLE = {"schema", "table", "view", "relation", "function"}  # others are a part of one
_FAULTS = {"changed": "was changed", "missing": "is missing", "added": "is not Sabot's"}
Key = tuple[str, str]


class Object(Struct, frozen=True):
    """An object as it is; `alike`: its name in the list, `about`: what it is a part of."""

    kind: str
    name: str
    alike: str
    about: str
    definition: str

    @property
    def key(self) -> Key:
        """What the list knows it by."""
        return self.kind, self.alike


class Difference(Struct, frozen=True, order=True):
    """An object that is not as the upgrade made it."""

    kind: str
    name: str
    fault: str  # `changed`, `missing` or `added`

    @property
    def harmless(self) -> bool:
        """Whether Sabot works as before, as with a table that somebody added for themselves."""
        return self.fault == "added" and self.kind in _ADDABLE

    def __str__(self) -> str:
        return f"{self.kind} {self.name} {_FAULTS[self.fault]}"


def objects(connection: "psycopg.Connection[Any]") -> list[Object]:
    """Everything that is there. Raises psycopg's InsufficientPrivilege for a stranger's login."""
    with connection.transaction():
        row = connection.execute(_QUALIFIED).fetchone()
        rows = connection.execute(
            _OBJECTS.read_bytes(), {"schemas": list(SCHEMAS), "roles": list(ROLES)}
        ).fetchall()
        connection.execute(_AS_BEFORE, row)
    return [Object(*row) for row in rows]


def additions(connection: "psycopg.Connection[Any]") -> set[Key]:
    """What somebody added, as the list would know it."""
    listed = written(connection)
    return {each.key for each in objects(connection) if each.key not in listed}


def write(connection: "psycopg.Connection[Any]", but: set[Key]) -> str:
    """Writes what is there to the database, `but` what somebody added; the digest of the list."""
    now = {
        each.key: each.definition
        for each in objects(connection)
        if each.kind != "power" and each.key not in but
    }
    connection.execute("DELETE FROM public.schema_objects")
    with connection.cursor() as cursor:
        cursor.executemany(_WRITE, [(*key, definition) for key, definition in now.items()])
    return digest(now)


def digest(listed: dict[Key, str]) -> str:
    """The SHA-256 of a list, in hex digits."""
    return sha256(repr(sorted(listed.items())).encode()).hexdigest()


def differences(
    connection: "psycopg.Connection[Any]", released: str | None = None
) -> list[Difference]:
    """What is there and not as the upgrade made it. Raises as `objects` does.

    Of what is missing or added as a whole, the parts are not named. `released`: the digest of the
    list as it was released.
    """
    listed, there = written(connection), objects(connection)
    known = {each.key for each in there}
    added = {each.name for each in there if each.key not in listed and each.kind in _WHOLE}
    lost = {name for kind, name in listed.keys() - known if kind in _WHOLE}
    altered = released is not None and released != digest(listed)
    return sorted(
        [
            *([Difference("list", "public.schema_objects", "changed")] if altered else []),
            *(
                Difference(each.kind, each.name, "changed" if each.key in listed else "added")
                for each in there
                if listed.get(each.key) != each.definition
                and (each.kind in _WHOLE or each.about not in added)
            ),
            *(
                Difference(kind, name, "missing")
                for kind, name in listed.keys() - known
                if kind in _WHOLE or not any(each in name for each in lost)
            ),
        ]
    )


def written(connection: "psycopg.Connection[Any]") -> dict[Key, str]:
    """The list that the last upgrade wrote."""
    rows = connection.execute(_WRITTEN).fetchall()
    return {(kind, name): definition for kind, name, definition in rows}
