"""Alerts: what raises one, who acknowledged it, and which of them leave by themselves."""

from datetime import timedelta

import pytest

from ops.board.board import Board
from projections import REPORTS
from tests.acceptance.channels import rows_of, shell
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, DAY, GamingTable

REPORT = REPORTS["alerts"]
FIELDS = "at table coup kind alert detail acknowledged_by acknowledged_at text rank"
TWO = {"with": "S-11"}


def rows(database, *names, **narrowed):
    return rows_of(database, *names, report=REPORT, **narrowed)


def standing(database, minutes=10):
    """The alerts that are on the board so many minutes into the evening."""
    board = Board(database, now=lambda: BEGINS + timedelta(minutes=minutes))
    try:
        return [each.alert for each in board.once().alerts]
    finally:
        board.close()


def acknowledge(pit, alert, **fields):
    """An answer, in the name of a supervisor."""
    pit.moment += timedelta(seconds=1)
    line = {"command": "alert.acknowledge", "alert": alert, "by": "S-11"}
    return pit.dispatcher.dispatch({**line, "at": pit.moment.isoformat(), **fields}).body


def late_bet(pit):
    """The position of a bet that came late."""
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    return pit.ask("bet", seat=5, spot="player", amount=25_00).body["position"]


def test_the_fields_are_the_contract_s(troubled):
    as_csv = shell(troubled, "report", "alerts", "--csv").stdout.splitlines()[0]

    assert [*FIELDS.split(), "currency"] == as_csv.split(",")


def test_every_exception_is_an_alert_named_by_its_kind_and_its_place(troubled):
    what = "at", "table", "coup", "kind", "detail", "acknowledged_by"
    alerts = rows(troubled, "kind", "alert")

    assert rows_of(troubled, *what, report=REPORTS["exceptions"]) == rows(troubled, *what)
    assert len(alerts) == len({alert for _, alert in alerts}) > 5
    assert {kind.replace(" ", "-") == alert.partition("/")[0] for kind, alert in alerts} == {True}


def test_for_people_the_report_is_words(troubled):
    told = shell(troubled, "report", "alerts")

    assert (told.exit_code, told.stderr) == (0, "")
    assert "late-bet/" in told.stdout


def test_who_acknowledges_an_exception_stands_beside_it_in_both_reports(pit, database):
    position = late_bet(pit)
    answer = acknowledge(pit, f"late-bet/{position}", text="spoke to the dealer")
    at = pit.moment.isoformat()

    (event,) = answer["events"]
    assert (event["type"], event["kind"], event["coup"]) == (
        *("AlertAcknowledged", "late bet"),
        f"B01/{DAY}/1/1",
    )
    assert rows(database, "acknowledged_by", "acknowledged_at", "text") == [
        ("S-11", at, "spoke to the dealer")
    ]
    in_exceptions = "kind", "acknowledged_by", "acknowledged_at"
    assert rows_of(database, *in_exceptions, report=REPORTS["exceptions"]) == [
        ("late bet", "S-11", at)
    ]


def test_an_alert_leaves_the_board_when_it_is_acknowledged(pit, database):
    position = late_bet(pit)

    assert standing(database) == [f"late-bet/{position}"]
    assert acknowledge(pit, f"late-bet/{position}")["ok"]
    assert standing(database) == []
    assert rows(database, "alert", "text") == [(f"late-bet/{position}", None)]


def test_the_event_belongs_to_the_day_and_table_of_what_raised_it(pit, superuser):
    acknowledge(pit, f"late-bet/{late_bet(pit)}")
    row = superuser.execute(
        "SELECT gaming_day::text, table_code, actor FROM ledger.events "
        "WHERE topic = 'alert.acknowledged'"
    ).fetchone()

    assert row == (DAY, "B01", "S-11")


def test_what_the_record_does_not_have_cannot_be_acknowledged(pit, database):
    position = late_bet(pit)
    none = f"#{position - 1} raised no such alert"
    refused = {
        f"late-bet/{position - 1}": f"alert late-bet/{position - 1} now: {none}",
        f"undue-card/{position}": f"alert undue-card/{position} now: #{position} raised no such alert",  # noqa: E501
        f"no-such-thing/{position}": f"alert no-such-thing/{position} now: #{position} raised no such alert",  # noqa: E501
        f"late-entry/{position}": f"alert late-entry/{position} now: #{position} raised no such alert",  # noqa: E501
        f"commission-owed/{position}": f"alert commission-owed/{position} now: #{position} raised no such alert",  # noqa: E501
        f"no-coup/{position}": f"alert no-coup/{position} now: #{position} raised no such alert",
        "late-bet/99999": "alert late-bet/99999 now: there is no #99999 in the record",
        "no-coup/99999": "alert no-coup/99999 now: there is no #99999 in the record",
    }
    for alert, why in refused.items():
        answer = acknowledge(pit, alert)

        assert (answer["error"], answer["message"]) == ("NotFound", f"There is no {why}.")
    assert standing(database) == [f"late-bet/{position}"]


