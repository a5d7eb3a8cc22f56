"""What the record has about coups: their own events, their shoe's, and those of accounts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import UUID

from msgspec import Struct, field
from msgspec.structs import replace

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.coup import Coup
from domain.aggregates.open_money import OpenMoney
from domain.aggregates.shoe import Shoe
from domain.events import commission_account
from domain.events import coup as coup_events
from domain.events import shoe as shoe_events
from domain.events.base import Unreadable
from domain.review.adjudication import Adjudicated, Around, adjudicate, charges
from domain.review.burns import Burns
from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.money import Rounding
from domain.rules.refusals import SENSELESS
from ops.commands import rule_book
from ops.ledger.facts import facts_of, facts_of_each
from ops.ledger.mapper import UnknownEvent
from ops.ledger.reading import head_of
from ops.ledger.streams import line_of_fact
from ops.replay.shoes_of_range import ShoeToWalk

if TYPE_CHECKING:
    import psycopg


_OF_A_SHOE = (
    shoe_events.CoupBegun.TOPIC,
    shoe_events.CardDrawn.TOPIC,
    shoe_events.CarriedCardDealt.TOPIC,
    shoe_events.CardRenamed.TOPIC,
    shoe_events.BurnedBetween.TOPIC,
    shoe_events.BurnLeftOut.TOPIC,
)
_NOTED = (  # read for one coup, but not for a range
    *(
        shoe_events.UndueCardRefused.TOPIC,
        shoe_events.CardMisdrawn.TOPIC,
        shoe_events.CardDiscarded.TOPIC,
    ),
    *(
        shoe_events.CutCardPassed.TOPIC,
        shoe_events.CutCardShown.TOPIC,
        shoe_events.CoupNotDealt.TOPIC,
    ),
)


_BURNS = (shoe_events.BurnedBetween, shoe_events.BurnLeftOut)


def one(connection: "psycopg.Connection[Any]", address: addresses.Coup) -> Adjudicated | None:
    """Adjudicates one coup, or returns None if neither its own stream nor its shoe's has it."""
    head = head_of(connection)
    own = [line_of_fact(fact) for fact in facts_of(connection, Coup.stream(address), head)]
    learn_rules(connection, [own])
    shoe = shoe_record(connection, address, head)
    return beside(connection, address, own, head, shoe) if own or shoe.begun or shoe.drawn else None


def beside(
    connection: "psycopg.Connection[Any]",
    address: addresses.Coup,
    own: Sequence[Line],
    until: int,
    shoe: "ByShoe",
) -> Adjudicated:
    """Adjudicates a coup's own events with its shoe and the accounts, up to a position."""
    accounts = _accounts(connection, {address: own}, until)
    return adjudicate(str(address), own, shoe.around(accounts.get(str(address))))


def shoe_record(
    connection: "psycopg.Connection[Any]", address: addresses.Coup, until: int
) -> "ByShoe":
    """The events of the coup in the shoe's stream, up to a position."""
    facts = facts_of(connection, Shoe.stream(address.shoe), until, (*_OF_A_SHOE, *_NOTED))
    known: dict[int, ByShoe] = {}
    burns = Burns()
    noted: list[Line] = []
    last = 0  # the last coup begun
    shown: Line | None = None
    for line in map(line_of_fact, facts):
        event = line.event
        if isinstance(event, shoe_events.CutCardShown):
            shown = line
            if address.number in (last, event.last_coup):
                noted.append(line)
        elif isinstance(event, shoe_events.CoupNotDealt):
            if shown and shown not in noted and event.last_coup == address.number:
                noted.append(shown)
        elif getattr(event, "TOPIC", None) not in _NOTED:
            _add(known, line, burns)
            if isinstance(event, _BURNS) and event.coup == address.number:
                noted.append(line)
            last = event.coup if isinstance(event, shoe_events.CoupBegun) else last
        elif event.coup == address.number:
            noted.append(line)
    return replace(known.get(address.number) or ByShoe(), noted=noted)


class ByShoe(Struct):
    """The events of a coup in its shoe's stream."""

    begun: bool = False
    drawn: list[Line] = field(default_factory=list)
    renamed: list[Line] = field(default_factory=list)
    noted: list[Line] = field(default_factory=list)  # not draws; for one coup only
    unburned: bool = False  # begun without a burned card, which nobody recorded (R-SHOE-6)
    left_out: list[Line] = field(default_factory=list)  # that card

    def around(self, entries: "_Entries | None") -> Around:
        """These events, with the accounts' entries about the coup."""
        commission, charged = entries or ([], {})
        return Around(
            begun=self.begun,
            drawn=self.drawn,
            renamed=self.renamed,
            commission=commission,
            charges=charged,
            unburned=self.unburned,
            left_out=self.left_out,
        )


