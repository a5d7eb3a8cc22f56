"""The page of one table: its patrons and debts, what is due, its shoes of the day."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text

from domain.rules.money import major
from domain.rules.roads import roads
from ops.board.folds import fold_name
from ops.board.lines import fold_lines, limits_of_main_bets, note, what_is_due
from ops.board.rows import Alert, BoardRow
from ops.kit.colours import ALARM, LABEL, TITLE
from ops.kit.key_bar import Hint
from ops.kit.lines import beside, cut, fitted, joined, padded
from ops.now.books import Books, DayCounts, ShoeLog, TableBook
from ops.now.table_now import HandNow, SeatNow, ShoeNow, TableNow
from ops.roads.text import bead_line, big_road, counted
from ops.terminal.pit.sheet import listed, titled
from ops.terminal.pit.shoe_view import ShoeView
from ops.terminal.pit.sight import Sight
from ops.terminal.pit.view import READING, View
from ops.words import show
from ops.words.durations import duration
from ops.words.show import count

SEATS, MORE_SEATS = 42, 64  # cells for the seats, on screens of 80 and of 160
ROAD = 60  # cells from which the big road has room
ALERTS = 4  # lines for alerts, however many shoes there are
SHORT = {"banker": "B", "player": "P", "tie": "T"}
HERE, THERE = "●", "○"  # the shoe in play, a shoe that has ended


class TableView(View):
    """A table on its gaming day, open or closed."""

    hints: ClassVar[tuple[Hint, ...]] = (
        *(Hint("Enter", "shoe"), Hint("a", "alerts"), Hint("c", "commission", "comm")),
        Hint("/", "filter"),
    )
    reads = True
    listed = "shoes"
    book: TableBook | None

    def __init__(self, code: str, sight: Sight) -> None:
        super().__init__()
        self.code = self.crumb = code
        row = sight.table(code)
        self.day = row.day if row else sight.seen.day

    def read(self, books: Books, sight: Sight) -> TableBook:
        """The table, with its shoes."""
        return books.table(self.code, self.day)

    def keys(self, sight: Sight) -> Sequence[str]:
        """The shoes."""
        return [
            each.shoe
            for each in (self.book.shoes if self.book else ())
            if self.sieve.lets(_shoe_haystack(each), needs=self._has_alerts(each.shoe, sight))
        ]

    def _has_alerts(self, shoe: str, sight: Sight) -> bool:
        return any(
            fold[0].coup and fold[0].coup.startswith(f"{shoe}/")
            for fold in sight.folds_of(self.code)
        )

    def into(self, sight: Sight) -> View | None:
        """The page of the selected shoe."""
        shoe = self.selected(sight)
        return ShoeView(shoe, sight.seen.currency) if shoe else None

    def draw(self, sight: Sight, width: int, height: int) -> list[Text]:
        """The table's head, its seats, what is dealt, its shoes, its alerts."""
        row = sight.table(self.code)
        if row is None:
            return padded([Text(), Text(f"  {self.code} is closed.", TITLE)], height)
        head = [cut(line, width) for line in _events(row, sight)]
        if self.book and self.book.counts:
            head.append(cut(_counts(self.book.counts, sight.seen.currency), width))
        if self.book is None:
            return padded([*head, Text(), Text(f"  {self.why or READING}", LABEL)], height)
        across = SEATS if width < 2 * SEATS + 40 else MORE_SEATS
        seats = list(_seats(self.book.now, across - 2))
        dealt = list(_dealt(self.book.now, width - across))
        folds = sight.folds_of(self.code)
        room = height - len(head)
        blocks = min(max(len(seats), len(dealt) + 2 + len(self.book.shoes)), room - ALERTS)
        shoes = self._shoes(sight, width - across, blocks - len(dealt))
        body = beside(seats, across, [*dealt, *shoes], max(blocks, 0), edge="")
        alerts = _alerts(folds, sight, width, room - len(body))
        return padded([*head, *body, *alerts], height)

    def _shoes(self, sight: Sight, width: int, height: int) -> list[Text]:
        assert self.book is not None
        by_shoe = {each.shoe: each for each in self.book.shoes}
        keys = self.keys(sight)
        title = titled("Shoes of the day", width)
        if not keys:
            return [title, cut(Text(f"  {self.empty}", LABEL), width)]
        running = self.book.now.shoe

        def lines_of(key: str) -> list[Text]:
            here = bool(running) and key.endswith(f"/{running.number if running else 0}")
            line = _shoe(by_shoe[key], running if here else None)
            return [fitted(line, width)]

        return [title, *listed(keys, self.selected(sight), lines_of, height - 1)]


