"""A place at an electronic table: whose page it is, what counts, and that nobody overdraws."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection
from itertools import count
from random import Random
from secrets import token_hex

import pytest

from domain.aggregates.property import Property
from ops.commands.command import Command
from ops.web.pages.played import past_of
from tests.waiting import until
from tests.worlds.browsers import PlainBrowser
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import PLAYER_WINS, mouth_on
from tests.worlds.house_server import house_server

BALANCE = 100_00


def opened(terminal, table):
    """A table with a generated shoe, patrons at 3 and 5, and a coup open for bets."""
    table = {"table": table}
    answers = terminal.send(
        {"command": "table.open", "rules": "electronic@1", "opener": {}, **table},
        *(
            line
            for seat in (3, 5)
            for line in (
                {"command": "table.seat", "seat": seat, "patron": f"P-{seat}", **table},
                {"command": "account.pay-in", "seat": seat, "amount": BALANCE, **table},
            )
        ),
        {"command": "shoe.load", "decks": 8, **table},
        {"command": "shoe.inspect", **table},
        {"command": "shoe.shuffle", "method": "generated", **table},
        {"command": "open", **table},
    )
    assert all(each["ok"] for each in answers), answers


def day():
    now = datetime.now(UTC)
    return Property.establish(now).clock.day_of(now)


class House:
    """A house server, of which a test has one electronic table."""

    def __init__(self, server, table):
        self.table = table
        self.database, self.address, self.books = server.database, server.address, server.books
        self.terminal, self.boss = server.terminal, server.terminal("pit-1")

    def browser(self):
        """A new one, which is at no place yet."""
        return PlainBrowser(self.address)

    def place(self, seat=3):
        """The path of a place's page."""
        return f"/play/{self.table}/{seat}"

    def bet(self, browser, number, stakes, seat=3, coup=1):
        """Status and body after somebody clicked; `number`: of the bet at this table."""
        sent = {
            "id": f"{int(self.table[1:]):016x}{number:016x}",
            "coup": f"{self.table}/{day()}/1/{coup}",
            "stakes": stakes,
        }
        return browser.post_json(f"{self.place(seat)}/bets", sent)

    def events(self, topic):
        with self.database.connect("sabot_auditor") as connection:
            asked = (
                "SELECT state, metadata, actor FROM ledger.events "
                "WHERE topic = %s AND table_code = %s ORDER BY position"
            )
            rows = connection.execute(asked, (topic, self.table)).fetchall()
        return [(json.loads(state), json.loads(how), actor) for state, how, actor in rows]

    def open_windows(self):
        """How many the server counts, in each of its rooms."""
        metrics = self.browser().get("/metrics")[1].splitlines()
        return [float(each.split()[1]) for each in metrics if each.startswith("sabot_open{")]

    def balance(self):
        """Of whoever sits at 3; the accounts, the coups and the tray agree."""
        self.books.casino.begin(Command())
        world = ElectronicTable(self.books, self.table)
        world.require_books()
        return world.balance(3)


_numbers = count(10)


@contextmanager
def house_of(server, home):
    """A server and its books, until the block ends."""
    with (
        server.database() as database,
        house_server(database, home) as house,
        mouth_on(database) as house.books,
    ):
        yield house


@pytest.fixture(scope="module")
def open_house(server, tmp_path_factory):
    with house_of(server, tmp_path_factory.mktemp("open") / "house") as house:
        yield house


@pytest.fixture
def house(open_house):
    """An open house, with a table that no other test has."""
    house = House(open_house, f"E{next(_numbers)}")
    opened(house.terminal("pit-1"), house.table)
    return house


@pytest.fixture
def place(house):
    """A browser at seat 3."""
    browser = house.browser()
    until(lambda: browser.get(house.place())[0] == 200)
    return browser


def test_what_is_clicked_lies_on_the_cloth_once_however_often_it_is_sent(house, place):
    first = [house.bet(place, 1, {"banker": 25_00, "tie": 1_00}) for _ in range(3)]

    assert [(200, True)] * 3 == [(status, body["ok"]) for status, body in first]
    assert len(house.events("coup.wager-placed")) == 2
    assert house.balance() == BALANCE - 26_00


def test_a_wager_of_nothing_is_taken_back_first(house, place):
    house.bet(place, 1, {"banker": 25_00})
    _, body = house.bet(place, 2, {"player": 10_00, "banker": 0})

    assert body["ok"]
    assert house.balance() == BALANCE - 10_00