def test_an_alert_is_acknowledged_once(pit):
    alert = f"late-bet/{late_bet(pit)}"
    first, again = acknowledge(pit, alert), acknowledge(pit, alert, by="S-12")

    assert first["ok"]
    assert (again["error"], again["message"]) == (
        "AlreadyAcknowledged",
        f"S-11 has already acknowledged alert {alert}. Nothing more is to be done about it.",
    )


@pytest.mark.parametrize("kind", ["projection-stopped", "projections-behind"])
def test_what_leaves_only_by_itself_is_not_acknowledged(pit, kind):
    answer = acknowledge(pit, f"{kind}/7")

    assert answer["error"] == "BadValue"
    assert "It leaves the board once the reports have caught up." in answer["message"]


def test_a_late_entry_is_one_alert_under_the_first_event_of_its_command(pit, database):
    pit.bet(3, "banker", 100_00)
    before = pit.moment.isoformat()
    pit.say("draw", card="KC")
    late = {"late": True, "at": before, **TWO}
    last = pit.say("bet", seat=1, spot="player", amount=5_00, **late).body["position"]
    alerts = standing(database)
    (first,) = (int(each.rpartition("/")[2]) for each in alerts if each.startswith("late-entry"))

    assert first == last - 1  # under its minimum, and that is an event as well
    assert acknowledge(pit, f"late-entry/{last}")["error"] == "NotFound"
    assert acknowledge(pit, f"late-entry/{first}")["ok"]
    assert f"late-entry/{first}" not in standing(database)


def test_cash_near_the_reporting_amount_leaves_when_it_is_over(pit, database):
    pit.say("property.set", name="little_play_cash", value=0)
    near = pit.say("table.buy-in", seat=3, amount=9_000_00).body["position"]
    assert standing(database) == [f"cash-near/{near}"]
    other = pit.say("table.cash-out", seat=3, amount=8_000_00).body["position"]
    over = pit.say("table.buy-in", seat=3, amount=2_000_00).body["position"]

    assert standing(database) == [f"cash-over/{over}", f"cash-near/{other}"]
    assert rows(database, "table", "kind") == [
        *(("B01", kind) for kind in ("cash near", "cash near", "cash over")),
    ]
    assert acknowledge(pit, f"cash-over/{over}")["ok"]
    assert standing(database) == [f"cash-near/{other}"]


def test_a_shoe_is_an_alert_that_does_not_agree_with_its_count(pit, database):
    pit.end_shoe()
    pit.say("shoe.reconcile", remaining=412)
    assert standing(database) == []
    pit.prepare().end_shoe()
    short = pit.say("shoe.reconcile", remaining=411).body["position"]

    assert standing(database) == [f"shoe-not-reconciled/{short}"]
    assert acknowledge(pit, f"shoe-not-reconciled/{short}")["ok"]
    assert acknowledge(pit, f"shoe-not-reconciled/{short - 20}")["error"] == "NotFound"
    assert standing(database) == []


def test_a_shoe_that_agrees_with_its_count_is_none(pit):
    pit.end_shoe()
    agrees = pit.say("shoe.reconcile", remaining=412).body["position"]

    assert acknowledge(pit, f"shoe-not-reconciled/{agrees}")["error"] == "NotFound"


@pytest.fixture
def owing(pit):
    """Two owe commission, and the cut card shows: where it did."""
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "banker", 300_00))
    return pit.say("shoe.cut-card").body["position"]


def test_commission_owed_when_the_cut_card_shows_says_who_and_how_much(pit, owing, database):
    (detail,) = rows(database, "detail")

    assert standing(database) == [f"commission-owed/{owing}"]
    assert detail[0]["owing"] == [
        {"patron": "P-10417", "owed": 5_00},
        {"patron": "grey-jacket", "owed": 15_00},
    ]


