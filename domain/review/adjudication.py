"""A coup adjudicated again: its record by today's rules, compared with shoe and accounts.

Every card that left the shoe is in a coup, and the commission of a win is in the account of a stay.
One coup's stream shows neither, so `adjudicate` is given both. A difference becomes an exception
when it is recorded: one `Adjudication` for each way in which a coup differs.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from typing import Any, Self
from uuid import UUID

from msgspec import Struct, field

from domain.aggregates.base import OfTableDay
from domain.events import adjudication as events
from domain.events import commission_account as account_events
from domain.events import coup_wagers
from domain.events import shoe as shoe_events
from domain.events.base import OfStay
from domain.review.judged import judge
from domain.review.replay import Disagreement, Line, Replay
from domain.review.stood import Stood
from domain.rules import addresses
from domain.rules.hands import Result
from domain.rules.house_rules import HouseRules
from domain.rules.money import Rounding, decimal_string
from domain.rules.refusals import SENSELESS
from domain.rules.tab import Tab

LONGEST = 200  # characters of a text, which somebody may have altered


class Around(Struct, frozen=True):
    """The events of other streams about one coup, each in order.

    `charges`: the charge of each account entry, where it is rounded on collection.
    """

    begun: bool  # whether its shoe began it
    drawn: Sequence[Line] = ()  # shoe_events.CardDrawn, shoe_events.CarriedCardDealt
    renamed: Sequence[Line] = ()  # shoe_events.CardRenamed
    commission: Sequence[Line] = ()  # CommissionAccrued, CommissionCorrected
    charges: Mapping[int, int] = field(default_factory=dict)  # by position
    unburned: bool = False  # it was begun although a card had to be burned before it (R-SHOE-6)
    left_out: Sequence[Line] = ()  # shoe_events.BurnLeftOut


class Adjudicated(Struct, frozen=True):
    """The result for one coup; the replay is None if the beginning of its record is missing."""

    coup: str
    replay: Replay | None
    disagreements: list[Disagreement]

    @property
    def agrees(self) -> bool:
        """Whether no line differs."""
        return not self.disagreements

    @property
    def rules(self) -> str:
        """The name of the rule set by which it was adjudicated, or '' if unknown."""
        try:
            return self.replay.rules.name if self.replay else ""
        except SENSELESS:
            return ""


class _Entry(Struct, frozen=True):
    """An entry that an account must have for one wager: an accrual or a correction."""

    what: str
    winnings: int
    exact: str
    charged: int
    due: str | None


class _Owed(Struct, frozen=True):
    """The commission of a wager as it was paid."""

    winnings: int
    exact: str
    charged: int
    due: str | None

    @classmethod
    def of(cls, paid: Any) -> Self:
        """The commission in a payment, or in an event that paid a wager."""
        exact = decimal_string(Fraction(paid.commission_exact))
        return cls(paid.winnings, exact, paid.commission_charged, paid.commission_due)

    def entry(self, what: str) -> _Entry:
        """The whole of it as an entry."""
        return _Entry(what, self.winnings, self.exact, self.charged, self.due)

    def instead_of(self, before: "_Owed") -> _Entry | None:
        """The entry for it after what was owed before; None if nothing changed."""
        more = Fraction(self.exact) - Fraction(before.exact)
        if not more:
            return None
        due = "at-payout" if "at-payout" in (before.due, self.due) else "deferred"
        charged = self.charged - before.charged
        return _Entry("commission corrected", self.winnings, decimal_string(more), charged, due)


_NOTHING = _Owed(0, "0", 0, None)


def adjudicate(coup: str, lines: Sequence[Line], around: Around) -> Adjudicated:
    """Compares the record of a coup with today's code, however damaged it is."""
    replay: Replay | None = None
    differing: list[Disagreement] = []

    def own() -> Iterator[Disagreement]:
        nonlocal replay
        yield from _of_another(coup, lines)
        replay = _Complete.of(lines) if lines else None
        if replay is None:
            yield Disagreement("the record", None, "begins with the coup's opening")
        else:
            yield from judge(replay)

    def across() -> Iterator[Disagreement]:
        if not around.begun:
            yield Disagreement("the shoe", "did not begin the coup", "began it")
        if replay:
            yield from _draws_differ(replay.as_typed, around.drawn)
            yield from _names_differ(replay.card_corrected, around.renamed)
            yield from _burn_differs(replay, around)
            yield from _commission_differs(replay, around)

    parts: tuple[Callable[[], Iterator[Disagreement]], ...] = (own, across)
    for part in parts:
        try:
            differing.extend(part())
        except SENSELESS as error:
            differing.append(Disagreement("the record", None, f"readable, without {error!r}"))
    return Adjudicated(coup, replay, differing)


