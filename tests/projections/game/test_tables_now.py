"""How every table stands now, worked out by hand beside an evening."""

from datetime import timedelta

import pytest
from psycopg.rows import dict_row

from ops.reports.ask import ask
from ops.reports.runner import catch_up
from projections import PROJECTIONS, REPORTS
from projections.game.tables_of_the_day import TABLES_OF_THE_DAY
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, DAY, PLAYER_WINS, GamingTable

SHOE = f"B01/{DAY}/1"
TWO = {"with": "S-11"}


@pytest.fixture
def now(database):
    """Asks for these columns of a table that is open, so many minutes into the evening."""

    def ask(*names, table="B01", minutes=0, today=DAY):
        asked = {"now": BEGINS + timedelta(minutes=minutes), "today": today, "tables": None}
        asked["idle_minutes"] = 15
        with database.connect("sabot_projector") as connection:
            for name in ("tables_now", "trays_now"):
                catch_up(connection, PROJECTIONS[name])
            with connection.cursor(row_factory=dict_row) as cursor:
                rows = {row["table_code"]: row for row in cursor.execute(TABLES_OF_THE_DAY, asked)}
        row = rows.get(table)
        return row and tuple(row[name] for name in names)

    return ask


def test_a_table_that_opens_has_its_rules_limits_people_and_seats(dispatcher, now):
    GamingTable(dispatcher).open()

    assert now("rules", "dealer", "supervisor", "differential", "seats", "patrons") == (
        *("dragon-bonus@1", "D-204", "S-11", None),
        *({"1": "P-10411", "3": "P-10417", "5": "grey-jacket"}, 3),
    )
    assert now("limits")[0]["main"] == [25_00, 10_000_00]
    nothing = "shoe", "coup", "phase", "cards_left", "last_coup_at", "hands_per_hour"
    assert now(*nothing) == (None,) * 6


def test_what_changes_at_a_table_holds_from_then_on(dispatcher, now):
    pit = GamingTable(dispatcher).open()
    pit.say("table.limits", minimum=50_00, differential=5_000_00)
    pit.say("table.dealer", staff="D-205")
    pit.say("table.supervisor", staff="S-12")
    pit.say("table.move", seat=5, to=6)
    pit.say("table.seat", seat=7, patron="P-10417", **TWO)
    pit.say("table.leave", seat=1)

    assert now("dealer", "supervisor", "differential") == ("D-205", "S-12", 5_000_00)
    assert now("limits")[0]["main"] == [50_00, 10_000_00]
    assert now("seats", "patrons") == ({"3": "P-10417", "6": "grey-jacket", "7": "P-10417"}, 2)
    pit.say("table.leave", seat=3)
    assert now("seats", "patrons") == ({"6": "grey-jacket", "7": "P-10417"}, 2)


def test_a_shoe_is_told_by_its_cards_and_a_coup_by_its_phase(pit, now):
    what = "shoe", "coup", "phase", "cards_left"

    assert now(*what) == (SHOE, None, None, 412)
    pit.bet(3, "player", 100_00)
    assert now(*what) == (SHOE, f"{SHOE}/1", "betting", 412)
    pit.deal(PLAYER_WINS)
    assert now(*what) == (SHOE, f"{SHOE}/1", "resulted", 407)
    pit.say("settle")
    assert now(*what) == (SHOE, f"{SHOE}/1", "settled", 407)
    pit.say("shoe.misdraw", card="4C", disposition="burn", **TWO)
    pit.say("shoe.discard", card="7H", reason="damaged", **TWO)
    pit.say("shoe.discard", card="7H", reason="foreign", **TWO)  # never the shoe's
    assert now(*what) == (SHOE, f"{SHOE}/1", "settled", 405)
    pit.say("shoe.cut-card")
    pit.bet(3, "player", 100_00)
    pit.say("draw", card="9C")
    assert now(*what, "last_coup") == (SHOE, f"{SHOE}/2", "dealing", 404, 2)
    pit.say("void", coup=f"{SHOE}/2", reason="a torn card", **TWO)
    assert now(*what) == (SHOE, f"{SHOE}/2", "voided", 404)
    pit.end_shoe()
    assert now(*what, "last_coup", "cut_card_position") == (None,) * 6
    pit.prepare(cut_card=20)
    assert now(*what, "cut_card") == (f"B01/{DAY}/2", None, None, 412, 20)


