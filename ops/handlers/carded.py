"""Play by card or not at all, above the regime's amount (R-PLAY-5).

What happened already, and is entered late or corrected, is never refused: it is noted.
"""

from domain.aggregates.cash import CashDay
from domain.aggregates.coup import Coup
from domain.aggregates.patron_file import PatronFile
from domain.aggregates.table_day import TableDay
from domain.rules.play_cards import Carded, at_table
from domain.rules.refusals import PlayPaused
from domain.rules.seating import Stay
from domain.rules.wording import Amount, Words
from ops.handlers.desk import Desk
from ops.handlers.likeness import patron_of
from ops.handlers.regimes import regime_of


def require_card_to_sit(desk: Desk, table: TableDay, seat: int, name: str) -> None:
    """Refuses a seat without a card where all play is by card: PlayPaused."""
    rule = _rule(desk, table)
    if rule and rule.asks_at_the_seat and not _has_card(desk, rule, name):
        _refuse(desk, table, seat, name, rule)


def require_card_to_bet(
    desk: Desk, table: TableDay, coup: Coup, seat: int, stay: Stay, *, past: bool
) -> None:
    """Refuses what a stay has on a coup without a card, with its last wager: PlayPaused.

    `past`: it lay there already. Then, and where the house only notes it, it is noted.
    """
    rule = _rule(desk, table)
    if rule is None or _has_card(desk, rule, stay.patron):
        return
    staked = sum(each.stake for each in coup.wagers() if each.stay == stay.address)
    if rule.asks(staked):
        _decide(desk, table, seat, stay.patron, rule, "bet", staked, past=past)


def require_card_for_cash(
    desk: Desk, table: TableDay, seat: int, name: str, amount: int, *, past: bool = False
) -> None:
    """Refuses what a patron brings on a gaming day without a card, with `amount`: PlayPaused.

    `past`: it is counted already. Then, and where the house only notes it, it is noted.
    """
    rule = _rule(desk, table)
    if rule is None or _has_card(desk, rule, name):
        return
    cash = desk.casino.find(CashDay, CashDay.stream(desk.names.identity(name), table.address.day))
    total = amount + (cash.totals["in"] if cash else 0)
    if rule.asks(total):
        _decide(desk, table, seat, name, rule, "cash", total, past=past)


def _rule(desk: Desk, table: TableDay) -> Carded | None:
    return at_table(regime_of(desk, table.address.day).carded, table.address.table)


def _has_card(desk: Desk, rule: Carded, name: str) -> bool:
    """Whether the patron is known by a card: by the form of the name, or by a file.

    Where two numbers look the same and are two people, the form of the number shows nothing about
    the one that was told apart: a file has to.
    """
    if rule.cards:
        identity = desk.names.identity(name)
        record = desk.names.record(identity)
        others = record.apart if record else ()
        if not (rule.is_a_card(identity) and any(map(rule.is_a_card, others))):
            return rule.is_a_card(identity)
    names = {name, desk.names.identity(name), *(each.patron for each in desk.names.known_as(name))}
    files = (desk.casino.find(PatronFile, PatronFile.stream(each)) for each in sorted(names))
    return any(file and file.digest for file in files)


def _decide(
    desk: Desk,
    table: TableDay,
    seat: int,
    name: str,
    rule: Carded,
    what: str,
    amount: int,
    *,
    past: bool,
) -> None:
    if not (past or desk.casino.act.late):
        _refuse(desk, table, seat, name, rule)
        desk.pause = _without(desk, rule, seat)
    patron = patron_of(desk, desk.names.identity(name))
    patron.play_uncarded(table.address.table, seat, what, amount, rule.above)


def _refuse(desk: Desk, table: TableDay, seat: int, name: str, rule: Carded) -> None:
    """Refuses, where the house does not only note it: PlayPaused."""
    if regime_of(desk, table.address.day).at_the_seat != "refuse":
        return
    raise PlayPaused(
        rule="R-PLAY-5",
        message=Words(
            "{so} Ask for the card and call the supervisor: {how}.",
            so=_without(desk, rule, seat),
            how=_how(rule, desk.names.identity(name)),
        ),
    )


def _without(desk: Desk, rule: Carded, seat: int) -> Words:
    if rule.asks_at_the_seat:
        return Words("Seat {seat} plays by card.", seat=seat)
    above = Amount(rule.above, desk.house().currency)
    return Words("Seat {seat} plays by card above {amount}.", seat=seat, amount=above)


def _how(rule: Carded, name: str) -> Words:
    """What is typed once there is a card: whose it is, or the file of a number without one."""
    if rule.cards:
        form = rule.cards
        return Words("`patron identify {name} {form}`, with its number", name=name, form=form)
    return Words(
        "`patron identify {name} NUMBER`, or `patron document {name}` if that is the number",
        name=name,
    )
