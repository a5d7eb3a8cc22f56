"""Dealers whose trays come short at counts, more often than they come over."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from msgspec import field
from msgspec.structs import replace

from domain.events import shoe, table_counts, table_day
from domain.review.protection.trays import OnShort, TrayCount
from domain.rules.protection_levels import TRAY_SHORT
from projections.attention.questions import answers
from projections.attention.questions.answers import About, answer
from projections.attention.questions.question import Question
from projections.model import Change, Event
from projections.rows import Page, Row, Rows, Table, Value

SQL = """
-- One row a table: the counts of its tray since it opened last, and who dealt since the last one.
CREATE TABLE protected_trays (
    table_code text   NOT NULL PRIMARY KEY,
    gaming_day date   NOT NULL,
    session    int    NOT NULL,               -- of that day, from 1
    dealer     text   NOT NULL,
    counts     jsonb  NOT NULL DEFAULT '[]',  -- of each: shift ('': closer), by how much it is off
    coups      jsonb  NOT NULL DEFAULT '{}'   -- since the last one, by dealer
);

-- One row a dealer: the last count of coups that were mostly theirs, and who bets on short.
CREATE TABLE protected_dealers (
    dealer     text   NOT NULL PRIMARY KEY,
    gaming_day date   NOT NULL,  -- on which they dealt last
    count      text   NOT NULL,  -- the table day, session, and which count of it; '': none yet
    off        bigint NOT NULL,  -- at that count more than at the one before, minor units
    coups      int    NOT NULL,  -- before it, since the one before
    all_coups  int    NOT NULL,
    free       double precision NOT NULL,  -- before that count, as are guesses to wrong
    guesses    jsonb  NOT NULL,
    "right"    int    NOT NULL,
    wrong      int    NOT NULL,
    most       double precision NOT NULL  -- that was held on that day, before that count
);
CREATE INDEX protected_dealers_by_day ON protected_dealers (gaming_day);
"""


class ProtectedTray(Row):
    """The counts of a table's tray since it opened."""

    table_code: str
    gaming_day: date
    session: int
    dealer: str
    counts: list[list[Any]]
    coups: dict[str, int]

    @property
    def last(self) -> str:
        """The address of the last count."""
        return f"{self.table_code}/{self.gaming_day} {self.session} {len(self.counts)}"

    def is_of(self, event: Event) -> bool:
        """Whether a correction is about these counts; one of a shift does not name the session."""
        session = event.fields.get("session", self.session)
        return (self.gaming_day, self.session) == (event.gaming_day, session)

    @property
    def off(self) -> int:
        """By how much more the tray was off at the last count than at the one before."""
        *before, now = [0, *(off for _, off in self.counts)]
        return int(now - before[-1]) if before else 0


class ProtectedDealer(Row):
    """A dealer's last count, and who bets beside them as he was before it."""

    dealer: str
    gaming_day: date
    count: str = ""
    off: int = 0
    coups: int = 0
    all_coups: int = 1
    free: float = field(default_factory=lambda: OnShort().free)
    guesses: list[float] = field(default_factory=lambda: OnShort().guesses)
    right: int = 0
    wrong: int = 0
    most: float = 0.0

    def beside(self) -> OnShort:
        """Who bets beside them, after that count."""
        before = OnShort(free=self.free, guesses=self.guesses, right=self.right, wrong=self.wrong)
        return before.after(TrayCount(self.off, self.coups, self.all_coups))

    def go_on(self) -> None:
        """That count is followed by another."""
        now = self.beside()
        self.most = max(self.most, now.held)
        self.free, self.guesses, self.right, self.wrong = (
            now.free,
            now.guesses,
            now.right,
            now.wrong,
        )


TRAYS = Table("protected_trays", ProtectedTray, "table_code")
DEALERS = Table("protected_dealers", ProtectedDealer, "dealer")
DEALT_ON = DEALERS.page("gaming_day")
_NAMES_DEALER = {
    table_day.Opened.TOPIC: "dealer",
    table_day.Reopened.TOPIC: "dealer",
    table_day.DealerRelieved.TOPIC: "staff",
}


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    """The tray, and the dealers of the day: the event of a count does not name them."""
    yield TRAYS.by_key, (event.table,)
    if name := event.fields.get(_NAMES_DEALER.get(event.topic, "")):
        yield DEALERS.by_key, (name,)
    elif event.topic != shoe.CoupBegun.TOPIC:
        yield DEALT_ON, (event.gaming_day,)
        yield from answers.of_a_day(TRAY_SHORT, event.gaming_day)


