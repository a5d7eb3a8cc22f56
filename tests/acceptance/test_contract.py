"""The JSON that others have built upon, letter by letter: fields may be added, never renamed."""

import csv
import io
import json

import pytest

from tests.acceptance.channels import accepted, feed, json_of, recorded, shell

REPORTS = {
    "commission": "patron stay table day shoe brought_forward accrued charged rounding corrections"
    " collected waived walked outstanding oldest_accrual due_at",
    "coup": "coup opened_at closed_at first_card_at resulted_at settled_at cards player_total"
    " banker_total outcome natural phase dealer supervisor exceptions",
}


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_s_fields_are_the_contract_s(settled, report):
    as_json = json_of(settled, "report", report)
    as_csv = list(csv.reader(io.StringIO(shell(settled, "report", report, "--csv").stdout)))
    head = ["report", "property", "gaming_day", "as_of", "position", "currency", "rows"]

    assert list(as_json) == head
    assert (as_json["report"], as_json["as_of"], as_json["currency"]) == (report, None, "USD")
    assert as_json["position"] == len(recorded(settled))
    assert REPORTS[report].split() == list(as_json["rows"][0])
    assert [*REPORTS[report].split(), "currency"] == as_csv[0]
    assert [len(as_json["rows"]), {"USD"}] == [len(as_csv) - 1, {row[-1] for row in as_csv[1:]}]


def test_true_and_false_are_the_same_words_in_csv_as_in_json(settled):
    rows = csv.DictReader(io.StringIO(shell(settled, "report", "coup", "--csv").stdout))

    assert {row["natural"] for row in rows} == {"true", ""}


@pytest.mark.parametrize(
    ("narrowing", "rows", "day"),
    [
        ("", 2, None),
        ("--table B01", 1, None),
        ("--table B09", 0, None),
        ("--day 2026-11-20", 0, "2026-11-20"),
    ],
)
def test_a_report_may_be_narrowed(settled, narrowing, rows, day):
    report = json_of(settled, "report", "coup", *narrowing.split())

    assert (rows, day) == (len(report["rows"]), report["gaming_day"])


def test_audit_verify_has_the_fields_of_the_contract_and_detects_alterations(server):
    with server.database() as database:
        empty = json_of(database, "audit", "verify")
        line = {"command": "table.open", "table": "B01", "rules": "classic@1", "opener": {}}
        accepted(database, [line])
        good = json_of(database, "audit", "verify")
        with database.connect_as_is() as superuser:
            superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
            superuser.execute("UPDATE ledger.events SET actor = 'nobody' WHERE position = 3")
        bad = shell(database, "audit", "verify", "--json")
        words = shell(database, "audit", "verify")

    fields = ["ok", "events", "since", "head", "gapless", "first_bad", "checkpoint"]
    fields += ["faults", "foreign_pepper", "restored", "not_comparable", "not_checked"]
    assert (fields, fields) == (list(good), list(json.loads(bad.stdout)))
    assert (empty["ok"], empty["events"], empty["head"]) == (True, 0, "0" * 64)
    assert (good["ok"], good["events"], good["gapless"]) == (True, 5, True)
    assert (good["first_bad"], good["checkpoint"]) == (None, None)
    assert (bad.exit_code, json.loads(bad.stdout)["first_bad"]) == (1, 3)
    assert (words.exit_code, "position 3" in words.stdout) == (1, True)


def test_db_status_has_the_fields_of_the_contract(settled):
    status = json_of(settled, "db", "status")

    assert ["url", "embedded", "server", "schema", "ok", "settings", "advice"] == list(status)[:7]
    assert (status["url"], status["embedded"], status["schema"]) == (None, False, "head")
    assert (status["ok"], status["advice"], status["settings"]["fsync"]) == (True, [], "on")