@pytest.mark.parametrize(
    ("wagers", "error"),
    [
        ({"banker": BALANCE + 1_00}, "AccountShort"),
        ({"banker": 1_50}, "NotAnIncrement"),
        ({"lucky-6": 1_00}, "SpotNotOffered"),
        ({"moon": 1_00}, "BadValue"),
        ({"tie": -1_00}, "BadValue"),
    ],
)
def test_a_wager_that_breaks_a_rule_goes_back_with_the_words(house, place, wagers, error):
    _, body = house.bet(place, 1, wagers)

    assert (body["ok"], body["error"]) == (False, error)
    assert body["message"]
    assert house.balance() == BALANCE


def test_too_late_is_what_the_ledger_has_after_the_closing(house, place):
    house.terminal("pit-1").send({"command": "no-more-bets", "table": house.table})
    _, body = house.bet(place, 1, {"banker": 10_00})

    assert (body["ok"], body["message"]) == (False, "No more bets.")
    assert len(house.events("coup.late-bet-refused")) == 1
    assert house.balance() == BALANCE


def test_a_hundred_clicks_at_once_never_overdraw(house, place):
    chance = Random(24)
    stakes = [chance.choice([1_00, 5_00, 25_00, 100_00]) for _ in range(100)]
    spots = [chance.choice(["banker", "tie"]) for _ in range(100)]

    def click(n):
        return house.bet(place, n + 1, {spots[n]: stakes[n]})[1]

    with ThreadPoolExecutor(20) as clicking:
        answers = list(clicking.map(click, range(100)))

    assert {True} <= {each["ok"] for each in answers}
    assert 0 <= house.balance() < BALANCE


def test_a_click_is_for_the_coup_on_which_it_was_made(house, place):
    boss = house.terminal("pit-1")
    boss.send({"command": "no-more-bets", "table": house.table})
    while not boss.send({"command": "settle", "table": house.table})[0]["ok"]:
        assert boss.send({"command": "draw", "table": house.table})[0]["ok"]
    between = house.bet(place, 1, {"banker": 10_00})[1]
    boss.send({"command": "open", "table": house.table})
    after = house.bet(place, 2, {"banker": 10_00})[1]

    assert ["CoupOver", "CoupOver"] == [between["error"], after["error"]]
    assert house.bet(place, 3, {"banker": 10_00}, coup=2)[1]["ok"]
    assert len(house.events("coup.opened")) == 2
    assert house.balance() == BALANCE - 10_00


def test_nothing_of_a_refused_change_is_done(house, place):
    house.bet(place, 1, {"player": 25_00})
    _, body = house.bet(place, 2, {"player": 0, "banker": BALANCE + 1_00})

    assert body["error"] == "AccountShort"
    assert house.balance() == BALANCE - 25_00


def test_nobody_bets_without_an_account(house):
    house.terminal("pit-1").send(
        {"command": "table.seat", "table": house.table, "seat": 4, "patron": "P-4"}
    )
    browser = house.browser()
    browser.get(house.place(4))

    assert house.bet(browser, 1, {"banker": 10_00}, 4)[1]["error"] == "NoAccount"
    assert house.events("coup.wager-placed") == []


@pytest.mark.parametrize(
    "body", [{}, {"id": "x"}, {"id": "0" * 32, "coup": "E01", "stakes": {}}, ["banker"]]
)
def test_what_no_page_sends_is_refused_in_words(house, place, body):
    status, _ = place.post_json(f"{house.place()}/bets", body)

    assert status in (400, 422)


def test_a_place_that_there_is_not(house, place):
    assert [place.get(path)[0] for path in (house.place(99), "/play/B09/1")] == [404, 404]


def test_the_places_are_found_without_their_addresses(house, place):
    status, page = place.get("/play")

    assert status == 200
    assert f'href="{house.place(3)}"' in page
    assert 'href="/play/B01/' not in page


def test_a_table_of_chips_has_no_places(house, place):
    house.terminal("pit-1").run("table", "open", "B01", "classic@1", "--opener", "100=90")

    assert place.get("/play/B01/3")[0] == 404


