"""Cases of money laundering in a browser: from a suspicion to the end, for who may know of them."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from domain.rules.addresses import AmlCase
from ops.filings.austrac import FIELDS
from ops.ledger import clock
from ops.pack.aml import pack_of_aml_case
from ops.reports.ask import ask
from ops.web.pages.filings import Form, lacking, line_of, with_others
from ops.web.shells import Answered
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.alerts_there import alerts_of
from tests.worlds.browsers import PlainBrowser
from tests.worlds.closed_house import PIN
from tests.worlds.fincen import FILER
from tests.worlds.gaming_table import DAY, GamingTable, mouth_on
from tests.worlds.house_server import house_server
from tests.worlds.pages_here import pages_of, ran
from tests.worlds.sydney import sydney
from tests.worlds.written_events import WrittenEvents

PEOPLE = {
    "D-1": "dealer", "S-1": "supervisor", "PB-1": "pit-boss", "C-1": "cage", "R-1": "security",
    "V-1": "surveillance", "U-1": "auditor", "A-2": "administrator",
}  # fmt: skip
WATCH = ("V-1", "U-1")
FIRST = "AML-2026-0001"
TWO = (FIRST, "AML-2026-0777")  # the second is nowhere
WHY = "cash in and out, <b>no play</b>"


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    """A closed house with somebody of every role, in which P-1 brought cash and took it out."""
    with (
        server.database() as database,
        house_server(database, tmp_path_factory.mktemp("house") / "house") as house,
    ):
        boss = house.terminal("pit-1")
        for words in (
            ("table", "open", "B01", "classic@1", "--opener", "100=200", "--day", DAY),
            ("table", "seat", "B01", "3", "P-1"),
            ("table", "buy-in", "B01", "3", "6000"),
            ("table", "cash-out", "B01", "3", "6000"),
            ("patron", "file", "P-1", "--occupation", "dentist", "--by", "C-1"),
        ):
            done = boss.run(*words)
            assert done.exit_code == 0, done.output
        boss.run("staff", "approve-terminal", boss.key, "pit 1")
        boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
        house.database = database
        house.browsers = {}
        for staff, role in PEOPLE.items():
            code = boss.ask("staff", "enrol", staff, f"N {staff}", role)["code"]
            browser = PlainBrowser(house.address).approved_by(boss)
            chosen = {"staff": staff, "pin": code, "new": PIN, "again": PIN, "table": ""}
            chosen["table"] = "B01" if role == "dealer" else ""
            assert browser.post("/sign-on", chosen)[0] == 303
            house.browsers[staff] = browser
        yield house


def send(browser, path, form):
    """Where one goes on after a form; the page if a second person has to sign or it was refused."""
    status, headers, text = browser.send("POST", path, form)
    return headers["Location"] if status == 303 else text


def fields_of(page):
    """The hidden fields of the form on the page where a second person signs."""
    return {
        unescape(name): unescape(value)
        for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)
    }


def offered(browser, page):
    """What the forms on a page of a case do."""
    return re.findall(rf'method="post" action="/aml/{FIRST}/(\w+)"', browser.get(page)[1])


def cash(house):
    """The positions of P-1's cash, as somebody types them."""
    rows = ask(house.database, REPORTS["cash-log"]).rows
    return ", ".join(str(each["position"]) for each in rows if each["patron"] == "P-1")


def alert_of(house):
    return alerts_of(house.database, "little play")[0]["alert"]


