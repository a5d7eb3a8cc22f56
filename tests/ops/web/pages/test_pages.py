"""The pages as a browser asks for them: who sees what, and what nobody may make them do."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from html import unescape
from http.client import HTTPConnection
from urllib.parse import parse_qsl, quote, urlsplit

import pytest

from ops.ledger.recorder import Ledger
from ops.ledger.secrets import People
from ops.web.front import SAFE
from ops.web.pages.addresses import routes
from projections import REPORTS
from tests.waiting import until
from tests.worlds.browsers import PlainBrowser
from tests.worlds.closed_house import GUESS, PIN
from tests.worlds.house_server import house_server

COUP = "B01/2026-11-21/1/1"
SCRIPT = "<script>alert(1)</script>"
ELSEWHERE = ("/sign-on", "/sign-off", "/language")  # where nobody is refused for what they are
OF_A_KIND = 2  # pages that are followed
HAS_ADDRESS = re.compile(r'<body [^>]*data-address="/')  # of its own, though it answers a form
PEOPLE = {
    "D-204": "dealer", "D-205": "dealer", "S-11": "supervisor", "PB-1": "pit-boss",
    "V-1": "surveillance", "C-1": "cage", "A-2": "administrator", "R-1": "security",
    "U-1": "auditor",
}  # fmt: skip
# What each page answers to whom: nobody, and each role. 303: to the page for signing on, or to the
# first page that they may see.
# D-205 signs on at B01, D-204 at no table.
ROLES = ("", "D-204", "D-205", "S-11", "PB-1", "V-1", "C-1", "A-2", "R-1", "U-1")
PAGES = {
    "/":                      (303, 303, 303, 200, 200, 200, 303, 200, 303, 200),
    "/tables":                (303, 403, 403, 200, 200, 200, 403, 200, 403, 200),
    "/days":                  (303, 403, 200, 200, 200, 200, 200, 403, 403, 200),
    "/shoes":                 (303, 403, 200, 200, 200, 200, 403, 403, 403, 200),
    "/coups":                 (303, 403, 200, 200, 200, 200, 403, 403, 403, 200),
    "/patrons":               (303, 403, 200, 200, 200, 200, 200, 403, 403, 200),
    "/stays":                 (303, 403, 200, 200, 200, 200, 200, 403, 403, 200),
    "/staff":                 (303, 403, 403, 200, 200, 200, 403, 200, 403, 200),
    "/rules":                 (200, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    "/tables/B01":            (303, 403, 200, 200, 200, 200, 403, 200, 403, 200),
    f"/coups/{COUP}":         (303, 403, 200, 200, 200, 200, 403, 403, 403, 200),
    f"/coups/{COUP}?event=3": (303, 403, 200, 200, 200, 200, 403, 403, 403, 200),
    "/shoes/B01/2026-11-21/1": (303, 403, 200, 200, 200, 200, 403, 403, 403, 200),
    "/cases":                 (303, 403, 403, 200, 200, 200, 403, 403, 403, 200),
    "/reports":               (200, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    "/reports/commission":    (303, 403, 403, 200, 200, 200, 200, 403, 403, 200),
    "/reports/commission?table=B01": (303, 403, 200, 200, 200, 200, 200, 403, 403, 200),
    "/reports/commission?table=B02": (303, 403, 403, 200, 200, 200, 200, 403, 403, 200),
    "/tables/B02":            (303, 403, 403, 404, 404, 404, 403, 404, 403, 404),
    "/reports/wagers":        (303, 403, 403, 200, 200, 200, 403, 403, 403, 200),
    "/reports/readings":      (303, 403, 403, 403, 403, 200, 403, 200, 403, 200),
    "/alerts":                (303, 403, 403, 200, 200, 200, 403, 200, 403, 200),
    "/alerts?table=B01":      (303, 403, 200, 200, 200, 200, 403, 200, 403, 200),
    "/alerts/late-bet/1":     (303, 403, 403, 404, 404, 404, 403, 404, 403, 404),
    "/patrons/P-1":           (303, 403, 403, 200, 200, 200, 200, 403, 403, 200),
    "/stays/B01/2026-11-21/stay-1": (303, 403, 200, 200, 200, 200, 200, 403, 403, 200),
    "/days/2026-11-21":       (303, 403, 403, 200, 200, 200, 200, 403, 403, 200),
    "/find":                  (303, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    "/find?q=P-1":            (303, 200, 200, 303, 303, 303, 303, 200, 200, 303),
    "/find?q=B01+1":          (303, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    "/slips":                 (303, 403, 403, 200, 200, 200, 200, 403, 200, 200),
    "/slips?table=B01":       (303, 403, 403, 200, 200, 200, 200, 403, 200, 200),
    "/slips/2026-000001":     (303, 403, 403, 404, 404, 404, 404, 403, 404, 404),
    "/coupons":               (303, 403, 403, 200, 200, 200, 200, 403, 403, 200),
    "/coupons/MP-1":          (303, 403, 403, 200, 200, 200, 200, 403, 403, 200),
    "/incidents":             (303, 403, 403, 200, 200, 200, 403, 403, 200, 200),
    "/incidents/IR-2026-0001": (303, 403, 403, 200, 200, 200, 403, 403, 200, 200),
    "/inquiries":             (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/inquiries?about=shoe":  (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/inquiries/I-2026-0001": (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/reports/inquiries":     (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/aml":                   (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/aml?patron=P-1":        (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/aml/AML-2026-0001":     (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/reports/aml-cases":     (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/reports/ids-not-shown": (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/reports/secret-readings": (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/reports/protection":    (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/group":                 (303, 403, 403, 403, 403, 200, 403, 200, 403, 200),
    "/group/win":             (303, 403, 403, 403, 404, 404, 403, 403, 403, 404),
    "/ledger":                (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/ledger/3":              (303, 403, 403, 403, 403, 200, 403, 403, 403, 200),
    "/wall":                  (200, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    "/wall/B01":              (200, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    "/play":                  (403, 403, 403, 403, 403, 403, 403, 403, 403, 403),
    "/play/B01/3":            (403, 403, 403, 403, 403, 403, 403, 403, 403, 403),
    "/rules/R-DRAW-3":        (200, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    "/manual":                (200, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    "/manual/browser":        (200, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    "/sign-on":               (200, 200, 200, 200, 200, 200, 200, 200, 200, 200),
}  # fmt: skip


def dealt(terminal):
    """A coup at B01, with a patron whose name is a script."""
    for words in (
        ("table", "open", "B01", "classic@1", "--opener", "100=90", "--day", "2026-11-21"),
        ("table", "seat", "B01", "3", "P-1"),
        ("table", "seat", "B01", "5", SCRIPT),
        ("shoe", "load", "B01", "8"),
        ("shoe", "inspect", "B01"),
        ("shoe", "shuffle", "B01", "hand"),
        ("shoe", "cut", "B01"),
        ("shoe", "burn", "B01", "3D"),
        ("bet", "B01", "3", "banker", "100"),
        ("bet", "B01", "5", "player", "200"),
        *(("draw", "B01", card) for card in ("9C", "5S", "KD", "2H")),
        ("settle", "B01"),
        ("coupon", "issue", "MP-1", "match-play", "25", "--by", "PB-1"),
        ("aml", "open", "P-1", "cash in and out, no play", "--by", "V-1"),
        (
            "incident",
            "open",
            "conduct",
            SCRIPT,
            "--table",
            "B01",
            "--involved",
            "P-1",
            "--by",
            "S-11",
        ),
        ("inquiry", "open", "coup", COUP, "who looks at the cards?", "--by", "V-1"),
        ("dispute", "open", COUP, "P-1", "I was paid too little", "--amount", "50"),
    ):
        done = terminal.run(*words)
        assert done.exit_code == 0, done.output


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    """A closed house with somebody of every role, and a coup that was dealt before it closed."""
    with (
        server.database() as database,
        house_server(database, tmp_path_factory.mktemp("house") / "house") as house,
    ):
        boss = house.terminal("pit-1")
        dealt(boss)
        boss.run("staff", "approve-terminal", boss.key, "pit 1")
        boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
        house.database = database
        house.codes = {
            staff: boss.ask("staff", "enrol", staff, f"N {staff}", role)["code"]
            for staff, role in PEOPLE.items()
        }
        yield house


@pytest.fixture(scope="module")
def boss(house):
    return house.terminal("pit-1")


@pytest.fixture(scope="module")
def browsers(house, boss):
    """A browser for each person, who chose a PIN there; and one where nobody is signed on."""
    browsers = {"": PlainBrowser(house.address).approved_by(boss)}
    for staff in PEOPLE:
        browser = PlainBrowser(house.address).approved_by(boss)
        code = house.codes[staff]
        table = {"table": "B01"} if staff == "D-205" else {}
        status, text = browser.post("/sign-on", {"staff": staff, "pin": code, **table})
        assert (status, "New PIN again" in text) == (422, True)
        assert ('value="B01"' in text) is bool(table)  # it is not to be typed again
        chosen = {"staff": staff, "pin": code, "new": PIN, "again": PIN, **table}
        status, headers, text = browser.send("POST", "/sign-on", chosen)
        assert status == 303, text
        assert headers["Location"] == ("/tables/B01" if table else "/")
        browsers[staff] = browser
    return browsers


def events(house):
    with house.database.connect("sabot_auditor") as connection:
        return connection.execute("SELECT count(*) FROM ledger.events").fetchone()[0]


@pytest.mark.parametrize("page", PAGES)
def test_who_sees_a_page(browsers, page):
    seen = tuple(browsers[role].get(page)[0] for role in ROLES)

    assert PAGES[page] == seen


def every_link(text):
    """The addresses that a page leads to; last the files that are made soonest."""
    found = {unescape(each) for each in re.findall(r'<a [^>]*href="(/[^"]*)"', text)}
    return sorted(
        {each.partition("#")[0] for each in found}, key=lambda each: (".csv" in each, each)
    )


def kinds_of(address):
    """Addresses of a kind differ in numbers, and in the report's name.

    A file is of two kinds: by the form in which it comes, and by what it is asked for.
    """
    place = urlsplit(address)
    path = re.sub(r"\d+|(?<=/reports/)[a-z-]+", "0", place.path)
    path, form = re.fullmatch(r"(.*?)(\.[a-z]+)?", path).groups()
    asks_for = tuple(sorted(dict(parse_qsl(place.query))))
    return {(path, form, asks_for)} if form is None else {(path, form), (path, "?", asks_for)}


def every_form(text):
    """The address of each form, with what its fields have, or something that they take."""
    for action, form in re.findall(
        r'<form[^>]*method="post" action="([^"]*)"[^>]*>(.*?)</form>', text, re.S
    ):
        named = re.findall(
            r'<(?:input|textarea|select|button)[^>]*name="([^"]+)"(?:[^>]*value="([^"]*)")?', form
        )
        yield unescape(action), {name: unescape(value) or "1" for name, value in named}


class Follower:
    """Asks for what it finds, from page to page: of each kind some addresses, each of them once."""

    def __init__(self, browser, *, is_somebody: bool) -> None:
        self._browser, self._is_somebody = browser, is_somebody
        self._asked = set()
        self.kinds = Counter()
        self.refused, self.sent_again, self.nothing_there = [], [], []

    def follow(self, waiting) -> None:
        """Pages, every link on them and every form, and what these lead to."""
        while waiting:
            text = self._ask("GET", waiting.pop(), waiting)
            waiting += every_link(text)
            for action, form in every_form(text):
                self._ask("POST", action, waiting, form)

    def _ask(self, method, address, waiting, form=()) -> str:
        """The page at an address; nothing if there is none, or if enough is known of its kind."""
        if address in ELSEWHERE:
            return ""
        asks = (address, *((name, value) for name, value in dict(form).items() if name != "id"))
        kinds = {(method, *kind) for kind in kinds_of(address)}
        enough = OF_A_KIND if len(kinds) == 1 else 1
        if asks in self._asked or all(self.kinds[each] >= enough for each in kinds):
            return ""
        self._asked.add(asks)
        self.kinds.update(kinds)
        status, headers, text = self._browser.send(method, address, form)
        then = headers.get("Location", "")
        if method == "POST" and text.startswith("<!doctype") and not HAS_ADDRESS.search(text):
            self.sent_again.append(address)
        asks_who = self._is_somebody and then.startswith("/sign-on")
        if status in (401, 403) or asks_who:
            self.refused.append((address, status))
        elif method == "GET" and status >= 400:
            self.nothing_there.append((address, status))
        elif then:  # something was done, and the page may offer more
            self._asked.discard((then,))
            waiting.append(then)
        return text if text.startswith("<!doctype") else ""


@pytest.mark.parametrize("who", ["", *PEOPLE])
def test_nobody_is_offered_what_they_may_not_do(browsers, who):
    """Every link is followed and every form is sent, from page to page."""
    follower = Follower(browsers[who], is_somebody=bool(who))
    follower.follow([page for page, seen in PAGES.items() if seen[ROLES.index(who)] == 200])

    assert follower.refused == []
    assert follower.nothing_there == []
    assert follower.sent_again == []  # by a reload of what answers a form
    assert len(follower.kinds) > 5


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_of_a_table_is_read_by_whom_its_permission_grants_it(browsers, report):
    """As each signed on in a browser: a dealer at B01, another one at no table."""
    grants = REPORTS[report].read_by
    asked = f"/reports/{report}?table=B01"
    refused = {who for who in PEOPLE if browsers[who].get(asked)[0] == 403}

    assert refused == {
        who for who, role in PEOPLE.items() if grants and not reads(who, role, grants)
    }


def reads(who, role, grants):
    return role in grants.roles and (role not in grants.at_own_table or who == "D-205")


# By part of an address: what is on record, and what is not.
NAMES = {
    "table": ("B01", "B99"),
    "alert": ("late-bet/1", "late-bet/99"),
    "shoe": ("B01/2026-11-21/1", "B99/2026-11-20/9"),
    "coup": (COUP, "B99/2026-11-20/9/9"),
    "case": ("C-2026-0001", "C-2026-0999"),
    "patron": ("P-1", "P-999"),
    "stay": ("B01/2026-11-21/stay-1", "B99/2026-11-20/stay-9"),
    "day": ("2026-11-21", "2025-01-01"),
    "staff": ("D-204", "D-999"),
    "position": ("3", "999999"),
}
SAME = {
    "topic": "dealer",
    "seat": "3",
    "act": "note",
    "form": "pdf",
    "report": "commission",
    "rule": "R-DRAW-3",
}
TO_ANYBODY = ("/wall", "/live/wall", "/watch", "/live/watch", "/roads")  # which name nobody


def answered(browser, route, method, values):
    """A route's answer about something, without what was asked."""
    path = route.path
    for name, value in values.items():
        path = re.sub(rf"{{{name}(:\w+)?}}", value, path)
    status, headers, text = browser.send(method, path, {"text": "x", "reference": "x"})
    told = f"{status} {headers.get('Location')} {text}"
    for value in values.values():
        told = (
            told.replace(value, "#").replace(quote(value, safe=""), "#").replace(quote(value), "#")
        )
    return re.sub(r"[0-9#]+", "#", re.sub(r'value="[0-9a-f]{32}"', "", told))


