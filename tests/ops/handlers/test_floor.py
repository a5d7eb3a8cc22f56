"""What commands mean where several aggregates meet."""

import json
from datetime import timedelta

import pytest
from msgspec.structs import replace

from domain.rules import house_rules
from tests.worlds.gaming_table import BANKER_WINS, GamingTable

TWO = {"by": "PB-2", "with": "S-11"}


def reconciled(pit, **fields):
    """The shoe that a reconciliation was about."""
    (event,) = pit.say("shoe.reconcile", remaining=412, **fields).body["events"]
    return event["shoe"]


def test_r_shoe_4_a_shoe_may_be_reconciled_after_its_table_is_closed(pit):
    pit.end_shoe()
    pit.say("table.close", closer={})

    assert reconciled(pit) == "B01/2026-11-21/1"


def test_r_shoe_4_without_a_name_the_last_uncounted_shoe_is_reconciled(pit):
    pit.end_shoe()
    pit.prepare().end_shoe()
    pit.prepare()

    assert [reconciled(pit), reconciled(pit)] == ["B01/2026-11-21/2", "B01/2026-11-21/1"]
    refused = pit.ask("shoe.reconcile", remaining=412).body
    assert refused["error"] == "ShoeStepOutOfOrder"
    assert "Shoe B01/2026-11-21/3 is still in play." in refused["message"]


def test_r_shoe_4_a_shoe_of_any_day_may_be_named(pit):
    pit.end_shoe()
    pit.say("table.close", closer={})
    pit.open(day="2026-11-22")

    assert pit.ask("shoe.reconcile", remaining=412).body["error"] == "NotFound"
    assert reconciled(pit, shoe="B01/2026-11-21/1") == "B01/2026-11-21/1"
    missing = pit.ask("shoe.reconcile", remaining=412, shoe="B01/2026-11-21/2").body
    assert missing["message"] == "There is no shoe B01/2026-11-21/2."


def test_r_deal_4_the_shoe_of_a_patron_who_leaves_goes_back_to_the_dealer(pit):
    pit.say("shoe.pass", seat=5)
    left = pit.say("table.leave", seat=5).body["events"]
    holders = [event["holder"] for event in left if event["type"] == "Passed"]
    opened = pit.say("open").body["events"][-1]

    assert (holders, opened["shoe_holder"]) == (["dealer"], "dealer")


def test_a_patron_without_the_shoe_leaves_and_the_shoe_stays(pit):
    pit.say("shoe.pass", seat=5)

    assert ["PatronLeft"] == [
        event["type"] for event in pit.say("table.leave", seat=3).body["events"]
    ]
    assert pit.say("open").body["events"][-1]["shoe_holder"] == "seat 5"


def test_r_com_4_what_is_owed_after_the_last_coup_is_due_before_the_shoe_ends(pit):
    pit.say("shoe.cut-card")
    pit.bet(3, "banker", 100_00)
    owing = pit.deal(BANKER_WINS, settle=True).body["due"]
    paid = pit.say("commission.collect", seat=3, amount=5_00).body["due"]

    assert owing == {"action": "commission.collect", "rule": "R-COM-4"}
    assert paid == {"action": "shoe.end", "rule": "R-SHOE-3"}


def test_a_recorded_refusal_has_its_events_and_their_position(pit, superuser):
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    line = {"id": "late", "seat": 5, "spot": "player", "amount": 25_00}
    moment = pit.moment.isoformat()
    first, again = (pit.ask("bet", **line, at=moment).body for _ in range(2))
    (position,) = superuser.execute("SELECT max(position) FROM ledger.events").fetchone()

    assert first == again
    assert (first["ok"], first["position"]) == (False, position)
    assert [event["type"] for event in first["events"]] == ["LateBetRefused"]


