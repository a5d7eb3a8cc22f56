"""The kinds of alerts that there are, for the form of the list: the gravest first."""

from collections.abc import Mapping

from ops.board.rows import Seen
from ops.commands.rights import rights_of_reader
from ops.ledger.database import Database
from ops.reports.runner import reading_session
from ops.words.alerts import kind_name
from ops.words.language import shown
from ops.words.pages import GRAVITIES
from projections.attention.recorded_alerts import KINDS_THERE
from projections.ranks import RANKS

Kinds = Mapping[str, list[tuple[str, str]]]  # by the words of a gravity: names, each with its kind


def kinds_there(database: Database, seen: Seen | None, asked: str, *, recorded: bool) -> Kinds:
    """Those that wait or, for who may read the report, are on record, and the one asked for."""
    kinds = {asked} - {""}
    if seen:
        kinds |= {each.kind for each in seen.alerts} | {each.kind for each in seen.past}
    if recorded:
        with reading_session(database) as (connection, _):
            every = connection.execute(KINDS_THERE, {"kinds": [*RANKS]})
            kinds |= {kind for (kind,) in every if rights_of_reader().may_learn(kind)}
    by_rank = {
        rank: sorted((kind_name(each), each) for each in kinds if RANKS[each] == rank)
        for rank in GRAVITIES
    }
    return {shown(GRAVITIES[rank]): named for rank, named in by_rank.items() if named}