def test_what_a_form_was_shown_to_one_person_another_does_not_send_unseen(browsers, house):
    """Two windows of one browser: whoever signed on last in it would have written the note."""
    window = PlainBrowser(house.address, browsers["S-11"].cookies)
    opened = {"kind": "conduct", "text": "a coat was thrown", "table": "B01"}
    shown_to = re.findall(r'name="shown-to" value="([^"]*)"', window.get("/incidents")[1])
    window.cookies = browsers["PB-1"].cookies
    before = events(house)
    status, again = window.post(
        "/incidents", {**opened, "shown-to": "S-11"}, Referer=f"{house.address}/incidents"
    )

    assert set(shown_to) == {"S-11"}
    assert (status, events(house)) == (409, before)
    assert "was shown to S-11, and PB-1 is signed on here now" in unescape(again)
    assert ">a coat was thrown</textarea>" in again
    assert window.send("POST", "/incidents", {**opened, "shown-to": "PB-1"})[0] == 303


def test_nobody_learns_from_an_address_what_is_on_record(browsers):
    """Nobody is signed on: every page and every form, about what is there and what is not."""
    opens = {"coup": COUP, "patron": "P-1", "complaint": "paid wrong"}
    assert browsers["PB-1"].send("POST", "/cases", opens)[0] == 303
    learnt = []
    for route in routes(lambda handler, *_, **__: handler):
        named = NAMES.keys() & re.findall(r"{(\w+)", getattr(route, "path", ""))
        if not named or route.path.startswith(TO_ANYBODY):
            continue
        for method in route.methods - {"HEAD"}:
            there, absent = (
                answered(browsers[""], route, method, {**SAME, **{n: NAMES[n][k] for n in named}})
                for k in (0, 1)
            )
            if there != absent:
                learnt.append((method, route.path, there[:300], absent[:300]))

    assert learnt == []


