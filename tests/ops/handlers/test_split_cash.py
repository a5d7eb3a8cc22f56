"""Cash in pieces just under what is reported of one transaction is an alert, once a gaming day."""

import pytest

from ops.words.alerts import alert_words
from ops.words.events import sentences
from tests.worlds.alerts_there import alerts_of
from tests.worlds.gaming_table import DAY, GamingTable
from tests.worlds.sydney import sydney

TWO = {"with": "S-11"}


@pytest.fixture
def pit(dispatcher):
    """B01 in a house under Australia's regime."""
    sydney(dispatcher)
    table = GamingTable(dispatcher)
    table.moment = table.moment.replace(hour=22)
    return table


@pytest.fixture
def noted(database):
    def ask_for():
        return [
            (row["detail"]["patron"], row["detail"]["direction"], row["detail"]["total"])
            for row in alerts_of(database, "cash split")
        ]

    return ask_for


def brings(pit, amount, seat=5, table=None):
    where = {"table": table} if table else {}
    return pit.say("table.buy-in", seat=seat, amount=amount, confirmed=True, **where)


def test_the_second_transaction_just_under_is_an_alert_once_a_day(pit, noted):
    brings(pit, 9_500_00)
    assert noted() == []
    brings(pit, 9_000_00)
    brings(pit, 9_900_00)

    assert noted() == [("grey-jacket", "in", 18_500_00)]


@pytest.mark.parametrize("amounts", [(10_000_00, 9_999_00), (7_999_00, 9_999_00), (5_000_00,) * 4])
def test_what_is_reported_itself_or_is_far_below_is_no_piece(pit, noted, amounts):
    for amount in amounts:
        brings(pit, amount)

    assert noted() == []


def test_pieces_at_several_tables_and_under_several_names_count_together(pit, noted, dispatcher):
    other = GamingTable(dispatcher, "B02")
    other.moment = pit.moment
    chips = {"10000": 900}
    other.say("table.open", rules="sydney@1", opener=chips, day=DAY, **TWO)
    other.say("table.seat", seat=1, patron="red-hat")
    brings(other, 9_500_00, seat=1)
    pit.moment = other.moment
    brings(pit, 9_500_00)
    assert noted() == []
    pit.say("patron.identify", patron="red-hat", **{"is": "grey-jacket"})

    assert noted() == [("grey-jacket", "in", 19_000_00)]


@pytest.mark.parametrize("known", ["before", "after"])
def test_who_plays_for_the_same_person_counts_together(pit, noted, known):
    for seat in (6, 7):
        pit.say("table.seat", seat=seat, patron=f"P-{seat}")
    for act in ("file", "cash") if known == "before" else ("cash", "file"):
        for seat in (6, 7):
            if act == "file":
                file = {"on_behalf_of": "P-900", "from_day": DAY}
                pit.say("patron.file", patron=f"P-{seat}", **file)
            else:
                brings(pit, 9_500_00, seat=seat)

    assert [rest for _, *rest in noted()] == [["in", 19_000_00]]


def test_a_piece_that_was_typed_wrong_is_counted_as_it_was(pit, noted):
    brings(pit, 9_500_00)
    wrong = brings(pit, 950_00).body["position"]
    wrong -= len(("CashCounted",))
    assert noted() == []
    pit.say("money.correct", position=wrong, amount=9_500_00, reason="a zero", **TWO)

    assert noted() == [("grey-jacket", "in", 19_000_00)]


def test_nobody_at_the_table_is_shown_that_it_was_noted(pit, database):
    brings(pit, 9_500_00)
    events = brings(pit, 9_500_00).body["events"]
    (alert,) = alerts_of(database, "cash split")

    assert "CashSplit" not in [event["type"] for event in events]
    assert "just under" not in " ".join(sentences(events, "AUD"))
    assert alert_words("cash split", alert["detail"], "AUD") == (
        "grey-jacket brought 19,000.00 in cash today in 2 transactions, each just under the "
        "10,000.00 of a threshold transaction report (AUSTRAC)."
    )


def test_a_case_from_the_alert_has_all_of_the_cash_as_evidence(pit, database):
    brings(pit, 9_500_00)
    brings(pit, 9_500_00)
    (alert,) = alerts_of(database, "cash split")
    case = {"patron": "grey-jacket", "text": "in pieces", "alert": alert["alert"], "by": "SV-1"}

    assert pit.say("aml.open", **case).ok


def test_where_the_cash_of_a_day_is_added_up_it_is_reported_and_no_alert_of_pieces(
    dispatcher, noted
):
    two = {"by": "A-1", **TWO}
    table = GamingTable(dispatcher)
    table.say("regime.choose", file="united-states", day=DAY, **two)
    table.open()
    brings(table, 9_500_00)
    brings(table, 9_500_00)

    assert noted() == []