def adjudicated(
    connection: "psycopg.Connection[Any]", shoes: Sequence[ShoeToWalk], until: int
) -> Iterator[tuple[Adjudicated, int]]:
    """Each coup of some shoes of one table day adjudicated, with the number of its events."""
    coups: dict[addresses.Coup, ByShoe] = {}
    streams = [Shoe.stream(shoe.address) for shoe in shoes]
    of_shoes = facts_of_each(connection, streams, until, _OF_A_SHOE)
    for shoe, facts in zip(shoes, of_shoes, strict=True):
        known = {number: ByShoe() for number in shoe.coups}
        burns = Burns()
        for line in map(line_of_fact, facts):
            _add(known, line, burns)
        for number in sorted(known):
            coups[addresses.Coup(shoe.address, number)] = known[number]
    streams = [Coup.stream(address) for address in coups]
    lines = {
        address: [line_of_fact(fact) for fact in facts]
        for address, facts in zip(coups, facts_of_each(connection, streams, until), strict=True)
    }
    learn_rules(connection, lines.values())
    accounts = _accounts(connection, lines, until)
    for address, own in lines.items():
        by_shoe = coups[address]
        if own or by_shoe.begun or by_shoe.drawn:
            around = by_shoe.around(accounts.get(str(address)))
            yield (
                adjudicate(str(address), own, around),
                len(own) + len(by_shoe.drawn) + len(around.commission),
            )


def _add(known: dict[int, ByShoe], line: Line, burns: Burns) -> None:
    """Adds a shoe's event to its coup; an unreadable event names no coup."""
    event = line.event
    if isinstance(event, Unreadable):
        return
    coup = known.setdefault(event.coup, ByShoe())
    coup.unburned = burns.missing(event) or coup.unburned
    if isinstance(event, shoe_events.CoupBegun):
        coup.begun = True
    elif isinstance(event, shoe_events.BurnLeftOut):
        coup.left_out.append(line)
    elif isinstance(event, shoe_events.BurnedBetween):
        return
    elif isinstance(event, shoe_events.CardRenamed):
        coup.renamed.append(line)
    else:
        coup.drawn.append(line)


def learn_rules(connection: "psycopg.Connection[Any]", coups: Iterable[Sequence[Line]]) -> None:
    """Reads the house's own rule sets of these coups; the replay reports unknown ones."""
    opened = (
        lines[0].event
        for lines in coups
        if lines and isinstance(lines[0].event, coup_events.Opened)
    )
    for name, digest in sorted({(event.rules, event.rules_digest) for event in opened}):
        with suppress(*SENSELESS, UnknownEvent):
            rule_book.learn(connection, name, digest)


_Entries = tuple[list[Line], dict[int, int]]


def _accounts(
    connection: "psycopg.Connection[Any]",
    coups: Mapping[addresses.Coup, Sequence[Line]],
    until: int,
) -> dict[str, _Entries]:
    """The entries about each coup in the accounts of all stays that had a wager."""
    stays = {
        getattr(line.event, name)
        for lines in coups.values()
        for line in lines
        for name in ("stay", "to_stay")
        if hasattr(line.event, name)
    }
    entries: dict[str, _Entries] = {}
    for facts in facts_of_each(connection, stay_streams(CommissionAccount, stays), until):
        account = [
            line_of_fact(fact) for fact in facts if fact.topic in _ENTRIES or fact.version == 1
        ]
        opened = account[0].event if account else None
        charged: dict[int, int] = {}
        if isinstance(opened, commission_account.Opened) and opened.moment == "on-collection":
            with suppress(*SENSELESS):  # otherwise every charge disagrees
                charged = charges(map(line_of_fact, facts), _rounding(opened))
        for line in account:
            coup = getattr(line.event, "coup", None)
            if coup is not None:
                lines, known = entries.setdefault(coup, ([], {}))
                lines.append(line)
                known.update(charged)
    return entries


def stay_streams(kind: type[CommissionAccount | OpenMoney], stays: Iterable[object]) -> list[UUID]:
    """The streams of this kind of these stays, without any that was altered into nonsense."""
    streams = []
    for stay in sorted(stays, key=str):
        with suppress(*SENSELESS):
            streams.append(kind.stream(stay))  # type: ignore[arg-type]
    return streams


def _rounding(opened: commission_account.Opened) -> Rounding:
    return Rounding(
        mode=opened.rounding,  # type: ignore[arg-type]
        unit=opened.unit,
        minimum=opened.minimum,
        moment=opened.moment,  # type: ignore[arg-type]
    )


_ENTRIES = (
    commission_account.CommissionAccrued.TOPIC,
    commission_account.CommissionCorrected.TOPIC,
)
