"""R-PROG-6: a meter that must be won by an amount, at a point that a secret fixes before."""

import hashlib
import json
from fractions import Fraction

import pytest

from domain.events import meter as meter_events
from ops.ledger.mapper import event_of
from ops.ledger.reading import Wanted, read_events
from ops.now.follow import Follower
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import PLAYER_WINS, GamingTable
from tests.worlds.progressive_sheets import BY_NINE, ON_8, in_all, moved, rows, sheet
from tests.worlds.stranger import judged
from tests.worlds.terms_of_sheets import COUP, TWO, approve, told, written

SOON = 'must_hit_by = "1030.00"'  # a bet of 100.00 brings the meter 15.00


@pytest.fixture
def pit(dispatcher):
    return opened(dispatcher, SOON)


def opened(dispatcher, more):
    approve(dispatcher, sheet(more=more))
    return GamingTable(dispatcher).open("riverside@1").prepare()


def fixed(database):
    """Every point that was fixed, in order."""
    with database.session("sabot_auditor") as connection:
        wanted = Wanted((meter_events.PointFixed.TOPIC,))
        return [event_of(each) for each in read_events(connection, 0, 100_000, wanted=wanted)]


def paid(answer):
    events = answer.body["events"]
    return {each["seat"]: each["paid"] for each in events if each["type"] == "WagerSettled"}


def until_won(pit, cards=PLAYER_WINS, *bets):
    """Coups until one wins the meter; what it paid, and the coup's address."""
    bets = bets or ((3, "fortune", 100_00),)
    for _ in range(4):
        answer = pit.play(cards, *bets)
        if any(each["type"] == "MeterFollowed" and each["paid"] for each in answer.body["events"]):
            return paid(answer), answer.body["coup"]
    raise AssertionError("no coup won the meter")


