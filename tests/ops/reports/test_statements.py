"""A statement is the sum of what other reports have one by one."""

from collections import defaultdict

from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import GamingTable


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


def test_a_statement_has_the_breaks_and_the_limits_that_held_on_its_day(dispatcher):
    pit = GamingTable(dispatcher).open()
    limits = [("loss", "day", {"amount": 500_00}), ("time", "week", {"minutes": 240})]
    for kind, period, limit in limits:
        pit.say("patron.limit", patron="P-10417", kind=kind, period=period, **limit)
    raised = {"kind": "loss", "period": "day", "amount": 900_00}  # from the next day on
    pit.say("patron.limit", patron="P-10417", **raised)
    pit.say("table.buy-in", seat=3, amount=100_00)
    pit.say("patron.break", patron="P-10417", ends="2026-11-21T23:00:00+00:00")
    mine, other = (
        ask(dispatcher.casino.ledger.database, REPORTS["statement"], patron=who).rows
        for who in ("P-10417", "P-10411")
    )

    assert (mine[0]["breaks"], mine[0]["cash_in"]) == (1, 100_00)
    assert mine[0]["limits_held"] == [
        {"item": "loss", "counts_over": "day", "whose": "patron", "limit": 500_00},
        {"item": "time", "counts_over": "week", "whose": "patron", "limit": 240},
    ]
    assert (other[0]["breaks"], other[0]["limits_held"]) == (0, [])
    wide = {"env": {"COLUMNS": "300"}}
    shown = shell(dispatcher.casino.ledger.database, "report", "statement", **wide).output
    assert "Loses at most 500.00 in a day. Plays at most 4 hours in a week." in shown


def test_a_patron_of_whom_only_a_limit_is_on_record_is_known(dispatcher):
    pit = GamingTable(dispatcher).open()
    pit.say("patron.limit", patron="P-10999", kind="loss", period="day", amount=500_00)
    database = dispatcher.casino.ledger.database

    assert shell(database, "report", "limits-used", "--patron", "P-10999").stderr == ""
    mistyped = shell(database, "report", "limits-used", "--patron", "P-10998").stderr
    assert mistyped == "The record has no patron P-10998.\n"
