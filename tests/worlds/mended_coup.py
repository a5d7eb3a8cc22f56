"""A coup of a night that is played twice: its bets, its cards and its payment, with slips."""

from functools import partial

from domain.rules.cards import DECK
from tests.acceptance.by_hand import dealt
from tests.worlds.mends import Mend
from tests.worlds.night_by_hand import money
from tests.worlds.watched_table import TWO

PIT_BOSS = {"by": "S-11", "with": "PB-2"}
STAKE = 25_00  # by which a stake is typed too high


class MendedCoup:
    """One coup at both tables; slips `of_bets` and `of_cards` wait for the first card."""

    def __init__(self, night, deal):
        self.night, self.deal = night, deal
        self.random, self.right, self.wrong = night.random, night.right, night.wrong
        self.of_bets, self.of_payment = [], []
        self.typed = []  # the cards as they were typed at the second table
        self.wrongly = set()  # bets with a slip
        self.stakes = {}  # by bet, the stake that was typed, and what puts it right
        self.undue = []  # cards that came although none was due
        self.bet_at = ""  # a moment at which bets were taken

    def chance(self, of_ten):
        return self.night.chance(of_ten)

    @property
    def coup(self):
        """Its address at the second table."""
        return self.wrong.at(self.deal.place)

    def both(self, command, **fields):
        return self.night.both(command, **fields)

    def mend(self, kind, command, until="never", **fields):
        """What puts a slip right."""
        return Mend(kind, self.wrong.fixing(command, **fields), self.deal, until)

    def wait(self, mends):
        """These slips can be put right from now on."""
        while mends:
            self.night.slip(mends.pop(0))

    def play(self):
        self._bet()
        carried, self.night.carried = self.night.carried, 0
        if carried:
            self.both("no-more-bets")
        self.deal.cards = self.night.take()
        if self.chance(0.5) and not carried and not self.deal.typed_on:
            self._stop()
            return
        self._draw(carried)
        self._settle()
        self._afterwards()

    # Bets.
    def _bet(self):
        seats = self.random.sample(sorted(self.night.seated), len(self.night.seated))
        taking = self.random.randint(1, 3)
        seats, free = seats[:taking], seats[taking:]
        bets = [bet for seat in seats for bet in self._bets_of(seat)]
        self.random.shuffle(bets)
        lie = [{"seat": seat, "spot": spot, "amount": amount} for seat, spot, amount in bets]
        self.right.say("bets", wagers=lie)
        for n, (seat, spot, amount) in enumerate(bets):
            self.deal.bets[seat, spot] = self.night.seated[seat], amount
            alone = sum(bet[0] == seat for bet in bets) == 1
            self._type_bet(seat, spot, amount, free, alone=alone, first=n == 0)
            self.bet_at = self.bet_at or self.wrong.moment.isoformat()
            self.night.now_and_then()

    def _bets_of(self, seat):
        """A bet of a seat, and perhaps one beside it."""
        night = self.night
        ties = ["tie"] if night.rules != "classic@1" else []
        main = night.choose("banker", "banker", "player", *ties)
        yield seat, main, night.stake()
        if main != "tie" and ties and self.chance(2):
            yield seat, night.choose("tie", *night.sides), night.stake()

    def _type_bet(self, seat, spot, amount, free, *, alone, first):
        """One bet at the second table: as it lies, or with a slip."""
        kind = self.night.choose("stake", "seat", "spot", "left out", "again", *["right"] * 5)
        wager = {"coup": self.coup, "seat": seat, "spot": spot}
        chips = not self.night.accounts
        typed, mend = amount, None
        if kind == "stake" and chips:
            typed = amount + STAKE
            mend = self.mend("stake", "correct", stake=amount, **wager)
            self.stakes[seat, spot] = typed, mend
        elif kind == "seat" and chips and free and alone and not self._pays_as_it_wins(seat):
            wager["seat"] = free.pop()
            mend = self.mend("seat", "coup.move-wager", to_seat=seat, **wager)
        elif kind == "spot" and alone and spot != "tie":
            wager["spot"] = {"banker": "player", "player": "banker"}[spot]
            self.of_payment.append(Mend("spot", self._pay_as(spot, wager), self.deal))
            self.deal.typed_on[seat, spot] = wager["spot"]
        elif kind == "left out" and chips and not first:
            bet = {"seat": seat, "spot": spot, "amount": amount, "at": self.bet_at, "late": True}
            late = partial(self.wrong.say, "bet", **bet, **TWO)
            self.of_bets.append(Mend("late", late, self.deal, "coup"))
            self.wrongly.add((seat, spot))
            return
        elif kind == "again":
            self.wrong.bet(seat, spot, amount + STAKE * chips)
        self.wrong.bet(wager["seat"], wager["spot"], typed)
        if mend:
            self.of_bets.append(mend)
        if mend or (seat, spot) in self.deal.typed_on:
            self.wrongly.add((seat, spot))

    def _pays_as_it_wins(self, seat):
        """Left out: what was paid moves as it was paid, and the commission in it is owed."""
        return self.night.seated[seat] in self.deal.at_once

    def _pay_as(self, spot, wager):
        """A tie pays both alike: then nothing is to be put right."""

        def how():
            player, banker = dealt([*self.deal.cards, *DECK[:2]])[0].totals
            if player != banker:
                self.wrong.fix("correct", **{"as": spot}, **wager)

        return how

    # Cards.
    def _draw(self, carried):
        """The cards; at the second table one of them is perhaps misread."""
        cards = self.deal.cards
        for m, card in enumerate(cards[carried:], carried + 1):
            self._card(self.right, card)
            if m == 4 and self.chance(2):
                self._turn(self.right)
        misread = self.chance(4) and not self.night.generated and len(cards) > carried
        n = self.random.randint(carried + 1, len(cards)) if misread else 0
        came = self.chance(5)
        typed = [*cards, *(self.night.cards[:2] if came else self.random.sample(DECK, 2))]
        if n:
            typed[n - 1] = self.random.choice(DECK)
        self.typed = typed = typed[: dealt([*typed, *DECK[:2]])[1]]
        for m, card in enumerate(typed[carried:], carried + 1):
            self._card(self.wrong, card)
            self.wait(self.of_bets)
            if m <= 4 and self.chance(0.5):
                hand = "player" if m % 2 else "banker"
                self.wrong.say("move-card", n=m, hand=hand)
            if m < len(typed):
                self.night.now_and_then()
        self.wait(self.of_bets)
        if typed != cards:
            self._misread(n, came=came)

    def _card(self, table, card):
        table.say("draw", **({} if self.night.generated else {"card": card}))

    def _misread(self, n, *, came):
        """Card n was misread; too few cards were typed then, or cards that were not due."""
        cards, typed = self.deal.cards, self.typed
        card = {"coup": self.coup, "n": n, "card": cards[n - 1]}
        if len(typed) < len(cards) and self.chance(5):
            self._turn(self.wrong)
            self.wrong.fix("coup.correct-card", **card)
            for each in cards[len(typed) :]:
                self._card(self.wrong, each)
            self.typed = cards
        elif len(typed) < len(cards):
            rest = cards[len(typed) :]
            self.of_payment.append(
                self.mend("card", "coup.correct-card", "count", then=rest, **card)
            )
        elif len(typed) > len(cards):
            after = "stay" if came else "untyped"
            self.undue = typed[len(cards) :] if came else []
            until = "coup" if came else "count"
            mend = self.mend("card", "coup.correct-card", until, after=after, **card)
            self._before_or_after(mend)
        else:
            mend = self.mend("card", "coup.correct-card", "count", **card)
            mend.how = partial(self._twice, mend.how, card)
            self._before_or_after(mend)

    def _turn(self, table):
        """The hands that lie face down are turned, if any does."""
        for hand in ("player", "banker"):
            table.ask("reveal", hand=hand)

    def _twice(self, rightly, card):
        """A card is put right, perhaps wrongly first."""
        other = self.random.choice(DECK)
        if self.chance(3) and other != card["card"]:
            self.wrong.ask("coup.correct-card", **{**card, "card": other}, reason="misread", **TWO)
        rightly()

    def _before_or_after(self, mend):
        if self.chance(3):
            self._turn(self.wrong)
            self.night.mends.append(mend)
            self.night.put_right(mend)
            self.typed = self.deal.cards
        else:
            self.of_payment.append(mend)

    def _stop(self):
        """A card is torn: the coup is void before it is paid."""
        drawn, cards = self.random.randint(1, 3), self.deal.cards
        self.deal.cards, self.night.cards[:0] = cards[:drawn], cards[drawn:]
        for card in self.deal.cards:
            self._card(self.right, card)
            self._card(self.wrong, card)
            self.wait(self.of_bets)
        if self.night.accounts and self.chance(5):
            self.deal.void = True
            self.both("table.lock-up", reason="a screen is dark")
            self.both("table.unlock", how="return", reason="it was dark", **TWO)
        else:
            self._void()
            self.night.right_of(self.deal)

    def _void(self):
        """It is void; at the second table perhaps later. What is wrong with it comes first."""
        self.deal.void = True
        self.right.fix("void", coup=self.right.at(self.deal.place))
        self.night.slip(self.mend("void", "void", coup=self.coup))

    # Payment.
    def _settle(self):
        if self.night.accounts and self.chance(1):
            self.both("table.lock-up", reason="a screen is dark")
            self.both("table.unlock", how="settle", reason="it was dark", **TWO)
        else:
            self.both("settle")
        for bet, (typed, mend) in self.stakes.items():
            if mend in self.night.mends:
                self.wrong.take(self._less(bet, typed))
        for card in self.undue:
            self.right.say("shoe.misdraw", card=card, **TWO)
        self.night.carried = len(self.undue)
        if self.chance(0.5) and not (self.undue or self.night.generated):
            self._misdraw()
        self.of_payment.sort(key=lambda mend: mend.kind != "card")
        self.wait(self.of_payment)

    def _misdraw(self):
        """A card comes when none is due; at the second table it is typed as if one were."""
        card = self.night.cards.pop(0)
        if self.chance(5):
            self.both("shoe.discard", card=card, reason="face-up", **TWO)
        else:
            assert not self.wrong.ask("draw", card=card).ok
            self.both("shoe.misdraw", card=card, disposition="burn", **TWO)

    def _less(self, bet, typed):
        """What the house wins less than it is on record, where another stake lay."""
        patron, stake = self.deal.bets[bet]
        at_once = patron in self.deal.at_once
        won = [
            each - money(self.night.rules, bet[1], each, self.typed, at_once=at_once)[0]
            for each in (stake, typed)
        ]
        return won[0] - won[1]

    def _afterwards(self):
        """Two people pay a bet otherwise, or void the coup, or a patron complains."""
        for bet in sorted(self.deal.bets.keys() - self.wrongly):
            if self.chance(1):
                self._pay_wrongly(*bet)
            elif self.chance(0.5) and bet[1] in ("player", "tie"):
                self._pay_otherwise(*bet)
        if self.chance(0.7):
            self._complain()
        elif self.chance(0.7):
            self._void()

    def _pay_wrongly(self, seat, spot):
        """At the second table only, until it is put right."""
        wager = {"coup": self.coup, "seat": seat, "spot": spot}
        stake = self.deal.bets[seat, spot][1]
        waits = any(each.kind == "card" and each.deal is self.deal for each in self.night.mends)
        cards = self.typed if waits else self.deal.cards
        rightly = money(self.night.rules, spot, stake, cards)[0]
        to = 0 if rightly == stake else stake
        self.wrong.fix("correct", to=to, **wager)

        def how():  # refused if a card that was put right has made it right
            answer = self.wrong.ask("correct", reason="typed wrong", **TWO, **wager)
            assert answer.ok or "was already paid" in str(answer)

        self.night.slip(Mend("pay", how, self.deal))

    def _pay_otherwise(self, seat, spot):
        """At both tables, for good."""
        to = self.deal.set_to[seat, spot] = 3 * self.deal.bets[seat, spot][1]
        for table in (self.right, self.wrong):
            coup = table.at(self.deal.place)
            table.fix("correct", coup=coup, seat=seat, spot=spot, to=to)

    def _complain(self):
        """A case that holds the table; at the second one it is decided wrongly first."""
        bet = seat, spot = self.random.choice(sorted(self.deal.bets))
        patron, stake = self.deal.bets[bet]
        cases = []
        for table in (self.right, self.wrong):
            about = {"coup": table.at(self.deal.place), "patron": patron}
            cases.append(table.say("dispute.open", complaint="wrong", hold=True, **about))
        first, second = (each.body["case"] for each in cases)
        decide = {"reason": "the camera", **PIT_BOSS}
        self.right.say("dispute.decide", case=first, decision="stand", **decide)
        if bet in self.wrongly or bet in self.deal.set_to or self.chance(3):
            self.wrong.say("dispute.decide", case=second, decision="stand", **decide)
            return
        self.night.right_of(self.deal)
        rightly = money(self.night.rules, spot, stake, self.deal.cards)[0]
        decide |= {"case": second, "decision": "correct", "seat": seat, "spot": spot}
        self.wrong.say("dispute.decide", to=0 if rightly == stake else stake, **decide)
        again = partial(self.wrong.say, "dispute.decide", **decide)
        self.night.slip(Mend("case", again, self.deal))
