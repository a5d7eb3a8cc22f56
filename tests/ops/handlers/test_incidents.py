"""Incidents on the floor: from what somebody reports to the outcome (R-FLOOR-1)."""

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import DAY, PATRONS, GamingTable
from tests.worlds.pages_here import pages_of, ran

FIRST = "IR-2026-0001"


@pytest.fixture
def pit(dispatcher):
    return GamingTable(dispatcher).open()


def opened(pit, **fields):
    return pit.ask(
        "incident.open", **{"kind": "fight", "text": "at the bar", "by": "S-11", **fields}
    )


def reported(dispatcher, **narrowed):
    return ask(dispatcher.casino.ledger.database, REPORTS["incidents"], **narrowed).rows


def test_incidents_are_numbered_without_a_gap_and_the_answer_names_each(pit):
    assert [opened(pit).body["incident"] for _ in range(2)] == [FIRST, "IR-2026-0002"]
    assert opened(pit, table="B77").error == "TableClosed"


def test_an_incident_has_everybody_who_was_in_it_once_under_all_of_their_names(dispatcher, pit):
    opened(pit, table="B01", involved=["grey-jacket", "P-1"], staff=["D-204"])
    pit.ask(
        "incident.note", incident=FIRST, text="two saw it", guests=["guest-1"], involved=["P-1"]
    )
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10417"})
    (row,) = reported(dispatcher, patron="P-10417")
    people = ("patrons", "staff", "guests")

    assert [row[name] for name in people] == ["grey-jacket, P-1", "D-204", "guest-1"]
    assert (row["status"], row["table"], row["day"], row["notes"]) == ("open", "B01", DAY, 1)
    assert reported(dispatcher, patron="P-2") == []


def test_what_is_closed_takes_no_note_until_it_is_reopened(dispatcher, pit):
    opened(pit)
    shut = {"incident": FIRST, "outcome": "warned", "reason": "both sorry", "by": "S-11"}
    assert pit.ask("incident.reopen", incident=FIRST, reason="x", by="S-11").error == "BadValue"
    assert pit.ask("incident.close", **shut).ok
    assert [row["conclusion"] for row in reported(dispatcher)] == ["warned"]

    refused = pit.ask("incident.note", incident=FIRST, text="one thing more", by="S-11")
    assert refused.error == "BadValue"
    assert "`incident reopen`" in refused.reason
    assert pit.ask("incident.close", **shut).error == "BadValue"
    assert pit.ask("incident.reopen", incident=FIRST, reason="again", by="S-11").ok
    assert pit.ask("incident.note", incident=FIRST, text="one thing more", by="S-11").ok
    assert [row["status"] for row in reported(dispatcher)] == ["open"]

    page = shell(dispatcher.casino.ledger.database, "incident", "show", FIRST).output
    assert page.index("fight: at the bar") < page.index("somebody was warned")
    assert "IR-2026-0001 is open again. Reason: again" in page


def test_the_page_of_an_incident_is_led_to_by_the_list(dispatcher, pit):
    opened(pit, table="B01", text="<b>dances</b> on the table")

    async def scene():
        async with pages_of(dispatcher.casino.ledger.database, language="en") as ask:
            return [(await ask(each))[1] for each in ("/incidents", f"/incidents/{FIRST}")]

    listed, page = ran(scene())
    assert f'href="/incidents/{FIRST}"' in listed
    assert "&lt;b&gt;dances&lt;/b&gt; on the table" in page
    assert f'action="/incidents/{FIRST}/close"' in page


def test_goodwill_leaves_the_tray_and_lost_chips_wait_in_the_cage_for_their_person(dispatcher, pit):
    opened(pit, table="B01")
    opened(pit, kind="chips", text="under seat 3")
    two = {"reason": "sorry", "by": "S-11", "with": "PB-2"}
    moved = [
        (FIRST, 50_00, "tray", "person"),
        ("IR-2026-0002", 300_00, "floor", "cage"),
        ("IR-2026-0002", 100_00, "cage", "person"),
        (FIRST, 25_00, "person", "floor"),
        (FIRST, 25_00, "tray", "tray"),
    ]
    answers = [
        pit.ask("incident.money", incident=one, amount=amount, source=out_of, into=into, **two)
        for one, amount, out_of, into in moved
    ]
    assert [each.error for each in answers] == ["", "", "", "BadValue", "BadValue"]
    assert pit.ask("incident.money", incident=FIRST, amount=1_00, source="tray", into="person",
                   reason="alone", by="S-11").error == "SecondPersonNeeded"  # fmt: skip
    rows = reported(dispatcher)
    assert [(row["given"], row["keeps"]) for row in rows] == [(50_00, 0), (0, 200_00)]

    for seat in PATRONS:
        pit.say("table.leave", seat=seat)
    pit.say("table.drop", amount=0)
    pit.say("table.close", closer={"10000": 199, "2500": 2}, **{"with": "S-11"})
    (win,) = ask(dispatcher.casino.ledger.database, REPORTS["table-win"]).rows
    columns = ("win", "by_incidents", "variance", "unreconciled")
    assert [win[name] for name in columns] == [-50_00, -50_00, 0, 0]
