"""A coup as it lies on the felt, and as it is typed: with slips, each put right at some moment.

No database: the coup, its shoe and the accounts decide, and every event gets the place that it
would have in the ledger. A twin is the same coup without a slip.
"""

from contextlib import suppress
from itertools import count

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.corrections import Rightly
from domain.aggregates.coup import Coup
from domain.aggregates.tray import Signed
from domain.events import commission_account, shoe
from domain.review.adjudication import Around, charges
from domain.review.replay import Line
from domain.rules.cards import DECK, points
from domain.rules.hands import next_due
from domain.rules.refusals import BadValue, Refusal
from domain.rules.seating import Stay
from tests.domain.floor import BEFORE, EVENING, open_table, ready_shoe, rules_of

SEATS = (1, 2, 3, 5, 6, 7)
_DRAWS = (shoe.CardDrawn, shoe.CarriedCardDealt)
_ENTRIES = (commission_account.CommissionAccrued, commission_account.CommissionCorrected)


class Felt:
    """One coup, its shoe and its accounts; `lines`: all of their events, in order."""

    def __init__(self, rules, *, unseen=False):
        self.rules = rules_of(rules)
        self.unseen = unseen and self.rules.dealing == "face-down"
        self.day = open_table(rules, seats=SEATS)
        self.shoe = ready_shoe(rules)
        self.coup = Coup.open(self.shoe.begin_coup(), self.day, self.shoe, at=EVENING)
        self.accounts = {}
        self.lines = []
        self._seen = {}
        self._place = count(1)
        self._write()

    # What is typed.
    def bet(self, seat, spot, amount):
        self.coup.bet(seat, self.stay(seat), spot, amount)
        self._write()

    def withdraw(self, seat, spot):
        self.coup.withdraw(seat, self.stay(seat), spot)
        self._write()

    def draw(self, card):
        """The next card; what lies face down is turned when four are out."""
        if self.coup.phase == "betting":
            self.coup.take_first_card()
        self.coup.turn_rest()
        self.shoe.draw(card)
        self.coup.deal(card, unseen=self.unseen)
        self._write()

    def turn(self):
        self.coup.turn(self.coup.to_turn)
        self._write()

    def settle(self):
        for wager, payment in self.coup.settle():
            if payment.commission_due:
                self.account(wager).accrue(self.coup.address, wager, payment)
        self._write()

    def end_shoe(self):
        self.shoe.end(reason="late", second="S-11")
        self._write()

    # What puts it right.
    def bet_late(self, seat, spot, amount):
        late = self.coup.enter_late(
            seat, self.stay(seat), spot, amount, placed_at=BEFORE, second="S-11"
        )
        self._follow(late)

    def correct_card(self, n, card, after=None, then=()):
        change = self.coup.correct_card(n, card, after, self._signed, then=then)
        self.shoe.correct_card(self.coup.address.number, n, card, change)
        self._follow(change.changes)

    def correct(self, seat, spot, to=None, as_spot=None, stake=None):
        rightly = Rightly(seat, spot, to, as_spot, stake)
        self._follow(self.coup.correct(rightly, self._signed))

    def move_wager(self, seat, spot, to_seat):
        stay = self.stay(to_seat)
        self._follow(self.coup.move_wager(seat, spot, to_seat, stay, self._signed))

    def move_card(self, n):
        self.coup.move(n, self.coup.hands.dealt[n - 1].hand)
        self._write()

    def misdraw(self, card):
        self.shoe.misdraw(card, "burn")
        self._write()

    def void(self):
        self._follow(self.coup.void("a torn card", "D-204", "S-11"))

    # What it comes to.
    def stay(self, seat):
        return self.day.stay_at(seat)

    def account(self, wager):
        stay = Stay(wager.patron, wager.stay)
        if stay.address not in self.accounts:
            self.accounts[stay.address] = CommissionAccount.open(stay, self.day, at=EVENING)
        return self.accounts[stay.address]

    @property
    def own(self):
        """The coup's own events."""
        return self._of(self.coup.pending_events)

    @property
    def around(self):
        shoe_lines = self._of(self.shoe.pending_events)
        accounts = [self._of(each.pending_events) for each in self.accounts.values()]
        rounding = self.rules.commission.rounding
        charged = {}
        if rounding.moment == "on-collection":
            for account in accounts:
                charged |= charges(account, rounding)
        return Around(
            begun=True,
            drawn=[line for line in shoe_lines if isinstance(line.event, _DRAWS)],
            renamed=[line for line in shoe_lines if isinstance(line.event, shoe.CardRenamed)],
            commission=[
                line for account in accounts for line in account if isinstance(line.event, _ENTRIES)
            ],
            charges=charged,
        )

    @property
    def ends(self):
        """What must be the same however it came about."""
        layout = {(each.seat, each.spot): each for each in self.coup.wagers()}
        settled = self.coup.phase == "settled"
        return {
            "phase": self.coup.phase,
            "cards": self.coup.cards,
            "result": self.coup.hands.result,
            "wagers": {key: (each.stake, each.stay) for key, each in layout.items()},
            "paid": {key: self.coup.settled[key] for key in layout} if settled else {},
            "owed": {stay: each.owed for stay, each in self.accounts.items() if each.owed},
            "won": self.coup.won,
            "left": self.shoe.cards_left,
            "seen": +self.shoe.seen,
        }

    @property
    def money(self):
        """What every wager was paid, and what every seat owes."""
        layout = [(each.seat, each.spot) for each in self.coup.wagers()]
        settled = self.coup.phase == "settled"
        paid = {key: self.coup.settled[key].paid for key in layout} if settled else {}
        seats = {self.stay(seat).address: seat for seat in SEATS}
        return paid, {seats[stay]: owed for stay, owed in self.ends["owed"].items()}

    _signed = Signed("typed wrong", "D-204", "S-11")

    def _follow(self, changes):
        for each in changes:
            if each.before.commission_due or each.after.commission_due:
                account = self.account(each.wager)
                account.correct(self.coup.address, each.wager, each.before, each.after, here=True)
        self._write()

    def _write(self):
        """Every new event gets its place, coup first, as in the ledger."""
        for each in (self.shoe, self.coup, *self.accounts.values()):
            events = each.pending_events
            for event in events[self._seen.get(each.id, 0) :]:
                self.lines.append(Line(next(self._place), event))
            self._seen[each.id] = len(events)

    def _of(self, events):
        if not events:
            return []
        return [line for line in self.lines if line.event.originator_id == events[0].originator_id]


