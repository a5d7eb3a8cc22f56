"""The house's settings: each with a date, and none that the house could not work with."""

import json

import pytest

from domain.aggregates.property import SETTINGS
from domain.aggregates.table_day import TableDay
from domain.events import events_of
from domain.rules.addresses import stream_id
from domain.rules.gaming_day import GamingClock
from domain.rules.house_rules import named
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.refusals import BadValue, NotRecovered
from tests.domain.floor import DAY, EVENING, OPENER, house
from tests.release import STORED
from tests.scenario import given

SETTINGS_OF_1_0 = 24
ZONE = "write a zone of the time zone database, as in `Europe/Vienna`"
CURRENCY = "write a currency of ISO 4217, as in `USD`"
START = "write local time as HH:MM, as in `06:00`"
HOURS, IDLE, DIGITS = (
    f"write a whole number from {span}" for span in ("1 to 24", "0 to 1440", "4 to 12")
)
MINUTES = "write whole minutes from 1 to 1440, as in `15`"
AMOUNT = "write an amount of USD, as in `10000` or `12.50`"


CHIPS = "write amounts of USD, as in `0.25, 2.50`, or none"
SHARE = "write a whole number from 0 to 100"
SECRET = "5ec2e7"  # a digest


def test_the_house_itself_has_no_setting_and_no_kind_of_event_that_release_1_0_does_not_read():
    """Every command reads this stream: a setting more, and a server of 1.0 beside takes none."""
    released = json.loads(STORED.read_text())["1.0.0"]
    stream = {name for name in released if name.startswith("property.")}
    fault = "record it in a stream of its own, as domain/events/protection.py does"

    assert stream == {f"{topic}.json" for topic in events_of("property")}, fault
    assert len(SETTINGS) == SETTINGS_OF_1_0, fault


def put(name, value):
    return lambda house: house.set(name, value)


def closed(administrator="A-1"):
    return lambda house: house.administer(administrator, administrator=True, secret=SECRET)


