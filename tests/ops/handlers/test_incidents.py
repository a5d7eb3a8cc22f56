"""Incidents on the floor: from what somebody reports to the outcome (R-FLOOR-1)."""

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import DAY, GamingTable
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
