"""R-PROG-1 to 4 from the rule file to the report: meters of a table and of the house."""

import json
from datetime import timedelta

import pytest
from pyarrow import parquet

from ops.handlers.several import dispatch_several
from tests.acceptance.channels import json_of, shell
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import DAY, PLAYER_WINS, GamingTable, mouth_on
from tests.worlds.progressive_sheets import (
    BY_NINE,
    METER,
    NATURAL_TIE,
    ON_8,
    in_all,
    moved,
    rows,
    sheet,
)
from tests.worlds.stranger import judged
from tests.worlds.terms_of_sheets import COUP, TWO, approve, told, written


def open_tables(dispatcher, of="house", tables=("B01", "B02")):
    approve(dispatcher, sheet(of))
    return [GamingTable(dispatcher, each).open("riverside@1").prepare() for each in tables]


def paid(answer):
    return {
        each["seat"]: each["paid"]
        for each in answer.body["events"]
        if each["type"] == "WagerSettled"
    }


def test_a_wager_won_or_lost_feeds_the_meter_and_the_meter_keeps_what_chips_cannot_make(
    dispatcher, database
):
    (pit,) = open_tables(dispatcher, tables=("B01",))
    pit.play(PLAYER_WINS, (3, "fortune", 50_00), (5, "player", 100_00))
    pit.play(ON_8, (3, "fortune", 100_00))
    won = pit.play(BY_NINE, (3, "fortune", 50_00), (5, "fortune", 150_00))
    stood = 1_000_00 + 350_00 * 0.150001

    assert {3: 50_00 + 263_25, 5: 150_00 + 789_25} == paid(won)
    assert f"{stood:.6f}".rstrip("0") == moved(database)[-1].stood
    (row,) = rows(database)
    assert (METER, 1_052_50, 0) == (row["meter"], row["paid"], row["off"])
    came, left = in_all(database)
    assert came == left


def test_the_second_table_gets_what_the_first_one_left(dispatcher, database):
    first, second = open_tables(dispatcher)
    for pit in (first, second):
        pit.bet(3, "fortune", 100_00)
    one, other = (pit.deal(BY_NINE, settle=True) for pit in (first, second))

    assert [100_00 + 1_015_00, 100_00 + 1_015_00] == [paid(each)[3] for each in (one, other)]
    assert ["101500.01", "101500.03"] == [each.stood for each in moved(database)]
    assert in_all(database)[0] == in_all(database)[1]


def test_a_meter_of_its_own_for_each_table(dispatcher, database):
    first, second = open_tables(dispatcher, of="table")
    first.play(BY_NINE, (3, "fortune", 100_00))
    second.play(PLAYER_WINS, (3, "fortune", 100_00))

    assert ["fortune/table B01/USD", "fortune/table B02/USD"] == [
        r["meter"] for r in rows(database)
    ]


def test_a_table_without_a_bet_on_it_reads_no_meter(dispatcher, database):
    (pit,) = open_tables(dispatcher, tables=("B01",))
    pit.play(BY_NINE, (3, "player", 100_00))

    assert [] == rows(database)


ALTERED = {  # a text of the record and what somebody makes of it; by how much which day is off
    "a movement": ('"stood":"101500.01"', '"stood":"101400.01"', [2_00, 0]),
    "the last movement": ('"stood":"103000.02"', '"stood":"103100.02"', [1_00, 1_00]),
    "what a day began with": ('"standing":"103000.02"', '"standing":"103000.01"', [0, 0.02]),
    "the reserve it began with": ('"reserve":"500.02"', '"reserve":"500.01"', [0, 0.01]),
}


