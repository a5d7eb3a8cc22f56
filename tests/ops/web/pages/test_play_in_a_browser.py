"""An electronic table in a real browser: by clicks and keys, through kills, and a shoe checked."""

import hmac
import json
import re
import signal
import time
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

import pytest

from ops.commands.command import Command
from ops.now.follow import Follower
from ops.web.pages.played import PAST
from tests.faults import times
from tests.waiting import until
from tests.worlds.browsers import chromium, hard_to_use
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import PLAYER_WINS, mouth_on
from tests.worlds.house_server import house_server

PATIENCE = 60_000  # milliseconds after which a test fails rather than hangs
BALANCE = 5_000_00
COUPS = times(6, 200)  # each spot by clicks and by keys; a shoe ends before
KILLS = times(2, 30)
PLACES = times(4, 50)
PLACES_OF_BUTTONS = """[...document.querySelectorAll(".acts button")].map(each => {
    const { x, width } = each.getBoundingClientRect();
    return [each.id, Math.round(x), Math.round(width)];
})"""


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    """An open house, in which each test has tables of its own."""
    with (
        server.database() as database,
        house_server(database, tmp_path_factory.mktemp("house") / "house") as house,
        mouth_on(database) as house.books,
    ):
        yield house


_numbers = count(10)


def a_table():
    """One that no test has had."""
    return f"E{next(_numbers)}"


class Table:
    """A table on a house server, dealt line by line; a patron sits at 3."""

    def __init__(self, house, rules="electronic@1"):
        self.house, self.name = house, a_table()
        self.boss = house.terminal("pit-1")
        self.do("table.open", rules=rules, opener={})
        self.do("table.seat", seat=3, patron=f"P-{self.name}")
        self.do("account.pay-in", seat=3, amount=BALANCE)
        self.bring_shoe(method="generated")

    def bring_shoe(self, **shuffle):
        """A shoe that is ready but for its cut."""
        self.do("shoe.load", decks=8)
        self.do("shoe.inspect")
        self.do("shoe.shuffle", **shuffle)

    def do(self, command, **fields):
        answer = self.boss.send({"command": command, "table": self.name, **fields})[0]
        assert answer["ok"], answer
        return answer

    def finish(self):
        """Closes the betting, deals and settles."""
        due = self.do("no-more-bets")["due"]
        while due["action"] == "draw":
            due = self.do("draw")["due"]
        return self.do("settle")

    @property
    def balance(self):
        """What the ledger says, once all of its books agree."""
        self.house.books.casino.begin(Command())
        world = ElectronicTable(self.house.books, self.name)
        world.require_books()
        return world.balance(3)

    @property
    def place(self):
        """The path of the patron's page."""
        return f"/play/{self.name}/3"

    def shown_in(self, page):
        """The patron's page, once the house's floor has the table."""
        begin(page, self.house.address + self.place)

    def placed(self):
        with self.house.database.connect("sabot_auditor") as connection:
            asked = (
                "SELECT count(*) FROM ledger.events "
                "WHERE topic = 'coup.wager-placed' AND table_code = %s"
            )
            return connection.execute(asked, (self.name,)).fetchone()[0]


def begin(page, address):
    until(lambda: page.goto(address).ok)


@pytest.fixture
def table(house):
    return Table(house)


@pytest.fixture(scope="module")
def window(browser):
    """One for all tests: another page in it is begun far sooner than another window."""
    with closing(browser.new_context(viewport={"width": 1080, "height": 1920})) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        yield page


@pytest.fixture
def page(window, table):
    """The patron's page, with what went wrong on it."""
    window.wrong = []
    table.shown_in(window)
    yield window
    window.unroute_all()
    window.goto("about:blank")
    assert window.wrong == []


def is_open(page, coup):
    page.locator("#coup").get_by_text(str(coup), exact=True).wait_for()
    page.locator("#phase", has_text="Place your bets.").wait_for()


def is_placed(page):
    page.locator("#said", has_text="Placed.").wait_for()


def shows(page, name, text):
    """Until an element shows this and nothing else."""
    page.locator(f"#{name}", has_text=re.compile(f"^{re.escape(text)}$")).wait_for()


def on(page, spot):
    return page.locator(f"#on-{spot}").inner_text()


