"""The pages of a group: who sees them, and that their sums are those of `sabot group report`."""

import json
import re
from datetime import UTC, datetime
from html import unescape

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.group import asking, members
from ops.group.asking import recorded_at
from ops.group.following import Looking
from ops.group.members import Heard, Standing
from ops.group.pulling import pull
from ops.group.questions import REPORTS
from ops.group.state import state_of
from ops.ledger import clock
from ops.simulation.run import Plan, dispatch_all
from tests.faults import SEED
from tests.worlds.browsers import PlainBrowser
from tests.worlds.closed_house import PIN
from tests.worlds.group_of_houses import added, log_of, speaking
from tests.worlds.house_server import house_server
from tests.worlds.other_house import OtherHouse

PEOPLE = {
    "PB-1": "pit-boss", "C-1": "cage", "V-1": "surveillance", "U-1": "auditor",
    "A-2": "administrator", "S-11": "supervisor", "D-204": "dealer", "R-1": "security",
}  # fmt: skip
OTHERS = dict.fromkeys(("S-11", "D-204", "R-1"), 403)
# What each page of a group answers to whom.
ROLES = ("PB-1", "C-1", "V-1", "U-1", "A-2")
PAGES = {
    "/group":                          (403, 403, 200, 200, 200),
    "/group.json":                     (403, 403, 200, 200, 200),
    "/group/win":                      (200, 403, 200, 200, 403),
    "/group/win.json":                 (200, 403, 200, 200, 403),
    "/group/owed":                     (200, 200, 200, 200, 403),
    "/group/owed?per=patron":          (403, 403, 200, 200, 403),
    "/group/owed.json?per=day,patron": (403, 403, 200, 200, 403),
    "/group/owed?per=patron&per=day":  (200, 200, 200, 200, 403),
    "/group/patrons":                  (403, 403, 200, 200, 403),
    "/group/protection":               (403, 403, 200, 200, 403),
    "/group/exclusions":               (403, 403, 200, 200, 403),
}  # fmt: skip
WAYS = (
    ("win", ""), ("win", "per=property,table"), ("win", "per=day"), ("win", "per=all"),
    ("win", "house=island&per=table"), ("win", "day=2026-11-21"), ("win", "table=S01"),
    ("win", "house=harbour&as_of=MIDDLE"),
    ("owed", ""), ("owed", "per=property,patron"), ("patrons", ""), ("patrons", "per=patron,day"),
    ("protection", ""),
)  # fmt: skip


def simulated(database, seed):
    with speaking(database, made_up=True) as dispatcher:
        lines = Plan(tables=2, coups=10, seed=seed, days=2).lines([1, 2])
        assert dispatch_all(dispatcher.dispatch, lines, lambda _: None).unexpected == []


@pytest.fixture(scope="module")
def office(server, tmp_path_factory):
    """A group's closed office with a server, and in its home two houses and one in euros."""
    place = tmp_path_factory.mktemp("group")
    logs = place / "logs"
    with (
        pytest.MonkeyPatch.context() as patch,
        server.database() as own,
        server.database() as first,
        server.database() as second,
        house_server(own, place / "office") as office,
    ):
        boss = office.terminal("pit-1")
        boss.run("property", "set", "name", "The office", "--by", "A-1")
        boss.run("staff", "approve-terminal", boss.key, "pit 1")
        boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
        patch.setenv("SABOT_HOME", str(place / "office"))
        for name, database in {"harbour": first, "riverside": second}.items():
            simulated(database, SEED + len(name))
            assert not pull(added(log_of(database, logs / name)), clock.wall_clock()).stopped
        island = log_of(first, logs / "island").settle("currency", "EUR")
        assert not pull(added(island), clock.wall_clock()).stopped
        office.browsers = {who: _signed_on(office, boss, who) for who in PEOPLE}
        office.logs = logs
        yield office


def _signed_on(office, boss, who):
    code = boss.ask("staff", "enrol", who, f"N {who}", PEOPLE[who])["code"]
    browser = PlainBrowser(office.address).approved_by(boss)
    browser.post("/sign-on", {"staff": who, "pin": code})
    status, _ = browser.post("/sign-on", {"staff": who, "pin": code, "new": PIN, "again": PIN})
    assert status == 303
    return browser


@pytest.mark.parametrize("page", PAGES)
def test_who_sees_a_page_of_the_group(office, page):
    seen = {who: office.browsers[who].get(page)[0] for who in PEOPLE}

    assert {**OTHERS, **dict(zip(ROLES, PAGES[page], strict=True))} == seen


