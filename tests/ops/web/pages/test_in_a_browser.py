"""The pages in a real browser: an evening in the pit, with commands by a feed beside it."""

import json
import re
import signal
import time
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import pytest

from ops.ledger.recorder import Ledger
from ops.ledger.secrets import People, digest
from ops.web.pages.ledger import Sought, find, read
from tests.worlds.browsers import PlainBrowser, chromium, evening_of, hard_to_use, press
from tests.worlds.closed_house import GUESS, PIN
from tests.worlds.house_server import house_server

PATIENCE = 60_000  # milliseconds after which a test fails rather than hangs
STAFF = {
    "PB-1": "pit-boss",
    "S-11": "supervisor",
    "V-1": "surveillance",
    "V-2": "surveillance",
    "S-12": "supervisor",
    "S-13": "supervisor",
}
UNUSED = "S-13"  # who is signed on nowhere


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def lines():
    """An evening of three tables, up to the first closing."""
    evening = list(evening_of(3, 12))
    ends = next(n for n, line in enumerate(evening) if line["command"] == "table.close")
    return evening[:ends]


@pytest.fixture(scope="module")
def house(server, tmp_path_factory, lines):
    """A closed house in which most of the evening was dealt before it was closed."""
    with (
        server.database() as database,
        house_server(database, tmp_path_factory.mktemp("house") / "house") as house,
    ):
        boss = house.terminal("pit-1")
        half = len(lines) * 2 // 3
        boss.send(*lines[:half])
        house.rest = iter(lines[half:])
        boss.run("staff", "approve-terminal", boss.key, "pit 1")
        boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
        house.cookies = {}
        for staff, role in STAFF.items():
            code = boss.ask("staff", "enrol", staff, f"N {staff}", role)["code"]
            plain = PlainBrowser(house.address).approved_by(boss)
            assert plain.post(
                "/sign-on", {"staff": staff, "pin": code, "new": PIN, "again": PIN}
            )[0] == 303  # fmt: skip
            house.cookies[staff] = plain.cookies
        PlainBrowser(house.address, house.cookies[UNUSED]).post("/sign-off")
        house.key = house.home / "shoe.key"
        public = boss.run("feed", "--key", str(house.key), "--new-key", "X-1").stdout.strip()
        boss.run("staff", "enrol", "X-1", "shoe", "device", "--public-key", public)
        house.boss = boss
        yield house


@pytest.fixture(scope="module")
def contexts(house, browser):
    """A browser for each person, in which they are signed on."""
    contexts = {}

    def context_of(staff):
        if staff not in contexts:
            # What axe-core adds to a page is no script of the page's own.
            contexts[staff] = browser.new_context(bypass_csp=staff == "V-2")
            contexts[staff].add_cookies(
                [
                    {"name": name, "value": value, "url": house.address}
                    for name, value in house.cookies[staff].items()
                ]
            )
        return contexts[staff]

    yield context_of
    for each in contexts.values():
        each.close()


@pytest.fixture(scope="module")
def idle():
    """Windows by their person, for the next test: a page is begun in one far sooner than anew."""
    return defaultdict(list)


@pytest.fixture
def window(house, contexts, idle):
    """A window of somebody's browser, at the pit."""
    pages = []

    def open_window(staff):
        page = idle[staff].pop() if idle[staff] else new_window(contexts(staff))
        page.wrong = []
        page.goto(house.address)
        pages.append((staff, page))
        return page

    yield open_window
    for staff, page in pages:
        page.unroute_all()
        page.goto("about:blank")
        idle[staff].append(page)


def new_window(context):
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("dialog", lambda dialog: page.wrong.append(dialog.message))
    return page


def signed_on(page, house, staff, pin=PIN):
    page.goto(f"{house.address}/sign-on")
    page.get_by_label("Staff number").fill(staff)
    page.get_by_label("PIN, or one-time code").fill(pin)
    page.locator("main").get_by_role("button", name="Sign on").click()


def patron_of_the_case(page):
    """Chooses who complains: the last of those who bet on the coup."""
    page.locator("select[name=patron]").select_option(
        page.locator("select[name=patron] option").last.inner_text()
    )


def acts_on(page):
    """What the page of a case offers."""
    forms = page.locator("form[action^='/cases/']").evaluate_all("all => all.map(e => e.action)")
    return [action.rpartition("/")[2] for action in forms]