def test_a_shoe_is_played_by_clicks_and_by_keys_and_checked_on_the_page(table, page):
    spots = {"b": "banker", "p": "player", "t": "tie"}
    for coup in range(1, COUPS + 1):
        table.do("open")
        is_open(page, coup)
        spot = "bpt"[coup % 3]
        if coup % 2:
            page.locator("#chip-500").click()
            page.locator(f"#spot-{spots[spot]}").click()
            page.locator("#chip-2500").drag_to(page.locator(f"#spot-{spots[spot]}"))
            staked = "30.00"
        else:
            page.keyboard.press("3")
            page.keyboard.press(spot)
            page.keyboard.press("d")
            staked = "20.00"
        page.locator(f"#on-{spots[spot]}:not(.asked)", has_text=staked).wait_for()
        is_placed(page)
        shows(page, "staked", staked)
        due = table.finish()["due"]
        page.locator("#play-result p").first.wait_for()
        shows(page, "balance", f"{table.balance / 100:,.2f}")
        if due["action"] == "shoe.end":
            break
    page.locator("#recall summary").click()
    page.locator("#past li").nth(min(coup, PAST) - 1).wait_for()
    page.locator("#proof summary").click()
    page.locator("#check").click()
    page.locator("#checked", has_text="No shoe that was seen here has ended yet.").wait_for()
    table.do("shoe.end", reason="to check it", by="D-204", **{"with": "S-11"})
    page.locator("#check").click()
    page.locator("#checked", has_text="The order is the one that was sealed before").wait_for()
    seal, secret = (page.locator(f"#checked-{each}").inner_text() for each in ("seal", "secret"))
    with page.expect_download() as file:
        page.locator("#checked-order").click()
    order = json.loads(Path(file.value.path()).read_text())["order"]
    assert page.locator("#checked-coups").inner_text() == str(coup)
    assert hmac.new(bytes.fromhex(secret), " ".join(order).encode(), "sha256").hexdigest() == seal
    page.evaluate(
        """place => {
            const name = `sabot-seen ${place}`;
            const seen = JSON.parse(localStorage.getItem(name));
            seen[0].cards[Object.keys(seen[0].cards)[0]] = ["AS", "AS", "AS", "AS"];
            localStorage.setItem(name, JSON.stringify(seen));
        }""",
        table.place,
    )
    page.locator("#check").click()
    page.locator("#checked", has_text="This is not what was sealed").wait_for()


def test_undo_clear_and_repeat(table, page):
    table.do("open")
    is_open(page, 1)
    page.locator("#chip-1000").click()
    page.locator("#spot-banker").click()
    page.locator("#spot-tie").click()
    shows(page, "staked", "20.00")
    page.locator("#undo").click()
    shows(page, "staked", "10.00")
    before = on(page, "banker"), on(page, "tie")
    page.locator("#clear").click()
    shows(page, "staked", "0.00")
    shows(page, "said", "The cloth is empty.")
    page.locator("#spot-player").click()
    shows(page, "staked", "10.00")
    table.finish()
    table.do("open")
    is_open(page, 2)
    page.locator("#repeat").click()
    page.locator("#on-player:not(.asked)", has_text="10.00").wait_for()
    is_placed(page)

    assert before == ("10.00", "")
    assert table.placed() >= 3
    shows(page, "balance", f"{table.balance / 100:,.2f}")


def test_a_chip_is_not_lost_when_news_of_before_comes_after_the_answer(table, page):
    table.do("open")
    is_open(page, 1)
    old = page.locator("#play-state").get_attribute("data-state")
    page.locator("#chip-1000").click()
    page.locator("#spot-banker").click()
    is_placed(page)
    shows(page, "staked", "10.00")
    page.evaluate(
        """old => {
            document.getElementById("play-state").dataset.state = old;
            document.dispatchEvent(new Event("htmx:after:swap"));
            document.getElementById("spot-banker").click();
        }""",
        old,
    )
    shows(page, "staked", "20.00")

    assert on(page, "banker") == "20.00"


def test_what_comes_too_late_is_back_in_the_tray_with_its_rule(table, page):
    table.do("open")
    is_open(page, 1)
    page.route("**/live/**", lambda route: route.abort())
    table.do("no-more-bets")
    page.locator("#spot-banker").click()
    page.locator("#said.refused").wait_for()

    said = page.locator("#said").inner_text()
    assert "It is back in the tray. The cloth is empty." in said
    assert on(page, "banker") == ""
    assert table.placed() == 0


