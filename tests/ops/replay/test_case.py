"""One case read back, and the list of cases: what whoever settles them sees."""

import json
from datetime import timedelta

import pytest

from tests.acceptance.channels import shell
from tests.worlds.disputed_table import CORRECT, COUP, FIRST, SECOND, STAND, DisputedTable
from tests.worlds.gaming_table import BANKER_WINS, BEGINS

pytestmark = pytest.mark.usefixtures("held")

SEEN = {"camera": "CAM-14", "at": BEGINS.isoformat(), "ahead": 1_500}


@pytest.fixture
def pit(dispatcher):
    """A case with all that a case may have, and one that was only opened."""
    floor = DisputedTable(dispatcher).open().prepare()
    floor.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 500_00))
    floor.say("property.set", name="regulator", value="singapore")
    floor.say("property.set", name="zone", value="Europe/Vienna")
    floor.claims(hold=True)
    floor.claims(patron="grey-jacket", complaint="mine")
    asked = {"what_if": ["bet 3 banker 200", "then burn"]}
    floor.say("dispute.note", case=FIRST, text="see", evidence=[SEEN], **asked, by="SV-3")
    floor.say("dispute.decide", **STAND)
    floor.say("dispute.tell", case=FIRST)
    floor.say("dispute.decide", **{**CORRECT, "to": 150_00})
    floor.say("dispute.notify", case=FIRST, reference="2026/1182")
    floor.say("dispute.export", case=FIRST)
    return floor


def shown(database, *words, width="100"):
    result = shell(database, "dispute", *words, env={"COLUMNS": width})
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return [line.rstrip() for line in result.stdout.splitlines()]


def told(database, *words):
    return json.loads(shell(database, "dispute", *words, "--json").stdout)


PAGE = """\
C-2026-0001   decided   B01/2026-11-21/1/1   P-10417   times of Europe/Vienna
Opened      2026-11-21 21:00:18  by S-11.
Complaint   I was not paid
In dispute  Up to 200.00.
Wagers      Seat 3 Banker 100.00, paid 200.00.
Frozen      At #39, the coup settled: the record agreed with the rules.
Notes       2026-11-21 21:00:20  see (SV-3)
              CAM-14 at 2026-11-21 20:59:58.500; 2026-11-21 21:00:00 by its clock, 1,500 ms ahead
              What if: bet 3 banker 200, then burn
Decisions   1  2026-11-21 21:00:21  The payment stands. Reason: the camera (S-11 with PB-2 (named in
            open house)). Nothing changes hands.
            2  2026-11-21 21:00:23  Instead of decision 1, seat 3 Banker is paid 150.00 in all, not
            200.00; 2.50 less commission. Reason: the camera (S-11 with PB-2 (named in open house)).
            50.00 is due from the patrons.
            In all: 50.00 is due from the patrons.
Deadlines   Notify the regulator by 2026-11-21 21:30:18.
              Notified 2026-11-21 21:00:24, 2026/1182, by S-11.
            Inform the patron of decision 1 by 2026-11-21 21:30:21.
              Informed 2026-11-21 21:00:22, by S-11, may appeal to the regulator until 2026-11-28
            21:00:22.
            Inform the patron of decision 2 by 2026-11-21 21:30:23, not done yet.
Hold        2026-11-21 21:00:18  The table waits, by S-11.
            2026-11-21 21:00:21  Released by the decision, by S-11.
Packs       2026-11-21 21:00:25  As of #54: JSON
"""


def test_a_case_is_told_from_the_complaint_to_its_end(pit, database):
    page = shown(database, "show", FIRST)
    expected = PAGE.splitlines()

    assert page[: len(expected)] == expected
    assert page[-1].startswith(" " * 12)
    pit.say("dispute.tell", case=FIRST)
    pit.say("dispute.close", case=FIRST, by="PB-2")
    assert shown(database, "show", FIRST)[-1] == "Closed      2026-11-21 21:00:27  by PB-2."


