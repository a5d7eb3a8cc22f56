"""Above the regime's amount a patron plays by card or not at all (R-PLAY-5)."""

import json
from collections import defaultdict
from datetime import timedelta
from random import Random

import pytest

from ops.ledger.mapper import event_of
from ops.ledger.reading import read_events
from ops.reports.ask import ask
from ops.words.events import sentences
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import BEGINS, DAY, PLAYER_WINS, GamingTable

ABOVE = 300_00
TWO = {"with": "S-11"}
REGIME = """
name = "ours"
title = "Ours"
currency = "USD"
adds_to = "united-states"
at_the_seat = "{at_the_seat}"
[[carded]]
above = "{above}"
{more}
source = "ours"
"""
BY_NUMBER = 'cards = "P-*"'


def house(dispatcher, above="300", at_the_seat="refuse", more=BY_NUMBER, table="B01"):
    """A table in a house with carded play, with nobody at it."""
    pit = GamingTable(dispatcher, table)
    file = REGIME.format(above=above, at_the_seat=at_the_seat, more=more)
    pit.say("regime.choose", file=file, day=DAY, **{"by": "A-1", "with": "S-11"})
    return pit


@pytest.fixture
def pit(dispatcher):
    return house(dispatcher).open().prepare()


def bets(pit, amount, seat=5, spot="player", **fields):
    return pit.ask("bet", seat=seat, spot=spot, amount=amount, **fields)


def bought(pit, amount, seat=5, **fields):
    return pit.ask("table.buy-in", seat=seat, amount=amount, **fields)


def noted(pit):
    rows = ask(pit.dispatcher.casino.ledger.database, REPORTS["limits"]).rows
    return [(row["patron"], row["amount"]) for row in rows if row["item"] == "uncarded"]


def test_above_the_amount_a_bet_waits_for_the_card_and_the_line_names_the_next_step(pit):
    assert bets(pit, 300_00).ok
    refused = bets(pit, 350_00)

    assert (refused.error, refused.rule) == ("PlayPaused", "R-PLAY-5")
    assert refused.reason == (
        "Seat 5 plays by card above 300.00. Ask for the card and call the supervisor: "
        "`patron identify grey-jacket P-*`, with its number."
    )
    assert bets(pit, 350_00, seat=3).ok  # by number
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10502"})
    assert bets(pit, 350_00).ok
    pit.say("patron.separate", patron="grey-jacket", reason="it was not", **{"with": "S-12"})
    assert bets(pit, 400_00).rule == "R-PLAY-5"
    assert noted(pit) == []


def test_all_that_a_patron_has_on_a_coup_counts_together_and_a_line_is_all_or_nothing(pit):
    assert bets(pit, 200_00).ok
    assert bets(pit, 150_00, spot="tie").rule == "R-PLAY-5"
    wagers = [
        {"seat": 3, "spot": "banker", "amount": 500_00},
        {"seat": 5, "spot": "tie", "amount": 150_00},
    ]
    assert pit.ask("bets", wagers=wagers).rule == "R-PLAY-5"
    assert bets(pit, 100_00, spot="tie").ok
    coup = pit.dispatcher.desk.coup_in_play(pit.dispatcher.desk.table_in_play("B01"))
    assert sum(each.stake for each in coup.wagers()) == 300_00  # and nothing of seat 3

    pit.deal(PLAYER_WINS, settle=True)
    assert bets(pit, 300_00).ok  # on the next coup


def test_the_cash_of_a_day_counts_together(pit):
    assert bought(pit, 200_00).ok
    assert bought(pit, 100_01).rule == "R-PLAY-5"
    assert bought(pit, 100_00).ok
    assert bought(pit, 5_000_00, seat=3).ok
    assert pit.ask("table.cash-out", seat=5, amount=50_00).ok  # their money is changed


