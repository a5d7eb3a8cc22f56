"""An evening at B01 on the feed, from opener to closer, compared with stored text.

`golden/evening.jsonl` is the evening of the contract, with five coups and with what goes wrong
at a table: a late bet, a card too many, a wrong payment, commission still owed. A golden file
that is not there is written by the first run, which fails: read it before you keep it.
"""

import json
from random import Random

import pytest

from tests.acceptance.channels import ON_PAPER, feed, json_of, recorded, shell
from tests.faults import times

REFUSED = {  # the number of the line: what it is refused for
    22: ("BothSides", "R-BET-1"),
    27: ("UnderMinimum", "R-BET-3"),
    31: ("BettingClosed", "R-DEAL-2"),
    34: ("CommissionOwed", "R-COM-4"),
    47: ("CardNotDue", "R-IRR-1"),
    59: ("PaymentDisagrees", "R-PAY-1"),
    61: ("CoupOver", "R-WIN-1"),
    69: ("CutCardOut", "R-SHOE-3"),
    70: ("OverCollected", "R-COM-4"),
    71: ("CommissionOwed", "R-COM-4"),
}
COUPS = ("B01/2026-11-21/1/2", "B01/2026-11-21/1/4")


@pytest.fixture
def evening(golden):
    return (golden / "evening.jsonl").read_bytes()


@pytest.fixture
def stored(golden):
    """Compares a text with the one that is stored under that name."""
    written = []

    def compare(name, text):
        path = golden / name
        if not path.exists():
            path.write_text(text)
            written.append(name)

        assert path.read_text() == text

    yield compare

    assert written == [], "these were not there, and now they are: read them"


def without_head(replay):
    """The chain's head rests on the moment of recording, which is never the same."""
    assert len(bytes.fromhex(replay["proof"]["head"])) == 32
    replay["proof"]["head"] = "…"
    return json.dumps(replay, ensure_ascii=False, indent=1) + "\n"


def test_mistakes_are_refused_and_everything_else_is_accepted(database, evening):
    status, answers = feed(database, evening)
    refused = {
        number: (answer["error"], answer["rule"])
        for number, answer in enumerate(answers, 1)
        if not answer["ok"]
    }

    assert (status, refused) == (1, REFUSED)
    assert len(evening.splitlines()) == len(answers)


def test_the_answers_are_the_stored_ones(database, evening, stored):
    stored("evening.answers.jsonl", shell(database, "feed", input=evening).stdout)


@pytest.mark.parametrize("report", ["commission", "coup"])
def test_the_reports_are_the_stored_ones(database, evening, stored, report):
    feed(database, evening)
    rows = json_of(database, "report", report)
    on_paper = shell(database, "report", report, env=ON_PAPER).stdout

    stored(f"evening.{report}.json", json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
    stored(f"evening.{report}.txt", on_paper)
    assert max(map(len, on_paper.splitlines())) <= 80


@pytest.mark.parametrize("coup", COUPS)
def test_the_replays_are_the_stored_ones(database, evening, stored, coup):
    feed(database, evening)
    page = shell(database, "replay", coup, env=ON_PAPER)
    number = coup.rpartition("/")[2]

    stored(f"evening.replay-{number}.json", without_head(json_of(database, "replay", coup)))
    stored(f"evening.replay-{number}.txt", page.stdout)
    assert (page.exit_code, page.stderr) == (0, "")
    assert max(map(len, page.stdout.splitlines())) <= 80


def test_an_evening_sent_twice_is_answered_twice_and_recorded_once(database, evening):
    first = shell(database, "feed", input=evening)
    events = recorded(database)
    again = shell(database, "feed", input=evening)

    assert first.stdout == again.stdout
    assert (first.exit_code, events) == (again.exit_code, recorded(database))


def test_an_evening_cut_off_anywhere_and_sent_again_is_the_same(server, evening):
    """The cut goes through the middle of a line, which then cannot be read."""
    with server.database() as database:
        whole = shell(database, "feed", input=evening).stdout.splitlines()
        events = recorded(database)
    for cut in sorted(Random(21).sample(range(1, len(evening)), times(5, 20))):
        with server.database() as database:
            begun = shell(database, "feed", input=evening[:cut]).stdout.splitlines()
            lines = evening[:cut].count(b"\n")
            again = shell(database, "feed", input=evening).stdout.splitlines()

            assert whole[:lines] == begun[:lines]
            assert whole == again
            assert events == recorded(database)


def test_the_same_evening_in_two_houses_makes_the_same_record(server, evening):
    def record(database):
        feed(database, evening)
        with database.connect("sabot_auditor") as connection:
            moments = connection.execute("SELECT recorded_at FROM ledger.events").fetchall()
        return recorded(database), moments

    with server.database() as here, server.database() as there:
        (events, moments), (other_events, other_moments) = record(here), record(there)

    assert events == other_events
    assert not set(moments) & set(other_moments)
    assert {"feed"} == {json.loads(row[-1])["mouth"] for row in events}


def test_a_line_of_the_evening_with_other_content_is_refused_by_its_id(database, evening):
    feed(database, evening)
    events = recorded(database)
    changed = [{**json.loads(line), "by": "D-999"} for line in evening.splitlines()]
    accepted, refused = changed[0], changed[min(REFUSED) - 1]
    for lines in ([accepted], [refused], changed):  # one line is answered by itself
        status, answers = feed(database, lines)

        assert status == 1
        assert [("IdReused", line["id"]) for line in lines] == [
            (answer["error"], answer["id"]) for answer in answers
        ]
    assert events == recorded(database)


def test_the_record_of_the_evening_verifies(database, evening):
    feed(database, evening)
    verified = json_of(database, "audit", "verify")

    assert (verified["ok"], verified["gapless"], len(recorded(database))) == (
        *(True, True),
        verified["events"],
    )