def _begun(event: Event, rows: Rows) -> None:
    """The table opened: its opener is as it should be."""
    if before := rows.get(TRAYS, event.table):
        rows.drop(TRAYS, before)
    tray = ProtectedTray(
        table_code=event.table,
        gaming_day=event.gaming_day,
        session=event.fields.get("session", 1),
        dealer=event.fields["dealer"],
        counts=[],
        coups={},
    )
    rows.put(TRAYS, tray)
    _came(event, tray.dealer, rows)


def _relieved(event: Event, rows: Rows) -> None:
    """Another dealer, from the next coup on."""
    if tray := rows.change(TRAYS, event.table):
        tray.dealer = event.fields["staff"]
        _came(event, tray.dealer, rows)


def _came(event: Event, name: str, rows: Rows) -> None:
    """A dealer deals on this day."""
    known = rows.get(DEALERS, name)
    if known is None:
        rows.put(DEALERS, ProtectedDealer(dealer=name, gaming_day=event.gaming_day))
    elif known.gaming_day != event.gaming_day:
        rows.drop(DEALERS, known)
        rows.put(DEALERS, replace(known, gaming_day=event.gaming_day, most=0.0))


def _dealt(event: Event, rows: Rows) -> None:
    """Another coup of the dealer."""
    if tray := rows.change(TRAYS, event.table):
        tray.coups = {**tray.coups, tray.dealer: tray.coups.get(tray.dealer, 0) + 1}


def _counted(event: Event, rows: Rows) -> None:
    """The tray was counted: whose coups were it, and is it still chance?"""
    tray, off = rows.change(TRAYS, event.table), event.fields["variance"]
    if tray is None or off is None:
        return
    tray.counts = [*tray.counts, [event.fields.get("shift", ""), off]]
    coups, tray.coups = tray.coups, {}
    if not coups:
        return
    most = max(coups, key=lambda each: (coups[each], each))  # rows do not keep an order
    if dealer := rows.change(DEALERS, most):
        dealer.go_on()
        dealer.count, dealer.off = tray.last, tray.off
        dealer.coups, dealer.all_coups = coups[most], sum(coups.values())
        _answer(event, dealer, rows)


def _corrected(event: Event, rows: Rows) -> None:
    """A count was wrong, or money that came before it: the last one is looked at again."""
    tray, fields = rows.change(TRAYS, event.table), event.fields
    if tray is None or not tray.is_of(event):
        return
    counts = [list(each) for each in tray.counts]
    for each in reversed(counts):
        if each[0] == fields.get("shift", ""):
            each[1] = fields["variance"]
            break
    tray.counts = counts
    for dealer in rows.find(DEALT_ON, event.gaming_day):
        if dealer.count == tray.last:
            rows.mark(DEALERS, dealer).off = tray.off
            _answer(event, dealer, rows)


def _answer(event: Event, dealer: ProtectedDealer, rows: Rows) -> None:
    now = dealer.beside()
    detail = {"dealer": dealer.dealer, "short": now.right, "counts": now.right + now.wrong}
    answer(event, rows, TRAY_SHORT, max(dealer.most, now.held), detail, About(dealer=dealer.dealer))


_CHANGES: dict[str, Change] = {
    table_day.Opened.TOPIC: _begun,
    table_day.Reopened.TOPIC: _begun,
    table_day.DealerRelieved.TOPIC: _relieved,
    shoe.CoupBegun.TOPIC: _dealt,
    table_counts.ShiftCounted.TOPIC: _counted,
    table_counts.TableClosed.TOPIC: _counted,
    table_counts.CloserRecounted.TOPIC: _corrected,
    table_counts.VarianceChanged.TOPIC: _corrected,
    table_counts.ShiftVarianceChanged.TOPIC: _corrected,
}
QUESTION = Question(sql=SQL, changes=_CHANGES, loads=_loads)