def _events(row: BoardRow, sight: Sight) -> Iterator[Text]:
    """Rules and people; limits; drop and win; hands an hour; why the table needs somebody."""
    currency = sight.seen.currency
    people = f"dealer {row.dealer or '·'}", f"supervisor {row.supervisor or '·'}"
    closed = Text(f"closed {_time(row.closed_at, sight)}", TITLE) if row.closed_at else ""
    yield Text.assemble(" ", joined([Text(row.rules, TITLE), row.day, closed, *people]))
    others = (
        f"{show.spot_called(spot)} {show.span(pair, currency)}"
        for spot, pair in row.limits.items()
        if spot != "main"
    )
    limits = f"limits {limits_of_main_bets(row, currency)}"
    gap = row.differential
    apart = f"max difference {show.chips(gap, currency)}" if gap else ""
    yield Text.assemble(" ", joined([limits, *others, apart]))
    drop = show.chips(row.drop, currency)
    (win,) = show.whole([row.win], currency, signed=True)
    taken = f"{row.seats.taken}/{row.seats.total} seats"
    per_hour, idle = row.hands_per_hour, row.idle_minutes
    pace = (
        "" if per_hour is None else f"{per_hour} hands/h",
        "" if idle is None else f"idle {duration(timedelta(minutes=idle))}",
    )
    tray = "" if row.tray is None else f"tray {show.chips(row.tray, currency)}"
    money = f"drop {drop}", f"win est. {win}", tray, f"owed {major(row.owed, currency)}"
    yield Text.assemble(" ", joined([*money, taken, *pace]))
    why = note(row)
    if why:
        yield Text(f" ! {why}", ALARM)


def _time(moment: str, sight: Sight) -> str:
    return f"{datetime.fromisoformat(moment).astimezone(sight.seen.at.tzinfo):%H:%M}"


def _counts(counts: DayCounts, currency: str) -> Text:
    """What was counted on a day that is closed."""
    values = (
        ("opener", counts.opener),
        ("fills", counts.fills),
        ("credits", counts.credits),
        ("closer", counts.closer),
        ("drop", counts.drop),
        *((("win", counts.win),) if counts.win is not None else ()),
    )
    known = (
        f"{name} {'not counted' if value is None else major(value, currency)}"
        for name, value in values
    )
    return Text.assemble(" ", joined(list(known)))