def test_the_first_table_with_a_rule_set_records_it(dispatcher, superuser):
    for table, rules in (("B01", "classic@1"), ("B02", "classic@1"), ("B03", "tie-eight@1")):
        GamingTable(dispatcher, table).open(rules)
    rows = superuser.execute(
        "SELECT convert_from(state, 'UTF8')::jsonb FROM ledger.events "
        "WHERE topic = 'rule-set.adopted' ORDER BY position"
    ).fetchall()

    assert [state["rules"] for (state,) in rows] == ["classic@1", "tie-eight@1"]
    assert json.loads(rows[0][0]["content"])["name"] == "classic@1"


def test_a_program_with_other_rules_under_the_name_opens_no_table(
    dispatcher, superuser, monkeypatch
):
    GamingTable(dispatcher).open("classic@1")
    classic = house_rules.RULE_SETS["classic@1"]
    other = replace(classic, increment=2_00)
    monkeypatch.setitem(house_rules.RULE_SETS, "classic@1", other)
    refused = (
        GamingTable(dispatcher, "B02")
        .ask("table.open", rules="classic@1", opener={}, day="2026-11-21")
        .body
    )

    assert (refused["error"], "new version" in refused["message"]) == ("BadValue", True)


def barred(dispatcher, patron, **fields):
    line = {"command": "patron.bar", "patron": patron, "reason": "asked for it", **fields}
    assert dispatcher.dispatch(line).ok


@pytest.mark.parametrize(
    ("fields", "why"), [({}, "barred"), ({"kind": "self-excluded"}, "excluded themselves")]
)
def test_a_barred_patron_is_refused_a_seat_under_every_name(pit, dispatcher, fields, why):
    barred(dispatcher, "P-66", **fields)
    for alias, patron in (("blue-hat", "red-tie"), ("red-tie", "P-66")):
        line = {"command": "patron.identify", "patron": alias, "is": patron}
        assert dispatcher.dispatch(line).ok
    for name in ("P-66", "blue-hat", "red-tie"):
        refused = pit.ask("table.seat", seat=8, patron=name).body

        assert (refused["error"], why in refused["message"]) == ("PatronBarred", True)
    assert dispatcher.dispatch(
        {"command": "patron.unbar", "patron": "P-66", "reason": "over", **TWO}
    ).ok
    pit.say("table.seat", seat=8, patron="blue-hat")


def test_two_patrons_are_not_each_other(dispatcher):
    line = {"command": "patron.identify", "patron": "P-1", "is": "P-2"}
    assert dispatcher.dispatch(line).ok
    back = dispatcher.dispatch({**line, "patron": "P-2", "is": "P-1"}).body

    assert back["error"] == "BadValue"


def test_with_a_supervisor_one_patron_has_up_to_three_seats_and_one_account(pit):
    second = {"with": "S-11"}
    for seat in (8, 9):
        pit.say("table.seat", seat=seat, patron="P-10417", **second)
    fourth = pit.ask("table.seat", seat=2, patron="P-10417", **second).body
    alone = pit.ask("table.seat", seat=2, patron="grey-jacket").body
    pit.bet(8, "banker", 100_00)
    other_side = pit.ask("bet", seat=9, spot="player", amount=100_00).body
    pit.deal(BANKER_WINS, settle=True)

    assert [each["error"] for each in (fourth, alone)] == ["SeatTaken", "SeatTaken"]
    assert other_side["error"] == "BothSides"
    assert [event["type"] for event in pit.say("table.leave", seat=8).body["events"]] == [
        "ChairGivenUp"
    ]
    pit.say("table.leave", seat=9)
    assert pit.ask("table.leave", seat=3).body["error"] == "CommissionOwed"
    pit.say("commission.collect", seat=3, amount=5_00)
    assert pit.say("table.leave", seat=3).body["events"][-1]["type"] == "PatronLeft"


