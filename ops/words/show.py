"""The look of cards, money and outcomes. Colour never carries a meaning alone."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from domain.rules.cards import symbol
from domain.rules.money import decimal_string, digits, major
from domain.rules.wording import N_, Amount, Number, Words, counted, listed
from ops.words import language
from ops.words.event_values import separated
from ops.words.terms import spot_called

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from domain.events.slip_book import Slip

__all__ = [
    "FACE_DOWN",
    "STYLES",
    "card_text",
    "chips",
    "chips_words",
    "console",
    "count",
    "cut_card_words",
]
__all__ += [
    "disagreement_words",
    "due_words",
    "exactly",
    "lost_words",
    "lying",
    "missing_words",
    "outcome_words",
]
__all__ += ["readjudicated_words", "slip_words", "span", "spot_called", "whole"]

RESTORED = "The house's record was restored"  # so begins what a terminal says that compared it
MISTAKEN = N_("The house server made a mistake; its log says where. Look before you type it again.")
FACE_DOWN = "▒▒"
STYLES = {"banker": "bold red", "player": "bold blue", "tie": "bold green"}
# The end of a cause, before advice begins: in Sabot's own text, and in libpq's.
_FURTHER = re.compile(r"\. | Is the server running | This probably means ")


def console(*, err: bool = False) -> "Console":
    """The terminal, which respects NO_COLOR and pipes, and is 80 columns wide by default.

    No text is taken for markup or emoji.
    """
    from rich.console import Console

    return Console(stderr=err, highlight=False, markup=False, emoji=False)


def card_text(card: str) -> "Text":
    """A card as on the layout: red suits red, black suits in the terminal's colour."""
    from rich.text import Text

    return Text(symbol(card), style="red" if card[1] in "DH" else "")


def lying(cards: "Iterable[str | None]") -> "Text":
    """Cards beside each other; None is a card face down."""
    from rich.text import Text

    return Text(" ").join(card_text(card) if card else Text(FACE_DOWN) for card in cards)


def plain(text: str) -> str:
    """A text of the house without backquotes around what is to be typed, as on paper."""
    return text.replace("`", "")


def lost_words(why: str) -> Words:
    """The words on every screen while the ledger is out of reach.

    Only the cause, in few words: `sabot db status` shows where to look and what to do.

    >>> lost_words("PostgreSQL did not start. The end of /data/server.log says why: out of memory")
    'The ledger cannot be reached: PostgreSQL did not start.'
    >>> lost_words('connection to server at "db", port 5432 failed: Connection refused Is the '
    ...            "server running on that host and accepting TCP/IP connections")
    'The ledger cannot be reached: Connection refused.'
    """
    if f"{why}." == MISTAKEN:
        return Words(MISTAKEN)
    if why.startswith(RESTORED):
        return Words("{why}", why=why)
    first = _FURTHER.split(why, maxsplit=1)[0]
    return Words("The ledger cannot be reached: {why}.", why=first.rpartition("failed: ")[2])


def outcome_words(outcome: str, player_total: int, banker_total: int) -> Words:
    """What the dealer calls: `Player wins, 6 to 4`."""
    if outcome == "tie":
        return Words("Tie, {player} to {banker}", player=player_total, banker=banker_total)
    if outcome == "player":
        return Words("Player wins, {most} to {least}", most=player_total, least=banker_total)
    return Words("Banker wins, {most} to {least}", most=banker_total, least=player_total)