class _Complete(Replay, dict=True):
    """A replay with all of its events, so that its result is computed once."""

    @cached_property
    def rules(self) -> HouseRules:
        return super().rules

    @cached_property
    def result(self) -> Result | None:
        return super().result


def _of_another(coup: str, lines: Iterable[Line]) -> Iterator[Disagreement]:
    """Events that name another coup."""
    for line in lines:
        named_coup = getattr(line.event, "coup", coup)
        if named_coup != coup:
            yield Disagreement(f"position {line.position}: coup", named_coup, coup)


def _draws_differ(dealt: Iterable[Line], drawn: Iterable[Line]) -> Iterator[Disagreement]:
    """Cards that differ between the coup and its shoe."""
    by_shoe = sorted((line.event.n, line.event.card, _carried(line.event)) for line in drawn)
    by_coup = sorted((line.event.n, line.event.card, line.event.carried) for line in dealt)
    if by_shoe == by_coup:
        return
    by_number: list[dict[int, str]] = [{}, {}]
    for of, cards in zip(by_number, (by_shoe, by_coup), strict=True):
        for n, card, carried in cards:
            also = f"{of[n]} and " if n in of else ""
            of[n] = f"{also}{card}{', carried' if carried else ''}"
    shoe, own = by_number
    for n in sorted(shoe.keys() | own.keys()):
        if shoe.get(n) != own.get(n):
            yield Disagreement(f"card {n} out of the shoe", shoe.get(n), own.get(n))


def _burn_differs(replay: Replay, around: Around) -> Iterator[Disagreement]:
    """A coup begun without the burned card before it, not recorded or against its rule set."""
    wanted = replay.rules.burn_between
    if wanted != "none" and around.unburned:
        yield Disagreement("burn before the coup", "none", "burned or left out")
    for line in around.left_out:
        if line.event.rules_say != wanted:
            yield Disagreement("burn left out", line.event.rules_say, wanted)
        if line.event.rules_say == "or-coup-void" and (around.drawn or replay.settled):
            yield Disagreement("burn left out", "dealt", "or-coup-void")


def _names_differ(corrected: Iterable[Line], renamed: Iterable[Line]) -> Iterator[Disagreement]:
    """Corrected cards that differ between the coup and its shoe."""
    own, shoe = (
        ", ".join(f"{each.event.was} {each.event.n} {each.event.card}" for each in lines) or None
        for lines in (corrected, renamed)
    )
    if own != shoe:
        yield Disagreement("cards corrected in the shoe", shoe, own)


def _carried(event: Any) -> bool:
    return isinstance(event, shoe_events.CarriedCardDealt)


def _commission_differs(replay: Replay, around: Around) -> Iterator[Disagreement]:
    """Commission entries that differ between the coup and the stays' accounts."""
    expected = _entries(replay)
    recorded: dict[tuple[str, int], list[Line]] = {}
    for line in around.commission:
        recorded.setdefault((line.event.stay, line.event.seat), []).append(line)
    if not expected and not recorded:
        return
    on_collection = replay.rules.commission.rounding.moment == "on-collection"
    for stay, seat in sorted(expected.keys() | recorded.keys()):
        pairs = zip_longest(expected.get((stay, seat), ()), recorded.get((stay, seat), ()))
        for entry, line in pairs:
            if line is None:
                yield Disagreement(f"seat {seat}: {entry.what} in {stay}", None, entry.exact)
            elif entry is None:
                what = f"seat {seat}: {_what(line.event)} in {stay}"
                yield Disagreement(what, line.event.exact, None)
            else:
                charge = around.charges.get(line.position, entry.charged)
                yield from _entry_differs(
                    f"seat {seat}: {entry.what} in {stay}",
                    line.event,
                    entry,
                    charge if on_collection and entry.due == "deferred" else entry.charged,
                )


def _entry_differs(what: str, event: Any, entry: _Entry, charged: int) -> Iterator[Disagreement]:
    if _what(event) != entry.what:
        yield Disagreement(what, _what(event), entry.what)
    pairs = (
        ("winnings", event.winnings, entry.winnings),
        ("exact", event.exact, entry.exact),
        ("charged", event.charged, charged),
        ("due", event.due, entry.due),
    )
    for name, recorded, adjudicated in pairs:
        if recorded != adjudicated:
            yield Disagreement(f"{what}: {name}", recorded, adjudicated)


def _what(event: Any) -> str:
    accrued = isinstance(event, account_events.CommissionAccrued)
    return "commission accrued" if accrued else "commission corrected"


