"""A table at which money is left open with whoever has left, and what every report says of it."""

from ops.handlers.trays import tray_now
from ops.reports.ask import ask
from ops.reports.runner import catch_up
from projections import PROJECTIONS, REPORTS
from projections.money.trays_now import TRAY
from tests.worlds.gaming_table import BANKER_WINS
from tests.worlds.twin_tables import TWO, TwinTable

NEXT_DAY = "2026-11-22"


class LeftTable(TwinTable):
    """The evening up to the correction."""

    def until(self, when):
        self.begin()
        self.bet(1, "banker", 100_00)
        self.bet(3, "banker", 200_00)
        self.bet(5, "tie", 25_00)
        self.placed = self.moment
        self.deal(BANKER_WINS, settle=True)
        self.settle_up()
        if when == "left":
            self.say("table.leave", seat=3)
        elif when == "rolled over":
            self.say("table.roll-over", closer={"10000": 200}, confirmed=True)
        elif when != "open":
            self.end_shoe()
            self.say("table.close", closer={"10000": 200}, **TWO)
        if when in ("reopened", "back again"):
            self.say("table.reopen", reason="again", opener={"10000": 200}, **TWO)
        elif when == "next day":
            fields = {"rules": "dragon-bonus@1", "opener": {"10000": 200}, "day": NEXT_DAY}
            self.say("table.open", **fields, **TWO)
        if when in ("back again", "next day"):
            self.say("table.seat", seat=2, patron=self.patron(3))
        return self

    def put_right(self, command, fields):
        if command == "bet":
            late = {"at": self.placed.isoformat(), "late": True, "with": "S-11"}
            return self.say("bet", **fields, **late)
        return self.fix(command, coup=self.coup(1), **fields)


def rows(database, table, report):
    return ask(database, REPORTS[report], table=table.table).rows


def owed(database, table):
    """What every patron of the table owes, or is owed, as report commission has it."""
    by_patron = {}
    for row in rows(database, table, "commission"):
        by_patron[row["patron"]] = by_patron.get(row["patron"], 0) + row["outstanding"]
    return {patron: amount for patron, amount in by_patron.items() if amount}


def left_open(database, table, kind):
    """The patrons whose row in report exceptions is not settled, with what is open."""
    noted = (row for row in rows(database, table, "exceptions") if row["kind"] == kind)
    return {
        r["detail"]["patron"]: r["detail"]["balance"] for r in noted if not r["acknowledged_at"]
    }


def open_items(database, table):
    """What is open with each patron by item, as report left-open has it."""
    left = rows(database, table, "left-open")
    return {(row["patron"], row["item"]): row["owes"] for row in left if not row["settled_at"]}


def tray(database, table):
    with database.session("sabot_projector") as connection:
        catch_up(connection, PROJECTIONS["trays_now"])
        (held,) = connection.execute(
            f"SELECT {TRAY}::bigint FROM trays_now WHERE table_code = %s", (table.table,)
        ).fetchone()
    day = table.dispatcher.desk.last_table_day(table.table)
    assert day.closed or tray_now(table.dispatcher.desk, day) == held
    return held
