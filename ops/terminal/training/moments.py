"""The moments of a coup that a trainee sees, each with one claim that may be wrong.

A claim is compared with the rules for the same cards and wagers. `fault` is set only if they
differ.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct

from domain.rules.cards import symbol
from domain.rules.hands import Hand, Hands, Outcome, play
from ops.words import show

_RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}


class Fault(Struct, frozen=True):
    """A mistake put in on purpose: the rule that it breaks, and the right claim."""

    kind: str
    rule: str
    right: str


class Wager(Struct, frozen=True):
    """A patron's wager on a spot, in minor units; `back`: a wager taken back."""

    seat: int
    spot: str
    stake: int
    back: bool = False


class Call(Struct, frozen=True):
    """The caller's call: the cards as read, the totals, and what follows."""

    read: tuple[str, ...]  # in deal order
    player_total: int
    banker_total: int
    draws: Hand | None = None  # the hand whose third card comes now
    wins: Outcome | None = None  # set when no more card comes
    laid: Hand = "player"  # where the last card was laid

    @classmethod
    def of(cls, cards: Sequence[str]) -> "Call":
        """The right call."""
        hands = play(cards)
        assert hands.player_total is not None
        assert hands.banker_total is not None
        return cls(
            read=tuple(cards),
            player_total=hands.player_total,
            banker_total=hands.banker_total,
            draws=hands.due.hand if hands.due else None,
            wins=hands.result.outcome if hands.result else None,
            laid=hands.dealt[-1].hand,
        )


class Paid(Struct, frozen=True):
    """A wager, and what the caller pays for it in chips, stake included."""

    seat: int
    spot: str
    stake: int
    paid: int


class Moment(Struct, frozen=True):
    """An event at the table, which the trainee records or objects to."""

    fault: Fault | None = None
    late: Wager | None = None  # what a patron tries after the first card
    headline: ClassVar[str] = ""  # what the trainee does, in capitals
    short: ClassVar[str] = ""  # what is typed, in a few words
    why_right: ClassVar[str] = "everything is right"

    def words(self, table: "Layout") -> str:
        """The words for what happens."""
        raise NotImplementedError

    def how(self, table: "Layout") -> str:
        """The words for what to type, shown with the first moment of its kind."""
        return ""

    def why(self, table: "Layout") -> str:
        """The words for why nothing is wrong."""
        return self.why_right

    def then(self, table: "Layout") -> str:
        """The words for what to enter after an objection."""
        return self.how(table)

    def mended(self, table: "Layout") -> str:
        """The words for how the mistake is corrected."""
        if self.late is None:
            return "The caller corrects it."
        return f"{table.chips_words(self.late)} {'stays' if self.late.back else 'goes back'}."


class Step(Moment, frozen=True):
    """One step of the shoe's life before its first coup."""

    headline: ClassVar[str] = "PREPARE THE SHOE"
    short: ClassVar[str] = "type what is shown"
    step: str = ""  # loaded, inspected, shuffled, cut or burned
    card: str = ""  # the burn card
    decks: int = 0
    lines: ClassVar[Mapping[str, str]] = {
        "loaded": "{decks} decks come to the table. Type: load {decks}",
        "inspected": "Every card is there. Type: inspect",
        "shuffled": "The machine has shuffled them. Type: shuffle machine",
        "cut": "You cut the shoe. Type: cut",
        "burned": "The first card is {shown}, and is burned. Type: burn {card}",
    }

    def words(self, table: "Layout") -> str:
        """The words for what to do and what to type."""
        shown = symbol(self.card) if self.card else ""
        return self.lines[self.step].format(decks=self.decks, shown=shown, card=self.card.lower())


