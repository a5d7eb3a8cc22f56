"""One shoe: how it falls, and each of its coups."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import ClassVar

from rich.text import Text

from domain.money import major
from ops import show
from ops.board import Row
from ops.board_lines import cut
from ops.board_words import count
from ops.road_text import big_road, counted
from ops.terminal.pit.books import Books, ShoeBook
from ops.terminal.pit.coup_view import CoupView
from ops.terminal.pit.look import NEEDS, QUIET, TITLE
from ops.terminal.pit.sheet import listed, padded, titled
from ops.terminal.pit.sight import Sight
from ops.terminal.pit.view import READING, Hint, View

FACE_DOWN = "▒▒"
HAND = 9  # cells of three cards


class ShoeView(View):
    """Of any day."""

    hints: ClassVar[tuple[Hint, ...]] = (
        *(("Enter", "coup"), ("/", "filter"), ("!", "exceptions")),
        ("Esc", "back"),
    )
    reads = True
    listed = "coups"
    book: ShoeBook | None

    def __init__(self, shoe: str, currency: str) -> None:
        super().__init__()
        self.shoe = shoe
        self.currency = currency
        self.crumb = f"shoe {shoe.rpartition('/')[2]}"

    def read(self, books: Books, sight: Sight) -> ShoeBook:
        """The shoe."""
        return books.shoe(self.shoe)

    def keys(self, sight: Sight) -> Sequence[str]:
        """The coups, the newest first."""
        return [
            each["coup"]
            for each in (self.book.coups if self.book else ())
            if self.sieve.lets(_haystack(each), needs=bool(each["exceptions"]))
        ]

    def into(self, sight: Sight) -> View | None:
        """The coup."""
        coup = self.selected(sight)
        return CoupView(coup) if coup else None

    def draw(self, sight: Sight, width: int, height: int) -> list[Text]:
        """The big road, and below it the coups."""
        if self.book is None:
            return padded([Text(), Text(f"  {self.why or READING}", QUIET)], height)
        road = list(_road(self.book, self.shoe, width))
        keys = self.keys(sight)
        if not keys:
            return padded([*road, Text(f"  {self.empty}", QUIET)], height)
        by_coup = {each["coup"]: each for each in self.book.coups}
        amounts = _Amounts(self.book.coups, self.currency)

        def lines_of(key: str) -> list[Text]:
            return [cut(_coup(by_coup[key], amounts, sight), width)]

        some = listed(keys, self.selected(sight), lines_of, height - len(road) - 1)
        return padded([*road, _titles(amounts), *some], height)


class _Amounts:
    """What was staked and paid, as wide as the widest of them."""

    def __init__(self, coups: list[Row], currency: str) -> None:
        self.staked = {each["coup"]: _amount(each["staked"], currency) for each in coups}
        self.paid = {each["coup"]: _paid(each, currency) for each in coups}
        self.width = max(map(len, ("staked", *self.staked.values(), *self.paid.values())))


def _amount(amount: int, currency: str) -> str:
    return major(amount, currency) if amount else "·"


def _paid(coup: Row, currency: str) -> str:
    return _amount(coup["paid"], currency) if coup["phase"] == "settled" else "·"


def _road(book: ShoeBook, shoe: str, width: int) -> Iterator[Text]:
    """What it is, and how it fell so far."""
    log = book.log or {}
    ended = log.get("ended_why")
    parts = (
        Text(shoe, TITLE),
        f"{log.get('decks', '·')} decks, shuffled by {log.get('shuffle_method') or '·'}",
        count(len(book.coups), "coup"),
        f"ended: {ended}" if ended else "in play",
    )
    line = Text(" ") + Text(" · ").join(Text(p) if isinstance(p, str) else p for p in parts)
    yield cut(line.append("   ").append_text(counted(book.roads)), width)
    if book.roads.big_road:
        drawn = big_road(book.roads.big_road, width - 2)
        yield titled("Big road", width, drawn.cut)
        yield from (Text("  ") + each for each in drawn.lines)


def _titles(amounts: _Amounts) -> Text:
    side = f"{'Player':<{HAND + 3}} {'Banker':<{HAND + 3}}"
    staked, paid = (f"{each:>{amounts.width}}" for each in ("staked", "paid"))
    return Text(f"  coup  time      {side} outcome   {staked}  {paid}", TITLE)


def _coup(coup: Row, amounts: _Amounts, sight: Sight) -> Text:
    """One coup on one line; what was out of the ordinary is marked, and told at its end."""
    at = datetime.fromisoformat(coup["opened_at"]).astimezone(sight.seen.at.tzinfo)
    noted = bool(coup["exceptions"])
    line = Text.assemble(
        " ",
        ("!" if noted else " ", NEEDS),
        f"{coup['coup'].rpartition('/')[2]:>4}  {at:%H:%M:%S}  ",
        _hand(coup, "player"),
        _hand(coup, "banker"),
    )
    outcome = coup["outcome"]
    words = coup["phase"] if outcome is None or coup["phase"] == "voided" else outcome.title()
    natural = " nat." if outcome and coup["natural"] and coup["phase"] != "voided" else ""
    told = Text(f"{words}{natural}", show.STYLES.get(outcome, "") if words != "voided" else NEEDS)
    told.truncate(11, pad=True)
    money = (amounts.staked, amounts.paid)
    staked, paid = (f"{each[coup['coup']]:>{amounts.width}}" for each in money)
    line.append_text(told).append(f"{staked}  {paid}")
    return line.append(f"   {_kinds(coup)}", NEEDS) if noted else line


def _hand(coup: Row, hand: str) -> Text:
    """Its cards, and what they come to when all lie open."""
    cards = [each["card"] for each in coup["cards"] if each["hand"] == hand]
    line = Text(" ").join(show.card_text(each) if each else Text(FACE_DOWN) for each in cards)
    line.truncate(HAND, pad=True)
    total = coup[f"{hand}_total"] if coup["outcome"] else None
    return line.append(f"{'' if total is None else total:>2}  ", TITLE)


def _kinds(coup: Row) -> str:
    return ", ".join(dict.fromkeys(each["kind"] for each in coup["exceptions"]))


def _haystack(coup: Row) -> str:
    number = coup["coup"].rpartition("/")[2]
    told = (coup["outcome"], coup["phase"], coup["dealer"], _kinds(coup), *sorted(coup["patrons"]))
    return " ".join(filter(None, (number, *told)))
