"""How things look to people: cards, money, outcomes. Colour never carries a meaning alone."""

from typing import TYPE_CHECKING, Any

from domain.cards import symbol
from domain.money import major

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

STYLES = {"banker": "bold red", "player": "bold blue", "tie": "bold green"}
MONEY = {
    *("amount", "stake", "stakes", "paid", "winnings", "charged", "stated", "owed"),
    *("opener_total", "closer_total", "commission_charged"),
}


def console(*, err: bool = False) -> "Console":
    """The terminal; NO_COLOR and pipes are respected. 80 columns when it does not say."""
    from rich.console import Console

    return Console(stderr=err, highlight=False)


def card_text(card: str) -> "Text":
    """A card as on the layout: red suits red, black suits as the terminal writes."""
    from rich.text import Text

    return Text(symbol(card), style="red" if card[1] in "DH" else "")


def outcome_words(outcome: str, player_total: int, banker_total: int) -> str:
    """What the dealer calls: `Player wins, 6 to 4`."""
    if outcome == "tie":
        return f"Tie, {player_total} to {banker_total}"
    totals = (player_total, banker_total)
    return f"{outcome.title()} wins, {max(totals)} to {min(totals)}"


def fact_words(fact: dict[str, Any], currency: str) -> str:
    """One fact of an answer on one line."""
    told = [
        f"{name} {_value(name, value, currency)}"
        for name, value in fact.items()
        if name != "type" and isinstance(value, int | str) and value not in ("", False)
    ]
    return " · ".join([fact["type"], *told])


def _value(name: str, value: int | str, currency: str) -> int | str:
    return major(value, currency) if name in MONEY and isinstance(value, int) else value


def due_words(due: dict[str, str] | None) -> str:
    """What the table must do next."""
    if due is None:
        return "Nothing is due."
    if due["action"] == "draw":
        return f"Next: a card for {due['hand'].title()} ({due['rule']})."
    return f"Next: {due['action']} ({due['rule']})."
