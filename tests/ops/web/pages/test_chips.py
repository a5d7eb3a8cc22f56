"""Chips in a browser: a fill from request to receipt by four people, and the count of a shift."""

import re
from html import unescape

import pytest

from tests.waiting import until
from tests.worlds.browsers import PlainBrowser
from tests.worlds.closed_house import PIN
from tests.worlds.house_server import house_server

PEOPLE = {
    "D-1": "dealer", "S-1": "supervisor", "PB-1": "pit-boss", "C-1": "cage", "R-1": "security",
    "V-1": "surveillance",
}  # fmt: skip
FILL = {"table": "B01", "kind": "fill", "chips-10000": "5", "chips-2500": ""}


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    with (
        server.database() as database,
        house_server(database, tmp_path_factory.mktemp("house") / "house") as house,
    ):
        boss = house.terminal("pit-1")
        opened = ("table", "open", "B01", "classic@1", "--opener", "100=90", "--opener", "25=100")
        assert boss.run(*opened).exit_code == 0
        boss.run("staff", "approve-terminal", boss.key, "pit 1")
        boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
        house.browsers = {}
        for staff, role in PEOPLE.items():
            code = boss.ask("staff", "enrol", staff, f"N {staff}", role)["code"]
            browser = PlainBrowser(house.address).approved_by(boss)
            chosen = {"staff": staff, "pin": code, "new": PIN, "again": PIN, "table": ""}
            if role == "dealer" and staff == "D-1":
                chosen["table"] = "B01"
            assert browser.post("/sign-on", chosen)[0] == 303
            house.browsers[staff] = browser
        yield house


def send(browser, path, form):
    """Where one goes on after a form; the page if a second person has to sign or it was refused."""
    status, headers, text = browser.send("POST", path, form)
    return headers["Location"] if status == 303 else text


def signed(browser, path, form, pin=PIN):
    """The same, after the second person typed their PIN on the page that asks for it."""
    asked = send(browser, path, form)
    seen = re.search(r'name="seen" value="(\w+)"', asked)
    assert seen, asked
    return send(browser, path, {**form, "pin": pin, "seen": seen[1]})


def offered(browser, page):
    """The addresses of the forms on a page."""
    return re.findall(r'<form class="sheet" method="post" action="([^"]+)"', browser.get(page)[1])


def test_without_a_slip_whoever_may_request_one_reads_where(house):
    says = "is requested on the page of its table"
    assert [says in house.browsers[who].get("/slips")[1] for who in ("PB-1", "V-1")] == [
        True,
        False,
    ]


def test_a_fill_goes_from_request_to_receipt_and_each_step_is_offered_to_whoever_takes_it(house):
    boss, cage, runner = (house.browsers[each] for each in ("PB-1", "C-1", "R-1"))
    assert offered(boss, "/tables/B01") == ["/slips", "/tables/B01/shift-count"]
    slip = send(boss, "/slips", FILL)
    number = slip.rpartition("/")[2]
    assert "Next the cage issues it." in boss.get(slip)[1]
    steps = [{who: offered(house.browsers[who], slip) for who in ("C-1", "R-1", "S-1", "V-1")}]
    assert send(cage, f"{slip}/issue", {}) == slip
    steps.append({who: offered(house.browsers[who], slip) for who in ("C-1", "R-1")})
    assert send(runner, f"{slip}/carry", {}) == slip
    steps.append({who: offered(house.browsers[who], slip) for who in ("R-1", "S-1")})
    assert signed(house.browsers["S-1"], f"{slip}/receive", {"with": "PB-1"}) == slip
    steps.append({who: offered(house.browsers[who], slip) for who in ("C-1", "S-1")})
    page = cage.get(slip)[1]

    assert "Next " not in page
    issue, carry, receive, void = (f"{slip}/{act}" for act in ("issue", "carry", "receive", "void"))
    assert steps == [
        {"C-1": [issue, void], "R-1": [], "S-1": [void], "V-1": []},
        {"C-1": [void], "R-1": [carry]},
        {"R-1": [], "S-1": [receive, void]},
        {"C-1": [], "S-1": []},
    ]
    assert number in page
    assert "500.00" in page
    for what in ("5 of 100", "PB-1", "C-1", "R-1", "S-1"):  # which chips, and who had them
        assert f">{what}" in page