def test_a_case_goes_from_an_alert_to_its_end_and_each_step_is_offered_when_it_is_due(house):
    watch = house.browsers["V-1"]
    alert = alert_of(house)
    (form,) = re.findall(r'href="(/aml\?[^"]+)"', watch.get(f"/alerts/{alert}")[1])
    page = watch.get(unescape(form))[1]
    assert re.search(r'name="patron" required size="24" value="P-1"', page)
    assert re.search(r"<textarea[^>]*>P-1 brought 6,000.00", page)

    opens = {"patron": "P-1", "text": WHY, "alert": alert, "id": "a" * 32}
    case = send(watch, "/aml", opens)
    assert case == f"/aml/{FIRST}"
    assert send(watch, "/aml", opens) == case  # loaded again: the same case
    led = re.findall(r'href="(/aml[^"]*)"', watch.get(f"/alerts/{alert}")[1])
    assert led == ["/aml", case]  # the head, and the alert: it leads to the case that has it
    steps = [offered(watch, case)]
    undecided = f"{FIRST} is not decided yet."
    assert undecided in watch.get(case)[1]
    note = {"text": "left with chips", "positions": f"#{int(alert.partition('/')[2]) - 1}"}
    assert send(watch, f"{case}/note", note) == case

    decides = {"decision": "report", "text": "no source", "with": "U-1"}
    asked = send(watch, f"{case}/decide", decides)
    wrong = send(watch, f"{case}/decide", {**fields_of(asked), "pin": "000000"})
    filled = fields_of(wrong)
    assert {name: filled[name] for name in decides} == decides
    assert "PIN of U-1" in wrong
    assert send(watch, f"{case}/decide", {**filled, "pin": PIN}) == case
    steps.append(offered(watch, case))
    assert undecided not in watch.get(case)[1]

    digest = "ab" * 32
    files = {"reference": "31000123456789", "filing": "initial", "sha256": digest, "filed_on": ""}
    assert send(watch, f"{case}/filed", files) == case
    steps.append(offered(watch, case))
    back = {"reference": "31000123456789", "withdrawn": "1", "text": "typed twice"}
    assert send(watch, f"{case}/filed", back) == case
    steps.append(offered(watch, case))
    assert send(watch, f"{case}/filed", files) == case
    assert send(watch, f"{case}/close", {"text": "watched from now on"}) == case
    steps.append(offered(watch, case))

    assert [[each for each in step if each != "export"] for step in steps] == [
        ["note", "subject", "decide"],
        ["note", "subject", "decide", "filed"],
        ["note", "subject", "filed", "filed", "close"],
        ["note", "subject", "decide", "filed"],
        ["filed", "filed"],
    ]
    shown = unescape(watch.get(case)[1])
    assert "&lt;b&gt;no play" in watch.get(case)[1]
    for each in ("left with chips", "no source", "31000123456789", "watched from now on"):
        assert each in shown
    assert f'href="{case}"' in watch.get("/aml")[1]


def test_the_button_gives_the_bytes_that_a_shell_writes_and_to_nobody_else(house):
    if FIRST not in house.browsers["V-1"].get("/aml")[1]:
        send(house.browsers["V-1"], "/aml", {"patron": "P-1", "text": WHY})
    status, headers, made = house.browsers["V-1"].send(
        "POST", f"/aml/{FIRST}/export", {"form": "json"}
    )
    with house.database.session("sabot_app") as connection:
        at_a_shell = pack_of_aml_case(connection, AmlCase.parse(FIRST))
    others = [
        [house.browsers[who].post(f"/aml/{each}/export", {"form": "json"})[0] for each in TWO]
        for who in PEOPLE
        if who not in WATCH
    ]

    assert (status, made.encode()) == (200, at_a_shell.json)
    assert f"{FIRST}.json" in headers["Content-Disposition"]
    assert others == [[422, 422]] * len(others)  # whether there is such a case or not


