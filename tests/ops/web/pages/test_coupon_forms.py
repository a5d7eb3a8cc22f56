"""Coupons in a browser: the forms to issue and to void, the ways to each, and a patron's copy."""

import re
from html import unescape

import pytest

from tests.worlds.browsers import PlainBrowser
from tests.worlds.coupon_sheets import FREE, MATCH, issue, promotions, sheet, with_coupons
from tests.worlds.gaming_table import DAY, PLAYER_WINS, GamingTable
from tests.worlds.house_server import house_server
from tests.worlds.terms_of_sheets import approve

COUP = f"B10/{DAY}/1"


@pytest.fixture
def browser(database, tmp_path):
    """A browser in an open house."""
    with house_server(database, tmp_path / "house") as house:
        yield PlainBrowser(house.address)


def text_of(browser, path):
    """What a page reads, without its marks."""
    status, page = browser.get(path)
    assert status == 200, page
    return " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())


def test_a_table_without_coupons_has_no_row_for_them(dispatcher, browser):
    approve(dispatcher, sheet())
    GamingTable(dispatcher).open("promo@1").prepare().bet(3, "banker", 100_00)

    assert "coupon" not in text_of(browser, "/tables/B01").partition("Layout")[2]


def test_the_display_says_which_coupons_a_table_takes(dispatcher, browser):
    approve(dispatcher, sheet())
    GamingTable(dispatcher).open("promo@1").prepare()

    assert "match play on Player or Banker, pays the odds of its spot" in text_of(
        browser, "/wall/B01"
    )


def test_a_coup_shows_a_patron_their_coupon_alone(dispatcher, browser):
    with_coupons(dispatcher)
    copy = text_of(browser, f"/coups/{COUP}/1?for=grey-jacket")

    assert FREE in copy
    assert MATCH not in copy


def test_a_page_that_a_patron_is_shown_leads_to_the_paper_of_that_patron_alone(dispatcher, browser):
    with_coupons(dispatcher)
    (paper,) = re.findall(
        r'href="([^"]+/pack[.][^"]+)"', browser.get(f"/coups/{COUP}/1?for=grey-jacket")[1]
    )
    status, headers, _ = browser.send("GET", paper)
    nobody = browser.get(f"/coups/{COUP}/1/pack.pdf?for=P-99999")

    assert paper == f"/coups/{COUP}/1/pack.pdf?for=grey-jacket"
    assert (status, headers["Content-Type"]) == (200, "application/pdf")
    assert f"{COUP.replace('/', '-')}-1-grey-jacket.pdf" in headers["Content-Disposition"]
    assert nobody[0] == 422
    assert "wager of P-99999" in nobody[1]


def test_a_coupons_page_has_everything_that_happened_to_it(dispatcher, browser):
    with_coupons(dispatcher)
    page = text_of(browser, f"/coupons/{MATCH}")
    in_order = [
        "Coupon MP-1 is issued, a match play of 25.00.",
        "lays coupon MP-1 on Player, a match play of 25.00.",
        "takes coupon MP-1 back from Player.",
        "lays coupon MP-1 on Banker, a match play of 25.00.",
        "coupon MP-1 wins on Banker, paid 25.00.",
        "who gives back 25.00",
    ]

    assert sorted(in_order, key=page.find) == in_order
    assert all(each in page for each in in_order)
    assert f"{COUP}/1" in page
    assert "MP-2" not in page
    assert "is refused at B10" in text_of(browser, "/coupons/MP-3")


def test_coupons_are_reached_from_the_report_the_patron_the_day_and_the_search(dispatcher, browser):
    with_coupons(dispatcher)
    for path in ("/reports/promotions", "/patrons/P-10417", f"/days/{DAY}", "/coupons"):
        assert f'href="/coupons/{MATCH}"' in browser.get(path)[1], path

    assert "/coupons/MP-2" == browser.send("GET", "/find?q=mp-2")[1]["Location"]


def test_a_number_that_no_coupon_has_is_no_page(dispatcher, browser):
    with_coupons(dispatcher)

    assert 404 == browser.get("/coupons/MP-99")[0]
    assert 404 == browser.get("/coupons/mp-1")[0]


def test_a_coupon_is_issued_and_voided_on_pages(dispatcher, database, browser):
    approve(dispatcher, sheet())
    form = {"coupon": "N 7/1?", "kind": "free-bet", "worth": "50", "last_day": "2026-12-31"}
    status, headers, _ = browser.send("POST", "/coupons", form)
    place = headers["Location"]
    page = browser.get(place)[1]
    row = promotions(database)["N 7/1?"]

    assert (303, "/coupons/N%207%2F1%3F") == (status, place)
    assert "Void the coupon" in page
    assert ("free-bet", 50_00, "2026-12-31", "issued") == (
        row["kind"], row["worth"], row["last_day"], row["status"],
    )  # fmt: skip

    void = {"coupon": "N 7/1?", "reason": "came back"}
    assert 303 == browser.send("POST", "/coupons/void", void)[0]
    assert "void" == promotions(database)["N 7/1?"]["status"]
    assert "Void the coupon" not in browser.get(place)[1]


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"kind": "match-play", "worth": "25"}, "Fill in Number."),
        ({"coupon": "MP-9", "kind": "match-play", "worth": "many"}, "Worth cannot be"),
        ({"coupon": "MP-9", "kind": "gift", "worth": "25"}, "Kind cannot be"),
    ],
)
def test_a_form_that_is_filled_in_wrongly_is_answered_in_words(dispatcher, browser, form, why):
    approve(dispatcher, sheet())
    status, page = browser.post("/coupons", form)

    assert 422 == status
    assert why in unescape(page)


def test_a_used_coupon_offers_no_form(dispatcher, browser):
    approve(dispatcher, sheet())
    pit = GamingTable(dispatcher).open("promo@1").prepare()
    issue(pit, FREE, "free-bet", 50_00)
    pit.say("coupon.lay", seat=5, spot="tie", coupon=FREE)
    pit.deal(PLAYER_WINS, settle=True)

    assert "Void the coupon" not in browser.get(f"/coupons/{FREE}")[1]
    assert "loses, collected" in text_of(browser, pit_coup := f"/coups/B01/{DAY}/1/1")
    assert "FB-1" in text_of(browser, f"{pit_coup}?event=2")