def test_who_sits_alone_deals_now_and_reads_what_it_brought_in_all(table, page):
    table.do("open")
    is_open(page, 1)
    waits = page.locator("#phase").inner_text()
    before = page.locator("#deal").is_enabled()
    page.locator("#spot-player").click()
    page.locator("#deal:enabled").dblclick()
    after = page.locator("#deal").is_enabled()
    page.locator("#phase", has_text="No more bets").wait_for()
    due = table.do("draw")["due"]
    while due["action"] == "draw":
        due = table.do("draw")["due"]
    table.do("settle")
    page.locator("#play-result .net").wait_for()
    net = page.locator("#play-result .net").inner_text()
    said = page.locator("#said.refused").count()
    counted = page.locator("#clock").inner_text()

    assert "waits for the first one" in waits
    assert (before, after, said) == (False, False, 0)
    assert re.fullmatch("[0-9]+ s", counted)  # until the next coup
    assert re.fullmatch(r"You (won|lost) 1\.00\.|You neither won nor lost\.", net)


@pytest.mark.parametrize("width", [1280, 390, 360])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_no_button_moves_under_the_finger_and_each_has_room_for_its_words(
    table, page, width, language
):
    before = page.viewport_size
    page.set_viewport_size({"width": width, "height": 844})
    page.locator(".language select").select_option(language)
    page.locator(".language button").click()
    table.do("open")
    page.locator("#phase").get_by_text(re.compile("waits|espera")).wait_for()
    places = [page.evaluate(PLACES_OF_BUTTONS)]
    for act in ("#spot-banker", "#double", "#clear"):
        page.locator(act).dblclick()
        places.append(page.evaluate(PLACES_OF_BUTTONS))
        page.locator("#said.done").wait_for()
        places.append(page.evaluate(PLACES_OF_BUTTONS))
    narrow = page.locator(".acts button").evaluate_all(
        "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.id)"
    )
    beyond = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.locator("#staked", has_text=re.compile("^0[.,]00$")).wait_for()
    page.context.clear_cookies()
    page.set_viewport_size(before)

    assert all(each == places[0] for each in places)
    assert (narrow, beyond) == ([], False)


def test_after_a_refusal_undo_takes_back_what_lies_there(table, page):
    table.do("open")
    is_open(page, 1)
    empty = page.locator("#repeat").is_enabled()
    page.locator("#chip-10000").click()
    page.locator("#spot-tie").click()
    is_placed(page)
    for _ in range(9):
        page.locator("#spot-tie").click()
    page.locator("#said.refused").wait_for()
    left = on(page, "tie")
    page.locator("#undo").click()
    page.locator("#said.done").wait_for()

    assert not empty  # there is nothing to repeat yet
    assert on(page, "tie") != left


def test_why_a_late_bet_came_back_can_be_read_while_the_result_comes(table, page):
    table.do("open")
    is_open(page, 1)
    page.locator("#spot-player").click()
    is_placed(page)
    due = table.do("no-more-bets")["due"]
    page.locator("#phase", has_text="No more bets").wait_for()
    page.locator("#spot-banker").click()
    page.locator("#said.refused").wait_for()
    while due["action"] == "draw":
        due = table.do("draw")["due"]
    table.do("settle")
    page.locator("#play-result .net").wait_for()

    assert "It is back in the tray. On the cloth: Player" in page.locator("#said").inner_text()

    table.do("open")
    is_open(page, 2)
    said = page.locator("#said").inner_text()

    assert said == "Coup 1: No more bets. It is back in the tray."  # nothing lies there any more
    until(lambda: not page.locator("#said").inner_text())  # and goes later


def test_a_table_on_which_no_card_comes_says_so(table, page):
    table.do("open")
    is_open(page, 1)
    page.locator("#spot-player").click()
    is_placed(page)
    state_is(page, closes=int(time.time() * 1000) - 60_000)
    shows(page, "phase", "Dealing has stopped. What you staked is on record; ask an attendant.")


def state_is(page, **changed):
    """The page is told another state of its table."""
    page.evaluate(
        """changed => {
            const place = document.getElementById("play-state");
            const state = JSON.parse(place.dataset.state);
            place.dataset.state = JSON.stringify({ ...state, ...changed });
            document.dispatchEvent(new Event("htmx:after:swap"));
        }""",
        changed,
    )


