"""What happens to a table's limits, people, chips and cash between opener and closer."""

from collections import Counter
from datetime import timedelta

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.coup import Coup
from domain.aggregates.table_day import TableDay
from domain.events import table_money
from domain.rules.addresses import Coup as Address
from domain.rules.addresses import TableDay as Day
from domain.rules.chips import total
from domain.rules.house_rules import named
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.refusals import (
    BadValue,
    SeatEmpty,
    SeatTaken,
    TableClosed,
    UnderMinimum,
    UnknownSeat,
)
from domain.rules.seating import Stay
from tests.domain.floor import DAY, EVENING, OPENER, house, open_table, ready_shoe
from tests.scenario import given, replayed

CHIPS = {"10000": 50, "2500": 40}
P_3 = {"seat": 3, "patron": "P-3", "stay": f"{DAY}/stay-1"}
LIMITS = {
    "main": [25_00, 10_000_00],
    "tie": [5_00, 1_000_00],
    "dragon-player": [5_00, 500_00],
    "dragon-banker": [5_00, 500_00],
}


SPOTS = (
    "dragon-bonus@1 has no spot Lucky 6. Its limits are `main` and those of Player, Banker, Tie, "
    "Dragon Player and Dragon Banker."
)
AS_THEY_ARE = "These limits are already in force. Give a minimum, maximum or differential."


def limited(**said):
    return lambda table: table.limit(**said)


NOT_AGAIN = {"reason": "", "requested_by": "", "approved_by": ""}  # a first count

# fmt: off
CHANGES = [
    # said                                         what changes                     differential
    ({"minimum": 50_00},                           {"main": [50_00, 10_000_00]},    None),
    ({"maximum": 5_000_00},                        {"main": [25_00, 5_000_00]},     None),
    ({"minimum": 50_00, "maximum": 50_00},         {"main": [50_00, 50_00]},        None),
    ({"spot": "tie", "minimum": 10_00},            {"tie": [10_00, 1_000_00]},      None),
    ({"spot": "tie", "maximum": 500_00},           {"tie": [5_00, 500_00]},         None),
    ({"spot": "player", "minimum": 100_00},        {"player": [100_00, 10_000_00]}, None),
    ({"spot": "banker", "maximum": 5_000_00},      {"banker": [25_00, 5_000_00]},   None),
    ({"differential": 20_000_00},                  {},                              20_000_00),
    ({"minimum": 50_00, "differential": 1_000_00}, {"main": [50_00, 10_000_00]},    1_000_00),
]
UNSOUND = [
    # limits                                message
    ({"minimum": 26_00},     "The minimum 26.00 is no multiple of 5.00. Choose another."),
    ({"maximum": 9_999_99},  "The maximum 9,999.99 is no multiple of 5.00. Choose another."),
    ({"differential": 3_00}, "The differential 3.00 is no multiple of 5.00. Choose another."),
    ({"spot": "tie", "minimum": 5_01}, "The minimum 5.01 is no multiple of 5.00. Choose another."),
    ({"maximum": 20_00},
     "The maximum 20.00 is under the minimum 25.00. Change one of them."),
    ({"minimum": 10_005_00},
     "The maximum 10,000.00 is under the minimum 10,005.00. Change one of them."),
    ({"spot": "lucky-6", "minimum": 5_00},  SPOTS),
    ({},                                    AS_THEY_ARE),
    ({"spot": "tie"},                       AS_THEY_ARE),
    ({"minimum": 25_00},                    AS_THEY_ARE),
    ({"spot": "tie", "maximum": 1_000_00},  AS_THEY_ARE),
]
# fmt: on


@pytest.mark.parametrize(("said", "changed", "differential"), CHANGES)
def test_r_bet_3_and_4_limits_change_and_what_is_not_said_stays(said, changed, differential):
    told = given(open_table()).when(limited(**said))
    expected = {"limits": {**LIMITS, **changed}, "differential": differential}
    before = {"limits_before": LIMITS, "differential_before": None}

    told.then(("LimitsChanged", {**expected, **before}))
    assert expected == {
        "limits": told.aggregate.limits,
        "differential": told.aggregate.differential,
    }


@pytest.mark.parametrize(("limits", "message"), UNSOUND)
def test_r_bet_3_impossible_limits_are_refused(limits, message):
    refusal = given(open_table()).when(limited(**limits)).then_refused(BadValue)

    assert message == str(refusal)


def test_r_bet_4_the_differential_of_the_rule_set_stays_until_another_is_said():
    table = open_table("big-table@1")

    given(table).when(limited(minimum=200_00)).then("LimitsChanged")
    assert table.differential == 50_000_00
    given(table).when(limited(differential=50_000_00)).then_refused(BadValue)


