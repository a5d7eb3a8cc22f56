"""A house before and after a restore, what is open on its board then, and what two people say."""

import io
import json
from contextlib import closing, contextmanager

from ops.door.acknowledged import LinesHere
from ops.door.connection import WiredConnection
from ops.door.feed import Feed
from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.gaming_table import GamingTable, mouth_on
from tests.worlds.house_server import house_server

BET = {"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": 100_00}
OTHER = {**BET, "spot": "player", "seat": 5}
TWO = {"by": "A-1", "with": "S-11", "reason": "the disk failed"}


def alerts(database):
    """The kinds of alerts that are open."""
    ask(database, REPORTS["alerts"])
    with database.session("sabot_auditor") as connection:
        rows = connection.execute(
            "SELECT kind FROM alerts WHERE acknowledged_at IS NULL AND ended_at IS NULL"
        )
        return [kind for (kind,) in rows]


@contextmanager
def restored_house(server, database, place):
    """The house's server, and the same house's as it was restored from before the newest bet."""
    with mouth_on(database) as house:
        GamingTable(house).open().prepare()
    with (
        server.database(like=database) as again,
        house_server(database, place / "one") as before,
        house_server(again, place / "two") as after,
    ):
        yield before, after


def fed(server, *lines, patience=0.2):
    """The exit status of a feed, and its answers."""
    text, out = "".join(json.dumps(each) + "\n" for each in lines), io.StringIO()
    mine = LinesHere("house")
    with closing(WiredConnection(server.address, patience, acknowledged=mine)) as connection:
        feed = Feed(connection, None, mine, late=False, until_refused=False)
        status = feed.run(io.BytesIO(text.encode()), out)
    return status, [json.loads(each) for each in out.getvalue().splitlines()]


def decide(server):
    """Two people go on without what is missing."""
    with mouth_on(server.database) as house:
        assert house.for_own_commands().dispatch({"command": "audit.restored", **TWO}).ok
