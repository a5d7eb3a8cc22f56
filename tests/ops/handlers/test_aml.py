"""Cases of money laundering: terms, decisions of two, and what is beside the record."""

import json

import pytest

from domain.rules.wording import plain
from ops.handlers.trial import to_sign
from ops.ledger import aml_texts
from ops.ledger.reading import read_events
from ops.reports.ask import ask
from ops.verify.verification import walk
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.alerts_there import alerts_of
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse, in_the_ledger, number
from tests.worlds.gaming_table import DAY, GamingTable

CASE = "AML-2026-0001"
TWO = {"by": "SV-1", "with": "A-1"}
TEXTS = ("planted doubt", "planted note", "planted account", "planted grounds", "planted end")


@pytest.fixture
def pit(dispatcher):
    return GamingTable(dispatcher).open().prepare()


def opened(pit, **more):
    return pit.ask("aml.open", **{"patron": "P-10417", "text": TEXTS[0], "by": "SV-1", **more})


def rows(dispatcher):
    return ask(dispatcher.casino.ledger.database, REPORTS["aml-cases"]).rows


def decided(pit, decision="report", **people):
    return pit.ask("aml.decide", aml_case=CASE, decision=decision, text=TEXTS[3], **people)


def filed(pit, **more):
    return pit.ask("aml.filed", **{"aml_case": CASE, "reference": "310", "by": "SV-1", **more})


def shown_to_second(pit, decision):
    """The sentences that the second person signs."""
    line = {"command": "aml.decide", "aml_case": CASE, "decision": decision, "text": TEXTS[3]}
    return [plain(each) for each in to_sign(pit.dispatcher, {**line, **TWO}).words]


# The house is in UTC. 2026-11-21 is a Saturday.
# fmt: off
TERMS = [
    # regime            noticed       urgent  a report is due until
    ("united-states",  "2026-11-21", False, "2026-12-22T00:00:00+00:00"),
    ("united-states",  "2026-11-21", True,  "2026-12-22T00:00:00+00:00"),
    ("united-states",  "2026-11-01", False, "2026-12-02T00:00:00+00:00"),
    ("australia",      "2026-11-21", False, "2026-11-26T00:00:00+00:00"),  # Mon, Tue, Wed
    ("australia",      "2026-11-20", False, "2026-11-26T00:00:00+00:00"),
    ("australia",      "2026-11-19", False, "2026-11-25T00:00:00+00:00"),
    ("australia",      "2026-11-20", True,  "2026-11-21T00:00:00+00:00"),
    ("macau",          "2026-11-20", False, "2026-11-25T00:00:00+00:00"),
    ("singapore",      "2026-11-20", True,  ""),
]
# fmt: on


@pytest.mark.parametrize(("regime", "noticed", "urgent", "due_at"), TERMS)
def test_the_regime_says_until_when_a_report_is_due(
    database, dispatcher, regime, noticed, urgent, due_at
):
    currency = {"australia": "AUD", "macau": "MOP", "singapore": "SGD"}.get(regime, "USD")
    pit = GamingTable(dispatcher)
    if currency != "USD":
        pit.say("property.set", name="currency", value=currency)
    pit.say("regime.choose", file=regime, day=DAY, **{"with": "S-12"})
    pit.say("patron.bar", patron="P-10417", reason="asked for it")

    done = opened(pit, detected=noticed, urgent=urgent).body

    assert done["ok"], done
    (event,) = [each for each in done["events"] if each["type"] == "AmlCaseOpened"]
    assert event["due_at"] == due_at
    assert done["aml_case"] == CASE


def test_what_cannot_wait_is_due_within_hours_of_the_moment_it_is_noticed(dispatcher):
    pit = GamingTable(dispatcher)
    pit.say("property.set", name="currency", value="AUD")
    pit.say("regime.choose", file="australia", day=DAY, **{"with": "S-12"})
    pit.say("patron.bar", patron="P-10417", reason="asked for it")

    done = opened(pit, urgent=True, at="2026-11-21T21:30:00Z").body

    assert done["events"][-2]["due_at"] == "2026-11-22T21:30:00+00:00"


def test_two_people_decide_and_what_is_decided_is_done_before_it_closes(pit, dispatcher):
    opened(pit)
    assert decided(pit, by="SV-1").error == "SecondPersonNeeded"
    assert decided(pit, by="SV-1", **{"with": "SV-1"}).error == "SecondPersonNeeded"
    close = {"aml_case": CASE, "text": TEXTS[4], "by": "SV-1"}
    refused = [pit.ask("aml.close", **close), filed(pit)]
    assert [each.error for each in refused] == ["BadValue"] * 2
    assert decided(pit, **TWO).ok
    refused = [pit.ask("aml.close", **close), filed(pit, filing="amended")]
    assert [each.error for each in refused] == ["BadValue"] * 2
    assert filed(pit).ok
    again = [filed(pit), decided(pit, "no-report", **TWO)]
    assert [each.error for each in again] == ["BadValue"] * 2
    assert pit.ask("aml.close", **close).ok
    late = [
        pit.ask("aml.note", aml_case=CASE, text="more", by="SV-1"),
        pit.ask("aml.close", **close),
        decided(pit, **TWO),
    ]
    assert [each.error for each in late] == ["BadValue"] * 3
    assert filed(pit, filing="amended", reference="311").ok

    (row,) = rows(dispatcher)
    seen = {name: row[name] for name in ("decision", "approved_by", "filings", "reference", "late")}
    assert seen == {
        "decision": "report", "approved_by": "A-1", "filings": 2, "reference": "311", "late": None,
    }  # fmt: skip


