"""Coupons as pages: at the table, in the coup that they lay in, in the list, each by its number."""

import asyncio
import re
from html import unescape

import pytest

from ops.web.pages import coupons
from tests.worlds.coupon_sheets import FREE, MATCH, issue, promotions, sheet, with_coupons
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable
from tests.worlds.pages_here import pages_of
from tests.worlds.terms_of_sheets import approve

FIRST, SECOND = f"B10/{DAY}/1/1", f"B10/{DAY}/1/2"


@pytest.fixture
def evening(dispatcher):
    return with_coupons(dispatcher)


def texts(database, *addresses):
    """What each page says, without its marks."""

    async def asked():
        async with pages_of(database, language="en") as ask:
            return [await ask(each) for each in addresses]

    pages = asyncio.run(asked())
    assert {status for status, _ in pages} == {200}, pages
    plain = (re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(style|script).*?</\1>", "", text))
             for _, text in pages)  # fmt: skip
    return [" ".join(unescape(each).split()) for each in plain]


def test_the_list_has_every_coupon_and_a_link_to_each(evening, database):
    async def links():
        async with pages_of(database) as ask:
            return set(re.findall(r'href="/coupons/([^"]+)"', (await ask("/coupons"))[1]))

    assert asyncio.run(links()) == promotions(database).keys()


def test_a_coupons_page_has_all_that_happened_to_it_and_where(evening, database):
    story = coupons.read(database, MATCH)

    assert next(each.coup for each in story.events if each.coup) == FIRST
    assert [each.position for each in story.events] == sorted(e.position for e in story.events)
    assert story.may_void == (promotions(database)[MATCH]["status"] == "issued")
    assert not coupons.read(database, "MP-3").may_void


def test_a_coupons_page_has_no_other_coupon(evening, database):
    issue(evening, "B10")  # as the table is called where others lay
    (page,) = texts(database, "/coupons/B10")

    assert "B10 match play 25.00 issued" in page
    assert MATCH not in page


def test_a_coups_page_says_of_each_coupon_once_what_became_of_it(evening, database):
    first, second = texts(database, f"/coups/{FIRST}", f"/coups/{SECOND}")

    for number in (MATCH, FREE):
        assert re.search(rf"{number} (match play|free bet) of \S+ on \S+ goes back: the", first)
    assert "MP-2 match play of 25.00 on Banker never lay there, goes back 0.00" in second
    assert "FB-1 free bet of 50.00 on Tie loses, collected 0.00" in second


def test_a_table_shows_the_coupon_of_a_seat_until_the_next_coup(dispatcher, database):
    approve(dispatcher, sheet())
    pit = GamingTable(dispatcher, "B10").open("promo@1").prepare()
    issue(pit, MATCH)
    pit.bet(3, "banker", 100_00)
    pit.say("coupon.lay", seat=3, spot="banker", coupon=MATCH)
    (lying,) = texts(database, "/tables/B10")
    pit.deal(BANKER_WINS, settle=True)
    (settled,) = texts(database, "/tables/B10")

    assert "MP-1 match play of 25.00 on Banker" in lying
    assert "MP-1 match play of 25.00 on Banker, wins, collected" in settled