def test_drop_is_the_cash_that_came_in_until_the_box_is_counted(pit, now):
    pit.say("table.buy-in", seat=1, amount=1_000_00)
    pit.say("table.buy-in", seat=3, amount=500_00)
    pit.say("table.cash-out", seat=3, amount=200_00)

    assert now("drop") == (1_500_00,)
    pit.say("table.drop", amount=1_480_00)
    assert now("drop") == (1_480_00,)


def test_the_win_is_what_wagers_brought_and_the_commission_that_was_paid(pit, now):
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "banker", 300_00))
    assert now("win", "owed", "owing") == (-400_00, 20_00, 2)
    pit.say("commission.collect", seat=5, amount=10_00)
    assert now("win", "owed", "owing") == (-390_00, 10_00, 2)
    pit.say("correct", coup=f"{SHOE}/1", seat=5, spot="banker", to=300_00, reason="misread", **TWO)
    assert now("win", "owed", "owing") == (-100_00, 5_00, 1)  # the 10.00 are given back
    pit.play(PLAYER_WINS, (1, "player", 50_00))
    assert now("win") == (-150_00,)
    pit.say("void", coup=f"{SHOE}/2", reason="a card fell", **TWO)
    assert now("win") == (-100_00,)
    pit.say("commission.waive", seat=3, amount=2_00, reason="a good patron", **TWO)
    assert now("win", "owed") == (-100_00, 3_00)
    pit.say("commission.walked", seat=3, reason="went home", **TWO)
    assert now("win", "owed", "owing") == (-100_00, 0, 0)


def test_at_payout_the_commission_is_kept_and_nobody_owes(dispatcher, now):
    pit = GamingTable(dispatcher).open("classic@1").prepare()
    pit.play(BANKER_WINS, (1, "banker", 100_00))

    assert now("win", "owed", "owing") == (-95_00, 0, 0)


def test_the_win_is_what_the_closer_tells_when_the_tray_is_right(pit, dispatcher, now):
    """Drop + closer - opener: what was estimated a moment before."""
    pit.say("table.buy-in", seat=3, amount=500_00)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.play(PLAYER_WINS, (3, "banker", 300_00))
    (win,) = now("win")
    pit.end_shoe()
    closer = {"10000": 197, "500": 1}  # 20,000 - 500 of chips sold, + 205 won
    closed = pit.say("table.close", closer=closer, **TWO).body["events"]
    (told,) = [event for event in closed if event["type"] == "TableClosed"]

    assert told["variance"] == 0
    assert win == 500_00 + 19_705_00 - 20_000_00 == 205_00


def settled_after(pit, minutes):
    """A coup that is settled so many minutes into the evening."""
    pit.bet(3, "player", 100_00)
    pit.deal(BANKER_WINS)
    pit.moment = BEGINS + timedelta(minutes=minutes)
    pit.say("settle", at=pit.moment.isoformat())


@pytest.fixture
def from_eight(dispatcher):
    """A table that opened at eight o'clock sharp."""
    pit = GamingTable(dispatcher)
    pit.moment -= timedelta(seconds=1)
    return pit.open().prepare()


def test_hands_an_hour_are_those_of_the_last_hour(from_eight, now):
    told = []
    for minutes in (10, 20, 30, 75, 90, 150):
        settled_after(from_eight, minutes)
        told.append(*now("hands_per_hour", minutes=minutes))

    # 1 in 10 minutes, 2 in 20, 3 in 30; from then on those of an hour.
    assert told == [6, 6, 6, 3, 2, 1]


def test_hands_an_hour_fall_while_a_table_stands_and_its_idle_minutes_grow(from_eight, now):
    for minutes in (10, 20):
        settled_after(from_eight, minutes)
    told = [now("hands_per_hour", "idle_minutes", minutes=n) for n in (20, 24, 40, 60, 75, 80)]

    assert told == [(6, 0), (5, 4), (3, 20), (2, 40), (1, 55), (0, 60)]


def test_nobody_knows_how_long_a_table_is_idle_whose_times_lie_ahead(from_eight, now):
    settled_after(from_eight, 10)

    assert now("hands_per_hour", "idle_minutes", minutes=9) == (None, None)