def test_a_page_that_may_not_be_read_shows_nothing_of_it(browsers):
    _, refused = browsers["C-1"].get(f"/coups/{COUP}")
    _, read = browsers["S-11"].get(f"/coups/{COUP}")

    assert "C-1 may not" in unescape(refused)
    assert "P-1" in read
    assert "P-1" not in refused


def test_what_is_found_alone_is_opened_and_nobody_is_shown_what_they_may_not_open(browsers):
    places = {
        "C-2026-0001": "/cases/C-2026-0001",
        "b01 coup 1": f"/coups/{COUP}",
        "#3": "/ledger/3",
        "V-1": "/staff/V-1",
        "commission": "/reports/commission",
    }
    found = {
        who: {
            text: browsers[who].send("GET", f"/find?q={quote(text)}")[1].get("Location")
            for text in places
        }
        for who in ("V-1", "D-205", "C-1")
    }

    owed = "/reports/commission"

    assert found["V-1"] == places
    assert [*found["D-205"].values()] == [None, f"/coups/{COUP}", None, None, f"{owed}?table=B01"]
    assert [*found["C-1"].values()] == [None, None, None, None, owed]
    assert f'href="/coups/{COUP}"' in browsers["D-205"].get("/find?q=B01+1")[1]
    for text in places:
        assert "/coups/" not in browsers["C-1"].get(f"/find?q={quote(text)}")[1]
    assert "There is no “P-1” here" in browsers["D-205"].get("/find?q=P-1")[1]