def _seats(now: TableNow, width: int) -> Iterator[Text]:
    """The seats in dealing order, with the wagers of each."""
    yield titled("Seats", width, f"owed {major(now.owed, now.currency)}" if now.owed else "")
    if not now.seats:
        yield Text("  Nobody sits here.", LABEL)
    owed = {each.seat: _owed(each, now.currency) for each in now.seats}
    names = max((cell_len(each.patron) for each in now.seats), default=0)
    names = min(names, width // 2 - 8)
    widest = max(map(len, owed.values()), default=0)
    for each in now.seats:
        name = Text(each.patron)
        name.truncate(names, overflow="ellipsis", pad=True)
        line = Text.assemble(f"  {each.seat} ", name, f"  {owed[each.seat]:>{widest}}   ")
        yield cut(line.append_text(_lying(each, now.currency)), width)


def _owed(seat: SeatNow, currency: str) -> str:
    """The debt shown at a seat; a patron with several seats has it at the first."""
    if seat.seat != seat.owes_at:
        return f"as {seat.owes_at}"
    return major(seat.owed, currency) if seat.owed else "·"


def _lying(seat: SeatNow, currency: str) -> Text:
    """The wagers of a seat: `B 500  T 25`."""
    return Text("  ").join(
        Text.assemble(
            (SHORT.get(each.spot, show.spot_called(each.spot)), show.STYLES.get(each.spot, "")),
            f" {show.chips(each.stake, currency)}",
        )
        for each in seat.wagers
    )


def _dealt(now: TableNow, width: int) -> Iterator[Text]:
    """The last coup, its hands, what is due, the road of the shoe."""
    coup, shoe = now.coup, now.shoe
    where = f"Shoe {shoe.number}" if shoe else "No shoe"
    phase = f", coup {coup.number} {coup.phase}" if coup else ""
    yield titled(where + phase, width, _cut_card(shoe) if shoe else "")
    if coup:
        yield _hand("Player", coup.player)
        yield _hand("Banker", coup.banker)
    due = "closed" if now.closed else f"next  {what_is_due(now.due, rule=True)}"
    yield cut(Text(f"  {_outcome(now) or due}", TITLE), width)
    yield from _road(now, width)


def _cut_card(shoe: ShoeNow) -> str:
    """The words for the coups left before the cut card, roughly; the head says when it shows."""
    if shoe.step in ("ended", "reconciled"):
        return "ended"
    coups = shoe.coups_to_cut_card
    return "" if coups is None else f"cut in {coups}"


def _road(now: TableNow, width: int) -> Iterator[Text]:
    """The big road if it has room, otherwise the beads."""
    if not now.beads:
        return
    fell = roads(now.beads)
    counts = counted(fell)
    if width < ROAD:
        yield Text.assemble("  ", bead_line(now.beads, width - 6 - counts.cell_len), "  ", counts)
        return
    yield Text("  ") + counts
    yield from (Text("  ") + line for line in big_road(fell.big_road, width - 4).lines)


def _outcome(now: TableNow) -> str:
    coup = now.coup
    if coup is None or coup.outcome is None or coup.phase != "resulted":
        return ""
    totals = coup.player.total or 0, coup.banker.total or 0
    return f"{show.outcome_words(coup.outcome, *totals)}; settle it now."


def _hand(name: str, hand: HandNow) -> Text:
    name_in_colour = (name, show.STYLES[name.lower()])
    line = fitted(Text.assemble("  ", name_in_colour, "  ", show.lying(hand.cards)), 22)
    return line.append("" if hand.total is None else str(hand.total), TITLE)


def _shoe(log: ShoeLog, running: ShoeNow | None) -> Text:
    """The shoe's number, its coups, and how it ended, or its cards left."""
    mark = HERE if running else THERE
    words = f"ended: {log.ended_why or '·'}"
    if running and not log.ended_why:
        how = "in play" if running.ready else running.step
        words = f"{how}, {running.cards_left} left"
    shoe = log.shoe.rpartition("/")[2]
    return Text(f"  {mark} {shoe:>2}  {count(log.coups or 0, 'coup'):>9}  {words}")


def _shoe_haystack(log: ShoeLog) -> str:
    words = log.shoe, log.ended_why, log.shuffle_method, log.cut_by, log.inspected_by
    return " ".join(filter(None, words))


def _alerts(folds: list[list[Alert]], sight: Sight, width: int, room: int) -> list[Text]:
    """The most urgent alerts, as many as fit."""
    if not folds:
        return [Text(), titled("Alerts", width, "none")][: max(room, 0)]
    names = max(len(fold_name(fold)) for fold in folds)
    lines = [Text(), titled("Alerts", width, f"{len(folds)}: a")]
    for fold in folds:
        lines += [Text(" ") + each for each in fold_lines(fold, sight.seen, width - 1, names)]
    return lines[: max(room, 0)]
