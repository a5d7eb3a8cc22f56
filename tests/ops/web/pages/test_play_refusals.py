"""What a place at an electronic table is told when a bet is refused: words for the patron."""

import re
from datetime import UTC, datetime
from itertools import count

import pytest

from domain.aggregates.property import Property
from domain.rules import refusals
from domain.rules.wording import Amount, Words
from ops.words import cloth, to_patron
from ops.words.to_patron import ASK, in_patrons_words
from tests.waiting import until
from tests.worlds.browsers import PlainBrowser
from tests.worlds.house_server import house_server
from tests.worlds.seven_spots import approve_seven_spots

# What a patron can do nothing with: commands, rules, seats, other people's numbers.
FOR_STAFF = re.compile(r"`|R-[A-Z]+-\d|[Ss]eat \d|\bP-|supervisor|dispute|R-")
NOT_OF_A_BET = {"DifferentialExceeded", "FreeHand", "CouponRefused"}
_numbers = count(10)


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    home = tmp_path_factory.mktemp("house")
    with server.database() as database, house_server(database, home / "house") as house:
        house.rules = approve_seven_spots(house.terminal("pit-1"), home)
        yield house


class Place:
    """Seat 3 of a table with a coup open for bets."""

    def __init__(self, house, *, paid_in=100_00):
        self.house, self.boss = house, house.terminal("pit-1")
        self.table, self.sent = f"E{next(_numbers)}", count(1)
        self.do("table.open", rules=house.rules, opener={})
        self.do("table.seat", seat=3, patron=f"P-{self.table}")
        if paid_in:
            self.do("account.pay-in", seat=3, amount=paid_in)
        self.do("shoe.load", decks=8)
        self.do("shoe.inspect")
        self.do("shoe.shuffle", method="generated")
        self.do("open")
        self.browser = PlainBrowser(house.address)
        until(lambda: self.browser.get(f"/play/{self.table}/3")[0] == 200)

    def do(self, command, **fields):
        (answer,) = self.boss.send({"command": command, "table": self.table, **fields})
        assert answer["ok"], answer

    def bet(self, seat=3, coup=1, **stakes):
        """The answer after chips were clicked; `dragon_player` is the spot dragon-player."""
        day = Property.establish(datetime.now(UTC)).clock.day_of(datetime.now(UTC))
        sent = {
            "id": f"{int(self.table[1:]):016x}{next(self.sent):016x}",
            "coup": f"{self.table}/{day}/1/{coup}",
            "stakes": {spot.replace("_", "-"): stake for spot, stake in stakes.items()},
        }
        return self.browser.post_json(f"/play/{self.table}/{seat}/bets", sent)[1]

    def is_told(self, error, words, **stakes):
        """Whether this bet is refused, in these words."""
        body = self.bet(**stakes)
        assert (error, words) == (body["error"], body["message"])
        assert "rule" not in body


def test_a_stake_out_of_bounds_says_what_to_do(house):
    place = Place(house)
    place.is_told("UnderMinimum", "At least 5.00 on Player: choose a larger chip.", player=1_00)
    place.is_told("OverMaximum", "At most 200.00 on Tie: choose a smaller chip.", tie=205_00)
    place.is_told("NotAnIncrement", "A bet here is a multiple of 1.00.", player=5_50)
    left = "There is 100.00 left on this account, which is less than the bet."
    place.is_told("AccountShort", left, player=105_00)
    place.is_told("SpotNotOffered", "Lucky 6 is no bet of this table. Choose another.", lucky_6=500)
    place.bet(banker=5_00)
    both = "You have a bet on Banker. Bet on Player or on Banker, not on both."
    place.is_told("BothSides", both, player=5_00)
    under = "At least 5.00 on Player: choose a larger chip."
    place.is_told("UnderMinimum", under, banker=0, player=1_00, tie=2_00)  # one of several
    place.is_told("BadValue", str(ASK), tie=-1_00)


def test_nobody_is_told_to_pay_in_by_a_command(house):
    place = Place(house, paid_in=0)
    closed = str(cloth.NO_SEAT)
    place.is_told("NoAccount", closed, player=5_00)
    place.is_told("SeatEmpty", closed, seat=4, player=5_00)
    place = Place(house, paid_in=5_00)
    place.bet(player=5_00)
    place.is_told("AccountShort", str(cloth.NO_MONEY), tie=2_00)


def test_what_the_table_does_is_said_as_the_page_says_it(house):
    place = Place(house)
    place.is_told("CoupOver", "That coup is over. Bet on the next one.", coup=2, player=5_00)
    place.do("no-more-bets")
    place.is_told("BettingClosed", "No more bets.", player=5_00)
    place.do("table.lock-up", reason="a screen is dark")
    place.is_told("TableLockedUp", str(cloth.LOCKED), player=5_00)
    place = Place(house)
    barred = house.terminal("pit-1").run(
        *("patron", "bar", f"P-{place.table}", "at the door"),
        *("--by", "D-204", "--with", "S-11"),
    )
    assert barred.exit_code == 0, barred.output
    place.is_told("PatronBarred", str(ASK), player=5_00)


def every(kind=refusals.Refusal):
    for each in kind.__subclasses__():
        yield from every(each)
        if not each.__subclasses__():
            yield each


def names_in(text):
    return set(re.findall(r"\{(\w+)\}", text))


def made(kind):
    """A refusal with a value for each name of its sentence."""
    return Words(kind.__doc__, **dict.fromkeys(names_in(kind.__doc__), "7.00"))


@pytest.mark.parametrize("kind", list(every()), ids=lambda kind: kind.__name__)
def test_no_refusal_has_a_word_for_staff_with_or_without_its_values(kind):
    for words in (made(kind), str(made(kind)), Words("{so} `a command`", so="R-BET-1")):
        assert not FOR_STAFF.search(in_patrons_words(kind.__name__, words))
    nested = Words("Seat {seat} on {spot}: {refusal}", seat=3, spot="Tie", refusal=made(kind))

    assert in_patrons_words(kind.__name__, nested) == in_patrons_words(kind.__name__, made(kind))


def test_every_refusal_of_a_bet_has_words_and_no_other_name_has():
    by_name = {kind.__name__: kind for kind in every()}
    of_a_bet = {kind.__name__ for kind in every(refusals.Betting)} - NOT_OF_A_BET
    worded = to_patron.BY_REFUSAL.keys()

    assert of_a_bet <= worded <= by_name.keys()
    assert all(str(in_patrons_words(name, made(by_name[name]))) != str(ASK) for name in worded)


def test_who_has_nothing_and_who_takes_a_break():
    none = refusals.AccountShort(seat=3, balance=Amount(0, "USD"), amount=Amount(1_00, "USD"))
    rest = Words("Seat {seat} takes a break until {until}.", seat=3, until="21:40")
    full = Words("Seat {seat} takes no further chips for cash today.", seat=3)

    assert in_patrons_words("AccountShort", none.words) == cloth.NO_MONEY
    assert in_patrons_words("PlayPaused", rest) == "This account takes a break until 21:40."
    assert in_patrons_words("PlayPaused", full).startswith(
        "No bet can be placed from this account now."
    )