DAYS = "write whole days from 0 to 366"
SHIFTS = "the first shift begins with the gaming day, at 06:00"
# fmt: off
ACCEPTED = [
    # name                 value            stated            before           is now
    ("name",               "Golden Shoe",   "Golden Shoe",    "Sabot",         "Golden Shoe"),
    ("currency",           "EUR",           "EUR",            "USD",           "EUR"),
    ("zone",               "Europe/Vienna", "Europe/Vienna",  "UTC",           "Europe/Vienna"),
    ("day_start",          "00:00",         "00:00",          "06:00",         "00:00"),
    ("day_start",          "23:59",         "23:59",          "06:00",         "23:59"),
    ("shifts", "day 06:00, late 18:00", "day 06:00, late 18:00", "day", "day 06:00, late 18:00"),
    ("helpline",           "0800 202 304",  "0800 202 304",   "1-800-GAMBLER", "0800 202 304"),
    ("helpline",           112,             "112",            "1-800-GAMBLER", "112"),
    ("reporting_amount",   15_000_00,       "1500000",        "1000000",       15_000_00),
    ("reporting_amount",   "15000",         "1500000",        "1000000",       15_000_00),
    ("reporting_amount",   "12,500.50",     "1250050",        "1000000",       12_500_50),
    ("reporting_amount",   LARGEST_AMOUNT,  "9007199254740992", "1000000",     LARGEST_AMOUNT),
    ("variance_report",    1,               "1",              "2500",          1),
    ("variance_report",    "10",            "1000",           "2500",          10_00),
    ("variance_regulator", "250.00",        "25000",          "10000",         250_00),
    ("adjustment_report",  "5000",          "500000",         "200000",        5_000_00),
    ("checkpoint_to",      "/media/usb",    "/media/usb",     "none",          "/media/usb"),
    ("chips",              "0.10, 3",       "0.10, 3",        "none",          "0.10, 3"),
    ("fill_floor",         "5000",          "500000",         "0",             5_000_00),
    ("fill_share",         0,               "0",              "10",            0),
    ("little_play_cash",   "0",             "0",              "30",            0),
    ("little_play_share",  50,              "50",             "25",            50),
    ("box_hours",          "12",            "12",             "24",            12),
    ("idle_minutes",       20,              "20",             "15",            20),
    ("idle_minutes",       "1440",          "1440",           "15",            1440),
    ("session_hours",      8,               "8",              "16",            8),
    ("session_hours",      "24",            "24",             "16",            24),
    ("session_idle_minutes", 15,            "15",             "0",             15),
    ("session_idle_minutes", "1440",        "1440",           "0",             1440),
    ("pin_digits",         "4",             "4",              "6",             4),
    ("pin_digits",         12,              "12",             "6",             12),
    ("dispute_notice_from", "500",          "50000",          "0",             500_00),
    ("dispute_notice_from", 1,              "1",              "0",             1),
    ("dispute_notice_minutes", "5",         "5",              "30",            5),
    ("dispute_patron_days", 7,              "7",              "0",             7),
    ("dispute_patron_days", "366",          "366",            "0",             366),
]
REFUSED = [
    # name                 value                why
    ("zone",               "Vienna",            ZONE),
    ("zone",               "",                  ZONE),
    ("zone",               "Europe",            ZONE),
    ("zone",               "Europe/Vienna\n",   ZONE),
    ("zone",               "../../etc/passwd",  ZONE),
    ("zone",               "/etc/localtime",    ZONE),
    ("zone",               "\0",                ZONE),
    ("currency",           "usd",               CURRENCY),
    ("currency",           "US",                CURRENCY),
    ("currency",           "USDT",              CURRENCY),
    ("currency",           "EUR\n",             CURRENCY),
    ("currency",           "978",               CURRENCY),
    ("day_start",          "6:00",              START),
    ("day_start",          "24:00",             START),
    ("day_start",          "06:60",             START),
    ("day_start",          "06:00:00",          START),
    ("day_start",          "07:00\n",           START),
    ("shifts",             "late 18:00",        SHIFTS),
    ("reporting_amount",   0,                   AMOUNT),
    ("reporting_amount",   "0",                 AMOUNT),
    ("reporting_amount",   -1,                  AMOUNT),
    ("reporting_amount",   "-5",                AMOUNT),
    ("reporting_amount",   "ten thousand",      AMOUNT),
    ("reporting_amount",   "12.345",            AMOUNT),
    ("reporting_amount",   LARGEST_AMOUNT + 1,  AMOUNT),
    ("variance_report",    "90071992547409.93", AMOUNT),
    ("variance_regulator", "",                  AMOUNT),
    ("chips",              "0",                 CHIPS),
    ("chips",              "three",             CHIPS),
    ("fill_floor",         "-1",                AMOUNT),
    ("fill_share",         101,                 SHARE),
    ("little_play_cash",   "much",              SHARE),
    ("little_play_share",  "0",                 "write a whole number from 1 to 1000"),
    ("box_hours",          169,                 "write a whole number from 1 to 168"),
    ("idle_minutes",       0,                   MINUTES),
    ("idle_minutes",       1441,                MINUTES),
    ("idle_minutes",       "20.00",             MINUTES),
    ("idle_minutes",       "15\n",              MINUTES),
    ("session_hours",      0,                   HOURS),
    ("session_hours",      25,                  HOURS),
    ("session_hours",      "08",                HOURS),
    ("session_idle_minutes", 1441,              IDLE),
    ("session_idle_minutes", -1,                IDLE),
    ("session_idle_minutes", "015",             IDLE),
    ("pin_digits",         3,                   DIGITS),
    ("pin_digits",         "13\n",              DIGITS),
    ("dispute_notice_from", "-1",               AMOUNT),
    ("dispute_notice_from", "0.00",             AMOUNT),
    ("dispute_notice_minutes", "0",             MINUTES),
    ("dispute_patron_days", "-1",               DAYS),
    ("dispute_patron_days", "07",               DAYS),
    ("dispute_patron_days", 367,                DAYS),
]
UNCHANGED = [
    # name                 value
    ("name",               "Sabot"),
    ("currency",           "USD"),
    ("zone",               "UTC"),
    ("day_start",          "06:00"),
    ("shifts",             "day"),
    ("helpline",           "1-800-GAMBLER"),
    ("reporting_amount",   10_000_00),
    ("reporting_amount",   "10,000.00"),
    ("variance_report",    "25"),
    ("variance_regulator", 100_00),
    ("adjustment_report",  2_000_00),
    ("checkpoint_to",      "none"),
    ("chips",              "none"),
    ("fill_floor",         "0"),
    ("fill_share",         10),
    ("little_play_cash",   30),
    ("little_play_share",  25),
    ("box_hours",          24),
    ("idle_minutes",       "15"),
    ("session_hours",      16),
    ("session_idle_minutes", 0),
    ("pin_digits",         "6"),
    ("dispute_notice_from", "0"),
    ("dispute_notice_minutes", 30),
    ("dispute_patron_days", "0"),
    ("regulator",          "none"),
]
# fmt: on


