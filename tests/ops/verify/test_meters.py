"""What meters are at does not follow, although every hash may be good (R-PROG-1 to 6)."""

from datetime import timedelta

import pytest

from ops.handlers import progressives
from ops.verify import verification
from ops.verify.meters import check_meters
from tests.worlds.gaming_table import PLAYER_WINS, GamingTable
from tests.worlds.progressive_sheets import BY_NINE, sheet
from tests.worlds.terms_of_sheets import TWO, approve


@pytest.fixture
def pit(dispatcher):
    return opened(dispatcher)


def opened(dispatcher, more="", table="B01", name="riverside@1"):
    approve(dispatcher, sheet(name=name, more=more))
    return GamingTable(dispatcher, table).open(name).prepare()


def faults(database):
    with database.session("sabot_auditor") as connection:
        return [each.words for each in check_meters(connection)]


def two_days(pit):
    for _ in range(2):
        pit.play(PLAYER_WINS, (3, "fortune", 100_00))
    pit.say("table.roll-over", closer={"10000": 200}, **TWO)
    pit.moment += timedelta(days=1)
    pit.play(BY_NINE, (3, "fortune", 100_00))


def test_what_follows_has_no_fault(pit, database):
    two_days(pit)
    pit.say("void", coup=f"{pit.table}/2026-11-21/1/1", reason="misread", **TWO)

    assert [] == faults(database)
    assert verification.walk(database).ok


ALTERED = {  # whose events, a text of them and what somebody makes of it, and what is said then
    "a movement": (
        "meter-day.meter-moved",
        ('"stood":"101500.01"', '"stood":"101400.01"'),
        "B01/2026-11-21/1/1 moves Fortune, house from 99900, and 100000 was in it.",
    ),
    "a day": (
        "meter-day.opened",
        ('"standing":"103000.02"', '"standing":"103000.01"'),
        "Fortune, house begins 2026-11-22 with 103000.01 and 500.02, and 103000.02 and 500.02 was",
    ),
    "a payment of the meter": (
        "meter-day.meter-moved",
        ('"paid":104500', '"paid":104000'),
        "Fortune, house and B01/2026-11-21/1/3 differ by -500 in paid.",
    ),
    "a share at the coup": (
        "coup.meter-followed",
        ('"share":"1500.01"', '"share":"1500.02"'),
        "Fortune, house and B01/2026-11-21/1/1 differ by -0.01 in share.",
    ),
}


@pytest.mark.parametrize("what", ALTERED)
def test_what_does_not_follow_is_a_fault(pit, database, superuser, what):
    two_days(pit)
    topic, (was, becomes), words = ALTERED[what]
    alter(superuser, topic, was, becomes)

    assert any(each.startswith(words) for each in faults(database)), faults(database)
    assert not verification.walk(database).ok


def alter(superuser, topic, was, becomes):
    superuser.execute(
        "ALTER TABLE ledger.event_rows DISABLE TRIGGER USER;"
        " UPDATE ledger.events SET state = replace("
        f"convert_from(state, 'UTF8'), '{was}', '{becomes}')::bytea WHERE topic = '{topic}'"
    )


SECRET = f"{44_00:064x}"  # from 1,015.01 on, which the first coup leaves, it is 1,059.01


@pytest.fixture
def won(dispatcher, monkeypatch):
    """A meter that the fourth coup wins."""
    monkeypatch.setattr(progressives, "_secret", lambda *_: SECRET)
    pit = opened(dispatcher, 'must_hit_by = "1060.00"')
    answers = [pit.play(PLAYER_WINS, (3, "fortune", 100_00)) for _ in range(4)]
    assert [False, False, False, True] == [SECRET in str(each.body) for each in answers]


@pytest.mark.usefixtures("won")
def test_a_point_that_is_the_one_fixed_has_no_fault(database):
    assert [] == faults(database)


@pytest.mark.usefixtures("won")
def test_another_secret_than_the_one_that_fixed_the_point_is_a_fault(database, superuser):
    alter(superuser, "meter-day.meter-moved", SECRET, "ab" * 32)

    assert any("at a point that was not fixed before" in each for each in faults(database))


@pytest.mark.usefixtures("won")
def test_a_coup_that_reached_the_point_and_did_not_win_is_a_fault(database, superuser):
    for topic in ("meter-day.meter-moved", "coup.meter-followed"):
        alter(superuser, topic, '"stood":"103000.02"', '"stood":"106000.02"')

    assert any("did not win it" in each for each in faults(database))