def coups(page):
    """The coup that each table shows, as the page says it."""
    return page.locator(".table").evaluate_all(
        "all => all.map(each => each.id + ' ' + each.innerText.match(/coup (\\S+)/)[1])"
    )


def dealt(house, count):
    """More lines of the evening, as another program sends them."""
    sent = [line for _, line in zip(range(count), house.rest, strict=False)]
    return house.boss.send(*sent)


def test_the_pit_goes_on_by_itself_and_two_windows_show_the_same(house, window):
    one, other = window("PB-1"), window("V-1")
    one.locator(".table").first.wait_for()
    tables = one.locator(".table").count()
    position = one.evaluate("document.querySelector('.alerts, .soft') !== null")
    house.boss.ask("property", "set", "name", "Grand")
    for page in (one, other):
        page.get_by_role("heading", name="Grand").wait_for()

    assert (3, True) == (tables, position)
    assert coups(one) == coups(other)
    assert [] == one.wrong == other.wrong


def test_a_card_of_the_pit_has_limits_the_win_as_a_line_and_how_each_seat_plays(house, window):
    page = window("PB-1")
    card = page.locator("#table-S01")
    card.wait_for()
    card.locator(".seats time", has_text=re.compile(r"^\d+$")).first.wait_for()
    averages = card.locator(".seats tbody td:nth-child(3)").all_inner_texts()
    tops = page.locator(".table .figures").evaluate_all(
        "all => all.map(all => new Set([...all.children].map(e => e.offsetTop)).size)"
    )

    assert re.search(r"limits\s+\d+–[\d,]+", card.inner_text())
    assert any(re.fullmatch(r"[\d,.]+", each) for each in averages)
    assert card.locator(".seats a[href^='/patrons/']").count() == len(averages)
    assert {1} == set(tops)
    page.locator("details.floor summary").click()
    assert page.locator("#people li").first.inner_text().startswith("S-")


def test_a_phone_shows_thirteen_tables_on_one_screen_and_a_half(house, window):
    page = window("PB-1")
    page.locator(".table").first.wait_for()
    before = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    tall = page.locator(".table").evaluate_all("all => all.map(e => e.offsetHeight)")
    gap = 4
    page.set_viewport_size(before)

    assert 13 * (max(tall) + gap) <= 1.5 * 844


def test_how_long_ago_is_in_the_reader_s_units(house, window):
    page = window("PB-1")
    language = {"name": "sabot-language", "url": house.address}
    try:
        page.context.add_cookies([{**language, "value": "zh-Hans"}])
        page.reload()
        ago = page.locator("time[data-since]", has_text=re.compile("秒|分钟")).first
        ago.wait_for()
        chinese = ago.inner_text()
    finally:
        page.context.add_cookies([{**language, "value": "en"}])
    page.reload()
    page.locator("time[data-since]", has_text=re.compile(r"\d (sec|min)")).first.wait_for()

    assert re.fullmatch(r"(\d+小时)? ?(\d+分钟)? ?(\d+秒)?", chinese)


def test_a_slip_of_the_keys_is_grey_and_an_open_case_is_none(house, window):
    page = window("PB-1")
    page.locator(".alerts li.refused").first.wait_for()
    colours = page.evaluate(
        """() => Object.fromEntries(["presses", "case", "refused"].map(look => {
            const line = document.createElement("li");
            line.className = look;
            document.querySelector(".alerts").append(line);
            return [look, getComputedStyle(line).borderLeftColor];
        }))"""
    )

    assert 3 == len(set(colours.values()))


def test_a_page_goes_on_although_a_script_comes_late(house, window):
    page = window("PB-1")

    def late(route):
        time.sleep(0.5)
        route.continue_()

    page.route("**/hx-sse.min.js", late)
    with page.expect_request("**/live/pit*"):
        page.reload()