def count(number: int, noun: str) -> str:
    """`1 coup`, `17 coups`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def missing_words(cards: int) -> Words:
    """The words for the cards that a shoe lacks; below 0: for the cards too many."""
    if cards == 0:
        return Words("none is missing")
    if cards > 0:
        return counted(cards, "{n} card missing", "{n} cards missing")
    return counted(-cards, "{n} card too many", "{n} cards too many")


def cut_card_words(coups: int) -> Words:
    """The words for the coups up to the cut card, roughly."""
    if not coups:
        return Words("the cut card is due now")
    return counted(coups, "cut card in about {n} coup", "cut card in about {n} coups")


def chips(amount: int, currency: str) -> str:
    """An amount, without minor units if they are zero: `1,000`, `12.50`."""
    return language.amount(amount, currency, short=True)


def span(limits: Sequence[int], currency: str) -> Words:
    """The words for a range, from the least to the most: `25–10,000`."""
    short = _are_whole(limits, currency)
    least, most = (Amount(each, currency, short=short) for each in limits)
    return Words("{least}–{most}", least=least, most=most)


def whole(amounts: Sequence[int], currency: str, *, signed: bool = False) -> list[str]:
    """The amounts of a column, without minor units if all of them are whole."""
    short = _are_whole(amounts, currency)
    texts = [language.amount(abs(each), currency, short=short) for each in amounts]
    signs = [("−" if n < 0 else "+" if signed and n else "") for n in amounts]
    return [sign + text for sign, text in zip(signs, texts, strict=True)]


def _are_whole(amounts: Iterable[int], currency: str) -> bool:
    return all(amount % 10 ** digits(currency) == 0 for amount in amounts)


def chips_words(held: Mapping[str, int], currency: str) -> Words:
    """Chips by denomination, the largest first: `20 of 100, 40 of 25`."""
    denominations = sorted((int(each) for each in held if held[each]), reverse=True)
    return listed(
        [
            Words(
                "{count} of {chip}",
                count=Number(held[str(each)]),
                chip=Amount(each, currency, short=True),
            )
            for each in denominations
        ],
        N_("{some}, {last}"),
    )


def each_chips_words(held: Mapping[str, int], currency: str) -> Words:
    """Chips by denomination for whoever reads no more: `20 chips of 100, 1 chip of 25`."""
    denominations = sorted((int(each) for each in held if held[each]), reverse=True)
    return listed(
        [
            counted(
                held[str(each)],
                "{n} chip of {chip}",
                "{n} chips of {chip}",
                chip=Amount(each, currency, short=True),
            )
            for each in denominations
        ],
        N_("{some}, {last}"),
    )


def slip_words(serial: str, slip: "Slip", currency: str) -> Words:
    """The slip in words, for the person who counts its chips.

    As in `Fill 2026-000017 of 500.00: 5 of 100.`, with the people who issued and carried it.
    """
    of = {
        "slip": serial,
        "amount": Amount(slip.worth, currency),
        "chips": chips_words(slip.chips, currency),
    }
    what = (
        Words("Fill {slip} of {amount}: {chips}.", **of)
        if slip.kind == "fill"
        else Words("Credit {slip} of {amount}: {chips}.", **of)
    )
    people = {step: who or Words("a person not named") for step, who in slip.people.items()}
    if "carried" in people:
        issued, carried = people.get("issued", ""), people["carried"]
        then = Words("Issued by {issued}, carried by {carried}.", issued=issued, carried=carried)
    elif "issued" in people:
        then = Words("Issued by {issued}.", issued=people["issued"])
    else:
        then = Words("Not issued yet.")
    return Words("{first} {then}", first=what, then=then)


def exactly(minor_units: Fraction, currency: str) -> str:
    """An amount that was not rounded, with all its digits."""
    if minor_units.denominator == 1:
        return major(int(minor_units), currency)
    return decimal_string(minor_units / 10 ** digits(currency))


def disagreement_words(disagreements: Iterable[Mapping[str, object]]) -> Words:
    """The words for each line in which a record differs from today's rules."""
    return separated(
        Words(
            "{what}: {recorded} on record, {adjudicated} by today's rules",
            what=each["what"],
            recorded=each["recorded"],
            adjudicated=each["adjudicated"],
        )
        for each in disagreements
    )


def readjudicated_words(body: Mapping[str, Any]) -> Words:
    """The words for the result of a coup that was adjudicated again."""
    if body["agrees"]:
        return Words("The record agrees with today's rules.")
    if body["events"]:
        return Words("It is now among the exceptions.")
    lines = disagreement_words(body["disagreements"])
    return Words("It was among the exceptions already: {lines}.", lines=lines)


def due_words(due: dict[str, str] | None) -> Words:
    """The words for what the table must do next."""
    if due is None:
        return Words("Nothing is due.")
    rule = due["rule"]
    if due["action"] in ("draw", "reveal"):
        hand = spot_called(due["hand"])
        if due["action"] == "draw":
            return Words("Next: a card for {hand} ({rule}).", hand=hand, rule=rule)
        return Words("Next: turn the {hand} hand ({rule}).", hand=hand, rule=rule)
    return Words("Next: {command} ({rule}).", command=due["action"].replace(".", " "), rule=rule)
