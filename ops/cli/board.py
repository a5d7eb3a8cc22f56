"""`sabot board`: every table of the gaming day, below the alerts that need a person."""

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import click

from ops.board.board import Board
from ops.board.board_there import BoardThere
from ops.board.folds import fold_name, fold_words, folds, past_words, when
from ops.board.lines import fold_lines, head, meters_lines, table_lines, verified_line
from ops.board.rows import Seen
from ops.cli.reading import permit
from ops.cli.session import database_of, house_of_call, json_option
from ops.cli.starts import record_start
from ops.door.connection import NoHouse
from ops.kit.hang_up import end_with_terminal
from ops.kit.lines import cut
from ops.ledger.database import LedgerLost
from ops.typed.shell import require_utf8
from ops.words import board as words
from ops.words import show
from ops.words.language import shown
from ops.words.pages import OPEN_STILL
from ops.words.pauses import PAUSES, pause_soon, seat_pauses
from ops.words.settling import AT_A_SHELL
from projections.attention.exception_kinds import OWED_STILL

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

MOST_ALERTS = 10
MOST_OPEN = 3  # cases and money that somebody has seen


@click.command()
@click.option("--table", help="Only this table, as in B01.")
@click.option("--once", is_flag=True, help="Print it once.")
@json_option
@click.pass_context
def board(ctx: click.Context, /, table: str | None, once: bool, as_json: bool) -> None:
    """Show every open table and what needs a person, until Ctrl-C.

    Tables that closed on this gaming day follow in grey, marked `closed`. The win at the head is
    that of all of them.

    Alerts come first, by rank. Rank 1 rings and is urgent (!): a shoe or a closer that does not
    agree with its count, for a week; an exposed or foreign card; a cut card that was passed; a
    payment that was stated wrongly; a slip or serial used twice; a record that contradicts itself,
    or a projection that stopped.

    In rank 2 somebody has to decide or do something. Urgent are an administrator let in again,
    which two people acknowledge; a dispute whose deadline has passed; commission owed at the cut
    card; a table without a coup for `idle_minutes` (15, unless `sabot property set` changes it);
    cash over the reporting amount or near it; a staff number locked by wrong PINs. Open disputes
    follow with their deadlines; refused cards, late bets and late withdrawals come last, those of
    one coup in one line.

    A table that dealt for an hour without a pause, and slower or faster than its rule set's
    `pace`, is last of rank 2, until it keeps the pace.

    Rank 3 were slips of the keys, now put right: they come at the end, and not in the browser.
    Other alerts of closed gaming days are only counted: `sabot report alerts` lists them.

    `sabot alert acknowledge` takes an alert off the board; some leave by themselves. A plus, as in
    undue-card/48213+, acknowledges the older ones of that kind at the same coup too. A case, or
    money left open, is then shown as `Open still`, until it is closed or settled. Seats of who may
    not play, or should pause, are below, for who may read `sabot report limits-used`.

    \b
    seats      taken, of all there are
    coup       shoe/coup, the last one that was opened
    left       cards left in the shoe; ! the cut card shows, or is near
    h/h        hands an hour: coups settled in the last hour
    idle       minutes since a coup was opened or settled; · for the future
    drop       cash for chips; once the box is counted, what was in it
    win        an estimate: what wagers won for the house, and commission paid;
               the closer and the box give the exact win
    tray       what the tray should hold, by everything on record
    owed       commission not paid yet; ! collect it now
    limits     of the main bets, and the dealer, with 100 columns; 120: rules;
               140: supervisor
    next       what is due at the table

    Values for which a column has no room are on the line below their table.
    """
    require_utf8("table", table or "")
    if not (once or as_json):
        end_with_terminal()
    console = show.console()
    if house := house_of_call(ctx):  # a screen here, which follows the house
        _follow_there(house, table, console)
        return
    database = database_of(ctx)
    permit(database, "board", {"table": table}, as_json=as_json)
    pit = Board(database, table)
    try:
        if as_json:
            click.echo(json.dumps(pit.once().as_dict(), ensure_ascii=False))
        elif once or not console.is_terminal or console.is_dumb_terminal:
            console.print(page(pit.once(), console.width))
        else:
            record_start(database, "board")
            _live(pit, console)
    finally:
        pit.close()


def _follow_there(house: str, table: str | None, console: "Console") -> None:
    """Shows the board of a house server."""
    try:
        there = BoardThere(house, table)
    except NoHouse as error:
        raise click.UsageError(str(error)) from None
    with closing(there):
        _live(there, console)