def test_commission_owed_leaves_when_nobody_owes(pit, owing, database):
    pit.say("commission.collect", seat=5, amount=15_00)
    assert standing(database) == [f"commission-owed/{owing}"]
    pit.say("commission.collect", seat=3, amount=5_00)

    assert standing(database) == rows(database, "alert") == []
    refused = acknowledge(pit, f"commission-owed/{owing}")["message"]
    assert (
        refused == f"There is no alert commission-owed/{owing} now: no patron owes commission now."
    )
    pit.say("shoe.end")
    refused = acknowledge(pit, f"commission-owed/{owing}")["message"]
    assert refused.endswith(f"B01/{DAY}/1 has ended.")


def test_commission_owed_that_was_acknowledged_stays_on_record(pit, owing, database):
    assert acknowledge(pit, f"commission-owed/{owing}", text="they know")["ok"]

    assert standing(database) == []
    expected = [(f"commission-owed/{owing}", "S-11", "they know")]
    assert rows(database, "alert", "acknowledged_by", "text") == expected
    pit.say("commission.collect", seat=5, amount=15_00)
    pit.say("commission.collect", seat=3, amount=5_00)
    assert rows(database, "alert", "acknowledged_by", "text") == expected


@pytest.fixture
def settled(pit):
    """A coup was settled ten seconds into the evening, or so: where."""
    pit.play(BANKER_WINS, (3, "player", 100_00))
    return pit.moment, pit.say("table.limits", minimum=50_00).body["position"] - 1


def test_a_table_without_a_coup_for_too_long_is_an_alert_until_it_deals(pit, settled, database):
    _, position = settled
    assert standing(database, minutes=15) == []
    assert standing(database, minutes=16) == [f"no-coup/{position}"]
    pit.say("open")

    assert standing(database, minutes=15) == []


def test_how_long_is_too_long_the_house_says(pit, settled, database):
    _, position = settled
    setting = {"command": "property.set", "name": "idle_minutes", "value": "5"}
    assert pit.dispatcher.dispatch({**setting, "at": pit.moment.isoformat()}).ok

    assert standing(database, minutes=6) == [f"no-coup/{position}"]


def test_a_table_that_is_closed_deals_nothing_and_nobody_wonders(pit, settled, database):
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 201}, **TWO)

    assert standing(database, minutes=60) == []
    moment, position = settled
    pit.moment = moment + timedelta(hours=1)
    refused = acknowledge(pit, f"no-coup/{position}")["message"]
    assert refused == f"There is no alert no-coup/{position} now: B01 is closed."


def test_no_coup_is_acknowledged_only_once_it_is_too_long_and_while_it_is_so(pit, settled):
    moment, position = settled
    alert = f"no-coup/{position}"
    pit.moment = moment + timedelta(minutes=14)
    early = acknowledge(pit, alert)
    pit.moment = moment + timedelta(minutes=15)
    done = acknowledge(pit, alert, text="waiting for cards")
    pit.say("open")
    after = acknowledge(pit, f"no-coup/{position - 1}")

    assert early["message"] == f"There is no alert {alert} now: it is less than 15 minutes ago."
    assert (done["ok"], done["events"][0]["since"]) == (True, moment.isoformat())
    assert after["error"] == "NotFound"


def test_no_coup_that_was_acknowledged_comes_again_only_from_another_coup(pit, settled, database):
    moment, position = settled
    pit.moment = moment + timedelta(minutes=20)
    assert acknowledge(pit, f"no-coup/{position}")["ok"]

    assert standing(database, minutes=60) == []
    ((*row, detail),) = rows(database, "alert", "kind", "acknowledged_by", "detail")
    assert row == [f"no-coup/{position}", "no coup", "S-11"]
    assert detail["minutes"] == 20
    assert "No coup for 20 minutes" in shell(database, "report", "alerts").stdout
    pit.say("open")
    (again,) = standing(database, minutes=60)
    assert again != f"no-coup/{position}"


def test_who_deals_again_needs_nobody_to_say_that_they_had_not(pit, settled):
    moment, position = settled
    pit.moment = moment + timedelta(minutes=20)
    pit.say("open")
    refused = acknowledge(pit, f"no-coup/{position}")["message"]

    assert refused == f"There is no alert no-coup/{position} now: B01 has dealt since."


def test_a_report_is_narrowed_to_a_table_a_day_and_a_shoe(dispatcher, database):
    for table in ("B01", "B02"):
        late_bet(GamingTable(dispatcher, table).open().prepare())

    assert rows(database, "table") == [("B01",), ("B02",)]
    assert rows(database, "table", table="B02") == [("B02",)]
    assert rows(database, "table", shoe=f"B01/{DAY}/1") == [("B01",)]
    assert rows(database, "table", day="2026-11-20") == []
