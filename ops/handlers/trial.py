"""What a line would do, tried as things are now; nothing of it is recorded."""

from datetime import datetime

from domain.rules.refusals import Refusal, SecondPersonNeeded
from domain.rules.wording import Words
from ops.commands.command import Command
from ops.commands.coup import Bet, Bets, Settle
from ops.commands.read import Line
from ops.commands.second_person import ANYBODY
from ops.handlers.answer import Answer, refused, with_file
from ops.handlers.as_enrolled import read_as_enrolled
from ops.handlers.beside import beside
from ops.handlers.cash import Asked, cash_ahead
from ops.handlers.decided import decide, events_of
from ops.handlers.desk import Desk
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.to_sign import ToSign
from ops.words.cash import Ahead
from ops.words.event_values import run_on


def second_of(dispatcher: Dispatcher, line: Line) -> str | None:
    """The number of the person whose PIN the line needs; '' for any who may, None for nobody.

    Raises LedgerLost.
    """
    return dispatcher.casino.ask(lambda: _second_of(dispatcher, line))


def _second_of(dispatcher: Dispatcher, line: Line) -> str | None:
    casino = dispatcher.casino
    casino.begin(Command())
    try:
        command = read_as_enrolled(casino, line)
        named = command.second_person
        if not (dispatcher.in_person if named else _may_take_two(dispatcher, command)):
            return None
        casino.forget()  # what others wrote since counts too
        casino.begin(command)
        dispatcher.authority.require(command)
        if not named and command.permission.two_in_open_house:
            decide(dispatcher.desk, command)
    except Refusal as refusal:
        return named if isinstance(refusal, SecondPersonNeeded) else None
    finally:
        casino.take_back()
    return None


def to_sign(dispatcher: Dispatcher, line: Line) -> ToSign | Answer:
    """What a second person signs with this line, or its refusal if no signature helps.

    Nothing where the refusal itself is to be on record: that line is sent with `NOTHING_TO_SIGN`.
    Raises LedgerLost.
    """
    return dispatcher.casino.ask(lambda: _to_sign(dispatcher, line))


def _to_sign(dispatcher: Dispatcher, line: Line) -> ToSign | Answer:
    casino, desk = dispatcher.casino, dispatcher.desk
    casino.begin(Command())
    try:
        command = read_as_enrolled(casino, {"with": ANYBODY, **line}, dispatcher.commands)
        casino.forget()
        casino.begin(command)
        dispatcher.authority.require(command, second_presumed=True)
        decide(desk, command)
        return ToSign(events_of(desk), desk.house().currency, beside(desk, command))
    except Refusal as refusal:
        return ToSign() if refusal.recorded else _refused(desk, line, refusal)
    finally:
        casino.take_back()


def _refused(desk: Desk, line: Line, refusal: Refusal) -> Answer:
    return with_file(refused(line, refusal, local=desk.local), desk.ahead)


def ahead_of(dispatcher: Dispatcher, asked: Asked) -> Ahead | None:
    """What cash would bring about, by the house's regime; None for nothing. Raises LedgerLost."""
    return dispatcher.casino.look(lambda: cash_ahead(dispatcher.desk, asked))


def announced(dispatcher: Dispatcher, line: Line) -> Words | None:
    """What is shown before a line that takes or pays cash is sent; None for nothing.

    Where the house holds or refuses such cash, the refusal says it. Raises LedgerLost.
    """
    return dispatcher.casino.ask(lambda: _announced(dispatcher, line))


def _announced(dispatcher: Dispatcher, line: Line) -> Words | None:
    casino, desk = dispatcher.casino, dispatcher.desk
    casino.begin(Command())
    try:
        command = read_as_enrolled(casino, line)
        casino.forget()  # what others wrote since counts too
        casino.begin(command)
        desk.ahead = desk.pause = None
        decide(desk, command)
        ahead = desk.ahead if desk.ahead and desk.ahead.alerts else None
        words = Words("{sentence}.", sentence=ahead.words_on_file) if ahead else None
        return run_on([desk.pause, words]) if desk.pause and words else desk.pause or words
    except Refusal:
        return None
    finally:
        casino.take_back()


def require_past(dispatcher: Dispatcher, moment: datetime | None) -> None:
    """Refuses a moment that no line may state yet: BadValue. Raises LedgerLost."""
    casino = dispatcher.casino
    casino.ask(lambda: casino.begin(Command(at=moment)))


def _may_take_two(dispatcher: Dispatcher, command: Command) -> bool:
    """Whether the command can need a second person, and is tried for that.

    A bet in time needs one only where the rule set lets patrons bet on both sides by leave, a
    settlement only where large payments of a meter take two.
    """
    if isinstance(command, Settle):
        return dispatcher.desk.table_in_play(command.table).rules.asks_for_two
    if isinstance(command, Bet | Bets) and not command.late:
        return dispatcher.desk.table_in_play(command.table).rules.both_sides == "with-leave"
    return command.permission.may_take_two