def test_new_limits_apply_from_the_next_coup(pit):
    pit.bet(3, "banker", 25_00)
    pit.say("table.limits", minimum=50_00)
    pit.bet(5, "player", 25_00)
    pit.deal(BANKER_WINS, settle=True)

    assert pit.ask("bet", seat=3, spot="banker", amount=25_00).body["error"] == "UnderMinimum"
    pit.bet(3, "banker", 50_00)


def test_r_com_5_a_patron_who_moves_carries_what_is_owed_and_the_shoe(pit):
    pit.bet(5, "banker", 100_00)
    in_play = pit.ask("table.move", seat=5, to=8).body
    pit.deal(BANKER_WINS, settle=True)
    pit.say("shoe.pass", seat=5)
    moved = [event["type"] for event in pit.say("table.move", seat=5, to=8).body["events"]]
    pit.say("commission.collect", seat=8, amount=5_00)

    assert in_play["error"] == "CoupNotFinished"
    assert moved == ["PatronMoved", "Passed"]
    assert pit.say("open").body["events"][-1]["shoe_holder"] == "seat 8"


def cash_events(answer):
    return [event["type"] for event in answer.body["events"] if event["type"] != "CashCounted"]


def test_a_patron_s_cash_is_added_up_over_tables_and_names(pit, dispatcher):
    other = GamingTable(dispatcher, "B02").open("classic@1")
    line = {"command": "patron.identify", "patron": "grey-jacket", "is": "P-10417"}
    assert dispatcher.dispatch(line).ok
    pit.say("table.buy-in", seat=3, amount=7_000_00)
    near = other.say("table.buy-in", seat=5, amount=2_000_00)  # as grey-jacket, a minute before
    over = pit.say("table.buy-in", seat=3, amount=1_500_00)
    out = other.say("table.cash-out", seat=5, amount=9_000_00)

    assert cash_events(near)[-1] == "ReportingAmountNear"
    assert cash_events(over)[-1] == "ReportingAmountPassed"
    assert cash_events(out) == ["CashedOut", "ReportingAmountNear"]


def test_a_setting_is_an_event_and_applies_from_then_on(pit, dispatcher):
    setting = {"command": "property.set", "name": "reporting_amount", "value": 500_00}
    assert dispatcher.dispatch(setting).ok
    again = dispatcher.dispatch(setting).body

    assert again["error"] == "BadValue"
    assert "ReportingAmountPassed" in cash_events(pit.say("table.buy-in", seat=3, amount=500_01))


def test_no_chips_are_under_way_when_a_table_closes_or_rolls_over(pit, dispatcher):
    slip = pit.say("slip.request", kind="fill", chips={"10000": 5}).body["slip"]
    assert slip == "2026-000001"
    for command, by in (("slip.issue", "C-1"), ("slip.carry", "R-1")):
        assert dispatcher.dispatch({"command": command, "slip": slip, "by": by}).ok
    pit.end_shoe()
    for command in ("table.close", "table.roll-over"):
        refused = pit.ask(command, closer={}).body

        assert (refused["error"], slip in refused["message"]) == ("AlreadyOpen", True)
    receive = {"command": "slip.receive", "slip": slip, "by": "D-204", "with": "S-11"}
    received = dispatcher.dispatch(receive).body["events"]

    assert [event["type"] for event in received] == ["SlipReceived", "Filled"]
    assert received[0]["dealer"] == "D-204"
    pit.say("table.close", closer={})


def test_a_slip_is_looked_up_by_its_number(pit, dispatcher):
    pit.say("slip.request", kind="fill", chips={"10000": 5})
    wrong = {
        "2026-1": "BadValue",
        "x": "BadValue",
        "2026-000009": "NotFound",
        "1999-000001": "NotFound",
    }
    for slip, error in wrong.items():
        receive = {"command": "slip.receive", "slip": slip, "by": "D-204", "with": "S-11"}

        assert dispatcher.dispatch(receive).body["error"] == error


