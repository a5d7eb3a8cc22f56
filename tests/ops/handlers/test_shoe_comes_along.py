"""A table is rolled over with its shoe in play: the shoe goes on, each coup is of its own day."""

from datetime import UTC, date, datetime

import pytest

from domain.rules import addresses
from ops.finding.hits import find as search
from ops.ledger.reading import events_about
from ops.replay.coup_record import one
from ops.replay.find_coup import coups_around
from ops.replay.readjudicate import walk
from ops.replay.shoes_of_range import Range
from ops.replay.story import find
from ops.reports.ask import ask
from ops.reports.listing import Wanted
from ops.reports.moments import Typed
from ops.reports.paging import FIRST as FIRST_PAGE
from ops.reports.paging import Turn
from ops.reports.rebuild import check_together
from ops.roads.road import find as roads_of
from ops.roads.road import shoe_meant
from projections import PROJECTIONS, REPORTS
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, TIE
from tests.worlds.twin_tables import TWO, TwinTable, ends

pytestmark = pytest.mark.usefixtures("held")

NEXT_DAY = "2026-11-22"
LATER = datetime(2026, 11, 23, tzinfo=UTC)
FIRST, SECOND = f"B01/{DAY}/1/1", f"B01/{DAY}/1/2"


def roll_over(table, **more):
    return table.say("table.roll-over", closer={"10000": 198}, confirmed=True, **TWO, **more)


@pytest.fixture
def table(dispatcher):
    """One coup on each of two days, from one shoe: seat 3 owes 10.00 of the first one."""
    table = TwinTable(dispatcher, "B01").begin()
    table.play(BANKER_WINS, (3, "banker", 200_00))
    roll_over(table)
    table.play("8C 2S KD KH", (5, "player", 300_00), (3, "banker", 100_00))
    return table


def rows(database, report, *columns, **narrowed):
    asked = ask(database, REPORTS[report], **narrowed).rows
    return [tuple(row[name] for name in columns) for row in asked]


def require_sums(database):
    """Commission proves itself to zero, and every projection is that of a rebuild."""
    assert {row["difference"] for row in ask(database, REPORTS["commission-proof"]).rows} == {0}
    with database.session("sabot_projector") as connection:
        checked = check_together(connection, list(PROJECTIONS.values()), lambda _: None)
    assert [each for each in checked if each.differing] == []


def test_each_coup_belongs_to_the_day_on_which_it_was_opened(table, database):
    coups = rows(database, "coup", "coup", "phase", day=NEXT_DAY)
    wagers = rows(database, "wagers", "coup", "seat", "paid", day=NEXT_DAY)

    assert rows(database, "coup", "coup", day=DAY) == [(FIRST,)]
    assert coups == [(SECOND, "settled")]
    assert wagers == [(SECOND, 5, 600_00), (SECOND, 3, 0)]
    assert rows(database, "shoe-log", "shoe", "coups", "drawn") == [(f"B01/{DAY}/1", 2, 8)]
    require_sums(database)


def test_a_coup_of_a_shoe_that_came_along_is_found_by_its_time(table, database):
    coups = dict(rows(database, "coup", "coup", "opened_at"))
    with database.session("sabot_auditor") as connection:
        found = {
            coup: [hit.name for hit in search(connection, f"B01 {at[11:19]}", LATER)]
            for coup, at in coups.items()
        }

    assert found[SECOND] == [SECOND]


def test_a_shoe_as_it_was_has_the_coups_of_every_day_it_was_dealt_on(table, database):
    moment = Typed(date_and_time=datetime.now(UTC))
    for report in REPORTS.values():
        if "shoe" in report.narrowings:
            then = ask(database, report, moment, shoe=f"B01/{DAY}/1").rows
            assert then == ask(database, report, shoe=f"B01/{DAY}/1").rows, report.name


def test_handle_coups_and_win_are_those_of_each_day(table, database):
    table.finish(closer={"10000": 196})
    table.say("table.drop", amount=0, day=DAY)
    measured = rows(database, "measures", "day", "coups", "handle")
    theoretical = dict(rows(database, "table-win", "day", "theoretical_win"))
    months = rows(database, "master", "period", "coups", "handle", to=NEXT_DAY)

    assert measured == [(DAY, 1, 200_00), (NEXT_DAY, 1, 400_00)]
    assert theoretical[DAY] == 2_12  # 1.0579% of 200.00
    assert months == [("day", 1, 400_00), ("month", 2, 600_00), ("year", 2, 600_00)]
    assert rows(database, "ratings", "day", "coups", patron="P-B01-3") == [(DAY, 1), (NEXT_DAY, 1)]


