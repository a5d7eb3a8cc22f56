"""What a dealer typed, as lines of the feed at a table as it stands; and said to a real ledger."""

import re
from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from domain.aggregates.coup import Coup
from domain.rules.addresses import Coup as Address
from domain.rules.gaming_day import GamingClock
from ops.commands.command import Command
from ops.commands.read import read
from ops.commands.vocabulary import COMMANDS
from ops.now.table_now import (
    Asked,
    TableNow,
    table_now,
)
from ops.terminal.dealer.feed_lines import lines_for, may_ask_who
from ops.terminal.dealer.table_words import owed_words, unsettled_words
from ops.typed.acts import NotUnderstood, Spoken
from ops.typed.grammar import parse
from ops.typed.spoken import SHORTEST, SPOKEN
from tests.ops.terminal.dealer import tables as states
from tests.ops.terminal.dealer.six_seats import table
from tests.ops.typed.acts import ACTS
from tests.worlds.two_people import needs_second

COUP = "B01/2026-11-21/1/4"


def lines(typed, now=None):
    """Each line in a few words, its table left out where it is this one."""
    made = lines_for(parse(typed), now or table())
    for line in made:
        read(line)  # a line that the feed takes
    return [{name: v for name, v in line.items() if (name, v) != ("table", "B01")} for line in made]


def laid(typed, now=None):
    """Seat, spot and amount of every wager of a line."""
    (line,) = lines_for(parse(typed), now or table())
    wagers = line["wagers"] if line["command"] == "bets" else [line]
    return [(each["seat"], each["spot"], each["amount"]) for each in wagers]


