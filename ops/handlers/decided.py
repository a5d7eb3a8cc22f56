"""A command decided at the desk: its events, and the answer that accepts it."""

from domain.events import coup as coup_events
from domain.events.coup_coupons import OfCoupon
from domain.events.coup_wagers import OfWager
from domain.rules import addresses
from ops.commands.command import Command
from ops.commands.read import Line
from ops.handlers import progressives
from ops.handlers.answer import Answer, accepted_with
from ops.handlers.coupons_followed import follow_coupons
from ops.handlers.desk import Desk
from ops.handlers.handlers import handler_of
from ops.ledger.chain import Fields
from ops.ledger.mapper import answered

OF_A_CARD = ("CardDrawn", "CarriedCardDealt", "CardDealt", "CardMoved")
_NAMED = {  # what the answer names beside its events
    "slip": ("SlipRequested",),
    "form": ("UncollectedFormIssued", "RecoveryFormIssued", "JackpotFormIssued"),
    "case": ("DisputeOpened",),
    "inquiry": ("InquiryOpened",),
    "incident": ("IncidentOpened",),
    "aml_case": ("AmlCaseOpened",),
}
_CASES = ("case", "inquiry", "incident", "aml_case")


def decide(desk: Desk, command: Command) -> None:
    """Has the command's handler decide; meters, coupons and accounts follow what it changed."""
    handler_of(type(command))(desk, command)
    events = desk.casino.act.events
    for address in {each.coup: None for each in events if isinstance(each, coup_events.Event)}:
        coup = desk.coup_at(addresses.Coup.parse(address))
        if coup.rules.progressives and coup.phase in ("settled", "voided"):
            progressives.follow(desk, coup)
    follow_coupons(desk, [each for each in events if isinstance(each, OfCoupon)])
    wagers = [each for each in desk.casino.act.events if isinstance(each, OfWager)]
    if wagers and desk.coup_at(addresses.Coup.parse(wagers[0].coup)).rules.accounts:
        from ops.handlers.accounts import follow_wagers  # most tables have chips only

        follow_wagers(desk, wagers)


def events_of(desk: Desk) -> list[Fields]:
    """The command's events, in order, as the answer has them; face-down cards are hidden."""
    events = answered(desk.casino.act.events)
    for event in events:
        if event["type"] in OF_A_CARD and _is_face_down(desk, event):
            event["card"] = None
    return events


def _is_face_down(desk: Desk, event: Fields) -> bool:
    """Whether the card of an event is not turned yet (R-DEAL-3, R-DEAL-5)."""
    address = f"{event['shoe']}/{event['coup']}" if "shoe" in event else event["coup"]
    coup = desk.coup_at(addresses.Coup.parse(address))
    return not coup.is_face_up(event["n"])


def accepted(desk: Desk, line: Line) -> Answer:
    """The answer to a line that was decided; its position comes when it is on record."""
    table = desk.table_of(desk.casino.command)
    coup, due = desk.outlook(table) if table else (None, None)
    events = events_of(desk)
    named = {
        name: event[name]
        for name, kinds in _NAMED.items()
        for event in reversed(events)  # the first one of these counts
        if event["type"] in kinds
    }
    return accepted_with(
        line,
        {
            "coup": coup,
            **{name: named[name] for name in ("slip", "form") if name in named},
            **desk.casino.answer_fields,
            **{name: named[name] for name in _CASES if name in named},
            "events": events,
            "due": due.as_dict() if due else None,
        },
    )