def test_a_patrons_own_name_is_looked_for_by_who_may_read_names_and_that_is_recorded(
    house, browsers
):
    with closing(Ledger(house.database)) as ledger:
        People(ledger).name_patron("P-1", "Li Wei")
    found = {
        who: browsers[who].send("GET", "/find?q=li+wei")[1].get("Location")
        for who in ("S-11", "V-1", "C-1", "D-205")
    }
    readings = json.loads(browsers["V-1"].get("/reports/readings.json")[1])["rows"]
    named = {
        each["who"]
        for each in readings
        if each["command"] == "patron name" and each["patron"] == "P-1"
    }

    assert found == {"S-11": "/patrons/P-1", "V-1": "/patrons/P-1", "C-1": None, "D-205": None}
    assert named & set(found) == {"S-11", "V-1"}
    assert "Li Wei" not in str(readings)


def test_staff_are_found_by_name_by_who_may_read_names_and_that_is_recorded(browsers):
    found = {
        who: browsers[who].send("GET", "/find?q=n+d-205")[1].get("Location")
        for who in ("S-11", "V-1", "A-2", "C-1", "D-205")
    }
    readings = json.loads(browsers["V-1"].get("/reports/readings.json")[1])["rows"]
    named = {each["who"] for each in readings if each["command"] == "staff name"}
    page = "/staff/D-205"

    assert found == {"S-11": page, "V-1": page, "A-2": page, "C-1": None, "D-205": None}
    assert {"S-11", "V-1", "A-2"} <= named
    assert not named & {"C-1", "D-205"}


def test_who_sees_the_names_of_those_who_sit_is_recorded_as_a_reader_of_names(house, browsers):
    with closing(Ledger(house.database)) as ledger:
        People(ledger).name_patron("P-1", "Li Wei")
    until(lambda: "Li Wei" in browsers["S-11"].get("/")[1])  # the floor is looked at now and then
    shown = {who: "Li Wei" in browsers[who].get("/")[1] for who in ("S-11", "A-2", "D-204")}
    readings = json.loads(browsers["V-1"].get("/reports/readings.json")[1])["rows"]
    everybody = {
        each["who"] for each in readings if each["command"] == "patron name" and not each["patron"]
    }

    assert shown == {"S-11": True, "A-2": True, "D-204": False}
    assert {"S-11", "A-2"} <= everybody
    assert not everybody & {"D-204", "D-205", "C-1"}


def test_a_stay_has_a_page_with_what_was_bet_and_nothing_of_others(browsers):
    _, text = browsers["S-11"].get("/stays/B01/2026-11-21/stay-1")
    _, other = browsers["S-11"].get("/stays/B01/2026-11-21/stay-2")
    _, report = browsers["S-11"].get("/reports/wagers")

    assert ("/patrons/P-1" in text, "/patrons/P-1" in other) == (True, False)
    assert "/stays/B01/2026-11-21/stay-1" in report