def test_to_programs_it_is_told_event_by_event(pit, database):
    case = told(database, "show", FIRST)

    assert (case["case"], case["coup"], case["status"]) == (FIRST, COUP, "decided")
    assert (case["in_dispute"], case["as_named"], case["currency"]) == (200_00, False, "USD")
    assert case["notes"][0]["what_if"] == ["bet 3 banker 200", "then burn"]
    assert case["notes"][0]["evidence"][0]["by_record"] == "2026-11-21T19:59:58.500+00:00"
    assert [(each["number"], each["changes_hands"]) for each in case["decisions"]] == [
        (1, 0),
        (2, -50_00),
    ]
    assert [each["step"] for each in case["hold"]] == ["placed", "decided"]
    assert (case["holds"], case["changes_hands"], case["closed"]) == (False, -50_00, None)
    assert case["opened_at"] == "2026-11-21T21:00:18+01:00"
    assert told(database, "show", SECOND)["others"] == [{"case": FIRST, "status": "open"}]


def test_a_case_that_there_is_not_is_refused(pit, database):
    for case, error in (("C-2026-0009", "NotFound"), ("the first", "BadValue")):
        result = shell(database, "dispute", "show", case)
        assert (result.exit_code, result.stderr.partition(":")[0]) == (1, error)


# fmt: off
NARROWED = [
    # words                                  cases
    ((),                                     [SECOND, FIRST]),
    (("--status", "open"),                   [SECOND]),
    (("--status", "decided"),                [FIRST]),
    (("--status", "closed"),                 []),
    (("--coup", COUP),                       [SECOND, FIRST]),
    (("--coup", f"{COUP}7"),                 []),
    (("--patron", "grey-jacket"),            [SECOND]),
    (("--patron", "P-10417", "--status", "open"), []),
]
# fmt: on


@pytest.mark.parametrize(("words", "cases"), NARROWED)
def test_cases_are_listed_the_newest_first(pit, database, words, cases):
    assert [each["case"] for each in told(database, "list", *words)["rows"]] == cases
    lines = shown(database, "list", *words, width="80")

    assert [line.split()[0] for line in lines if line.startswith("C-")] == cases
    assert cases or lines == ["There is no such case."]


def test_the_list_says_what_is_due_until_it_is_done(pit, database):
    pit.say("dispute.tell", case=FIRST)
    listed = shown(database, "list", width="140")
    until = (pit.moment + timedelta(days=7)).strftime("%m-%d")

    assert listed[-1].endswith(f"-50.00 patron may appeal until {until} 21:00")
    assert listed[-2].endswith("open                  · notify the regulator by 11-21 21:30")
    pit.say("dispute.close", case=FIRST)
    assert "closed" in shown(database, "list", width="140")[-1]


def test_what_nobody_knows_and_a_clock_that_is_right_are_told_as_such(pit, database):
    pit.say("dispute.open", coup=COUP, patron="P-10411", complaint="mine too")
    pit.say("dispute.note", case="C-2026-0003", text="see", evidence=[{**SEEN, "ahead": 0}])
    page = " ".join(shown(database, "show", "C-2026-0003"))

    assert "The amount is not known." in page
    assert "CAM-14 at 2026-11-21 21:00:00; its clock is the record's" in page
    assert f"{FIRST} about the same coup, then: decided." in page


@pytest.mark.parametrize("command", [["show", FIRST], ["export", FIRST, "--into", "there"]])
def test_a_case_that_somebody_altered_is_told_as_one_and_not_as_none(
    pit, database, superuser, tmp_path, monkeypatch, command
):
    monkeypatch.chdir(tmp_path)
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute(
        "UPDATE ledger.events SET state = "
        "convert_to(replace(convert_from(state, 'UTF8'), %s, %s), 'UTF8') "
        "WHERE topic = 'dispute.opened' AND convert_from(state, 'UTF8') LIKE %s",
        ('"complaint":"I was not paid"', '"complaint":5', f"%{FIRST}%"),
    )
    said = shell(database, "dispute", *command)

    assert (said.exit_code, said.stdout) == (1, "")
    assert "cannot be read" in said.stderr