def test_an_alert_is_acknowledged_and_leaves_every_window(house, window):
    one, other = window("PB-1"), window("V-1")
    quick, noted = (
        one.locator(".alerts input[name=alert]").nth(n).get_attribute("value") for n in (0, 1)
    )
    with one.expect_navigation(), one.expect_request("**/alerts/acknowledge") as sent:
        one.locator(f"li:has(input[value='{quick}']) button").click()
    assert "shown-to=PB-1" in sent.value.post_data  # so that nobody else sends it unseen
    assert one.locator(".reply").all_inner_texts() == []
    for page in (one, other):
        page.locator(f"input[value='{quick}']").wait_for(state="detached")
    one.locator(f".alerts a[href='/alerts/{noted}']").click()
    one.locator("textarea[name=text]").fill("spoke to the dealer")
    one.get_by_role("button", name="Acknowledge").click()
    one.wait_for_url(house.address + "/")
    for page in (one, other):
        page.locator(".table").first.wait_for()
        page.locator(f"input[value='{noted}']").wait_for(state="detached")
    newest = read(house.database, Sought(kind="alert", actor="PB-1")).lines[0].position

    told = {each.name: each.words for each in find(house.database, newest).fields}
    assert told["text"] == "spoke to the dealer"


def test_from_the_pit_to_a_coup_and_through_it_by_arrows(house, window):
    page = window("PB-1")
    page.locator(".table h3 a").first.click()
    page.locator("#felt").wait_for()
    page.locator("#road a").nth(1).click()
    page.locator(".story").wait_for()
    later = page.url.removeprefix(house.address)
    page.locator("a[data-key='[']").click()
    page.locator(f"a[data-key=']'][href='{later}']").wait_for()
    many = page.locator("ol.story li").count()
    press(page, "Home")
    page.get_by_text(f"event 1 of {many}").wait_for()
    cards = [page.locator(".felt .card").count()]
    for n in range(2, many + 1):
        press(page, "ArrowRight")
        page.get_by_text(f"event {n} of {many}").wait_for()
        cards.append(page.locator(".felt .card").count())
    press(page, "ArrowLeft")
    page.get_by_text(f"event {many - 1} of {many}").wait_for()
    there = page.url
    page.reload()
    reloaded = page.get_by_text(f"event {many - 1} of {many}").is_visible()
    page.go_back()  # all steps together are one page
    page.wait_for_url(f"{house.address}{later}")

    assert there.endswith(f"?event={many - 1}")
    assert reloaded
    assert cards == sorted(cards)
    assert (0, True) == (cards[0], cards[-1] >= 4)
    assert page.get_by_text("agrees, line by line").is_visible()
    assert [] == page.wrong


def test_a_field_with_nothing_in_it_is_not_in_the_address(house, window):
    page = window("PB-1")
    page.goto(f"{house.address}/reports/wagers")
    page.locator("form.sieve input[name=table]").fill("S01")
    page.locator("form.sieve button").click()
    page.wait_for_url("**table=S01*")

    assert page.url == f"{house.address}/reports/wagers?table=S01"


def test_what_is_shown_has_an_address_and_back_reload_and_a_sent_link_show_the_same(house, window):
    page, sent_to = window("V-1"), window("V-2")
    page.goto(f"{house.address}/find?q=S01+1/2")
    page.get_by_label("Change", exact=True).fill("card 1 = KH")
    page.locator("form[action^='/coups/'] button").click()
    page.wait_for_url("**what-if=card*")
    shown = [page.locator(".felt.if").inner_text()]
    page.reload()
    shown.append(page.locator(".felt.if").inner_text())
    sent_to.goto(page.url)
    shown.append(sent_to.locator(".felt.if").inner_text())
    page.go_back()
    page.wait_for_url("**/coups/S01/*/1/2")
    page.locator(".felt.if").wait_for(state="detached")

    assert len(set(shown)) == 1
    assert "K" in shown[0]