def test_the_last_coups_are_shown_with_what_was_bet_and_had(house, place):
    house.bet(place, 1, {"player": 10_00})
    boss = house.terminal("pit-1")
    boss.send({"command": "no-more-bets", "table": house.table})
    while not boss.send({"command": "settle", "table": house.table})[0]["ok"]:
        assert boss.send({"command": "draw", "table": house.table})[0]["ok"]
    _, text = place.get(f"{house.place()}/past")
    _, others = place.get(f"{house.place(5)}/past")

    assert "Player 10.00" in text
    assert "Balance" in text
    assert "Player 10.00" not in others

    coup, two = f"{house.table}/{day()}/1/1", ("--by", "D-204", "--with", "S-11")
    voided = boss.run("void", coup, "a torn card", *two)
    _, text = place.get(f"{house.place()}/past")

    assert voided.exit_code == 0, voided.output
    assert "This coup is void." in text
    assert "Player 10.00: 10.00 back" in text

    assert boss.send({"command": "open", "table": house.table})[0]["ok"]
    until(lambda: "Coup 1 was voided after it was paid: " in place.get(house.place())[1])
    assert "Coup 1 was voided" not in place.get(house.place(5))[1]  # which had no bet in it


def test_the_last_coups_go_back_into_the_shoe_before(pit, database):
    first = pit.play(PLAYER_WINS, (3, "player", 100_00)).body["coup"]
    pit.end_shoe()
    pit.prepare()
    second = pit.play(PLAYER_WINS, (3, "player", 100_00)).body["coup"]
    coups, _ = past_of(database, pit.table, 3)

    assert [each.coup for each in coups] == [second, first]
    assert [len(each.bets) for each in coups] == [1, 1]


def test_the_order_of_a_shoe_is_shown_when_it_has_ended_and_not_before(house, place):
    shoe = house.events("shoe.loaded")[0][0]["shoe"]
    before = json.loads(place.get(f"{house.place()}/shoes/{shoe}.json")[1])

    assert before == {"order": [], "secret": ""}
    assert place.get(f"{house.place()}/shoes/E02/2026-11-21/1.json")[0] == 404


OF_THE_CLOSED = [f"E{n}" for n in range(10, 18)]  # a table for each test


@pytest.fixture(scope="module")
def closed_house(server, tmp_path_factory):
    """A house in which somebody is enrolled since its tables were opened."""
    with house_of(server, tmp_path_factory.mktemp("closed") / "house") as house:
        boss = house.terminal("pit-1")
        for table in OF_THE_CLOSED:
            opened(boss, table)
        boss.run("staff", "approve-terminal", boss.key, "pit 1")
        boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
        house.tables = iter(OF_THE_CLOSED)
        yield house


@pytest.fixture
def closed(closed_house):
    """It, with a table that no other test has."""
    return House(closed_house, next(closed_house.tables))


def test_a_place_is_for_the_terminal_that_was_approved_under_its_name(closed):
    mine = closed.browser().approved_by(closed.boss, f"{closed.table}/3")
    other = closed.browser().approved_by(closed.boss, f"{closed.table}/5")
    bar = closed.browser().approved_by(closed.boss, "the bar")

    assert [each.get(closed.place())[0] for each in (mine, other, bar)] == [200, 403, 403]
    assert closed.browser().get(closed.place())[0] == 403
    assert closed.bet(mine, 1, {"banker": 10_00})[1]["ok"]
    assert closed.bet(other, 2, {"banker": 10_00})[0] == 403
    assert closed.bet(mine, 3, {"banker": 10_00}, 5)[0] == 403
    assert closed.balance() == BALANCE - 10_00
    assert [f"{closed.table}/3"] == [actor for *_, actor in closed.events("coup.wager-placed")]


def test_a_place_bets_and_does_nothing_else(closed):
    terminal = closed.terminal("E01-3")
    terminal.run("board", "--once")  # it makes its key
    closed.boss.run("staff", "approve-terminal", terminal.key, f"{closed.table}/3")
    clicks = {
        "command": "account.bet",
        "table": closed.table,
        "coup": f"{closed.table}/{day()}/1/1",
    }
    answers = terminal.send(
        {**clicks, "seat": 3, "stakes": {"banker": 10_00}},
        {**clicks, "seat": 5, "stakes": {"banker": 10_00}},
        {**clicks, "table": "E02", "seat": 3, "stakes": {"banker": 10_00}},
        {"command": "bet", "table": closed.table, "seat": 3, "spot": "banker", "amount": 20_00},
        {"command": "withdraw", "table": closed.table, "seat": 3},
        {"command": "no-more-bets", "table": closed.table},
        {"command": "account.pay-in", "table": closed.table, "seat": 3, "amount": 10_00},
    )

    assert [True, *["NotSignedOn"] * 6] == [each.get("error", True) for each in answers]


