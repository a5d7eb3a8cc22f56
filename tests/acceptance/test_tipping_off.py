"""Nobody at the tables learns of a suspicion, and only who deals with cases takes it off the board.

Not at a shell, on a page, in an export, in the answer to a command, or in a proof of an event.
"""

import json
from html import unescape

import pyarrow.parquet as pq
import pytest
from psycopg.types.json import Jsonb

from domain.rules.permissions import OF_AML, SUSPICIONS
from ops.ledger.reading import read_events
from ops.now.listener import _done
from ops.words.alerts import alert_words
from tests.worlds.browsers import PlainBrowser
from tests.worlds.closed_house import PIN
from tests.worlds.held_sessions import sessions_held
from tests.worlds.house_server import house_server
from tests.worlds.planted_night import STAFF, PlantedNight

WHO, SEEN_BY = "P-101", {who for who, role in STAFF.items() if role in OF_AML}
EVERYBODY = ("", "A-1", *STAFF)
# The two that take a report that was filed, or another regime, as rows of the projection.
PUT_THERE = {
    "cash split": {
        "type": "CashSplit", "direction": "in", "pieces": 2, "total": 19_000_00, "paper": "CTR",
        "reporting_amount": 10_000_00, "threshold": "CTR", "alike": [], "agents": [],
    },
    "report to amend": {
        "type": "ReportToAmend", "direction": "in", "total": 9_000_00, "reported": 12_000_00,
        "threshold": "CTR", "paper": "CTR", "transaction": 0, "reference": "31000123456789",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def night(server, tmp_path_factory):
    """A night on which somebody brought cash and took it again, with an alert of each suspicion."""
    with server.database() as database, sessions_held():
        night = PlantedNight(database, tmp_path_factory.mktemp("home"))
        night.database = database
        place = night.sits(WHO)
        night.cash(place, "buy-in", "12,000", "--confirmed")
        night.answer = night.cash(place, "cash-out", "11,900", "--confirmed")
        (noted,) = [each for each in night.rows("V-1", "alerts") if each["kind"] == "little play"]
        night.names = {"little play": noted["alert"]}
        night.words = [alert_words("little play", noted["detail"], "USD")]
        with database.session("sabot_projector") as connection:
            for n, (kind, detail) in enumerate(PUT_THERE.items()):
                position = night.answer["position"] - 1 - n
                of_whom = {**detail, "patron": WHO, "day": night.day}
                connection.execute(
                    "INSERT INTO alerts (position, kind, at, table_code, gaming_day, patron,"
                    " detail, rank) VALUES (%s, %s, now(), 'B01', %s, %s, %s, 2)",
                    (position, kind, night.day, WHO, Jsonb(of_whom)),
                )
                night.names[kind] = f"{kind.replace(' ', '-')}/{position}"
                night.words.append(alert_words(kind, of_whom, "USD"))
        yield night


@pytest.fixture(scope="module")
def house(night):
    """The house server, and a browser for each role; their shells are left."""
    with house_server(night.database, night.home) as house:
        house.browsers = {who: PlainBrowser(house.address) for who in EVERYBODY}
        signing_on = {who: each for who, each in house.browsers.items() if who}
        for who, browser in signing_on.items():
            night.say("A-1", "staff", "approve-terminal", browser.name, f"of {who}")
        for who, browser in signing_on.items():
            at = {"table": "B01"} if who == "D-9" else {}
            assert browser.post("/sign-on", {"staff": who, "pin": PIN, **at})[0] == 303
        yield house


def told(night, text):
    """Which of the suspicions a text tells of, by kind, by name, or in a sentence."""
    text = " ".join(unescape(text).split())
    marks = zip(night.names.items(), night.words, strict=True)
    return {
        kind for (kind, name), words in marks if any(each in text for each in (kind, name, words))
    }


# What somebody types at a shell of their own.
AT_A_SHELL = [
    *[("report", "alerts", *form) for form in ((), ("--json",), ("--csv",), ("--sort", "kind"))],
    *[("board", *form) for form in (("--once",), ("--once", "--json"), ("--json",))],
    *[("board", "--table", "B01", *form) for form in (("--once",), ("--json",))],
    *[("report", name, "--json") for name in ("exceptions", "voids", "readings", "ratings")],
]


@pytest.mark.parametrize("who", ["A-1", *STAFF])
def test_at_a_shell_only_who_deals_with_cases_learns_of_it(night, who):
    texts = {words: night.shells[who].run(*words).output for words in AT_A_SHELL}
    tell = {words for words, text in texts.items() if told(night, text) == {*SUSPICIONS}}

    assert {words for words, text in texts.items() if told(night, text)} == tell
    assert tell == ({*AT_A_SHELL[:9]} if who in SEEN_BY else set())


@pytest.mark.parametrize("who", ["S-1", "PB-1", "V-1"])
def test_an_export_has_it_for_the_same_people(night, tmp_path, who):
    into, shell = tmp_path, night.shells[who]
    csv = shell.run("export", "report", "alerts", "--into", into / "csv")
    parquet = shell.run("export", "report", "alerts", "--format", "parquet", "--into", into / "pq")
    made = b"".join(each.read_bytes() for each in (into / "csv").iterdir())
    rows = pq.read_table(next((into / "pq").glob("*.parquet"))).column("kind").to_pylist()

    assert (csv.exit_code, parquet.exit_code) == (0, 0)
    assert (b"little-play" in made) == (who in SEEN_BY)
    assert ("little play" in rows) == (who in SEEN_BY)


def test_the_answer_to_whoever_gave_the_command_says_nothing_of_it(night):
    assert told(night, json.dumps(night.answer)) == set()
    assert "LittlePlay" not in json.dumps(night.answer)


def test_the_position_of_an_answer_is_that_of_the_last_event_in_it(night):
    """Whoever counts finds as many positions as events, from that of the cash-out on."""
    position, listed = night.answer["position"], night.answer["events"]
    with night.database.session("sabot_auditor") as connection:
        after = read_events(connection, position - len(listed), len(listed) + 1)
    *own, beside = after
    topics = [each.topic for each in own]

    assert beside.topic == "cash-day.little-play-noted"
    assert (own[-1].position, len(own)) == (position, len(listed))
    assert topics[0] == "table-day.cashed-out"


ACKNOWLEDGES = [
    # kind          by
    ("little play", {"V-1", "U-1"}),
    ("cash over",   {"S-1", "PB-1"}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "by"), ACKNOWLEDGES)
def test_who_has_no_right_to_its_kind_is_refused_whether_there_is_such_an_alert_or_not(
    night, kind, by
):
    position = night.answer["position"]
    for who in {"A-1", *STAFF} - by:
        for each in (night.names["little play"].rpartition("/")[2], str(position + 5)):
            name = f"{kind.replace(' ', '-')}/{each}"
            assert night.refused(who, "alert", "acknowledge", name) == "NotPermitted"


def test_no_event_of_it_is_proven_to_the_floor_or_comes_to_a_table_s_screen(night):
    name = night.names["little play"]
    position = int(name.rpartition("/")[2])
    night.say("V-1", "alert", "acknowledge", name, "looked into it")
    with night.database.session("sabot_auditor") as connection:
        events = read_events(connection, position - 1, 10_000)
    done = json.dumps([each.events for each in _done(events)])
    (acknowledged,) = [each.position for each in events if each.topic == "alert.acknowledged"]

    assert told(night, done) == set()
    for each in (position, acknowledged):
        shown = {who: night.shells[who].run("audit", "prove", str(each)) for who in ("S-1", "U-1")}
        assert "NotFound" in shown["S-1"].output
        assert "NotFound" not in shown["U-1"].output


def pages(night):
    """The addresses that could show it."""
    return (
        *("/", "/alerts", "/alerts?table=B01", "/tables/B01", f"/patrons/{WHO}"),
        *("/reports/alerts", "/reports/alerts.csv", "/reports/alerts.json"),
        *("/api/board.json", "/api/report/alerts.json", "/metrics"),
        *(f"/alerts/{name}" for name in night.names.values()),
    )


@pytest.mark.parametrize("who", EVERYBODY)
def test_on_a_page_only_who_deals_with_cases_learns_of_it(night, house, who):
    seen = {each: house.browsers[who].get(each)[-1] for each in pages(night)}
    tell = {each for each, text in seen.items() if told(night, text)}
    opened = {each: house.browsers[who].get(f"/alerts/{each}")[0] for each in night.names.values()}
    asked = f"/find?q={night.names['cash split']}"
    found = " ".join(map(str, house.browsers[who].send("GET", asked)[1:]))

    assert bool(tell) == (who in SEEN_BY), tell
    assert {"/", "/alerts", "/tables/B01"} <= tell or who not in SEEN_BY
    assert all((status == 200) == (who in SEEN_BY) for status in opened.values()), opened
    assert (f"/alerts/{night.names['cash split']}" in found) == (who in SEEN_BY)