def test_a_report_is_also_parquet(browsers):
    status, headers, _ = browsers["V-1"].send("GET", "/reports/wagers.parquet")

    assert (status, headers["Content-Type"]) == (200, "application/vnd.apache.parquet")
    assert "wagers.parquet" in headers["Content-Disposition"]
    assert browsers["C-1"].get("/reports/wagers.parquet")[0] == 422
    assert browsers["V-1"].get("/reports/wagers.exe")[0] == 404


def test_no_page_asks_for_the_pin_of_whoever_would_sign_for_nothing(browsers):
    decides = {"decision": "stand", "reason": "seen", "with": "S-11"}
    opens = {"coup": COUP, "patron": "P-1", "complaint": "paid wrong"}
    opened = browsers["PB-1"].send("POST", "/cases", opens)[1]["Location"]
    asked = browsers["PB-1"].post(f"{opened}/decide", decides)[1]
    status, refused = browsers["PB-1"].post("/cases/C-2026-0099/decide", decides)

    assert ("PIN of S-11" in asked, "PIN of S-11" in refused) == (True, False)
    assert (status, "The ledger has no case C-2026-0099" in refused) == (422, True)


def test_a_decision_corrects_a_wager_that_is_chosen_among_the_patrons(browsers):
    opens = {"coup": COUP, "patron": "P-1", "complaint": "paid wrong"}
    opened = browsers["PB-1"].send("POST", "/cases", opens)[1]["Location"]
    shown = browsers["PB-1"].get(opened)[1]
    (wager,) = re.findall(r'<option value="(\d[^"]*)">Seat 3 Banker 100.00', shown)
    decides = {"decision": "correct", "reason": "seen", "to": "195", "with": "S-11"}
    without = browsers["PB-1"].post(f"{opened}/decide", decides)[1]
    asked = browsers["PB-1"].post(f"{opened}/decide", {**decides, "wager": wager})[1]

    assert "name the wager: its seat and its spot" in without
    assert ("PIN of S-11" in asked, 'name="wager" value="3 banker"' in asked) == (True, True)


def test_a_coupon_is_issued_and_made_void_by_whoever_may(browsers):
    typed = {"coupon": "FB-7/a", "kind": "free-bet", "worth": "50", "last_day": ""}
    page = browsers["PB-1"].send("POST", "/coupons", typed)[1]["Location"]
    again = browsers["PB-1"].post("/coupons", typed)
    shown = browsers["PB-1"].get(page)[1]
    refused = browsers["V-1"].post("/coupons", {**typed, "coupon": "FB-8"})
    void = {"coupon": "FB-7/a", "reason": "printed twice"}
    browsers["PB-1"].post("/coupons/void", void)
    after = browsers["PB-1"].get(page)[1]

    assert page == "/coupons/FB-7%2Fa"
    assert (again[0], "FB-7/a" in unescape(again[1])) == (422, True)
    assert (refused[0], "V-1 may not" in unescape(refused[1])) == (403, True)
    assert ("Void the coupon" in shown, "Void the coupon" in after) == (True, False)
    assert "printed twice" in after


def test_who_reads_a_page_is_recorded(browsers):
    browsers["S-11"].get("/patrons/P-1")
    browsers["C-1"].get("/reports/wagers?patron=P-1")
    _, text = browsers["V-1"].get("/reports/readings.json")
    read = [
        (each["who"], each["command"], each["refused"])
        for each in json.loads(text)["rows"]
        if each["patron"] == "P-1"
    ]

    assert ("S-11", "report wagers", None) in read
    assert ("C-1", "report wagers", "NotPermitted") in read


def test_a_browser_that_nobody_approved_learns_its_name_and_nothing_else(house):
    stranger = PlainBrowser(house.address)
    for page in PAGES:
        status, text = stranger.get(page)
        assert (status, stranger.name in text) == (403, True)
        assert "B01" not in text.replace(COUP, "").replace(stranger.name, "")  # of chance digits
    assert stranger.sign_on("S-11")[0] == 403


def test_who_is_signed_on_elsewhere_signs_off_there_from_here(house, boss, browsers):
    first, other = browsers["V-1"], PlainBrowser(house.address).approved_by(boss)
    typed = {"staff": "V-1", "pin": PIN}
    status, text = other.post("/sign-on", typed)
    wrong, again = other.post("/sign-on", {**typed, "pin": "0815", "elsewhere": "1"})
    still = first.get("/cases")[0]
    moved = other.post("/sign-on", {**typed, "elsewhere": "1"})[0]
    left, here = first.get("/cases")[0], other.get("/cases")[0]
    back = first.post("/sign-on", {**typed, "elsewhere": "1"})[0]

    assert (status, wrong) == (422, 422)
    for page in (text, again):
        assert '<input type="checkbox" name="elsewhere"' in page
    assert (still, moved, left, here, back) == (200, 303, 303, 200, 303)
    assert 'name="elsewhere"' not in other.get("/sign-on")[1]


def test_the_table_is_asked_of_dealers_and_is_there_for_who_comes_from_its_page(browsers):
    folded, of_table = (
        re.search(r"<details( open)?>.*?name=\"table\"[^>]*value=\"(.*?)\"", page, re.S).groups()
        for page in (
            browsers[""].get("/sign-on")[1],
            browsers[""].get("/sign-on?then=/tables/B01")[1],
        )
    )

    assert (folded, of_table) == ((None, ""), (" open", "B01"))


def test_a_cookie_is_worth_nothing_without_the_other(house, boss, browsers):
    thief = PlainBrowser(house.address).approved_by(boss)
    thief.cookies["sabot-sign-on"] = browsers["S-11"].cookies["sabot-sign-on"]
    only_browser = PlainBrowser(house.address)
    only_browser.cookies["sabot-browser"] = browsers["S-11"].cookies["sabot-browser"]

    assert 303 == thief.get("/")[0]
    assert 303 == only_browser.get("/")[0]