def test_there_is_one_house_and_it_is_founded_with_defaults():
    founded = house()
    expected = {
        "name": "Sabot",
        "currency": "USD",
        "zone": "UTC",
        "day_start": "06:00",
        "reporting_amount": 10_000_00,
        "helpline": "1-800-GAMBLER",
    }

    assert expected == {name: getattr(founded.pending_events[0], name) for name in expected}
    assert (founded.variance_report, founded.variance_regulator) == (25_00, 100_00)
    assert founded.idle_minutes == 15
    assert not founded.closed
    assert founded.id == stream_id("property", "property")


@pytest.mark.parametrize(("name", "value", "stated", "before", "now"), ACCEPTED)
def test_a_setting_changes_and_says_what_it_was(name, value, stated, before, now):
    told = given(house()).when(put(name, value))

    told.then(("SettingChanged", {"name": name, "value": stated, "before": before}))
    assert getattr(told.aggregate, name) == now


@pytest.mark.parametrize(("name", "value", "why"), REFUSED)
def test_a_setting_is_refused_that_the_house_could_not_work_with(name, value, why):
    refusal = given(house()).when(put(name, value)).then_refused(BadValue)

    assert f"value cannot be {value!r}: {why}." == str(refusal)


@pytest.mark.parametrize(("name", "value"), UNCHANGED)
def test_a_setting_that_is_so_already_is_no_change(name, value):
    refusal = given(house()).when(put(name, value)).then_refused(BadValue)

    assert f"{name} is already {value!r}." == str(refusal)


def test_the_gaming_day_cannot_begin_apart_from_its_first_shift():
    named = house(shifts="day 06:00, late 18:00")
    refusal = given(named).when(put("day_start", "08:00")).then_refused(BadValue)

    assert "The first shift begins at 06:00. Set `shifts` to one name first, as in `day`." == str(
        refusal
    )
    given(house(shifts="all")).when(put("day_start", "08:00")).then("SettingChanged")


def test_every_setting_is_in_the_tables_above():
    unchanged = {row[0] for row in UNCHANGED}

    assert set(SETTINGS) == {row[0] for row in ACCEPTED} == unchanged - {"regulator"}


@pytest.mark.parametrize("name", ["colour", "closed", "id", "clock"])
def test_there_are_the_settings_that_there_are(name):
    refusal = given(house()).when(put(name, "red")).then_refused(BadValue)
    expected = (
        f"There is no setting {name}. The settings are name, currency, zone, day_start, shifts, "
        "helpline, reporting_amount, variance_report, variance_regulator, adjustment_report, "
        "checkpoint_to, chips, fill_floor, fill_share, little_play_cash, little_play_share, "
        "box_hours, idle_minutes, session_hours, session_idle_minutes, pin_digits, "
        "dispute_notice_from, dispute_notice_minutes, dispute_patron_days and regulator."
    )

    assert expected == str(refusal)


def test_there_are_the_regulators_that_there_are():
    refusal = given(house()).when(put("regulator", "New Jersey")).then_refused(BadValue)
    expected = (
        "There are no terms of a regulator 'New Jersey'. The regulators are nevada, singapore and "
        "none."
    )

    assert expected == str(refusal)


# fmt: off
REGIMES = [
    # regulator    after             what changes, and what it was
    ("nevada",     (),               [("regulator", "nevada", "none"),
                                      ("dispute_notice_from", "50000", "0")]),
    ("singapore",  (),               [("regulator", "singapore", "none"),
                                      ("dispute_notice_from", "1", "0"),
                                      ("dispute_patron_days", "7", "0")]),
    ("nevada",     ("singapore",),   [("regulator", "nevada", "singapore"),
                                      ("dispute_notice_from", "50000", "1"),
                                      ("dispute_patron_days", "0", "7")]),
    ("none",       ("nevada",),      [("regulator", "none", "nevada"),
                                      ("dispute_notice_from", "0", "50000")]),
]
# fmt: on


@pytest.mark.parametrize(("name", "before", "changes"), REGIMES)
def test_a_regulator_sets_all_that_it_asks_of_a_dispute(name, before, changes):
    earlier = [put("regulator", each) for each in before]
    names = "name", "value", "before"

    given(house(), *earlier).when(put("regulator", name)).then(
        *(("SettingChanged", dict(zip(names, each, strict=True))) for each in changes)
    )


def test_an_amount_is_read_in_the_currency_that_the_house_has_now():
    yen = house(currency="JPY")

    given(yen).when(put("reporting_amount", "12.50")).then_refused(BadValue)
    given(yen).when(put("reporting_amount", "1500")).then(
        (
            "SettingChanged",
            {"name": "reporting_amount", "value": "1500", "before": "1000000"},
        )
    )


