"""What cash brings about is said before it is taken: by the regime of its gaming day (R-CASH-2)."""

import pytest

from ops.handlers.cash import Asked
from ops.handlers.trial import ahead_of, announced
from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.gaming_table import BEGINS, DAY, GamingTable

TWO = {"by": "A-1", "with": "S-11"}
SYDNEY = """
name = "sydney@1"
source = "s"
based_on = "classic@1"
currency = "AUD"
increment = "5.00"
commission.rounding = {mode = "up", unit = "5.00"}
chips = ["100.00", "25.00", "5.00"]
limits.main = {minimum = "5.00", maximum = "5000.00"}
"""
NO_ID = {"confirmed": False}
CTR = "a Currency Transaction Report (FinCEN Form 112) is due by 2026-12-06"


def choose(dispatcher, file="united-states", day=DAY, **fields):
    line = {"command": "regime.choose", "file": file, "day": day, **TWO, **fields}
    return dispatcher.dispatch({"at": BEGINS.isoformat(), **line}).body


@pytest.fixture
def chosen(dispatcher):
    """A table in a house that is held to Title 31."""
    assert choose(dispatcher)["ok"]
    return GamingTable(dispatcher).open()


def kinds(answer):
    return [event["type"] for event in answer.body["events"]]


def test_cash_for_which_an_id_is_due_waits_until_somebody_saw_it(chosen):
    chosen.say("table.buy-in", seat=3, amount=8_500_00, **NO_ID)
    held = chosen.ask("table.buy-in", seat=3, amount=4_000_00, **NO_ID).body
    taken = chosen.say("table.buy-in", seat=3, amount=4_000_00)
    more = chosen.say("table.buy-in", seat=3, amount=50_000_00, **NO_ID)
    out = chosen.say("table.cash-out", seat=3, amount=10_000_01, **NO_ID, **{"with": "S-11"})

    assert ("ConfirmationNeeded", "R-CASH-2") == (held["error"], held["rule"])
    assert held["message"] == (
        f"With this 4,000.00 P-10417 passes 10,000.00 of cash in today: ID is due and {CTR}; no ID "
        "is on file. See the ID, then confirm that with `confirmed`; if it is not shown, record "
        "that with `patron no-id`."
    )
    assert "events" not in held
    assert kinds(taken) == ["BoughtIn", "IdentitySeen", "CashCounted", "ReportingAmountPassed"]
    passed = taken.body["events"][-1]
    assert (passed["due"], passed["due_by"]) == (["report"], "2026-12-06")
    assert "cash" not in more.body
    assert out.body["cash"]["identity_seen"]


def test_cash_above_the_amount_without_any_id_waits_until_somebody_saw_it(chosen, dispatcher):
    """The cash of an alias passes nothing by itself; the patron's does once they are one person."""
    chosen.say("table.seat", seat=2, patron="red-hat")
    chosen.say("table.buy-in", seat=2, amount=6_000_00, **NO_ID)
    chosen.say("table.buy-in", seat=3, amount=5_000_00, **NO_ID)
    chosen.say("patron.identify", patron="red-hat", **{"is": "P-10417"})
    held = chosen.ask("table.buy-in", seat=3, amount=4_000_00, **NO_ID).body
    asked = ahead_of(dispatcher, Asked("P-10417", "in", 4_000_00))
    other_way = chosen.say("table.cash-out", seat=3, amount=1_000_00, **NO_ID)
    chosen.say("table.buy-in", seat=3, amount=4_000_00)
    more = chosen.say("table.buy-in", seat=3, amount=4_000_00, **NO_ID)

    assert ("ConfirmationNeeded", "R-CASH-2") == (held["error"], held["rule"])
    assert str(asked.sentence) == (
        "P-10417 has passed 10,000.00 of cash in today already, and no ID was seen: ID is due and "
        f"{CTR}."
    )
    assert str(asked.words) in held["message"]
    assert "cash" not in other_way.body
    assert "cash" not in more.body


def test_the_answer_says_what_the_cash_brought_about(chosen):
    cash = chosen.say("table.buy-in", seat=3, amount=12_000_00).body["cash"]

    assert [(each["threshold"], each["due"], each["due_by"]) for each in cash["brings"]] == [
        ("ctr", ["report", "identity"], "2026-12-06"),
        ("mtl", ["log"], None),
    ]
    assert cash["message"].endswith("and it goes into the multiple transaction log.")


