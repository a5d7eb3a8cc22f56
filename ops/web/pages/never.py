"""What a page was narrowed to and nothing on record is called, with what is near to it."""

from collections.abc import Mapping

from msgspec import Struct

from domain.rules.wording import Words
from ops.finding.near import near
from ops.ledger import clock
from ops.ledger.database import Database
from ops.reports.never_named import never_named


class NeverNamed(Struct, frozen=True):
    """A name by which something is asked for; `what`: the field it was in."""

    what: str
    name: str
    words: Words
    near: list[str]


def never(database: Database, narrowed: Mapping[str, str | None]) -> list[NeverNamed]:
    """Each table, shoe or patron that is asked for and not on record. Raises LedgerLost."""
    unknown = [*never_named(database, narrowed)]
    if not unknown:
        return []
    fields = {value: name for name, value in narrowed.items()}
    now = clock.wall_clock()
    with database.session("sabot_auditor") as connection:
        return [
            NeverNamed(
                fields[name],
                name,
                words,
                [hit.name for hit in near(connection, name, now) if hit.kind == fields[name]],
            )
            for name, words in unknown
        ]