class Mended:
    """A random coup: what lies on the felt, and what is typed of it until all of that is right."""

    def __init__(self, rules, random, check):
        self.random = random
        self.felt = Felt(rules, unseen=random.random() < 0.5)
        self.check = check  # after everything that is typed
        self.commands = set()  # those that put something right
        self.bets = {}  # what lies there: by seat and spot
        self.cards = self._cards()  # what lies there
        self.undue = []  # cards that came although none was due
        self.misread = random.randint(1, len(self.cards)) if self._chance(7) else 0
        self.came = self._chance(5)  # whether cards typed without being due lie on the table
        self.todo = []  # what is still to be put right: its command, how, and with what
        self.mispaid = set()  # what two people pay otherwise than the cards say

    @property
    def coup(self):
        return self.felt.coup

    @property
    def void(self):
        return self.coup.phase == "voided"

    def play(self):
        """From the first bet until everything is right."""
        self._bet()
        self._deal()
        all_typed = len(self.coup.cards) >= len(self.cards)
        while not self.coup.over and all_typed and self.todo and self._chance(4):
            self._put_right(*self.random.choice(self.todo))
        if not self.coup.over:
            self.felt.settle()
            self.check(self)
            self._mispay()
        while self.todo:
            if not self.felt.shoe.ended and self._chance(1):
                self.felt.end_shoe()
            self._put_right(*self.random.choice(self.todo))
        self._afterwards()
        return self

    def _deal(self):
        """Until no card is due by those that were typed, or none lies there that was not."""
        while not self.coup.over and (self.coup.to_turn or self._goes_on()):
            self._in_between()
            if self.coup.over:
                break
            if self.coup.to_turn:
                self.felt.turn()
            elif self.coup.due:
                self._type()
            elif self._goes_on():
                if self._chance(5):  # it is paid by fewer cards than lie there
                    break
                self._put_right(*self._named("coup.correct-card"))
            self.check(self)

    @property
    def twin(self):
        """The same coup without a slip."""
        twin = Felt(self.felt.rules)
        for (seat, spot), amount in self.bets.items():
            twin.bet(seat, spot, amount)
        for card in self.cards:
            twin.draw(card)
        if self.void:
            twin.void()
        else:
            twin.settle()
        for card in self.undue:
            twin.misdraw(card)
        return twin

    def _cards(self):
        cards = []
        while next_due([points(card) for card in cards]):
            cards.append(self._any_card())
        return cards

    def _chance(self, of_ten):
        return self.random.random() * 10 < of_ten

    def _any_card(self):
        return self.random.choice(DECK)

    # Betting.
    def _bet(self):
        rules, at_table = self.felt.rules, list(SEATS)
        self.random.shuffle(at_table)
        for _ in range(self.random.randint(1, 3)):
            seat = at_table.pop()
            spot = self.random.choice([*sorted(rules.spots), "banker", "player", "banker"])
            limit = rules.limit(spot)
            least = max(limit.minimum, rules.main.minimum)
            amount = min(least + rules.increment * self.random.randint(0, 9), limit.maximum)
            self.bets[seat, spot] = amount
            slip = self.random.choice(("none", "seat", "stake", "stake at once", "left out"))
            if slip == "left out":
                self.todo.append(("bet", self.felt.bet_late, (seat, spot, amount)))
                continue
            if slip == "stake at once":
                self.felt.bet(seat, spot, limit.minimum)
                self.felt.withdraw(seat, spot)
            typed = amount
            if slip == "stake" and not rules.accounts:
                typed = self.random.choice([least, min(10 * amount, limit.maximum)])
                if typed != amount:
                    self.todo.append(("correct", self._put_stake_right, (seat, spot, amount)))
            taken = at_table.pop() if slip == "seat" else seat
            self.felt.bet(taken, spot, typed)
            if slip == "seat":
                self.todo.append(("coup.move-wager", self.felt.move_wager, (taken, spot, seat)))
            self.check(self)

    # Dealing.
    def _goes_on(self):
        """Whether a card is due, or one that lies there cannot be typed before another is right."""
        return self.coup.due or len(self.coup.cards) < len(self.cards)

    def _type(self):
        """The next card that the record wants: as it lies there, misread, or not there at all."""
        n = len(self.coup.cards) + 1
        if n > len(self.cards):
            if self._chance(5):
                self._put_right(*self._named("coup.correct-card"))
                return
            card = self._any_card()
            self.undue += [card] * self.came
            self.felt.draw(card)
            return
        card = typed = self.cards[n - 1]
        if n == self.misread:
            self.misread = 0  # it is typed again if it goes back
            typed = self._any_card()
        self.felt.draw(typed)
        if typed != card:
            self.todo.append(("coup.correct-card", self._correct_card, (n, card)))

    def _correct_card(self, n, card):
        """A card that was misread gets its name; perhaps another wrong one first."""
        if self.coup.to_turn:
            self.felt.coup.turn_rest()
        if n in self.coup.face_down:
            return False  # nobody has seen it yet
        if self._chance(3):
            with suppress(Refusal):
                self.felt.correct_card(n, self._any_card())
                self.check(self)
        if self.coup.cards[n - 1] != card:
            paid = self.coup.phase == "settled"
            then = self.cards[len(self.coup.cards) :] if paid else ()
            self.felt.correct_card(n, card, "stay" if self.came else "untyped", then)
        return True

    def _in_between(self):
        """Between two cards something is put right, or happens."""
        if self.todo and self.coup.cards and self._chance(3):
            self._put_right(*self.random.choice(self.todo))
        last = len(self.coup.cards)
        if last and last not in self.coup.moved and self._chance(1):
            self.felt.move_card(last)
            self._did("move-card")
        if self._chance(0.3):
            self._void()

    # Putting right.
    def _named(self, command):
        return next(each for each in self.todo if each[0] == command)

    def _did(self, command):
        self.commands.add(command)
        self.check(self)

    def _put_right(self, command, how, what):
        if self.void and command in ("bet", "coup.move-wager", "correct"):
            self._leave(command, what)  # a void coup stays void
        elif how(*what) is False:
            return
        self.todo.remove((command, how, what))
        self._did(command)

    def _leave(self, command, what):
        if command == "correct" and len(what) == 3:  # the stake stays as it was typed
            self.bets[what[:2]] = self.coup.layout.at(*what[:2]).stake
        elif command == "bet":
            del self.bets[what[:2]]
        elif command == "coup.move-wager":
            taken, spot, seat = what
            self.bets[taken, spot] = self.bets.pop((seat, spot))

    def _mispay(self):
        """A wager is paid something else than the cards say, and that is put right later."""
        for seat, spot in sorted(self.bets):
            if self._chance(3) and self.coup.layout.at(*self._place_of(seat, spot)):
                self.todo.append(("correct", self._pay_wrongly, (seat, spot)))

    def _pay_wrongly(self, seat, spot):
        self.mispaid.add((seat, spot))
        to = self.random.choice([0, self.bets[seat, spot]])
        as_spot = self.random.choice(sorted(self.felt.rules.spots))
        with suppress(Refusal):
            wrongly = {"to": to} if self._chance(5) else {"as_spot": as_spot}
            self.felt.correct(*self._place_of(seat, spot), **wrongly)
            self.check(self)
        self.todo.append(("correct", self._pay_rightly, (seat, spot)))

    def _pay_rightly(self, seat, spot):
        if any(each[0] == "coup.correct-card" for each in self.todo):
            return False
        with suppress(BadValue):  # it is right already
            self.felt.correct(*self._place_of(seat, spot))
        self.mispaid.remove((seat, spot))
        return True

    def _put_stake_right(self, seat, spot, amount):
        self.felt.correct(seat, spot, stake=amount)

    def _place_of(self, seat, spot):
        """Where a wager is on record: perhaps still at another seat."""
        for command, _, what in self.todo:
            if command == "coup.move-wager" and what[1:] == (spot, seat):
                return what[0], spot
        return seat, spot

    def _void(self):
        self.felt.void()
        self._did("void")

    def _afterwards(self):
        if not self.void and self._chance(2):
            self._void()
        if self.void:
            self.cards = self.coup.cards if len(self.coup.cards) < len(self.cards) else self.cards
        if not self.felt.shoe.ended and self._chance(2):
            self.undue.append(self._any_card())
            self.felt.misdraw(self.undue[-1])
            self._did("shoe.misdraw")