@pytest.mark.parametrize("what", ALTERED)
def test_an_altered_meter_is_off(dispatcher, database, superuser, what):
    (pit,) = open_tables(dispatcher, tables=("B01",))
    for _ in range(2):
        pit.play(PLAYER_WINS, (3, "fortune", 100_00))
    pit.say("table.roll-over", closer={"10000": 200}, **TWO)
    pit.moment += timedelta(days=1)
    pit.play(PLAYER_WINS, (3, "fortune", 100_00))
    was, becomes, off = ALTERED[what]
    superuser.execute(
        "ALTER TABLE ledger.event_rows DISABLE TRIGGER USER;"
        " UPDATE ledger.events SET state = replace("
        f"convert_from(state, 'UTF8'), '{was}', '{becomes}')::bytea WHERE topic LIKE 'meter-day.%'"
    )

    assert off == [pytest.approx(float(row["off"])) for row in rows(database)]


PUT_RIGHT = {  # what is put right, what seats 3 and 5 have then, what the meter paid in all
    "void": (("void", {}), None, 0),
    "a stake": (
        ("correct", {"seat": 3, "spot": "fortune", "stake": 150_00}),
        (150_00 + 515_00, 150_00 + 515_00),
        1_030_00,
    ),
    "by hand": (
        ("correct", {"seat": 3, "spot": "fortune", "to": 100_00}),
        (100_00, 150_00 + 772_50),
        822_50,
    ),
    "as another spot": (
        ("correct", {"seat": 3, "spot": "fortune", "as": "tie"}),
        (0, 150_00 + 1_030_00),
        1_030_00,
    ),
    "a card": (
        ("coup.correct-card", {"n": 4, "card": "9D"}),
        (50_00 + 25_75, 150_00 + 77_25),
        103_00,
    ),
}


@pytest.mark.parametrize("what", PUT_RIGHT)
def test_what_is_put_right_is_followed_by_the_meter(dispatcher, database, tmp_path, what):
    (command, fields), expected, by_meter = PUT_RIGHT[what]
    (pit,) = open_tables(dispatcher, tables=("B01",))
    pit.play(BY_NINE, (3, "fortune", 50_00), (5, "fortune", 150_00))
    pit.say(command, coup=COUP, reason="misread", **fields, **TWO)
    story = told(database)
    last = {
        each["seat"]: each["paid"]
        for each in story["afterwards"]
        if each["event"] == "PaymentCorrected"
    }
    before = {each["seat"]: each["paid"] for each in story["payments"]}

    assert (True, []) == (story["agrees"], story["disagreements"])
    if expected:
        assert expected == tuple({**before, **last}[seat] for seat in (3, 5))
    (row,) = rows(database)
    assert (by_meter, 0) == (row["paid"], row["off"])
    assert in_all(database)[0] == in_all(database)[1]
    said = judged(written(database, tmp_path))
    assert (0, "") == (said.returncode, said.stderr), said.stdout


def test_a_bet_found_after_the_payment_shares_the_meter(dispatcher, database):
    (pit,) = open_tables(dispatcher, tables=("B01",))
    pit.play(BY_NINE, (5, "player", 100_00))
    late = {"at": f"{DAY}T20:00:06+00:00", "late": True}
    found = pit.say("bet", seat=3, spot="fortune", amount=50_00, **late, **TWO)

    assert ["MeterPlaced", "DayBegun", "MeterDayOpened", "MeterFollowed"] == [
        each["type"] for each in found.body["events"]
    ][:4]
    assert told(database)["agrees"]
    assert 1_000_00 == rows(database)[0]["paid"]


def test_replay_and_pack_cite_the_meter(dispatcher, database, tmp_path):
    (pit,) = open_tables(dispatcher, tables=("B01",))
    pit.play(NATURAL_TIE, (3, "fortune", 50_00), (5, "fortune", 150_00))
    page = " ".join(shell(database, "replay", COUP).stdout.split())
    said = judged(written(database, tmp_path))

    assert "10% of the meter" in page
    assert "R-PROG-3" in page
    assert (0, "") == (said.returncode, said.stderr), said.stdout
    assert "The chain is intact" in shell(database, "audit", "verify").stdout