def test_a_coup_in_which_no_further_card_comes_says_that_dealing_has_stopped(table, page):
    table.do("open")
    is_open(page, 1)
    page.locator("#spot-player").click()
    is_placed(page)
    table.do("no-more-bets")
    table.do("draw")
    shows(page, "phase", "No more bets.")
    state_is(page, changed=int(time.time() * 1000) - 60_000)
    shows(page, "phase", "Dealing has stopped. What you staked is on record; ask an attendant.")


def test_without_a_connection_nothing_is_said_of_the_table(table, page):
    table.do("open")
    is_open(page, 1)
    page.evaluate("document.body.classList.add('stale')")
    shows(
        page,
        "phase",
        "No connection. What you staked is on record, and is dealt and paid meanwhile.",
    )


def test_what_came_of_a_bet_is_said_also_if_the_page_had_no_news_meanwhile(table, page):
    table.do("open")
    is_open(page, 1)
    page.locator("#spot-player").click()
    is_placed(page)
    with page.expect_response("**/past"):
        table.finish()
    settled = page.locator("#past [data-coup]").first
    settled.wait_for(state="attached")
    came = settled.locator("[data-came]").all_text_contents()
    table.do("open")

    shows(page, "said", f"Coup 1: {'. '.join(came)}")
    assert len(came) == 2
    page.locator("#spot-player").click()
    is_placed(page)


def test_the_next_patron_sees_nothing_of_the_one_before(table, page):
    table.do("open")
    is_open(page, 1)
    page.locator("#spot-player").click()
    is_placed(page)
    table.finish()
    page.locator("#past [data-came]").nth(1).wait_for(state="attached")
    before = page.locator("#past").text_content()
    table.do("account.pay-out", seat=3, amount=table.balance)
    table.do("table.leave", seat=3)
    page.locator("#play-why").wait_for()
    table.do("table.seat", seat=3, patron=f"P-{table.name}-2")
    table.do("account.pay-in", seat=3, amount=100_00)
    page.locator("#balance", has_text="100.00").wait_for()
    until(lambda: "Balance" not in page.locator("#past").text_content())
    page.wait_for_timeout(500)
    after = page.locator("#past [data-coup]").first.text_content()

    assert "Balance" in before
    assert "Balance" not in page.locator("#past").text_content()
    assert "1.00" not in after
    assert page.locator("#repeat").is_disabled()


def test_buttons_that_do_nothing_are_not_offered(table, page):
    off = {name: page.locator(f"#{name}") for name in ("undo", "clear", "repeat", "double")}

    def usable():
        return {name for name, button in off.items() if button.is_enabled()}

    table.do("open")
    is_open(page, 1)
    empty = usable()
    page.locator("#spot-player").click()
    is_placed(page)
    lying = usable()
    table.finish()
    page.locator("#past [data-came]").nth(1).wait_for(state="attached")
    closed = usable()
    table.do("open")
    is_open(page, 2)
    again = usable()
    page.locator("#repeat").click()
    is_placed(page)

    assert (empty, closed, again) == (set(), set(), {"repeat"})
    assert lying == {"undo", "clear", "double"}
    assert usable() == lying


def test_the_chips_cover_no_figure_and_are_chosen_by_arrows(table, page):
    before = page.viewport_size
    page.set_viewport_size({"width": 360, "height": 760})
    table.do("open")
    is_open(page, 1)
    page.locator("#chip-100").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    chosen = page.locator(".tray [aria-checked=true]").get_attribute("id")
    stops = page.locator(".tray [tabindex='0']").count()
    for _ in range(9):
        page.locator("#spot-banker").click()
    is_placed(page)
    page.locator("#spot-banker").scroll_into_view_if_needed()
    covered = page.locator("#spot-banker").evaluate(
        """spot => ["on", "pays"].filter(name => {
            const box = spot.querySelector(`.${name}`).getBoundingClientRect();
            const top = document.elementFromPoint(box.x + box.width / 2, box.bottom - 3);
            return !spot.querySelector(`.${name}`).contains(top);
        })"""
    )
    page.set_viewport_size(before)

    assert (chosen, stops) == ("chip-1000", 1)
    assert covered == []


