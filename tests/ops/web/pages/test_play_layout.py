"""An electronic table's cloth on a small and a large screen: what is in sight, and what stays."""

import re
from contextlib import closing
from itertools import count

import pytest

from domain.rules.house_rules import RULE_SETS
from ops.words.conditions import when_words
from tests.waiting import until
from tests.worlds.browsers import PlainBrowser, chromium, hard_to_use
from tests.worlds.house_server import house_server
from tests.worlds.seven_spots import approve_seven_spots

SIZES = [(390, 844), (1280, 800)]
# The spots of which a corner, or what lies there, is under something else.
COVERED = """() => [...document.querySelectorAll(".cloth .spot")].filter(spot =>
    [spot, spot.querySelector(".name"), spot.querySelector(".on")].some(each => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return [top + 6, bottom - 6].some(y =>
            !spot.contains(document.elementFromPoint((left + right) / 2, y)));
    })).map(spot => spot.id)"""
TOPS = """() => [...document.querySelectorAll(".spot, .tray .disc, .acts button")].map(each =>
    [each.id, Math.round(each.getBoundingClientRect().top + scrollY)])"""
_numbers = count(10)


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    home = tmp_path_factory.mktemp("house")
    with server.database() as database, house_server(database, home / "house") as house:
        house.rules = approve_seven_spots(house.terminal("pit-1"), home)
        yield house


class Table:
    """A table of seven spots, dealt line by line; a patron sits at 3."""

    def __init__(self, house, rules=None, method="generated"):
        self.house, self.boss = house, house.terminal("pit-1")
        self.name = f"E{next(_numbers)}"
        self.do("table.open", rules=rules or house.rules, opener={})
        self.do("table.seat", seat=3, patron=f"P-{self.name}")
        self.do("account.pay-in", seat=3, amount=5_000_00)
        self.do("shoe.load", decks=8)
        self.do("shoe.inspect")
        if method == "generated":
            self.do("shoe.shuffle", method=method)
        else:
            self.do("shoe.shuffle", method=method, device="SH-2")
            self.do("shoe.cut", cut_card=14)

    def do(self, command, **fields):
        answer = self.boss.send({"command": command, "table": self.name, **fields})[0]
        assert answer["ok"], answer
        return answer

    @property
    def address(self):
        return f"{self.house.address}/play/{self.name}/3"

    def text(self):
        """The page without its tags."""
        browser = PlainBrowser(self.house.address)
        until(lambda: browser.get(f"/play/{self.name}/3")[0] == 200)
        page = browser.get(f"/play/{self.name}/3")[1]
        return " ".join(re.sub("<[^>]+>", " ", page).split())


def phases(table, page):
    """Goes through a coup with a bet on all spots but one, and stops at each phase."""
    shows = page.locator("#phase")
    shows.get_by_text(re.compile("opens soon|em breve|seguinte")).wait_for()
    yield "soon"
    table.do("open")
    shows.get_by_text(re.compile("waits|espera")).wait_for()
    yield "waits"
    for spot in ("tie", "banker", "dragon-player", "dragon-banker", "pair-player", "pair-banker"):
        if page.locator(f"#spot-{spot}").count():
            table.do("bet", seat=3, spot=spot, amount=5_00)
            page.locator(f"#on-{spot}:not(:empty)").wait_for()
    yield "open"
    due = table.do("no-more-bets")["due"]
    page.locator("#play-state[data-state*='dealing']").wait_for(state="attached")
    yield "dealing"
    while due["action"] == "draw":
        due = table.do("draw")["due"]
    table.do("settle")
    page.locator("#play-result .net").wait_for()
    yield "result"


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("rules", [None, "electronic@1"])
def test_nothing_of_the_cloth_is_covered_and_nothing_moves_in_any_phase(
    house, browser, rules, language
):
    table = Table(house, rules)
    covered, tops, wide = {}, {}, {}
    with closing(browser.new_context(viewport={"width": 390, "height": 844})) as context:
        page = context.new_page()
        until(lambda: page.goto(table.address).ok)
        page.locator(".language select").select_option(language)
        page.locator(".language button").click()
        for phase in phases(table, page):
            for size in SIZES:
                page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
                page.evaluate("scrollTo(0, 0)")
                covered[phase, size] = page.evaluate(COVERED)
                wide[phase, size] = page.evaluate("document.documentElement.scrollWidth")
                tops.setdefault(size, {})[phase] = page.evaluate(TOPS)

    assert {phase: each for phase, each in covered.items() if each} == {}
    assert {phase: each for phase, each in wide.items() if each > phase[1][0]} == {}
    for of_size in tops.values():
        assert {phase: each for phase, each in of_size.items() if each != of_size["soon"]} == {}


