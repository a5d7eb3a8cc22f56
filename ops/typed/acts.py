"""What a dealer's line asks for: a frozen value for each kind of act, and how it is typed.

Amounts are the text of a plain decimal in major units; which money that is, the table knows.
`words` is the shortest plain way to type an act, and reads as the same act again.

>>> Bets((Group((1, 2, 3), (Wager("banker", "100"), Wager("tie", "25"))),)).words
'1-3 b 100 t 25'
>>> Correct(3, "banker", "2 chips lay there").words
'correct 3 b "2 chips lay there"'
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from domain.rules.hands import Hand
from domain.rules.spots import SPOT
from domain.rules.wording import Words
from ops.typed.spoken import SHORTEST
from ops.typed.written import name_text, reason_text, seats_text, spaced, word_text


def key_of(spot: str) -> str:
    """How a spot is typed: its key; an unknown one by its name."""
    return SPOT[spot].key if spot in SPOT else spot


def spots_by_key() -> dict[str, str]:
    """Every spot by its key."""
    return {spot.key: name for name, spot in SPOT.items()}


class NotUnderstood(ValueError):
    """A line that cannot be understood: nothing was done. `why` also says what to type."""

    def __init__(self, typed: str, why: str) -> None:
        line = typed.strip()
        cut = line if len(line) <= 40 else line[:39] + "…"
        self.typed = typed
        self.why = why
        self.words = Words("`{line}`: {why}", line=cut, why=why) if line else why
        super().__init__(self.words)


class Act(Struct, frozen=True):
    """One line that a dealer typed, whatever it asks for."""

    @property
    def words(self) -> str:
        """How it is typed."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)  # so that `glued` makes it no other wager
class Wager:
    """An amount on a spot."""

    spot: str
    amount: str
    # The spot that `p8500` may mean instead: at a table with a Panda 8 it may be 500 on that.
    glued: str = field(default="", compare=False)

    @property
    def doubt(self) -> Words:
        """Why a wager without a blank can mean two things, and how to type it."""
        key, other = key_of(self.spot), SPOT[self.glued]
        return Words(
            "`{typed}` can mean {spot} too. Type `{key} {amount}`, or `{other}` and its amount.",
            typed=f"{key}{self.amount}",
            spot=Words(other.label),
            key=key,
            amount=self.amount,
            other=other.key,
        )


class Group(Struct, frozen=True):
    """The same wagers for each of these seats."""

    seats: tuple[int, ...]
    wagers: tuple[Wager, ...]


class Bets(Act, frozen=True):
    """Bets: those of the groups, and for `same` seats what they bet last.

    With `everybody`, all seats that the line does not name bet as in the last coup. Groups come
    last: they replace what was repeated on their spot.
    """

    groups: tuple[Group, ...] = ()
    same: tuple[int, ...] = ()
    everybody: bool = False

    @property
    def repeats(self) -> bool:
        """Whether it repeats bets of an earlier coup."""
        return self.everybody or bool(self.same)

    @property
    def wagers(self) -> Iterator[tuple[int, Wager]]:
        """The wagers of the groups, seat by seat."""
        for group in self.groups:
            for seat in group.seats:
                for wager in group.wagers:
                    yield seat, wager

    @property
    def words(self) -> str:
        """`= 3 = 1-4 b 100 t 25`: seats after the bare sign, groups last."""
        bare = ["="] if self.everybody else []
        same = [f"{seats_text(self.same)} ="] if self.same else []
        return " ".join([*bare, *same, *(_group(each) for each in self.groups)])


def _group(group: Group) -> str:
    laid = " ".join(f"{key_of(wager.spot)} {wager.amount}" for wager in group.wagers)
    return f"{seats_text(group.seats)} {laid}"


class TakeBack(Act, frozen=True):
    """These seats take back what they have on a spot; without a spot, all they have."""

    seats: tuple[int, ...]
    spot: str = ""

    @property
    def words(self) -> str:
        """`3 b -`."""
        return f"{seats_text(self.seats)}{f' {key_of(self.spot)}' if self.spot else ''} -"


class Undo(Act, frozen=True):
    """The bet that was entered last is taken back."""

    words = "u"


class NoMoreBets(Act, frozen=True):
    """Betting closes."""

    words = "n"


class Cards(Act, frozen=True):
    """Cards in deal order; with `settle` the last ends the coup."""

    cards: tuple[str, ...]
    settle: bool = False

    @property
    def words(self) -> str:
        """`9c5s7cqd s`."""
        return "".join(self.cards).lower() + (" s" if self.settle else "")


class Drawn(Act, frozen=True):
    """So many cards from a generated shoe; with `settle` the last ends the coup."""

    count: int
    settle: bool = False

    @property
    def words(self) -> str:
        """`dddd s`."""
        return "d" * self.count + (" s" if self.settle else "")


class Settle(Act, frozen=True):
    """Every bet is paid or taken; `paid`: what a chip reader saw paid, by seat."""

    paid: tuple[tuple[int, str], ...] = ()

    @property
    def words(self) -> str:
        """`s 3=195`."""
        return " ".join(["s", *(f"{seat}={amount}" for seat, amount in self.paid)])