def test_another_currency_asks_for_the_amounts_anew():
    yen = house()
    yen.set("currency", "JPY")
    for name, value in (("variance_report", "3000"), ("reporting_amount", "10000.00")):
        with pytest.raises(BadValue) as refused:
            yen.require_amounts()
        assert name in str(refused.value)
        yen.set(name, value.partition(".")[0])
    with pytest.raises(BadValue, match="Set variance_regulator first"):
        yen.require_amounts()
    yen.set("variance_regulator", "15000")

    yen.require_amounts()
    assert (3_000, 15_000, 10_000) == (
        *(yen.variance_report, yen.variance_regulator, yen.reporting_amount),
    )


def test_back_in_the_currency_before_its_amounts_hold():
    changed = house()
    changed.set("currency", "EUR")
    changed.set("currency", "USD")

    changed.require_amounts()


@pytest.mark.parametrize("code", ["QQQ", "usd", "US", "EURO"])
def test_a_currency_that_there_is_not_is_refused(code):
    given(house()).when(put("currency", code)).then_refused(BadValue)


def test_a_setting_changes_more_than_once():
    changed = house(name="Golden Shoe")

    given(changed).when(put("name", "Sabot")).then(
        ("SettingChanged", {"name": "name", "value": "Sabot", "before": "Golden Shoe"})
    )


def test_the_clock_and_the_tables_that_open_follow_the_settings():
    vienna = house(zone="Europe/Vienna", day_start="08:30", name="Golden Shoe")
    rules = named("classic@1")
    table = TableDay.open(DAY, vienna, rules, OPENER, at=EVENING, dealer="", supervisor="")
    event = table.pending_events[0]
    expected = {
        "house": "Golden Shoe",
        "zone": "Europe/Vienna",
        "day_begins": "2026-11-21T07:30:00+00:00",
        "day_ends": "2026-11-22T07:30:00+00:00",
    }

    assert GamingClock("Europe/Vienna", "08:30") == vienna.clock
    assert expected == {name: getattr(event, name) for name in expected}


def test_the_house_closes_once_and_the_first_administrator_closed_it():
    told = given(house()).when(closed())

    told.then(
        ("AdministratorsChanged", {"administrators": ["A-1"]}),
        ("HouseClosed", {"administrator": "A-1"}),
        ("RecoverySecretIssued", {"why": "first-administrator", "digest": SECRET}),
    )
    assert told.aggregate.closed
    given(told.aggregate).when(closed("A-2")).then(
        ("AdministratorsChanged", {"administrators": ["A-1", "A-2"]})
    )


def demoted(staff):
    return lambda each: each.administer(staff, administrator=False)


def test_the_last_administrator_stays_one():
    refused = given(house(), closed()).when(demoted("A-1")).then_refused(BadValue)

    assert "the last administrator" in str(refused)
    given(house(), closed(), closed("A-2")).when(demoted("A-1")).then(
        ("AdministratorsChanged", {"administrators": ["A-2"]})
    )
    given(house(), closed()).when(demoted("D-204")).then()
    given(house()).when(demoted("D-204")).then()


@pytest.mark.parametrize(
    ("name", "value"), [("variance_report", 100_00), ("variance_regulator", 25_00)]
)
def test_the_regulator_hears_of_more_than_the_report(name, value):
    refused = given(house()).when(lambda each: each.set(name, value)).then_refused(BadValue)

    assert "must be less than `variance_regulator`" in str(refused)


# Who is let in again when no administrator can sign on.
def recovers(*, right):
    return lambda house: house.recover(
        "A-1", "recovery-secret", right=right, others=(), secret=SECRET
    )


def test_a_wrong_recovery_secret_is_a_event_and_makes_the_next_try_wait():
    one = house()
    closed()(one)
    with pytest.raises(NotRecovered, match="Try again in 1 minute") as wrong:
        recovers(right=False)(one)
    with pytest.raises(NotRecovered, match="Try again in 1 minute") as soon:
        recovers(right=True)(one)

    assert type(one.pending_events[-1]).__name__ == "RecoveryRefused"
    assert (wrong.value.recorded, soon.value.recorded) == (True, False)


def test_a_secret_that_was_used_is_followed_by_another():
    given(house(), closed()).when(recovers(right=True)).then(
        ("AdministratorRecovered", {"staff": "A-1", "how": "recovery-secret"}),
        ("RecoverySecretIssued", {"why": "used", "digest": SECRET}),
    )