def _live(pit: Board | BoardThere, console: "Console") -> None:
    """Shows the board on a screen of its own, and restores the terminal afterwards."""
    from rich.console import Group
    from rich.live import Live
    from rich.text import Text

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    leaving = Text(f" {words.leaving()}", "dim")
    with (
        suppress(KeyboardInterrupt),
        Live(console=console, screen=True, auto_refresh=False) as live,
    ):
        for shown in _pages(pit, console):
            live.update(Group(shown, leaving), refresh=True)


def _pages(pit: Board | BoardThere, console: "Console") -> "Iterator[RenderableType]":
    """A page for each look at the pit; the bell for alerts that are new."""
    last: Seen | None = None
    for seen in pit.follow():
        if isinstance(seen, LedgerLost):
            yield lost_page(seen, last, console.width, console.height)
            continue
        if last is not None and seen.ringing - last.ringing:
            console.bell()
        last = seen
        yield page(seen, console.width, console.height - 1)


def page(seen: Seen, width: int, height: int | None = None) -> "RenderableType":
    """The board, as wide as the screen and at most as high.

    On a low screen closed tables give way to alerts.
    """
    from rich.console import Group

    drawn = list(table_lines(seen, width))
    tables = [line for _, lines in drawn for line in lines]
    needed = sum(len(lines) for row, lines in drawn if row is None or row.open)
    below = [
        *_open_still(seen, width),
        *_pauses(seen, width),
        *meters_lines(seen, width),
        *verified_line(seen),
    ]
    room = None if height is None else height - needed - 7 - len(below)
    lines = [head(seen, width), *_alerts(seen, width, room), *tables, *below]
    return Group(*lines[: height and height - 1])


def lost_page(error: LedgerLost, last: Seen | None, width: int, height: int) -> "RenderableType":
    """A page that says the ledger is lost, above the last board."""
    from rich.console import Group
    from rich.text import Text

    lost = Text(f" ! {shown(show.lost_words(error.why))}", "bold red")
    again = Text(f" {words.trying_again()}")
    if last is None:
        return Group(lost, again)
    again.append(f" {words.as_of(last.at)}")
    before = page(last, width, height - 3)
    return Group(lost, again, _dimmed(before))


def _dimmed(shown: "RenderableType") -> "RenderableType":
    from rich.styled import Styled

    return Styled(shown, "dim")


def _alerts(seen: Seen, width: int, room: int | None) -> Iterator["Text"]:
    """The alerts as lines, each with the name for acknowledging it."""
    from rich.cells import cell_len
    from rich.text import Text

    yield Text()
    if not (seen.alerts or seen.past):
        return
    folded = folds(seen.alerts)
    pressing = sum(fold[0].presses for fold in folded)
    most = max(MOST_ALERTS, pressing)
    names = max((cell_len(fold_name(fold)) for fold in folded[:most]), default=0)
    lines_of = [fold_lines(fold, seen, width, names) for fold in folded[:most]]
    while room is not None and len(lines_of) > max(pressing, 1) and _height(lines_of) > room:
        lines_of.pop()
    for lines in lines_of:
        yield from lines
    if more := sum(map(len, folded[len(lines_of) :])):
        yield cut(Text(f"   {words.more_words(more)}", "dim"), width)
    if any(fold[0].acknowledgeable for fold in folded):
        yield cut(Text(f"   {words.acknowledge_words()}", "dim"), width)
    if past := past_words(seen):
        yield cut(Text(f"   {past}", "dim"), width)
    yield Text()


def _open_still(seen: Seen, width: int) -> Iterator["Text"]:
    """Cases and money of which the alert was acknowledged, and which nobody has closed."""
    from rich.text import Text

    if seen.unsettled:
        yield cut(Text(f" {shown(OPEN_STILL)}", "bold"), width)
    for each in seen.unsettled[:MOST_OPEN]:
        line = f"   {when(each, seen.at)}  {each.where}  {fold_words([each], seen)}"
        yield cut(Text(line), width)
    if any(each.kind in OWED_STILL for each in seen.unsettled):
        yield cut(Text(f"   {shown(AT_A_SHELL)}", "dim"), width)
    if more := len(seen.unsettled[MOST_OPEN:]):
        yield cut(Text(f"   {words.and_more(more)}", "dim"), width)


def _pauses(seen: Seen, width: int) -> Iterator["Text"]:
    """The seats of who may not play, or should pause, for who may read the report of that."""
    from rich.text import Text

    if seen.pauses:
        yield cut(Text(f" {shown(PAUSES)}", "bold"), width)
    for each in seen.pauses[:MOST_OPEN]:
        line = seat_pauses(each.table, each.seat, pause_soon(each.what, each.at, seen.at))
        yield cut(Text(f"   {shown(line)}"), width)
    if more := len(seen.pauses[MOST_OPEN:]):
        yield cut(Text(f"   {words.and_more(more)}", "dim"), width)


def _height(lines_of: list[list["Text"]]) -> int:
    return sum(map(len, lines_of))
