"""`sabot board`: every open table now, and above them what needs a person."""

import json
import signal
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from domain.cards import symbol
from domain.money import digits, major
from ops import show
from ops.alerts import AND_OLDER, with_older
from ops.board import PRESSING, Board, Row, Seen, nears_cut_card
from ops.cli.session import json_option, require_utf8, with_database
from ops.database import Database, LedgerLost
from ops.report_text import case_deadlines, case_state
from projections.alerts import DISPUTE_OPEN

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

MOST_ALERTS = 10
MISSED_LEAST = ("drop", "seats", "rules", "limits")  # columns, where there is no room
MARK = "bold red"
NEEDS = "bold yellow"
SHORT = 8  # what is left of a long name of the house
WIDE, WIDER, WIDEST = 100, 120, 140  # columns with which there is more to tell


@click.command()
@click.option("--table", help="Only this table, as in B01.")
@click.option("--once", is_flag=True, help="Print it once.")
@json_option
@with_database
def board(database: Database, table: str | None, once: bool, as_json: bool) -> None:
    """Show every open table as it stands now, and what needs a person, until Ctrl-C.

    What presses comes first (!): a projection that stopped, a dispute of which somebody should have
    heard by now, commission owed at the cut card, a table without a coup for `idle_minutes` (15,
    unless `sabot property set` says otherwise), cash over the reporting amount or near it. Then
    come disputes that are not closed, with what is due and until when; below a table stands which
    of them hold it. Cards and late bets that were refused come last, those
    of one coup in one line; closed gaming days are only counted. `sabot report alerts` and --json
    tell each. Alerts stay until `sabot alert acknowledge`; some leave by themselves. With a plus,
    as in undue-card/48213+, the older ones of that kind at the same coup are acknowledged too.

    \b
    seats      taken, of all there are
    coup       shoe/coup, the last one that was opened
    left       cards left in the shoe; ! the cut card shows, or is near
    h/h        hands an hour: coups settled in the hour up to now
    idle       minutes since a coup was opened or settled; · if that lies ahead
    drop       cash for chips; once the box is counted, what was in it
    win        an estimate: what wagers, and commission paid in chips, brought;
               the closer will tell
    owed       commission not paid yet; ! has to be collected now
    limits     of the main bets, and the dealer, with 100 columns; 120: rules;
               140: supervisor
    next       what is due at the table

    What there is no room for is left out: drop, seats, rules, limits, in this order.
    """
    require_utf8("table", table or "")
    console = show.console()
    pit = Board(database, table)
    try:
        if as_json:
            click.echo(json.dumps(pit.once().as_dict(), ensure_ascii=False))
        elif once or not console.is_terminal or console.is_dumb_terminal:
            console.print(page(pit.once(), console.width))
        else:
            _live(pit, console)
    finally:
        pit.close()


def _live(pit: Board, console: "Console") -> None:
    """On a screen of its own, so that the terminal is afterwards as it was before."""
    from rich.live import Live

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    last: Seen | None = None
    try:
        with Live(console=console, screen=True, auto_refresh=False) as live:
            for seen in pit.follow():
                if isinstance(seen, LedgerLost):
                    shown = lost_page(seen, last, console.width, console.height)
                else:
                    shown, last = page(seen, console.width, console.height), seen
                live.update(shown, refresh=True)
    except KeyboardInterrupt:
        return


def page(seen: Seen, width: int, height: int | None = None) -> "RenderableType":
    """The board, as wide as there is room, and no longer than the screen."""
    from rich.console import Group

    tables = list(_tables(seen, width))
    room = None if height is None else height - len(tables) - 6
    lines = [_head(seen, width), *_alerts(seen, width, room), *tables]
    return Group(*lines[: height and height - 1])


def lost_page(error: LedgerLost, last: Seen | None, width: int, height: int) -> "RenderableType":
    """That nothing is known now, and how it was when something was."""
    from rich.console import Group
    from rich.text import Text

    words = Text(f" ! The ledger cannot be reached: {error.why}.", "bold red")
    again = Text(" Trying again every second.")
    if last is None:
        return Group(words, again)
    again.append(f" As it stood at {last.at:%H:%M:%S}:")
    before = page(last, width, height - 3)
    return Group(words, again, _dimmed(before))


