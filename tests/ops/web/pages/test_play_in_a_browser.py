"""An electronic table in a real browser: by clicks and keys, through kills, and a shoe checked."""

import re
import signal
from contextlib import closing

import pytest

from ops.commands.command import Command
from tests.worlds.browsers import chromium, hard_to_use
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import mouth_on
from tests.worlds.house_server import house_server

PATIENCE = 30_000  # milliseconds after which a test fails rather than hangs
BALANCE = 500_00
COUPS = 8


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


class Table:
    """E01 on a house server, dealt line by line; a patron sits at 3."""

    def __init__(self, house):
        self.house = house
        self.boss = house.terminal("pit-1")
        self.do("table.open", rules="electronic@1", opener={})
        self.do("table.seat", seat=3, patron="P-3")
        self.do("account.pay-in", seat=3, amount=BALANCE)
        self.do("shoe.load", decks=8)
        self.do("shoe.inspect")
        self.do("shoe.shuffle", method="generated")

    def do(self, command, **fields):
        answer = self.boss.send({"command": command, "table": "E01", **fields})[0]
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
        with mouth_on(self.house.database) as dispatcher:
            dispatcher.casino.begin(Command())
            world = ElectronicTable(dispatcher)
            world.require_books()
            return world.balance(3)

    def placed(self):
        with self.house.database.connect("sabot_auditor") as connection:
            asked = "SELECT count(*) FROM ledger.events WHERE topic = 'coup.wager-placed'"
            return connection.execute(asked).fetchone()[0]


@pytest.fixture
def table(database, tmp_path):
    with house_server(database, tmp_path / "house") as house:
        house.database = database
        yield Table(house)


@pytest.fixture
def page(browser, table):
    """The page of E01/3, with what went wrong on it."""
    context = browser.new_context(viewport={"width": 1080, "height": 1920})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.goto(f"{table.house.address}/play/E01/3")
    yield page
    context.close()
    assert page.wrong == []


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
        table.finish()
        page.locator("#play-result p").first.wait_for()
        shows(page, "balance", f"{table.balance / 100:,.2f}")
    page.locator("#recall summary").click()
    page.locator("#past li").nth(COUPS - 1).wait_for()
    page.locator("#proof summary").click()
    page.locator("#check").click()
    page.locator("#checked", has_text="No shoe that was seen here has ended yet.").wait_for()
    table.do("shoe.end", reason="to check it", by="D-204", **{"with": "S-11"})
    page.locator("#check").click()
    page.locator("#checked", has_text="The order is the one that was sealed before").wait_for()
    page.evaluate(
        """() => {
            const name = Object.keys(localStorage)[0];
            const seen = JSON.parse(localStorage.getItem(name));
            seen[0].cards[Object.keys(seen[0].cards)[0]] = ["AS", "AS", "AS", "AS"];
            localStorage.setItem(name, JSON.stringify(seen));
        }"""
    )
    page.locator("#check").click()
    page.locator("#checked", has_text="This is not what was sealed").wait_for()


def test_undo_clear_and_repeat(table, page):
    table.do("open")
    is_open(page, 1)
    page.locator("#chip-1000").click()
    page.locator("#spot-banker").click()
    page.locator("#spot-tie").click()
    page.locator("#undo").click()
    shows(page, "staked", "10.00")
    before = on(page, "banker"), on(page, "tie")
    page.locator("#clear").click()
    shows(page, "staked", "0.00")
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


def test_what_comes_too_late_is_back_in_the_tray_with_its_rule(table, page):
    table.do("open")
    is_open(page, 1)
    page.route("**/live/**", lambda route: route.abort())
    table.do("no-more-bets")
    page.locator("#spot-banker").click()
    page.locator("#said.refused").wait_for()

    assert "It is back in the tray." in page.locator("#said").inner_text()
    assert on(page, "banker") == ""
    assert table.placed() == 0


@pytest.mark.parametrize("hours", [-1, 1])
def test_the_clock_is_the_houses_however_wrong_the_machines_is(table, page, hours):
    page.add_init_script(f"const right = Date.now; Date.now = () => right() + {hours * 3_600_000};")
    page.reload()
    table.do("open")
    is_open(page, 1)
    page.locator("#clock", has_text="s").wait_for()
    page.wait_for_timeout(1_100)  # until the house has told its time once more
    left = int(page.locator("#clock").inner_text().removesuffix(" s"))

    assert 1 <= left <= 20


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_that_is_killed_at_a_bet_loses_and_doubles_nothing(table, page, by):
    table.do("open")
    is_open(page, 1)
    page.locator("#chip-1000").click()
    for _ in range(3):
        page.locator("#spot-banker").click()
        table.house.stop(by)
        page.wait_for_timeout(300)
        table.house.start()
        page.locator("#on-banker:not(.asked)").wait_for()
        is_placed(page)
    page.reload()
    is_open(page, 1)
    page.locator("#on-banker", has_text="30.00").wait_for()

    assert table.balance == BALANCE - 30_00


def test_the_place_is_not_hard_to_use(browser, table):
    table.do("open")
    with closing(browser.new_context(bypass_csp=True)) as context:
        page = context.new_page()
        page.goto(f"{table.house.address}/play/E01/3")
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


def test_two_windows_have_the_same_chips(table, page):
    other = page.context.new_page()
    other.goto(page.url)
    table.do("open")
    is_open(page, 1)
    is_open(other, 1)
    page.locator("#chip-1000").click()
    page.locator("#spot-banker").click()
    other.locator("#on-banker", has_text="10.00").wait_for()

    assert table.balance == BALANCE - 10_00