def test_a_house_may_only_say_it_or_refuse_it_at_a_table(dispatcher):
    assert choose(dispatcher, at_the_table="say")["ok"]
    assert choose(dispatcher, at_the_table="refuse", day="2026-11-22")["ok"]
    says = GamingTable(dispatcher).open()
    refuses = GamingTable(dispatcher, "B02").open(day="2026-11-22")
    line = {"command": "table.buy-in", "table": "B01", "seat": 3, "amount": 12_000_00}

    assert str(announced(dispatcher, line)).startswith("With this 12,000.00 P-10417 passes")
    assert announced(dispatcher, {**line, "amount": 9_000_00}) is None
    told = says.say("table.buy-in", seat=3, amount=12_000_00, **NO_ID)
    assert "IdentitySeen" not in kinds(told)
    assert told.body["events"][-1]["due"] == ["report", "identity"]
    refused = refuses.ask("table.buy-in", seat=3, amount=12_000_00).body
    assert ("CashNotTaken", "R-CASH-2") == (refused["error"], refused["rule"])


@pytest.mark.parametrize("at_the_table", ["say", "hold"])
def test_who_asks_reads_what_is_due_still_of_cash_that_passed_the_amount(dispatcher, at_the_table):
    assert choose(dispatcher, at_the_table=at_the_table)["ok"]
    table = GamingTable(dispatcher).open()
    table.say("table.buy-in", seat=3, amount=12_000_00)
    asked = Asked("P-10417", "in", 1_000_00, BEGINS.date())
    before = str(ahead_of(dispatcher, asked).sentence)
    filed = {"patron": "P-10417", "of_day": DAY, "reference": "31000123456789", "by": "C-1"}
    table.say("filing.record", **filed)

    assert before == (
        f"P-10417 has passed 10,000.00 of cash in today already: ID was seen today and {CTR}."
    )
    assert ahead_of(dispatcher, asked) is None


def test_who_asks_reads_of_an_id_that_is_missing_where_the_house_only_says_so(dispatcher):
    assert choose(dispatcher, at_the_table="say")["ok"]
    table = GamingTable(dispatcher).open()
    table.say("table.buy-in", seat=3, amount=12_000_00, **NO_ID)
    asked = Asked("P-10417", "in", 1_000_00, BEGINS.date())

    assert str(ahead_of(dispatcher, asked).sentence) == (
        "P-10417 has passed 10,000.00 of cash in today already, and no ID was seen: ID is due and "
        f"{CTR}."
    )
    assert "cash" not in table.say("table.buy-in", seat=3, amount=1_000_00, **NO_ID).body


def test_all_names_and_tables_count_together_before_too(chosen, dispatcher):
    other = GamingTable(dispatcher, "B02").open()
    line = {"command": "patron.identify", "patron": "grey-jacket", "is": "P-10417"}
    assert dispatcher.dispatch({**line, "at": other.moment.isoformat(), "confirmed": True}).ok
    chosen.say("table.buy-in", seat=3, amount=7_000_00)
    asked = Asked("grey-jacket", "in", 3_000_01)

    ahead = ahead_of(dispatcher, Asked("grey-jacket", "in", 3_000_01, BEGINS.date()))
    assert ahead.total == 10_000_01
    assert other.ask("table.buy-in", seat=5, amount=3_000_01, **NO_ID).error == "ConfirmationNeeded"
    assert ahead_of(dispatcher, Asked(asked.patron, "out", 3_000_00, BEGINS.date())) is None


def test_what_happened_earlier_is_counted_and_not_held(chosen):
    at = chosen.moment.isoformat()
    chosen.say("table.buy-in", seat=3, amount=1_00)
    late = chosen.ask("table.buy-in", seat=3, amount=12_000_00, at=at, late=True, **NO_ID)

    assert late.ok
    assert kinds(late)[-1] == "ReportingAmountPassed"


def test_a_day_with_cash_keeps_its_regime_and_the_next_has_its_own(chosen, dispatcher):
    chosen.say("table.buy-in", seat=3, amount=2_600_00)
    same_day = choose(dispatcher, "new-jersey")
    next_day = choose(dispatcher, "new-jersey", "2026-11-22")
    assert next_day["ok"], next_day
    other = GamingTable(dispatcher, "B02").open(day="2026-11-22")
    logged = other.say("table.buy-in", seat=3, amount=2_600_00).body["cash"]

    assert same_day["message"].startswith("Cash of 2026-11-21 is counted already")
    assert next_day["ok"]
    assert [each["threshold"] for each in logged["brings"]] == ["mtl"]
    rows = ask(dispatcher.casino.ledger.database, REPORTS["threshold-log"]).rows
    assert [(str(row["day"]), row["total"]) for row in rows] == [("2026-11-22", 2_600_00)]


