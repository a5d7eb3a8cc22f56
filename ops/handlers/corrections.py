"""Corrections after the game: coups voided, payments corrected, coups adjudicated again."""

from domain.aggregates.corrections import Change, Rightly
from domain.aggregates.coup import Coup
from domain.aggregates.shoe import Shoe
from domain.aggregates.tray import Signed
from domain.review.adjudication import Adjudication, as_texts
from domain.rules import addresses
from domain.rules.cards import card
from domain.rules.refusals import BadValue, MissingField, NotFound
from domain.rules.seating import Stay
from domain.rules.wording import Words
from ops.commands import corrections as commands
from ops.handlers import progressives
from ops.handlers.carded import require_card_to_bet
from ops.handlers.coup import follow
from ops.handlers.coupons_followed import gone_on
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.next_coup import begin_dummy
from ops.handlers.over_coups import count_again
from ops.handlers.whose import named_then, when_betting
from ops.replay.coup_record import one


@handles(commands.CoupVoid)
def void(desk: Desk, command: commands.CoupVoid) -> None:
    """Voids a coup of any day, and the commission on its wins."""
    void_coup(desk, coup_of(desk, command), command.reason, command.second or "")


def void_coup(desk: Desk, coup: Coup, reason: str, second: str) -> list[Change]:
    """Returns every wager of a coup, and corrects commission and chips; each wager's change."""
    changes = coup.void(reason, desk.casino.actor, second)
    follow(desk, coup, changes)
    count_again(desk, coup, Signed(reason, desk.casino.actor, second))
    day = desk.last_table_day(coup.table_day.table)
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
        coup_of(desk, command),
        Rightly(command.seat, command.spot, command.to, command.as_spot, command.stake),
        command.reason,
        command.second or "",
    )


def correct_payment(
    desk: Desk, coup: Coup, rightly: Rightly, reason: str, second: str
) -> list[Change]:
    """Pays a settled wager a different amount, and corrects commission and chips; each change."""
    progressives.read(desk, coup, rightly.as_spot)
    changes = coup.correct(rightly, Signed(reason, desk.casino.actor, second))
    follow(desk, coup, changes)
    if rightly.stake is not None:
        for each in changes:
            _note_uncarded(desk, coup, each.wager.seat, Stay(each.wager.patron, each.wager.stay))
    return changes


def coup_of(desk: Desk, command: commands.OfCoup) -> Coup:
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


@handles(commands.CoupCorrectCard)
def correct_card(desk: Desk, command: commands.CoupCorrectCard) -> None:
    """Corrects a card of any coup whose shoe was not counted; payments and the count follow."""
    coup = coup_of(desk, command)
    signed = Signed(command.reason, desk.casino.actor, command.second or "")
    shoe = desk.casino.find(Shoe, Shoe.stream(coup.address.shoe))
    assert shoe is not None
    rightly = card(command.card)
    shoe.require_not_generated(rightly)
    then = [card(each) for each in command.then]
    was, gone = coup.hands.result, gone_on(desk, coup)
    change = coup.correct_card(command.n, rightly, command.after, signed, then=then, gone=gone)
    shoe.correct_card(coup.address.number, command.n, rightly, change)
    follow(desk, coup, change.changes)
    count_again(desk, coup, signed, was)
    day = desk.last_table_day(coup.table_day.table)
    if day.shoe == shoe.address:
        begin_dummy(desk, day, shoe)


@handles(commands.CoupMoveWager)
def move_wager(desk: Desk, command: commands.CoupMoveWager) -> None:
    """Moves a wager of any day to whose it was; its commission moves along.

    Refuses: MissingField, SeatEmpty, NotFound, BadValue.
    """
    if command.to_seat is None and command.patron is None:
        raise MissingField(message=Words("Whose wager was it? Name a seat or a patron."))
    coup = coup_of(desk, command)
    day = desk.day_of(coup)
    to_seat = command.seat if command.to_seat is None else command.to_seat
    day.require_seat(to_seat)
    when = when_betting(desk, coup)
    whose = command.patron
    stay = day.stay_then(to_seat, when) if whose is None else named_then(desk, day, whose, when)
    signed = Signed(command.reason, desk.casino.actor, command.second or "")
    follow(desk, coup, coup.move_wager(command.seat, command.spot, to_seat, stay, signed))
    _note_uncarded(desk, coup, to_seat, stay)


def _note_uncarded(desk: Desk, coup: Coup, seat: int, stay: Stay) -> None:
    """Notes what a stay really had on a coup, if that is only played by card (R-PLAY-5)."""
    require_card_to_bet(desk, desk.day_of(coup), coup, seat, stay, past=True)


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
        desk.casino.make(Adjudication.disagree(address, again, at=desk.casino.moment))