def test_where_all_play_is_by_card_nobody_sits_down_without_one(dispatcher):
    pit = house(dispatcher, above="0")
    pit.say("table.open", rules="dragon-bonus@1", opener={"10000": 200}, day=DAY, **TWO)
    refused = pit.ask("table.seat", seat=5, patron="grey-jacket")

    assert (refused.error, refused.rule) == ("PlayPaused", "R-PLAY-5")
    assert str(refused.reason).startswith("Seat 5 plays by card. Ask for the card")
    assert pit.ask("table.seat", seat=3, patron="P-10417").ok
    both = [{"seat": 1, "patron": "P-10411"}, {"seat": 5, "patron": "grey-jacket"}]
    assert pit.ask("table.seats", patrons=both).rule == "R-PLAY-5"
    (row,) = ask(pit.dispatcher.casino.ledger.database, REPORTS["ratings"]).rows
    assert (row["seat"], row["patron"]) == (3, "P-10417")


def test_without_a_form_of_numbers_a_file_is_the_card(dispatcher):
    pit = house(dispatcher, more="").open().prepare()
    refused = bets(pit, 400_00, seat=3)
    assert "`patron document P-10417`" in refused.reason
    seen = {"kind": "passport", "number": "X1", "issuer": "NZ"}
    assert pit.ask("patron.document", patron="P-10417", **seen).ok

    assert bets(pit, 400_00, seat=3).ok
    assert bets(pit, 400_00, seat=5).rule == "R-PLAY-5"
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10502"})
    assert bets(pit, 400_00, seat=5).rule == "R-PLAY-5"  # nobody has seen an ID of P-10502
    assert pit.ask("patron.document", patron="P-10502", **{**seen, "number": "X2"}).ok
    assert bets(pit, 400_00, seat=5).ok


def test_a_rule_that_names_a_table_is_that_table_s(dispatcher):
    more = f"{BY_NUMBER}\ntables = ['B02']"
    first = house(dispatcher, more=more).open().prepare()
    second = GamingTable(dispatcher, "B02")
    second.moment = first.moment
    second.open().prepare()

    assert bets(first, 400_00).ok
    assert bets(second, 400_00).rule == "R-PLAY-5"


def test_where_it_is_only_noted_play_goes_on_and_the_dealer_is_shown_one_line(dispatcher):
    pit = house(dispatcher, at_the_seat="say").open().prepare()
    answer = bets(pit, 400_00)
    shown = [str(each) for each in sentences(answer.body["events"], "USD")]

    assert "Seat 5 has 400.00 on the coup without a card; above 300.00 play is by card." in shown
    assert bought(pit, 301_00).ok
    assert bets(pit, 500_00, seat=3).ok
    assert noted(pit) == [("grey-jacket", 400_00), ("grey-jacket", 301_00)]


def test_what_happened_already_is_noted_and_not_refused(pit):
    assert bets(pit, 200_00).ok
    in_time = pit.moment.isoformat()
    pit.deal(PLAYER_WINS)
    found = bets(pit, 200_00, spot="tie", late=True, at=in_time, **TWO)
    assert found.ok, str(found)
    pit.say("settle")
    coup = f"B01/{DAY}/1/1"
    put_right = {"coup": coup, "reason": "typed wrong", **TWO}
    assert pit.ask("correct", seat=5, spot="player", stake=250_00, **put_right).ok
    bought_in = pit.say("table.buy-in", seat=5, amount=100_00).body["position"]
    moved = {"position": bought_in, "amount": 900_00, "reason": "typed wrong", **TWO}
    assert pit.ask("money.correct", **moved).ok
    assert bets(pit, 400_00, seat=3).ok
    pit.deal(PLAYER_WINS, settle=True)
    whose = {"coup": f"B01/{DAY}/1/2", "seat": 3, "spot": "player", "to_seat": 5}
    assert pit.ask("coup.move-wager", **whose, reason="it was theirs", **TWO).ok

    assert noted(pit) == [("grey-jacket", each) for each in (400_00, 450_00, 900_00, 400_00)]
    assert bought(pit, 1_00).rule == "R-PLAY-5"