def test_a_token_that_was_chosen_before_the_sign_on_is_replaced(house, boss, browsers):
    victim = PlainBrowser(house.address).approved_by(boss)
    chosen = f"S-11:{'0' * 64}"
    victim.cookies["sabot-sign-on"] = chosen
    browsers["S-11"].post("/sign-off")
    assert victim.sign_on("S-11")[0] == 303
    given = victim.cookies["sabot-sign-on"]
    victim.post("/sign-off")

    assert chosen != given
    assert 303 == browsers["S-11"].sign_on("S-11")[0]


def test_cookies_are_for_this_site_only_and_no_script_reads_them(house):
    _, headers, _ = PlainBrowser(house.address).send("GET", "/")
    cookie = headers["Set-Cookie"].lower()

    assert "httponly" in cookie
    assert "samesite=strict" in cookie


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": ""},
        {"Origin": "null", "Sec-Fetch-Site": ""},
        {"Origin": "", "Sec-Fetch-Site": ""},
        {"Origin": "", "Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
def test_another_site_makes_a_browser_do_nothing(house, browsers, headers):
    before = events(house)
    status, _ = browsers["PB-1"].post("/cases", {"coup": COUP, "patron": "P-1"}, **headers)

    assert (403, before) == (status, events(house))


@pytest.mark.parametrize("path", ["/api/commands", "/api/shell"])
def test_another_site_reaches_no_program_s_address(house, path):
    status, _ = PlainBrowser(house.address).post(path, {}, Origin="https://evil.example")

    assert status == 403


def test_pages_are_framed_by_nobody_and_run_no_script_of_others(browsers):
    for page in ("/", "/sign-on", f"/coups/{COUP}", "/nothing-here"):
        _, headers, text = browsers["S-11"].send("GET", page)
        policy = headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "DENY"
        assert "default-src 'none'" in policy or "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"<script(?![^>]*\bsrc=\"/static/)", text)
        assert not re.search(r"\son\w+=", text)


def test_a_file_of_the_pages_has_the_headers_of_a_page(browsers):
    """But for the time for which a browser keeps it."""
    _, page, _ = browsers["S-11"].send("GET", "/sign-on")
    _, file, _ = browsers["S-11"].send("GET", "/static/sabot.js")
    _, same, _ = browsers["S-11"].send(
        "GET", "/static/sabot.js", headers={"If-None-Match": file["ETag"]}
    )
    safe = {name: page[name] for name in SAFE} | {"Cache-Control": "no-cache"}

    assert {name: file[name] for name in SAFE} == safe
    assert {name: same[name] for name in SAFE} == safe


def test_what_somebody_typed_is_text(browsers):
    for page in (
        "/tables/B01",
        f"/coups/{COUP}",
        "/reports/wagers",
        "/ledger?table=B01",
        "/wall/B01",
    ):
        _, text = browsers["V-1"].get(page)
        assert "<script>alert" not in text
        assert ("&lt;script&gt;alert(1)" in text) is (page != "/wall/B01")


@pytest.mark.parametrize(
    "path",
    [
        "/coups/../../etc/passwd", "/coups/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/coups/B01",
        "/coups/B01/2026-13-41/1/1", "/coups/B01/2026-11-21/1/99999999999999999999",
        f"/coups/{COUP}?event=-1", f"/coups/{COUP}?event=99999999999999999999999",
        f"/coups/{COUP}?event=%00", f"/coups/{COUP}?for=%00", f"/coups/{COUP}/pack.exe",
        "/shoes/x", "/tables/%00", f"/tables/{quote(SCRIPT)}", "/wall/%ff", "/roads/x.svg",
        "/reports/nothing", "/reports/wagers?day=yesterday", "/reports/wagers?table=%00",
        "/reports/wagers?since=2026-11-21T21:00&until=2026-11-21T20:00", "/reports/wagers?seat=x",
        "/reports/wagers?as_of=soon", "/reports/wagers?from=2026-11-22&to=2026-11-21",
        "/patrons/%00", "/days/never", "/stays/x",
        "/stays/B01/2026-13-41/stay-1", "/staff/%00", "/ledger/0", "/ledger/99999999999999999999",
        "/ledger?until=99999999999999999999", "/ledger?stream=x",
        "/ledger?as_of=soon", "/alerts/x", "/ledger?kind=%00", "/ledger?table=%F0%9F%82%A1",
        "/rules/R-NONE", "/cases/C-1", "/cases/C-2026-9999", "/slips/x",
        "/find?q=%00", "/find?q=%27--", "/static/../desk.py",
        "/static/%2e%2e/desk.py", "/?sort=%00&search=%00", "/live/nothing",
    ],
)  # fmt: skip
def test_a_path_or_parameter_that_is_nonsense_is_refused_in_words(browsers, path):
    status, text = browsers["V-1"].get(path)

    assert status in (200, 400, 404, 422), text
    assert "root:" not in text
    assert "Traceback" not in text
    assert "made a mistake" not in text


@pytest.mark.parametrize(
    ("path", "takes"),
    [
        ("/reports/wagers?tabel=B01", "table"),
        ("/reports/wagers?after=x", "the page before"),
        ("/ledger?topic=x", "kind"),
        ("/?order=win", "search, sort"),
        (f"/coups/{COUP}?n=18", "event"),
        (f"/coups/{COUP}?event=last", "write a number, from 1"),
        ("/patrons/P-1?day=2026-11-21", "of, after, before"),
        ("/cases/C-2026-0001?day=2026-11-21", "nothing after the question mark"),
    ],
)
def test_what_a_page_does_not_take_is_refused_with_what_it_takes(browsers, path, takes):
    status, text = browsers["V-1"].get(path)

    assert status == 422
    assert takes in re.search(r'class="reply refused"[^>]*>([^<]*)', text)[1]


def test_what_a_refusal_has_as_a_sample_is_shown_without_backquotes(browsers):
    _, text = browsers["PB-1"].get("/reports/wagers?day=2026-13-45")

    assert "as in <code>2026-11-21</code>." in text


def test_an_address_that_is_none_is_a_page_for_a_browser_and_json_for_a_program(browsers):
    page = browsers["PB-1"].get("/nothing/here", Accept="text/html,*/*")
    program = browsers["PB-1"].get("/nothing/here", Accept="application/json")

    assert (page[0], program) == (404, (404, '{"ok":false,"error":"NotFound"}'))
    assert "There is no page at this address" in page[1]
    assert "<title>Not found" in page[1]


@pytest.mark.parametrize(
    "path",
    ["/coups/B01/2026-11-21/1/99", f"/coups/{COUP}?event=99", "/reports/nothing", "/ledger/999"],
)
def test_a_refusal_has_a_heading_words_and_a_way_back_and_no_name_of_a_class(browsers, path):
    status, text = browsers["V-1"].get(path)

    assert status == 404
    assert "<h1>Not found</h1>" in text
    assert not re.search(r"[a-z][A-Z]", re.search(r'class="reply refused"[^>]*>([^<]*)', text)[1])
    assert 'class="button" href="/"' in text


def test_a_what_if_that_cannot_be_is_answered_in_words(browsers):
    _, text = browsers["V-1"].get(f"/coups/{COUP}?what-if=card+5+KH")

    assert "Change cannot be" in text
    assert "--what-if" not in text
    assert "BadValue" not in text


def test_a_what_if_of_several_changes_is_asked_between_semicolons(browsers):
    _, one = browsers["V-1"].get(f"/coups/{COUP}?what-if=card+1+=+KH")
    _, both = browsers["V-1"].get(f"/coups/{COUP}?what-if=card+1+=+KH%3B+card+2+=+9S")

    assert [text.count('<span class="other">') for text in (one, both)] == [1, 2]


def test_a_case_says_all_that_is_known_of_it_and_the_list_what_is_asked_first(browsers):
    _, case = browsers["S-11"].get("/cases/C-2026-0001")
    _, listed = browsers["S-11"].get("/cases")

    for label in ("In dispute", "Wagers", "Frozen", "Deadlines"):
        assert f"<dt>{label}</dt>" in case
    for words in ("P-1", "I was paid too little", "50.00", "open"):
        assert words in listed
    offered = set(re.findall(r'<form [^>]*action="/cases/C-2026-0001/(\w+)"', case))
    assert {"note", "decide", "export"} <= offered
    assert offered.isdisjoint({"tell", "close"})  # they await a decision


def test_whoever_is_in_an_incident_leads_to_their_page_for_who_may_open_it(browsers):
    (_, boss), (_, guard) = (
        browsers[who].get("/incidents/IR-2026-0001") for who in ("PB-1", "R-1")
    )

    assert 'href="/patrons/P-1"' in boss
    assert 'href="/patrons/P-1"' not in guard
    assert "P-1" in guard


def test_an_incident_that_is_open_is_on_the_pit_and_its_table_for_who_may_read_it(browsers):
    lead = 'href="/incidents/IR-2026-0001"'
    pages = ("/", "/tables/B01")

    assert [lead in browsers["PB-1"].get(page)[1] for page in pages] == [True, True]
    assert [lead in browsers["D-204"].get(page)[1] for page in pages] == [False, False]


def test_nobody_is_named_for_a_complaint_before_somebody_is_chosen(browsers):
    _, several = browsers["PB-1"].get(f"/coups/{COUP}")
    status, _ = browsers["PB-1"].post("/cases", {"coup": COUP, "patron": "", "complaint": "mine"})

    chosen = re.search(r'<select name="patron" required>(.*?)</select>', several)[1]
    assert chosen.startswith('<option value=""></option><option>')
    assert status == 422


def test_a_form_that_is_too_large_is_refused(browsers):
    status, _ = browsers["PB-1"].post("/cases", {"complaint": "x" * 70_000})

    assert status == 413


def test_one_goes_on_at_a_page_of_this_house_only(browsers, house, boss):
    for then in (
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
    ):
        _, headers, _ = browsers["S-11"].send("POST", "/language", {"language": "pt", "then": then})
        assert headers["Location"] == "/"
    browsers["S-11"].post("/language", {"language": "en"})


def test_a_page_is_in_the_language_of_whoever_is_signed_on(house, browsers):
    page = "/reports/table-win"
    english = browsers["V-1"].get(page)[1]
    german = browsers["V-1"].get(page, **{"Accept-Language": "de, pt;q=0.8"})[1]
    asked = {"command": "staff.language", "staff": "PB-1", "language": "zh-Hant"}
    (answer,) = house.terminal("pit-1").send(asked)
    theirs = browsers["PB-1"].get(page, **{"Accept-Language": "pt"})[1]
    browsers["PB-1"].post("/language", {"language": "en"})
    chosen = browsers["PB-1"].get(page)[1]

    assert ("Reports" in english, "Relatórios" in german) == (True, True)
    assert (answer["ok"], "報表" in theirs, "Reports" in chosen) == (True, True, True)


def test_pins_guessed_in_browsers_and_at_terminals_are_counted_together(house, boss, browsers):
    browsers["C-1"].post("/sign-off")
    pit = house.terminal("pit-7")
    boss_browser = browsers["A-2"]
    pit.run("board", "--once")
    done = boss_browser.get("/")
    assert done[0] == 200
    others = [PlainBrowser(house.address) for _ in range(3)]
    for each in others:
        each.cookies = {"sabot-browser": browsers[""].cookies["sabot-browser"]}
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda each: each.sign_on("C-1", GUESS), others))
    for _ in range(12):
        status, text = others[0].sign_on("C-1", GUESS)
        assert status == 422
    _, text = others[0].sign_on("C-1", PIN)

    assert "is locked" in text or "Wait" in text