def test_what_is_owed_goes_along_and_is_due_at_the_shoe_s_end(table, database):
    owed = table.ask("shoe.end", reason="late", **TWO).body
    table.finish(closer={"10000": 196})

    assert (table.owed(3), owed["error"]) == (0, "CommissionOwed")
    assert rows(database, "commission", "day", "shoe", "brought_forward", "collected") == [
        (DAY, f"B01/{DAY}/1", -10_00, 0),
        (NEXT_DAY, f"B01/{DAY}/1", 10_00, 10_00),
    ]
    proved = rows(database, "commission-proof", "scope", "accrued", shoe=f"B01/{DAY}/1")
    assert ("shoe", "1000") in proved
    require_sums(database)


def test_the_tray_of_each_day_is_expected_by_its_own_coups(table, database):
    counted = rows(database, "inventory", "day", "moment", "total", "variance")
    table.finish(closer={"10000": 196})
    at_the_end = rows(database, "inventory", "day", "moment", "total", "variance")

    assert counted == [
        (DAY, "opener", 20_000_00, None),
        (DAY, "closer", 19_800_00, 0),
        (NEXT_DAY, "opener", 19_800_00, None),
    ]
    assert at_the_end[-1] == (NEXT_DAY, "closer", 19_600_00, -10_00)  # its commission's coin


def test_a_coup_in_play_is_finished_first(dispatcher):
    table = TwinTable(dispatcher, "B01").begin()
    table.bet(3, "banker", 100_00)
    refused = table.ask("table.roll-over", closer={"10000": 200}, **TWO).body
    table.deal(BANKER_WINS, settle=True)

    assert refused["error"] == "CoupNotFinished"
    assert refused["message"].startswith(f"{FIRST} is not finished")
    roll_over(table)


def test_a_coup_that_was_opened_without_a_bet_ends_and_the_next_one_is_of_the_new_day(
    dispatcher, database
):
    table = TwinTable(dispatcher, "B01").begin()
    table.say("open")
    table.say("table.roll-over", closer={"10000": 200}, **TWO)
    table.play(TIE, (1, "tie", 25_00))

    assert rows(database, "coup", "coup", "phase", day=DAY) == [(FIRST, "unused")]
    assert rows(database, "coup", "coup", "phase", day=NEXT_DAY) == [(SECOND, "settled")]


def test_the_next_shoe_is_the_first_of_the_new_day_and_both_are_counted(table):
    table.settle_up()
    left = table.say("shoe.end", reason="late", **TWO).body["events"][0]["cards_left"]
    table.prepare()
    table.play(PLAYER_WINS, (5, "player", 100_00))
    table.end_shoe()
    counted = [
        table.say("shoe.reconcile", remaining=cards).body["events"][0]["shoe"]
        for cards in (407, left)
    ]

    assert counted == [f"B01/{NEXT_DAY}/1", f"B01/{DAY}/1"]


def test_a_shoe_that_is_not_ready_yet_and_a_card_that_waits_come_along(dispatcher):
    early = TwinTable(dispatcher, "B01").begin()
    early.end_shoe()
    early.say("shoe.load", decks=8)
    early.say("table.roll-over", closer={"10000": 200}, **TWO)
    for step in ("inspect", "shuffle", "cut", "burn"):
        fields = {"shuffle": {"method": "hand"}, "cut": {"seat": 3}, "burn": {"card": "KD"}}
        early.say(f"shoe.{step}", **fields.get(step, {}))
    waits = TwinTable(dispatcher, "B02").begin()
    waits.play(PLAYER_WINS, (5, "player", 100_00))
    waits.say("shoe.misdraw", card="9H", disposition="carry", **TWO)
    waits.say("table.roll-over", closer={"10000": 199}, **TWO)
    waits.bet(5, "player", 100_00)
    dealt = waits.say("draw", card="2S").body["events"]

    assert early.play(PLAYER_WINS, (5, "player", 100_00)).body["coup"] == f"B01/{DAY}/2/1"
    assert [each["card"] for each in dealt if each["type"] == "CardDealt"] == ["9H", "2S"]