def test_what_is_not_reported_needs_its_reason_and_no_report(pit, dispatcher):
    opened(pit)
    assert decided(pit, "no-report", **TWO).ok
    assert filed(pit).error == "BadValue"
    assert pit.ask("aml.close", aml_case=CASE, text=TEXTS[4], by="SV-1").ok
    assert [row["decision"] for row in rows(dispatcher)] == ["no-report"]


@pytest.mark.parametrize(("day", "late"), [("2026-11-19", None), ("2026-11-20", "late")])
def test_a_report_after_its_term_is_late(dispatcher, day, late):
    pit = GamingTable(dispatcher)
    pit.say("regime.choose", file="united-states", day=DAY, **{"with": "S-12"})
    pit.say("patron.bar", patron="P-10417", reason="asked for it")
    opened(pit, detected="2026-10-20")
    decided(pit, **TWO)
    assert filed(pit, filed_on="2026-11-22").error == "BadValue"

    assert filed(pit, filed_on=day).ok

    assert [(str(row["filed_on"]), row["late"]) for row in rows(dispatcher)] == [(day, late)]


def test_a_case_begins_from_an_alert_and_has_what_is_on_record_as_evidence(pit, dispatcher):
    pit.say("table.buy-in", seat=3, amount=5_000_00)
    cash = pit.say("table.cash-out", seat=3, amount=5_000_00).body
    (known,) = alerts_of(dispatcher.casino.ledger.database, "little play")
    alert = known["alert"]
    position = int(alert.partition("/")[2])
    wrong = [
        opened(pit, alert=f"little-play/{position - 1}"),
        opened(pit, alert="little play"),
        opened(pit, positions=[cash["position"] + 100]),
        opened(pit, patron="P-99999"),
        opened(pit, detected="2026-11-23"),
    ]
    assert [each.error for each in wrong] == ["NotFound", "BadValue", *["NotFound"] * 2, "BadValue"]

    done = opened(pit, alert=alert, positions=[position - 1, position])
    again = opened(pit, alert=alert)
    assert (again.error, CASE in again.body["message"]) == ("BadValue", True)
    more = pit.ask("aml.note", aml_case=CASE, text=TEXTS[1], positions=[position - 2], by="SV-1")

    assert done.ok, done.body
    assert more.ok, more.body
    (event,) = [each for each in done.body["events"] if each["type"] == "AmlCaseOpened"]
    assert (event["alert"], event["positions"]) == (alert, [position, position - 1])
    assert [row["evidence"] for row in rows(dispatcher)] == [3]
    shown = shell(dispatcher.casino.ledger.database, "aml", "show", CASE).output
    assert all(f"'#{each}'" in shown for each in range(position - 2, position + 1))
    decided(pit, "no-report", **TWO)
    assert pit.ask("aml.close", aml_case=CASE, text=TEXTS[4], by="SV-1").ok
    assert opened(pit, alert=alert).ok  # what is new after that is another case


def test_evidence_that_is_named_twice_is_in_the_case_once(pit):
    bought = pit.say("table.buy-in", seat=3, amount=5_000_00).body["position"]
    first, again = bought - 1, bought
    positions = [again, first, again]
    answers = [opened(pit, positions=positions)]
    answers.append(pit.ask("aml.note", aml_case=CASE, text="seen", positions=positions, by="SV-1"))
    recorded = [
        [each["positions"] for each in answer.body["events"] if "positions" in each]
        for answer in answers
    ]

    assert recorded == [[[again, first]], [[again, first]]]


def test_the_second_person_is_shown_whom_why_the_evidence_and_the_decision_before(pit):
    bought = pit.say("table.buy-in", seat=3, amount=5_000_00).body["position"]
    opened(pit)
    assert shown_to_second(pit, "report") == [
        f"{CASE} is decided: it is reported.",
        f"Reason: {TEXTS[3]}",
        "It is about P-10417.",
        "No event is named as evidence.",
    ]
    pit.say("aml.note", aml_case=CASE, text="seen", positions=[bought], by="SV-1")
    assert decided(pit, **TWO).ok
    again = decided(pit, by="SV-2", **{"with": "SV-1"})

    assert (again.error, again.reason.split(".")[0]) == ("BadValue", "It is decided so already")
    assert shown_to_second(pit, "no-report")[2:] == [
        "It is about P-10417.",
        "SV-1 with A-1 decided before: it is reported. This decision replaces it.",
        f"Evidence #{bought}: P-10417 brings 5,000.00 in cash at B01: 5,000.00 on this gaming day.",
    ]
    assert decided(pit, "no-report", **TWO).ok


