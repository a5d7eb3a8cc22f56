"""Whoever signs is shown the decided command: what stood, what will stand, whose money moves."""

import hashlib
import re
from collections import Counter

import pytest

from domain.rules.money import minor
from ops.commands.vocabulary import COMMANDS
from ops.handlers.answer import Answer
from ops.handlers.to_sign import Signature, ToSign
from ops.handlers.trial import to_sign
from ops.ledger.mapper import as_answer, event_of
from ops.ledger.reading import read_stream
from ops.reports.ask import ask
from ops.words import to_sign as words_to_sign
from ops.words.events import WORDINGS
from ops.words.movements import MOVES
from projections import REPORTS
from tests import ROOT
from tests.worlds.gaming_table import (
    BANKER_WINS,
    PATRONS,
    PLAYER_WINS,
    GamingTable,
    mouth_on,
)
from tests.worlds.twin_tables import TWO, TwinTable
from tests.worlds.two_people import DECIDED, house_of_two, with_all_that_is_decided

pytestmark = pytest.mark.usefixtures("held")

VOIDED = "SELECT FROM ledger.events WHERE topic = 'coup.voided'"
GOLDEN = ROOT / "tests" / "golden" / "to-sign.txt"
ELSEWHERE = {"staff.new-secret", "alert.acknowledge"}  # only in a closed house, or of some alerts


@pytest.fixture(scope="module")
def pit(server):
    """A house in which every command of two people can be given."""
    with server.database() as database, mouth_on(database) as dispatcher:
        yield with_all_that_is_decided(house_of_two(dispatcher))


def line_of(pit, name):
    return {"command": name, "by": "PB-9", "at": pit.moment.isoformat(), **DECIDED[name]}


def test_every_command_of_two_people_is_shown_to_whoever_signs_it():
    of_two = {name for name, kind in COMMANDS.items() if kind.permission.may_take_two}

    assert of_two == DECIDED.keys() | ELSEWHERE


@pytest.mark.parametrize("name", DECIDED)
def test_whoever_signs_is_shown_what_a_command_changes(pit, name):
    shown = to_sign(pit.dispatcher, line_of(pit, name))
    expected = GOLDEN.read_text().split("\n\n")

    assert isinstance(shown, ToSign), shown
    assert shown.words, "the question shows nothing"
    assert "\n".join((name, *shown.words)) in [each.strip() for each in expected]


def test_what_was_shown_is_on_record_by_its_digest_and_can_be_made_again(dispatcher, superuser):
    pit = GamingTable(dispatcher).open().prepare()
    coup = pit.play(BANKER_WINS, (3, "banker", 100_00)).body["coup"]
    line = {"command": "void", "coup": coup, "reason": "torn", "by": "D-204", "with": "S-11"}
    shown = to_sign(dispatcher, line)
    assert dispatcher.dispatch(line, second=Signature(shown)).ok
    rows = superuser.execute(
        "SELECT position, metadata::jsonb ->> 'shown' FROM ledger.events "
        "WHERE metadata::jsonb ? 'shown' ORDER BY position"
    ).fetchall()
    first = rows[0][0]
    with dispatcher.casino.ledger.connection() as connection:
        streams = connection.execute(
            "SELECT DISTINCT originator_id FROM ledger.events WHERE position >= %s", (first,)
        ).fetchall()
        recorded = [each for (stream,) in streams for each in read_stream(connection, stream)]
    events = sorted((each for each in recorded if each.position >= first), key=_position)
    again = words_to_sign.to_sign([as_answer(event_of(each)) for each in events], "USD")
    text = "\n".join(map(str, shown.words))

    assert {each for _, each in rows} == {hashlib.sha256(text.encode()).hexdigest()}
    assert words_to_sign.digest(again) == rows[0][1]


def _position(event):
    return event.position


def test_what_is_recorded_is_what_was_shown_or_nothing(dispatcher, superuser):
    pit = GamingTable(dispatcher).open().prepare()
    coup = pit.play(BANKER_WINS, (3, "banker", 100_00)).body["coup"]
    line = {"command": "void", "coup": coup, "reason": "torn", "by": "D-204", "with": "S-11"}
    shown = to_sign(dispatcher, line)
    two = {"by": "D-204", "with": "S-12"}
    pit.say("correct", coup=coup, seat=3, spot="banker", to=1_00, reason="x", **two)
    refused = dispatcher.dispatch(line, second=Signature(shown)).body

    assert refused["error"] == "ChangedSince"
    assert not superuser.execute(VOIDED).fetchall()
    assert dispatcher.dispatch(line, second=Signature(to_sign(dispatcher, line))).ok


# Money: every figure that a sentence names, added up.
NAMED = re.compile(r"(?P<who>[\w-]+) (?P<how>gives back|gets) (?P<amount>[\d,.]+)")
WAGER = re.compile(
    r"Seat \d+ (?P<who>[\w-]+): .*the patron (?P<how>gives back|gets) (?P<amount>[\d,.]+)"
)
GOES = re.compile(r"^(?P<amount>[\d,.]+) goes from (?P<out_of>.+) to (?P<into>.+)\.$")
BETS = ((1, "banker", 60_00), (3, "banker", 100_00), (5, "player", 500_00))