# fmt: off
SAID = [
    ("3 b 500",        [{"command": "bet", "seat": 3, "spot": "banker", "amount": 500_00}]),
    ("3b12.50t25",     [{"command": "bets", "wagers": [
        {"seat": 3, "spot": "banker", "amount": 12_50},
        {"seat": 3, "spot": "tie", "amount": 25_00}]}]),
    ("3 b -",          [{"command": "withdraw", "seat": 3, "spot": "banker"}]),
    ("3 -",            [{"command": "withdraw", "seat": 3}]),
    ("1-5 -",          [{"command": "withdraw", "seat": 5}]),  # who has something there
    ("1-5 t -",        [{"command": "withdraw", "seat": 5, "spot": "tie"}]),
    ("1,3 -",          [{"command": "withdraw", "seat": 1}, {"command": "withdraw", "seat": 3}]),
    ("n",              [{"command": "no-more-bets"}]),
    ("9c10h",          [{"command": "draw", "card": "9C"}, {"command": "draw", "card": "TH"}]),
    ("9cqd s",         [{"command": "draw", "card": "9C"},
                        {"command": "draw", "card": "QD", "settle": True}]),
    ("d",              [{"command": "draw"}]),
    ("dd s",           [{"command": "draw"}, {"command": "draw", "settle": True}]),
    ("s",              [{"command": "settle"}]),
    ("s 3=195 5=1k",   [{"command": "settle", "paid": {"3": 195_00, "5": 1_000_00}}]),
    ("c",              []),
    ("c 3",            [{"command": "commission.collect", "seat": 3, "amount": 12_50}]),
    ("c 1,3,4,5",      [{"command": "commission.collect", "seat": 4, "amount": 12_50},
                        {"command": "commission.collect", "seat": 5, "amount": 5}]),
    ("c 3 100",        [{"command": "commission.collect", "seat": 3, "amount": 100_00}]),
    ("c 9 1",          [{"command": "commission.collect", "seat": 9, "amount": 1_00}]),
    ("c grey-jacket",  [{"command": "commission.collect", "patron": "grey-jacket", "amount": 5}]),
    ("c GREY-jacket", [{"command": "commission.collect", "patron": "grey-jacket", "amount": 5}]),
    ("waive p-10417 x", [{"command": "commission.waive", "patron": "P-10417", "reason": "x"}]),
    ("c P-9 2",        [{"command": "commission.collect", "patron": "P-9", "amount": 2_00}]),
    ("r p",            [{"command": "reveal", "hand": "player"}]),
    ("r b 4",          [{"command": "reveal", "hand": "banker", "n": 4}]),
    ("void torn",      [{"command": "void", "coup": COUP, "reason": "torn"}]),
    ("void B01/2026-11-21/1/2 torn",
     [{"command": "void", "coup": "B01/2026-11-21/1/2", "reason": "torn"}]),
    ("correct 3 b 500 fell",
     [{"command": "correct", "coup": COUP, "seat": 3, "spot": "banker", "reason": "fell",
       "to": 500_00}]),
    ("correct 3 b as p fell",
     [{"command": "correct", "coup": COUP, "seat": 3, "spot": "banker", "reason": "fell",
       "as": "player"}]),
    ("correct 3 b fell",
     [{"command": "correct", "coup": COUP, "seat": 3, "spot": "banker", "reason": "fell"}]),
    ("waive 3 guest",  [{"command": "commission.waive", "seat": 3, "reason": "guest"}]),
    ("walked P-9 2 gone",
     [{"command": "commission.walked", "patron": "P-9", "reason": "gone", "amount": 2_00}]),
    ("limits 25 10k",
     [{"command": "table.limits", "spot": "main", "minimum": 25_00, "maximum": 10_000_00}]),
    ("misdraw 9h",     [{"command": "shoe.misdraw", "card": "9H"}]),
    ("misdraw 9h burn", [{"command": "shoe.misdraw", "card": "9H", "disposition": "burn"}]),
    ("?",              []),
    ("! wrong",        []),
    ("seat 8 'Mr. O’Hara'", [{"command": "table.seat", "seat": 8, "patron": "Mr. O’Hara"}]),
    ("seat 1 P-1, 8 'Mr. O’Hara',9 grey-jacket", [{"command": "table.seats", "patrons": [
        {"seat": 1, "patron": "P-1"}, {"seat": 8, "patron": "Mr. O’Hara"},
        {"seat": 9, "patron": "grey-jacket"}]}]),
    ("sabot table seat B01 1 P-1, 8 P-2 --with S-11", [{"command": "table.seats", "with": "S-11",
        "patrons": [{"seat": 1, "patron": "P-1"}, {"seat": 8, "patron": "P-2"}]}]),
    ("seats 1 P-1 8 P-2", [{"command": "table.seats", "patrons": [
        {"seat": 1, "patron": "P-1"}, {"seat": 8, "patron": "P-2"}]}]),
    ("seat 3 'Smith, 5 John'", [{"command": "table.seat", "seat": 3, "patron": "Smith, 5 John"}]),
    ("buy-in 3 1.5k",  [{"command": "table.buy-in", "seat": 3, "amount": 1_500_00}]),
    ("buy-in 3 1,500", [{"command": "table.buy-in", "seat": 3, "amount": 1_500_00}]),
    ("load 8 --serials K-1 --serials K-2",
     [{"command": "shoe.load", "decks": 8, "serials": ["K-1", "K-2"]}]),
    ("cut 3",          [{"command": "shoe.cut", "seat": 3}]),
    ("bet 3 b 1k",     [{"command": "bet", "seat": 3, "spot": "banker", "amount": 1_000_00}]),
    ("end ran out of cards", [{"command": "shoe.end", "reason": "ran out of cards"}]),
    ("sabot shoe end B01 it's Bob's",  [{"command": "shoe.end", "reason": "it's Bob's"}]),
    ("end 'the lid broke'", [{"command": "shoe.end", "reason": "the lid broke"}]),
    ("end",            [{"command": "shoe.end"}]),
    ("end --reason torn --with S-11",
     [{"command": "shoe.end", "reason": "torn", "with": "S-11"}]),
    ("table open classic@1 --opener 100=200",
     [{"command": "table.open", "rules": "classic@1", "opener": {"10000": 200}}]),
    ("sabot table open B01 classic@1 --opener 100=200",
     [{"command": "table.open", "rules": "classic@1", "opener": {"10000": 200}}]),
    ("table seat B01 8 P-9", [{"command": "table.seat", "seat": 8, "patron": "P-9"}]),
    ("reconcile B01 30", [{"command": "shoe.reconcile", "remaining": 30}]),
    ("reconcile 9S 9C", [{"command": "shoe.reconcile", "remaining": ["9S", "9C"]}]),
    ("dispute open P-3 'not paid' --hold",
     [{"command": "dispute.open", "coup": COUP, "patron": "P-3", "complaint": "not paid",
       "hold": True}]),
    ("dispute open B01/2026-11-21/1/2 P-3 'not paid'",
     [{"command": "dispute.open", "coup": "B01/2026-11-21/1/2", "patron": "P-3",
       "complaint": "not paid"}]),
    ("slip receive 2026-000001", [{"command": "slip.receive", "slip": "2026-000001"}]),
    ("bets 1-2b100",   [{"command": "bets", "wagers": [
        {"seat": 1, "spot": "banker", "amount": 100_00},
        {"seat": 2, "spot": "banker", "amount": 100_00}]}]),
]
UNSAID = [
    ("9 =",            "Nobody sits at seat 9. Type `seat 9 NAME` first."),
    ("7 =",            "Seat 7 Mr. O’Hara has no earlier bet in this shoe."),
    ("u",
     "There is no bet to take back. `? mistake` shows what can be put right, and how."),
    ("3b12.505",       "`12.505` is not an amount of USD. Type it as `100` or `12.50`."),
    ("3b9007199254m",  "`9007199254000000` is more than any table has."),
    ("d",              "Only a generated shoe deals its own cards. Type the card: `9h`."),
    ("c 9",            "Nobody sits at seat 9 now. If somebody did when they paid, type the amount "
                       "too: `c 9 100`."),
    ("c 1,7",          "Nothing is owed by seat 1 P-10411 and seat 7 Mr. O’Hara."),
    ("c P-10411",      "Nothing is owed by P-10411."),
    ("c P-9",          "P-9 has no seat here. Type the amount too: `c P-9 100`."),
    ("seat 3",
     "Type the `patron` too, as in `seat 3 P-10417`."),
    ("shuffle",
     "Type the `method` too: `hand`, `machine`, `pre-shuffled`, `generated`."),
    ("move-card 4",
     (
         "Type the `hand` too, as in `move-card 4 banker`."
     )),
    ("end torn --with S-11",
     "`torn` is one word too many. Type it as `end [--reason]`."),
    ("seat 3 Mr. O",
     (
         "Put a name with a blank in quotes: `seat 3 'Mr. Jones'`."
     )),
    ("seats 1 grey jacket",
     (


                 "'1 grey jacket' is not possible: type seat and name in turn, as in 1 "
                 "P-10411, 3 P-10417; put a name with a blank in quotes, as in 'Mr. Jones'."


     )),
    ("shoe misdraw 9h burn",
     "`burn` is one word too many. Type it as `shoe misdraw CARD [--disposition]`."),
    ("request fill 100=5",
     (
         "Type the `--chips` too, as in `request fill --chips 100=20`."
     )),
    ("leave 3 --by D-1", "There is no option `--by` here. Type it as in `leave 3`."),
    ("leave --help",   "There is no option `--help` here. Type it as in `leave 3`."),
    ("limits --minimum x",
     "--minimum cannot be 'x': type an amount of USD, as in 100 or 12.50."),
    ("close",
     "Type the `--closer` too, as in `close --closer 100=199`."),
]
# fmt: on