def test_the_report_is_made_from_the_page_or_what_it_lacks_is_named_field_by_field(house):
    watch = house.browsers["V-1"]
    case = send(watch, "/aml", {"patron": "P-1", "text": WHY})
    posts = f"{case}/files/sar"
    narrative = {"text": "On 21 November he bought in.", "narrative": "1", "positions": cash(house)}
    send(watch, f"{case}/note", narrative)
    ticked = {"activity-little-play": "1", "unknown-address": "1"}
    status, text = watch.post(posts, {**ticked, "form": "xml"})
    lacking = re.findall(r"<dt>([a-z_.]+)</dt>", text)

    assert (status, set(lacking) & {"name", "address", "narrative", "filer.ein"}) == (
        422, {"name", "filer.ein"},
    )  # fmt: skip
    assert "sabot patron name P-1" in text
    assert re.findall(r'name="((?:activity|unknown)-[a-z_-]+)" value="1" checked', text) == [
        *ticked
    ]

    (house.home / "filer.toml").write_text(FILER)
    every = {f"unknown-{each}": "1" for each in ("name", "birth_date", "address", "document")}
    ready = {**ticked, **every}
    made = {each: watch.send("POST", posts, {**ready, "form": each}) for each in ("xml", "pdf")}
    assert [status for status, *_ in made.values()] == [200, 200]
    assert "EFilingBatchXML" in made["xml"][2]
    assert f"{case.rpartition('/')[2]}-sar.xml" in made["xml"][1]["Content-Disposition"]
    others = [house.browsers[who].post(posts, ready)[0] for who in PEOPLE if who != "V-1"]
    assert others == [403] * len(others)


def test_what_was_refused_is_in_the_form_again(house):
    watch = house.browsers["V-1"]
    status, text = watch.post("/aml", {"patron": "P-99", "text": WHY, "positions": "7, 8"})
    assert status == 422
    assert "P-99" in re.search(r'name="patron"[^>]*value="([^"]*)"', text)[1]
    assert "no play" in re.search(r"<textarea[^>]*>(.*?)</textarea>", text, re.S)[1]
    assert 'value="7, 8"' in text


@pytest.mark.parametrize("who", [each for each in PEOPLE if each not in WATCH])
def test_who_may_not_know_of_a_case_learns_of_none_on_any_page(house, who):
    browser, alert = house.browsers[who], alert_of(house)
    if FIRST not in house.browsers["V-1"].get("/aml")[1]:
        send(house.browsers["V-1"], "/aml", {"patron": "P-1", "text": WHY, "alert": alert})
    closed = [browser.get(path)[0] for path in ("/aml", f"/aml/{FIRST}", "/aml/AML-2026-0777")]
    posted = [
        browser.post(path, {"patron": "P-1", "text": "x", "with": "U-1"})[0]
        for path in ("/aml", f"/aml/{FIRST}/note", "/aml/AML-2026-0777/note")
    ]
    pages = [
        browser.get(path)[1]
        for path in ("/", "/reports", f"/alerts/{alert}", "/patrons/P-1", f"/find?q={FIRST}")
    ]

    assert closed == [403] * 3
    assert posted == [403] * 3
    assert [page for page in pages if "/aml" in page or "aundering" in page] == []


def test_the_evidence_opens_the_coup_at_its_event_and_else_the_event(dispatcher, database):
    table = GamingTable(dispatcher).open().prepare()
    table.say("table.buy-in", seat=3, amount=500_00)
    bought = ask(database, REPORTS["cash-log"]).rows
    table.bet(3, "banker", 100_00)
    table.deal("9C 5S KD 2H")
    placed = ask(database, REPORTS["wagers"]).rows[0]
    with database.session("sabot_auditor") as connection:
        (at,) = connection.execute(
            "SELECT position FROM ledger.events WHERE topic = 'coup.wager-placed'"
        ).fetchone()
    positions = [bought[0]["position"], at]
    done = table.ask("aml.open", patron="P-10417", text=WHY, by="SV-1", positions=positions)
    assert done.ok, done.body

    async def scene():
        async with pages_of(database, language="en") as page:
            return (await page(f"/aml/{FIRST}"))[1]

    text = ran(scene())
    assert f'href="/ledger/{positions[0]}"' in text
    assert f'href="/coups/{placed["coup"]}?at={at}"' in text


