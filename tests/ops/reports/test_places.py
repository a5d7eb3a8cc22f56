"""The place of each row of a report, by which the pages of its list go on."""

import pytest

from ops.reports.ask import ask
from ops.reports.places import with_places
from projections import REPORTS


@pytest.mark.parametrize("report", REPORTS.values(), ids=lambda each: each.name)
def test_every_row_of_a_report_has_a_place_of_its_own_and_they_rise(night, report):
    plain, placed = ask(night, report), ask(night, with_places(report))
    places = [tuple(row[-1]) for row in placed.raw]

    assert plain.raw == [row[:-1] for row in placed.raw]
    assert places == sorted(set(places))
