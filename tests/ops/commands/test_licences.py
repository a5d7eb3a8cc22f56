"""Licences of staff: after its last day nobody signs on with it, nor is a second person."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from domain.rules.wording import by_the_clock
from ops.reports.ask import ask
from ops.reports.cells import is_dated
from ops.words.events import sentences
from projections import REPORTS
from tests.worlds.closed_house import PIN

pytestmark = pytest.mark.usefixtures("held")

OVER, HOLDS = "2020-03-31", "2099-03-31"


def licensed(house, staff="S-11", until=OVER, **more):
    of = {"staff": staff, "licence": "GL-7", "until": until, "confirmed": True}
    line = {"command": "staff.licence", **of, **more}
    return house.boss.dispatch(line).body


def reported(database, staff):
    rows = ask(database, REPORTS["staff"]).rows
    return next(each for each in rows if each["staff"] == staff)


def test_who_has_no_licence_on_record_or_one_that_holds_signs_on(house):
    assert house.sign_on("S-11")["ok"]
    assert licensed(house, until=HOLDS)["ok"]
    assert house.sign_on("S-11")["ok"]
    assert licensed(house, until=None)["ok"]
    assert house.sign_on("S-11")["ok"]


def test_nobody_signs_on_after_the_last_day_until_the_next_licence_is_on_record(house, database):
    licensed(house)
    refused = house.sign_on("S-11")

    assert (refused["ok"], refused["error"]) == (False, "NotPermitted")
    assert "licence GL-7 ended on 2020-03-31" in refused["message"]
    assert "`sabot staff licence`" in refused["message"]
    assert refused["events"][-1]["why"] == "licence-over"
    assert not house.member().signed_on
    acts = [(each["staff"], each["act"]) for each in ask(database, REPORTS["access"]).rows]
    assert acts[-1] == ("S-11", "sign-on refused: licence over, pit-1 (as pit)")
    licensed(house, until=HOLDS)
    assert house.sign_on("S-11")["ok"]


def test_a_wrong_pin_says_nothing_of_the_licence(house):
    licensed(house)
    answer = house.dispatchers["S-11"].dispatch({"command": "staff.sign-on", "staff": "S-11"})
    assert "licence" not in str(answer)


def test_nobody_is_a_second_person_after_the_last_day(house):
    licensed(house)
    refused = house.types(PIN)
    licensed(house, until=HOLDS)

    assert (refused["error"], refused["events"][-1]["why"]) == (
        "SecondPersonNeeded",
        "second-licence",
    )
    assert "the licence of S-11 is over" in refused["message"]
    assert house.types(PIN)["ok"]


def test_an_administrator_s_own_licence_keeps_nobody_out(house):
    assert licensed(house, "A-1")["ok"]
    house.sign_off("A-1")
    assert house.sign_on("A-1")["ok"]


def test_what_is_no_licence_is_refused_and_nothing_is_recorded(house):
    licensed(house)
    refused = [
        licensed(house),
        licensed(house, "D-999"),
        licensed(house, until="2027-02-30"),
        house.ask("D-204", "staff.licence", staff="S-11", licence="GL-8"),
    ]
    house.boss.dispatch({"command": "staff.retire", "staff": "D-205"})

    assert [each["error"] for each in refused] == [
        *("BadValue", "NotFound", "BadValue", "NotPermitted"),
    ]
    assert house.member().licence_until == OVER
    assert licensed(house, "D-205")["error"] == "NotPermitted"


@pytest.mark.parametrize(("hours", "in_time"), [(72, "in-time"), (73, "too-late")])
def test_the_report_has_how_long_the_access_of_who_left_went_on(house, database, hours, in_time):
    at = "2026-11-25T20:00:00+00:00"
    left = f"2026-11-22T{92 - hours}:00:00+00:00"
    retire = {"command": "staff.retire", "staff": "D-205", "at": at, "late": True}
    answer = house.boss.dispatch({**retire, "left": left}).body
    row = reported(database, "D-205")

    assert answer["ok"], answer
    assert (row["hours_after"], row["in_time"]) == (f"{hours}.0", in_time)
    assert (row["access"], row["days_away"]) == ("retired", None)


def test_who_is_said_to_leave_later_is_not_retired(house):
    later = {"command": "staff.retire", "staff": "D-205", "left": "2099-01-01T00:00:00+00:00"}
    assert house.boss.dispatch(later).body["error"] == "BadValue"
    assert not house.member("D-205").retired


def test_who_is_said_to_have_left_before_the_enrolment_is_not_retired(house):
    enrolled = house.member("D-205").created_on
    before = {"left": (enrolled - timedelta(minutes=1)).isoformat()}
    refused = house.boss.dispatch({"command": "staff.retire", "staff": "D-205", **before}).body
    assert (refused["error"], "before that" in refused["message"]) == ("BadValue", True)
    assert not house.member("D-205").retired


def test_the_report_has_everybody_who_may_come_in_and_what_of_it_ends(house, database):
    licensed(house, "D-204", HOLDS)
    rows = {each["staff"]: each for each in ask(database, REPORTS["staff"]).rows}

    assert {staff: (each["role"], each["access"]) for staff, each in rows.items()} == {
        "A-1": ("administrator", "signed-on"),
        "D-204": ("dealer", "signed-on"),
        "S-11": ("supervisor", "signed-off"),
        "P-1": ("pit-boss", "signed-off"),
        "D-205": ("dealer", "signed-off"),
    }
    assert rows["D-204"]["licence_until"] == HOLDS
    assert rows["D-204"]["licence_days"] > 26_000
    assert rows["S-11"]["licence_days"] is None
    assert all(each["days_away"] >= 0 for each in rows.values())


def test_a_licence_that_is_over_is_asked_about_when_it_is_recorded(house, database):
    asked = licensed(house, confirmed=False)

    assert (asked["error"], asked["message"]) == (
        "ConfirmationNeeded",
        "The licence of S-11 ended on 2020-03-31, so that they cannot sign on. Check it, then "
        "confirm it with `confirmed` if it is right.",
    )
    assert reported(database, "S-11")["licence"] is None
    assert licensed(house)["ok"]
    assert licensed(house, until=HOLDS, confirmed=False)["ok"]


def test_when_somebody_left_is_shown_by_the_house_s_clock():
    left = {"type": "Retired", "staff": "D-7", "left_at": "2026-11-21T19:00:00+00:00"}
    (words,) = sentences([left], "USD")
    vienna = by_the_clock(words, lambda at: at.astimezone(ZoneInfo("Europe/Vienna")))

    assert str(vienna) == "D-7 is retired, and left the house at 2026-11-21 20:00:00."


def test_the_last_sign_on_has_its_date_also_on_the_day_on_which_a_licence_ends():
    signed_on = {"last_sign_on": "2026-12-01T13:32:53+00:00", "staff": "SV-2"}

    assert is_dated("last_sign_on", {**signed_on, "licence_until": "2026-12-01"})
    assert not is_dated("last_sign_on", {**signed_on, "gaming_day": "2026-12-01"})
