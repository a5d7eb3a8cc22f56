"""Two tables at which the same evening is played, once without and once with mistakes.

What was typed wrong at the second one is put right; in the end both must have the same rows.
"""

from ops.reports.ask import ask_on
from ops.reports.runner import reading_session
from projections import REPORTS
from tests.worlds.gaming_table import DAY, GamingTable
from tests.worlds.open_items import settle_all

TWO = {"by": "D-204", "with": "S-11"}
SLIP = {"requested_by": "S-11", "cashier": "C-1", "runner": "R-1", **TWO}
SEATS = (1, 3, 5)
# What must be the same, without the moments and the places in the ledger.
SAME = {
    "wagers": (
        *("coup", "seat", "patron", "stay", "spot", "stake", "odds", "result", "paid"),
        *("commission_exact", "commission_charged", "commission_due"),
    ),
    "coup": ("coup", "cards", "player_total", "banker_total", "outcome", "natural", "phase"),
    "cards": None,
    "shoe-log": (
        *("shoe", "burned", "first_coup", "last_coup", "coups", "drawn", "discarded"),
        *("remaining", "difference"),
    ),
    "table-win": None,
    "ratings": (
        *("patron", "table", "seat", "buy_in", "coups", "average_wager", "handle", "win_loss"),
        *("theoretical_win", "stay"),
    ),
    "cash-log": ("table", "patron", "direction", "amount", "kind", "total_in", "total_out"),
    "inventory": ("table", "moment", "chips", "total", "variance", "level", "session"),
    "slips": ("kind", "table", "chips", "total", "status"),
    "measures": ("table", "day", "coups", "seats", "handle", "drop", "win", "hold"),
}
NET = ("collected", "waived", "walked", "outstanding")


class TwinTable(GamingTable):
    """One of the two tables; its patrons are its own."""

    def patron(self, seat):
        return f"P-{self.table}-{seat}"

    def begin(self, opener=200):
        """The table opens, everybody sits down, and a shoe is ready."""
        self.say("table.open", rules="dragon-bonus@1", opener={"10000": opener}, day=DAY, **TWO)
        for seat in SEATS:
            self.say("table.seat", seat=seat, patron=self.patron(seat))
        return self.prepare()

    def fix(self, command, **fields):
        """Two people put something right."""
        about = {} if command == "money.correct" else {"table": self.table}
        return self.say(command, **{**about, **TWO, "reason": "typed wrong", **fields})

    def coup(self, number):
        return f"{self.table}/{DAY}/1/{number}"

    def finish(self, closer=None, left=None):
        """Everybody pays, the shoe is counted, the table closes and the drop is counted."""
        self.settle_up()
        shoe = self.say("shoe.end", reason="late", **TWO)
        self.say("shoe.reconcile", remaining=left or shoe.body["events"][0]["cards_left"])
        self.say("table.close", closer=closer or {"10000": 200}, **TWO)
        self.say("table.drop", amount=1_000_00, by="C-1", **{"with": "S-11"})
        return self

    def settle_up(self):
        """Everybody pays the commission that they owe."""
        for seat in SEATS:
            owed = self.owed(seat)
            if owed:
                self.say("commission.collect", patron=self.patron(seat), amount=owed)

    def settle_at_the_cage(self):
        """Whoever has left pays or gets what a correction left open."""
        settle_all(self, self.dispatcher.desk.last_table_day(self.table))

    def opened_at(self):
        """A moment before the first card of the last coup."""
        coup = self.dispatcher.desk.coup_in_play(self.dispatcher.desk.table_day(self.table))
        return coup.created_on.isoformat()

    def owed(self, seat):
        day = self.dispatcher.desk.last_table_day(self.table)
        who = self.patron(seat)
        return sum(each.owed for each in self.dispatcher.desk.stays.accounts_of(day, who))


def ends(database, table):
    """The rows of a table, as they must be however they came about; its name left out."""

    def known(value):
        if isinstance(value, str):
            return value.replace(table, "T")
        if isinstance(value, list):
            return [known(each) for each in value]
        if isinstance(value, dict):
            return {name: known(each) for name, each in value.items()}
        return value

    reports = [REPORTS[name] for name in (*SAME, "commission", "commission-proof")]
    with reading_session(database) as (connection, _):
        asked = {each.name: ask_on(connection, each, {"table": table}).rows for each in reports}
    rows = {}
    for name, columns in SAME.items():
        wanted = [{c: row[c] for c in columns or REPORTS[name].columns} for row in asked[name]]
        rows[name] = sorted(map(known, wanted), key=str)
    # A slip that never was keeps its number, with nothing on it.
    rows["slips"] = [row for row in rows["slips"] if row["total"]]
    rows["commission"] = sorted(
        (
            known(row["patron"]),
            known(row["shoe"]),
            row["brought_forward"] + row["charged"] + row["corrections"],
            *(row[name] for name in NET),
        )
        for row in asked["commission"]
        if any(row[name] for name in (*NET, "charged", "corrections"))
    )
    rows["commission"] = [each for each in rows["commission"] if any(each[2:])]
    rows["proof"] = [row for row in asked["commission-proof"] if row["difference"] != 0]
    return rows