def _dimmed(shown: "RenderableType") -> "RenderableType":
    from rich.styled import Styled

    return Styled(shown, "dim")


def _head(seen: Seen, width: int) -> "Text":
    """Whose pit it is and when, and what it comes to."""
    from rich.text import Text

    patrons = sum(each["patrons"] for each in seen.tables)
    win = sum(each["win"] for each in seen.tables)
    (said,) = _whole([win], seen.currency, signed=True)
    opened = f"{len(seen.tables)} of {_count(seen.placed, 'table')}"
    parts = [
        f"{seen.day} · {seen.at:%H:%M}",
        f"only {seen.only}" if seen.only else f"{opened}{' open' if width >= WIDE else ''}",
        _count(patrons, "patron"),
        f"win{' est.' if width >= WIDE else ''} {said} {seen.currency}",
    ]
    rest = "".join(f" · {each}" for each in parts)
    house = Text(f" {seen.house}", "bold")
    house.truncate(max(width - len(rest), SHORT), overflow="ellipsis")
    return _cut(house.append(rest, "not bold"), width)


def _alerts(seen: Seen, width: int, room: int | None) -> Iterator["Text"]:
    """What needs a person, each with the name by which it is acknowledged."""
    from rich.text import Text

    yield Text()
    if not seen.alerts:
        return
    folds = _folds(each for each in seen.alerts if each["gravity"] != "past")
    pressing = sum(fold[0]["gravity"] == "pressing" for fold in folds)
    most = max(MOST_ALERTS, pressing)
    names = max((len(_name(fold)) for fold in folds[:most]), default=0)
    told = [_fold_lines(fold, seen, width, names) for fold in folds[:most]]
    while room is not None and len(told) > max(pressing, 1) and sum(map(len, told)) > room:
        told.pop()
    for lines in told:
        yield from lines
    hint = "sabot alert acknowledge ALERT [TEXT]"
    more = sum(map(len, folds[len(told) :]))
    rest = f"… and {more:,} more: sabot report alerts · " if more else ""
    yield _cut(Text(f"   {rest}{hint}", "dim"), width)
    if past := [each for each in seen.alerts if each["gravity"] == "past"]:
        yield _cut(Text(f"   {_past_words(past)}", "dim"), width)
    yield Text()


def _folds(alerts: Iterable[Row]) -> list[list[Row]]:
    """Alerts of one kind at one coup, or table, are one line; what presses and cases are alone."""
    folds: dict[tuple[object, ...], list[Row]] = {}
    for each in alerts:
        own = each["gravity"] == "pressing" or each["kind"] == DISPUTE_OPEN
        alone = each["alert"] if own else None
        what = each["kind"], each["detail"].get("type"), alone
        key = *what, each["day"], each["table"], each["coup"]
        folds.setdefault(key, []).append(each)
    return list(folds.values())


def _name(fold: list[Row]) -> str:
    """By which it is acknowledged: the newest, with the older ones where that can be."""
    newest = fold[0]
    older = len(fold) > 1 and with_older(newest["kind"], newest["coup"])
    return f"{newest['alert']}{AND_OLDER if older else ''}"


def _fold_lines(fold: list[Row], seen: Seen, width: int, names: int) -> list["Text"]:
    """One line, or two where there is no room for the reason, with the name of the newest."""
    from rich.cells import cell_len
    from rich.text import Text

    newest = fold[0]
    mark = (" !", MARK) if newest["gravity"] == "pressing" else "  "
    place = f" {_moment(newest['at'], seen.at):>5} {_where(newest):<9} "
    across = min(width, WIDER)
    indent = 2 + cell_len(place)
    said, rest = _split(fold_words(fold, seen), across - indent - names - 2)
    first = Text.assemble(mark, place, said)
    first.truncate(across - names - 2, overflow="ellipsis", pad=True)
    style = "bold" if newest["acknowledgeable"] else "dim"
    first.append(f"  {_name(fold):>{names}}", style)
    return [first, _cut(Text(" " * indent + rest), across)] if rest else [first]