def test_a_case_from_complaint_to_pack_with_two_people(house, window):
    page = window("S-11")
    page.goto(f"{house.address}/reports/wagers")
    page.locator("table.rows a[href^='/coups/']").last.click()
    patron_of_the_case(page)
    page.get_by_label("Complaint").fill("I bet <b>more</b>")
    page.get_by_role("button", name="Open a case").click()
    page.wait_for_url("**/cases/C-*")
    case = page.url.rpartition("/")[2]
    page.locator("form[action$='/note'] textarea").fill("the cameras show it")
    page.get_by_role("button", name="Add a note").click()
    page.get_by_text("the cameras show it.").wait_for()
    decide = page.locator("form[action$='/decide']")
    decide.get_by_label("Reason").fill("the chips lay on it")
    decide.get_by_label("Second person", exact=True).fill("PB-1")
    decide.get_by_role("button").click()
    page.get_by_label("PIN of PB-1").fill(GUESS)
    signs = page.locator("li").all_inner_texts()
    page.get_by_role("button", name="Sign", exact=True).click()
    refused = page.locator(".reply").inner_text()
    page.get_by_label("PIN of PB-1").fill(PIN)
    page.get_by_role("button", name="Sign", exact=True).click()
    page.get_by_text("PB-1 (PIN typed)", exact=True).wait_for()
    offered = [acts_on(page)]
    page.get_by_role("button", name="The patron was informed").click()
    page.get_by_text("decided, and the patron was informed").wait_for()
    offered.append(acts_on(page))
    with page.expect_download() as pack:
        page.get_by_role("button", name="Case file JSON").click()
    told = Path(pack.value.path()).read_text()

    assert offered == [
        ["note", "decide", "tell", "export"],
        ["note", "decide", "close", "export"],
    ]
    assert refused == "That is not the PIN of PB-1. Type it again."
    decided = f"{case} is decided, payment unchanged: the payment stands."
    assert [decided, "Reason: the chips lay on it", "No money moves."] == signs
    assert page.locator("blockquote").inner_text() == "I bet <b>more</b>"
    assert case in told
    assert [] == page.wrong


def sent_by(page):
    """The addresses to which a window sends forms, as it goes on."""
    sent = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    return sent


def test_back_and_reload_after_a_decision_by_two_send_nothing_again(house, window):
    page = window("S-11")
    sent = sent_by(page)
    page.goto(f"{house.address}/reports/wagers")
    page.locator("table.rows a[href^='/coups/']").last.click()
    patron_of_the_case(page)
    page.get_by_label("Complaint").fill("paid less than I was owed")
    page.get_by_role("button", name="Open a case").click()
    page.wait_for_url("**/cases/C-*")
    case = page.url
    decide = page.locator("form[action$='/decide']")
    decide.get_by_label("Reason").fill("the chips lay on it")
    decide.get_by_label("Second person", exact=True).fill("PB-1")
    decide.get_by_role("button").click()
    page.get_by_label("PIN of PB-1").fill(GUESS)
    page.get_by_role("button", name="Sign", exact=True).click()
    page.locator(".reply").wait_for()
    page.wait_for_url(case)  # its script has run: until then a reload would send again
    page.reload()
    typed_again = decide.get_by_label("Reason").input_value()
    decide.get_by_role("button").click()
    page.get_by_label("PIN of PB-1").fill(PIN)
    page.get_by_role("button", name="Sign", exact=True).click()
    page.get_by_text("PB-1 (PIN typed)", exact=True).wait_for()
    page.wait_for_url(case)
    by_hand = len(sent)
    page.reload()
    shown = []
    for _ in range(4):
        page.go_back()
        page.locator("main").wait_for()
        shown.append(page.locator("h1").first.inner_text())

    assert typed_again == "the chips lay on it"
    assert ["/cases", "/decide", "/decide", "/decide", "/decide"] == [
        re.search(r"/\w+$", each)[0] for each in sent
    ]
    assert by_hand == len(sent)
    assert {case.rpartition("/")[2]} == {each.split()[0] for each in shown[:3]}


def test_what_was_typed_is_there_again_after_a_refusal_and_gone_once_it_was_done(house, window):
    page = window("S-11")
    page.goto(f"{house.address}/reports/wagers")
    page.locator("table.rows a[href^='/coups/']").last.click()
    coup = page.url
    patron_of_the_case(page)
    complaint, amount = page.get_by_label("Complaint"), page.get_by_label("Amount in dispute")

    def typed():
        hold = page.locator("form[action='/cases'] input[name=hold]")
        chosen = page.locator("form[action='/cases'] select").input_value()
        return chosen, complaint.input_value(), amount.input_value(), hold.is_checked()

    complaint.fill("they moved\nmy bet")
    amount.fill("a lot")
    page.locator("form[action='/cases'] input[name=hold]").check()
    before = typed()
    page.get_by_role("button", name="Open a case").click()
    page.locator(".reply").wait_for()
    again, there = typed(), page.url
    marked = amount.evaluate(
        "it => [it.ariaInvalid, it.ariaDescribedByElements?.[0].id ?? 'refused']"
    )
    reply = page.locator(".reply").inner_text()
    amount.fill("1")
    page.locator("form[action='/cases'] input[name=hold]").uncheck()
    page.get_by_role("button", name="Open a case").click()
    page.wait_for_url("**/cases/C-*")
    complained = page.locator("blockquote").inner_text()
    page.goto(coup)

    assert (again, there) == (before, coup)
    assert marked == ["true", "refused"]
    assert reply.startswith("Amount in dispute cannot be")
    assert complained == "they moved my bet"
    assert typed()[1:] == ("", "", False)