def test_on_a_low_screen_the_clock_stays_and_each_spot_comes_into_the_clear(house, browser):
    table = Table(house)
    table.do("open")
    with closing(browser.new_context(viewport={"width": 390, "height": 664})) as context:
        page = context.new_page()
        until(lambda: page.goto(table.address).ok)
        page.locator("#spot-banker").click()
        page.locator("#clock", has_text="s").wait_for()
        hidden = []
        for spot in page.locator(".cloth .spot").all():
            spot.focus()
            spot.evaluate("each => each.scrollIntoView({ block: 'nearest' })")
            hidden += {spot.get_attribute("id")} & {*page.evaluate(COVERED)}
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        clock = page.locator("#clock").bounding_box()
        top = page.evaluate(
            """() => { const box = document.getElementById("clock").getBoundingClientRect();
            return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).id; }"""
        )

    assert hidden == []
    assert 0 <= clock["y"] < 60
    assert top == "clock"


def test_the_first_chip_reaches_a_main_bet_whose_least_and_most_are_on_the_cloth(house, browser):
    table = Table(house)
    table.do("open")
    with closing(browser.new_context()) as context:
        page = context.new_page()
        until(lambda: page.goto(table.address).ok)
        bounds = page.locator("#play-bounds").inner_text()
        page.locator("#phase", has_text="waits").wait_for()
        page.locator("#spot-player").click()
        page.locator("#on-player", has_text="5.00").wait_for()
        page.locator("#said", has_text="Placed.").wait_for()
        table.do("table.limits", spot="main", minimum=10_00)
        page.locator("#play-bounds", has_text="10–1,000").wait_for()

    assert bounds == "Player, Banker 5–1,000 · Tie 2–200 · Side bets 2–100"


def test_seven_spots_are_not_hard_to_use(house, browser):
    table = Table(house)
    with closing(browser.new_context(bypass_csp=True)) as context:
        page = context.new_page()
        until(lambda: page.goto(table.address).ok)
        for phase in phases(table, page):
            if phase == "result":
                page.locator("#how summary").click()

                assert hard_to_use(page) == []


def test_the_rules_say_what_each_odds_are_for_and_how_a_payment_is_rounded(house):
    text = Table(house).text()

    assert "natural win: 1 · by 9: 30 · by 8: 10 · by 7: 6 · by 6: 4 · by 5: 2 · by 4: 1" in text
    assert "by 4: 1 to 1 · natural tie: returned" in text
    assert "19 to 20 · tie: returned" in text
    assert "A payment that is no multiple of 1.00 is rounded up to the next one." in text
    assert "45.86% −1.24%" in text  # of a bet of 5.00, which wins 5.00


def test_a_table_that_pays_to_the_last_cent_keeps_its_exact_edge(house):
    text = Table(house, "electronic@1").text()

    assert "Payments are made to 0.01" in text
    assert "45.86% 1.06%" in text


def test_what_came_back_says_why(house):
    table = Table(house, method="machine")
    table.do("open")
    for spot in ("banker", "dragon-banker", "tie"):
        table.do("bet", seat=3, spot=spot, amount=5_00)
    table.do("no-more-bets")
    for card in ("9C", "9S", "KC", "KD"):
        table.do("draw", card=card)
    table.do("settle")
    until(lambda: "back (" in table.text())
    text = table.text()
    past = PlainBrowser(house.address)
    _, past = past.get(f"/play/{table.name}/3/past")

    assert "Banker 5.00: 5.00 back (tie: returned)" in text
    assert "Dragon Banker 5.00: 5.00 back (natural tie: returned)" in text
    assert "Banker 5.00: 5.00 back (tie: returned)" in past


def test_every_condition_of_the_programs_own_rule_sets_has_words():
    of_all = {line.when for rules in RULE_SETS.values() for spot in rules.spots.values()
              for line in spot.pays}  # fmt: skip

    assert [when for when in sorted(of_all) if when_words(when) is None] == []
