"""`sabot simulate --electronic`: patrons who click; what they are paid is reckoned by hand too."""

from collections import Counter

import pytest

from ops.cli.audit.verify import walk
from ops.simulation.run import Plan
from tests.acceptance.by_hand import dealt, paid
from tests.acceptance.channels import json_of
from tests.faults import times

COUPS = times(60, 5_000)
RULES = "electronic@1"


class ByHand:
    """Follows an evening in which nothing is refused: what each seat has, what coups come to."""

    def __init__(self):
        self.balances = Counter()
        self.cloth, self.cards = {}, []
        self.outcomes = []

    def follow(self, line):
        """Takes one line."""
        match line["command"]:
            case "account.pay-in" if "ticket" not in line:
                self.balances[line["seat"]] += line["amount"]
            case "open":
                self.cloth, self.cards = {}, []
            case "account.bet":
                for spot, stake in line["stakes"].items():
                    self._put(line["seat"], spot, stake)
            case "draw":
                self.cards.append(line["card"])
            case "settle":
                self._settle()

    def _put(self, seat, spot, stake):
        self.cloth[seat, spot] = stake
        if not stake:
            del self.cloth[seat, spot]
        staked = sum(stake for (whose, _), stake in self.cloth.items() if whose == seat)
        assert staked <= self.balances[seat]

    def _settle(self):
        coup, used = dealt(self.cards)
        assert used == len(self.cards)
        for (seat, spot), stake in self.cloth.items():
            self.balances[seat] += paid(RULES, spot, stake, coup)["paid"] - stake
        self.outcomes.append(coup.outcome)


def test_the_same_seed_is_the_same_evening_and_its_tables_are_not_those_of_chips():
    plan = Plan(tables=2, coups=10, seed=7, electronic=True)
    lines = list(plan.lines([1, 2]))
    chips = {(line["table"], line["id"]) for line in Plan(tables=2, coups=10, seed=7).lines([1, 2])}

    assert lines == list(plan.lines([1, 2]))
    assert {line["table"] for line in lines} == {"E01", "E02"}
    assert not chips & {(line["table"], line["id"]) for line in lines}


def test_ten_thousand_coups_come_to_what_they_come_to_by_hand():
    plan = Plan(tables=1, coups=10_000, seed=24, trouble=0.0, electronic=True)
    evening, by_hand = plan.evening(1, plan.day), ByHand()
    for line in evening.lines():
        by_hand.follow(line)

    assert len(by_hand.outcomes) == 10_000
    assert evening.balances == dict(by_hand.balances)
    assert {"player", "banker", "tie"} == set(by_hand.outcomes)


def test_everything_a_patron_can_click_is_among_it():
    plan = Plan(tables=3, coups=80, seed=24, electronic=True)
    lines = list(plan.lines([1, 2, 3]))
    seen = {line["command"] for line in lines}

    assert {"account.bet", "account.pay-in", "account.pay-out", "account.hand-pay"} <= seen
    assert [line for line in lines if 0 in line.get("stakes", {}).values()]
    assert [line for line in lines if line["command"] == "account.pay-in" and "ticket" in line]


@pytest.fixture(scope="module")
def simulated(server):
    """An evening's ledger, and its summary."""
    words = ("--tables", "2", "--coups", str(COUPS), "--seed", "24")
    with server.database() as database:
        yield database, json_of(database, "simulate", "--electronic", *words)


def test_coups_accounts_and_meters_are_what_they_are_by_hand(simulated):
    database, summary = simulated
    played = {row["coup"]: row for row in json_of(database, "report", "coup")["rows"]}
    wagers = json_of(database, "report", "wagers")["rows"]
    for row in wagers:
        coup, used = dealt([each["card"] for each in played[row["coup"]]["cards"]])
        expected = paid(RULES, row["spot"], row["stake"], coup)

        assert played[row["coup"]]["outcome"] == coup.outcome
        assert used == len(played[row["coup"]]["cards"])
        assert (expected["result"], expected["paid"]) == (row["result"], row["paid"])

    assert (summary["coups"], summary["unexpected"]) == (2 * COUPS, 0)
    assert "AccountShort" in summary["refused"]
    assert len(wagers) > 2 * COUPS
    assert walk(database).ok


def test_the_meters_the_accounts_and_the_coups_agree_and_no_commission_is_owed(simulated):
    database, _ = simulated
    meters = json_of(database, "report", "meter-comparison")["rows"]
    win = json_of(database, "report", "etg-win")["rows"]
    wagers = json_of(database, "report", "wagers")["rows"]

    assert {(0, False)} == {(row["off"], row["exception"]) for row in meters}
    assert {0} == {row["off"] for row in win}
    assert sum(row["win"] for row in win) == sum(row["stake"] - row["paid"] for row in wagers)
    assert json_of(database, "report", "commission")["rows"] == []
