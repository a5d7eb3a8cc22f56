"""Forty recorded shoes through the feed: every outcome, every payment, every cent of commission.

The record was made by other engines; what is paid is reckoned by hand in `by_hand`. The shoes
lie on eight tables, whose lines come to one feed all mixed up. The tests deal nine of them.
"""

import json
from collections import Counter
from decimal import Decimal
from random import Random

import pytest

from tests.acceptance.by_hand import dealt
from tests.acceptance.channels import json_of, shell
from tests.data import recorded_shoes
from tests.faults import times
from tests.worlds.recorded_shoes import CUT_CARD, DAY, SEED, FortyShoes, shoes_dealt


@pytest.fixture(scope="module")
def floor(server):
    with server.database() as database:
        yield FortyShoes(database)


def as_reported(rows):
    return {
        (row["stay"], row["shoe"]): [
            Decimal(row["accrued"]),
            *(row[name] for name in ("charged", "collected", "outstanding")),
        ]
        for row in rows
    }


def test_the_hands_of_the_shoes_are_the_recorded_ones():
    for shoe in recorded_shoes():
        cards = shoe["cards"].split()
        for coup in shoe["coups"]:
            hands, used = dealt(cards[coup["start"] :])

            assert (coup["player"], coup["banker"]) == (list(hands.player), list(hands.banker))
            assert (len(coup["deal"]), coup["winner"]) == (used, hands.outcome)
            assert (coup["pt"], coup["bt"], coup["natural"]) == (*hands.totals, hands.natural)


def test_every_shoe_is_dealt_and_nothing_is_refused(floor):
    coups = sum(len(shoe["coups"]) + 1 for shoe in shoes_dealt())

    assert (
        coups == len(list(floor.coups())) == len(json_of(floor.database, "report", "coup")["rows"])
    )
    assert len(floor.order) == len(floor.answers)


def test_every_outcome_is_the_recorded_one(floor):
    for expected, events in floor.coups():
        (result,) = events["Resulted"]

        assert (expected.coup.outcome, expected.coup.natural, *expected.coup.totals) == (
            *(result[name] for name in ("outcome", "natural", "player_total", "banker_total")),
        )
        turned = {}  # in a squeeze the answers name a card when it is turned
        for event in events.get("HandTurned", ()):
            turned |= dict(zip(event["numbers"], event["cards"], strict=True))
        for hand in ("player", "banker"):
            cards = tuple(
                card["card"] or turned[card["n"]]
                for card in events["CardDealt"]
                if card["hand"] == hand
            )

            assert getattr(expected.coup, hand) == cards


def test_every_payment_is_what_the_rules_pay(floor):
    for expected, events in floor.coups():
        settled = events.get("WagerSettled", [])
        names = next(iter(expected.payments.values())).keys()

        assert expected.payments == {
            (event["seat"], event["spot"]): {name: event[name] for name in names}
            for event in settled
        }
        assert len(expected.payments) == len(settled)
        (total,) = events["Settled"]

        assert total["stakes"] == sum(each["stake"] for each in expected.payments.values())
        assert total["paid"] == sum(each["paid"] for each in expected.payments.values())


def test_every_way_to_win_and_to_lose_was_among_them(floor):
    """Or the test above would be green for want of cases."""
    seen = Counter()
    for night in floor.nights.values():
        for coup in night.coups:
            assert len({seat for seat, _ in coup.payments}) >= 3
            for (_, spot), payment in coup.payments.items():
                seen[night.rules, spot, payment["result"], payment["odds"]] += 1
    wanted = [("dragon-bonus@1", "tie", way, "8:1") for way in ("win", "lose")]
    for side in ("player", "banker"):
        odds = ("1:1", "2:1", "4:1", "6:1", "10:1", "30:1")
        wanted += [("dragon-bonus@1", f"dragon-{side}", "win", each) for each in odds]
        wanted += [("dragon-bonus@1", f"dragon-{side}", way, None) for way in ("push", "lose")]
        for rules in ("dragon-bonus@1", "classic@1", "big-table@1", "tie-eight@1"):
            wanted += [(rules, side, way, "1:1") for way in ("win", "push", "lose")]
    wanted += [("electronic@1", "banker", way, "19:20") for way in ("win", "push", "lose")]

    assert [way for way in wanted if not seen[way]] == []


def test_commission_owed_during_the_shoe_is_exact_to_the_minor_unit(floor):
    book = floor.book(floor.answered_by_half_time)
    owed = Counter()
    for (stay, _), (*_, outstanding) in book.items():
        owed[stay] += outstanding

    assert book == as_reported(floor.at_half_time)
    assert sum(owed.values()) > 0
    assert +owed == +Counter(floor.owed_at_half_time)


def test_at_the_end_everything_is_collected_per_patron_and_shoe(floor):
    book = floor.book(set(floor.answers))

    assert book == as_reported(floor.at_the_end)
    assert {0} == set(floor.accounts().values())
    for row in floor.at_the_end:
        made = row["brought_forward"] + Decimal(row["accrued"]) + row["rounding"]
        left = row["collected"] + row["waived"] + row["walked"] + row["outstanding"]

        assert (row["outstanding"], row["oldest_accrual"], row["day"]) == (0, None, DAY)
        assert made + row["corrections"] == left
        assert row["stay"].startswith(f"{row['table']}/")
        assert row["due_at"]


def test_the_cut_card_shows_fourteen_from_the_back_and_one_more_coup_is_dealt(floor):
    for at, answer in floor.answers.items():
        for event in answer["events"]:
            if event["type"] == "CutCardShown":
                night = floor.nights[at[0]]
                burned = 0 if night.rules != "electronic@1" else event["cards_left"]

                assert event["cards_left"] <= CUT_CARD + burned
            if event["type"] == "Ended":
                last = max(
                    int(each.address.rpartition("/")[2])
                    for each in floor.nights[at[0]].coups
                    if each.address.startswith(f"{event['shoe']}/")
                )

                assert (last, "") == (event["coups"], event["reason"])
            if event["type"] == "Reconciled":
                assert event["difference"] == 0


def test_every_coup_is_reported_with_its_cards_and_without_an_exception(floor):
    rows = {row["coup"]: row for row in json_of(floor.database, "report", "coup")["rows"]}
    for expected, _ in floor.coups():
        row = rows.pop(expected.address)

        assert expected.cards == [each["card"] for each in row["cards"]]
        assert (expected.coup.outcome, "settled", []) == (
            *(row[name] for name in ("outcome", "phase", "exceptions")),
        )
    assert rows == {}


def test_the_chain_holds(floor):
    verified = json_of(floor.database, "audit", "verify")
    positions = [answer["position"] for answer in floor.answers.values()]

    assert tuple(verified[name] for name in ("ok", "gapless", "first_bad")) == (True, True, None)
    assert max(positions) == verified["events"]
    assert positions == sorted(positions)


def test_replays_agree_with_the_record_and_with_the_recorded_hands(floor):
    for expected, _ in Random(SEED).sample(list(floor.coups()), times(9, 100)):
        result = shell(floor.database, "replay", expected.address, "--json")
        replay = json.loads(result.stdout)

        assert (result.exit_code, replay["agrees"], replay["disagreements"]) == (0, True, [])
        assert expected.payments == {
            (each["seat"], each["spot"]): {
                name: each[name] for name in expected.payments[each["seat"], each["spot"]]
            }
            for each in replay["payments"]
        }
        assert expected.cards == [each["card"] for each in replay["cards"]]
