"""R-BET-8: bets after the first four cards, at every moment, beside a model of its own."""

from collections import Counter

from hypothesis import event, settings
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.rules.refusals import Refusal
from tests.domain.floor import after_four, stay

COUNTS = {**{str(n): n for n in range(2, 10)}, "A": 1, "K": 0, "T": 0}
OTHER_HAND = {"player": "banker", "banker": "player"}


class Model:
    """What a dealer may do, by the words of the rule and nothing of the program's.

    Lucky 6 is bet at 0 to 5 against Banker's 6, up to half of the seat's bet on Banker.
    """

    def __init__(self):
        self.counts = []
        self.lies = {}
        self.first, self.second = "open", ""
        self.over = False

    def totals(self):
        """Of the first two cards, Player's and Banker's."""
        return sum(self.counts[0:4:2]) % 10, sum(self.counts[1:4:2]) % 10

    def draws(self):
        """Whether another card comes."""
        if len(self.counts) < 4:
            return True
        player, banker = self.totals()
        if player > 7 or banker > 7 or len(self.counts) == 6:
            return False
        if player > 5:
            return len(self.counts) == 4 and banker < 6
        if len(self.counts) == 4:
            return True
        third = self.counts[4]
        draws_on = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: range(2, 8), 5: range(4, 8), 6: (6, 7)}
        return banker < 3 or third in draws_on.get(banker, ())

    def half(self, seat):
        """The most that a seat may bet on Lucky 6."""
        return self.lies.get((seat, "banker"), 0) // 2 // 5_00 * 5_00

    def refuses_bet(self, seat, spot, amount):
        if spot != "lucky-6":
            if self.first != "open":
                return "BettingClosed"
            against = (seat, OTHER_HAND.get(spot)) in self.lies
            return "BothSides" if against else None
        if self.over or self.second == "closed":
            return "BettingClosed"
        if not self.second:
            return "SpotNotOnCards"
        over = "OverPart" if self.half(seat) else "OnlyBeside"
        return over if amount > self.half(seat) else None

    def refuses_withdrawal(self, seat, spot):
        if self.over or (seat, spot) not in self.lies:
            return "NoWager"
        now = self.second if spot == "lucky-6" else self.first
        return None if now == "open" else "BettingClosed"

    def refuses_no_more_bets(self):
        if self.over:
            return "CoupOver"
        return None if "open" in (self.first, self.second) else "CoupNotFinished"

    def close(self):
        if self.first == "open":
            self.first = "closed"
        else:
            self.second = "closed"

    def deal(self, card):
        self.first = "closed"
        self.counts.append(COUNTS[card[0]])
        if len(self.counts) == 4:
            player, banker = self.totals()
            if player < 6 and banker == 6 and any(self.half(seat) >= 25_00 for seat in (3, 5)):
                self.second = "open"

    def paid(self):
        """What each seat is paid, by what the last cards make."""
        player, banker = self.totals()
        third = self.counts[4:]
        if player < 6 and third:
            player = (player + third.pop(0)) % 10
        if third:
            banker = (banker + third.pop(0)) % 10
        won = "tie" if player == banker else "player" if player > banker else "banker"
        times = {
            "player": {"player": 2, "banker": 0, "tie": 0, "lucky-6": 4},
            "banker": {"player": 0, "banker": 2, "tie": 0, "lucky-6": 0},
            "tie": {"player": 1, "banker": 1, "tie": 9, "lucky-6": 1},
        }[won]
        paid = Counter()
        for (seat, spot), stake in self.lies.items():
            paid[seat] += stake * times[spot]
        return +paid


SEATS = st.sampled_from((3, 5))
SPOTS = st.sampled_from(("player", "banker", "banker", "tie", "lucky-6", "lucky-6", "lucky-6"))
ACTS = st.one_of(
    st.tuples(
        st.just("bet"), SEATS, SPOTS, st.sampled_from((25_00, 30_00, 50_00, 55_00, 100_00, 110_00))
    ),
    st.tuples(st.just("back"), SEATS, SPOTS),
    st.tuples(st.just("close")),
    st.tuples(st.just("draw")),
)
CARDS = st.builds(
    lambda four, others: (*four.split(), *others),
    st.sampled_from(
        ("5C 2D KS 4H", "2C KD KS 6H", "KC 9D KS 7H", "6C KD KS 6H", "4C KD 4S KH", "")
    ),
    st.lists(st.sampled_from([f"{rank}C" for rank in COUNTS]), min_size=6, max_size=6),
)
BEGINS = st.sampled_from(((), ((3, "banker", 100_00),), ((3, "banker", 25_00), (5, "tie", 25_00))))


def refused(act):
    """The name of what refuses an act, or None."""
    try:
        act()
    except Refusal as refusal:
        return refusal.error
    return None


class Beside:
    """A coup and its model, to which everything is done alike."""

    def __init__(self, bets, cards):
        self.coup, self.model, self.shoe = after_four("", bets=bets), Model(), iter(cards)
        self.model.lies.update({(seat, spot): amount for seat, spot, amount in bets})

    def bet(self, seat, spot, amount):
        should = self.model.refuses_bet(seat, spot, amount)
        assert should == refused(lambda: self.coup.bet(seat, stay(seat), spot, amount))
        if should is None:
            self.model.lies[seat, spot] = amount

    def back(self, seat, spot):
        should = self.model.refuses_withdrawal(seat, spot)
        assert should == refused(lambda: self.coup.withdraw(seat, stay(seat), spot))
        if should is None:
            del self.model.lies[seat, spot]

    def close(self):
        should = self.model.refuses_no_more_bets()
        assert should == refused(self.coup.close_betting)
        if should is None:
            self.model.close()

    def draw(self):
        if self.model.second == "open":
            event("a third card while bets are open")
            assert "BetsStillOpen" == refused(self.coup.require_second_bets_closed)
        elif self.model.draws():
            card = next(self.shoe)
            if self.coup.phase == "betting":
                self.coup.take_first_card()
            self.coup.require_second_bets_closed()
            self.coup.deal(card)
            self.model.deal(card)

    def agree(self):
        lie = {(each.seat, each.spot): each.stake for each in self.coup.wagers()}
        assert (self.model.second, self.model.lies) == (self.coup.second, lie)


@settings(max_examples=300, deadline=None)
@for_all(BEGINS, CARDS, st.lists(ACTS, max_size=15), st.lists(ACTS, max_size=15))
def test_r_bet_8_every_act_is_taken_or_refused_as_a_model_says_and_paid(bets, cards, acts, more):
    table = Beside(bets, cards)
    coup, model, four, rest = table.coup, table.model, [("draw",)] * 4, [("draw",), ("close",)] * 8
    for what, *how in (*acts, *four, *more, *rest):
        getattr(table, what)(*how)
        table.agree()
    paid = Counter()
    for wager, payment in coup.settle():
        paid[wager.seat] += payment.paid
    model.over = True
    opened = [type(each).__name__ for each in coup.pending_events].count("SecondBetsOpened")

    assert (model.paid(), bool(model.second)) == (+paid, bool(opened))
    table.back(3, "lucky-6")
    table.bet(3, "lucky-6", 25_00)