def test_an_inquiry_is_closed_by_two_people_in_a_browser_and_its_pack_comes_down(house, window):
    page = window("V-1")
    page.goto(f"{house.address}/inquiries?about=dealer&subject=D-203")
    page.locator("form[action='/inquiries'] textarea").fill("looks at the <b>first</b> card")
    page.get_by_role("button", name="Open an inquiry").click()
    page.wait_for_url("**/inquiries/I-*")
    name = page.url.rpartition("/")[2]
    close = page.locator("form[action$='/close']")
    close.get_by_label("Outcome").select_option("unproven")
    close.get_by_label("Reason").fill("nothing on film")
    close.get_by_label("Second person", exact=True).fill("V-2")
    close.get_by_role("button").click()
    page.get_by_label("PIN of V-2").fill(GUESS)
    signs = page.locator("li").all_inner_texts()
    page.get_by_role("button", name="Sign", exact=True).click()
    refused, again = page.locator(".reply").inner_text(), page.locator("li").all_inner_texts()
    page.get_by_label("PIN of V-2").fill(PIN)
    page.get_by_role("button", name="Sign", exact=True).click()
    page.wait_for_url(f"**/inquiries/{name}")
    page.get_by_text("V-2 (PIN typed)").wait_for()
    story = page.locator("ol.story li").all_inner_texts()
    page.reload()
    after = page.locator("ol.story li").all_inner_texts()
    with page.expect_download() as pack:
        page.get_by_role("button", name="Pack JSON").click()
    content = json.loads(Path(pack.value.path()).read_text())

    assert "PIN" in refused
    assert signs == again
    assert any("nothing on film" in each for each in signs)
    assert len(story) == 2
    assert after == story
    assert page.locator("form[action$='/close']").count() == 0
    assert [each["type"] for each in content["inquiry"]["events"]] == [
        "InquiryOpened", "InquiryClosed",
    ]  # fmt: skip
    page.reload()
    assert "The pack of" in page.locator("ol.story li").last.inner_text()
    assert [] == page.wrong


def test_what_answers_a_form_is_loaded_again_without_sending_it(house, window):
    """Every form of every page that has one: most are refused for what was typed."""
    page = window("V-1")
    page.goto(f"{house.address}/reports/coup")
    coup = page.locator("table.rows a[href^='/coups/']").first.get_attribute("href")
    again = {}
    pages = {
        "V-1": ("/inquiries", "/inquiries/I-2026-0001"),
        "PB-1": (coup, "/cases/C-2026-0001", "/coupons"),
    }
    for staff, paths in pages.items():
        page = window(staff)
        sent = sent_by(page)
        for path in paths:
            page.goto(f"{house.address}{path}")
            forms = page.locator("main form[method=post]:not([action$=export])")
            assert forms.count(), path
            for n in range(forms.count()):
                page.goto(f"{house.address}{path}")
                for field in (
                    forms.nth(n).locator("input:visible:not([type=checkbox]), textarea").all()
                ):
                    field.fill("!")
                if (patron := forms.nth(n).locator("select[name=patron]")).count():
                    patron.select_option(index=1)
                before = len(sent)
                with page.expect_navigation():
                    forms.nth(n).get_by_role("button").first.click()
                page.reload()
                page.goto(f"{house.address}/manual")
                page.go_back()
                page.locator("main h1").first.wait_for()
                again[path, n] = len(sent) - before

    assert {1} == set(again.values()), again
    assert len(again) >= 7


