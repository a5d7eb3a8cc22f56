"""What a question of protection is made of."""

from collections.abc import Mapping

from msgspec import Struct

from domain.events import coup_wagers
from projections.model import Change, Finish, Loads, nothing

SETTLED = (coup_wagers.WagerSettled.TOPIC, coup_wagers.WagerSettledLate.TOPIC)


class Question(Struct, frozen=True):
    """The tables, changes, loads and finish of one file, as in `Projection`."""

    sql: str
    changes: Mapping[str, Change]
    loads: Loads
    finish: Finish = nothing
