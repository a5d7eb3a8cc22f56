"""An electronic table in a real browser: by clicks and keys, through kills, and a shoe checked."""

import re
import signal
import time
from contextlib import closing
from random import Random

import pytest

from ops.commands.command import Command
from ops.now.follow import Follower
from ops.web.pages.play import PAST
from tests.faults import times
from tests.worlds.browsers import chromium, hard_to_use
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import PLAYER_WINS, mouth_on
from tests.worlds.house_server import house_server

PATIENCE = 60_000  # milliseconds after which a test fails rather than hangs
BALANCE = 5_000_00
COUPS = times(8, 200)  # a shoe ends before
KILLS = times(3, 30)
PLACES = times(4, 50)


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
        self.bring_shoe(method="generated")

    def bring_shoe(self, **shuffle):
        """A shoe that is ready but for its cut."""
        self.do("shoe.load", decks=8)
        self.do("shoe.inspect")
        self.do("shoe.shuffle", **shuffle)

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
    shows(page, "staked", "20.00")
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


class Crowd:
    """Tables full of patrons, each with a page whose clock is wrong by up to an hour."""

    def __init__(self, house, browser, places):
        self.boss = house.terminal("pit-1")
        chance = Random(24)
        self.pages = {}
        for nth in range(places):
            table, seat = f"E{10 + nth // 7}", nth % 7 + 1
            if seat == 1:
                self.open(table)
            self.say("table.seat", table, seat=seat, patron=f"P-{nth}")
            self.say("account.pay-in", table, seat=seat, amount=100_00)
            page = self.pages[table, seat] = browser.new_context().new_page()  # a machine each
            page.set_default_timeout(PATIENCE)
            page.add_init_script(
                "window.right = Date.now.bind(Date);"
                f"Date.now = () => right() + {chance.randint(-3_600_000, 3_600_000)};"
            )
            page.goto(f"{house.address}/play/{table}/{seat}")

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
def test_at_the_close_each_page_says_what_the_ledger_says(browser, database, tmp_path, later):
    with house_server(database, tmp_path / "house") as house:
        crowd = Crowd(house, browser, PLACES)
        for table in crowd.tables:
            crowd.say("open", table)
        for page in crowd.pages.values():
            is_open(page, 1)
        at = time.time() + 1.0 + PLACES / 20
        crowd.click_at(at)
        crowd.close_at(at + later)
        shown = crowd.placed()
        with database.connect("sabot_auditor") as connection:
            events = connection.execute(
                "SELECT topic, table_code, convert_from(state, 'UTF8')::jsonb ->> 'seat' "
                "FROM ledger.events WHERE topic LIKE 'coup.%'"
            ).fetchall()
        for page in crowd.pages.values():
            page.context.close()
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
        page.locator("body:not(.stale) #clock", has_text="s").wait_for()
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
        seen = Follower(connection, "E01").now.seat(3).wagers
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

    assert table.balance == BALANCE - 10_00