def test_from_a_seat_to_who_sits_there_and_from_an_alert_to_its_case(house, window):
    page = window("PB-1")
    page.locator("#table-S01 .seats tbody tr").first.wait_for()
    patron = page.locator("#table-S01 .seats a").first.inner_text()
    with closing(Ledger(house.database)) as ledger:
        People(ledger).name_patron(patron, "Li Wei")
    page.locator("#table-S01 .seats a").first.click()
    page.get_by_role("heading", name=f"{patron} Li Wei").wait_for()
    page.get_by_text("now at", exact=True).wait_for()
    page.locator("main p a[href='/tables/S01']").click()
    page.locator("#layout").get_by_text("Li Wei").wait_for()
    limits = page.locator("#table").inner_text()
    page.locator("#road a").first.click()
    page.locator("table.rows a[href^='/coups/']").nth(1).click()
    patron_of_the_case(page)
    page.get_by_label("Complaint").fill("too little")
    page.get_by_role("button", name="Open a case").click()
    page.wait_for_url("**/cases/C-*")
    case = page.url
    page.goto(f"{house.address}/tables/S01")
    page.locator("#facts .alerts a", has_text=case.rpartition("/")[2]).click()
    page.locator("h1 a").click()
    page.wait_for_url(case)
    page.locator("main a[href^='/patrons/']").first.click()
    page.wait_for_url("**/patrons/*")

    assert re.search(r"limits\s+\d+–[\d,]+", limits)
    assert page.locator(f"a[href='{case.removeprefix(house.address)}']").count() == 1
    assert [] == page.wrong


def test_a_server_that_is_killed_is_told_and_the_page_mends_itself(house, window):
    page = window("PB-1")
    page.locator(".table").first.wait_for()
    before = coups(page)
    house.stop(signal.SIGKILL)
    page.locator("#lost").wait_for(state="visible")
    said = page.locator("#lost").inner_text()
    house.start()
    page.locator("#lost").wait_for(state="hidden")
    house.boss.ask("property", "set", "name", "Back again")
    page.get_by_role("heading", name="Back again").wait_for()

    assert said.startswith("No connection to the house.")
    assert "Last news at" in said
    assert before == coups(page)
    assert 3 == page.locator(".table").count()


def test_a_page_whose_stream_hangs_though_the_house_answers_loads_itself_again(house, window):
    page = window("PB-1")
    hung, loaded = [], []
    patience, less = "MENDS = 8000", "MENDS = 3000"  # a stream begins again within 2000

    def impatient(route):
        script = route.fetch().text()
        assert patience in script
        route.fulfill(content_type="text/javascript", body=script.replace(patience, less))

    def answers(route):
        if hung:
            route.continue_()
        else:
            hung.append(route)  # nobody ever answers

    page.route("**/sabot.js", impatient)
    page.reload()
    page.locator(".table").first.wait_for()
    page.route("**/live/**", answers)
    # One that is slow to begin again may load itself before its stream is asked for.
    page.on("load", lambda: loaded.append(len(hung)) if hung else None)
    house.stop(signal.SIGKILL)
    house.start()
    ends = time.monotonic() + PATIENCE / 1000
    while not loaded and time.monotonic() < ends:
        page.wait_for_timeout(50)
    house.boss.ask("property", "set", "name", "Here again")
    page.get_by_role("heading", name="Here again").wait_for()
    page.unroute_all(behavior="ignoreErrors")  # the next test has the same window

    assert ([1], 1) == (loaded[:1], len(hung))


def test_a_sign_on_that_ends_in_one_window_ends_in_every_window(house, window):
    page, other = window("S-12"), window("S-12")
    page.locator(".table").first.wait_for()
    other.locator(".who button").click()
    page.wait_for_url("**/sign-on*")
    page.get_by_label("Staff number").wait_for()


def test_the_list_of_cases_fits_a_telephone(house, window):
    page = window("PB-1")
    page.goto(f"{house.address}/reports/coup")
    coup = page.locator("table.rows a[href^='/coups/']").nth(5).get_attribute("href")
    page.goto(f"{house.address}{coup}")
    patron_of_the_case(page)
    page.get_by_label("Complaint").fill("I was paid too little, and nobody looked at my bet")
    page.get_by_role("button", name="Open a case").click()
    page.wait_for_url("**/cases/*")
    page.goto(f"{house.address}/cases")
    before = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    needed = "each => [each.scrollWidth > each.clientWidth, each.innerText]"
    scrolls, text = page.locator("main .scroll").evaluate(needed)
    page.set_viewport_size(before)

    assert not scrolls
    assert "I was paid too little" in text