def test_r_bet_3_a_spot_that_has_its_own_limit_keeps_it_when_the_main_one_changes():
    table = open_table()
    limited(spot="player", minimum=100_00)(table)
    limited(minimum=50_00)(table)
    expected = LIMITS | {"main": [50_00, 10_000_00], "player": [100_00, 10_000_00]}

    assert expected == table.limits


def test_r_bet_3_an_open_coup_keeps_its_limits_and_the_next_one_has_the_new():
    table, shoe = open_table(seats=(3,)), ready_shoe()
    before = Coup.open(shoe.begin_coup(), table, shoe, at=EVENING)
    limited(minimum=50_00, differential=1_000_00)(table)
    after = Coup.open(Address.parse(f"{DAY}/1/2"), table, shoe, at=EVENING)

    def bet(coup):
        coup.bet(3, table.stay_at(3), "player", 25_00)

    given(before).when(bet).then("WagerPlaced")
    given(after).when(bet).then_refused(UnderMinimum)
    assert (None, 1_000_00) == (before.layout.differential, after.layout.differential)


def test_the_limits_of_the_day_before_go_on():
    before = open_table()
    limited(spot="tie", minimum=10_00, differential=20_000_00)(before)
    tomorrow = TableDay.open(
        Day("B01", DAY.day + timedelta(days=1)),
        house(),
        before.rules,
        OPENER,
        at=EVENING,
        dealer="D-204",
        supervisor="S-11",
    )
    expected = {"limits": LIMITS | {"tie": [10_00, 1_000_00]}, "differential": 20_000_00}

    expected |= {f"{name}_before": each for name, each in expected.items()}  # they stay
    given(tomorrow).when(lambda table: table.take_limits(before)).then(("LimitsChanged", expected))


# fmt: off
PEOPLE = [
    # role        relieve                                            now
    ("dealer",     lambda table, who: table.relieve_dealer(who),     "D-204"),
    ("supervisor", lambda table, who: table.relieve_supervisor(who), "S-11"),
]
# fmt: on


@pytest.mark.parametrize(("role", "relieve", "now"), PEOPLE, ids=["dealer", "supervisor"])
def test_one_goes_and_another_comes(role, relieve, now):
    table = open_table()
    told = given(table).when(lambda table: relieve(table, "X-1"))

    told.then((f"{role.title()}Relieved", {"staff": "X-1", "before": now}))
    assert getattr(table, role) == "X-1"
    given(table).when(lambda table: relieve(table, now)).then(
        (f"{role.title()}Relieved", {"staff": now, "before": "X-1"})
    )


@pytest.mark.parametrize(("role", "relieve", "now"), PEOPLE, ids=["dealer", "supervisor"])
def test_nobody_relieves_themselves(role, relieve, now):
    refusal = given(open_table()).when(lambda table: relieve(table, now)).then_refused(BadValue)

    assert f"{now} is already the {role} of B01." == str(refusal)


def test_the_next_coup_is_dealt_by_who_relieved():
    table, shoe = open_table(), ready_shoe()
    table.relieve_dealer("D-205")
    table.relieve_supervisor("S-12")
    event = Coup.open(shoe.begin_coup(), table, shoe, at=EVENING).pending_events[0]

    assert ("D-205", "S-12") == (event.dealer, event.supervisor)


def test_r_com_5_a_patron_moves_and_the_stay_and_its_account_go_along():
    table = open_table(seats=(3, 5))
    stay = table.stay_at(3)
    account = CommissionAccount.open(stay, table, at=EVENING)

    given(table).when(lambda table: table.move(3, 7)).then(
        ("PatronMoved", {"seat": 3, "to": 7, "patron": "P-3", "stay": stay.address})
    )
    assert {5: Stay("P-5", f"{DAY}/stay-2"), 7: stay} == table.seats
    assert account.id == CommissionAccount.stream(table.stay_at(7).address)


def test_a_patron_of_several_chairs_moves_one_of_them_and_has_the_same_stay():
    table = open_table(seats=(3,))
    table.seat(4, "P-3", most=3)
    table.move(3, 9)
    table.seat(3, "P-3", most=3)

    assert dict.fromkeys((3, 4, 9), Stay("P-3", f"{DAY}/stay-1")) == table.seats


# fmt: off
MOVES = [
    # from  to  refusal      message
    (3,     5,  SeatTaken,   "Seat 5 is taken by P-5. Choose another seat."),
    (3,     3,  SeatTaken,   "Seat 3 is taken by P-3. Choose another seat."),
    (3,     12, UnknownSeat, "B01 has no seat 12. Its seats are 1, 2, 3, 4, 5, 6, 7, 8 and 9."),
    (12,    3,  UnknownSeat, "B01 has no seat 12. Its seats are 1, 2, 3, 4, 5, 6, 7, 8 and 9."),
    (4,     7,  SeatEmpty,   "Nobody sits at seat 4. Seat the patron first, with `table seat`."),
]
# fmt: on


