"""Reports of cash that two record at once: one of them is first, by what is on record then."""

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.cash_over import over_the_amount
from tests.worlds.gaming_table import DAY, GamingTable

FIRST = {"of_day": DAY, "reference": "310", "by": "C-1"}


@pytest.fixture
def pit(dispatcher):
    """P-10417 brought 6,000 and 5,000 under the regime of the United States."""
    return over_the_amount(dispatcher)


@pytest.fixture
def meanwhile(pit, another, monkeypatch):
    """What somebody else does after a decision of the pit, and before that is recorded."""
    record, other = type(pit.dispatcher.casino).record, GamingTable(another())

    def meanwhile(act):
        other.moment = pit.moment
        acts = [act]

        def recorded(*asked):
            while acts:
                acts.pop()(other)
            return record(pit.dispatcher.casino, *asked)

        monkeypatch.setattr(pit.dispatcher.casino, "record", recorded)

    return meanwhile


def test_who_comes_to_look_like_a_patron_is_reported_with_them_and_not_first_as_well(
    pit, meanwhile
):
    def looks_the_same(other):
        other.say("table.seat", seat=4, patron="p-10417")
        other.say("table.buy-in", seat=4, amount=3_000_00, confirmed=True)
        other.say("filing.record", patron="p-10417", **FIRST)

    meanwhile(looks_the_same)
    refused = pit.ask("filing.record", patron="P-10417", **FIRST)
    assert refused.error == "BadValue"
    assert "was reported already" in refused.reason


def test_what_was_reported_is_what_is_on_record_not_what_a_report_has_of_it(
    pit, database, superuser
):
    assert ask(database, REPORTS["ctr"]).rows
    superuser.execute("DELETE FROM projections.cash")
    (filed,) = pit.say("filing.record", patron="P-10417", **FIRST).body["events"]
    assert (filed["cash_in"], filed["cash_out"]) == (11_000_00, 0)