@pytest.mark.parametrize(("field", "value"), [("paid", 50_00), ("stood", "200000"), ("share", "1")])
def test_a_stranger_sees_a_meter_that_is_wrong(dispatcher, database, tmp_path, field, value):
    (pit,) = open_tables(dispatcher, tables=("B01",))
    pit.play(NATURAL_TIE, (3, "fortune", 50_00))
    file = written(database, tmp_path)
    body = json.loads(file.read_bytes())
    for event in body["events"]:
        state = json.loads(event["state"])
        if event["topic"] == "coup.meter-followed":
            event["state"] = json.dumps(state | {field: value})
    file.write_text(json.dumps(body))

    assert "meter" in judged(file).stdout


def packed_second(dispatcher, database, tmp_path):
    """The pack of the second coup of a meter; it had one more since."""
    first, second = open_tables(dispatcher)
    first.play(PLAYER_WINS, (3, "fortune", 100_00))
    second.play(NATURAL_TIE, (3, "fortune", 100_00))
    first.play(PLAYER_WINS, (3, "fortune", 100_00))
    return written(database, tmp_path, f"B02/{DAY}/1/1")


def test_a_stranger_follows_the_meter_from_its_opening_to_the_coup(dispatcher, database, tmp_path):
    said = judged(packed_second(dispatcher, database, tmp_path))

    assert (0, "") == (said.returncode, said.stderr), said.stdout
    assert f"ok     the meter {METER} from 100000 on {DAY} through 2 coups" in said.stdout


MOVED = {  # the movement, what somebody makes of it, and what a stranger says then
    "an amount before": (0, {"stood": "101600.01"}, "begins at"),
    "a payment before": (0, {"paid": 1_00}, "begins at"),
    "its own reserve": (
        -1,
        {"to_reserve": "1"},
        "moved by B02/2026-11-21/1/1 as the coup does not",
    ),
    "one that is not there": (0, None, "not from its opening on and without a gap"),
}


@pytest.mark.parametrize("what", MOVED)
def test_a_stranger_sees_where_a_meter_does_not_follow(dispatcher, database, tmp_path, what):
    nth, change, words = MOVED[what]
    file = packed_second(dispatcher, database, tmp_path)
    body = json.loads(file.read_bytes())
    moved = [each for each in body["events"] if each["topic"] == "meter-day.meter-moved"]
    if change is None:
        body["events"].remove(moved[nth])
    else:
        moved[nth]["state"] = json.dumps(json.loads(moved[nth]["state"]) | change)
    file.write_text(json.dumps(body))
    said = judged(file).stdout

    assert f"WRONG  the meter {METER}" in said
    assert words in said


def test_a_rule_set_with_a_higher_seed_raises_the_meter_when_its_bet_is_settled(
    dispatcher, database
):
    approve(dispatcher, sheet())
    more = sheet(name="riverside@2").replace('"1000.00"', '"2000.00"')
    line = {"command": "rules.approve", "file": more, "by": "A-1", "confirmed": True, **TWO}
    assert dispatcher.dispatch(line).ok
    first, second = (
        GamingTable(dispatcher, table).open(rules).prepare()
        for table, rules in (("B01", "riverside@1"), ("B02", "riverside@2"))
    )
    for pit in (first, second, first):
        pit.play(PLAYER_WINS, (3, "fortune", 100_00))
    won = first.play(BY_NINE, (3, "fortune", 100_00))

    assert ["101500.01", "103000.02", "201500.05", "203000.06"] == [
        each.stood for each in moved(database)
    ]
    assert {3: 100_00 + 2_030_00} == paid(won)
    assert in_all(database)[0] == in_all(database)[1]
    assert told(database, f"B02/{DAY}/1/1")["agrees"]


