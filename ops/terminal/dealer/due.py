"""What is to be done now, in the floor's words: what the eye must find first."""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from domain.aggregates.due import NextAct
from domain.aggregates.shoe import SOON
from domain.rules.cards import symbol
from domain.rules.money import major
from ops.terminal.dealer.prompts import RULES_ARE, opening_line
from ops.terminal.dealer.table_now import CoupNow, TableNow
from ops.words.show import count, cut_card_words

Tone = Literal["player", "banker", "tie", "act", "alarm", "quiet"]
# What F7 begins, by what is due. It is said at once where it needs no further word.
SHOE_LINES = {
    "shoe.load": "load ",
    "shoe.inspect": "inspect",
    "shoe.shuffle": "shuffle ",
    "shoe.cut": "cut ",
    "shoe.burn": "burn ",
    "shoe.end": "end",
}


class Told(Struct, frozen=True):
    """`headline` large, by which rule; below it why, how, and what else must be known.

    What is done by another rule than the headline stands by has its own, `how_rule`.
    `tone`: whose colour it has; `alarm`: the game stands; `quiet`: nothing is done now.
    """

    headline: str
    tone: Tone
    rule: str = ""
    why: tuple[str, ...] = ()
    how: str = ""
    notes: tuple[str, ...] = ()  # what nobody may miss
    near: tuple[str, ...] = ()  # what the head of the screen says too
    how_rule: str = ""


def told(now: TableNow) -> Told:
    """Every state of a table has its words."""
    if now.asked:
        return Told(now.asked.headline, "act", why=now.asked.words, how=now.asked.how)
    if now.due is None:
        return _closed(now)
    say = _ACTS[now.due.action]
    headline, tone, why, how = say(now)
    notes, near = tuple(_notes(now)), tuple(_near(now))
    rule = _headline_rule(now.due, now.coup)
    how_rule = now.due.rule if rule != now.due.rule else ""
    return Told(headline, tone, rule, why, how, notes, near, how_rule)


def _closed(now: TableNow) -> Told:
    if not now.read:
        return Told("NOTHING READ YET", "quiet")
    if now.day is None:
        return Told("NOT OPENED YET", "quiet", why=(f"Type `{opening_line(now)}`.", RULES_ARE))
    return Told("TABLE CLOSED", "quiet", why=(f"Gaming day {now.day} is over here.",))


def _headline_rule(due: NextAct, coup: CoupNow | None) -> str:
    """A result has its own."""
    return "R-WIN-1" if due.action == "settle" and coup else due.rule


def _notes(now: TableNow) -> Iterator[str]:
    shoe, coup = now.shoe, now.coup
    if now.held_by and now.due and now.due.action != "dispute.decide":
        yield f"Held by {' and '.join(now.held_by)} (R-IRR-5)."
    if shoe is None or not shoe.ready:
        return
    if coup and coup.dummy and not coup.over:
        yield "A dummy coup: it takes no bets."
    if shoe.waiting:
        cards = " ".join(symbol(card) for card in shoe.waiting)
        yield f"{cards} {'waits' if len(shoe.waiting) == 1 else 'wait'} for the next coup."
    if shoe.holder != "dealer":
        yield f"The shoe is with {shoe.holder}."


def _near(now: TableNow) -> Iterator[str]:
    """How soon the shoe ends."""
    shoe, number = now.shoe, now.coup.number if now.coup else 0
    if shoe is None or not shoe.ready:
        return
    if shoe.last_coup is not None and number < shoe.last_coup:
        yield f"The cut card shows: coup {shoe.last_coup} is the last."
    elif shoe.last_coup is not None and number == shoe.last_coup:
        yield "The cut card shows: this coup is the last."
    elif shoe.coups_to_cut_card is not None and shoe.coups_to_cut_card <= SOON:
        words = cut_card_words(shoe.coups_to_cut_card)
        yield f"{words[0].upper()}{words[1:]}."


Words = tuple[str, Tone, tuple[str, ...], str]


def _bet(now: TableNow) -> Words:
    coup = now.coup
    if coup and coup.phase == "betting":  # it cannot be closed so
        if now.due and now.due.rule == "R-BET-4":
            return "LEVEL THE BETS", "alarm", ("Player and Banker are too far apart.",), ""
        return "MEND THE BETS", "alarm", ("A wager is outside its limits.",), "raise it, or u"
    why = (_over(coup, now.currency),) if coup and coup.over else ()
    return "PLACE YOUR BETS", "act", why, "seat, spot, amount: 3 b 500"


def _over(coup: CoupNow, currency: str) -> str:
    """How the coup before ended."""
    if coup.phase == "voided":
        gave, took = (major(each, currency) for each in (coup.gave_back, coup.took_back))
        back = [f"{gave} goes back"] if coup.gave_back else []
        back += [f"{took} comes from who was paid"] if coup.took_back else []
        return f"Coup {coup.number} is void{': ' if back else ''}{', '.join(back)}."
    natural = ", a natural" if coup.natural else ""
    result = f"{_called(coup, 'won,')} {_totals(coup)}" if coup.outcome else "over"
    return f"Coup {coup.number} settled: {result}{natural}."


def _called(coup: CoupNow, won: str) -> str:
    """`Player won,`; a tie is won by nobody."""
    assert coup.outcome is not None
    return "Tie," if coup.outcome == "tie" else f"{coup.outcome.title()} {won}"


