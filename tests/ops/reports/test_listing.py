"""A page of a report that PostgreSQL sorts and adds up is a part of the whole report."""

from itertools import pairwise

import pytest

from domain.rules.refusals import BadValue
from ops.reports.ask import ask
from ops.reports.listing import Wanted, has_pages
from ops.reports.paging import FIRST, Turn
from ops.words.values import totals
from projections import REPORTS
from tests.worlds.gaming_table import DAY

PAGED = [each for each in REPORTS.values() if has_pages(each)]
NAMED = {"ids": lambda each: each.name if hasattr(each, "sql") else str(each)}
ASKED = [{}, {"table": "B01"}, {"day": str(DAY)}, {"day": "2001-01-01"}, {"patron": "P-10417"}]


def page(night, report, asked, turn, most):
    return ask(night, report, **asked, wanted=Wanted(turn, most))


def test_most_reports_have_pages_and_those_that_are_computed_of_every_row_have_none():
    names = {each.name for each in PAGED}

    assert {"coup", "wagers", "exceptions", "cash-log", "access", "alerts"} <= names
    assert not {"table-win", "dealers-compared", "patrons-compared"} & names


@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("report", PAGED, **NAMED)
def test_the_pages_of_a_report_joined_are_the_whole(night, report, asked, most):
    if not set(asked) <= set(report.narrowings):
        return
    whole = ask(night, report, **asked)
    pages = [page(night, report, asked, FIRST, most)]
    while after := pages[-1].listing.part.after:
        pages.append(page(night, report, asked, Turn(after=after), most))
    read = [row for each in pages for row in each.in_reading_order]

    assert read == whole.in_reading_order
    assert [n for each in pages for n in each.listing.part.rows] == list(range(len(read)))
    assert {each.listing.many for each in pages} == {len(read)}
    for before, each in pairwise(pages):
        back = page(night, report, asked, Turn(before=each.listing.part.before), most)
        assert (back.raw, back.listing) == (before.raw, before.listing)


@pytest.mark.parametrize("report", [each for each in PAGED if each.summed], **NAMED)
def test_the_sums_of_a_page_are_those_of_the_whole(night, report):
    whole = ask(night, report)
    summed = totals(report, whole.amounts, "EUR")
    listing = page(night, report, {}, FIRST, 2).listing

    assert listing.sums == (summed.sums if summed else {})
    assert listing.many - listing.whole == (summed.left_out if summed else 0)


@pytest.mark.parametrize("text", ["7~late bet", "[1,2,3,4]", '["a"]', "[null]", "[true]", "{}"])
@pytest.mark.parametrize("direction", ["after", "before"])
def test_a_place_that_is_none_of_the_report_is_refused(night, direction, text):
    with pytest.raises(BadValue, match="the page before"):
        page(night, REPORTS["coup"], {}, Turn(**{direction: text}), 5)


def test_a_place_by_a_day_is_compared_as_it_is_written(night):
    every = page(night, REPORTS["meters"], {}, FIRST, 5)
    after = page(night, REPORTS["meters"], {}, Turn(after='["2026-99-99x","B01",1]'), 5)

    assert after.raw == every.raw != []
    with pytest.raises(BadValue):
        page(night, REPORTS["meters"], {}, Turn(after='["\\u0000","B01",1]'), 5)


def test_the_page_that_begins_beyond_the_last_row_is_empty(night):
    many = page(night, REPORTS["coup"], {}, FIRST, 5).listing.many
    beyond = page(night, REPORTS["coup"], {}, Turn(after="[0]"), 5)

    assert (beyond.raw, beyond.listing.part.rows, beyond.listing.many) == (
        [], range(many, many), many,
    )  # fmt: skip


@pytest.mark.parametrize("report", [each for each in PAGED if each.rows], **NAMED)
def test_a_row_is_the_same_if_only_its_gaming_day_is_read(night, report):
    every = ask(night, report).raw
    days = {each["day"] for each in ask(night, REPORTS["audits"]).rows}
    by_day = [row for day in sorted(days) for row in ask(night, report, day=day).raw]

    assert sorted(by_day, key=repr) == sorted(every, key=repr) != []