def test_a_key_that_is_held_puts_one_chip(table, page):
    table.do("open")
    is_open(page, 1)
    page.locator("#spot-banker").focus()
    for _ in range(6):  # what is down already comes again, as from a key that is held
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    is_placed(page)
    page.wait_for_timeout(500)

    assert page.locator("#staked").inner_text() == "1.00"


def test_what_is_dropped_and_is_no_chip_is_no_bet_and_an_empty_account_says_so(table, page):
    table.do("open")
    is_open(page, 1)
    page.evaluate(
        """() => ["700", "", "https://elsewhere/500"].forEach((text) => {
            const dropped = new DataTransfer();
            dropped.setData("text/plain", text);
            document.getElementById("spot-tie").dispatchEvent(
                new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
        })"""
    )
    said = page.locator("#said").inner_text()
    before = page.locator("#play-why").count()
    table.do("account.pay-out", seat=3, amount=BALANCE)
    page.locator("#play-why", has_text="no money on this account").wait_for()

    assert (said, on(page, "tie"), before) == ("", "", 0)


SHORT = """
name = "short@1"
source = "a trial"
based_on = "electronic@1"
cut_card = 415
"""  # it is out in the first coup


def test_a_page_says_when_a_shoe_ends_and_when_a_new_one_begins(house, page, tmp_path):
    def says(words):
        page.locator("#play-shoe", has_text=words).wait_for()

    (tmp_path / "short.toml").write_text(SHORT)
    approves = ("rules", "approve", str(tmp_path / "short.toml"), "--by", "A", "--with", "S")
    done = house.terminal("pit-1").run(*approves, "--confirmed")
    assert done.exit_code == 0, done.output
    table = Table(house, "short@1")
    table.shown_in(page)
    table.do("open")
    is_open(page, 1)
    at_first = page.locator("#play-shoe").inner_text()
    table.finish()
    says("The cut card is out. 1 more coup after this one, then a new shoe.")
    table.do("open")
    says("This is the last coup of the shoe.")
    table.finish()
    says("The shoe has ended. A new one comes next.")
    table.do("shoe.end")
    table.bring_shoe(method="generated")
    table.do("open")
    says("A new shoe. The order of the one before can be checked below.")

    assert at_first == ""


def test_a_balance_below_the_smallest_bet_is_no_money_to_bet(table, page):
    table.do("open")
    is_open(page, 1)
    table.do("account.pay-out", seat=3, amount=BALANCE - 95)
    page.locator("#play-why", has_text="less than the smallest bet, 1.00").wait_for()

    assert page.locator("#again").count() == 0  # it is no game


def test_what_lies_on_the_cloth_is_staked_until_it_is_paid(table, page):
    table.do("account.pay-out", seat=3, amount=BALANCE - 10_00)
    table.do("bet", seat=3, spot="banker", amount=10_00)
    due = table.do("no-more-bets")["due"]
    while due["action"] == "draw":
        due = table.do("draw")["due"]
    over = page.locator("#play-state[data-state*='\"over\": true']")
    over.wait_for(state="attached")

    assert page.locator("#staked").inner_text() == "10.00"
    assert page.locator("#play-why").count() == 0


def test_what_others_have_is_shown_without_their_names(table, page):
    table.do("table.seat", seat=5, patron="P-SECRET")
    table.do("account.pay-in", seat=5, amount=BALANCE)
    table.do("bet", seat=5, spot="banker", amount=35_00)
    is_open(page, 1)
    page.locator("#others-banker", has_text="others 35.00 (1)").wait_for()
    page.locator("#spot-banker").click()
    page.locator("#said.done").wait_for()

    assert "P-SECRET" not in page.content()
    assert page.locator("#others-banker").inner_text() == "others 35.00 (1)"
    assert page.locator("#deal").is_disabled()


