"""What a trainee does by a line: whether it is of the course, accepts the claim, or repeats it."""

from ops.terminal.training.moments import Betting, Dealing, Leaving, Moment, Paying
from ops.typed.acts import (
    Act,
    Bets,
    Cards,
    Collect,
    Drawn,
    Help,
    NoMoreBets,
    Objection,
    Reveal,
    Settle,
    Spoken,
    TakeBack,
    Undo,
    WhoOwes,
)

OWN_ACTS = (
    *(Bets, TakeBack, Undo, NoMoreBets, Cards, Drawn, Settle, Collect, Reveal, Help, WhoOwes),
    Objection,
)
OWN_COMMANDS = (
    *("shoe.load", "shoe.inspect", "shoe.shuffle", "shoe.cut", "shoe.burn"),
    *("table.leave", "open"),
)


def is_of_the_course(act: Act) -> bool:
    """Whether a course ever asks for such a line."""
    return isinstance(act, OWN_ACTS) or (isinstance(act, Spoken) and act.name in OWN_COMMANDS)


def accepts(moment: Moment, act: Act) -> bool:
    """Whether the trainee enters what is due, and so accepts the claim of the moment."""
    match moment, act:
        case (Betting(), NoMoreBets()) | (Dealing(), Cards()) | (Paying(), Settle()):
            return True
        case Leaving(), Spoken(name="table.leave"):
            return True
    return False


def enters_mistake(moment: Moment, act: Act) -> bool:
    """Whether the trainee enters a mistake of a patron or of the caller."""
    tried = moment.tried if isinstance(moment, Betting) else moment.late
    match act:
        case Bets() if tried:
            return (tried.seat, tried.spot) in {(s, each.spot) for s, each in act.wagers}
        case TakeBack(seats=seats) if tried:
            return tried.back and tried.seat in seats
        case Undo() if tried:
            return tried.back
        case Spoken(name="table.leave"):
            return isinstance(moment, Leaving)
        case Settle():
            return isinstance(moment, Paying) and bool(act.paid)
    return False
