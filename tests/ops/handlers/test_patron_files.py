"""A patron's file: who may write and see it, what is on record of it, and that it can be erased."""

import json
from datetime import date
from hashlib import sha256

import msgspec
import pytest

from domain.rules.patron_files import NO_SOURCE, RISKS, Contents, due_of
from domain.rules.permissions import OF_FILES, ROLES
from ops.ledger.secrets import People
from ops.reports.ask import ask
from ops.verify.verification import walk
from ops.words.events import sentences
from projections import REPORTS
from tests.acceptance.channels import json_of, shell
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse, in_the_ledger, number

# Of every part one that is nowhere else.
PLANTED = {
    "birth_date": "1961-04-17",
    "address": "Planted Lane 7",
    "occupation": "plantsman",
    "source_of_funds": "planted shares",
    "on_behalf_of": "Planted Ltd",
    "languages": "plantish",
    "photo": "/planted/7.jpg",
    "photo_digest": "7" * 64,
}
LISTED = {"unseen": True, "confirmed": False}
PASSPORT = {"kind": "passport", "number": "PLANT-77", "issuer": "Plantland"}
RISK = {"risk": "high", "reason": "planted reason", "review": "2027-05-31"}
PARTS = [*[*PLANTED][:-1], "exposed"]
STATES = "SELECT convert_from(state, 'UTF8') FROM ledger.events"
CAGE, BOSS = number("cage"), number("pit-boss")
SECRETS = (*PLANTED.values(), "PLANT-77", "Plantland", "planted reason", "2031-02-01")


@pytest.fixture
def house(server):
    with server.database() as database:
        closed = ClosedHouse(database, EVERY_ROLE)
        yield closed
        closed.close()


def planted(house, patron="P-7"):
    """The answers to the lines that write all of a file."""
    return [
        house.ask(CAGE, "patron.file", patron=patron, exposed=True, **PLANTED),
        house.ask(CAGE, "patron.document", patron=patron, expires="2031-02-01", **PASSPORT),
        house.ask(BOSS, "patron.risk", patron=patron, **RISK),
    ]


def kept(house):
    """What is stored beside the record of patrons."""
    with house.casino.ledger.connection() as connection:
        return connection.execute("SELECT patron, content FROM people.patron_files").fetchall()


def test_a_file_is_written_shown_and_erased_and_the_record_has_only_which_parts(house):
    answers = planted(house)
    assert [each["ok"] for each in answers] == [True] * 3, answers
    parts = [event["parts"] for each in answers for event in each["events"] if "parts" in event]
    assert parts == [PARTS, ["documents"], ["risk"]]
    (stored,) = kept(house)
    assert all(each in stored[1] for each in SECRETS)
    assert not [each for each in SECRETS if each in json.dumps(answers) + in_the_ledger(house)]

    erased = house.ask(BOSS, "patron.erase", patron="P-7", reason="asked for it")

    assert erased["events"][-1]["parts"] == [*PARTS, "risk", "documents"]
    assert kept(house) == []
    assert walk(house.database, jobs=1).faults == []
    assert house.ask(BOSS, "patron.erase", patron="P-7")["error"] == "NotFound"


def test_a_file_of_an_alias_is_read_with_the_patron_s_and_erased_with_it(house, monkeypatch):
    monkeypatch.setattr("ops.cli.reading.saved_token", lambda: house.token(CAGE))
    house.ask(CAGE, "patron.document", patron="grey", **PASSPORT)
    house.ask(CAGE, "patron.file", patron="P-7", address="Lane 7")
    assert house.ask(BOSS, "patron.identify", patron="grey", **{"is": "P-7"})["ok"]
    shown = json_of(house.database, "patron", "show", "P-7")
    assert (shown["file"]["address"], shown["due"]) == ("Lane 7", [])
    assert shown["aliases"]["grey"]["documents"][0]["number"] == "PLANT-77"

    house.ask(
        BOSS, "patron.separate", patron="grey", reason="another", **{"with": number("supervisor")}
    )
    assert json_of(house.database, "patron", "show", "P-7")["aliases"] == {}
    assert (
        json_of(house.database, "patron", "show", "grey")["file"]["documents"][0]["number"]
        == "PLANT-77"
    )
    assert house.ask(BOSS, "patron.identify", patron="grey", **{"is": "P-7"})["ok"]
    assert house.ask(BOSS, "patron.erase", patron="P-7", reason="asked for it")["ok"]
    assert kept(house) == []
    assert walk(house.database, jobs=1).faults == []


