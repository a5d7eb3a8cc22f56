"""Everything that has a page is in a list, to which its page leads."""

import re

import pytest

from ops.commands.rights import Rights
from ops.finding.opening import opens
from ops.web.pages.addresses import PAGES, POST
from ops.words.found import LISTS
from tests.worlds.pages_here import pages_of, ran

# Below these are no pages of things: streams, pictures, files of pages, and a place at a table.
NO_PAGES = {"live", "roads", "static"}
KINDS = {
    f"/{path.split('/')[1]}"
    for way, path, _ in PAGES
    if way != POST and "{" in path and path.split("/")[1] not in NO_PAGES
}
MEMBERS = {
    "/tables/B01": "/tables",
    "/tables/B05": "/tables",
    "/days/2026-11-21": "/days",
    "/shoes/B01/2026-11-21/1": "/shoes",
    "/coups/B01/2026-11-21/1/1": "/coups",
    "/patrons/P-10417": "/patrons",
    "/stays/B06/2026-11-21/stay-1": "/stays",
    "/staff/D-9": "/staff",
    "/rules/R-DRAW-3": "/rules",
    "/slips/2026-000001": "/slips",
    "/reports/commission": "/reports",
    "/manual/browser": "/manual",
}


@pytest.fixture(scope="module")
def pages(night):
    async def scene():
        async with pages_of(night, language="en") as ask:
            wanted = {*KINDS, *MEMBERS, "/find", "/reports/table-win"}
            return {at: await ask(at) for at in sorted(wanted)}

    return ran(scene())


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_page_has_a_list(pages, kind):
    status, text = pages[kind]

    assert status in (200, 303), text


@pytest.mark.parametrize("page", MEMBERS)
def test_a_page_leads_to_the_list_of_its_kind(pages, page):
    above = re.search(r'class="line above no-print"><a href="([^"]*)"', pages[page][1])

    assert above
    assert above[1] == MEMBERS[page]


def test_the_page_of_the_search_leads_to_every_list(pages):
    assert {*LISTS} <= {*re.findall(r'href="([^"]*)"', pages["/find"][1])}


def test_tables_are_listed_whether_they_are_open_or_not(pages):
    assert re.findall(r'<a href="/tables/(B\d+)"', pages["/tables"][1]) == [
        *(f"B0{n}" for n in range(1, 7))
    ]


def test_a_list_is_offered_to_who_may_read_a_report_that_lists_it():
    of = {
        role: [each for each in LISTS if opens(Rights(role), each)]
        for role in ("dealer", "cage", "pit-boss", "surveillance", "administrator")
    }

    assert of["pit-boss"] == of["surveillance"] == [*LISTS]
    assert of["dealer"] == ["/rules"]
    assert of["administrator"] == ["/tables", "/staff", "/rules"]
    assert "/patrons" in of["cage"]
    assert opens(Rights("dealer", "B01"), "/coups")
