"""What the reports have of many tables, by table, with what must be the same at twin tables."""

from collections import Counter, defaultdict

from ops.reports.ask import ask_on
from projections import REPORTS
from tests.worlds.twin_tables import NET, SAME

# By report, the columns that must be the same. Chips that change hands later, when a payment is put
# right, are in the tray of then: openers, closers and what they come to are not the same.
ALIKE = {
    **SAME,
    "table-win": (
        *("day", "fills", "credits", "drop", "cash_out", "win_by_wagers", "unreconciled"),
        *("shortages", "variance", "drop_difference"),
    ),
    "inventory": ("day", "moment", "variance", "level", "shift", "session"),
    "measures": ("day", "coups", "seats", "handle", "drop"),
    "commission": ("patron", "shoe", "charged", "settled", "outstanding"),
}


class NightRows:
    """Every report once, its rows by table."""

    def __init__(self, connection):
        self.tables = defaultdict(lambda: defaultdict(list))
        for name in REPORTS:
            for row in ask_on(connection, REPORTS[name], {}).rows:
                place = next(filter(None, map(row.get, ("table", "coup", "shoe", "key"))), "")
                self.tables[place.partition("/")[0]][name].append(row)

    def of(self, table, report):
        return self.tables[table.table][report]

    def alike(self, table, report):
        """The rows of a table as they must be however they came about; its name left out."""
        rows = self.of(table, report)
        if report == "commission":
            rows = _of_each_debt(rows)
        if report == "inventory":  # of a shift that was counted twice, the last count
            rows = {
                (*(row[name] for name in ("day", "moment", "shift", "session")),): row
                for row in rows
            }.values()
        if report == "slips":  # one that never was keeps its number, with nothing on it
            rows = [row for row in rows if row["total"] and row["status"] != "voided"]
        columns = ALIKE[report] or REPORTS[report].columns
        named = [{c: _without(row[c], table.table) for c in columns} for row in rows]
        return sorted(named, key=str)

    def bets(self, table):
        """Every bet: its coup, its seat, its stake, what it is paid, and its commission."""
        return Counter(
            (
                *(row["coup"].partition("/")[2], row["seat"], row["stake"], row["paid"]),
                row["commission_charged"] or 0,
            )
            for row in self.of(table, "wagers")
        )

    def by_patron(self, table, report, column):
        """The sum of a column for each patron."""
        sums = Counter()
        for row in self.of(table, report):
            amount = row[column]
            name = row["patron"].removeprefix(f"{table.table}-")
            sums[name] += sum(amount.values()) if isinstance(amount, dict) else amount
        return {patron: amount for patron, amount in sums.items() if amount}

    def commission(self, table):
        """What each patron was charged."""
        sums = Counter()
        for row in self.alike(table, "commission"):
            sums[row["patron"].removeprefix("T-")] += row["charged"]
        return +sums

    def cash(self, table):
        """Cash by patron and direction."""
        sums = Counter()
        for row in self.of(table, "cash-log"):
            name = row["patron"].removeprefix(f"{table.table}-")
            sums[row["day"], name, row["direction"]] += row["amount"]
        return +sums


def _of_each_debt(rows):
    """What a patron was charged in a shoe, and what became of it, over every stay and day."""
    debts = defaultdict(Counter)
    for row in rows:
        charged = row["brought_forward"] + row["charged"] + row["corrections"]
        settled = sum(row[name] for name in NET[:-1])
        more = {"charged": charged, "settled": settled, "outstanding": row["outstanding"]}
        debts[row["patron"], row["shoe"]].update(more)
    return [
        {"patron": patron, "shoe": shoe, **debt}
        for (patron, shoe), debt in debts.items()
        if any(debt.values())
    ]


def _without(value, table):
    """A value without the name of its table."""
    if isinstance(value, str):
        return value.replace(table, "T")
    if isinstance(value, list):
        return [_without(each, table) for each in value]
    if isinstance(value, dict):
        return {name: _without(each, table) for name, each in value.items()}
    return value