class Collect(Act, frozen=True):
    """What seats, or a patron, owe is paid; without an amount all of it."""

    seats: tuple[int, ...] = ()
    patron: str = ""
    amount: str = ""

    @property
    def words(self) -> str:
        """`c 3 100`."""
        who = name_text(self.patron) if self.patron else seats_text(self.seats)
        return f"c {who} {self.amount}".rstrip()


class SignOff(Act, frozen=True):
    """Whoever is signed on here signs off, and the next one signs on."""

    words = "off"


class Late(Act, frozen=True):
    """What follows happened at this time of day, and is entered late; without a time: now again."""

    time: str = ""

    @property
    def words(self) -> str:
        """`late 20:14`."""
        return f"late {self.time or 'off'}"


class WhoOwes(Act, frozen=True):
    """Asks who owes commission."""

    words = "c"


class WhatTray(Act, frozen=True):
    """Asks what the tray should hold."""

    words = "tray"


class Reveal(Act, frozen=True):
    """A hand that is face down is turned, or its card of that number."""

    hand: Hand
    n: int | None = None

    @property
    def words(self) -> str:
        """`r p 3`."""
        return f"r {key_of(self.hand)}{f' {self.n}' if self.n else ''}"


class Void(Act, frozen=True):
    """Every wager of a coup is returned; without an address: of the one in play, or the last."""

    reason: str
    coup: str = ""

    @property
    def words(self) -> str:
        """`void a torn card`."""
        return spaced("void", self.coup, reason_text(self.reason))


class Correct(Act, frozen=True):
    """A bet is paid a different amount: `to` in all, as on another spot, or by the cards.

    `stake`: what really lay there.
    """

    seat: int
    spot: str
    reason: str
    to: str = ""
    as_spot: str = ""
    stake: str = ""
    coup: str = ""

    @property
    def words(self) -> str:
        """`correct 3 b 500 a chip fell`."""
        rightly = f"as {key_of(self.as_spot)}" if self.as_spot else self.to
        if self.stake:
            rightly = f"stake {self.stake}"
        wager = f"{self.seat} {key_of(self.spot)}"
        return spaced("correct", self.coup, wager, rightly, reason_text(self.reason))


class CorrectCard(Act, frozen=True):
    """A card was another one; `after`: cards typed after it stay, or were untyped.

    `then`: the cards on the felt after those of a settled coup, which were never typed.
    """

    n: int
    card: str
    reason: str
    after: str = ""
    coup: str = ""
    then: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """`card 6 = 5h read as a six`."""
        rightly = f"{self.n} = {self.card.lower()}"
        then = " ".join(["then", *self.then]).lower() if self.then else ""
        return spaced("card", self.coup, rightly, self.after, then, reason_text(self.reason))


class Yes(Act, frozen=True):
    """What was asked about is right."""

    words = "y"


class LetGo(Act, frozen=True):
    """Commission written off, wholly or in part; without an amount all that is owed."""

    how: Literal["waive", "walked"]
    reason: str
    seat: int | None = None
    patron: str = ""
    amount: str = ""

    @property
    def words(self) -> str:
        """`waive 3 100 a good guest`."""
        who = name_text(self.patron) if self.seat is None else str(self.seat)
        return spaced(self.how, who, self.amount, reason_text(self.reason))


class Limits(Act, frozen=True):
    """The limits of a spot, or of the main wagers, from the next coup on."""

    minimum: str
    maximum: str
    spot: str = "main"

    @property
    def words(self) -> str:
        """`limits b 25 10000`."""
        return spaced(
            "limits", "" if self.spot == "main" else key_of(self.spot), self.minimum, self.maximum
        )


class Misdraw(Act, frozen=True):
    """A card came when none was due; without a disposition that of the rule set."""

    card: str
    disposition: str = ""

    @property
    def words(self) -> str:
        """`misdraw 9h burn`."""
        return spaced("misdraw", self.card.lower(), self.disposition)


class ColourChange(Act, frozen=True):
    """Chips for chips of the same worth: denomination and count, into the tray and out of it."""

    taken: tuple[tuple[str, int], ...]
    given: tuple[tuple[str, int], ...]

    @property
    def words(self) -> str:
        """`colour 5=20 for 100=1`."""
        taken, given = (
            " ".join(f"{chip}={count}" for chip, count in chips)
            for chips in (self.taken, self.given)
        )
        return f"colour {taken} for {given}"


class Help(Act, frozen=True):
    """Asks what can be typed here, or about a topic."""

    topic: str = ""

    @property
    def words(self) -> str:
        """`? bet`."""
        return spaced("?", self.topic)


class Objection(Act, frozen=True):
    """In training: that is wrong."""

    claim: str = ""

    @property
    def words(self) -> str:
        """`! the Tie was not paid`."""
        return spaced("!", self.claim)


class Spoken(Act, frozen=True):
    """A command of the feed in its one-shot form, without the table or the coup."""

    name: str
    arguments: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """`load 8 --serials K-1`."""
        return spaced(SHORTEST[self.name], " ".join(map(word_text, self.arguments)))
