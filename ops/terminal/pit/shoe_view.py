"""The page of one shoe: its roads, and each of its coups."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import ClassVar

from rich.text import Text

from ops.board.lines import WIDE, WIDER, WIDEST
from ops.kit.colours import ALARM, LABEL, TITLE
from ops.kit.key_bar import Hint
from ops.kit.lines import beside, cut, ends, fitted, joined, padded
from ops.now.books import Books, CoupLine, ShoeBook
from ops.roads.text import NAMES, big_road, counted, derived
from ops.terminal.pit.coup_view import CoupView
from ops.terminal.pit.sheet import listed, titled
from ops.terminal.pit.sight import Sight
from ops.terminal.pit.view import READING, View
from ops.words import show
from ops.words.show import count

DERIVED = 30  # cells for each road that is derived from the big one
HAND = 11  # cells of three cards


class ShoeView(View):
    """A shoe of any day."""

    hints: ClassVar[tuple[Hint, ...]] = (
        *(Hint("Enter", "coup"), Hint("/", "filter"), Hint("!", "exceptions")),
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
            each.coup
            for each in (self.book.coups if self.book else ())
            if self.sieve.lets(_haystack(each), needs=bool(each.exceptions))
        ]

    def into(self, sight: Sight) -> View | None:
        """The page of the selected coup."""
        coup = self.selected(sight)
        return CoupView(coup) if coup else None

    def draw(self, sight: Sight, width: int, height: int) -> list[Text]:
        """The big road, and below it the coups."""
        if self.book is None:
            return padded([Text(), Text(f"  {self.why or READING}", LABEL)], height)
        road = list(_road(self.book, self.shoe, width))
        keys = self.keys(sight)
        if not keys:
            return padded([*road, Text(f"  {self.empty}", LABEL)], height)
        by_coup = {each.coup: each for each in self.book.coups}
        amounts = _Amounts(self.book.coups, self.currency)

        def lines_of(key: str) -> list[Text]:
            return _coup_lines(by_coup[key], amounts, sight, width)

        some = listed(keys, self.selected(sight), lines_of, height - len(road) - 1)
        return padded([*road, _titles(amounts, width), *some], height)


class _Amounts:
    """The amounts staked and paid at each coup, as texts of one width."""

    def __init__(self, coups: list[CoupLine], currency: str) -> None:
        self.staked = _column(coups, [each.staked for each in coups], currency)
        paid = [each.paid if each.phase == "settled" else 0 for each in coups]
        self.paid = _column(coups, paid, currency)
        self.width = max(map(len, ("staked", *self.staked.values(), *self.paid.values())))


def _column(coups: list[CoupLine], amounts: list[int], currency: str) -> dict[str, str]:
    """The amounts as texts, by coup; a dot for nothing."""
    texts = show.whole(amounts, currency)
    return {
        coup.coup: words if amount else "·"
        for coup, amount, words in zip(coups, amounts, texts, strict=True)
    }


def _road(book: ShoeBook, shoe: str, width: int) -> Iterator[Text]:
    """The shoe's head and its roads."""
    log = book.log
    ended = log and log.ended_why
    how = f"ended: {ended}" if ended else "in play"
    line = joined((Text(shoe, TITLE), count(len(book.coups), "coup"), how))
    if log and log.difference:
        line.append(f" · {show.missing_words(log.difference)}", ALARM)
    yield ends(Text(" ") + line, counted(book.roads).append(" "), width)
    if book.roads.big_road:
        decks, method = (log.decks, log.shuffle_method) if log else ("·", None)
        made = f"{decks} decks, shuffled by {method or '·'}"
        across = width - len(book.roads.derived) * DERIVED if width >= WIDEST else width
        drawn = big_road(book.roads.big_road, across - 4)
        block = [titled("Big road", across, drawn.cut or made)]
        block += [Text("  ") + each for each in drawn.lines]
        for road, marks in book.roads.derived.items() if width >= WIDEST else ():
            beyond = derived(road, marks, DERIVED - 4)
            name = titled(NAMES[road], DERIVED, beyond.cut)
            beyond_it = [name, *(Text("  ") + line for line in beyond.lines)]
            block = beside(block, across, beyond_it, len(block), edge="")
            across += DERIVED
        yield from block


def _titles(amounts: _Amounts, width: int) -> Text:
    side = f"{'Player':<{HAND + 3}} {'Banker':<{HAND + 3}}"
    staked, paid = (f"{each:>{amounts.width}}" for each in ("staked", "paid"))
    time = "time".ljust(8 if width >= WIDE else 5)
    return Text(f"  coup  {time}  {side} outcome   {staked}  {paid}", TITLE)


def _time(at: datetime, width: int) -> str:
    """The time, with seconds if there is room."""
    return f"{at:%H:%M:%S}" if width >= WIDE else f"{at:%H:%M}"


def _coup_lines(coup: CoupLine, amounts: _Amounts, sight: Sight, width: int) -> list[Text]:
    """A coup with its exceptions, beside it or, if room is short, below it."""
    line, kinds = _coup(coup, amounts, sight, width), _kinds(coup)
    if kinds and width >= WIDER:
        line.append(f"   {kinds}", ALARM)
    below = [Text(f"       {kinds}", ALARM)] if kinds and width < WIDER else []
    return [cut(each, width) for each in (line, *below)]


def _coup(coup: CoupLine, amounts: _Amounts, sight: Sight, width: int) -> Text:
    """One coup on one line, marked if it has an exception."""
    at = datetime.fromisoformat(coup.opened_at).astimezone(sight.seen.at.tzinfo)
    marked = bool(coup.exceptions)
    line = Text.assemble(
        " ",
        ("!" if marked else " ", ALARM),
        f"{coup.number:>4}  {_time(at, width)}  ",
        _hand(coup, "player"),
        _hand(coup, "banker"),
    )
    outcome = coup.outcome
    words = coup.phase if outcome is None or coup.phase == "voided" else outcome.title()
    natural = " nat." if outcome and coup.natural and coup.phase != "voided" else ""
    result = Text(
        f"{words}{natural}", show.STYLES.get(outcome or "", "") if words != "voided" else ALARM
    )
    result.truncate(11, pad=True)
    money = (amounts.staked, amounts.paid)
    staked, paid = (f"{each[coup.coup]:>{amounts.width}}" for each in money)
    return line.append_text(result).append(f"{staked}  {paid}")


def _hand(coup: CoupLine, hand: str) -> Text:
    """A hand's cards, and its total once all are turned."""
    cards = [each.card for each in coup.cards if each.hand == hand]
    line = fitted(show.lying(cards), HAND)
    total = (coup.player_total if hand == "player" else coup.banker_total) if coup.outcome else None
    return line.append(f"{'' if total is None else total:>2}  ", TITLE)


def _kinds(coup: CoupLine) -> str:
    return ", ".join(dict.fromkeys(each.kind for each in coup.exceptions))


def _haystack(coup: CoupLine) -> str:
    words = (coup.outcome, coup.phase, coup.dealer, _kinds(coup), *coup.patrons)
    return " ".join(filter(None, (coup.number, *words)))
