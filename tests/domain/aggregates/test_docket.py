"""The year's disputes: numbered from one, and no number is left out."""

import pytest

from domain.aggregates.year_books import Docket
from tests.domain.floor import EVENING, SHOE
from tests.scenario import given

COUP = f"{SHOE}/1"


def docket():
    return Docket.begin_year(2026, EVENING)


def entered(docket):
    return docket.enter(COUP)


def test_a_year_opens_its_docket():
    event = docket().pending_events[0]

    assert (type(event).TOPIC, event.year) == ("docket.opened", 2026)
    assert Docket.stream(2026) == docket().id != Docket.stream(2027)
    assert (None, "") == docket().belongs_to


def test_a_case_says_which_coup_it_is_about():
    given(docket(), entered).when(entered).then(
        ("CaseEntered", {"case": "C-2026-0002", "coup": COUP})
    )


def test_cases_are_counted_from_one_without_a_gap_whatever_coup_they_are_about():
    cases = docket()
    numbers = [str(cases.enter(coup)) for coup in (COUP, COUP, f"{SHOE}/2")]

    assert ["C-2026-0001", "C-2026-0002", "C-2026-0003"] == numbers
    assert str(Docket.begin_year(2027, EVENING).enter(COUP)) == "C-2027-0001"


@pytest.mark.parametrize(("before", "next_one"), [(9_998, "C-2026-9999"), (9_999, "C-2026-10000")])
def test_there_are_more_cases_than_four_digits_have_room_for(before, next_one):
    cases = docket()
    cases.cases = before

    assert str(cases.enter(COUP)) == next_one