class Betting(Moment, frozen=True):
    """The wagers of the patrons; `tried` is the one that is not allowed."""

    headline: ClassVar[str] = "ENTER THE WAGERS"
    short: ClassVar[str] = "then n; ! if one is wrong"
    wagers: tuple[Wager, ...] = ()
    tried: Wager | None = None
    why_right: ClassVar[str] = "all bets are allowed"

    def how(self, table: "Layout") -> str:
        """The words for how to enter them: all seats in one line, or one by one."""
        return "Enter the wagers, then n. Type ! if a bet is not allowed."

    def words(self, table: "Layout") -> str:
        """The words for each seat's bets; a bet that is not allowed looks like the rest."""
        return table.wagers_words([*self.wagers, self.tried] if self.tried else self.wagers)

    def then(self, table: "Layout") -> str:
        """The words for the bets that are allowed."""
        return f"The bets are: {table.wagers_words(self.wagers)} Enter them, then n."

    def mended(self, table: "Layout") -> str:
        """The words for chips going back."""
        assert self.tried
        return f"{table.chips_words(self.tried)} goes back."


class Dealing(Moment, frozen=True):
    """Cards that leave the shoe, the last `new` of `cards`, and the call."""

    headline: ClassVar[str] = "JUDGE THE CALL"
    short: ClassVar[str] = "the cards, or ! if wrong"
    cards: tuple[str, ...] = ()
    new: int = 4
    call: Call = Call((), 0, 0)

    @property
    def hands(self) -> Hands:
        """The hands by the rules."""
        return play(self.cards)

    def how(self, table: "Layout") -> str:
        """The words for how to enter the cards: in the order in which they came."""
        return "Enter the cards as dealt. Type ! if the call is wrong."

    def words(self, table: "Layout") -> str:
        """The words for the cards on the table, then for the call."""
        shown = " ".join(symbol(card) for card in self.cards[-self.new :])
        where = "" if self.new > 1 else f", laid on {self.call.laid.title()}"
        words = [f"The shoe gives {shown}{where}.", f"The caller: “{self._called()}”"]
        return " ".join(words + table.late_words(self.late))

    def then(self, table: "Layout") -> str:
        """The words for the cards that are out and not entered yet."""
        return f"Enter {' '.join(symbol(card) for card in self.cards[table.dealt :])}."

    def _called(self) -> str:
        call = self.call
        player, banker = f"Player {call.player_total}", f"Banker {call.banker_total}"
        if self.new > 1:
            player = f"Player {_read(call.read[0])} and {_read(call.read[2])}: {call.player_total}"
            banker = f"Banker {_read(call.read[1])} and {_read(call.read[3])}: {call.banker_total}"
            totals = f"{player}. {banker}."
        else:
            totals = f"{_read(call.read[-1]).capitalize()}. {player}, {banker}."
        return f"{totals} {self._follows()}"

    def _follows(self) -> str:
        if self.call.draws:
            return f"{self.call.draws.title()} draws."
        return "A Tie." if self.call.wins == "tie" else f"{(self.call.wins or '').title()} wins."

    def why(self, table: "Layout") -> str:
        """The words for who draws and who stands, and why."""
        hands = self.hands
        steps = hands.steps if self.new > 1 else hands.steps[-1:]
        return "; ".join(dict.fromkeys(f"{step.why} ({step.rule})" for step in steps))


class Paying(Moment, frozen=True):
    """The caller's payments when all cards are out."""

    headline: ClassVar[str] = "JUDGE THE PAYMENTS"
    short: ClassVar[str] = "s settles, or ! if wrong"
    cards: tuple[str, ...] = ()
    paid: tuple[Paid, ...] = ()
    why_right: ClassVar[str] = "every wager is paid or taken correctly"

    def how(self, table: "Layout") -> str:
        """The words for how to settle: the program knows the payments."""
        return "Settle with s. Type ! if a payment is wrong."

    def words(self, table: "Layout") -> str:
        """The words for each wager's payment."""
        words = ["The caller pays."]
        for seat in sorted({each.seat for each in self.paid}):
            own = [paid_words(each, table.currency) for each in self.paid if each.seat == seat]
            words.append(f"Seat {seat}: {', '.join(own)}.")
        return " ".join(words + table.late_words(self.late))

    def then(self, table: "Layout") -> str:
        """The words for how to settle after an objection."""
        return "Settle with s."