@pytest.mark.parametrize(("typed", "expected"), SAID, ids=[typed for typed, _ in SAID])
def test_a_line_is_these_lines_of_the_feed(typed, expected):
    now = table(commitment="c0ffee" if typed[0] == "d" and not typed.startswith("dispute") else "")

    assert expected == lines(typed, now)


@pytest.mark.parametrize(("typed", "why"), UNSAID, ids=[typed for typed, _ in UNSAID])
def test_where_no_line_can_be_made_words_say_why(typed, why):
    with pytest.raises(NotUnderstood) as refused:
        lines(typed)

    assert why == refused.value.why


def test_a_line_says_neither_who_nor_which():
    for typed, _ in SAID:
        for line in lines_for(parse(typed), table(commitment="c0ffee")):
            assert not {"id", "by"} & line.keys()


def test_amounts_are_minor_units_of_the_table_s_money():
    assert [(3, "banker", 500)] == laid("3b500", table(currency="JPY"))
    with pytest.raises(NotUnderstood, match=r"`12\.50` is not an amount of JPY"):
        laid("3b12.50", table(currency="JPY"))


LAST = [
    ("=",          [(1, "banker", 500_00), (3, "player", 100_00), (3, "tie", 25_00),
                    (4, "player", 50_00), (5, "dragon-player", 5_00)]),
    ("3 =",        [(3, "player", 100_00), (3, "tie", 25_00)]),
    ("8 =",        [(8, "tie", 10_00)]),
    ("1 = 5 =",    [(1, "banker", 500_00), (5, "dragon-player", 5_00)]),
    ("3 = 3 t 30", [(3, "player", 100_00), (3, "tie", 30_00)]),
    ("3 = 3 b 30", [(3, "player", 100_00), (3, "tie", 25_00), (3, "banker", 30_00)]),
    ("= 3b1k",     [(1, "banker", 500_00), (4, "player", 50_00), (5, "dragon-player", 5_00),
                    (3, "banker", 1_000_00)]),
    ("= 7b25",     [(1, "banker", 500_00), (3, "player", 100_00), (3, "tie", 25_00),
                    (4, "player", 50_00), (5, "dragon-player", 5_00), (7, "banker", 25_00)]),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "expected"), LAST, ids=[typed for typed, _ in LAST])
