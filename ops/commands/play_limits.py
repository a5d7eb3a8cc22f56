"""Commands about how much a patron plays: limits of their own or of the house's, and breaks."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from domain.rules.permissions import BOSSES, Permission
from domain.rules.play_limits import KINDS, PERIODS, WHOSE
from ops.commands.command import Amount, Command, Moment, Text, one_of

_MAY = Permission((*BOSSES, "cage"))
_MINUTES = "write minutes, as in 240"
_WHOSE_HELP = "Who wants it: the patron or the house; default patron."


class PatronLimit(Command, tag="patron.limit"):
    """Limits what a patron deposits or loses, or how long they play, over days (R-PLAY-1).

    A lower limit holds at once. A higher one of the patron's own, or `lifted`, holds after the
    days that the house's regime states: one, if it states none.
    """

    patron: Text
    kind: Annotated[str, one_of(KINDS)]
    period: Annotated[str, one_of(PERIODS)]
    amount: Amount | None = None
    minutes: Annotated[int, Meta(ge=1, le=44_640, description=_MINUTES)] | None = None
    lifted: bool = False
    whose: Annotated[str, one_of(WHOSE)] = "patron"

    arguments = ("patron", "kind", "period", "amount")
    permission = _MAY
    example = "patron limit P-10417 loss day 500"
    field_help: ClassVar[Mapping[str, str]] = {
        "kind": "What is limited: deposit, which is cash for chips; or loss, which is that less "
        "the chips for cash: chips in hand count as lost; or time at tables.",
        "period": "Over the gaming day; it and the six before; or it and the 29 before.",
        "amount": "The limit of what is deposited or lost; none with lifted.",
        "minutes": "The limit of time, in minutes.",
        "lifted": "With it the limit ends.",
        "whose": _WHOSE_HELP,
    }


class PatronBreak(Command, tag="patron.break"):
    """Gives a patron a break: until then they take no seat, no chips and no bet (R-PLAY-2).

    A break may be made longer, and never shorter.
    """

    patron: Text
    ends: Moment
    whose: Annotated[str, one_of(WHOSE)] = "patron"

    arguments = ("patron", "ends")
    permission = _MAY
    example = "patron break P-10417 23:30"
    field_help: ClassVar[Mapping[str, str]] = {
        "ends": "When it ends.",
        "whose": _WHOSE_HELP,
    }
