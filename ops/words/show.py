"""How things look to people: cards, money, outcomes. Colour never carries a meaning alone."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from domain.rules.cards import symbol
from domain.rules.money import decimal_string, digits, major
from domain.rules.spots import SPOT

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from domain.events.slip_book import Slip

FACE_DOWN = "▒▒"
STYLES = {"banker": "bold red", "player": "bold blue", "tie": "bold green"}
# Where a cause goes into what to look at: as Sabot says it, and as libpq does.
_FURTHER = re.compile(r"\. | Is the server running | This probably means ")


def console(*, err: bool = False) -> "Console":
    """The terminal; NO_COLOR and pipes are respected. 80 columns when it does not say.

    What people are called is shown as it was spoken: no word is taken for markup.
    """
    from rich.console import Console

    return Console(stderr=err, highlight=False, markup=False, emoji=False)


def card_text(card: str) -> "Text":
    """A card as on the layout: red suits red, black suits as the terminal writes."""
    from rich.text import Text

    return Text(symbol(card), style="red" if card[1] in "DH" else "")


def lying(cards: "Iterable[str | None]") -> "Text":
    """Cards as they lie beside each other; None lies face down."""
    from rich.text import Text

    return Text(" ").join(card_text(card) if card else Text(FACE_DOWN) for card in cards)


def lost_words(why: str) -> str:
    """What every screen says of a ledger that is out of reach, whatever else it says then.

    In few words: where to look and what to set right, `sabot db status` tells.

    >>> lost_words("PostgreSQL did not start. The end of /data/server.log says why: out of memory")
    'The ledger cannot be reached: PostgreSQL did not start.'
    >>> lost_words('connection to server at "db", port 5432 failed: Connection refused Is the '
    ...            "server running on that host and accepting TCP/IP connections")
    'The ledger cannot be reached: Connection refused.'
    """
    first = _FURTHER.split(why, maxsplit=1)[0]
    return f"The ledger cannot be reached: {first.rpartition('failed: ')[2]}."


def outcome_words(outcome: str, player_total: int, banker_total: int) -> str:
    """What the dealer calls: `Player wins, 6 to 4`."""
    if outcome == "tie":
        return f"Tie, {player_total} to {banker_total}"
    totals = (player_total, banker_total)
    return f"{outcome.title()} wins, {max(totals)} to {min(totals)}"


def spot_called(spot: str) -> str:
    """As a page would say it; one that somebody made up as it stands."""
    return SPOT[spot].label if spot in SPOT else spot


def count(number: int, noun: str) -> str:
    """`1 coup`, `17 coups`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def missing_words(cards: int) -> str:
    """How many cards a shoe lacks; less than 0: it has too many."""
    if cards == 0:
        return "none is missing"
    return f"{count(cards, 'card')} missing" if cards > 0 else f"{count(-cards, 'card')} too many"


def cut_card_words(coups: int) -> str:
    """How far off it is, about."""
    return f"cut card in about {count(coups, 'coup')}" if coups else "the cut card is due now"


def chips(amount: int, currency: str) -> str:
    """An amount without minor units where it has none: `1,000`, `12.50`."""
    (said,) = whole([amount], currency)
    return said


def span(limits: Sequence[int], currency: str) -> str:
    """From the least to the most: `25–10,000`."""
    return "–".join(whole(limits, currency))


def whole(amounts: Sequence[int], currency: str, *, signed: bool = False) -> list[str]:
    """Amounts of one column, without minor units where none has any."""
    places = digits(currency)
    rounded = all(amount % 10**places == 0 for amount in amounts)
    said = [major(abs(amount), currency) for amount in amounts]
    if rounded and places:
        said = [each[: -places - 1] for each in said]
    signs = [("−" if n < 0 else "+" if signed and n else "") for n in amounts]
    return [sign + each for sign, each in zip(signs, said, strict=True)]


def chips_words(held: Mapping[str, int], currency: str) -> str:
    """Chips by denomination, the largest first: `20 of 100, 40 of 25`."""
    some = sorted((int(each) for each in held if held[each]), reverse=True)
    return ", ".join(f"{held[str(each)]:,} of {chips(each, currency)}" for each in some)


def slip_words(serial: str, slip: "Slip", currency: str) -> str:
    """What a slip is about, for whoever counts its chips: `Fill 2026-000017 of 500.00: 5 of 100.`.

    With who issued and who carried it, as far as somebody did.
    """
    what = f"{slip.kind.title()} {serial} of {major(slip.worth, currency)}"
    taken = [
        f"{step} by {slip.people[step] or 'nobody who is named'}"
        for step in ("issued", "carried")
        if step in slip.people
    ]
    by = ", ".join(taken) or "not issued yet"
    return f"{what}: {chips_words(slip.chips, currency)}. {by[0].upper()}{by[1:]}."


def exactly(minor_units: Fraction, currency: str) -> str:
    """An amount that was not rounded, with as many places as it has."""
    if minor_units.denominator == 1:
        return major(int(minor_units), currency)
    return decimal_string(minor_units / 10 ** digits(currency))


def disagreement_words(disagreements: Iterable[Mapping[str, object]]) -> str:
    """Each line in which a record differs from what today's code says, as it was told."""
    return "; ".join(
        f"{each['what']}: {each['recorded']} on record, {each['adjudicated']} by today's rules"
        for each in disagreements
    )


def readjudicated_words(body: Mapping[str, Any]) -> str:
    """What came of a coup that was adjudicated again."""
    if body["agrees"]:
        return "The record agrees with today's rules."
    if body["events"]:
        return "It is among the exceptions."
    return f"It was among the exceptions: {disagreement_words(body['disagreements'])}."


def due_words(due: dict[str, str] | None) -> str:
    """What the table must do next."""
    if due is None:
        return "Nothing is due."
    if due["action"] == "draw":
        return f"Next: a card for {due['hand'].title()} ({due['rule']})."
    if due["action"] == "reveal":
        return f"Next: turn the {due['hand'].title()} hand ({due['rule']})."
    return f"Next: {due['action'].replace('.', ' ')} ({due['rule']})."