def test_what_is_repeated_is_what_the_seat_bet_last_and_what_is_typed_comes_after(typed, expected):
    assert expected == laid(typed)


def test_who_bets_in_this_coup_already_is_repeated_only_by_name():
    now = table("betting")

    assert {1, 3, 4} == {seat for seat, _, _ in laid("=", now)}
    assert [(5, "dragon-player", 5_00)] == laid("5 =", now)


def test_who_is_not_named_was_paid_what_is_owed():
    """Only of seat 3 anything was said: no other is stated to have been paid nothing."""
    paid = states.over(states.PLAYER_WINS)
    (line,) = lines_for(parse("s 3=195"), paid)
    (whole,) = lines_for(parse("s"), paid)

    assert {"1": 0, "3": 195_00, "5": 1_000_00, "8": 0} == line["paid"]
    assert "paid" not in whole


def test_while_cards_lie_face_down_nobody_says_what_others_were_paid():
    hidden = states.TABLES["face-down"]

    with pytest.raises(NotUnderstood, match="Turn the cards first"):
        lines_for(parse("s 3=195"), hidden)
    (line,) = lines_for(parse("s 1=0 3=0 5=1050 8=0"), hidden)
    assert {"1": 0, "3": 0, "5": 1_050_00, "8": 0} == line["paid"]


def test_when_nobody_bet_before_nothing_is_repeated():
    with pytest.raises(NotUnderstood, match=r"Nobody here bet in the last coup. Type seat, spot"):
        lines_for(parse("="), TableNow("B01"))


def test_when_everybody_has_bet_the_sign_says_so():
    now = states.betting()

    with pytest.raises(NotUnderstood, match="Everybody who bet in the last coup has bet already"):
        lines_for(parse("="), now)