# The replay that the contract prints, but for moments and positions: coup 1 of the evening.
LOST = {"odds": "1:1", "commission_exact": "0", "commission_charged": 0, "commission_due": None}
REPLAY = {
    "coup": "B01/2026-11-21/1/1",
    "rules": "dragon-bonus@1",
    "phase": "settled",
    "wagers": [
        {"seat": 3, "patron": "P-10417", "spot": "banker", "stake": 100_00},
        {"seat": 5, "patron": "grey-jacket", "spot": "player", "stake": 500_00},
    ],
    "cards": [
        {"n": 1, "card": "9C", "hand": "player", "rule": "R-DEAL-1", "player_total": 9,
         "banker_total": None, "due": {"hand": "banker", "rule": "R-DEAL-1"}},
        {"n": 2, "card": "5S", "hand": "banker", "rule": "R-DEAL-1", "player_total": 9,
         "banker_total": 5, "due": {"hand": "player", "rule": "R-DEAL-1"}},
        {"n": 3, "card": "7C", "hand": "player", "rule": "R-DEAL-1", "player_total": 6,
         "banker_total": 5, "due": {"hand": "banker", "rule": "R-DEAL-1"}},
        {"n": 4, "card": "QD", "hand": "banker", "rule": "R-DEAL-1", "player_total": 6,
         "banker_total": 5, "due": {"hand": "banker", "rule": "R-DRAW-3"}},
        {"n": 5, "card": "9S", "hand": "banker", "rule": "R-DRAW-3", "player_total": 6,
         "banker_total": 4, "due": None},
    ],
    "outcome": "player", "natural": False, "player_total": 6, "banker_total": 4,
    "payments": [
        {"seat": 3, "spot": "banker", "stake": 100_00, "result": "lose", "winnings": 0,
         "paid": 0, **LOST},
        {"seat": 5, "spot": "player", "stake": 500_00, "result": "win", "winnings": 500_00,
         "paid": 1_000_00, **LOST},
    ],
    "agrees": True, "disagreements": [], "afterwards": [],
}  # fmt: skip


def within(expected, actual):
    """What was promised is there, whatever was added beside it."""
    if isinstance(expected, dict):
        return {name: within(each, actual[name]) for name, each in expected.items()}
    if isinstance(expected, list) and len(expected) == len(actual):
        return [within(*pair) for pair in zip(expected, actual, strict=True)]
    return actual


def test_a_replay_is_the_one_that_the_contract_prints(database, golden):
    feed(database, (golden / "evening.jsonl").read_bytes())
    replay = json_of(database, "replay", "B01/2026-11-21/1/1")
    events = {row[0]: row for row in recorded(database)}
    first, last = replay["proof"]["first_position"], replay["proof"]["last_position"]

    assert REPLAY == within(REPLAY, replay)
    assert ["coup.card-dealt"] * 5 == [events[card["position"]][3] for card in replay["cards"]]
    assert ("coup.opened", "coup.settled") == (events[first][3], events[last][3])
    assert [each["at"] for each in replay["wagers"]] == [
        "2026-11-21T20:12:15+01:00",
        "2026-11-21T20:12:19.120000+01:00",
    ]
    assert len(bytes.fromhex(replay["proof"]["head"])) == 32


def test_an_answer_on_the_feed_has_what_is_due_and_a_refusal_has_its_rule(database, golden):
    _, answers = feed(database, (golden / "evening.jsonl").read_bytes())
    accepted_ones = [answer for answer in answers if answer["ok"]]
    refused = [answer for answer in answers if not answer["ok"]]

    for answer in accepted_ones:
        assert answer.keys() >= {"ok", "command", "position", "coup", "events", "due"}
        assert {"type"} <= set.intersection(*(set(event) for event in answer["events"]))
        assert answer["due"] is None or answer["due"].keys() >= {"action", "rule"}
    for answer in refused:
        assert answer.keys() >= {"ok", "command", "error", "message", "rule"}
        assert answer["rule"].startswith("R-")
    dealt = [each for each in accepted_ones if each["due"] and each["due"]["action"] == "draw"]
    assert {"player", "banker"} == {answer["due"]["hand"] for answer in dealt}