# What is put right later.
def test_a_coup_of_either_day_is_put_right_at_the_tray_of_the_open_one(table, database):
    table.fix("void", coup=FIRST)
    table.fix("coup.correct-card", coup=SECOND, n=3, card="QD")
    table.fix("correct", coup=SECOND, seat=3, spot="banker", to=200_00)
    table.finish(closer={"10000": 195})

    kinds = rows(database, "voids", "kind", "original", day=DAY)
    assert ("coup voided", FIRST) in kinds
    assert len(rows(database, "voids", "kind", day=NEXT_DAY)) == 2
    require_sums(database)
    for each in (FIRST, SECOND):
        with database.session("sabot_auditor") as connection:
            assert one(connection, addresses.Coup.parse(each)).agrees


@pytest.mark.parametrize("days", [1, 2])
def test_a_coup_is_put_right_twice_however_often_the_table_was_rolled_over(table, database, days):
    for _ in range(days - 1):
        roll_over(table)
    owed = []
    for stake in (100_00, 50_00):
        table.fix("correct", coup=FIRST, seat=3, spot="banker", stake=stake)
        owed.append(table.owed(3))

    assert owed == [5_00, 2_50]
    require_sums(database)


def test_a_table_that_is_rolled_over_ends_as_one_whose_mistakes_were_never_made(
    dispatcher, database
):
    right, wrong = (TwinTable(dispatcher, name).begin() for name in ("B01", "B02"))
    for table, card, amount in ((right, "9S", 100_00), (wrong, "8S", 200_00)):
        table.play(f"KC {card} 2C QD", (3, "banker", 100_00))
        table.say("table.buy-in", seat=1, amount=amount)
        roll_over(table)
    wrong.fix("coup.correct-card", coup=wrong.coup(1), n=2, card="9S")
    bought_in = next(
        each.position
        for each in events_of(database, f"B02/{DAY}")
        if each.topic == "table-day.bought-in"
    )
    wrong.fix("money.correct", position=bought_in, amount=100_00)
    for table in (right, wrong):
        table.play(PLAYER_WINS, (5, "player", 100_00), (3, "banker", 100_00))
        table.finish()

    assert ends(database, "B01") == ends(database, "B02")


def events_of(database, what):
    with database.session("sabot_auditor") as connection:
        return events_about(connection, what)


# Reading it.
def test_the_shoe_is_read_over_both_days(table, database):
    shoe = addresses.Shoe.parse(f"B01/{DAY}/1")
    days = {each.gaming_day for each in events_of(database, str(shoe))}
    topics = [each.topic for each in events_of(database, SECOND)]
    with database.session("sabot_auditor") as connection:
        coups = coups_around(connection, addresses.Coup.parse(SECOND))
        second = find(connection, addresses.Coup.parse(SECOND))

    assert days == {date(2026, 11, 21), date(2026, 11, 22)}
    assert (topics[0], topics[-1]) == ("coup.opened", "coup.settled")
    assert list(map(str, coups.addresses)) == [FIRST, SECOND]
    assert str(coups.beside(addresses.Coup.parse(FIRST), 1)) == SECOND
    assert (str(second.table_day), second.disagreements) == (f"B01/{NEXT_DAY}", [])
    assert roads_of(database, shoe).coups == (FIRST, SECOND)
    assert shoe_meant(database, f"B01/{NEXT_DAY}") == shoe
    assert walk(database, Range(first=date(2026, 11, 22), last=date(2026, 11, 22)))[1].ok


@pytest.mark.parametrize("report", [each for each in REPORTS.values() if each.rows])
def test_a_page_of_a_list_that_reads_only_its_days_has_the_rows_of_the_whole(
    table, database, report
):
    every = ask(database, report).raw
    pages = [ask(database, report, wanted=Wanted(FIRST_PAGE, 1))]
    while after := pages[-1].listing.part.after:
        pages.append(ask(database, report, wanted=Wanted(Turn(after=after), 1)))

    assert [row for page in reversed(pages) for row in page.raw] == every