# fmt: off
UNSETTLED = [
    ("first-card",      "Coup 17 is not settled. Type its cards, then `s`."),
    ("player-wins",     "Coup 17 is not settled. Type `s` first."),
    ("face-down",       "Coup 17 is not settled. Type its cards, then `s`."),
    ("only-to-void",    "Coup 17 is not settled. Void it first: `void REASON`, with a supervisor."),
]
# fmt: on


@pytest.mark.parametrize("typed", ["=", "3 =", "= 3b1k"])
@pytest.mark.parametrize(("state", "why"), UNSETTLED)
def test_before_a_coup_is_settled_nothing_is_repeated_and_words_say_what_comes_first(
    typed, state, why
):
    with pytest.raises(NotUnderstood) as refused:
        lines_for(parse(typed), states.TABLES[state])

    assert why == refused.value.why


def test_in_training_the_sign_does_not_tell_that_all_cards_are_out():
    asked = replace(states.TABLES["player-wins"], asked=Asked("WHAT NOW", "a card, or s"))

    with pytest.raises(NotUnderstood, match="Type its cards, then `s`"):
        lines_for(parse("="), asked)


def test_the_wager_that_was_put_down_last_goes_back():
    assert [{"command": "withdraw", "seat": 5, "spot": "tie"}] == lines(
        "u", table("betting", placed=(5, "tie"))
    )
    with pytest.raises(NotUnderstood, match="There is no bet to take back"):
        lines("u", table("settled", placed=(5, "tie")))


@pytest.mark.parametrize("phase", ["dealing", "resulted"])
def test_u_takes_back_no_card_and_makes_no_incident_of_itself(phase):
    """A late withdrawal is an event, and an alert at the pit: nobody means one by `u`."""
    told = "a card cannot be taken back. `void REASON` voids the coup, with a supervisor"
    with pytest.raises(NotUnderstood, match=told):
        lines("u", table(phase, placed=(5, "tie")))


@pytest.mark.parametrize(
    ("phase", "number", "corrected"),
    [("settled", 4, 4), ("resulted", 4, 4), ("betting", 4, 3), ("betting", 1, 1)],
)
def test_while_bets_are_taken_it_is_the_coup_before_that_was_paid(phase, number, corrected):
    now = table(phase, number=number)
    (voided,), (line,) = lines("void torn", now), lines("correct 3 b fell", now)

    assert f"B01/2026-11-21/1/{number}" == voided["coup"]
    assert f"B01/2026-11-21/1/{corrected}" == line["coup"]


@pytest.mark.parametrize("typed", ["void torn", "correct 3 b torn", "dispute open P-3 torn"])
def test_without_a_coup_none_is_put_right(typed):
    with pytest.raises(NotUnderstood, match="No coup was opened from this shoe"):
        lines_for(parse(typed), TableNow("B01"))


def test_where_there_is_a_panda_8_nobody_guesses_which_8_was_meant():
    """3p8500 is 8500 on Player where Panda 8 is not offered."""
    panda = table(rules="ez@1")

    assert [(3, "player", 8_500_00)] == laid("3p8500")
    assert [(3, "panda-8", 500_00)] == laid("3p8 500", panda)
    assert [(3, "player", 8_500_00)] == laid("3 p 8500", panda)
    with pytest.raises(
        NotUnderstood, match=r"`p8500` can mean Panda 8 too. Type `p 8500`, or `p8` and its"
    ):
        laid("3p8500", panda)


def test_who_owes_is_told_once_for_all_chairs_of_a_stay():
    assert (
        "Seat 3 P-10417 owes 12.50.",
        "Seat 5 grey-jacket owes 0.05.",
    ) == owed_words(table())
    assert ("Nobody here owes commission.",) == owed_words(TableNow("B01"))