@pytest.mark.parametrize("report", ["commission", "wagers", "ratings", "cash-log", "unfinished"])
def test_on_a_telephone_amounts_are_seen_without_a_swipe(house, window, report):
    page = window("PB-1")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{house.address}/reports/{report}")
    page.locator("table.rows tbody td.right").first.wait_for()  # also if it is counted first
    amounts = page.locator("table.rows tbody td.right").all()
    ends = [each.bounding_box()["x"] + each.bounding_box()["width"] for each in amounts]
    swiped = page.evaluate(
        "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth)"
        ".map(e => e.outerHTML.slice(0, 300) + [...e.querySelectorAll('*')]"
        ".filter(x => x.getBoundingClientRect().right > 391).map(x => x.outerHTML).slice(0, 3))"
    )
    page.set_viewport_size({"width": 1280, "height": 720})

    assert ends
    assert max(ends) <= 390
    assert swiped == []


def test_nothing_on_any_page_is_hard_to_use(house, window):
    """What axe-core calls serious or critical, light and dark; none too wide, no words cut."""
    page = window("V-2")
    page.goto(f"{house.address}/reports/coup")
    coup = page.locator("table.rows a[href^='/coups/']").first.get_attribute("href")
    hard = {}
    for path in (
        "/", "/tables/S01", coup, f"/shoes/{coup[7:].rpartition('/')[0]}", "/reports",
        "/reports/commission", "/patrons/P-101", "/cases", "/ledger", "/ledger/5", "/wall",
        "/wall/S01", "/rules/R-DRAW-3", "/sign-on", "/find?q=S01+1", "/find",
        "/manual", "/manual/browser", "/alerts", "/reports/promotions", "/reports/protection",
        "/reports/alerts", "/staff/D-201",
    ):  # fmt: skip
        page.goto(f"{house.address}{path}")
        page.locator("main").wait_for()
        grave = hard_to_use(page)
        if grave:
            hard[path] = grave

    assert {} == hard


def test_the_head_is_one_line_at_a_desk_and_a_day_is_short_on_a_telephone(house, window):
    page = window("PB-1")
    before = page.viewport_size
    high = {}
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{house.address}/reports/table-win")
        nav = page.locator(".top nav").bounding_box()["height"]
        day = page.locator("table.rows a[href^='/days/']").first.get_attribute("href")
        page.goto(f"{house.address}{day}")
        folded = page.locator("details[data-folds]")
        is_open = folded.evaluate_all("all => all.map(each => each.open)")
        high[width] = (nav < 50, is_open == [width == 1280 or not n for n in range(len(is_open))])
    page.set_viewport_size(before)

    assert high == dict.fromkeys((1280, 390), (True, True))


def test_a_large_display_uses_both_of_its_halves_in_the_house_s_theme(house, window):
    page = window("PB-1")
    before = page.viewport_size
    page.set_viewport_size({"width": 3840, "height": 2160})
    seen = {}
    for query in ("", "?theme=crimson&letters=yes"):
        page.goto(f"{house.address}/wall/S01{query}")
        page.locator(".roads").evaluate("each => each.decode()")
        seen[query] = page.evaluate(
            """async () => {
                const wide = each => document.querySelector(each).getBoundingClientRect().width;
                const drawn = await fetch(document.querySelector(".roads").src);
                return [wide(".left") > 1500, wide(".roads") > 1900, await drawn.text()];
            }"""
        )
    page.goto(f"{house.address}/wall/S01?theme=pink")
    refused = page.locator("main").inner_text()
    page.set_viewport_size(before)

    assert [[True, True]] * 2 == [each[:2] for each in seen.values()]
    assert "#56b4e9" in seen[""][2]
    assert "#c8202f" in seen["?theme=crimson&letters=yes"][2]
    assert "night and crimson" in refused


@pytest.mark.parametrize("kind", ["patrons", "coups"])
def test_what_is_shown_of_one_thing_uses_both_halves_of_a_wall(house, window, kind):
    page = window("PB-1")
    before = page.viewport_size
    page.goto(f"{house.address}/reports/wagers")
    page.locator(f"table.rows a[href^='/{kind}/']").last.click()
    page.wait_for_url(f"**/{kind}/**")
    page.set_viewport_size({"width": 3840, "height": 2160})
    begins = "all => all.map(each => each.getBoundingClientRect().left)"
    lefts = page.locator("main h2").evaluate_all(begins)
    page.set_viewport_size(before)

    assert min(lefts) < 1920 < max(lefts)