def _split(words: str, room: int) -> tuple[str, str]:
    """As many whole words as there is room for, and the others."""
    from rich.cells import cell_len

    said, rest = "", words.split(" ")
    while rest and cell_len(f"{said} {rest[0]}".strip()) <= room:
        said = f"{said} {rest.pop(0)}".strip()
    return said, " ".join(rest)


def _past_words(past: list[Row]) -> str:
    """How many alerts are left of closed gaming days, and how many of them would press."""
    kinds = {kind: sum(each["kind"] == kind for each in past) for kind in PRESSING}
    grave = ", ".join(f"{many:,} {kind}" for kind, many in kinds.items() if many)
    counted = f" ({grave})" if grave else ""
    return f"{len(past):,} of closed gaming days{counted}: sabot report alerts"


def _where(alert: Row) -> str:
    """The coup without its day, or the table."""
    if not alert["coup"]:
        return alert["table"] or "·"
    table, _, shoe, coup = alert["coup"].split("/")
    return f"{table} {shoe}/{coup}"


def _moment(at: str | None, now: datetime) -> str:
    """The time of day; of another day its date."""
    if at is None:
        return "·"
    moment = datetime.fromisoformat(at)
    return f"{moment:%H:%M}" if abs(now - moment) < timedelta(days=1) else f"{moment:%m-%d}"


def fold_words(fold: list[Row], seen: Seen) -> str:
    """Alerts of one kind, the newest first, as the floor would say them."""
    newest, many = fold[0], len(fold)
    detail = newest["detail"]
    waits = any(
        (each["coup"], each["phase"]) == (newest["coup"], "resulted") for each in seen.tables
    )
    if detail.get("type") == "UndueCardRefused":
        return _undue_words(fold, seen, waits=waits)
    if detail.get("type") == "LateBetRefused":
        return _late_words(fold, seen.currency)
    if newest["kind"] == DISPUTE_OPEN:
        return _case_words(detail, seen.at)
    words = alert_words(newest, seen.currency)
    if newest["kind"] == "no coup" and waits:
        words = f"{words.removesuffix('.')}, and the last one is not settled."
    return words if many == 1 else f"{many:,} × {newest['kind']}, the newest: {words}"


def _case_words(detail: Row, now: datetime) -> str:
    """How far a case came, who must hear by when, and how long that is still."""
    due = [
        f"{who} by {_moment(by.isoformat(), now)} ({_left_until(by, now)})"
        for who, by in case_deadlines(detail, now.tzinfo)
    ]
    return f"{case_state(detail)}{': ' if due else ''}{'; '.join(due)}."


def _left_until(by: datetime, now: datetime) -> str:
    left = (by - now) // timedelta(minutes=1)
    return f"{left:,} min" if left >= 0 else "over"


def _undue_words(fold: list[Row], seen: Seen, *, waits: bool) -> str:
    """Which cards were refused and why, and what to do about it at that coup."""
    whys = {each["detail"]["why"] for each in fold}
    if whys == {"no-coup-open"}:
        why = "no coup was open"
    elif whys == {"coup-complete"}:
        why = "coup not settled" if waits else "the coup had all its cards"
    else:
        why = "none was due"
    many, card = len(fold), symbol(fold[0]["detail"]["card"])
    cards, them = (f"{many:,} cards", "them") if many > 1 else (card, "it")
    if all(each["coup"] != fold[0]["coup"] for each in seen.tables):
        return f"{cards} REFUSED, {why}."  # another coup is dealt since
    return f"{cards} REFUSED, {why}. Put {them} aside, call the supervisor, shoe misdraw."


def _late_words(fold: list[Row], currency: str) -> str:
    """What came late and was refused, and what to do, as the refusal said."""
    newest, many = fold[0], len(fold)
    words = alert_words(newest, currency).replace(" refused:", " REFUSED:", 1)
    if many > 1:
        words = f"{many:,} late bets REFUSED, the newest: {words.partition(': ')[2]}"
    is_bet = newest["detail"]["act"] == "bet"
    return f"{words} {'The chips go back' if is_bet else 'The wager stays until it is settled'}."