def test_whether_a_case_is_open_is_decided_by_the_record_and_no_report(pit, dispatcher, superuser):
    pit.say("table.buy-in", seat=3, amount=5_000_00)
    shown = pit.say("table.cash-out", seat=3, amount=5_000_00).body["position"]
    position = shown + 1  # of what was noted, of which the answer says nothing
    assert opened(pit, alert=f"little-play/{position}").ok
    assert len(rows(dispatcher)) == 1
    superuser.execute("DELETE FROM projections.aml_cases")
    refused = opened(pit, alert=f"little-play/{position}")

    assert f"{CASE} is open" in refused.reason


def test_of_two_who_open_a_case_from_one_alert_at_once_one_is_refused(
    pit, dispatcher, another, monkeypatch
):
    opened(pit)  # the year has its first case
    pit.say("table.buy-in", seat=3, amount=5_000_00)
    pit.say("table.cash-out", seat=3, amount=5_000_00)
    database = dispatcher.casino.ledger.database
    (alert,) = [each["alert"] for each in alerts_of(database, "little play")]
    first, second = (GamingTable(another()) for _ in range(2))
    first.moment = second.moment = pit.moment
    answers = []

    def read_meanwhile(*asked, **wanted):
        """What the second one reads; then the first one opens a case from the same alert."""
        read = read_events(*asked, **wanted)
        if not answers:
            answers.append("soon")
            answers[:] = [opened(first, alert=alert)]
        return read

    monkeypatch.setattr("ops.handlers.aml.read_events", read_meanwhile)
    answers.append(opened(second, alert=alert))

    assert [each.error for each in answers] == ["", "BadValue"], answers
    assert len(rows(dispatcher)) == 2


def test_of_two_notes_at_once_both_are_written(pit, dispatcher, another, monkeypatch):
    opened(pit)
    second, save, beside = GamingTable(another()), aml_texts.save_text, []
    second.moment = pit.moment

    def save_meanwhile(*asked):
        """What is stored; but somebody else writes first."""
        if not beside:
            beside.append("soon")
            beside[:] = [second.ask("aml.note", aml_case=CASE, text=TEXTS[1], by="SV-1")]
        return save(*asked)

    monkeypatch.setattr("ops.handlers.aml.save_text", save_meanwhile)
    done = pit.ask("aml.note", aml_case=CASE, text=TEXTS[2], by="SV-1")

    assert (done.ok, beside[0].ok) == (True, True), (done.body, beside[0].body)
    shown = shell(dispatcher.casino.ledger.database, "aml", "show", CASE).output
    assert [text for text in TEXTS[:3] if text not in shown] == []


@pytest.fixture
def house(server):
    with server.database() as database:
        closed = ClosedHouse(database, EVERY_ROLE)
        assert closed.ask(number("pit-boss"), "patron.bar", patron="P-7", reason="asked")["ok"]
        yield closed
        closed.close()


def written(house):
    """The answers to the lines of a whole case, with a text in each."""
    watch, second = number("surveillance"), number("auditor")
    doubt, note, account, grounds, end = TEXTS
    of = {"aml_case": CASE}
    return [
        house.ask(watch, "aml.open", patron="P-7", text=doubt),
        house.ask(watch, "aml.note", text=note, **of),
        house.ask(watch, "aml.note", text=account, narrative=True, **of),
        house.ask(watch, "aml.decide", decision="report", text=grounds, **of, **{"with": second}),
        house.ask(watch, "aml.filed", reference="310", **of),
        house.ask(watch, "aml.close", text=end, **of),
    ]


def test_what_people_write_is_beside_the_record_and_shown_to_whom_it_is_for(house):
    answers = written(house)
    assert [each.get("message") for each in answers] == [None] * 6
    texts = json.dumps(answers) + in_the_ledger(house)
    assert [each for each in TEXTS if each in texts] == []
    digests = [event["digest"] for each in answers for event in each["events"] if "digest" in event]
    assert len({*digests}) == len(TEXTS)
    assert walk(house.database, jobs=1).faults == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("UPDATE people.aml_texts SET content = 'nothing' WHERE name LIKE '%/4'", "altered"),
        ("DELETE FROM people.aml_texts WHERE name LIKE '%/4'", "deleted"),
        ("UPDATE people.aml_texts SET seal = seal || '\\x00' WHERE name LIKE '%/4'", "replaced"),
    ],
)
def test_a_text_that_somebody_changes_is_a_fault(house, change, fault):
    written(house)
    with house.database.connect_as_is() as superuser:
        superuser.execute(change)

    faults = [str(each) for each in walk(house.database, jobs=1).faults]
    assert any(f"{CASE}/4" in each for each in faults), faults


def test_erasing_a_patron_says_nothing_of_a_case_and_leaves_its_texts(house):
    written(house)
    boss = number("pit-boss")
    without = house.ask(boss, "patron.erase", patron="P-8")
    with_case = house.ask(boss, "patron.erase", patron="P-7")

    assert with_case["message"].replace("P-7", "P-8") == without["message"]
    assert walk(house.database, jobs=1).faults == []