def test_an_open_house_answers_to_names_of_its_own_machine_only(database, tmp_path):
    with house_server(database, tmp_path / "house") as house:
        browser = PlainBrowser(house.address)
        port = house.address.rpartition(":")[2]

        assert 200 == browser.get("/")[0]
        assert 200 == browser.get("/", Host=f"localhost:{port}")[0]
        for name in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", ""):
            assert 403 == browser.get("/", Host=name or "x")[0]
            status, _, text = browser.send("GET", "/api/board.json", headers={"Host": name or "x"})
            assert (403, "B01" in text) == (status, False)
        assert 403 == browser.post("/api/commands", {}, Host="evil.example")[0]


@contextmanager
def streamed(browser, path):
    """The answer of a page that goes on; closed in the end."""
    with closing(HTTPConnection(urlsplit(browser.address).netloc, timeout=60)) as http:
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        http.request("GET", path, headers={"Cookie": cookie})
        with closing(http.getresponse()) as answer:
            yield answer


def read_until(answer, words):
    """What is read of an answer until these words come."""
    read = ""
    while words not in read:
        line = answer.readline().decode()
        assert line, read
        read += line
    return read


def test_a_page_that_some_follow_goes_on_for_nobody_who_may_not_read_it(browsers):
    pages = {"/live/pit": (200, 403, 403), "/live/tables/B01": (200, 200, 403)}
    for path, expected in pages.items():
        with streamed(browsers["V-1"], path) as follows:
            read_until(follows, "</hx-partial>")
            answers = [browsers["V-1"], browsers["D-205"], browsers["D-204"]]
            seen = []
            for each in answers:
                with streamed(each, path) as answer:
                    seen.append(answer.status)
                    assert answer.status == 200 or b"P-1" not in answer.read()
            assert tuple(seen) == expected
        assert "event: ended" in browsers[""].get(path)[1]