@pytest.mark.parametrize("whose", ["P-7", "grey"])
@pytest.mark.parametrize("patron", ["P-7", "grey"])
def test_nobody_plays_on_behalf_of_themselves_under_any_name(house, patron, whose):
    house.ask(CAGE, "patron.file", patron="P-7", address="Lane 7")
    assert house.ask(BOSS, "patron.identify", patron="grey", **{"is": "P-7"})["ok"]
    before = kept(house)

    refused = house.ask(CAGE, "patron.file", patron=patron, on_behalf_of=whose)

    assert (refused.get("error"), "themselves" in refused.get("message", "")) == ("BadValue", True)
    assert kept(house) == before
    assert house.ask(CAGE, "patron.file", patron=patron, on_behalf_of="P-8")["ok"]


def test_the_digest_on_record_is_another_one_for_the_same_file(house):
    digests = [
        each["events"][-1]["digest"]
        for patron in ("P-7", "P-8")
        for each in (house.ask(CAGE, "patron.file", patron=patron, address="the same"),)
    ]
    assert len({*digests}) == 2
    again = house.ask(CAGE, "patron.file", patron="P-7", address="the same")
    assert again["error"] == "BadValue"


def test_a_refusal_does_not_repeat_what_was_typed_and_a_line_s_digest_has_a_key(house):
    for field, value in {"birth_date": "1961-13-17", "occupation": "planted  twice"}.items():
        refused = house.ask(CAGE, "patron.file", patron="P-7", **{field: value})
        assert (refused["error"], value in json.dumps(refused)) == ("BadValue", False)
    wrong = house.ask(CAGE, "patron.document", patron="P-7", expires="planted", **PASSPORT)
    assert "planted" not in json.dumps(wrong)
    line = {"command": "patron.file", "patron": "P-7", "address": "Planted 1", "id": "one"}
    house.dispatchers[CAGE].dispatch(line)
    assert house.dispatchers[CAGE].dispatch(line).ok
    with house.casino.ledger.connection() as connection:
        guessed = sha256(msgspec.json.encode(line, order="deterministic")).digest()
        (content,) = connection.execute(
            "SELECT content FROM ledger.commands WHERE command_id = 'one'"
        ).fetchone()
    assert content != guessed


@pytest.mark.parametrize("before", RISKS)
@pytest.mark.parametrize("after", RISKS)
def test_only_a_lower_risk_takes_two_people(house, before, after):
    rated = {"patron": "P-7", "reason": "seen", "review": "2027-05-31"}
    assert house.ask(CAGE, "patron.risk", risk=before, **rated)["ok"]
    rated["reason"] = "seen again"
    lower = RISKS.index(after) < RISKS.index(before)

    alone = house.ask(CAGE, "patron.risk", risk=after, **rated)

    assert alone["ok"] != lower
    if lower:
        assert alone["error"] == "SecondPersonNeeded"
        both = house.ask(CAGE, "patron.risk", risk=after, **rated, **{"with": BOSS})
        assert both["events"][-1]["approved_by"] == BOSS


