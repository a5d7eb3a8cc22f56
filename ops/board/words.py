"""What the board says of tables and alerts, in the floor's words; whoever shows it draws it."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from domain.aggregates.due import NextAct
from domain.rules.cards import symbol
from domain.rules.money import major
from ops.board.board import PRESSING, Seen
from ops.board.rows import Alert, BoardRow, Due
from ops.handlers.alerts import AND_OLDER, with_older
from ops.words import show
from ops.words.events import sentences
from ops.words.values import case_deadlines, case_state
from projections.alerts import DISPUTE_OPEN


def folds(alerts: Iterable[Alert]) -> list[list[Alert]]:
    """Alerts of one kind at one coup, or table, are one line; what presses and cases are alone.

    A late bet and a late withdrawal are two things, though one kind.
    """
    folds: dict[tuple[object, ...], list[Alert]] = {}
    for each in alerts:
        own = each.presses or each.kind == DISPUTE_OPEN
        alone = each.alert if own else None
        detail = each.detail or {}
        what = each.kind, detail.get("type"), detail.get("act"), alone
        key = *what, each.day, each.table, each.coup
        folds.setdefault(key, []).append(each)
    return list(folds.values())


def fold_name(fold: list[Alert]) -> str:
    """By which it is acknowledged: the newest, with the older ones where that can be."""
    newest = fold[0]
    older = len(fold) > 1 and with_older(newest.kind, newest.coup)
    return f"{newest.alert}{AND_OLDER if older else ''}"


def past_words(past: list[Alert]) -> str:
    """How many alerts are left of closed gaming days, and how many of them would press."""
    kinds = {kind: sum(each.kind == kind for each in past) for kind in PRESSING}
    grave = ", ".join(f"{many:,} {kind}" for kind, many in kinds.items() if many)
    counted = f" ({grave})" if grave else ""
    return f"{len(past):,} of closed gaming days{counted}: sabot report alerts"


def where(alert: Alert) -> str:
    """The coup without its day, or the table."""
    if not alert.coup:
        return alert.table or "·"
    table, _, shoe, coup = alert.coup.split("/")
    return f"{table} {shoe}/{coup}"


def moment_words(at: str | None, now: datetime) -> str:
    """The time of day; of another day its date."""
    if at is None:
        return "·"
    moment = datetime.fromisoformat(at)
    return f"{moment:%H:%M}" if abs(now - moment) < timedelta(days=1) else f"{moment:%m-%d}"


def fold_words(fold: list[Alert], seen: Seen) -> str:
    """Alerts of one kind, the newest first, as the floor would say them."""
    newest, many = fold[0], len(fold)
    if newest.past:
        return f"{show.count(many, 'alert')} of a gaming day that is closed: {newest.kind}."
    detail = newest.detail
    waits = any((each.coup, each.phase) == (newest.coup, "resulted") for each in seen.tables)
    if detail.get("type") == "UndueCardRefused":
        return _undue_words(fold, seen, waits=waits)
    if detail.get("type") == "LateBetRefused":
        return _late_words(fold, seen.currency)
    if newest.kind == DISPUTE_OPEN:
        return _case_words(detail, seen.at)
    words = alert_words(newest, seen.currency)
    if newest.kind == "no coup" and waits:
        words = f"{words.removesuffix('.')}, and the last one is not settled."
    return words if many == 1 else f"{many:,} × {newest.kind}, the newest: {words}"


def _case_words(detail: dict[str, Any], now: datetime) -> str:
    """How far a case came, who must hear by when, and how long that is still."""
    due = [
        f"{who} by {moment_words(by.isoformat(), now)} ({_left_until(by, now)})"
        for who, by in case_deadlines(detail, now.tzinfo)
    ]
    return f"{case_state(detail)}{': ' if due else ''}{'; '.join(due)}."


def _left_until(by: datetime, now: datetime) -> str:
    left = (by - now) // timedelta(minutes=1)
    return f"{left:,} min" if left >= 0 else "over"


def _undue_words(fold: list[Alert], seen: Seen, *, waits: bool) -> str:
    """Which cards were refused and why, and what to do about it at that coup."""
    whys = {each.detail["why"] for each in fold}
    if whys == {"no-coup-open"}:
        why = "no coup was open"
    elif whys == {"coup-complete"}:
        why = "coup not settled" if waits else "the coup had all its cards"
    else:
        why = "none was due"
    many, card = len(fold), symbol(fold[0].detail["card"])
    cards, them = (f"{many:,} cards", "them") if many > 1 else (card, "it")
    if all(each.coup != fold[0].coup for each in seen.tables):
        return f"{cards} REFUSED, {why}."  # another coup is dealt since
    return f"{cards} REFUSED, {why}. Put {them} aside, call the supervisor, shoe misdraw."


def _late_words(fold: list[Alert], currency: str) -> str:
    """What came late and was refused, and what to do, as the refusal said."""
    newest, many = fold[0], len(fold)
    words = alert_words(newest, currency).replace(" refused:", " REFUSED:", 1)
    is_bet = newest.detail["act"] == "bet"
    if many > 1:
        late = "late bets" if is_bet else "late withdrawals"
        words = f"{many:,} {late} REFUSED, the newest: {words.partition(': ')[2]}"
    return f"{words} {'The chips go back' if is_bet else 'The wager stays until it is settled'}."


def alert_words(alert: Alert, currency: str) -> str:
    """One alert as the floor would say it."""
    return " ".join(_said(alert.detail, currency)).removeprefix("! ")


def _said(detail: dict[str, Any], currency: str) -> Iterator[str]:
    if "why" in detail and "type" not in detail:
        yield detail["why"]
    elif "behind" in detail:
        most = max(detail["behind"].values())
        yield f"Projections are up to {most:,} events behind: sabot projections run."
    elif "minutes" in detail:
        yield f"No coup for {show.count(detail['minutes'], 'minute')}."
    elif "owing" in detail:
        owing = detail["owing"]
        total = major(sum(each["owed"] for each in owing), currency)
        who = ", ".join(f"{each['patron']} {major(each['owed'], currency)}" for each in owing)
        yield f"The cut card shows, and {total} is owed: {who}."
    elif detail.get("type") == "ReportingAmountNear":
        (words,) = sentences([detail], currency)
        short = major(detail["reporting_amount"] - detail["total"], currency)
        yield f"{words.removesuffix('.')}, {short} short of it."
    else:
        if "recorded_at" in detail:
            yield "Entered late."
        if "seconds" in detail:
            whose = f" of {detail['machine']}" if "machine" in detail else ""
            yield f"The clock{whose} was {detail['seconds']} s {detail.get('which', 'behind')}."
        for words in sentences(detail.get("facts", [detail]), currency):
            yield words.removeprefix("! ")


def note(table: BoardRow) -> str:
    """Why the table needs a person soon; what needs one already is an alert."""
    held = f"held by {' and '.join(table.held_by)}" if table.held_by else ""
    near = _near_words(table) if table.nears_cut_card else ""
    return "; ".join(filter(None, (held, near)))


def _near_words(table: BoardRow) -> str:
    """What is to be done at the end of the shoe."""
    coups = table.coups_to_cut_card
    if coups is None:
        words = f"the cut card shows, coup {table.last_coup_of_shoe} is the last"
    else:
        words = show.cut_card_words(coups)
    owing = table.owing
    owed = f", commission owed by {show.count(owing, 'patron')}" if owing else ""
    return words + owed


def coup_words(table: BoardRow) -> str:
    """Which shoe, and which coup of it."""
    if not table.shoe:
        return "·"
    shoe = table.shoe.rpartition("/")[2]
    return f"{shoe}/{table.coup.rpartition('/')[2]}" if table.coup else f"{shoe}/·"


def left_words(table: BoardRow) -> str:
    """Cards left in the shoe; marked where it is near its end."""
    if table.cards_left is None:
        return "·  "
    return f"{table.cards_left} {'!' if table.nears_cut_card else ' '}"


def limits_words(table: BoardRow, currency: str) -> str:
    """Of the main bets."""
    return show.span(table.limits["main"], currency)


def owed_words(tables: list[BoardRow], currency: str) -> list[str]:
    """What each table has to come; marked where it has to be collected now."""
    return [
        f"{major(each.owed, currency) if each.owed else '·'} {'!' if each.must_collect else ' '}"
        for each in tables
    ]


def next_words(due: Due | NextAct | None, *, rule: bool) -> str:
    """The command that is due; a card by the hand that it is due to."""
    if due is None:
        return "·"
    at_a_shell = due.action.replace(".", " ")
    of_a_hand = {"draw": "card", "reveal": "turn"}.get(due.action)
    words = f"{of_a_hand}: {(due.hand or '').title()}" if of_a_hand else at_a_shell
    return f"{words} {due.rule}" if rule else words


def number(value: int | None) -> str:
    """A dot for one that is not known."""
    return "·" if value is None else f"{value:,}"


def head_words(seen: Seen, *, wide: bool) -> list[str]:
    """When it is, and what the pit comes to."""
    patrons = sum(each.patrons for each in seen.tables)
    win = sum(each.win for each in seen.tables)
    (said,) = show.whole([win], seen.currency, signed=True)
    opened = f"{len(seen.tables)} of {show.count(seen.placed, 'table')}"
    return [
        f"{seen.day} · {seen.at:%H:%M}",
        f"only {seen.only}" if seen.only else f"{opened}{' open' if wide else ''}",
        show.count(patrons, "patron"),
        f"win{' est.' if wide else ''} {said} {seen.currency}",
    ]