def test_the_list_has_what_is_due_soonest_first_with_its_age_and_what_is_left(
    dispatcher, database, monkeypatch
):
    table = GamingTable(dispatcher)
    table.say("regime.choose", file="united-states", day=DAY, **{"with": "S-12"})
    for patron in ("P-10417", "P-7"):
        table.say("patron.bar", patron=patron, reason="asked for it")
    noticed = ("2026-11-01", "2026-10-01", "2026-11-11")
    for day in noticed:
        assert table.ask("aml.open", patron="P-10417", text=WHY, by="SV-1", detected=day).ok
    two = {"by": "SV-1", "with": "A-1", "aml_case": "AML-2026-0002"}
    decide = {"decision": "report", "text": "no source for it"}
    assert table.ask("aml.decide", **decide, **two).ok
    filed = {"reference": "31000123456789", "filed_on": DAY, "by": "SV-1"}
    assert table.ask("aml.filed", aml_case="AML-2026-0002", **filed).ok
    subject = {"patron": "P-7", "text": "sits beside him", "by": "SV-1"}
    assert table.ask("aml.subject", aml_case="AML-2026-0003", **subject).ok
    opened = ask(database, REPORTS["aml-cases"]).rows[0]["opened_at"]
    now = datetime.fromisoformat(opened).astimezone(UTC) + timedelta(days=12, hours=3)
    monkeypatch.setattr(clock, "wall_clock", lambda: now)

    async def scene():
        async with pages_of(database, language="en") as page:
            return (await page("/aml"))[1], (await page(f"/aml/{FIRST}"))[1]

    text, of_case = (unescape(each) for each in ran(scene()))
    due = re.findall(r"Report due(?:</dt><dd>[^<]* ·)? ([0-9-]{10})", of_case)
    assert (len(due), len(set(due)), "00:00" in of_case) == (2, 1, False)
    listed = re.findall(r'href="/aml/(AML-\d+-\d+)"', text)

    assert listed == ["AML-2026-0001", "AML-2026-0003", "AML-2026-0002"]
    rows = [each for each in re.findall(r"<tr.*?</tr>", text, re.DOTALL) if "AML-" in each]
    assert ["P-7" in each for each in rows] == [False, True, False]
    assert ["late" in re.sub("<[^>]*>", " ", each).split() for each in rows] == [False, False, True]
    assert text.count("open for 12 days") == 3
    assert re.search(r'class="[^"]*why[^"]*">[^<]*overdue by', text)


def test_a_row_of_the_patterns_opens_a_case_with_its_evidence_and_then_leads_to_it(server):
    with server.database() as database:
        floor = WrittenEvents(database)
        floor.found()
        days = [f"2026-11-{n:02}" for n in range(10, 20)]
        for day in days:
            floor.open("B01", day)
            floor.buy_in("P-661", 6_000_00, day=day)
            floor.buy_in("P-662", 6_000_00, day=day)
            for n in range(12):
                floor.moment += timedelta(minutes=9)
                floor.buy_in(f"P-{n}", 500_00 + n * 100_00, day=day)
        floor.ledger.close()

        async def patterns():
            async with pages_of(database, language="en") as page:
                text = (await page("/reports/aml-patterns"))[1]
                (form,) = re.findall(r'href="(/aml\?[^"]+)"', text)
                return text, (await page(unescape(form)))[1]

        _, form = ran(patterns())
        positions = re.search(r'name="positions"[^>]*value="([^"]*)"', form)[1]
        assert "two share the amount, with P-662: on 10 of 10 days" in form
        with mouth_on(database) as dispatcher:
            GamingTable(dispatcher).say("patron.bar", patron="P-661", reason="asked for it")
            line = {"patron": "P-661", "text": "x", "by": "SV-1"}
            line["positions"] = [int(each) for each in positions.split(", ")]
            assert len(line["positions"]) == 20
            answer = dispatcher.dispatch({"command": "aml.open", **line})
            assert answer.ok, answer.body

        async def after():
            async with pages_of(database, language="en") as page:
                return (await page("/reports/aml-patterns"))[1]

        text = ran(after())
        assert 'href="/aml?' not in text
        assert f'href="/aml/{FIRST}"' in text