def alert_words(alert: Row, currency: str) -> str:
    """One alert as the floor would say it."""
    return " ".join(_said(alert["detail"], currency)).removeprefix("! ")


def _said(detail: dict[str, Any], currency: str) -> Iterator[str]:
    if "why" in detail and "type" not in detail:
        yield detail["why"]
    elif "behind" in detail:
        most = max(detail["behind"].values())
        yield f"Projections are up to {most:,} events behind: sabot projections run."
    elif "minutes" in detail:
        yield f"No coup for {_count(detail['minutes'], 'minute')}."
    elif "owing" in detail:
        owing = detail["owing"]
        total = major(sum(each["owed"] for each in owing), currency)
        who = ", ".join(f"{each['patron']} {major(each['owed'], currency)}" for each in owing)
        yield f"The cut card shows, and {total} is owed: {who}."
    elif detail.get("type") == "ReportingAmountNear":
        (words,) = show.told_words([detail], currency)
        short = major(detail["reporting_amount"] - detail["total"], currency)
        yield f"{words.removesuffix('.')}, {short} short of it."
    else:
        if "recorded_at" in detail:
            yield "Entered late."
        if "seconds" in detail:
            yield f"The clock was {detail['seconds']} s behind."
        for words in show.told_words(detail.get("facts", [detail]), currency):
            yield words.removeprefix("! ")


@dataclass(frozen=True)
class _Column:
    title: str
    cells: list[str]
    right: bool = True
    styles: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        return max(map(len, (self.title, *self.cells)))

    def fitted(self, text: str) -> str:
        return f"{text:>{self.width}}" if self.right else f"{text:<{self.width}}"


def _tables(seen: Seen, width: int) -> Iterator["Text"]:
    """A line a table under aligned columns, and below it why it needs a person."""
    from rich.text import Text

    if not seen.tables:
        yield Text(f" {seen.only or 'No table'} is {'not ' if seen.only else ''}open.")
        return
    columns = _fitting(_columns(seen, width), width)
    head = "  ".join(each.fitted(each.title) for each in columns)
    yield _cut(Text(f" {head.rstrip()}", "bold"), width)
    pressing = {each["table"] for each in seen.alerts if each["gravity"] == "pressing"}
    for n, table in enumerate(seen.tables):
        line = Text.assemble(("!", MARK) if table["table"] in pressing else " ")
        for each in columns:
            style = each.styles[n] if each.styles else ""
            line.append(each.fitted(each.cells[n]), style).append("  ")
        line.rstrip()
        yield _cut(line, width)
        note = _note(table)
        if note:
            yield _cut(Text(f"   ! {note}", NEEDS), width)


def _fitting(columns: list[_Column], width: int) -> list[_Column]:
    """As many as fit, without those that are missed least."""
    for title in MISSED_LEAST:
        if sum(each.width + 2 for each in columns) - 1 > width:
            columns = [each for each in columns if each.title != title]
    return columns


def _cut(line: "Text", width: int) -> "Text":
    line.truncate(width, overflow="ellipsis")
    return line