def test_at_twice_the_size_the_chips_stay_in_sight_and_sound_is_off(table, page):
    before = page.viewport_size
    page.set_viewport_size({"width": 640, "height": 400})
    below = page.locator(".tray .disc").evaluate_all(
        "all => all.filter(e => e.getBoundingClientRect().bottom > innerHeight).length"
    )
    covered = page.locator(".cloth .spot").evaluate_all(
        """all => all.filter(e => e.getBoundingClientRect().bottom
            > document.querySelector(".hand-rail").getBoundingClientRect().top).length"""
    )
    wide = [page.evaluate("document.documentElement.scrollWidth")]
    page.set_viewport_size({"width": 320, "height": 256})  # four times as large
    wide.append(page.evaluate("document.documentElement.scrollWidth"))
    page.set_viewport_size(before)
    off = page.locator("#sound").get_attribute("aria-pressed")
    page.locator("#sound").click()
    on_ = page.locator("#sound").get_attribute("aria-pressed")
    page.locator("#sound").click()

    assert (below, covered, wide) == (0, 0, [640, 320])
    assert (off, on_) == ("false", "true")


@pytest.mark.parametrize("hours", [-1, 1])
def test_the_clock_is_the_houses_however_wrong_the_machines_is(table, window, hours):
    table.do("open")
    with closing(window.context.new_page()) as page:
        wrong = f"const right = Date.now; Date.now = () => right() + {hours * 3_600_000};"
        page.add_init_script(wrong)
        table.shown_in(page)
        is_open(page, 1)
        page.locator("#spot-player").click()
        page.locator("#clock", has_text="s").wait_for()
        page.wait_for_timeout(1_100)  # until the house has told its time once more
        left = int(page.locator("#clock").inner_text().removesuffix(" s"))

    assert 1 <= left <= 20


@pytest.fixture(scope="module")
def machines(browser):
    """The pages of so many machines, whose clocks are wrong by up to an hour."""
    chance = Random(24)
    pages = []
    for _ in range(PLACES):
        page = browser.new_context().new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(
            "window.right = Date.now.bind(Date);"
            f"Date.now = () => right() + {chance.randint(-3_600_000, 3_600_000)};"
        )
        pages.append(page)
    yield pages
    for page in pages:
        page.context.close()


class Crowd:
    """Tables full of patrons, each at a machine of their own."""

    def __init__(self, house, machines):
        self.boss = house.terminal("pit-1")
        self.pages = {}
        for nth, page in enumerate(machines):
            seat = nth % 7 + 1
            if seat == 1:
                table = a_table()
                self.open(table)
            self.say("table.seat", table, seat=seat, patron=f"P-{table}-{seat}")
            self.say("account.pay-in", table, seat=seat, amount=100_00)
            self.pages[table, seat] = page
            begin(page, f"{house.address}/play/{table}/{seat}")

    def say(self, command, table, **fields):
        (answer,) = self.boss.send({"command": command, "table": table, **fields})
        assert answer["ok"], answer

    def open(self, table):
        self.say("table.open", table, rules="electronic@1", opener={})
        self.say("shoe.load", table, decks=8)
        self.say("shoe.inspect", table)
        self.say("shoe.shuffle", table, method="generated")

    @property
    def tables(self):
        return sorted({table for table, _ in self.pages})

    def click_at(self, at):
        """Every page clicks a chip onto Banker at this moment, give or take a millisecond."""
        for n, page in enumerate(self.pages.values()):
            page.evaluate(
                "at => setTimeout(() => document.querySelector('#spot-banker').click(),"
                " at - right())",
                at * 1000 + n % 3 - 1,
            )

    def close_at(self, at):
        """The betting is closed at every table at this moment."""
        lines = [{"command": "no-more-bets", "table": table} for table in self.tables]
        time.sleep(max(0.0, at - time.time()))
        assert all(answer["ok"] for answer in self.boss.send(*lines))

    def placed(self):
        """The seats whose pages say that their bet is placed; all others say why it is not."""
        for page in self.pages.values():
            page.locator("#said.done, #said.refused", has_text=re.compile("Placed|tray")).wait_for()
        return {at for at, page in self.pages.items() if page.locator("#said.done").count()}