def test_at_a_terminal_of_their_own_a_patron_without_a_card_is_refused_too(dispatcher):
    table = ElectronicTable(dispatcher)
    file = REGIME.format(above="300", at_the_seat="refuse", more='cards = "N-*"')
    table.say("regime.choose", file=file, day=DAY, **{"by": "A-1", "with": "S-11"})
    table.begin((3, 300_00))
    assert table.ask("account.pay-in", seat=3, amount=1_00).rule == "R-PLAY-5"
    ticket = {"seat": 3, "amount": 100_00, "ticket": "0012-3456-7890"}
    assert table.ask("account.pay-in", **ticket).rule == "R-PLAY-5"
    table.say("patron.identify", patron="P-3", **{"is": "N-3"})
    table.say("account.pay-in", seat=3, amount=500_00)
    table.say("patron.separate", patron="P-3", reason="it was not", **{"with": "S-12"})

    table.say("open")
    click = {"seat": 3, "coup": f"E01/{DAY}/1/1"}
    assert table.ask("account.bet", **click, stakes={"player": 301_00}).rule == "R-PLAY-5"
    assert table.ask("account.bet", **click, stakes={"player": 300_00}).ok


def test_what_was_typed_too_high_and_is_less_now_is_not_noted(pit):
    assert bought(pit, 300_00).ok
    moved = {"position": "last", "table": "B01", "amount": 30_00, "reason": "typed wrong", **TWO}
    assert pit.ask("money.correct", **moved).ok
    assert noted(pit) == []
    assert bought(pit, 270_00).ok


class Model:
    """What is played without a card, from the lines alone."""

    def __init__(self):
        self.known = {}  # alias: who it is
        self.on_the_coup = defaultdict(dict)  # by seat: by spot
        self.cash = defaultdict(int)  # by name

    def carded(self, name):
        return self.known.get(name, name).startswith("P-")

    def takes_bet(self, name, seat, spot, amount):
        elsewhere = {**self.on_the_coup[seat], spot: amount}
        return self.carded(name) or sum(elsewhere.values()) <= ABOVE

    def takes_cash(self, name, amount):
        return self.carded(name) or self.cash[self.known.get(name, name)] + amount <= ABOVE


WHO = {1: "P-10411", 3: "P-10417", 5: "grey-jacket", 7: "red-hat"}


@pytest.mark.parametrize("seed", [45, 46])
def test_no_wager_without_a_card_is_above_the_amount_on_a_random_evening(dispatcher, seed):
    random, model, seen = Random(seed), Model(), set()
    pit = house(dispatcher).open().prepare()
    pit.until = BEGINS + timedelta(hours=8)
    pit.say("table.seat", seat=7, patron="red-hat")
    for _ in range(7):
        pit.bet(1, "banker", 100_00)
        model.on_the_coup.clear()
        model.on_the_coup[1]["banker"] = 100_00
        for _ in range(18):
            seat = random.choice([3, 5, 5, 7, 7])
            name, act = WHO[seat], random.choice(["bet", "bet", "bet", "cash", "who", "out"])
            amount = random.randrange(1, 9) * 50_00
            if act == "bet":
                spot = random.choice(["player", "tie", "dragon-player"])
                answer = bets(pit, amount, seat, spot)
                takes = model.takes_bet(name, seat, spot, amount)
                if takes:
                    model.on_the_coup[seat][spot] = amount
            elif act == "cash":
                answer, takes = bought(pit, amount, seat), model.takes_cash(name, amount)
                if takes:
                    model.cash[model.known.get(name, name)] += amount
            elif act == "out":
                answer = pit.say("withdraw", seat=seat) if model.on_the_coup.pop(seat, {}) else None
                continue
            else:
                _another(pit, model, name)
                continue
            assert answer.ok is takes, (seat, act, amount, str(answer))
            assert answer.ok or (answer.error, answer.rule) == ("PlayPaused", "R-PLAY-5")
            seen.add((act, takes, model.carded(name)))
        pit.deal(PLAYER_WINS, settle=True)

    assert seen == {
        (act, *each)
        for act in ("bet", "cash")
        for each in ((True, True), (True, False), (False, False))
    }
    assert walked(dispatcher) > 12
    assert noted(pit) == []


