"""What commands mean where several aggregates meet."""

import json
from dataclasses import replace

from domain import house_rules
from tests.projections import BANKER_WINS, Pit


def reconciled(pit, **fields):
    """The shoe that a reconciliation was about."""
    (fact,) = pit.say("shoe.reconcile", remaining=412, **fields).body["events"]
    return fact["shoe"]


def test_r_shoe_4_a_shoe_is_reconciled_after_its_table_is_closed_too(pit):
    pit.end_shoe()
    pit.say("table.close", closer={})

    assert reconciled(pit) == "B01/2026-11-21/1"


def test_r_shoe_4_without_a_name_it_is_the_last_that_ended_uncounted(pit):
    pit.end_shoe()
    pit.prepare().end_shoe()
    pit.prepare()

    assert [reconciled(pit), reconciled(pit)] == ["B01/2026-11-21/2", "B01/2026-11-21/1"]
    refused = pit.ask("shoe.reconcile", remaining=412).body
    assert refused["error"] == "ShoeStepOutOfOrder"
    assert "B01/2026-11-21/3 cannot be reconciled now" in refused["message"]


def test_r_shoe_4_a_shoe_is_named_of_whichever_day(pit):
    pit.end_shoe()
    pit.say("table.close", closer={})
    pit.open(day="2026-11-22")

    assert pit.ask("shoe.reconcile", remaining=412).body["error"] == "NotFound"
    assert reconciled(pit, shoe="B01/2026-11-21/1") == "B01/2026-11-21/1"
    missing = pit.ask("shoe.reconcile", remaining=412, shoe="B01/2026-11-21/2").body
    assert missing["message"] == "The ledger has no shoe B01/2026-11-21/2 to reconcile."


def test_r_deal_4_the_shoe_of_a_patron_who_leaves_goes_back_to_the_dealer(pit):
    pit.say("shoe.pass", seat=5)
    left = pit.say("table.leave", seat=5).body["events"]
    holders = [fact["holder"] for fact in left if fact["type"] == "Passed"]
    opened = pit.say("open").body["events"][-1]

    assert (holders, opened["shoe_holder"]) == (["dealer"], "dealer")


def test_a_patron_who_does_not_hold_the_shoe_leaves_it_where_it_is(pit):
    pit.say("shoe.pass", seat=5)

    assert ["PatronLeft"] == [
        fact["type"] for fact in pit.say("table.leave", seat=3).body["events"]
    ]
    assert pit.say("open").body["events"][-1]["shoe_holder"] == "seat 5"


def test_r_com_4_what_is_owed_after_the_last_coup_is_due_before_the_shoe_ends(pit):
    pit.say("shoe.cut-card")
    pit.bet(3, "banker", 100_00)
    owing = pit.deal(BANKER_WINS, settle=True).body["due"]
    paid = pit.say("commission.collect", seat=3, amount=5_00).body["due"]

    assert owing == {"action": "commission.collect", "rule": "R-COM-4"}
    assert paid == {"action": "shoe.end", "rule": "R-SHOE-3"}


def test_a_refusal_that_is_recorded_tells_its_facts_and_their_place(pit, superuser):
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    line = {"id": "late", "seat": 5, "spot": "player", "amount": 25_00}
    moment = pit.moment.isoformat()
    first, again = (pit.ask("bet", **line, at=moment).body for _ in range(2))
    (position,) = superuser.execute("SELECT max(position) FROM ledger.events").fetchone()

    assert first == again
    assert (first["ok"], first["position"]) == (False, position)
    assert [fact["type"] for fact in first["events"]] == ["LateBetRefused"]


def test_rules_are_put_on_record_by_the_first_table_that_deals_by_them(dispatcher, superuser):
    for table, rules in (("B01", "classic@1"), ("B02", "classic@1"), ("B03", "tie-eight@1")):
        Pit(dispatcher, table).open(rules)
    rows = superuser.execute(
        "SELECT convert_from(state, 'UTF8')::jsonb FROM ledger.events "
        "WHERE topic = 'rule-set.adopted' ORDER BY position"
    ).fetchall()

    assert [state["rules"] for (state,) in rows] == ["classic@1", "tie-eight@1"]
    assert json.loads(rows[0][0]["content"])["name"] == "classic@1"


def test_a_program_with_other_rules_under_the_name_opens_no_table(
    dispatcher, superuser, monkeypatch
):
    Pit(dispatcher).open("classic@1")
    classic = house_rules.RULE_SETS["classic@1"]
    other = replace(classic, increment=2_00)
    monkeypatch.setitem(house_rules.RULE_SETS, "classic@1", other)
    refused = (
        Pit(dispatcher, "B02")
        .ask("table.open", rules="classic@1", opener={}, day="2026-11-21")
        .body
    )

    assert (refused["error"], "new version" in refused["message"]) == ("BadValue", True)