@pytest.mark.parametrize("later", [0.0, 0.04, 0.15])
def test_at_the_close_each_page_says_what_the_ledger_says(house, machines, later):
    crowd = Crowd(house, machines)
    for table in crowd.tables:
        crowd.say("open", table)
    for page in crowd.pages.values():
        is_open(page, 1)
    at = time.time() + 1.0 + PLACES / 20
    crowd.click_at(at)
    crowd.close_at(at + later)
    shown = crowd.placed()
    with house.database.connect("sabot_auditor") as connection:
        events = connection.execute(
            "SELECT topic, table_code, convert_from(state, 'UTF8')::jsonb ->> 'seat' "
            "FROM ledger.events WHERE topic LIKE 'coup.%%' AND table_code = ANY(%s)",
            (crowd.tables,),
        ).fetchall()
    for page in machines:
        page.goto("about:blank")
    placed = {(table, int(seat)) for topic, table, seat in events if topic == "coup.wager-placed"}
    late = {(table, int(seat)) for topic, table, seat in events if "late-bet" in topic}

    assert shown == placed
    assert placed.isdisjoint(late)
    assert placed | late <= crowd.pages.keys()


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_that_is_killed_at_a_bet_loses_and_doubles_nothing(table, page, by):
    table.do("open")
    is_open(page, 1)
    for nth in range(1, KILLS + 1):
        # A page whose stream hung has been loaded again, with another chip in the hand.
        page.locator("body:not(.stale) #phase", has_text="Place your bets").wait_for()
        page.locator("#chip-1000").click()
        page.locator("#spot-banker").click()
        page.wait_for_timeout(7 * nth % 40)
        table.house.stop(by)
        page.wait_for_timeout(300)
        table.house.start()
        # Not its word `Placed.`: a page whose stream hangs is loaded again, and shows the cloth.
        page.locator("#on-banker:not(.asked)", has_text=f"{10 * nth}.00").wait_for()
    page.reload()
    is_open(page, 1)
    page.locator("#on-banker", has_text=f"{KILLS * 10}.00").wait_for()

    assert table.balance == BALANCE - KILLS * 10_00


def test_the_place_is_not_hard_to_use(browser, table):
    table.do("open")
    with closing(browser.new_context(bypass_csp=True)) as context:
        page = context.new_page()
        table.shown_in(page)
        is_open(page, 1)
        page.locator("#chip-1000").click()
        page.locator("#spot-banker").click()
        is_placed(page)
        before = hard_to_use(page)
        table.finish()
        page.locator("#play-result p").first.wait_for()
        for each in page.locator("summary").all():
            each.click()

        assert ([], []) == (before, hard_to_use(page))


def test_a_table_that_is_locked_up_says_so_and_what_came_of_it(table, page):
    table.do("open")
    is_open(page, 1)
    page.locator("#chip-1000").click()
    page.locator("#spot-banker").click()
    is_placed(page)
    table.do("table.lock-up", reason="a screen is dark")
    page.locator("#phase", has_text="The table is locked up.").wait_for()
    two = {"by": "D-204", "with": "S-11"}
    table.do("table.unlock", how="return", reason="a screen was dark", **two)
    page.locator("#play-result", has_text="Every bet was returned.").wait_for()
    shows(page, "balance", f"{BALANCE / 100:,.2f}")

    assert table.balance == BALANCE


def test_a_dealer_deals_and_patrons_click(table, page):
    table.do("shoe.end", reason="a dealer comes", by="D-204", **{"with": "S-11"})
    table.bring_shoe(method="machine", device="SH-2")

    table.do("shoe.cut", cut_card=14)
    table.do("open")
    is_open(page, 1)
    clock = page.locator("#clock").inner_text()
    page.locator("#chip-2500").click()
    page.locator("#spot-player").click()
    is_placed(page)
    with table.house.database.connect("sabot_auditor") as connection:
        seen = Follower(connection, table.name).now.seat(3).wagers
    table.do("no-more-bets")
    for card in PLAYER_WINS.split():
        table.do("draw", card=card)
    table.do("settle")
    page.locator("#play-result", has_text="Player 25.00 wins 1 to 1: 50.00 back").wait_for()

    assert clock == ""  # a dealer closes the betting
    assert [("player", 25_00)] == [(each.spot, each.stake) for each in seen]
    assert table.balance == BALANCE + 25_00


def test_two_windows_have_the_same_chips(table, page):
    other = page.context.new_page()
    other.goto(page.url)
    table.do("open")
    is_open(page, 1)
    is_open(other, 1)
    page.locator("#chip-1000").click()
    page.locator("#spot-banker").click()
    other.locator("#on-banker", has_text="10.00").wait_for()
    other.locator("#spot-banker").click()  # a chip of 1
    shows(page, "said", "On the cloth: Banker 11.00")

    assert table.balance == BALANCE - 11_00