@pytest.mark.parametrize("role", ROLES)
def test_who_may_not_see_a_file_sees_nothing_of_it_and_every_look_is_on_record(
    house, role, monkeypatch
):
    planted(house)
    monkeypatch.setattr("ops.cli.reading.saved_token", lambda: house.token(number(role)))

    shown = shell(house.database, "patron", "show", "P-7")
    listed = shell(house.database, "report", "patron-files", "--json")

    may = role in OF_FILES
    assert (shown.exit_code == 0) == may
    for each in SECRETS:
        assert (each in shown.output) == may, each
    assert (listed.exit_code == 0) == (may or role == "auditor")
    # The report has neither documents nor reasons: what is due, and by when.
    seen = {each for each in SECRETS if each in listed.output}
    assert seen == ({"2031-02-01"} if listed.exit_code == 0 else set())
    with house.database.connect("sabot_auditor") as auditor:
        looks = auditor.execute(
            "SELECT who, patron, refused FROM ledger.readings WHERE command = 'patron show'"
        ).fetchall()
    if role != "device":
        assert looks == [(number(role), "P-7", None if may else "NotPermitted")]


def test_the_report_has_what_is_due(house):
    planted(house)
    house.ask(CAGE, "patron.file", patron="P-8", occupation="none")
    house.ask(CAGE, "patron.document", patron="P-9", expires="2020-01-01", **PASSPORT)
    house.ask(BOSS, "patron.risk", patron="P-9", risk="low", reason="seen", review="2020-05-31")
    house.ask(CAGE, "patron.file", patron="P-10", exposed=True)
    rows = {each["patron"]: each for each in ask(house.database, REPORTS["patron-files"]).rows}

    assert list(rows) == ["P-10", "P-9", "P-8", "P-7"]
    due = ("document", "review", "exposed", "source")
    assert {patron: [row[each] for each in due] for patron, row in rows.items()} == {
        "P-10": ["no-document", None, "exposed", "no-source"],
        "P-9": ["document-expired", "review-overdue", None, None],
        "P-8": ["no-document", None, None, None],
        "P-7": ["document-valid", "in-time", "exposed", "on-file"],
    }
    files = [Contents(risk="high"), Contents(exposed=True), Contents(risk="medium")]
    asked = [NO_SOURCE in due_of(each, date(2026, 11, 21)) for each in files]
    assert asked == [True, True, False]
    assert NO_SOURCE not in due_of(Contents(exposed=True, source_of_funds="x"), date.min)


def test_a_file_and_a_name_that_the_law_or_a_hold_wants_are_not_erased(house):
    planted(house)
    house.table(number("dealer"), number("supervisor")).open()
    planted(house, "P-10417")
    People(house.casino.ledger).name_patron("P-10411", "planted name")
    two = {"file": "australia", "day": "2099-11-21", "with": BOSS}
    chosen = house.ask(number("administrator"), "regime.choose", **two)
    assert chosen["error"] == "BadValue"  # the house counts in another currency
    today = house.casino.time.now().date().isoformat()
    two = {"file": "united-states", "day": today, "with": BOSS}
    assert house.ask(number("administrator"), "regime.choose", **two)["ok"]

    early = house.ask(BOSS, "patron.erase", patron="P-10417")
    by_name = house.ask(BOSS, "patron.erase", patron="P-10411")
    assert house.ask(BOSS, "patron.bar", patron="P-9", reason="asked")["ok"]
    People(house.casino.ledger).name_patron("P-9", "planted name")
    barred = house.ask(BOSS, "patron.erase", patron="P-9")
    held = house.ask(BOSS, "patron.file", patron="P-8", hold="planted reason")
    refused = house.ask(BOSS, "patron.erase", patron="P-8")

    assert f"{int(today[:4]) + 5}{today[4:]}" in early["message"]
    assert by_name["message"] == early["message"].replace("P-10417", "P-10411")
    assert barred["message"] == early["message"].replace("P-10417", "P-9")
    assert held["ok"]
    assert "is not to be erased" in refused["message"]
    assert house.ask(BOSS, "patron.erase", patron="P-7")["ok"]  # who was never here
    assert not [each for each in SECRETS if each in early["message"] + refused["message"]]