def test_a_drop_is_counted_after_the_close_and_again(pit):
    pit.end_shoe()
    pit.say("table.close", closer={})
    first = pit.say("table.drop", amount=4_000_00).body["events"][0]
    second = pit.say("table.drop", amount=4_100_00, day="2026-11-21").body["events"][0]

    assert (first["before"], second["before"]) == (None, 4_000_00)
    assert pit.ask("table.drop", amount=1, day="2026-11-20").body["error"] == "NotFound"


def test_at_a_roll_over_patrons_keep_their_seats_and_their_stays(pit):
    for seat in (8, 9):
        pit.say("table.seat", seat=seat, patron="P-10417", **{"with": "S-11"})
    pit.end_shoe()
    told = pit.say("table.roll-over", closer={"10000": 200}).body["events"]
    stays = {event["seat"]: event["stay"] for event in told if event["type"] == "PatronSeated"}
    opened = [event for event in told if event["type"] == "CommissionAccountOpened"]

    assert len({stays[3], stays[8], stays[9]}) == 1
    assert (len(stays), len(opened)) == (5, 3)
    pit.say("table.roll-over", closer={"10000": 200})  # and once more, the day after


def test_a_bar_applies_to_the_alias_and_to_the_name(pit, dispatcher):
    barred(dispatcher, "blue-hat")
    line = {"command": "patron.identify", "patron": "blue-hat", "is": "P-66"}
    assert dispatcher.dispatch(line).ok
    named = pit.ask("table.seat", seat=8, patron="P-66").body
    unbar = {"command": "patron.unbar", "patron": "P-66", "reason": "a mistake", **TWO}
    still = [dispatcher.dispatch(unbar).ok, pit.ask("table.seat", seat=8, patron="P-66").ok]

    assert named["error"] == "PatronBarred"
    assert still == [True, True]


def test_three_patrons_cannot_be_identified_in_a_circle(dispatcher):
    for alias, patron in (("P-1", "P-2"), ("P-2", "P-3")):
        line = {"command": "patron.identify", "patron": alias, "is": patron}
        assert dispatcher.dispatch(line).ok
    circle = {"command": "patron.identify", "patron": "P-3", "is": "P-1"}

    assert dispatcher.dispatch(circle).body["error"] == "BadValue"


def test_one_patron_cannot_sit_under_two_names(pit, dispatcher):
    line = {"command": "patron.identify", "patron": "red-tie", "is": "P-10417"}
    assert dispatcher.dispatch(line).ok
    refused = pit.ask("table.seat", seat=8, patron="red-tie", **{"with": "S-11"}).body

    assert refused["error"] == "SeatTaken"
    assert "red-tie already sits at seat 3, as P-10417." in refused["message"]


def test_cash_of_an_alias_counts_from_the_moment_it_is_known(pit, dispatcher):
    pit.say("table.buy-in", seat=5, amount=6_000_00)  # grey-jacket
    pit.say("table.buy-in", seat=3, amount=3_000_00)
    at = pit.moment.isoformat()
    line = {"command": "patron.identify", "patron": "grey-jacket", "is": "P-10417", "at": at}
    known = dispatcher.dispatch(line)
    over = pit.say("table.buy-in", seat=3, amount=1_000_01)

    assert "ReportingAmountNear" in cash_events(known)
    assert cash_events(over)[-1] == "ReportingAmountPassed"


def test_amounts_of_two_currencies_are_never_mixed(dispatcher):
    euro = {"command": "property.set", "name": "currency", "value": "EUR"}
    assert dispatcher.dispatch(euro).ok
    table = {"command": "table.open", "table": "B01", "rules": "classic@1", "opener": {}}
    refused = dispatcher.dispatch(table).body
    assert (refused["error"], "counts in EUR" in refused["message"]) == ("BadValue", True)

    assert dispatcher.dispatch({**euro, "value": "USD"}).ok
    assert dispatcher.dispatch(table).ok
    assert dispatcher.dispatch(euro).body["error"] == "BadValue"