def test_the_meter_is_won_at_its_point_whatever_the_cards(pit, database):
    won, _ = until_won(pit)
    last = moved(database)[-1]
    first, second = fixed(database)
    point = first.lowest + int(last.secret, 16) % (first.highest - first.lowest + 1)

    assert hashlib.sha256(bytes.fromhex(last.secret)).hexdigest() == first.commitment
    assert (first.lowest, first.highest) == (last.lowest, last.highest) == (1_015_01, 1_030_00)
    assert point <= Fraction(last.stood)
    assert all(Fraction(each.stood) < point for each in moved(database)[1:-1])
    assert won == {3: 100_00 + min(int(Fraction(last.stood)), 1_030_00) // 25 * 25}
    assert second.commitment != first.commitment
    assert second.lowest == max(1_000_00, second.lowest) <= second.highest == 1_030_00
    assert in_all(database)[0] == in_all(database)[1]


def test_it_is_shared_by_stakes_beside_what_the_odds_pay(pit, database, tmp_path):
    won, coup = until_won(pit, ON_8, (3, "fortune", 50_00), (5, "fortune", 150_00))
    stood = moved(database)[-1].stood
    whole = min(int(Fraction(stood)), 1_030_00) // 25 * 25
    page = " ".join(shell(database, "replay", coup).stdout.split())

    assert sum(won.values()) == whole + 200_00 * 6
    assert abs(3 * (won[3] - 300_00) - (won[5] - 900_00)) < 100
    assert "5 to 1 and the meter" in page
    assert "It had to be won at" in page
    assert told(database, coup)["agrees"]
    said = judged(written(database, tmp_path, coup))
    assert (0, "") == (said.returncode, said.stderr), said.stdout


PUT_RIGHT = {
    "void": ("void", {}),
    "a stake": ("correct", {"seat": 3, "spot": "fortune", "stake": 150_00}),
    "by hand": ("correct", {"seat": 3, "spot": "fortune", "to": 600_00}),
    "as another spot": ("correct", {"seat": 3, "spot": "fortune", "as": "tie"}),
    "a card": ("coup.correct-card", {"n": 4, "card": "9D"}),
    "moved": ("coup.move-wager", {"seat": 3, "spot": "fortune", "to_seat": 7, "patron": "P-7"}),
}


@pytest.mark.parametrize("what", PUT_RIGHT)
@pytest.mark.parametrize("cards", [PLAYER_WINS, BY_NINE])
def test_what_is_put_right_of_its_coup_is_followed(pit, database, tmp_path, what, cards):
    command, fields = PUT_RIGHT[what]
    _, coup = until_won(pit, cards, (3, "fortune", 50_00), (5, "fortune", 150_00))
    many = len(fixed(database))
    pit.ask(command, coup=coup, reason="misread", **fields, **TWO)

    story = told(database, coup)
    assert (True, []) == (story["agrees"], story["disagreements"])
    assert in_all(database)[0] == in_all(database)[1]
    assert 0 == sum(row["off"] for row in rows(database))
    assert many == len(fixed(database))
    said = judged(written(database, tmp_path, coup))
    assert (0, "") == (said.returncode, said.stderr), said.stdout


def test_no_screen_shows_more_than_the_amount(dispatcher, database):
    pit = opened(dispatcher, 'must_hit_by = "1001.00"')
    pit.play(PLAYER_WINS, (3, "fortune", 100_00))

    assert 1_015_00 < Fraction(str(rows(database)[0]["closing"]))
    with database.session("sabot_auditor") as connection:
        assert 1_001_00 == Follower(connection, "B01").now.meters["fortune"]
    assert {3: 100_00 + 1_001_00} == paid(pit.play(PLAYER_WINS, (3, "fortune", 100_00)))


def test_a_bet_entered_late_does_not_reach_the_point(dispatcher, database):
    pit = opened(dispatcher, 'must_hit_by = "1001.00"')
    pit.play(PLAYER_WINS, (3, "fortune", 100_00))
    pit.play(PLAYER_WINS, (5, "player", 100_00))
    late = {"at": pit.moment.isoformat(), "late": True, "coup": COUP.replace("/1/1", "/1/2")}
    found = pit.ask("bet", seat=3, spot="fortune", amount=50_00, **late, **TWO)

    assert "secret" not in json.dumps(found.body)


def test_a_sheet_may_pay_the_meter_by_its_amount_alone(dispatcher, database, tmp_path):
    by_odds = sheet(more=SOON).replace('"player wins by 9" = "meter", ', "")
    file = tmp_path / "alone.toml"
    file.write_text(by_odds.replace('"natural tie" = "10% of the meter", ', ""))
    said = shell(database, "rules", "check", str(file))
    none = shell(database, "rules", "check", str(_with(file, SOON, 'must_hit_by = "1000.00"')))

    assert "must be won by 1,030.00" in " ".join(said.stdout.split())
    assert "pays back about" in " ".join(said.stdout.split())
    assert "write more than the seed" in none.stderr


def test_a_check_names_no_amount_that_the_meter_never_has(database, tmp_path):
    file = tmp_path / "soon.toml"
    file.write_text(sheet(more=SOON))
    soon = " ".join(shell(database, "rules", "check", str(file)).stdout.split())
    file.write_text(sheet(more='must_hit_by = "5000.00"'))
    late = " ".join(shell(database, "rules", "check", str(file)).stdout.split())

    assert "and its reserve 2.5001%, must be won by 1,030.00" in soon
    assert ("From a meter of" in soon, "From a meter of" in late) == (False, True)


def _with(file, was, now):
    file.write_text(file.read_text().replace(was, now))
    return file


@pytest.mark.parametrize(
    ("field", "value"), [("secret", "00" * 32), ("highest", 9_999_00), ("stood", "101501")]
)
def test_a_stranger_sees_that_it_was_not_at_its_point(pit, database, tmp_path, field, value):
    _, coup = until_won(pit)
    file = written(database, tmp_path, coup)
    body = json.loads(file.read_bytes())
    for event in body["events"]:
        state = json.loads(event["state"])
        if event["topic"] == "coup.meter-followed":
            event["state"] = json.dumps(state | {field: value})
    file.write_text(json.dumps(body))

    assert "WRONG" in judged(file).stdout
