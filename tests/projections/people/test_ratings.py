"""Ratings: one row a stay, measured from what was bet, paid, voided and put right."""

from functools import partial

import pytest

from domain.rules.house_rules import named
from domain.rules.odds import spot_odds
from projections import REPORTS
from tests.acceptance.channels import json_of, rows_of, shell
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, TIE, GamingTable

REPORT = REPORTS["ratings"]
FIELDS = (
    "patron table seat seated_at left_at buy_in coups average_wager handle win_loss"
    " theoretical_win day stay likely_low likely_high luck"
)
PLAYED = "patron", "coups", "average_wager", "handle", "win_loss"
TWO = {"with": "S-11"}
FIRST = f"B01/{DAY}/1/1"
rows = partial(rows_of, report=REPORT)


def of(database, patron, *names):
    (row,) = rows(database, *names, patron=patron)
    return row


def test_a_stay_is_rated_from_its_first_chair_to_its_last(pit, database):
    pit.say("table.buy-in", seat=3, amount=500_00)
    pit.say("table.move", seat=3, to=4)
    pit.play(BANKER_WINS, (4, "banker", 100_00), (4, "tie", 10_00))  # +95 less 10
    pit.play(PLAYER_WINS, (4, "player", 50_00))  # +50
    pit.say("table.buy-in", seat=4, amount=250_00)
    pit.say("table.move", seat=4, to=7)
    pit.say("commission.collect", seat=7, amount=5_00)
    pit.say("table.leave", seat=7)
    left = pit.moment.isoformat()
    pit.say("table.seat", seat=2, patron="P-10417")
    again = pit.moment.isoformat()
    of_the_stay = FIELDS.split()[:-3]  # without how lucky it was
    first, second = rows(database, *of_the_stay, patron="P-10417")

    assert first == (
        *("P-10417", "B01", 7, f"{DAY}T20:00:03+00:00", left, 750_00, 2),
        *(80_00, {"banker": 100_00, "player": 50_00, "tie": 10_00}, 135_00),
        # 100.00 x 1.0579%, 50.00 x 1.2351%, 10.00 x 14.3596%
        *({"banker": 1_06, "player": 62, "tie": 1_44}, DAY, f"B01/{DAY}/stay-2"),
    )
    nothing = 0, 0, None, {}, 0, {}
    assert second == ("P-10417", "B01", 2, again, None, *nothing, DAY, f"B01/{DAY}/stay-4")


def test_the_average_wager_is_of_coups_not_of_wagers_and_rounded_half_up(pit, database):
    pit.play(TIE, (3, "player", 25_00), (3, "tie", 5_00))
    pit.play(PLAYER_WINS, (3, "player", 25_00))
    pit.play(PLAYER_WINS, (3, "player", 25_00), (3, "dragon-player", 5_00))
    pit.bet(3, "player", 1_000_00)  # not settled yet
    assert of(database, "P-10417", *PLAYED[1:]) == (
        *(3, 28_33, {"dragon-player": 5_00, "player": 75_00, "tie": 5_00}),
        40_00 + 25_00 + 25_00 - 5_00,
    )

    pit.deal(PLAYER_WINS, settle=True)
    for _ in range(4):
        pit.play(PLAYER_WINS, (3, "player", 25_00))
    assert of(database, "P-10417", "coups", "average_wager") == (8, 148_13)  # 1,185.00 / 8


def test_three_chairs_are_one_stay_whose_seat_is_the_last_one(pit, database):
    pit.say("table.seat", seat=8, patron="P-10417", **TWO)
    pit.say("table.seat", seat=9, patron="P-10417", **TWO)
    pit.play(PLAYER_WINS, (3, "player", 25_00), (8, "player", 50_00))
    assert rows(database, "seat", "coups", "average_wager", patron="P-10417") == [(9, 1, 75_00)]

    pit.say("table.leave", seat=9)
    assert of(database, "P-10417", "seat", "left_at") == (8, None)
    pit.say("table.leave", seat=8)
    assert of(database, "P-10417", "seat", "left_at") == (3, None)
    pit.say("table.leave", seat=3)
    assert of(database, "P-10417", "seat", "left_at") == (3, pit.moment.isoformat())


def test_deferred_commission_is_lost_when_it_is_charged_and_not_when_it_is_waived(pit, database):
    lost = partial(of, database, "P-10417", "win_loss")
    pit.play(BANKER_WINS, (3, "banker", 400_00))
    assert lost() == (380_00,)
    pit.say("commission.collect", seat=3, amount=8_00)
    assert lost() == (380_00,)
    pit.say("commission.waive", seat=3, amount=2_00, reason="a good patron", **TWO)
    assert lost() == (382_00,)
    pit.say("commission.walked", seat=3, reason="went home", **TWO)
    assert lost() == (382_00,)


def test_commission_that_is_taken_at_payout_is_lost_once(dispatcher, database):
    GamingTable(dispatcher).open("classic@1").prepare().play(BANKER_WINS, (3, "banker", 33_00))

    assert of(database, "P-10417", "win_loss") == (31_35,)


def test_commission_rounded_on_collection_is_what_the_account_charged(dispatcher, database):
    pit = GamingTable(dispatcher).open("collected-up@1").prepare()
    pit.play(BANKER_WINS, (3, "banker", 25_00))  # 1.25, which is 2.00 when it is collected
    assert of(database, "P-10417", "win_loss") == (23_00,)
    pit.play(BANKER_WINS, (3, "banker", 25_00))  # 2.50 in all, and 3.00
    assert of(database, "P-10417", "win_loss") == (47_00,)


