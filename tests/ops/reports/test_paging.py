"""Pages of a long list: every row is on one of them, and each stays where it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.refusals import BadValue
from ops.reports.paging import FIRST, Turn, part_of

PLACES = st.lists(
    st.tuples(st.integers(-5, 60), st.sampled_from(["late bet", "B~01", "é", 'a "b", 7'])),
    unique=True,
).map(sorted)
MOST = st.integers(1, 7)


def page(places, turn, most, *, last_first):
    """The rows that are on a page, and where those beside it are."""
    part = part_of(places, turn, most, last_first=last_first)
    read = places[::-1] if last_first else places
    return read[part.rows.start : part.rows.stop], part


def every_page(places, most, **order):
    rows, part = page(places, FIRST, most, **order)
    pages, parts = [rows], [part]
    while parts[-1].after:
        rows, part = page(places, Turn(after=parts[-1].after), most, **order)
        pages.append(rows)
        parts.append(part)
    return pages, parts


@given(places=PLACES, most=MOST, last_first=st.booleans())
def test_every_row_is_on_one_page_and_each_page_leads_back_to_the_one_before(
    places, most, last_first
):
    pages, parts = every_page(places, most, last_first=last_first)
    whole = [row for rows in pages for row in rows]

    assert whole == (places[::-1] if last_first else places)
    assert all(len(rows) == most for rows in pages[:-1])
    for before, part in zip(pages, parts[1:], strict=False):
        assert page(places, Turn(before=part.before), most, last_first=last_first)[0] == before


@given(places=PLACES, gone=st.sets(st.integers(0, 30)), come=PLACES, most=MOST, down=st.booleans())
def test_a_page_goes_on_where_it_went_on_though_rows_come_and_go(places, gone, come, most, down):
    _, parts = every_page(places, most, last_first=down)
    if not places:
        return
    # another row comes with every place, and some of the old ones go
    later = sorted({row for n, row in enumerate(places) if n not in gone} | set(come)) or places
    reads = places[::-1] if down else places
    for part in parts[:-1]:
        last = reads[part.rows.stop - 1]
        rows, _ = page(later, Turn(after=part.after), most, last_first=down)
        beyond = [each for each in later if (each < last if down else each > last)]

        assert rows == (beyond[::-1] if down else beyond)[:most]


@pytest.mark.parametrize("text", ["x~late bet", "7", "", "~~~"])
def test_a_place_that_is_none_is_refused_with_where_to_take_one(text):
    turns = [Turn(after=text), Turn(before=text)] if text else []
    for turn in turns:
        with pytest.raises(BadValue, match="the page before"):
            part_of([(1, "late bet")], turn, 5)


def test_a_list_that_is_empty_by_now_is_an_empty_page():
    assert part_of([], Turn(after="7~late bet"), 5) == part_of([], FIRST, 5)
