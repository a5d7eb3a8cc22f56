"""A coup as one patron is shown it: that patron's lines, the cards and the rules.

Every wager is told as the patron's whose it is now. Of everybody else nothing is left: no name, no
seat, no amount, and no total in which there is one. Written reasons and notes are left out too,
because they may name anybody.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.events import coup, coup_coupons, coup_wagers, dispute, shoe, table_money
from domain.review.replay import Disagreement, Line
from domain.rules.money import major
from domain.rules.wording import Words
from ops.ledger.mapper import fields_of
from ops.words.terms import A_PATRON, WITHHELD

SOMEBODY = Words("another patron")
_WRITTEN = ("reason", "text", "detail")  # text by people, which may name anybody
_HOLDERS = ("player", "banker", "by", "shoe_holder")  # `seat 5`, as of the coup
_SEAT = re.compile(r"seat (\d+)\b")
_TOTALS = ("staked and paid", "changes hands", "payments")
_OF_ALL = (
    coup_wagers.LimitFoundBroken,
    table_money.EarlierCoupPutRight,
)  # without a seat: all together


class PatronsCopy(Struct, frozen=True):
    """What is in the copy for one patron, who has these names."""

    names: frozenset[str]
    currency: str
    moves: Sequence[Line]  # of wagers that were somebody else's
    seats: frozenset[int]  # the patron's in this coup, and nobody else's
    settled: Sequence[Any]  # the patron's payments, and their wagers that were returned
    returned: Sequence[Any]

    @classmethod
    def of(cls, coup_lines: Sequence[Line], names: Collection[str], currency: str) -> "PatronsCopy":
        """The copy of a coup with these events of its own."""
        moves = [line for line in coup_lines if isinstance(line.event, coup_wagers.WagerMoved)]
        whole = cls(frozenset(names), currency, moves, frozenset(), (), ())
        events = [whole.as_owned(line) for line in coup_lines]
        kinds = coup_wagers.OfWager | coup_coupons.OfCoupon
        wagers = [event for event in events if isinstance(event, kinds)]
        mine = [event for event in wagers if event.patron in whole.names]
        seats = {event.seat for event in mine} - {
            event.seat for event in wagers if event.patron not in whole.names
        }
        return replace(
            whole,
            seats=frozenset(seats),
            settled=[event for event in mine if isinstance(event, coup_wagers.WagerSettled)],
            returned=[event for event in mine if isinstance(event, coup_wagers.WagerReturned)],
        )

    def also_of(self, coup_lines: Sequence[Line]) -> "PatronsCopy":
        """The same copy, of a coup with these events of its own."""
        return self.of(coup_lines, self.names, self.currency)

    def own(self, lines: Iterable[Line]) -> list[Line]:
        """The coup's lines that are in the copy; a wager is the patron's whose it is now."""
        return [
            line
            for line in self.shown(Line(each.position, self.as_owned(each)) for each in lines)
            if not isinstance(line.event, coup_wagers.WagerMoved)
        ]

    def shown(self, lines: Iterable[Line]) -> list[Line]:
        """The lines that are in the copy, each without anybody else."""
        events = ((line, self.event(line.event)) for line in lines)
        return [replace(line, event=event) for line, event in events if event is not None]

    def disagreements(self, differing: Iterable[Disagreement]) -> list[Disagreement]:
        """The lines that differ: the patron's, and those of the cards and the rules."""
        return [self._unnamed(each) for each in differing if self._concerns(each.what)]

    def as_owned(self, line: Line) -> Any:
        """The event of a line; of a wager with the patron whose it is now."""
        event = line.event
        if not isinstance(event, coup_wagers.OfWager) or isinstance(event, coup_wagers.WagerMoved):
            return event
        for move in self.moves:
            to = move.event
            if line.position < move.position and (event.seat, event.spot) == (to.seat, to.spot):
                event = replace(event, seat=to.to_seat, patron=to.to_patron, stay=to.to_stay)
        return event

    def event(self, event: Any) -> Any:
        """The event without anybody else; None if it is about somebody else alone."""
        if isinstance(event, coup_wagers.WagerMoved):
            return self._moved(event)
        if not self._is_theirs(event):
            return None
        texts = {name: text for name, text in fields_of(event).items() if isinstance(text, str)}
        withheld = {name: WITHHELD for name in _WRITTEN if name in texts}
        holders = [name for name in _HOLDERS if name in texts and not self._concerns(texts[name])]
        return self._summed(replace(event, **withheld, **dict.fromkeys(holders, A_PATRON)))

    def _is_theirs(self, event: Any) -> bool:
        patron = getattr(event, "patron", None)
        if patron is not None:
            return patron in self.names
        if isinstance(event, coup_wagers.PaymentDisagreed):
            return event.seat in self.seats
        return not isinstance(event, _OF_ALL)

    def _moved(self, event: coup_wagers.WagerMoved) -> coup_wagers.WagerMoved | None:
        """A wager that became the patron's, or was taken for the patron's."""
        here, there = event.patron in self.names, event.to_patron in self.names
        if not (here or there):
            return None
        shown = replace(event, reason=WITHHELD)
        if not here:
            shown = replace(shown, seat=None, patron=SOMEBODY, stay=SOMEBODY)
        if not there:
            shown = replace(shown, to_seat=None, to_patron=SOMEBODY, to_stay=SOMEBODY)
        return shown

    def _summed(self, event: Any) -> Any:
        """The event with each field in which others are counted for this patron alone."""
        match event:
            case coup.Settled():
                stays = {each.stay for each in self.settled}
                event = replace(
                    event,
                    stakes=sum(each.stake for each in self.settled),
                    paid=sum(each.paid for each in self.settled),
                    as_it_wins=[stay for stay in event.as_it_wins if stay in stays],
                )
            case coup.Voided():
                event = replace(event, changes_hands=self._back)
            case shoe.Cut():
                event = replace(event, cut_by=_unseated(event.cut_by))
            case shoe.Passed():
                event = replace(event, holder=_unseated(event.holder))
            case dispute.Opened():
                texts = filter(self._concerns, event.disagreements)
                event = replace(event, disagreements=list(texts), others=[])
            case dispute.Decided() if event.decision == "void" or not self._concerns(event.effect):
                event = self._decided(event)
        return event

    @property
    def _back(self) -> int:
        return sum(each.changes_hands for each in self.returned)

    def _decided(self, event: dispute.Decided) -> dispute.Decided:
        """A decision that paid others too: what it did for the patron."""
        void = event.decision == "void"
        commission = -sum(each.commission_before for each in self.returned) if void else 0
        return replace(
            event,
            seat=None,
            spot=None,
            to=None,
            effect="; ".join(self._effect(event.effect, commission)) or WITHHELD,
            changes_hands=self._back if void else 0,
            commission_changes=commission,
        )

    def _effect(self, effect: str, commission: int) -> Iterator[str]:
        """The parts of a decision's effect that are about the patron, or about the coup."""
        for part in effect.split("; "):
            if not part.endswith(" commission") and self._concerns(part):
                yield part
        if commission:
            more = "more" if commission > 0 else "less"
            yield f"{major(abs(commission), self.currency)} {more} commission"

    def _concerns(self, text: str) -> bool:
        """Whether a text is about no seat but the patron's, and no total of all."""
        seats = {int(each) for each in _SEAT.findall(text)}
        return seats <= self.seats and text.partition(":")[0] not in _TOTALS

    def _unnamed(self, each: Disagreement) -> Disagreement:
        if each.what.endswith((": patron", ": stay")):
            return replace(each, recorded=SOMEBODY, adjudicated=WITHHELD)
        return each


def _unseated(who: str) -> str:
    """A holder, or whoever cut, without a seat: somebody else may have had it before this coup."""
    return A_PATRON if _SEAT.match(who) else who
