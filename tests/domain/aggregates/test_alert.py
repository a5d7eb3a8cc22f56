"""An alert is named after what raised it, and acknowledged once."""

from datetime import timedelta

import pytest

from domain.aggregates.alert import Alert
from domain.rules import addresses
from domain.rules.refusals import AlreadyAcknowledged, BadValue
from tests.domain.cases import LATE_COUP, late_bet
from tests.domain.floor import DAY, EVENING
from tests.scenario import replayed


def test_an_alert_is_its_kind_and_the_position_of_what_raised_it():
    address = addresses.Alert.parse("commission-walked-or-waived/48213")

    assert address == addresses.Alert("commission walked or waived", 48213)
    assert "commission-walked-or-waived/48213" == str(address)


NONE = [
    *("", "late-bet", "late-bet/", "late-bet/0", "late-bet/07", "late bet/7", "/7", "-/7"),
    *("a--b/7", "Late-bet/7", "late-bet/7/7", "late-bet/7 ", "late-bet/-7", f"a/{10**18}"),
]


@pytest.mark.parametrize("text", NONE)
def test_an_alert_that_is_none_is_refused(text):
    with pytest.raises(BadValue, match="write kind/position, as in `late-bet/48213`"):
        addresses.Alert.parse(text)


def test_who_acknowledges_says_what_it_was_since_when_and_what_was_done():
    (event,) = late_bet().pending_events
    told = {"alert": "late-bet/48213", "kind": "late bet", "table": "B01", "day": "2026-11-21"}
    told |= {"coup": LATE_COUP, "since": (EVENING - timedelta(minutes=2)).isoformat()}
    told |= {"text": "spoke to the dealer", "by": "S-11"}

    assert told == {name: getattr(event, name) for name in told}
    assert event.timestamp == EVENING


def test_the_event_belongs_to_the_day_and_the_table_of_what_raised_it():
    assert late_bet().belongs_to == (DAY.day, "B01")
    assert late_bet(table="", coup=None).belongs_to == (DAY.day, "")


def test_every_alert_has_a_stream_of_its_own():
    alerts = [addresses.Alert("late bet", 1), addresses.Alert("late bet", 2)]
    alerts.append(addresses.Alert("undue card", 1))

    assert len({Alert.stream(each) for each in alerts}) == 3
    assert late_bet().id == Alert.stream(addresses.Alert("late bet", 48213))


@pytest.mark.parametrize(
    ("by", "begins"), [("S-11", "S-11 has already acknowledged alert"), ("", "Alert")]
)
def test_it_is_acknowledged_once_and_says_by_whom(by, begins):
    refusal = replayed(late_bet(by=by)).refuse_again()

    assert isinstance(refusal, AlreadyAcknowledged)
    assert str(refusal).startswith(f"{begins} late-bet/48213")
    assert not refusal.recorded
