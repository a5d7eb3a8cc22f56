"""One walk in Chromium and in Firefox: the pit, a case that two decide, a fill, a place."""

import re
from contextlib import closing
from itertools import count

import pytest

from tests.worlds.browsers import PlainBrowser, chromium, firefox, press
from tests.worlds.closed_house import PIN
from tests.worlds.house_server import A_COUP, house_server

PATIENCE = 60_000  # milliseconds after which a test fails rather than hangs
STAFF = {"PB-1": "pit-boss", "S-11": "supervisor"}
PLACES = ("E11", "E12")  # a table for each browser
BROWSERS = {"Chromium": chromium, "Firefox": firefox}
# What a drag ends with: no driver makes Firefox drag.
DROPPED = """() => {
    const dropped = new DataTransfer();
    dropped.setData("text/plain", "500");
    document.getElementById("spot-tie").dispatchEvent(
        new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
}"""
_numbers = count(1)


@pytest.fixture(scope="module", params=BROWSERS)
def browser(request):
    with BROWSERS[request.param]() as browser:
        yield browser


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    """A closed house with a coup at B01, and an electronic table with a patron at 3."""
    with (
        server.database() as database,
        house_server(database, tmp_path_factory.mktemp("house") / "house") as house,
    ):
        boss = house.terminal("pit-1")
        for words in (
            ("table", "open", "B01", "classic@1", "--opener", "100=90"),
            *A_COUP,
        ):
            done = boss.run(*words)
            assert done.exit_code == 0, done.output
        for table in PLACES:
            electronic = (
                {"command": "table.open", "rules": "electronic@1", "opener": {}},
                {"command": "table.seat", "seat": 3, "patron": f"P-{table}"},
                {"command": "account.pay-in", "seat": 3, "amount": 100_00},
                {"command": "shoe.load", "decks": 8},
                {"command": "shoe.inspect"},
                {"command": "shoe.shuffle", "method": "generated"},
                {"command": "open"},
            )
            answers = boss.send(*({**line, "table": table} for line in electronic))
            assert all(each["ok"] for each in answers), answers
        house.places = iter(PLACES)
        boss.run("staff", "approve-terminal", boss.key, "pit 1")
        boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
        for staff, role in STAFF.items():
            code = boss.ask("staff", "enrol", staff, f"N {staff}", role)["code"]
            plain = PlainBrowser(house.address).approved_by(boss)
            chosen = {"staff": staff, "pin": code, "new": PIN, "again": PIN}
            assert plain.post("/sign-on", chosen)[0] == 303
            plain.post("/sign-off")
        house.dealer = house.terminal("pit-2")
        house.dealer.run("board", "--once")  # it makes its key
        boss.run("staff", "approve-terminal", house.dealer.key, "pit 2")
        code = boss.ask("staff", "enrol", "S-12", "Sue", "supervisor")["code"]
        house.dealer.sign_on("S-12", code)
        house.boss = boss
        yield house


def in_a_window(house, browser, name):
    """A window of a browser that was approved under a name; what it sends, and what went wrong."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.wrong, page.sent = [], []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("request", lambda asked: page.sent.append(asked.url) if asked.method == "POST" else "")
    page.goto(house.address)
    terminal = re.search(r"approve-terminal (\S+)", page.locator("main").inner_text())[1]
    done = house.boss.run("staff", "approve-terminal", terminal, name)
    assert done.exit_code == 0, done.output
    return closing(context), page


def sign_on(page, house, staff):
    page.goto(f"{house.address}/sign-on")
    page.get_by_label("Staff number").fill(staff)
    page.get_by_label("PIN, or one-time code").fill(PIN)
    page.locator("main").get_by_role("button", name="Sign on").click()
    page.locator(".who button").wait_for()


def test_from_the_sign_on_to_a_case_that_two_decide_and_back(house, browser):
    window, page = in_a_window(house, browser, f"desk {next(_numbers)}")
    with window:
        sign_on(page, house, "S-11")
        page.locator(".table h3 a", has_text="B01").click()
        page.locator("#felt .card").first.wait_for()
        page.locator("#road a", has_text="1").last.click()
        page.locator("ol.story").wait_for()
        press(page, "Home")
        page.get_by_text(re.compile("event 1 of")).wait_for()
        page.get_by_label("Complaint").fill("paid less than I was owed")
        page.get_by_role("button", name="Open a case").click()
        page.wait_for_url("**/cases/C-*")
        case = page.url
        decide = page.locator("form[action$='/decide']")
        decide.get_by_label("Reason").fill("the chips lay on it")
        decide.get_by_label("Second person", exact=True).fill("PB-1")
        decide.get_by_role("button").click()
        page.get_by_label("PIN of PB-1").fill(PIN)
        page.get_by_role("button", name="Sign", exact=True).click()
        page.get_by_text("PB-1 (PIN typed)", exact=True).wait_for()
        page.wait_for_url(case)  # its script has run: until then a reload would send again
        sent = len(page.sent)
        page.reload()
        page.go_back()
        page.locator("main h1", has_text="C-").wait_for()
        again = len(page.sent) - sent
        page.locator(".who button").click()
        page.get_by_label("Staff number").wait_for()

        assert again == 0
        assert page.wrong == []


def test_a_fill_is_requested_at_its_table(house, browser):
    window, page = in_a_window(house, browser, f"desk {next(_numbers)}")
    with window:
        sign_on(page, house, "PB-1")
        page.goto(f"{house.address}/tables/B01")
        page.get_by_text("Request a fill or a credit", exact=True).first.click()
        form = page.locator("form[action='/slips']")
        form.get_by_label("100", exact=True).fill("5")
        form.get_by_role("button").click()
        page.wait_for_url("**/slips/20*")
        page.get_by_role("button", name="Cancel the slip").wait_for()
        page.locator(".who button").click()
        page.get_by_label("Staff number").wait_for()

        assert page.wrong == []


def test_chips_are_clicked_dropped_and_paid_at_a_place(house, browser):
    table = next(house.places)

    def do(command):
        answer = house.dealer.send({"command": command, "table": table})[0]
        assert answer["ok"], answer
        return answer

    window, page = in_a_window(house, browser, f"{table}/3")
    with window:
        page.goto(f"{house.address}/play")  # which leads a terminal to its own place
        page.wait_for_url(f"**/play/{table}/3")
        page.locator("#phase", has_text="Place your bets.").wait_for()
        page.locator("#spot-banker").click()
        page.locator("#said.done").wait_for()
        page.evaluate(DROPPED)
        page.locator("#on-tie", has_text="5.00").wait_for()
        page.keyboard.press("u")
        page.locator("#on-tie", has_text=re.compile("^$")).wait_for(state="attached")
        page.locator("#staked", has_text="1.00").wait_for()
        due = do("no-more-bets")["due"]
        while due["action"] == "draw":
            due = do("draw")["due"]
        do("settle")
        page.locator("#play-result .net").wait_for()
        net = page.locator("#play-result .net").inner_text()

        assert re.fullmatch(r"You (won|lost) (0\.95|1\.00)\.|You neither won nor lost\.", net)
        assert page.wrong == []
