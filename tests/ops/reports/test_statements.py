"""A statement is the sum of what other reports have one by one."""

from collections import defaultdict

from ops.reports.ask import ask
from projections import REPORTS


def test_every_statement_is_the_sum_of_ratings_and_of_the_cash_log(night):
    sums = defaultdict(lambda: dict.fromkeys(("coups", "cash_in", "cash_out", "win_loss"), 0))
    wagered = defaultdict(int)
    for row in ask(night, REPORTS["ratings"]).rows:
        of_day = sums[row["patron"], row["day"]]
        of_day["coups"] += row["coups"]
        of_day["win_loss"] += row["win_loss"]
        wagered[row["patron"], row["day"]] += sum(row["handle"].values())
    for row in ask(night, REPORTS["cash-log"]).rows:
        sums[row["patron"], row["day"]][f"cash_{row['direction']}"] += row["amount"]
    rows = ask(night, REPORTS["statement"]).rows
    shown = {
        (row["patron"], row["day"]): {name: row[name] for name in sums[row["patron"], row["day"]]}
        for row in rows
    }

    assert shown == dict(sums)
    assert len(shown) > 1
    assert any(each["cash_out"] for each in shown.values())
    assert {(row["patron"], row["day"]): row["wagered"] for row in rows} == {
        key: wagered[key] for key in shown
    }