@pytest.mark.parametrize("name", sorted(set(SPOKEN.values())))
def test_every_command_that_may_be_typed_whole_tells_how_it_is_typed(name):
    """A word that no command takes is answered with how the command is typed."""
    with pytest.raises(NotUnderstood) as refused:
        lines_for(Spoken(name, ("--zzz",)), table())
    usage = re.findall("`([^`]*)`", refused.value.why)[-1]

    assert usage.startswith("seat" if name == "table.seats" else SHORTEST[name])
    assert "TABLE" not in usage.split()
    assert "COUP" not in usage.split()


# Said to a real ledger.
def now_of(pit):
    """The table as its terminal would see it."""
    desk = pit.dispatcher.desk
    pit.dispatcher.casino.begin(Command())
    day = desk.table_day("B01")
    shoe = desk.shoe(day)
    coups = [
        desk.casino.find(Coup, Coup.stream(Address(shoe.address, n)))
        for n in range(1, shoe.coup + 1)
    ]
    accounts = {account.stay: account for account in desk.stays.accounts(day)}
    return table_now("B01", 1, day, shoe, coups, accounts, "USD", GamingClock("UTC", "06:00"))


def say(pit, typed):
    """All that is typed is accepted; the last answer."""
    answer = None
    for line in lines_for(parse(typed), now_of(pit)):
        answer = pit.dispatcher.dispatch({**line, "by": "D-204", "at": pit.tick()})
        assert answer.ok, f"{typed}: {answer}"
    return answer.body


def said_and_answered(pit, typed):
    """What is told of the last line beside its events."""
    *before, last = lines_for(parse(typed), now_of(pit))
    for line in before:
        assert pit.dispatcher.dispatch({**line, "by": "D-204", "at": pit.tick()}).ok
    answer = pit.dispatcher.dispatch({**last, "by": "D-204", "at": pit.tick()})
    return unsettled_words(last, answer.body)


@pytest.fixture
def dealer(pit):
    """A pit to which lines are typed."""

    def tick():
        pit.moment += timedelta(seconds=1)
        return pit.moment.isoformat()

    pit.tick = tick
    return pit


def test_a_whole_coup_is_typed_and_the_next_repeats_it(dealer):
    first = say(dealer, "1,3b100 5p50t25")
    paid = say(dealer, "kc9s2cqd s")
    again = say(dealer, "= 5p75")

    assert 5 == len(first["events"]) - [f["type"] for f in first["events"]].index("CoupOpened")
    assert {"action": "bet", "rule": "R-BET-1"} == paid["due"]
    assert [(1, "banker", 100_00), (3, "banker", 100_00), (5, "player", 75_00)] == [
        (event["seat"], event["spot"], event["amount"])
        for event in again["events"]
        if event["type"] == "WagerPlaced"
    ]


def test_a_bare_repeat_is_of_the_last_coup_and_a_seat_s_own_goes_further_back(dealer):
    say(dealer, "3b100 5p50")
    say(dealer, "kc9s2cqd s")
    say(dealer, "3b200")
    say(dealer, "3c9h2dqs s")
    last = {seat.seat: (seat.last, seat.in_last_coup) for seat in now_of(dealer).seats if seat.last}

    assert {3: ((("banker", 200_00),), True), 5: ((("player", 50_00),), False)} == last
    assert ["Seat 3"] == [f"Seat {each[0]}" for each in laid("=", now_of(dealer))]
    assert [(5, "player", 50_00)] == laid("5 =", now_of(dealer))


def test_a_void_coup_is_not_repeated(dealer):
    """What lay in a void coup went back: it is repeated as if there had been no such coup."""
    say(dealer, "3b100")
    say(dealer, "kc9s2cqd s")
    say(dealer, "5p50")
    voided = {"command": "void", "coup": now_of(dealer).coup.address, "reason": "torn"}
    assert dealer.dispatcher.dispatch({**voided, "by": "D-204", "with": "S-11"}).ok

    assert [(3, "banker", 100_00)] == laid("=", now_of(dealer))
    with pytest.raises(NotUnderstood, match="no earlier bet"):
        laid("5 =", now_of(dealer))


