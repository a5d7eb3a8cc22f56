"""Corrections after the game: coups voided, payments corrected, coups adjudicated again."""

from domain.aggregates.corrections import Change, Rightly
from domain.aggregates.coup import Coup
from domain.aggregates.table_day import TableDay
from domain.review.adjudication import Adjudication, as_texts
from domain.rules import addresses
from domain.rules.refusals import BadValue, NotFound
from domain.rules.seating import Stay
from domain.rules.wording import Words
from ops.commands import corrections as commands
from ops.handlers import forms
from ops.handlers.coup import begin_dummy
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.replay.readjudicate import one


@handles(commands.CoupVoid)
def void(desk: Desk, command: commands.CoupVoid) -> None:
    """Voids a coup of any day, and the commission on its wins."""
    void_coup(desk, _coup_at(desk, command), command.reason, command.second or "")


def void_coup(desk: Desk, coup: Coup, reason: str, second: str) -> list[Change]:
    """Returns every wager of a coup, and corrects commission and chips; each wager's change."""
    changes = coup.void(reason, desk.casino.actor, second)
    _follow(desk, coup, changes)
    day = desk.last_table_day(coup.address.shoe.table_day.table)
    if day.shoe == coup.address.shoe:
        shoe = desk.shoe(day)
        if not coup.cards:
            shoe.leave_undealt(coup.address.number)
        begin_dummy(desk, day, shoe)
    return changes


@handles(commands.CoupCorrect)
def correct(desk: Desk, command: commands.CoupCorrect) -> None:
    """Corrects what a wager of any day was paid; its commission follows."""
    correct_payment(
        desk,
        _coup_at(desk, command),
        Rightly(command.seat, command.spot, command.to, command.as_spot),
        command.reason,
        command.second or "",
    )


def correct_payment(
    desk: Desk, coup: Coup, rightly: Rightly, reason: str, second: str
) -> list[Change]:
    """Pays a settled wager a different amount, and corrects commission and chips; the change."""
    assert rightly.seat is not None
    assert rightly.spot is not None
    change = coup.correct(
        rightly.seat,
        rightly.spot,
        rightly.to,
        as_spot=rightly.as_spot,
        reason=reason,
        requested_by=desk.casino.actor,
        approved_by=second,
    )
    _follow(desk, coup, [change])
    return [change]


def _coup_at(desk: Desk, command: commands.CoupVoid | commands.CoupCorrect) -> Coup:
    """The coup that the command names. Refuses: BadValue, NotFound."""
    address = addresses.Coup.parse(command.coup)
    if command.table not in (None, address.shoe.table_day.table):
        raise BadValue(
            message=Words(
                "{coup} is no coup of {table}. Leave the table out, or name its own coup.",
                coup=address,
                table=command.table,
            )
        )
    return desk.coup_at(address)


def _follow(desk: Desk, coup: Coup, changes: list[Change]) -> None:
    """Corrects each wager's commission; of a closed day it is paid at once.

    The chips for a closed day come from the tray of the table's open day, or from the cage.
    """
    address = coup.address.shoe.table_day
    day = desk.casino.find(TableDay, TableDay.stream(address))
    assert day is not None
    chips = sum(each.after.paid - each.before.paid for each in changes)
    for each in changes:
        if each.before.commission_due or each.after.commission_due:
            account = desk.account(day, Stay(each.wager.patron, each.wager.stay))
            walked = account.walked
            chips += account.correct(
                coup.address, each.wager, each.before, each.after, at_once=day.closed
            )
            forms.adjust(desk, account, walked, coup.address)
    if day.closed and chips:
        desk.last_table_day(address.table).put_right(str(coup.address), chips)


@handles(commands.Readjudicate)
def readjudicate(desk: Desk, command: commands.Readjudicate) -> None:
    """Adjudicates a coup again; a disagreement is recorded, the same one only once."""
    address = addresses.Coup.parse(command.coup)
    with desk.casino.ledger.connection() as connection:
        again = one(connection, address)
    if again is None:
        raise NotFound(what=Words("coup {coup}", coup=address))
    texts = as_texts(again.disagreements)
    desk.casino.answer_fields = {"agrees": again.agrees, "disagreements": texts}
    if not again.agrees and not desk.casino.find(Adjudication, Adjudication.stream(address, texts)):
        at = desk.casino.moment
        desk.casino.make(Adjudication.disagree(address, again.rules, texts, at=at))