def amount(text):
    return minor(text.replace(",", ""), "USD")


def named(words):
    """What each patron gets, less what they give back, by the sentences."""
    told = Counter()
    for each in words:
        if match := WAGER.search(each) or NAMED.search(each):
            sign = 1 if match["how"] == "gets" else -1
            told[match["who"]] += sign * amount(match["amount"].rstrip("."))
    return {who: sum_ for who, sum_ in told.items() if sum_}


def moved(words):
    """The same by the movements between places."""
    told = Counter()
    for each in filter(None, map(GOES.match, words)):
        told[each["into"]] += amount(each["amount"])
        told[each["out_of"]] -= amount(each["amount"])
    return {who: sum_ for who, sum_ in told.items() if sum_ and not who.startswith("the ")}


def chips(database, rules):
    """What each patron won, less commission that they paid in chips, by two reports."""
    net = Counter()
    for row in ask(database, REPORTS["wagers"]).rows:
        net[row["patron"]] += (row["paid"] or 0) - row["stake"]
    for row in ask(database, REPORTS["commission"]).rows if rules != AT_PAYOUT else ():
        net[row["patron"]] -= row["collected"]
    return net


IN_ALL = re.compile(r"^(?P<amount>[\d,.]+) (?P<how>comes from|goes to) the patrons for ")
AT_PAYOUT = "classic@1"  # where commission is in the payment
PUT_RIGHT = {
    "void": {"reason": "x"},
    "correct": {"seat": 3, "spot": "banker", "as": "player", "reason": "x"},
    "coup.correct-card": {"n": 4, "card": "KD", "reason": "x"},
}


@pytest.mark.parametrize("paid", [False, True], ids=["owed", "paid"])
@pytest.mark.parametrize("rules", [AT_PAYOUT, "dragon-bonus@1", "dollar-up@1"])
@pytest.mark.parametrize("command", PUT_RIGHT)
@pytest.mark.parametrize("cards", [BANKER_WINS, PLAYER_WINS], ids=["banker", "player"])
def test_every_figure_of_a_sentence_adds_up_to_what_moves(database, cards, command, rules, paid):
    with mouth_on(database) as dispatcher:
        pit = GamingTable(dispatcher).open(rules).prepare()
        coup = pit.play(cards, *BETS).body["coup"]
        for seat in (1, 3):
            owed = pit.ask("commission.collect", seat=seat, amount=1) if paid else None
            if owed and owed.ok and (rest := _owed(pit, seat)):
                pit.say("commission.collect", seat=seat, amount=rest)
        fields = PUT_RIGHT[command]
        line = {"command": command, "coup": coup, **fields, "by": "D-204", "with": "S-11"}
        if command == "coup.correct-card" and cards == PLAYER_WINS:
            line |= {"n": 5, "card": "2S"}
        shown, before = to_sign(dispatcher, line), chips(database, rules)
        assert not isinstance(shown, Answer), shown
        assert dispatcher.dispatch(line, second=Signature(shown)).ok
        after = chips(database, rules)
    change = {who: each - before[who] for who, each in after.items() if each != before[who]}

    assert change == named(shown.words) == moved(shown.words), "\n".join(shown.words)


def _owed(pit, seat):
    desk = pit.dispatcher.desk
    accounts = desk.stays.accounts_of(desk.table_day(pit.table), PATRONS[seat])
    return sum(each.owed for each in accounts)


@pytest.mark.parametrize("command", PUT_RIGHT)
@pytest.mark.parametrize("cards", [BANKER_WINS, PLAYER_WINS], ids=["banker", "player"])
def test_what_a_coup_of_a_closed_day_moves_goes_through_the_cage(dispatcher, cards, command):
    pit = TwinTable(dispatcher, "B06").begin()
    coup = pit.play(cards, (1, "banker", 100_00), (3, "banker", 60_00)).body["coup"]
    pit.settle_up()
    pit.say("shoe.end", reason="late", **TWO)
    pit.say("table.close", closer={"10000": 200}, **TWO)
    line = {"command": command, "coup": coup, **PUT_RIGHT[command], **TWO}
    if command == "coup.correct-card" and cards == PLAYER_WINS:
        line |= {"n": 5, "card": "2S"}
    shown = to_sign(dispatcher, line)
    assert isinstance(shown, ToSign), shown
    in_all = [each for each in map(IN_ALL.match, shown.words) if each]
    cage = [each for each in map(GOES.match, shown.words) if each]
    into = sum(amount(each["amount"]) * (1 if each["into"] == "the cage" else -1) for each in cage)

    assert all("the cage" in (each["into"], each["out_of"]) for each in cage)
    assert into == sum(
        amount(each["amount"]) * (1 if each["how"] == "comes from" else -1) for each in in_all
    )


def test_every_event_whose_money_moves_is_known():
    assert MOVES.keys() <= WORDINGS.keys()