@pytest.mark.parametrize(("seat", "to", "refusal", "message"), MOVES)
def test_a_patron_moves_from_their_own_chair_to_a_free_one(seat, to, refusal, message):
    told = given(open_table(seats=(3, 5))).when(lambda table: table.move(seat, to))

    assert message == str(told.then_refused(refusal))


# Each with the event, and what it does to tray, cash in, cash out and drop.
# fmt: off
MONEY = [
    (lambda table: table.buy_in(3, 1_000_00),
     ("BoughtIn", {**P_3, "amount": 1_000_00}),
     (-1_000_00, 1_000_00, 0, None)),
    (lambda table: table.pay_out(3, 400_00),
     ("CashedOut", {**P_3, "amount": 400_00}),
     (400_00, 0, 400_00, None)),
    (lambda table: table.fill("2026-000017", CHIPS),
     ("Filled", {"slip": "2026-000017", "chips": CHIPS, "total": 6_000_00}),
     (6_000_00, 0, 0, None)),
    (lambda table: table.credit("2026-000018", CHIPS),
     ("Credited", {"slip": "2026-000018", "chips": CHIPS, "total": 6_000_00}),
     (-6_000_00, 0, 0, None)),
    (lambda table: table.count_drop(950_00),
     ("DropCounted", {"amount": 950_00, "before": None, **NOT_AGAIN}),
     (0, 0, 0, 950_00)),
]
# fmt: on


@pytest.mark.parametrize(
    ("act", "event", "effect"), MONEY, ids=["buy-in", "cash-out", "fill", "credit", "drop"]
)
def test_money_moves_as_it_was_said(act, event, effect):
    told = given(open_table(seats=(3,))).when(act)
    table = told.aggregate

    told.then(event)
    assert effect == (table.tray - total(OPENER), table.cash_in, table.cash_out, table.drop)


@pytest.mark.parametrize("act", [TableDay.buy_in, TableDay.pay_out], ids=["buy-in", "cash-out"])
@pytest.mark.parametrize(("seat", "refusal"), [(4, SeatEmpty), (12, UnknownSeat)])
def test_cash_is_taken_from_and_paid_to_whoever_sits_there(act, seat, refusal):
    given(open_table(seats=(3,))).when(lambda table: act(table, seat, 100_00)).then_refused(refusal)


# fmt: off
COUNTED = [
    (lambda table, chips: table.fill("2026-000017", chips),   "Filled"),
    (lambda table, chips: table.credit("2026-000018", chips), "Credited"),
    (lambda table, chips: table.close(chips, house()),        "TableClosed"),
]
# fmt: on


@pytest.mark.parametrize(("act", "event"), COUNTED, ids=["fill", "credit", "closer"])
def test_chips_are_worth_no_more_than_every_reader_can_count(act, event):
    room = LARGEST_AMOUNT - total(OPENER)  # the tray is bounded too
    most, more = {"1": room}, {"1": LARGEST_AMOUNT + 1}

    given(open_table()).when(lambda table: act(table, more)).then_refused(BadValue)
    given(open_table()).when(lambda table: act(table, most)).then(event)


@pytest.mark.parametrize("act", ["buy_in", "pay_out"])
def test_a_tray_is_never_off_by_more_than_every_reader_can_count(act):
    table = open_table(seats=(3,))
    said = [lambda each: getattr(each, act)(3, LARGEST_AMOUNT - total(OPENER))] * 2

    given(table, said[0]).when(said[1]).then_refused(BadValue)


def test_a_second_count_of_the_drop_says_what_the_first_was_and_counts_alone():
    table = open_table()
    table.count_drop(950_00)

    given(table).when(lambda table: table.count_drop(900_00)).then(
        ("DropCounted", {"amount": 900_00, "before": 950_00, **NOT_AGAIN})
    )
    assert table.drop == 900_00


def test_the_drop_of_a_closed_table_is_counted():
    table = open_table()
    table.close(OPENER, house())

    given(table).when(lambda table: table.count_drop(950_00)).then("DropCounted")


# fmt: off
OFF = [
    # off    level
    (0,      "none"),
    (1,      "none"),
    (25_00,  "none"),
    (25_01,  "report"),
    (99_99,  "report"),
    (100_00, "regulator"),
    (100_01, "regulator"),
]
STRICTER = [
    # off    level
    (10_00,  "none"),
    (10_01,  "report"),
    (49_99,  "report"),
    (50_00,  "regulator"),
]
LEVELS = [
    *(({}, off, level) for off, level in OFF),
    *(({"variance_report": "10", "variance_regulator": 50_00}, *each) for each in STRICTER),
]
# fmt: on


