"""Whatever a page says is in the reader's language: a made-up language shows what went past it."""

import re

import pytest

from domain.rules.permissions import READINGS
from domain.rules.rulebook import RULEBOOK
from ops.words.language import LANGUAGES
from projections import REPORTS
from tests.pseudo import english_in, pseudo
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import GamingTable, disputed, evening, mouth_on, trouble
from tests.worlds.pages_here import every_page, pages_of, ran, words_of

# What people wrote, and what is the same in every language.
WRITTEN = {
    *("I was not paid", "it was mine", "a card fell", "went home", "a good patron", "the camera"),
    *("misread", "end of the evening", "the chips lay on Player", "grey-jacket", "blue-hat"),
}
NAMES = {"Sabot", "USD", "JSON", "CSV", "PDF", "Parquet", *LANGUAGES.values()}
SETTINGS = {"dispute_patron_days", "dispute_notice_from", "regulator", "none", "singapore"}
TYPED = {*(f"report {name}" for name in REPORTS), *READINGS, "sabot manual commands", "card 5 = KH"}
SOURCES = {each.source for each in RULEBOOK.values()}
CODE = re.compile(r"\b[2-9TJQKA][SHDC]\b|\b[a-z-]+/\d+")  # of a card; of an alert
# The record has the names by which its events are sought; the manual is English.
NOT_YET = re.compile(r"/ledger|/manual")
# A date as the record has it, outside an address and a link; a hyphen or a zero that is negative.
ENGLISH_DATE = re.compile(r"(?<![\w/-])\d{4}-\d\d-\d\d(?![\w/])|(?<![\w-])\d\d-\d\d,? \d\d:\d\d")
HYPHEN = re.compile(r"(?<![\w.,/:)-])-[\d.,]*\d|−0(?:\.0+)?(?![.\d])")
TO_TYPE = re.compile(r' (?:placeholder|value)="[^"]*"')  # in the form in which it is typed
ASKED = ("/", "/reports", "/sign-on", "/nowhere", "/tables/B99", "/reports/wagers?x=1")


@pytest.fixture(scope="module")
def night(server):
    """An evening with three tables, a case, an electronic table and every exception."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
            disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
            ElectronicTable(dispatcher).begin((1, 500_00), (2, 700_00))
        yield database


async def pages(database):
    async with pages_of(database) as ask:
        return await every_page(ask, *ASKED, of_a_kind=1)


@pytest.fixture(scope="module")
def every(night):
    """Every page in the made-up language, by address."""
    with pseudo():
        read = ran(pages(night))
    return {address: page for address, page in read.items() if not NOT_YET.match(address)}


def test_no_page_says_anything_past_the_catalogue(every):
    known = WRITTEN | NAMES | TYPED | SOURCES | SETTINGS
    english = {
        text: address
        for address, page in every.items()
        for text in words_of(page)
        if english_in(text, *known) or (CODE.search(text) and text not in TYPED)
    }

    assert len(every) > len(REPORTS) + 20
    assert not english


def test_dates_and_what_is_below_zero_are_in_the_readers_form(every):
    other = {
        found[0]: address
        for address, page in every.items()
        for text in words_of(TO_TYPE.sub("", page))
        for found in (ENGLISH_DATE.search(text), HYPHEN.search(text))
        if found
    }

    assert not other