def test_anybody_may_watch_and_sees_nobody_and_nothing_else(closed):
    phone = closed.browser()
    status, page = phone.get(f"/watch/{closed.table}")

    assert status == 200
    assert not re.search("P-3|P-5|data-spot|100.00", page)
    assert [
        phone.get(each)[0] for each in ("/watch/B09", closed.place(), f"/wall/{closed.table}", "/")
    ] == [*(404, 403, 403, 403)]
    assert closed.bet(phone, 1, {"banker": 10_00})[0] == 403


@pytest.fixture
def windows(closed):
    """Opens windows that go on, from an address of this machine; they are closed at the end."""
    host, port = closed.address.removeprefix("http://").split(":")
    opened = []

    def opens(path, many=1, browser=None, address="127.0.0.1"):
        """Many windows, asked for before the first is answered: how many are answered how."""
        asked = [
            HTTPConnection(host, int(port), timeout=60, source_address=(address, 0))
            for _ in range(many)
        ]
        opened.extend(asked)
        cookies = browser.cookies if browser else {}
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        for each in asked:
            each.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        answers = [each.getresponse() for each in asked]
        opened.extend(answers)
        return Counter(each.status for each in answers)

    yield opens
    for each in opened:
        each.close()
    until(lambda: not any(closed.open_windows()))


def made_up_browser(closed):
    """A browser that made its own cookie, and nobody approved it."""
    browser = closed.browser()
    browser.cookies["sabot-browser"] = token_hex(32)
    return browser


def test_a_crowd_that_watches_takes_no_window_of_the_house(closed, windows):
    crowd = [
        windows(f"/live/watch/{closed.table}", 50, address=f"127.0.0.{n}") for n in range(2, 6)
    ]
    phone = closed.browser()
    mine = closed.browser().approved_by(closed.boss, f"{closed.table}/3")
    one_more = phone.get(f"/live/watch/{closed.table}")

    assert crowd == [Counter({200: 50})] * 4
    assert one_more[0] == 503
    assert "Too many pages are open" in one_more[1]
    assert mine.get(closed.place())[0] == 200
    assert windows(f"/live{closed.place()}", browser=mine) == {200: 1}
    assert closed.bet(mine, 1, {"banker": 10_00})[1]["ok"]


@pytest.mark.parametrize("comes_as", [lambda _: None, made_up_browser], ids=["no cookie", "own"])
def test_a_stranger_is_one_however_many_windows_are_asked_for_at_once(closed, windows, comes_as):
    assert windows(f"/live/watch/{closed.table}", 60, comes_as(closed)) == {200: 50, 503: 10}
    assert windows(f"/live/watch/{closed.table}", 60, comes_as(closed)) == {503: 60}
    assert windows(f"/live/watch/{closed.table}", 1, address="127.0.0.9") == {200: 1}


def test_displays_with_nobody_signed_on_take_no_window_of_a_place_or_a_person(closed, windows):
    crowd = [closed.browser().approved_by(closed.boss, f"wall {n}") for n in range(11)]
    taken = [windows("/live/wall", 25, each) for each in crowd]
    place = closed.browser().approved_by(closed.boss, f"{closed.table}/3")
    display = closed.browser().approved_by(closed.boss, "wall")

    assert sum(taken, Counter())[200] == 200 + 1
    assert windows(f"/live{closed.place()}", 5, place) == {200: 4, 503: 1}
    assert windows("/live/wall", 2, display) == {200: 1, 503: 1}


def test_a_retired_terminal_is_no_place_any_longer(closed):
    mine = closed.browser()
    name = mine.name
    closed.boss.run("staff", "approve-terminal", name, f"{closed.table}/3")
    assert mine.get(closed.place())[0] == 200
    closed.boss.run("staff", "retire-terminal", name, "--reason", "stolen")

    assert mine.get(closed.place())[0] == 403
    assert closed.bet(mine, 1, {"banker": 10_00})[0] == 403
