"""The seats in dealing order: who sits there, their bets, what is owed and what is paid."""

from collections.abc import Callable, Sequence, Set

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from domain.rules.spots import MAIN_SPOTS
from ops.kit.colours import ALARM, LABEL
from ops.kit.lines import fitted
from ops.now.table_now import SeatNow, TableNow
from ops.now.wagers_now import WagerNow
from ops.terminal.dealer.table_words import patron_words
from ops.typed.acts import key_of
from ops.words.language import _, amount
from ops.words.show import STYLES, chips

HANDS = ("player", "banker")
MARKS = {"win": "✓", "push": "=", "lose": ""}
LEAST_PATRON, MOST_PATRON = 8, 24
MOST_GAP = 3  # further blanks between two columns, where there is room


class _Column(Struct, frozen=True):
    title: str
    cell: Callable[[SeatNow], Text]
    total: Text
    style: str = LABEL
    least: int = 0

    def width(self, seats: Sequence[SeatNow]) -> int:
        """The width of its widest cell, and a blank."""
        cells = (*(self.cell(each).cell_len for each in seats), self.total.cell_len)
        return max(cell_len(self.title), self.least, *cells) + 1


def seats(now: TableNow, width: int, height: int, typed: Set[int]) -> list[Text]:
    """A line for each seat under aligned columns, and the totals; the seat typed is marked.

    What there is no room for is folded: side spots into one column, seats into the last line.
    """
    if now.rules is None:
        return []
    columns = _fitting(now, width)
    widths = [each.width(now.seats) for each in columns]
    spare = width - 5 - sum(widths) - MOST_PATRON
    widths = [each + min(max(spare // len(columns), 0), MOST_GAP) for each in widths]
    patron = min(width - 4 - sum(widths) - 1, MOST_PATRON)
    lines = [_titles(columns, widths, patron, width)]
    room = max(height - 2, 1)
    shown = now.seats if len(now.seats) <= room else now.seats[: room - 1]
    for seat in shown:
        here = seat.seat in typed
        lines.append(_row(seat, columns, widths, patron, here=here, width=width))
    if len(shown) < len(now.seats):
        rest = ", ".join(str(each.seat) for each in now.seats[len(shown) :])
        lines.append(fitted(Text(f" … {_('and seats {seats}', seats=rest)}", ALARM), width))
    if not now.seats:
        lines.append(fitted(Text(f"  {_('Nobody sits at the table.')}", LABEL), width))
    else:
        lines.append(_totals(columns, widths, patron, width))
    return lines


def _titles(columns: Sequence[_Column], widths: Sequence[int], patron: int, width: int) -> Text:
    line = Text(" # ", LABEL).append_text(fitted(Text(_("patron"), LABEL), patron + 1))
    for column, wide in zip(columns, widths, strict=True):
        line.append(_right(column.title, wide), column.style)
    return fitted(line, width)


def _row(
    seat: SeatNow,
    columns: Sequence[_Column],
    widths: Sequence[int],
    patron: int,
    *,
    here: bool,
    width: int,
) -> Text:
    line = Text("▸" if here else " ").append(f"{seat.seat:>2} ", "bold")
    line = fitted(line, 4).append_text(fitted(Text(patron_words(seat.patron)), patron))
    for column, wide in zip(columns, widths, strict=True):
        cell = column.cell(seat)
        line.append(" " * (wide - cell.cell_len)).append_text(cell)
    line = fitted(line, width)
    return Text.assemble((line.plain, "bold reverse")) if here else line


def _totals(columns: Sequence[_Column], widths: Sequence[int], patron: int, width: int) -> Text:
    line = Text("    ").append_text(fitted(Text(_("all"), LABEL), patron))
    for column, wide in zip(columns, widths, strict=True):
        line.append(" " * (wide - column.total.cell_len)).append_text(column.total)
    return fitted(line, width)


def _right(words: str, width: int) -> str:
    return " " * (width - cell_len(words)) + words


def _fitting(now: TableNow, width: int) -> list[_Column]:
    """The columns that leave room for the patrons' names, or the fewest."""
    owes, pays, coupon = _owes(now), _pays(now) or _goes_back(now), _coupons(now)
    sides = [*_sides(now), *coupon]
    roomy, tight = ([_spot(now, spot, roomy=each) for spot in now.spots] for each in (True, False))
    main = [_spot(now, spot, roomy=False) for spot in now.spots if spot in MAIN_SPOTS]
    hands = [_folded(now, _("bet"), HANDS), *main[len(HANDS) :], *sides]
    collects = now.due is not None and now.due.action == "commission.collect"
    last = owes if collects and owes else pays or owes
    choices = [
        [*roomy, *coupon, *owes, *pays],
        [*tight, *coupon, *owes, *pays],
        [*main, *sides, *owes, *pays],
        [*hands, *owes, *pays],
        [*main, *sides, *last],
        [*hands, *last],
    ]
    for columns in choices:
        taken = 4 + sum(each.width(now.seats) for each in columns)
        if taken + LEAST_PATRON < width:
            return columns
    return choices[-1]


def _spot(now: TableNow, spot: str, *, roomy: bool) -> _Column:
    """The bets on one spot; `roomy`: wide enough for the maximum, so that nothing moves."""
    code = key_of(spot).upper()
    style = STYLES.get(spot, "bold")
    lying = sum(each.stake for seat in now.seats for each in seat.wagers if each.spot == spot)
    _, most = now.limits.get(spot, now.limits.get("main", [0, 0]))
    least = len(chips(most, now.currency)) if roomy else 3

    def cell(seat: SeatNow) -> Text:
        wager = seat.wager(spot)
        return _wager(wager, now.currency, style) if wager else Text("·", LABEL)

    return _Column(
        code, cell, Text(chips(lying, now.currency) if lying else "", LABEL), style, least
    )


def _wager(wager: WagerNow, currency: str, style: str) -> Text:
    """A stake; marked when it won, faint when it lost; `2/3`: coups won, of those counted."""
    stake = chips(wager.stake, currency)
    if score := wager.score:
        stake += f" {score.won}/{score.counted}"
    if wager.payment is None:
        return Text(stake, "bold")
    result = wager.payment.result
    look = {"win": f"{style} reverse", "push": "bold", "lose": LABEL}[result]
    return Text(f"{MARKS[result]}{stake}", look)


def _sides(now: TableNow) -> list[_Column]:
    """All side spots in one column."""
    spots = [spot for spot in now.spots if spot not in MAIN_SPOTS]
    return [_folded(now, "+", spots)] if spots else []


def _folded(now: TableNow, title: str, spots: Sequence[str]) -> _Column:
    """Several spots in one column: the spots' keys and the stake, or the sum of several."""

    def cell(seat: SeatNow) -> Text:
        wagers = [each for each in seat.wagers if each.spot in spots]
        if not wagers:
            return Text("·", LABEL)
        letters = "".join(key_of(each.spot).upper() for each in wagers)
        style = STYLES.get(wagers[0].spot, LABEL)
        if len(wagers) == 1:
            shown = _wager(wagers[0], now.currency, style if style != LABEL else "bold")
        else:
            won = any(each.payment and each.payment.result == "win" for each in wagers)
            total = chips(sum(each.stake for each in wagers), now.currency)
            shown = Text(f"{MARKS['win'] if won else ''}{total}", "bold")
        return Text.assemble((f"{letters} ", style), shown)

    lying = sum(each.stake for seat in now.seats for each in seat.wagers if each.spot in spots)
    return _Column(title, cell, Text(chips(lying, now.currency) if lying else "", LABEL))


def _coupons(now: TableNow) -> list[_Column]:
    """Coupons by the key of their spot and their worth; they are no money, so no total has them."""
    if not any(seat.coupon for seat in now.seats):
        return []

    def cell(seat: SeatNow) -> Text:
        coupon = seat.coupon
        if coupon is None:
            return Text("·", LABEL)
        worth = Text(chips(coupon.worth, now.currency), "bold")
        if coupon.payment:
            style = STYLES.get(coupon.spot, "bold")
            look = {"win": f"{style} reverse", "push": "bold"}.get(coupon.payment.ended, LABEL)
            worth = Text(f"{MARKS.get(coupon.payment.ended, '')}{worth.plain}", look)
        return Text.assemble((f"{key_of(coupon.spot).upper()} ", LABEL), worth)

    return [_Column(_("coupon"), cell, Text(""))]


def _owes(now: TableNow) -> list[_Column]:
    """Commission owed, at the first seat of each stay."""
    if now.rules is None or (now.rules.commission.timing != "deferred" and not now.owed):
        return []

    def cell(seat: SeatNow) -> Text:
        if seat not in now.owing:
            return Text("·", LABEL)
        return Text(amount(seat.owed, now.currency), "yellow")

    total = Text(amount(now.owed, now.currency) if now.owed else "", "yellow")
    return [_Column(_("owes"), cell, total)]


def _pays(now: TableNow) -> list[_Column]:
    """What is paid to each patron, as soon as it may be shown."""
    if all(seat.paid is None and not seat.by_meter for seat in now.seats):
        return []

    def cell(seat: SeatNow) -> Text:
        if seat.by_meter:
            return Text(_("meter"), "bold")
        if seat.paid is None:
            return Text("·", LABEL)
        return Text(chips(seat.paid, now.currency), "bold" if seat.paid else LABEL)

    total = sum(seat.paid or 0 for seat in now.seats)
    return [_Column(_("bet+win"), cell, Text(chips(total, now.currency), LABEL), "bold")]


def _goes_back(now: TableNow) -> list[_Column]:
    """In a void coup what each patron gets back; with a minus, gives back."""
    backs = [seat.back for seat in now.seats if seat.back is not None]
    if not backs:
        return []

    def cell(seat: SeatNow) -> Text:
        if seat.back is None:
            return Text("·", LABEL)
        return Text(_signed(seat.back, now.currency), ALARM if seat.back < 0 else "bold")

    return [_Column(_("back"), cell, Text(_signed(sum(backs), now.currency), LABEL), "bold")]


def _signed(amount: int, currency: str) -> str:
    sign = "+" if amount > 0 else "-" if amount < 0 else ""
    return f"{sign}{chips(abs(amount), currency)}"
