"""A place at an electronic table: whose page it is, what counts, and that nobody overdraws."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from http.client import HTTPConnection
from random import Random
from secrets import token_hex

import pytest

from domain.aggregates.property import Property
from ops.commands.command import Command
from tests.worlds.browsers import PlainBrowser
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import mouth_on
from tests.worlds.house_server import house_server

BALANCE = 100_00


def opened(terminal):
    """E01 with a generated shoe, patrons at 3 and 5, and a coup open for bets."""
    table = {"table": "E01"}
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


@pytest.fixture
def house(database, tmp_path):
    """An open house with E01."""
    with house_server(database, tmp_path / "house") as house:
        house.database = database
        opened(house.terminal("pit-1"))
        yield house


@pytest.fixture
def place(house):
    """A browser at E01/3."""
    browser = PlainBrowser(house.address)
    assert browser.get("/play/E01/3")[0] == 200
    return browser


def bet(browser, number, stakes, place="E01/3", coup=1):
    sent = {"id": f"{number:032x}", "coup": f"E01/{day()}/1/{coup}", "stakes": stakes}
    return browser.post_json(f"/play/{place}/bets", sent)


def day():
    now = datetime.now(UTC)
    return Property.establish(now).clock.day_of(now)


def events(house, topic):
    with house.database.connect("sabot_auditor") as connection:
        asked = "SELECT state, metadata FROM ledger.events WHERE topic = %s ORDER BY position"
        return [tuple(map(json.loads, row)) for row in connection.execute(asked, (topic,))]


def actors(house, topic):
    with house.database.connect("sabot_auditor") as connection:
        asked = "SELECT actor FROM ledger.events WHERE topic = %s ORDER BY position"
        return connection.execute(asked, (topic,)).fetchall()


def books(house):
    """The accounts, the coups and the tray agree."""
    with mouth_on(house.database) as dispatcher:
        dispatcher.casino.begin(Command())
        ElectronicTable(dispatcher).require_books()
        return ElectronicTable(dispatcher).balance(3)


def test_what_is_clicked_lies_on_the_cloth_once_however_often_it_is_sent(house, place):
    first = [bet(place, 1, {"banker": 25_00, "tie": 1_00}) for _ in range(3)]

    assert [(200, True)] * 3 == [(status, body["ok"]) for status, body in first]
    assert len(events(house, "coup.wager-placed")) == 2
    assert books(house) == BALANCE - 26_00


def test_a_wager_of_nothing_is_taken_back_first(house, place):
    bet(place, 1, {"banker": 25_00})
    _, body = bet(place, 2, {"player": 10_00, "banker": 0})

    assert body["ok"]
    assert books(house) == BALANCE - 10_00


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
    _, body = bet(place, 1, wagers)

    assert (body["ok"], body["error"]) == (False, error)
    assert body["message"]
    assert books(house) == BALANCE


def test_too_late_is_what_the_ledger_has_after_the_closing(house, place):
    house.terminal("pit-1").send({"command": "no-more-bets", "table": "E01"})
    _, body = bet(place, 1, {"banker": 10_00})

    assert (body["ok"], body["rule"]) == (False, "R-DEAL-2")
    assert len(events(house, "coup.late-bet-refused")) == 1
    assert books(house) == BALANCE


def test_a_hundred_clicks_at_once_never_overdraw(house, place):
    chance = Random(24)
    stakes = [chance.choice([1_00, 5_00, 25_00, 100_00]) for _ in range(100)]
    spots = [chance.choice(["banker", "tie"]) for _ in range(100)]

    def click(n):
        return bet(place, n + 1, {spots[n]: stakes[n]})[1]

    with ThreadPoolExecutor(20) as clicking:
        answers = list(clicking.map(click, range(100)))

    assert {True} <= {each["ok"] for each in answers}
    assert 0 <= books(house) < BALANCE


def test_a_click_is_for_the_coup_on_which_it_was_made(house, place):
    boss = house.terminal("pit-1")
    boss.send({"command": "no-more-bets", "table": "E01"})
    while not boss.send({"command": "settle", "table": "E01"})[0]["ok"]:
        assert boss.send({"command": "draw", "table": "E01"})[0]["ok"]
    between = bet(place, 1, {"banker": 10_00})[1]
    boss.send({"command": "open", "table": "E01"})
    after = bet(place, 2, {"banker": 10_00})[1]

    assert ["CoupOver", "CoupOver"] == [between["error"], after["error"]]
    assert bet(place, 3, {"banker": 10_00}, coup=2)[1]["ok"]
    assert len(events(house, "coup.opened")) == 2
    assert books(house) == BALANCE - 10_00


def test_nothing_of_a_refused_change_is_done(house, place):
    bet(place, 1, {"player": 25_00})
    _, body = bet(place, 2, {"player": 0, "banker": BALANCE + 1_00})

    assert body["error"] == "AccountShort"
    assert books(house) == BALANCE - 25_00


def test_nobody_bets_without_an_account(house):
    house.terminal("pit-1").send(
        {"command": "table.seat", "table": "E01", "seat": 4, "patron": "P-4"}
    )
    browser = PlainBrowser(house.address)
    browser.get("/play/E01/4")

    assert bet(browser, 1, {"banker": 10_00}, "E01/4")[1]["error"] == "NoAccount"
    assert events(house, "coup.wager-placed") == []


@pytest.mark.parametrize(
    "body", [{}, {"id": "x"}, {"id": "0" * 32, "coup": "E01", "stakes": {}}, ["banker"]]
)
def test_what_no_page_sends_is_refused_in_words(place, body):
    status, _ = place.post_json("/play/E01/3/bets", body)

    assert status in (400, 422)


@pytest.mark.parametrize("path", ["/play/E01/99", "/play/B09/1"])
def test_a_place_that_there_is_not(place, path):
    assert place.get(path)[0] == 404


def test_a_table_of_chips_has_no_places(house, place):
    house.terminal("pit-1").run("table", "open", "B01", "classic@1", "--opener", "100=90")

    assert place.get("/play/B01/3")[0] == 404


def test_the_last_coups_are_shown_with_what_was_bet_and_had(house, place):
    bet(place, 1, {"player": 10_00})
    boss = house.terminal("pit-1")
    boss.send({"command": "no-more-bets", "table": "E01"})
    while not boss.send({"command": "settle", "table": "E01"})[0]["ok"]:
        assert boss.send({"command": "draw", "table": "E01"})[0]["ok"]
    _, text = place.get("/play/E01/3/past")
    _, others = place.get("/play/E01/5/past")

    assert "Player 10.00" in text
    assert "Balance" in text
    assert "Player 10.00" not in others


def test_the_order_of_a_shoe_is_shown_when_it_has_ended_and_not_before(house, place):
    shoe = events(house, "shoe.loaded")[0][0]["shoe"]
    before = json.loads(place.get(f"/play/E01/3/shoes/{shoe}.json")[1])

    assert before == {"order": [], "secret": ""}
    assert place.get("/play/E01/3/shoes/E02/2026-11-21/1.json")[0] == 404


@pytest.fixture
def closed(house):
    """The same house once somebody is enrolled."""
    boss = house.terminal("pit-1")
    boss.run("staff", "approve-terminal", boss.key, "pit 1")
    boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
    house.boss = boss
    return house


def test_a_place_is_for_the_terminal_that_was_approved_under_its_name(closed):
    mine = PlainBrowser(closed.address).approved_by(closed.boss, "E01/3")
    other = PlainBrowser(closed.address).approved_by(closed.boss, "E01/5")
    bar = PlainBrowser(closed.address).approved_by(closed.boss, "the bar")

    assert [each.get("/play/E01/3")[0] for each in (mine, other, bar)] == [200, 403, 403]
    assert PlainBrowser(closed.address).get("/play/E01/3")[0] == 403
    assert bet(mine, 1, {"banker": 10_00})[1]["ok"]
    assert bet(other, 2, {"banker": 10_00})[0] == 403
    assert bet(mine, 3, {"banker": 10_00}, "E01/5")[0] == 403
    assert books(closed) == BALANCE - 10_00
    assert [("E01/3",)] == actors(closed, "coup.wager-placed")


def test_a_place_bets_and_does_nothing_else(closed):
    terminal = closed.terminal("E01-3")
    terminal.run("board", "--once")  # it makes its key
    closed.boss.run("staff", "approve-terminal", terminal.key, "E01/3")
    clicks = {"command": "account.bet", "table": "E01", "coup": f"E01/{day()}/1/1"}
    answers = terminal.send(
        {**clicks, "seat": 3, "stakes": {"banker": 10_00}},
        {**clicks, "seat": 5, "stakes": {"banker": 10_00}},
        {**clicks, "table": "E02", "seat": 3, "stakes": {"banker": 10_00}},
        {"command": "bet", "table": "E01", "seat": 3, "spot": "banker", "amount": 20_00},
        {"command": "withdraw", "table": "E01", "seat": 3},
        {"command": "no-more-bets", "table": "E01"},
        {"command": "account.pay-in", "table": "E01", "seat": 3, "amount": 10_00},
    )

    assert [True, *["NotSignedOn"] * 6] == [each.get("error", True) for each in answers]


def test_anybody_may_watch_and_sees_nobody_and_nothing_else(closed):
    phone = PlainBrowser(closed.address)
    status, page = phone.get("/watch/E01")

    assert status == 200
    assert not re.search("P-3|P-5|data-spot|100.00", page)
    assert [phone.get(each)[0] for each in ("/watch/B09", "/play/E01/3", "/wall/E01", "/")] == [
        *(404, 403, 403, 403)
    ]
    assert bet(phone, 1, {"banker": 10_00})[0] == 403


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


def made_up_browser(closed):
    """A browser that made its own cookie, and nobody approved it."""
    browser = PlainBrowser(closed.address)
    browser.cookies["sabot-browser"] = token_hex(32)
    return browser


def test_a_crowd_that_watches_takes_no_window_of_the_house(closed, windows):
    crowd = [windows("/live/watch/E01", 50, address=f"127.0.0.{n}") for n in range(2, 6)]
    phone = PlainBrowser(closed.address)
    mine = PlainBrowser(closed.address).approved_by(closed.boss, "E01/3")
    one_more = phone.get("/live/watch/E01")

    assert crowd == [Counter({200: 50})] * 4
    assert one_more[0] == 503
    assert "Too many pages are open" in one_more[1]
    assert mine.get("/play/E01/3")[0] == 200
    assert windows("/live/play/E01/3", browser=mine) == {200: 1}
    assert bet(mine, 1, {"banker": 10_00})[1]["ok"]


@pytest.mark.parametrize("comes_as", [lambda _: None, made_up_browser], ids=["no cookie", "own"])
def test_a_stranger_is_one_however_many_windows_are_asked_for_at_once(closed, windows, comes_as):
    assert windows("/live/watch/E01", 60, comes_as(closed)) == {200: 50, 503: 10}
    assert windows("/live/watch/E01", 60, comes_as(closed)) == {503: 60}
    assert windows("/live/watch/E01", 1, address="127.0.0.9") == {200: 1}


def test_displays_with_nobody_signed_on_take_no_window_of_a_place_or_a_person(closed, windows):
    crowd = [PlainBrowser(closed.address).approved_by(closed.boss, f"wall {n}") for n in range(11)]
    taken = [windows("/live/wall", 25, each) for each in crowd]
    place = PlainBrowser(closed.address).approved_by(closed.boss, "E01/3")
    display = PlainBrowser(closed.address).approved_by(closed.boss, "wall")

    assert sum(taken, Counter())[200] == 200 + 1
    assert windows("/live/play/E01/3", 5, place) == {200: 4, 503: 1}
    assert windows("/live/wall", 2, display) == {200: 1, 503: 1}


def test_a_retired_terminal_is_no_place_any_longer(closed):
    mine = PlainBrowser(closed.address)
    name = mine.name
    closed.boss.run("staff", "approve-terminal", name, "E01/3")
    assert mine.get("/play/E01/3")[0] == 200
    closed.boss.run("staff", "retire-terminal", name, "--reason", "stolen")

    assert mine.get("/play/E01/3")[0] == 403
    assert bet(mine, 1, {"banker": 10_00})[0] == 403