def test_who_signs_off_follows_nothing_any_more_and_those_beside_them_do(house, browsers):
    with (
        streamed(browsers["S-11"], "/live/pit") as leaves,
        streamed(browsers["V-1"], "/live/pit") as stays,
    ):
        for each in (leaves, stays):
            read_until(each, "</hx-partial>")
        assert browsers["S-11"].post("/sign-off")[0] == 303
        read_until(leaves, "event: ended")
        assert "hx-partial" not in leaves.read().decode()
        read_until(stays, "event: beat")
        read_until(stays, "event: beat")
    assert browsers["S-11"].sign_on("S-11")[0] == 303


def test_a_browser_that_opens_too_many_pages_is_refused_and_no_other(house, browsers):
    """A page that is closed makes room again."""
    streams = []

    def opened(browser):
        http = HTTPConnection(urlsplit(house.address).netloc, timeout=60)
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        http.request("GET", "/live/wall", headers={"Cookie": cookie})
        answer = http.getresponse()
        streams.append((http, answer))
        if answer.status == 200:
            answer.read(1)  # the stream has begun
        return answer.status

    within = {opened(browsers[""]) for _ in range(20)}
    beyond = opened(browsers[""])
    words = streams[-1][1].read().decode()
    other = opened(browsers["V-1"])
    for http, answer in streams:
        answer.close()
        http.close()
    streams.clear()
    again = 503
    while again == 503:  # the server notices that they are closed
        again = opened(browsers[""])

    assert (within, beyond, other, again) == ({200}, 503, 200, 200)
    assert words == "Too many pages are open. Close some, in this browser or in another one."
    for http, answer in streams:
        answer.close()
        http.close()


@pytest.mark.parametrize(
    ("who", "page", "form"),
    [
        ("PB-1", "/incidents", {"kind": "medical", "text": "he fell <b>", "table": "B-99"}),
        ("PB-1", "/incidents/IR-2026-0001/note", {"text": "he fell <b>", "evidence": "CAM"}),
        ("V-1", "/inquiries", {"about": "shoe", "subject": "B09/x", "text": "look <b>"}),
    ],
)
def test_what_was_refused_is_in_the_form_again(browsers, who, page, form):
    status, text = browsers[who].post(page, form)
    filled = {
        name: re.search(
            rf'<select name="{name}">.*?value="([^"]*)" selected'
            rf'|name="{name}"[^>]*value="([^"]*)"|<textarea name="{name}"[^>]*>([^<]*)<',
            text,
        )
        for name in form
    }

    assert status == 422
    assert {
        name: unescape(next(filter(None, found.groups())))
        for name, found in filled.items()
        if found
    } == form