def test_on_paper_a_coup_is_black_on_white_with_its_cards_and_nothing_to_press(house, window):
    page = window("PB-1")
    page.goto(f"{house.address}/reports/coup")
    page.locator("table.rows a[href^='/coups/']").last.click()
    page.wait_for_selector(".felt .card")
    page.emulate_media(media="print", color_scheme="dark")

    def style(where, of):
        return page.locator(where).first.evaluate(f"each => getComputedStyle(each).{of}")

    assert {"rgb(255, 255, 255)"} == {style("body", "backgroundColor")}
    assert {"rgb(0, 0, 0)"} == {style(each, "color") for each in ("body", "h1", ".felt .outcome")}
    assert page.locator(".felt .card").first.is_visible()
    assert "/1/" in page.locator(".on-paper").inner_text()
    pressed = page.locator("nav, form, button, .button, .banner").all()
    assert pressed
    assert not [each for each in pressed if each.is_visible()]
    page.emulate_media(media="screen")


def test_on_paper_roads_fit_below_their_heading_and_the_moment_has_the_language_s_form(
    house, window
):
    page = window("PB-1")
    page.goto(f"{house.address}/tables/S01")
    page.locator("#road a").first.click()
    page.locator(".roads").evaluate("each => each.decode()")
    page.emulate_media(media="print")
    high = page.locator(".roads").evaluate("each => each.offsetHeight")
    page.emulate_media(media="screen")
    page.goto(house.address)
    page.locator(".table").first.wait_for()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert high < 520  # of 700 on a sheet that is laid on its side
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", page.locator("#printed").text_content())


def test_everything_is_reached_by_keys(house, window):
    page = window("PB-1")
    page.locator(".table").first.wait_for()
    page.keyboard.press("Tab")
    skip = page.evaluate("document.activeElement.getAttribute('href')")
    page.keyboard.press("Enter")
    page.wait_for_url("**#content")
    press(page, "f")
    page.locator("[name=search]:focus").first.wait_for()
    page.keyboard.type("S02")
    page.keyboard.press("Enter")
    page.wait_for_url("**search=S02*")
    page.locator("#table-S01").wait_for(state="detached")
    tables = page.locator(".table").evaluate_all("all => all.map(e => e.id)")
    press(page, "/")
    page.keyboard.type("S02 1/3")
    page.keyboard.press("Enter")
    page.wait_for_url("**/coups/S02/*/1/3")
    page.go_back()
    page.wait_for_url("**search=S02*")

    assert "#content" == skip
    assert ["table-S02"] == tables


def test_a_page_weighs_little(house, window):
    """Without the cards' shapes; as sent, before it is compressed."""
    page = window("PB-1")
    page.locator(".table").first.wait_for()
    page.wait_for_load_state("load")
    sizes = page.evaluate(
        """() => Object.fromEntries(
            performance.getEntries()
                .filter(each => each.decodedBodySize !== undefined)
                .map(each => [new URL(each.name).pathname, each.decodedBodySize]))"""
    )
    weighed = {path: size for path, size in sizes.items() if not path.startswith("/live/")}

    assert {"/", "/static/sabot.css", "/static/sabot.js", "/static/htmx.min.js"} <= weighed.keys()
    assert min(weighed.values()) > 0
    assert sum(size for path, size in weighed.items() if "shapes.svg" not in path) < 150_000


def test_a_sign_on_that_nobody_uses_ends_and_the_page_asks_for_another(house, browser):
    """In a browser that is new here, and is approved by the name that it shows."""
    with closing(browser.new_context()) as context:
        page = new_window(context)
        page.goto(house.address)
        name = page.locator(".reply").inner_text().partition("approve-terminal ")[2][:19]
        assert house.boss.run("staff", "approve-terminal", name, "window").exit_code == 0
        signed_on(page, house, UNUSED)
        page.wait_for_url(house.address + "/")
        page.locator(".table").first.wait_for()
        house.boss.ask("property", "set", "session_idle_minutes", "15")
        (token,) = [each["value"] for each in context.cookies() if "sign-on" in each["name"]]
        with house.database.connect_as_is() as superuser:
            superuser.execute(
                "UPDATE people.sessions SET used = used - interval '15 minutes' WHERE session = %s",
                (digest(token.partition(":")[2]),),
            )
        page.wait_for_url("**/sign-on?then=*")
        signed_on(page, house, UNUSED)
        page.wait_for_url(house.address + "/")
        house.boss.ask("property", "set", "session_idle_minutes", "0")

        assert page.locator(".who").inner_text().startswith(UNUSED)