def _columns(seen: Seen, width: int) -> list[_Column]:
    """What 80 columns have room for, and more where there is more."""
    tables, currency = seen.tables, seen.currency
    wide, wider, widest = (width >= least for least in (WIDE, WIDER, WIDEST))
    near = tuple(NEEDS if nears_cut_card(each) else "" for each in tables)
    owing = tuple(NEEDS if _must_collect(each) else "" for each in tables)
    stand = {each["table"] for each in seen.alerts if each["kind"] == "no coup"}
    idle = tuple(NEEDS if each["table"] in stand else "" for each in tables)
    wins = tuple(_sign_style(each["win"]) for each in tables)
    columns = [_Column("table", [each["table"] for each in tables], right=False)]
    if wider:
        columns.append(_Column("rules", [each["rules"] for each in tables], right=False))
    if wide:
        columns.append(_Column("limits", [_limits(each, currency) for each in tables]))
    columns += [
        _Column("seats", [f"{each['seats']['taken']}/{each['seats']['total']}" for each in tables]),
        _Column("shoe/coup" if widest else "coup", [_coup(each) for each in tables]),
        _Column("left  ", [_left(each) for each in tables], styles=near),
        _Column(
            "hands/h" if widest else "h/h", [_number(each["hands_per_hour"]) for each in tables]
        ),
        _Column("idle", [_number(each["idle_minutes"]) for each in tables], styles=idle),
        _Column("drop", _whole([each["drop"] for each in tables], currency)),
        _Column(
            "win est." if wide else "win",
            _whole([each["win"] for each in tables], currency, signed=True),
            styles=wins,
        ),
        _Column("owed  ", _owed(tables, currency), styles=owing),
    ]
    if widest:
        people = [f"{each['dealer'] or '·'} · {each['supervisor'] or '·'}" for each in tables]
        columns.append(_Column("dealer · superv.", people, right=False))
    elif wide:
        dealers = [each["dealer"] or "·" for each in tables]
        columns.append(_Column("dealer", dealers, right=False))
    due = [_next(each["due"], rule=widest) for each in tables]
    return [*columns, _Column("next", due, right=False, styles=_next_styles(tables))]


def _sign_style(amount: int) -> str:
    return "green" if amount > 0 else "red" if amount < 0 else ""


def _must_collect(table: Row) -> bool:
    return bool(table["owed"]) and nears_cut_card(table)


def _coup(table: Row) -> str:
    """Which shoe, and which coup of it."""
    if not table["shoe"]:
        return "·"
    shoe = table["shoe"].rpartition("/")[2]
    return f"{shoe}/{table['coup'].rpartition('/')[2]}" if table["coup"] else f"{shoe}/·"


def _left(table: Row) -> str:
    if table["cards_left"] is None:
        return "·  "
    return f"{table['cards_left']} {'!' if nears_cut_card(table) else ' '}"


def _limits(table: Row, currency: str) -> str:
    least, most = table["limits"]["main"]
    return "–".join(_whole([least, most], currency))


def _owed(tables: list[Row], currency: str) -> list[str]:
    return [
        f"{major(each['owed'], currency) if each['owed'] else '·'} "
        f"{'!' if _must_collect(each) else ' '}"
        for each in tables
    ]


def _next(due: dict[str, str] | None, *, rule: bool) -> str:
    """The command that is due; a card by the hand that it is due to."""
    if due is None:
        return "·"
    words = f"card: {due['hand'].title()}" if due["action"] == "draw" else due["action"]
    return f"{words} {due['rule']}" if rule else words


def _next_styles(tables: list[Row]) -> tuple[str, ...]:
    return tuple(show.STYLES.get((each["due"] or {}).get("hand", ""), "") for each in tables)


def _note(table: Row) -> str:
    """Why the table needs a person soon; what needs one already is an alert."""
    held = f"held by {' and '.join(table['held_by'])}" if table["held_by"] else ""
    near = _near_words(table) if nears_cut_card(table) else ""
    return "; ".join(filter(None, (held, near)))


def _near_words(table: Row) -> str:
    """What is to be done at the end of the shoe."""
    coups = table["coups_to_cut_card"]
    if table["cut_card_shown"]:
        words = f"the cut card shows, coup {table['last_coup_of_shoe']} is the last"
    elif coups:
        words = f"cut card in about {_count(coups, 'coup')}"
    else:
        words = "the cut card is due now"
    owing = table["owing"]
    owed = f", commission owed by {_count(owing, 'patron')}" if owing else ""
    return words + owed


def _number(value: int | None) -> str:
    return "·" if value is None else f"{value:,}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _whole(amounts: list[int], currency: str, *, signed: bool = False) -> list[str]:
    """Amounts of one column, without minor units where none has any."""
    places = digits(currency)
    whole = all(amount % 10**places == 0 for amount in amounts)
    said = [major(abs(amount), currency) for amount in amounts]
    if whole and places:
        said = [each[: -places - 1] for each in said]
    signs = [("−" if n < 0 else "+" if signed and n else "") for n in amounts]
    return [sign + each for sign, each in zip(signs, said, strict=True)]