@pytest.mark.parametrize("sign", [1, -1], ids=["too much", "too little"])
@pytest.mark.parametrize(("settings", "off", "level"), LEVELS)
def test_what_a_tray_is_off_by_says_who_hears_of_it(settings, off, level, sign):
    closer = {"1": 30_000_00 + sign * off}
    expected = {
        "closer": closer,
        "closer_total": 30_000_00 + sign * off,
        "expected": 30_000_00,
        "variance": sign * off,
        "level": level,
        "thresholds": [10_00, 50_00] if settings else [25_00, 100_00],
        "wagers_won": 0,
        "commission": 0,
        "counted_by": "",
        "signed_by": "",
        "why": "closed",
        "session": 1,
    }

    given(open_table()).when(lambda table: table.close(closer, house(**settings))).then(
        ("TableClosed", expected)
    )


@pytest.mark.parametrize("won", [250_00, -250_00])
def test_what_wagers_and_commission_brought_is_expected_in_the_tray(won):
    table = open_table()
    table.close({"1": 30_000_00}, house(), wagers_won=won - 5_00, commission=5_00)
    event = table.pending_events[-1]

    assert (30_000_00 + won, -won, "regulator") == (event.expected, event.variance, event.level)


# Which place gives chips, and which one takes them.
PLACES = {
    "buy_in": ("tray", "patrons"),
    "pay_out": ("patrons", "tray"),
    "fill": ("cage", "tray"),
    "credit": ("tray", "cage"),
}
CASH = st.tuples(st.sampled_from(["buy_in", "pay_out"]), st.integers(1, 1_000_00))
SLIPS = st.tuples(
    st.sampled_from(["fill", "credit"]),
    st.dictionaries(st.sampled_from(["100", "2500", "10000"]), st.integers(0, 10), min_size=1),
)


@for_all(st.lists(CASH | SLIPS, max_size=10), st.integers(-1_000_00, 1_000_00))
def test_chips_only_change_their_place_and_the_closer_is_what_is_left_of_them(acts, won):
    table = open_table(seats=(3,))
    expected = Counter(tray=0, patrons=0, cage=0)
    for act, what in acts:
        giver, taker = PLACES[act]
        worth = what if isinstance(what, int) else total(what)
        expected[giver] -= worth
        expected[taker] += worth
        getattr(table, act)(3 if isinstance(what, int) else "2026-000017", what)
        slips = [event for event in table.pending_events if hasattr(event, "slip")]
        actual = {
            "tray": table.tray - total(OPENER),
            "patrons": table.cash_in - table.cash_out,
            "cage": sum(
                event.total if isinstance(event, table_money.Credited) else -event.total
                for event in slips
            ),
        }

        assert expected == actual
        assert sum(actual.values()) == 0
    left = total(OPENER) + expected["tray"] + won
    table.close({"1": left}, house(), wagers_won=won - 5_00, commission=5_00)
    event = table.pending_events[-1]

    assert (left, 0, "none") == (event.expected, event.variance, event.level)
    assert replayed(table) == table


@for_all(st.integers(1, 200), st.integers(1, 200), st.sampled_from(["main", "player", "tie"]))
def test_r_bet_3_limits_hold_in_order_or_are_refused(least, most, spot):
    table, step = open_table(), named("dragon-bonus@1").increment
    said = given(table).when(limited(spot=spot, minimum=least * step, maximum=most * step))

    if least > most:
        said.then_refused(BadValue)
        assert table.limits == LIMITS
    elif LIMITS.get(spot) == [least * step, most * step]:
        said.then_refused(BadValue)
    else:
        said.then("LimitsChanged")
        assert [least * step, most * step] == table.limits[spot]


@pytest.mark.parametrize(
    "act",
    [
        lambda each: each.limit(minimum=50_00),
        lambda each: each.relieve_dealer("D-205"),
        lambda each: each.relieve_supervisor("S-12"),
        lambda each: each.fill("2026-000001", {"10000": 1}),
        lambda each: each.credit("2026-000001", {"10000": 1}),
    ],
    ids=["limits", "dealer", "supervisor", "fill", "credit"],
)
def test_a_closed_table_takes_no_change(act):
    table = open_table()
    table.close({}, house())

    given(table).when(act).then_refused(TableClosed)


@pytest.mark.parametrize(
    "said", [{"spot": "lucky-6", "differential": 1_000_00}, {"differential": 7}]
)
def test_a_differential_too_is_of_a_spot_there_is_and_in_steps(said):
    given(open_table()).when(lambda each: each.limit(**said)).then_refused(BadValue)