def _entries(replay: Replay) -> dict[tuple[str, int], list[_Entry]]:
    """The entries that the accounts must have for the coup, by stay and seat, in order."""
    entries: dict[tuple[str, int], list[_Entry]] = {}
    if replay.settled is None:
        return entries
    for line in replay.payments:
        if line.event.commission_due:
            entry = _Owed.of(line.event).entry("commission accrued")
            entries.setdefault((line.event.stay, line.event.seat), []).append(entry)
    followed = (*replay.paid_late, *replay.moved, *replay.corrected, *replay.returned)
    for line in sorted(followed, key=lambda line: line.position):
        for stay, seat, was, now in _changes(line.event, replay.stood[line.position]):
            if changed := now.instead_of(was):
                entries.setdefault((stay, seat), []).append(changed)
    return entries


def _changes(event: Any, stood: Stood) -> list[tuple[str, int, _Owed, _Owed]]:
    """By stay and seat, what a wager owed in commission before it was put right, and after."""
    payment = stood.paid.get((event.seat, event.spot))
    before = _Owed.of(payment) if payment else _NOTHING
    match event:
        case coup_wagers.WagerMoved():
            return [
                (event.stay, event.seat, before, _NOTHING),
                (event.to_stay, event.to_seat, _NOTHING, before),
            ]
        case coup_wagers.WagerReturned():
            return [(event.stay, event.seat, before, _NOTHING)]
        case _:
            return [(event.stay, event.seat, before, _Owed.of(event))]


def charges(account: Iterable[Line], rounding: Rounding) -> dict[int, int]:
    """The charge of each entry of an account, by position.

    Rounded on collection, it depends on what accrued and was paid before.
    """
    tabs: dict[str, Tab] = {}
    by_position = {}
    for line in account:
        event = line.event
        match event:
            case account_events.CommissionAccrued() | account_events.CommissionCorrected():
                tab, exact = tabs.setdefault(event.shoe, Tab()), Fraction(event.exact)
                win = f"{event.coup} {event.seat}"
                alone = event.due == "at-payout"
                by_position[line.position] = tab.charge_of(win, exact, rounding, alone=alone)
                tab.add(win, exact, event.charged, alone=alone)
            case _:
                _settle(event, tabs)
    return by_position


def _settle(event: OfStay, tabs: dict[str, Tab]) -> None:
    """Enters what was paid, written off, given back or carried, in the tabs of its shoes."""
    match event:
        case account_events.CommissionRefunded() | account_events.CommissionOwedAgain():
            for shoe, part in event.by_shoe.items():
                tabs[shoe].owed += part
        case account_events.CommissionBroughtForward():
            for shoe, part in event.by_shoe.items():
                tabs.setdefault(shoe, Tab()).take_back(part)
        case account_events.CollectionCorrected():
            for shoe, part in event.by_shoe_before.items():
                tabs[shoe].take_back(part)
            for shoe, part in event.by_shoe.items():
                tabs[shoe].pay(part)
        case (
            account_events.CommissionCollected()
            | account_events.CommissionWaived()
            | account_events.CommissionWalked()
            | account_events.CommissionCarriedForward()
        ):
            for shoe, part in event.by_shoe.items():
                tabs[shoe].pay(part)


def as_texts(disagreements: Iterable[Disagreement]) -> list[events.Text]:
    """The differences as short printable texts, for an event."""
    return [
        {
            "what": _text(each.what),
            "recorded": _text(each.recorded),
            "adjudicated": _text(each.adjudicated),
        }
        for each in disagreements
    ]


def _text(value: object) -> str:
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else json.dumps(value, default=repr)
    shown = text if text.isprintable() else ascii(text)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def fingerprint(coup: str, disagreements: list[events.Text]) -> str:
    """The same text for the same coup with the same differences."""
    content = json.dumps([coup, disagreements], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:32]


class Adjudication(OfTableDay, events.State):
    """A difference of one coup, in a stream of its own, because the coup's may be unreadable."""

    @staticmethod
    def stream(address: addresses.Coup, disagreements: list[events.Text]) -> UUID:
        """The stream of a difference; another difference of the coup has another."""
        name = f"{address} {fingerprint(str(address), disagreements)}"
        return addresses.stream_id("adjudication", name, address.shoe.table_day.day)

    # Commands: decide; refuse, or record an event.
    @classmethod
    def disagree(cls, address: addresses.Coup, adjudicated: Adjudicated, *, at: datetime) -> Self:
        """Records the differences of a coup, which somebody should look at."""
        replay, disagreements = adjudicated.replay, as_texts(adjudicated.disagreements)
        return cls.begin(
            events.Disagreed(
                coup=str(address),
                table_day=str(replay.state.table_day if replay else address.shoe.table_day),
                rules=adjudicated.rules,
                disagreements=disagreements,
            ),
            cls.stream(address, disagreements),
            at,
        )