class Leaving(Moment, frozen=True):
    """A patron leaves; the caller names the commission owed, or forgets it."""

    headline: ClassVar[str] = "A PATRON LEAVES"
    short: ClassVar[str] = "leave SEAT, or ! if wrong"
    seat: int = 0
    patron: str = ""
    forgotten: bool = False

    def how(self, table: "Layout") -> str:
        """The words for how to enter it: first the commission, then the leaving."""
        return (
            f"Type leave {self.seat}, and c {self.seat} before it if commission is owed. "
            "Type ! if the caller is wrong."
        )

    def words(self, table: "Layout") -> str:
        """The words for who leaves, with the commission owed unless it is forgotten."""
        owed = 0 if self.forgotten else table.owed(self.seat)
        owes = f"{table.amount(owed)} commission is owed." if owed else "Nothing is owed."
        return f"Seat {self.seat} {self.patron} gets up. The caller: “{owes}”"

    def why(self, table: "Layout") -> str:
        """The words for what is owed."""
        owed = table.owed(self.seat)
        return f"seat {self.seat} owes {table.amount(owed) if owed else 'nothing'}"

    def mended(self, table: "Layout") -> str:
        """The words for the commission being paid."""
        return f"Seat {self.seat} pays {table.amount(table.owed(self.seat))}: c {self.seat}"


class Collecting(Moment, frozen=True):
    """The end of play, when all commission is collected."""

    headline: ClassVar[str] = "COLLECT COMMISSION"
    short: ClassVar[str] = "c who owes, c 3 collects"
    why_right: ClassVar[str] = "all commission is collected now"

    def words(self, table: "Layout") -> str:
        """The words for collecting commission now, with what to type."""
        first = next((seat for seat, owed in table.owing.items() if owed), 0)
        return (
            "Play is over: collect all commission. "
            f"c shows who owes, c {first} collects from seat {first}."
        )


class Layout(Struct, frozen=True):
    """A table's currency, commission owed and cards entered, for the words about the table."""

    currency: str
    owing: Mapping[int, int]  # by seat, minor units
    dealt: int = 0  # cards of the coup that were entered

    def amount(self, amount: int) -> str:
        """An amount as it is called over the table."""
        return show.chips(amount, self.currency)

    def owed(self, seat: int) -> int:
        """The commission that a seat owes, in minor units."""
        return self.owing.get(seat, 0)

    def wagers_words(self, wagers: Sequence[Wager]) -> str:
        """`Seat 3: 100 on Banker, 25 on Tie.` for every seat, in order."""
        seats = sorted({each.seat for each in wagers})
        return " ".join(
            self._seat_words(seat, [each for each in wagers if each.seat == seat]) for seat in seats
        )

    def _seat_words(self, seat: int, wagers: Sequence[Wager]) -> str:
        lying = ", ".join(
            f"{self.amount(each.stake)} on {show.spot_called(each.spot)}" for each in wagers
        )
        return f"Seat {seat}: {lying}."

    def chips_words(self, wager: Wager) -> str:
        """One wager: `Seat 3's 100 on Player`."""
        return f"Seat {wager.seat}'s {self.amount(wager.stake)} on {show.spot_called(wager.spot)}"

    def late_words(self, late: Wager | None) -> list[str]:
        """The words for what a patron tries after the first card, if anything."""
        if late is None:
            return []
        who = f"Seat {late.seat}"
        amount, spot = self.amount(late.stake), show.spot_called(late.spot)
        if late.back:
            return [f"{who} takes the {amount} on {spot} back."]
        return [f"{who} puts {amount} on {spot}."]


def paid_words(paid: Paid, currency: str) -> str:
    """One payment: `100 on Banker wins 95`."""
    wager = f"{show.chips(paid.stake, currency)} on {show.spot_called(paid.spot)}"
    if paid.paid == 0:
        return f"{wager} is taken"
    if paid.paid == paid.stake:
        return f"{wager} stays"
    return f"{wager} wins {show.chips(paid.paid - paid.stake, currency)}"


def _read(card: str) -> str:
    return _RANKS.get(card[0], card[0])