def void(pit, coup):
    return pit.say("void", coup=f"B01/2026-11-21/1/{coup}", reason="a slip", **{"with": "S-11"})


def test_r_shoe_3_a_coup_voided_before_its_first_card_does_not_take_the_cut_card(pit):
    pit.say("open")
    void(pit, 1)

    assert pit.say("shoe.cut-card").body["events"][0]["last_coup"] == 2
    assert pit.play(BANKER_WINS, (3, "player", 100_00)).body["due"]["action"] == "shoe.end"


def test_r_shoe_3_a_coup_voided_after_the_cut_card_is_replaced_by_the_next(pit):
    pit.say("open")
    pit.say("shoe.cut-card")
    due = void(pit, 1).body["due"]

    assert due == {"action": "bet", "rule": "R-BET-1"}
    assert pit.play(BANKER_WINS, (3, "player", 100_00)).body["due"]["action"] == "shoe.end"


def test_r_shoe_3_the_last_coup_voided_before_its_first_card_is_dealt_again(pit):
    pit.bet(3, "player", 100_00)
    pit.say("draw", card="KC")
    pit.say("shoe.cut-card")
    pit.deal("9S 2C QD", settle=True)
    pit.say("open")
    void(pit, 2)

    assert pit.play(BANKER_WINS, (3, "player", 100_00)).body["due"]["action"] == "shoe.end"


def test_r_shoe_3_a_coup_voided_after_a_card_counts(pit):
    pit.bet(3, "player", 100_00)
    pit.say("shoe.cut-card")
    pit.say("draw", card="KC")

    assert void(pit, 1).body["due"]["action"] == "shoe.end"


def _settled_at_ten_past(pit):
    """Coup 1 is over at 20:10; the shoe was ready long before."""
    pit.bet(3, "player", 100_00)
    pit.moment = pit.moment.replace(minute=10, second=0)
    pit.deal(BANKER_WINS)
    pit.say("settle")
    return pit.moment


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    "line",
    [
        {"command": "open"},
        {"command": "bet", "seat": 3, "spot": "player", "amount": 100_00},
    ],
    ids=["open", "bet"],
)
def test_r_shoe_1_a_coup_cannot_open_before_the_last_one_was_settled(pit, line, late):
    over = _settled_at_ten_past(pit)
    before = over - timedelta(milliseconds=1)
    refused = pit.ask(**line, at=before.isoformat(), late=late).body

    assert ("BadValue", "R-SHOE-1") == (refused["error"], refused["rule"])
    assert refused["message"] == (
        "B01/2026-11-21/1/1 was in play until 2026-11-21 20:10:05, after 2026-11-21 20:10:04.999. "
        "Give a later moment."
    )
    assert pit.say(**line, at=over.isoformat(), late=late).body["coup"] == "B01/2026-11-21/1/2"


def test_r_shoe_1_a_coup_cannot_open_before_the_last_one_was_voided(pit):
    pit.bet(3, "player", 100_00)
    opened = pit.moment
    void(pit, 1)

    assert "was in play until" in pit.ask("open", at=opened.isoformat(), late=True).body["message"]


def test_r_shoe_1_with_a_slow_clock_a_coup_opens_when_the_last_one_ended(pit):
    """Nobody said when: it is now, and that is not before what is on record."""
    over = _settled_at_ten_past(pit)
    line = {"command": "open", "table": "B01", "by": "D-204"}
    assert pit.dispatcher.dispatch(line).ok
    with pit.dispatcher.casino.ledger.connection() as connection:
        (at,) = connection.execute(
            "SELECT convert_from(state, 'UTF8')::json ->> 'at' FROM ledger.events "
            "WHERE topic = 'coup.opened' ORDER BY position DESC LIMIT 1"
        ).fetchone()

    assert at == over.isoformat()