@pytest.mark.parametrize("waived", [False, True])
def test_a_void_coup_was_never_bet_on(pit, database, waived):
    pit.play(BANKER_WINS, (3, "banker", 400_00))
    pit.play(PLAYER_WINS, (3, "player", 50_00))
    if waived:
        pit.say("commission.waive", seat=3, amount=20_00, reason="a good patron", **TWO)
    pit.say("void", coup=FIRST, reason="a card fell", **TWO)

    assert of(database, "P-10417", *PLAYED[1:]) == (1, 50_00, {"player": 50_00}, 50_00)


@pytest.mark.parametrize(
    ("to", "win_loss"),
    [(0, -400_00), (400_00, 0), (600_00, 190_00)],  # 200.00 won after all, less 10.00
)
def test_a_payment_that_was_put_right_counts_as_it_is_now(pit, database, to, win_loss):
    pit.play(BANKER_WINS, (3, "banker", 400_00))
    pit.say("correct", coup=FIRST, seat=3, spot="banker", to=to, reason="misread", **TWO)

    assert of(database, "P-10417", "coups", "handle", "win_loss") == (
        *(1, {"banker": 400_00}),
        win_loss,
    )


def test_a_dummy_coup_is_nobody_s(pit, database):
    pit.play(PLAYER_WINS, (3, "player", 50_00))
    pit.say("shoe.misdraw", card="KC", disposition="dummy")
    pit.deal("9S 2C QD", settle=True)
    pit.play(PLAYER_WINS, (3, "player", 50_00))

    assert of(database, "P-10417", "coups", "handle") == (2, {"player": 100_00})


def test_an_alias_and_its_patron_count_together_and_both_names_ask_for_them(pit, database):
    pit.play(PLAYER_WINS, (5, "player", 50_00), (1, "player", 25_00))
    identified = {"command": "patron.identify", "patron": "grey-jacket", "is": "P-10411"}
    line = {**identified, "at": pit.moment.isoformat(), "by": "S-11"}
    assert pit.dispatcher.dispatch(line).ok
    expected = [("P-10411", 1, 25_00), ("P-10411", 1, 50_00)]

    for name in ("P-10411", "grey-jacket"):
        assert rows(database, *PLAYED[:3], patron=name) == expected
    assert rows(database, "patron", table="B02") == rows(database, "patron", day="2026-11-22") == []
    assert len(rows(database, "patron", table="B01", day=DAY)) == 3


def test_the_odds_are_those_of_the_decks_and_of_each_spot(dispatcher, database):
    pit = GamingTable(dispatcher).open("big-table@1").prepare(decks=6)
    pit.play(PLAYER_WINS, (3, "player", 1_000_00))

    # 100,000 x 18880657128/1525814595305 = 1,237.41…; of eight decks it were 1,235.08…
    assert of(database, "P-10417", "theoretical_win") == ({"player": 12_37},)


PLAYER_DEVIATION = 0.95  # of a stake of one, published to two places


@pytest.mark.parametrize("coups", [[PLAYER_WINS] * 4, [BANKER_WINS] * 4, [TIE, BANKER_WINS] * 2])
def test_luck_is_counted_in_deviations_of_the_wagers_that_were_made(pit, database, coups):
    for cards in coups:
        pit.play(cards, (3, "player", 1_000_00))
    result, expected, low, high, luck = of(
        database, "P-10417", "win_loss", "theoretical_win", "likely_low", "likely_high", "luck"
    )
    deviation = PLAYER_DEVIATION * 1_000_00 * len(coups) ** 0.5
    should = -expected["player"]

    assert (high - low) / 2 == pytest.approx(1.96 * deviation, rel=0.01)
    assert (high + low) / 2 == pytest.approx(should, abs=1)
    assert float(luck) == pytest.approx((result - should) / deviation, abs=0.06)


def test_wagers_of_one_coup_win_and_lose_together(pit, database):
    """The Dragon Bonus wins when its hand does: together the two vary more than apart."""
    for spot in ("player", "dragon-player"):
        pit.bet(3, spot, 100_00)
    pit.deal(PLAYER_WINS, settle=True)
    low, high = of(database, "P-10417", "likely_low", "likely_high")
    apart = sum(
        spot_odds(named("dragon-bonus@1"), spot, 8).variance for spot in ("player", "dragon-player")
    )

    assert (high - low) / 2 > 1.96 * float(apart) ** 0.5 * 100_00 * 1.05


def test_who_made_no_wager_has_no_luck(pit, database):
    assert of(database, "P-10417", "likely_low", "likely_high", "luck") == (None,) * 3


def test_the_fields_are_the_contract_s_and_fit_a_terminal(pit, database):
    pit.play(PLAYER_WINS, (3, "player", 9_000_00))
    lines = shell(database, "report", "ratings", env={"COLUMNS": "80"}).stdout.splitlines()
    as_csv = shell(database, "report", "ratings", "--csv").stdout.splitlines()

    assert FIELDS.split() == list(json_of(database, "report", "ratings")["rows"][0])
    assert [*FIELDS.split(), "currency"] == as_csv[0].split(",")
    assert '"{""player"": 900000}"' in as_csv[2]
    assert max(map(len, lines)) <= 80
    (row,) = (line.split() for line in lines if line.startswith("P-10417"))
    assert row[3:] == ["1", "9,000.00", "9,000.00", "9,000.00", "111.16", "1.1"]
    assert " ".join(" ".join(lines).split()).endswith(
        "No room for: seated at, left at, buy in, stay, likely low, likely high. "
        "--json, --csv and --pdf have them."
    )


def test_what_is_waived_after_a_roll_over_is_the_patrons_on_the_day_of_then(database, pit):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("table.roll-over", closer={"10000": 199})
    pit.say("commission.waive", seat=3, amount=2_00, reason="a guest", **TWO)

    assert rows(database, "win_loss", patron="P-10417") == [(95_00,), (2_00,)]