def test_a_dummy_is_no_coup_to_repeat(dealer):
    say(dealer, "3b100")
    say(dealer, "kc9s2cqd")
    (misdrawn,) = lines_for(parse("misdraw 5h dummy"), now_of(dealer))
    assert dealer.dispatcher.dispatch({**misdrawn, "by": "D-204", "at": dealer.tick()}).ok
    say(dealer, "s")
    say(dealer, "9c2dqs s")

    assert now_of(dealer).coup.dummy
    assert [(3, "banker", 100_00)] == laid("=", now_of(dealer))


def test_what_was_put_down_last_goes_back_and_then_all(dealer):
    say(dealer, "3b100t25")
    say(dealer, "5p50")
    assert ["player"] == [event["spot"] for event in say(dealer, "u")["events"]]
    assert ["banker", "tie"] == [event["spot"] for event in say(dealer, "1-5 -")["events"]]


def test_commission_is_collected_and_the_patron_leaves(dealer):
    say(dealer, "3b100")
    say(dealer, "kc9s2cqd s")
    assert ("Seat 3 P-10417 owes 5.00.",) == owed_words(now_of(dealer))
    say(dealer, "c 3")
    say(dealer, "leave 3")

    assert ("Nobody here owes commission.",) == owed_words(now_of(dealer))


@given(ACTS, st.sampled_from([table(), table("betting", rules="ez@1"), TableNow("B01")]))
def test_an_act_is_lines_of_the_feed_at_this_table_or_words(act, now):
    """Its values are the feed's to judge; its fields are those that the command has."""
    with suppress(NotUnderstood):
        for line in lines_for(act, now):
            known = {field.encode_name for field in fields(COMMANDS[line["command"]])}

            assert line.keys() - {"command"} <= known
            assert line.get("table", "B01") == "B01"


def test_some_acts_take_two_people_even_in_open_house(dealer):
    say(dealer, "3b100")
    say(dealer, "kc9s2cqd s")
    say(dealer, "dispute open P-10417 'not paid'")
    say(dealer, "slip request fill --chips 100=1")
    lines = {
        "void": "void torn",
        "correct": "correct 3 b 100 a chip fell",
        "slip.void": "slip void 2026-000001 torn",
        "dispute.decide": "dispute decide C-2026-0001 stand seen",
    }
    errors, asked = {}, {}
    for name, typed in lines.items():
        (line,) = lines_for(parse(typed), now_of(dealer))
        asked[name] = needs_second(dealer.dispatcher, {**line, "by": "D-204"})
        errors[name] = dealer.dispatcher.dispatch({**line, "by": "D-204"}).body["error"]

    assert dict.fromkeys(lines, "SecondPersonNeeded") == errors
    assert dict.fromkeys(lines, True) == asked


def test_an_s_that_settles_nothing_is_told(dealer):
    """A card that was read wrong leaves the coup unfinished: whoever typed s must hear of it."""
    say(dealer, "3b100")
    told = [said_and_answered(dealer, typed) for typed in ("2h9c2d8s s", "kh s")]

    assert [("! Not settled: a card for Player is due (R-DRAW-2).",), ()] == told


@pytest.mark.parametrize(
    ("typed", "may"),
    [
        ("void torn", True),
        ("correct 3 b 500 a chip fell", True),
        ("waive 3 a guest", True),
        ("walked 3 gone", True),
        ("limits 60 1k", True),
        ("misdraw 9h", True),
        ("discard", True),
        ("end", True),
        ("slip void S-1 wrong", True),
        ("dispute decide C-1 stand seen", True),
        ("table open dragon-bonus@1", True),
        ("close", True),
        ("off", True),
        ("3 b 500", False),
        ("n", False),
        ("9c5s7cqd s", False),
        ("c 3", False),
        ("seat 3 P-1", False),
    ],
)
def test_it_is_known_before_it_is_said_whether_somebody_else_may_be_asked_for(typed, may):
    assert may_ask_who(parse(typed)) == may