def test_a_document_that_has_expired_is_asked_about_unless_it_is_copied_from_a_list(house):
    over = {"patron": "P-9", "expires": "2020-01-01", **PASSPORT}
    asked = house.ask(CAGE, "patron.document", **over, confirmed=False)

    assert asked["error"] == "ConfirmationNeeded"
    assert "2020" not in str(asked)
    assert asked["message"].startswith(
        "The document of P-9 has expired, so that it is no ID for cash"
    )
    assert house.ask(CAGE, "patron.document", **over, confirmed=True)["ok"]
    listed = {**over, "patron": "P-8", "number": "PLANT-78"}
    assert house.ask(CAGE, "patron.document", **listed, **LISTED)["ok"]


def test_a_document_is_taken_out_with_a_reason_that_is_on_record(house):
    planted(house)
    out = {"patron": "P-7", "withdrawn": True, **PASSPORT}
    asked = house.ask(CAGE, "patron.document", **out)
    given = {**out, "withdrawn": False, "reason": "typed twice"}
    refused = house.ask(CAGE, "patron.document", **given)
    taken = house.ask(CAGE, "patron.document", **out, reason="typed twice")

    assert (asked["error"], refused["error"]) == ("MissingField", "BadValue")
    assert (taken["events"][-1]["parts"], taken["events"][-1]["reason"]) == (
        ["documents"],
        "typed twice",
    )
    assert "PLANT-77" not in str(kept(house))
    assert "Reason: typed twice" in " ".join(map(str, sentences(taken["events"], "USD")))
    assert "reason" not in house.ask(CAGE, "patron.file", patron="P-7", address="Lane 8")["events"]


@pytest.mark.parametrize("seen", [{"expires": "2031-02-01"}, {"unseen": True}])
def test_a_document_on_somebody_else_s_file_is_asked_about_however_it_is_spelled(house, seen):
    german = {"kind": "passport", "number": "C-01 x00", "issuer": "DE"}
    house.ask(CAGE, "patron.document", patron="P-7", **german)
    respelled = {"kind": "passport", "number": "c01X00", "issuer": "Germany", **seen}
    other = {"kind": "passport", "number": "C01X00", "issuer": "Austria"}
    asked = house.ask(CAGE, "patron.document", patron="P-8", **respelled, confirmed=False)
    assert asked["error"] == "ConfirmationNeeded"
    assert asked["message"].startswith("The same document is on the file of P-7")
    assert "01" not in asked["message"]
    assert house.ask(CAGE, "patron.document", patron="P-8", **other, confirmed=False)["ok"]
    assert house.ask(CAGE, "patron.document", patron="P-7", **respelled, confirmed=False)["ok"]

    house.ask(BOSS, "patron.bar", patron="P-7", reason="asked for it", kind="self-excluded")
    barred = house.ask(CAGE, "patron.document", patron="P-8", **respelled, confirmed=False)
    assert "on the file of P-7, who may not play" in barred["message"]
    assert house.ask(CAGE, "patron.document", patron="P-8", **respelled, confirmed=True)["ok"]


def test_a_document_of_an_alias_is_the_patron_s_own(house):
    house.ask(CAGE, "patron.document", patron="grey", **PASSPORT)
    assert house.ask(BOSS, "patron.identify", patron="grey", **{"is": "P-7"})["ok"]
    assert house.ask(CAGE, "patron.document", patron="P-7", **PASSPORT, confirmed=False)["ok"]


def test_a_number_that_nobody_has_is_asked_about_before_cash_counts_together_by_it(house):
    plays_for = {"patron": "P-7", "on_behalf_of": "XR99"}
    asked = house.ask(CAGE, "patron.file", **plays_for, confirmed=False)
    words = {"on_behalf_of": "her brother of 30", "confirmed": False}
    named = house.ask(CAGE, "patron.file", patron="P-7", **words)
    joined = house.ask(CAGE, "patron.file", **plays_for, confirmed=True)

    assert asked["error"] == "ConfirmationNeeded"
    assert "XR99" not in str(asked)
    assert "the cash of all who play for that person counts together" in asked["message"]
    assert "PlaysFor" not in [each["type"] for each in named["events"]]
    assert "PlaysFor" in [each["type"] for each in joined["events"]]