def alerts(pit):
    rows = ask(pit.dispatcher.casino.ledger.database, REPORTS["alerts"]).rows
    return [each["detail"] for each in rows if each["kind"] == "uncarded play"]


def on_the_board(pit):
    shown = shell(pit.dispatcher.casino.ledger.database, "board", "--json").stdout
    every = json.loads(shown)["alerts"]
    return [each["detail"]["amount"] for each in every if each["kind"] == "uncarded play"]


def test_the_floor_is_alerted_of_large_play_without_a_card_that_the_house_lets_pass(dispatcher):
    pit = house(dispatcher, at_the_seat="say").open().prepare()
    assert bets(pit, 300_00).ok
    assert alerts(pit) == []
    assert bets(pit, 350_00).ok
    assert bets(pit, 400_00).ok
    assert [(each["patron"], each["amount"]) for each in alerts(pit)] == [
        ("grey-jacket", 350_00), ("grey-jacket", 400_00),
    ]  # fmt: skip
    assert on_the_board(pit) == [400_00]  # the newest takes its place


def test_a_number_that_was_told_apart_from_one_that_looks_the_same_is_no_card(dispatcher):
    pit = house(dispatcher, at_the_seat="say").open().prepare()
    pit.say("table.seat", seat=7, patron="P-1O417")  # a letter, and P-10417 sits here
    assert bets(pit, 400_00, seat=3).ok
    assert alerts(pit) == []
    said = bets(pit, 400_00, seat=7)
    assert "told apart" not in " ".join(map(str, sentences(said.body["events"], "USD")))
    (alert,) = alerts(pit)
    assert (alert["patron"], alert["apart_from"]) == ("P-1O417", ["P-10417"])
    board = shell(pit.dispatcher.casino.ledger.database, "board", "--once").output
    assert "They were told apart from P-10417." in " ".join(board.split())


def test_an_alias_that_was_separated_is_alerted_of_with_whom_it_was_taken_for(dispatcher):
    pit = house(dispatcher, at_the_seat="say").open().prepare()
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10417"})
    pit.say("patron.separate", patron="grey-jacket", reason="no", **{"with": "S-12"})
    assert bets(pit, 400_00).ok
    (alert,) = alerts(pit)
    assert alert["apart_from"] == ["P-10417"]


def _another(pit, model, name):
    """An alias is identified, or nobody's again; its cash goes along."""
    if name.startswith("P-"):
        return
    if name in model.known:
        was = model.known.pop(name)
        pit.say("patron.separate", patron=name, reason="no", **{"with": "S-12"})
    else:
        was, model.known[name] = name, f"P-{name}"
        pit.say("patron.identify", patron=name, **{"is": model.known[name]})
    now = model.known.get(name, name)
    model.cash[now], model.cash[was] = model.cash[was], 0


def walked(dispatcher):
    """Walks the record: how many wagers of patrons without a number it has, none above."""
    known, lies, many = {}, defaultdict(dict), 0
    with dispatcher.casino.ledger.connection() as connection:
        events = [event_of(each) for each in read_events(connection, 0, 100_000)]
    for event in events:
        kind = type(event).__name__
        if kind == "Identified":
            known[event.patron] = event.patron_is
        elif kind == "Separated":
            known.pop(event.patron)
        elif kind == "WagerWithdrawn":
            lies[event.originator_id, event.stay].pop(event.spot, None)
        elif kind == "WagerPlaced":
            lies[event.originator_id, event.stay][event.spot] = event.amount
            if not known.get(event.patron, event.patron).startswith("P-"):
                many += 1
                assert sum(lies[event.originator_id, event.stay].values()) <= ABOVE, event
    return many