def test_a_table_that_has_not_seen_the_other_s_win_pays_what_is_left(dispatcher, database):
    """Each process holds the meter of before; the ledger takes one, and the other decides anew."""
    first, second = open_tables(dispatcher)
    with mouth_on(database) as elsewhere:
        second = GamingTable(elsewhere, "B02")
        second.moment = first.moment
        for pit in (first, second):
            pit.play(PLAYER_WINS, (3, "fortune", 100_00))
            pit.bet(3, "fortune", 100_00)
            pit.deal(BY_NINE)
        paid_first = paid(first.say("settle"))[3]
        paid_then = paid(second.say("settle"))[3]

    assert (100_00 + 1_045_00, 100_00 + 1_015_00) == (paid_first, paid_then)
    assert in_all(database)[0] == in_all(database)[1]


def test_game_accounts_get_the_meter(dispatcher, database):
    approve(
        dispatcher,
        sheet().replace('"dragon-bonus@1"', '"electronic@1"').replace("riverside@1", "screens@1"),
    )
    table = ElectronicTable(dispatcher).begin((3, 200_00), (5, 200_00), rules="screens@1")
    table.say("open")
    for seat, stake in ((3, 50_00), (5, 150_00)):
        table.say("account.bet", seat=seat, coup=f"E01/{DAY}/1/1", stakes={"fortune": stake})
    table.deal(BY_NINE, settle=True)
    balances = [table.balance(seat) for seat in (3, 5)]
    table.require_books()

    assert 200_00 * 2 + 1_030_00 == sum(balances)
    assert in_all(database)[0] == in_all(database)[1]


def test_a_day_begins_with_what_the_day_before_left_and_corrects_its_coups(dispatcher, database):
    (pit,) = open_tables(dispatcher, tables=("B01",))
    pit.play(BY_NINE, (3, "fortune", 100_00))
    pit.play(PLAYER_WINS, (3, "fortune", 100_00))
    pit.moment += timedelta(days=1)
    pit.say("void", coup=COUP, reason="misread", **TWO)
    one, other = sorted(rows(database), key=lambda row: row["day"])

    assert (one["closing"], one["reserve"]) == (other["opening"], other["opening_reserve"])
    assert -1_015_00 == other["paid"]
    assert in_all(database)[0] == in_all(database)[1]
    assert told(database)["agrees"]


def test_the_meters_in_parquet_are_exact(dispatcher, database, tmp_path):
    (pit,) = open_tables(dispatcher, tables=("B01",))
    pit.play(PLAYER_WINS, (3, "fortune", 100_00))
    place = tmp_path / "out"
    words = ("report", "progressives", "--format", "parquet", "--into", str(place))
    manifest = json_of(database, "export", *words)
    (row,) = parquet.read_table(place / manifest["file"]).to_pylist()

    assert ("101500.01", "1500.01") == (str(row["closing"]), str(row["contributed"]))
    assert 100_00 == row["wagers"]


def test_several_lines_of_a_feed_settle_one_after_the_other(dispatcher, database):
    first, second = open_tables(dispatcher)
    lines = []
    for pit in (first, second):
        pit.bet(3, "fortune", 100_00)
        pit.deal(BY_NINE)
        at = (pit.moment + timedelta(seconds=5)).isoformat()
        lines.append({"command": "settle", "table": pit.table, "by": "D-204", "at": at})
    answers = list(dispatch_several(dispatcher, lines))

    assert all(each.ok for each in answers)
    assert in_all(database)[0] == in_all(database)[1]


NOT_KNOWN = "It is not known what the meter of Fortune stood at"


@pytest.mark.parametrize(
    ("staked_on", "cards", "noted"),
    [("player", BY_NINE, True), ("player", ON_8, False), ("fortune", BY_NINE, False)],
)
def test_what_if_says_that_it_does_not_know_a_meter(dispatcher, database, staked_on, cards, noted):
    (pit,) = open_tables(dispatcher, tables=("B01",))
    pit.play(cards, (3, staked_on, 100_00))
    page = shell(database, "replay", COUP, "--what-if", "bet 3 fortune 50").stdout

    assert noted == (NOT_KNOWN in " ".join(page.split()))
