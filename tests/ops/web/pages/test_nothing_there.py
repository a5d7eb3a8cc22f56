"""The page of what the record does not have says so in words, with a way back."""

import re

import pytest

from ops.web.pages.addresses import PAGES, POST
from tests.worlds.pages_here import pages_of, ran, words_of

# By address, one of that kind that nothing has.
NOTHING = {
    "/alerts/{alert:path}": "/alerts/late-bet/999999",
    "/tables/{table}": "/tables/Z99",
    "/wall/{table}": "/wall/Z99",
    "/play/{table}/{seat:number}": "/play/Z99/3",
    "/play/{table}/{seat:number}/past": "/play/Z99/3/past",
    "/play/{table}/{seat:number}/shoes/{shoe:path}.json": (
        "/play/Z99/3/shoes/Z99/2026-11-21/1.json"
    ),
    "/watch/{table}": "/watch/Z99",
    "/roads/{shoe:path}.svg": "/roads/Z99/2026-11-21/1.svg",
    "/coups/{coup:path}/pack.{form}": "/coups/Z99/2026-11-21/1/1/pack.pdf",
    "/coups/{coup:path}.json": "/coups/Z99/2026-11-21/1/1.json",
    "/coups/{coup:path}": "/coups/Z99/2026-11-21/1/1",
    "/coupons/{coupon:path}": "/coupons/MP-99999",
    "/incidents/{incident}": "/incidents/IR-2026-9999",
    "/aml/{aml_case}": "/aml/AML-2026-9999",
    "/inquiries/{inquiry}": "/inquiries/I-2026-9999",
    "/shoes/{shoe:path}": "/shoes/Z99/2026-11-21/1",
    "/rules/{rule}": "/rules/R-NONE",
    "/cases/{case}": "/cases/C-2026-9999",
    "/reports/{report}.{form}": "/reports/no-such-report.csv",
    "/reports/{report}": "/reports/no-such-report",
    "/patrons/{patron:path}": "/patrons/nobody-heard-of",
    "/stays/{stay:path}": "/stays/Z99/2026-11-21/stay-1",
    "/days/{day}": "/days/2031-01-01",
    "/staff/{staff}": "/staff/X-999",
    "/group/{question}": "/group/no-such-question",
    "/group/{question}.{form}": "/group/no-such-question.csv",
    "/slips/{slip}": "/slips/2031-000001",
    "/manual/{topic}": "/manual/no-such-topic",
    "/ledger/{position:number}": "/ledger/999999999",
}
# A file is made by a process, which this house in the test has not; the past of a place is a part
# of its page.
ELSEWHERE = {
    *("/coups/{coup:path}/pack.{form}", "/coups/{coup:path}.json"),
    "/play/{table}/{seat:number}/past",
}
KINDS = {path for way, path, _ in PAGES if way != POST and "{" in path and "/live/" not in path}


def test_every_kind_of_address_is_asked_about():
    assert {*NOTHING} == KINDS


@pytest.fixture(scope="module")
def pages(night):
    async def scene():
        async with pages_of(night, language="en") as ask:
            return {at: await ask(NOTHING[at]) for at in sorted(KINDS - ELSEWHERE)}

    return ran(scene())


@pytest.mark.parametrize("at", sorted(KINDS - ELSEWHERE))
def test_the_page_of_nothing_is_a_404_in_words_with_a_way_back(pages, at):
    status, text = pages[at]

    assert status == 404, text[:2000]
    assert "Not found" in words_of(text)
    assert re.search(r'<p class="reply refused" role="status" id="refused">[A-Z][^<]+', text), text
    assert "data-undone" in text  # the way back
    assert "Error" not in text


@pytest.mark.parametrize(
    "address",
    [
        *("/patrons/P-10417", "/patrons/grey-jacket", "/days/2026-11-21", "/staff/D-204"),
        *("/staff/D-9", "/slips/2026-000001", "/wall/B01", "/stays/B06/2026-11-21/stay-1"),
    ],
)
def test_what_is_on_record_has_its_page(night, address):
    async def scene():
        async with pages_of(night, language="en") as ask:
            return await ask(address)

    status, text = ran(scene())

    assert status == 200, text


@pytest.mark.parametrize("address", ["/", "/tables/B01", "/reports/coup", "/reports/inventory"])
def test_staff_on_a_page_lead_to_their_own_page(night, address):
    async def scene():
        async with pages_of(night, language="en") as ask:
            _, text = await ask(address)
            staff = sorted(set(re.findall(r'href="(/staff/[^"]+)"', text)))
            return staff, [(each, (await ask(each))[0]) for each in staff]

    staff, answers = ran(scene())

    assert staff
    assert answers == [(each, 200) for each in staff]