def _totals(coup: CoupNow) -> str:
    """The winner's first."""
    totals = sorted((coup.player.total or 0, coup.banker.total or 0), reverse=True)
    return " to ".join(map(str, totals))


def _no_more_bets(now: TableNow) -> Words:
    how = "n no more bets" if now.shoe and now.shoe.generated else "n no more bets, or a card"
    return "BETS ARE OPEN", "act", (), how


def _draw(now: TableNow) -> Words:
    assert now.due is not None
    assert now.coup is not None
    hand: Tone = "player" if now.due.hand == "player" else "banker"
    how = "the shoe deals it" if now.shoe and now.shoe.generated else _typed_how(now)
    if now.due.rule == "R-DEAL-1":
        nth = len(getattr(now.coup, hand).cards) + 1
        why = (f"{('First', 'Second')[nth - 1]} card.", *_told_by_shoe(now))
        return f"{hand.upper()} CARD", hand, why, how
    drawn = tuple(f"{step.why}." for step in now.coup.steps if step.position == f"{hand}-third")
    return f"{hand.upper()} DRAWS", hand, drawn, how


def _typed_how(now: TableNow) -> str:
    """What lies face down is typed when it is turned; a third card lies open but in a squeeze."""
    assert now.rules is not None
    assert now.due is not None
    first_four = now.due.rule == "R-DEAL-1" and now.rules.dealing == "face-down"
    face_down = first_four or now.rules.dealing == "squeeze"
    return "type it when turned: 9h" if face_down else "type the card: 9h"


def _told_by_shoe(now: TableNow) -> Iterator[str]:
    if now.rules and now.rules.dealing == "squeeze" and not (now.shoe and now.shoe.generated):
        yield "Or leave it to a reading shoe."


def _settle(now: TableNow) -> Words:
    coup = now.coup
    assert coup is not None
    assert coup.outcome is not None
    headline = f"{_called(coup, 'wins').rstrip(',').upper()} {_totals(coup)}"
    if coup.natural:
        return headline, coup.outcome, ("A natural: no third cards.",), "s settles"
    return headline, coup.outcome, tuple(f"{step.why}." for step in coup.steps), "s settles"


def _reveal(now: TableNow) -> Words:
    """Whose hand is turned next; a third card, or `s`, turns what is left."""
    assert now.coup is not None
    whose = " and ".join(hand.title() for hand in now.coup.face_down)
    keys = ", ".join(f"r {hand[0]}" for hand in now.coup.face_down)
    how = f"{keys}; s turns the rest"
    return "TURN THE CARDS", "act", (f"Face down: {whose}.", *_holding(now.coup)), how


def _holding(coup: CoupNow) -> Iterator[str]:
    """Who looks at which hand in a squeeze."""
    for hand, seat in coup.holds:
        yield f"{seat.capitalize()} has the {hand.title()} hand."


def _void(now: TableNow) -> Words:
    return "VOID THE COUP", "alarm", ("It can only be voided.",), "F8 supervisor, then void"


def _held(now: TableNow) -> Words:
    why = (f"No further coup before {' and '.join(now.held_by)} is decided.",)
    return "TABLE HELD", "alarm", why, "call the supervisor"


def _collect(now: TableNow) -> Words:
    owing = len(now.owing)
    why = (f"{count(owing, 'patron')} {'owes' if owing == 1 else 'owe'}"
           f" {major(now.owed, now.currency)} {now.currency}.",)  # fmt: skip
    return "COLLECT COMMISSION", "act", ("The last coup is over.", *why), "c 3 collects of seat 3"


def _shoe(headline: str, why: str = "") -> Callable[[TableNow], Words]:
    return lambda now: (headline, "act", (why,) if why else (), _by_f7(now))


def shoe_line(now: TableNow) -> str | None:
    """What is due for the shoe as a line, with a space behind it when it needs further words."""
    if now.due and now.due.action in SHOE_LINES:
        return SHOE_LINES[now.due.action]
    shoe = now.shoe
    if shoe and shoe.ready and shoe.to_cut_card is not None and not now.closed:
        return "cut-card "
    return None


def _by_f7(now: TableNow) -> str:
    line = shoe_line(now)
    return "F7 begins the line" if line and line.endswith(" ") else "F7 does it"


_ACTS: Mapping[str, Callable[[TableNow], Words]] = {
    "shoe.load": _shoe("LOAD A SHOE", "No shoe is on the table."),
    "shoe.inspect": _shoe("INSPECT THE SHOE", "The shoe is loaded."),
    "shoe.shuffle": _shoe("SHUFFLE THE SHOE", "The shoe is inspected."),
    "shoe.cut": _shoe("CUT THE SHOE", "The shoe is shuffled."),
    "shoe.burn": _shoe("BURN FIRST CARD", "The shoe is cut."),
    "shoe.end": _shoe("END THE SHOE", "The last coup is over, and no commission is owed."),
    "bet": _bet,
    "no-more-bets": _no_more_bets,
    "draw": _draw,
    "reveal": _reveal,
    "settle": _settle,
    "void": _void,
    "open": lambda _: ("DEAL A DUMMY COUP", "act", ("It takes no bets.",), "type the first card"),
    "dispute.decide": _held,
    "commission.collect": _collect,
}