def test_since_when_a_table_is_without_a_coup(pit, now):
    opened = BEGINS + timedelta(seconds=1)

    assert now("idle_at", "last_coup_at") == (opened, None)
    answer = pit.say("open")
    assert now("idle_at", "last_coup_at") == (pit.moment, pit.moment)
    assert now("idle_position")[0] in range(answer.body["position"] - 1, answer.body["position"])
    begun = pit.moment
    pit.bet(3, "banker", 100_00)
    pit.deal(BANKER_WINS)
    assert now("idle_at") == (begun,)
    pit.say("settle")
    assert now("idle_at", "last_coup_at") == (pit.moment, pit.moment)


def test_a_table_that_closes_is_gone_the_next_day_which_begins_anew(pit, now):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 199}, **TWO)

    assert now("closed_at") != (None,)
    assert now("closed_at", today="2026-11-22") is None
    pit.open(day="2026-11-22")
    assert now("win", "drop", "owed", "patrons", "coup") == (0, 0, 0, 3, None)


def test_what_is_put_right_of_an_earlier_day_is_paid_with_chips_of_this_one(pit, now):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    pit.say("table.roll-over", closer={"10000": 199}, **TWO)

    assert now("win", "owed", "patrons") == (0, 0, 3)
    pit.say("void", coup=f"{SHOE}/1", reason="a torn card", **TWO)
    assert now("win", "owed") == (95_00, 0)  # 100 back to the tray, less the 5 collected


def test_a_shoe_in_play_is_still_there_after_a_roll_over(pit, now):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    before = now("shoe", "coup", "phase", "cards_left", "cut_card")
    pit.say("table.roll-over", closer={"10000": 199}, **TWO)

    assert before == (SHOE, f"{SHOE}/1", "settled", 408, 14)
    assert now("shoe", "coup", "phase", "cards_left", "cut_card") == before
    pit.play(PLAYER_WINS, (5, "player", 100_00))
    assert now("coup", "cards_left", "win") == (f"{SHOE}/2", 403, -100_00)


CORRECTED = {"by": "S-11", "with": "PB-1", "reason": "typed wrong"}


def test_the_tray_is_what_a_count_expects_after_everything_that_moves_chips(dispatcher, now):
    pit = GamingTable(dispatcher)
    pit.say("property.set", name="shifts", value="day 06:00, swing 14:00, grave 22:00")
    pit.open().prepare()
    slip = {"requested_by": "S-11", "cashier": "C-1", "runner": "G-1", **TWO}

    def same():
        counted = pit.say("table.shift-count", chips={"10000": 200}, **TWO).body["events"]
        return now("tray") == (counted[0]["expected"],)

    checked = [same()]
    for command, fields in (
        ("table.buy-in", {"seat": 3, "amount": 500_00}),
        ("table.fill", {"chips": {"10000": 5}, **slip}),
        ("table.credit", {"chips": {"10000": 2}, **slip}),
        ("table.cash-out", {"seat": 3, "amount": 50_00}),
        ("money.correct", {"position": "last", "table": "B01", "amount": 60_00, **CORRECTED}),
    ):
        pit.say(command, **fields)
        checked.append(same())
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    checked.append(same())
    pit.say("void", coup=f"{SHOE}/1", reason="a card fell", **TWO)
    checked.append(same())
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 198}, **TWO)
    pit.say("table.reopen", opener={"10000": 150}, **CORRECTED)
    checked.append(same())

    assert checked == [True] * 9


def test_the_average_wager_of_a_seat_is_that_of_the_report_ratings(pit, now, database):
    """After a void coup, a payment that was corrected, a stake typed wrong, and a wager moved."""
    pit.play(BANKER_WINS, (3, "banker", 100_00), (3, "tie", 5_00), (5, "banker", 300_00))
    pit.play(PLAYER_WINS, (3, "player", 55_00))
    pit.play(PLAYER_WINS, (3, "player", 500_00), (5, "player", 25_00))
    pit.say("void", coup=f"{SHOE}/3", reason="a card fell", **TWO)
    pit.say("correct", coup=f"{SHOE}/1", seat=5, spot="banker", to=300_00, reason="misread", **TWO)
    plays = now("plays")[0]
    rated = {each["seat"]: each for each in ask(database, REPORTS["ratings"]).rows}

    assert {seat: (each["coups"], each["average_wager"]) for seat, each in plays.items()} == {
        "1": (0, None),
        "3": (2, 80_00),
        "5": (1, 300_00),
    }
    for seat in (3, 5):
        assert plays[str(seat)]["coups"] == rated[seat]["coups"]
        assert plays[str(seat)]["average_wager"] == int(rated[seat]["average_wager"])