@pytest.mark.parametrize("who", PEOPLE)
def test_nobody_is_offered_a_page_of_the_group_that_they_may_not_see(office, who):
    """In the head of a page, on the group's page, and in the choice by what rows are divided."""
    browser = office.browsers[who]
    head = browser.get("/manual")[1]
    status, page = browser.get("/group")
    assert ('href="/group"' in head) == (status == 200)
    for href in re.findall(r'href="(/group[^"]*)"', page):
        assert browser.get(unescape(href))[0] == 200, href
    status, page = browser.get("/group/owed")
    if status == 200:
        choices = re.findall(r'<option value="([^"]*)"', page.partition('name="house"')[0])
        assert "property,table" in choices
        for each in choices:
            assert browser.get(f"/group/owed?per={each}")[0] == 200, each
        assert ("patron" in choices) == (browser.get("/group/patrons")[0] == 200)


def cells(page):
    """The texts of the rows and of the sums on a page, by the headings of their columns."""
    table = page.partition("<table")[2].partition("</table>")[0]
    body, _, foot = table.partition("<tbody>")[2].partition("</tbody>")
    rows = [
        [unescape(re.sub("<[^>]*>", "", each)) for each in re.findall(r"<td[^>]*>(.*?)</td>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", body)
    ]
    sums = [
        [unescape(re.sub("<[^>]*>", "", each)) for each in re.findall(r"<td[^>]*>(.*?)</td>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", foot)
    ]
    return rows, sums


def moment_of_the_middle():
    """When the event in the middle of a house's record was recorded, as it is typed."""
    harbour = members.named("harbour")
    at = recorded_at(harbour, harbour.held.size // 2)
    return at.isoformat().replace("+00:00", "Z")


def minor(text):
    """Minor units of an amount as a page has it: both currencies here have two digits."""
    digits = re.sub(r"[^0-9.]", "", text)
    whole, _, cents = digits.partition(".")
    return (-1 if "−" in text or "-" in text else 1) * int(whole + cents.ljust(2, "0"))


@pytest.mark.parametrize(("report", "asked"), WAYS)
def test_the_sums_of_a_page_are_those_of_the_command(office, report, asked):
    asked = asked.replace("MIDDLE", moment_of_the_middle())
    query = dict(each.split("=") for each in asked.split("&")) if asked else {}
    words = [f"--per={each}" for each in query.pop("per", "").split(",") if each not in ("", "all")]
    houses = [query.pop("house")] if "house" in query else []
    words += [f"--{name.replace('_', '-')}={value}" for name, value in query.items()]
    browser = office.browsers["U-1"]
    status, text = browser.get(f"/group/{report}.json?{asked}")
    assert status == 200, text
    page = browser.get(f"/group/{report}?{asked}")[1]
    body = json.loads(text)
    if "per=all" not in asked:  # which the command has no word for
        command = CliRunner().invoke(cli, ["group", "report", report, "--json", *houses, *words])
        assert command.exit_code == 0, command.output
        assert json.loads(command.stdout) == body

    of = REPORTS[report]
    rows, sums = cells(page)
    assert len(rows) == len(body["rows"])
    money = [each for each in of.shown if each not in (*of.counts, *of.days)]
    for currency in {each["currency"] for each in body["rows"]}:
        there = [each for each in body["rows"] if each["currency"] == currency]
        here = [row for row in rows if currency in row]
        for name in money:
            at = of.shown.index(name) - len(of.shown)
            expected = sum(each[name] or 0 for each in there)
            assert sum(minor(row[at]) for row in here if row[at]) == expected, (currency, name)
            for total in sums:
                if currency in total and total[at]:
                    assert minor(total[at]) == expected
    if report == "win" and not asked:
        assert [each[0:2] for each in sums] == [["total", "EUR"], ["total", "USD"]]
        assert any(minor(each) for each in rows[0][-2:])


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        (
            "/group/win?tables=B01",
            422,
            "It takes house, per, table, day, from, to, as_of, into, rate",
        ),
        ("/group/win.json?patron=P-1", 422, "This page takes no patron"),
        ("/group?day=2026-11-21", 422, "takes nothing after the question mark"),
        ("/group/win?per=patron", 422, "it is divided by property, table and day"),
        ("/group/win?day=tomorrow", 422, "tomorrow"),
        ("/group/win?as_of=later", 422, "later"),
        ("/group/win?house=nowhere", 404, "house nowhere"),
        ("/group/win?into=USD", 422, "give both into and rate"),
        ("/group/win?into=USD&rate=ECB/2026-11-21", 422, "No rate of ECB/2026-11-21"),
        ("/group/exclusions?day=2026-11-21", 422, "takes no day"),
        ("/group/wins", 404, "report wins"),
        ("/group/win.xml", 404, "as .xml"),
    ],
)
def test_what_a_page_of_the_group_does_not_take_is_answered_in_words(
    office, address, status, words
):
    answered, page = office.browsers["V-1"].get(address)

    assert answered == status
    assert words in " ".join(unescape(re.sub("<[^>]*>", "", page)).split())


def test_sums_in_one_currency_are_on_the_page_with_the_rate_in_its_head(office):
    at = "/group/win{}?into=USD&rate=BIS/2026-11-21"
    words = ("group", "rate", "BIS/2026-11-21", "EUR", "USD", "1.5")
    assert CliRunner().invoke(cli, words).exit_code == 0
    browser = office.browsers["V-1"]
    page, body = browser.get(at.format(""))[1], json.loads(browser.get(at.format(".json"))[1])
    sums = cells(page)[1]

    assert "Sums in USD at the rates of BIS for 2026-11-21: 1 EUR = 1.5 USD." in page
    assert "rounded to the nearest minor unit, halves away from 0" in page
    assert [row[0] for row in sums] == ["total", "total", "EUR in USD", "USD in USD", "all in USD"]
    assert minor(sums[-1][-1]) == body["in_one"]["total"]["win"]
    assert [minor(row[-1]) for row in sums[2:4]] == [each["win"] for each in body["in_one"]["sums"]]


def test_how_each_house_is_is_the_same_on_the_page_and_at_the_shell(office):
    riverside = members.named("riverside")
    before = riverside.standing
    at = datetime(2026, 11, 29, 20, 14, tzinfo=UTC)
    riverside.note(Standing(at, stopped="Two records of 9 events are signed: it has forked."))
    riverside.note_heard("harbour", Heard(at, 7))
    try:
        command = CliRunner().invoke(cli, ["group", "list", "--json"])
        assert command.exit_code == 0, command.output
        listed = [json.loads(each) for each in command.stdout.splitlines()]
        assert listed == json.loads(office.browsers["A-2"].get("/group.json")[1])
        [harbour, _, bad] = listed
        assert (harbour["how"], bad["how"]) == ("good", "stopped")
        assert harbour["events"] == members.named("harbour").held.size > 100
        heard = {"witness": "harbour", "at": "2026-11-29T20:14:00Z", "size": 7}
        assert bad["seen"] == [{**heard, "signed": False, "checked": False}]
        page = office.browsers["A-2"].get("/group")[1]
        assert '<td data-of="state" class="long why">DISTRUSTED: Two records of 9 events' in page
        [seen] = cells(page.partition("Witnesses")[2])[0]
        assert seen[:4] == ["riverside", "harbour", "was asked", "7"]
        report = office.browsers["V-1"].get("/group/win")[1]
        assert "! riverside stopped: Two records of 9 events" in report
    finally:
        riverside.note(before)


def test_a_house_that_is_far_from_counted_is_shown_as_far_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    house = added(OtherHouse(tmp_path / "other").grow(40))
    pull(house, clock.wall_clock())
    shown = asking.ask(REPORTS["win"], [house], at_most=house.held.size - 1)
    assert (shown.houses[0].position, shown.houses[0].held, shown.rows) == (0, house.held.size, [])
    assert asking.ask(REPORTS["win"], [house], at_most=house.held.size).houses[0].position > 0


def test_lag_is_from_when_an_event_was_recorded_until_it_is_held(office):
    state = state_of(members.named("harbour"))

    assert state.recorded_at.isoformat()[:4] == "2026"
    assert state.lag == (state.held_at - state.recorded_at).total_seconds()


def test_what_a_witness_was_asked_is_noted_once_a_minute_unless_it_is_news(tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    house = added(OtherHouse(tmp_path / "riverside").grow(3))
    seconds = [datetime(2026, 11, 29, 20, 14, n, tzinfo=UTC) for n in (0, 1, 2)]
    for at, size, noted in zip(seconds, (3, 3, 4), (0, 0, 2), strict=True):
        house.note_heard("harbour", Heard(at, size))
        assert house.heard["harbour"].at == seconds[noted]
    Looking(clock.wall_clock).pull(house)  # nobody else is there to be asked
    assert [*house.heard] == ["harbour"]