def test_a_name_that_is_no_regime_is_refused_with_where_they_are_listed(dispatcher):
    for name in ("atlantis", "dragon-bonus@1"):  # the second one is a rule set
        refused = choose(dispatcher, name)

        assert refused["error"] == "NotFound"
        assert f"no regime {name}. `sabot regime list`" in refused["message"]
    assert choose(dispatcher, "never-made.toml")["error"] == "BadValue"


def test_a_regime_is_refused_in_another_currency_or_for_a_day_that_is_over(dispatcher):
    assert "counts in USD" in choose(dispatcher, "macau")["message"]
    assert "is over" in choose(dispatcher, day="2026-11-20")["message"]
    assert choose(dispatcher, "nevada")["ok"]
    assert "already chosen" in choose(dispatcher, "nevada")["message"]
    line = {"command": "property.set", "name": "reporting_amount", "value": 5_000_00}
    assert "The regime nevada says" in dispatcher.dispatch(line).body["message"]


def test_money_put_right_ends_an_alert_that_is_not_true_any_more(chosen, database):
    wrong = chosen.say("table.buy-in", seat=3, amount=12_000_00).body["position"]
    right = {"amount": 1_200_00, "reason": "one note too many", "with": "S-11"}
    chosen.say("money.correct", position=wrong, **right)

    assert ask(database, REPORTS["ctr"]).rows == []
    ask(database, REPORTS["alerts"])
    with database.session("sabot_auditor") as connection:
        ended = connection.execute("SELECT kind FROM projections.alerts WHERE ended_at IS NOT NULL")
        assert ("cash over",) in ended.fetchall()


def test_one_transaction_is_a_row_of_its_own_where_the_law_counts_it_alone(dispatcher, database):
    house = {"command": "property.set", "name": "currency", "value": "AUD", **TWO}
    assert dispatcher.dispatch({**house, "at": BEGINS.isoformat()}).ok
    assert choose(dispatcher, "australia")["ok"]
    approve = {"command": "rules.approve", "file": SYDNEY, **TWO, "at": BEGINS.isoformat()}
    answer = dispatcher.dispatch(approve)
    assert answer.ok, str(answer)
    for name, value in (("reporting_amount", 1), ("variance_report", 1), ("variance_regulator", 2)):
        amount = {"command": "property.set", "name": name, "value": value * 100_00, **TWO}
        assert dispatcher.dispatch({**amount, "at": BEGINS.isoformat()}).ok
    table = GamingTable(dispatcher).open("sydney@1")
    for amount in (10_000_00, 9_999_00, 11_000_00):
        table.say("table.buy-in", seat=3, amount=amount)

    rows = ask(database, REPORTS["ctr"]).rows
    assert [(row["threshold"], row["total"]) for row in rows] == [
        ("ttr", 10_000_00),
        ("ttr", 11_000_00),
    ]
    assert {str(row["due_by"]) for row in rows} == {"2026-12-04"}


def test_whether_an_id_is_on_file_is_shown_before_and_is_in_no_stored_answer(chosen, superuser):
    chosen.dispatcher.dispatch(
        {"command": "patron.document", "patron": "P-10417", "kind": "passport", "number": "U1",
         "issuer": "Austria", "expires": "2031-02-01", "by": "C-1"}
    )  # fmt: skip
    held = chosen.ask("table.buy-in", seat=3, amount=12_000_00, **NO_ID).body
    asked = ahead_of(chosen.dispatcher, Asked("P-10417", "in", 12_000_00))

    assert "; a passport is on file until 2031-02-01. See the ID" in held["message"]
    assert str(asked.words_on_file).endswith("a passport is on file until 2031-02-01")
    assert "U1" not in held["message"]
    unseen = {"kind": "passport", "number": "U1", "issuer": "Austria", "unseen": True}
    chosen.dispatcher.dispatch(
        {"command": "patron.document", "patron": "P-10417", **unseen, "by": "C-1"}
    )
    asked = ahead_of(chosen.dispatcher, Asked("P-10417", "in", 12_000_00))
    assert str(asked.words_on_file).endswith("a passport is on file, not seen here yet")
    chosen.say("table.buy-in", seat=3, amount=12_000_00)
    answers = str(superuser.execute("SELECT answer FROM ledger.commands").fetchall())
    assert "ID is due" in answers
    assert "passport" not in answers
    assert "2031" not in answers