def test_a_dealer_asks_for_chips_with_a_supervisor_and_a_pit_boss_alone(house):
    dealer = house.browsers["D-1"]
    page = dealer.get("/tables/B01")[1]
    form = re.search(r'action="/slips".*?</form>', page, re.S)[0]
    of_boss = re.search(
        r'action="/slips".*?</form>', house.browsers["PB-1"].get("/tables/B01")[1], re.S
    )[0]
    went = signed(dealer, "/slips", {**FILL, "with": "S-1"})
    boss = house.browsers["PB-1"]
    number = max(re.findall(r'href="/slips/([0-9-]+)"', boss.get("/slips")[1]))
    slip = boss.get(f"/slips/{number}")[1]

    assert {*re.findall(r'href="/staff/([\w-]+)"', slip)} == {"D-1", "S-1"}  # both who asked
    assert ('name="with"' in form, 'name="with"' in of_boss) == (True, False)
    assert went == "/tables/B01"  # a dealer reads no slip; their table is where they are


def test_the_list_has_what_is_under_way_first_and_who_waits_for_it_finds_it(house):
    cage = house.browsers["C-1"]
    slip = send(house.browsers["PB-1"], "/slips", FILL)
    page = cage.get("/slips")[1]
    numbers = re.findall(r'href="/slips/(\d+-\d+)"', page)

    assert numbers[0] == slip.rpartition("/")[2]
    assert 'href="/slips"' in house.browsers["R-1"].get("/manual")[1]  # on every page
    assert 'href="/slips"' not in house.browsers["D-1"].get("/manual")[1]
    assert signed(cage, f"{slip}/void", {"reason": "asked twice", "with": "S-1"}) == slip
    assert "asked twice" in cage.get(slip)[1]


def test_chips_on_their_way_stand_at_their_table_in_the_pit_and_on_its_page(house):
    boss = house.browsers["PB-1"]

    def everywhere(there):
        return all((says in boss.get(page)[1]) == there for page in ("/", "/tables/B01"))

    slip = send(boss, "/slips", FILL)
    says = f"Fill {slip.rpartition('/')[2]} 500.00 requested"
    until(lambda: everywhere(there=True))
    signed(house.browsers["C-1"], f"{slip}/void", {"reason": "asked twice", "with": "S-1"})
    until(lambda: everywhere(there=False))


def test_a_tray_is_counted_at_the_end_of_a_shift_by_two_people(house):
    count = {"table": "B01", "chips-10000": "90", "chips-2500": "99", "with": "PB-1"}
    then = signed(house.browsers["S-1"], "/tables/B01/shift-count", count)
    page = house.browsers["S-1"].get(then)[1]

    assert then == "/reports/inventory?table=B01"
    assert "11,475.00" in page


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"kind": "fill"}, "no chips on the slip"),
        ({"kind": "fill", "chips-10000": "many"}, "a count is a whole number"),
        ({"kind": "gift", "chips-10000": "1"}, "write fill or credit"),
        ({"kind": "fill", "chips-7": "1"}, "7"),
        ({"kind": "fill", "chips-x": "1"}, "no chips on the slip"),
    ],
)
def test_a_form_that_is_filled_in_wrongly_is_answered_in_words(house, form, why):
    status, text = house.browsers["PB-1"].post("/slips", {"table": "B01", **form})

    assert status == 422
    assert why in unescape(text)


def test_a_slip_that_there_is_not_is_no_page_and_offers_nothing(house):
    for slip in ("2026-000999", "none", "99999-1"):
        assert offered(house.browsers["C-1"], f"/slips/{slip}") == []
        assert house.browsers["C-1"].post(f"/slips/{slip}/issue")[0] == 422
    assert house.browsers["C-1"].post("/slips/2026-000001/burn")[0] == 404