def test_the_cash_of_a_day_is_reported_from_the_case_of_its_patron(dispatcher, database):
    table = GamingTable(dispatcher)
    table.say("regime.choose", file="united-states", day=DAY, **{"with": "S-12"})
    table.open().prepare()
    for amount in (6_000_00, 5_000_00):
        table.say("table.buy-in", seat=3, amount=amount, confirmed=True)
    table.say("aml.open", patron="P-10417", text=WHY, by="SV-1")
    table.say("aml.open", patron="grey-jacket", text=WHY, by="SV-1")

    async def scene():
        async with pages_of(database, language="en") as page:
            return [(await page(f"/aml/AML-2026-000{n}"))[1] for n in (1, 2)]

    with_cash, without = ran(scene())
    assert re.findall(r'<select name="day"><option value="([^"]+)"', with_cash) == [
        f"P-10417/{DAY}"
    ]
    assert [f"{FIRST}/files/ctr" in text for text in (with_cash, without)] == [True, False]
    assert line_of("ctr", {"unknown-name": "1"}, ".pdf", ["P-10417", DAY]) == [
        *("filing", "ctr", "--draft=P-10417-ctr.pdf", "--json", "--unknown=name"),
        *("--", "P-10417", DAY),
    ]


def test_in_australia_the_sheets_are_made_from_the_page_and_what_is_no_evidence_is_on_it(
    dispatcher, database
):
    table = sydney(dispatcher)
    one, two = [each["position"] for each in ask(database, REPORTS["cash-log"]).rows]
    table.say("aml.open", patron="P-10417", text=WHY, by="SV-1", positions=[one])

    async def scene():
        async with pages_of(database, language="en") as page:
            return (await page(f"/aml/{FIRST}"))[1]

    text = unescape(ran(scene()))
    forms = re.findall(rf'action="/aml/{FIRST}/files/(\w+)"', text)
    assert forms == ["smr", "ttr"]
    assert f'value="P-10417/{DAY}"' in text
    assert "unknown-occupation" not in text
    apart = text.partition("Cash of these days that is no evidence")[2]
    row = apart.partition("</li>")[0]
    assert row.count(f"#{two}") == 1  # the sentence has its number, and leads there
    assert f'class="what"><a href="/ledger/{two}">P-10417 bought in 4,000.00 at B01' in row
    assert "<dt>Cash in</dt><dd>12,000.50</dd>" in text  # of the evidence
    assert line_of("ttr", {"amends": "R-1"}, ".csv", ["P-10417", DAY]) == [
        *("filing", "ttr", "--into=P-10417-ttr.csv", "--json", "--amends=R-1"),
        *("--", "P-10417", DAY),
    ]


def test_what_is_missing_of_whom_somebody_plays_for_can_be_ticked_as_not_known(
    dispatcher, database
):
    table = sydney(dispatcher)
    table.say("patron.file", patron="P-10417", on_behalf_of="P-900", from_day=DAY)
    table.say("aml.open", patron="P-10417", text=WHY, by="SV-1")
    subject = [(each, each) for each in FIELDS]
    form = Form("smr", "", "", "csv", days=[], activities=[], unknown=subject)
    asked = shell(database, "filing", "smr", FIRST, "--json")
    lacks = lacking(answered(asked))
    boxes = dict(with_others(form, lacks, {"unknown-P-900.address": "1"}).unknown)
    ticked = {f"unknown-{each}": "1" for each in boxes}
    again = shell(database, *line_of("smr", ticked, ".csv", [FIRST]))

    assert {each for each in boxes if "." in each} == {
        *("P-900.name", "P-900.birth_date", "P-900.address", "P-900.document")
    }
    assert boxes["P-900.name"].startswith("P-900: ")
    assert "P-900" not in [each.field.partition(".")[0] for each in lacking(answered(again))]


def answered(done):
    return Answered(done.exit_code, done.stdout, "")
