"""A coup adjudicated again: its own record by today's rules, and beside what others tell of it.

A card cannot leave the shoe without landing in a coup, and the commission of a win stands in the
account of a stay. One coup's stream shows neither, so `adjudicate` is given both. What it finds is
an exception once somebody has stated it: one `Adjudication` for each way in which a coup disagrees.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from typing import Any, Self
from uuid import UUID

from msgspec import Struct, field

from domain.aggregates.base import Aggregate
from domain.events import adjudication as events
from domain.events import commission_account as account_events
from domain.events import coup as coup_events
from domain.events import shoe as shoe_events
from domain.review.replay import Disagreement, Line, Replay
from domain.rules import addresses
from domain.rules.hands import Result
from domain.rules.house_rules import HouseRules
from domain.rules.money import Rounding, decimal_string
from domain.rules.refusals import SENSELESS
from domain.rules.tab import Tab

LONGEST = 200  # characters of a text that somebody may have altered


class Around(Struct, frozen=True):
    """What other streams tell of one coup, each in order.

    `charges`: what each entry of the account comes to where that is rounded on collection.
    """

    begun: bool  # by its shoe
    drawn: Sequence[Line] = ()  # shoe_events.CardDrawn, shoe_events.CarriedCardDealt
    commission: Sequence[Line] = ()  # CommissionAccrued, CommissionCorrected
    charges: Mapping[int, int] = field(default_factory=dict)  # by position


class Adjudicated(Struct, frozen=True):
    """What came of one coup: the replay is None when the beginning of its record is gone."""

    coup: str
    replay: Replay | None
    disagreements: list[Disagreement]

    @property
    def agrees(self) -> bool:
        """Whether not a single line differs."""
        return not self.disagreements

    @property
    def rules(self) -> str:
        """The name of the rule set by which it was adjudicated; '' when nobody knows."""
        try:
            return self.replay.rules.name if self.replay else ""
        except SENSELESS:
            return ""


class _Entry(Struct, frozen=True):
    """What an account must say of one wager, once: its commission arose, or came to other."""

    what: str
    winnings: int
    exact: str
    charged: int
    due: str | None  # None: it was put right, and tells none


def adjudicate(coup: str, lines: Sequence[Line], around: Around) -> Adjudicated:
    """Every line in which the record is not what today's code says, whatever it has become."""
    replay: Replay | None = None
    found: list[Disagreement] = []

    def own() -> Iterator[Disagreement]:
        nonlocal replay
        yield from _of_another(coup, lines)
        replay = _ToldOnce.of(lines) if lines else None
        if replay is None:
            yield Disagreement("the record", None, "begins with the coup's opening")
        else:
            yield from replay.adjudicate()

    def across() -> Iterator[Disagreement]:
        if not around.begun:
            yield Disagreement("the shoe", "did not begin the coup", "began it")
        if replay:
            yield from _draws_differ(replay.dealt, around.drawn)
            yield from _commission_differs(replay, around)

    parts: tuple[Callable[[], Iterator[Disagreement]], ...] = (own, across)
    for part in parts:
        try:
            found.extend(part())
        except SENSELESS as error:
            found.append(Disagreement("the record", None, f"makes sense: {error!r} does not"))
    return Adjudicated(coup, replay, found)


class _ToldOnce(Replay, dict=True):
    """All its events are told, so that what they come to is reckoned once."""

    @cached_property
    def rules(self) -> HouseRules:
        return super().rules

    @cached_property
    def result(self) -> Result | None:
        return super().result


def _of_another(coup: str, lines: Iterable[Line]) -> Iterator[Disagreement]:
    """Every event says whose it is."""
    for line in lines:
        said = getattr(line.event, "coup", coup)
        if said != coup:
            yield Disagreement(f"position {line.position}: coup", said, coup)


def _draws_differ(dealt: Iterable[Line], drawn: Iterable[Line]) -> Iterator[Disagreement]:
    """Each card of the coup left its shoe as the same card, and none left it for nothing."""
    by_shoe = sorted((line.event.n, line.event.card, _carried(line.event)) for line in drawn)
    by_coup = sorted((line.event.n, line.event.card, line.event.carried) for line in dealt)
    if by_shoe == by_coup:
        return
    told: list[dict[int, str]] = [{}, {}]
    for of, cards in zip(told, (by_shoe, by_coup), strict=True):
        for n, card, carried in cards:
            also = f"{of[n]} and " if n in of else ""
            of[n] = f"{also}{card}{', carried' if carried else ''}"
    shoe, own = told
    for n in sorted(shoe.keys() | own.keys()):
        if shoe.get(n) != own.get(n):
            yield Disagreement(f"card {n} out of the shoe", shoe.get(n), own.get(n))


def _carried(event: Any) -> bool:
    return isinstance(event, shoe_events.CarriedCardDealt)


def _commission_differs(replay: Replay, around: Around) -> Iterator[Disagreement]:
    """Each commission that arose, or was put right, stands in the stay's account."""
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
    arose = isinstance(event, account_events.CommissionAccrued)
    return "commission accrued" if arose else "commission corrected"


def _entries(replay: Replay) -> dict[tuple[str, int], list[_Entry]]:
    """What the accounts must say of the coup, by stay and seat, in order."""
    found: dict[tuple[str, int], list[_Entry]] = {}
    if replay.settled is None:
        return found
    stood = {}
    for line in replay.payments:
        event = line.event
        due = event.commission_due
        stood[event.seat, event.spot] = (event.commission_exact, event.commission_charged, due)
        if event.commission_due:
            terms = event.winnings, event.commission_exact, event.commission_charged
            entry = _Entry("commission accrued", *terms, event.commission_due)
            found.setdefault((event.stay, event.seat), []).append(entry)
    for line in sorted((*replay.corrected, *replay.returned), key=lambda line: line.position):
        event = line.event
        before = stood.get((event.seat, event.spot))
        if before is None:
            continue
        put_right = isinstance(event, coup_events.PaymentCorrected)
        after = ("0", 0, None)
        if put_right:
            after = (event.commission_exact, event.commission_charged, event.commission_due)
        more = Fraction(after[0]) - Fraction(before[0])
        if more:
            won = event.winnings if put_right else 0
            due = "at-payout" if "at-payout" in (before[2], after[2]) else "deferred"
            entry = _Entry(
                "commission corrected", won, decimal_string(more), after[1] - before[1], due
            )
            found.setdefault((event.stay, event.seat), []).append(entry)
        stood[event.seat, event.spot] = after
    return found


def charges(account: Iterable[Line], rounding: Rounding) -> dict[int, int]:
    """What each entry of an account comes to, in order, by position.

    Rounded on collection, it depends on what accrued and was paid before.
    """
    tabs: dict[str, Tab] = {}
    found = {}
    for line in account:
        event = line.event
        match event:
            case account_events.CommissionAccrued() | account_events.CommissionCorrected():
                tab, exact = tabs.setdefault(event.shoe, Tab()), Fraction(event.exact)
                win = f"{event.coup} {event.seat}"
                alone = event.due == "at-payout"
                found[line.position] = tab.charge_of(win, exact, rounding, alone=alone)
                tab.add(win, exact, event.charged, alone=alone)
            case account_events.CommissionRefunded() | account_events.CommissionOwedAgain():
                for shoe, part in event.by_shoe.items():
                    tabs[shoe].owed += part
            case (
                account_events.CommissionCollected()
                | account_events.CommissionWaived()
                | account_events.CommissionWalked()
            ):
                for shoe, part in event.by_shoe.items():
                    tabs[shoe].pay(part)
    return found


def as_texts(disagreements: Iterable[Disagreement]) -> list[events.Text]:
    """In words that may be kept for ever, whatever somebody has put into the record."""
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
    """The same for the same coup that disagrees in the same lines."""
    said = json.dumps([coup, disagreements], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:32]


class Adjudication(Aggregate, events.State):
    """One way in which the record of a coup disagrees; in a stream of its own, as the coup's may
    be unreadable.
    """

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table of the coup."""
        return self.address.shoe.table_day.day, self.address.shoe.table_day.table

    @staticmethod
    def stream(address: addresses.Coup, disagreements: list[events.Text]) -> UUID:
        """Where this disagreement's event is; another one of the coup has another."""
        name = f"{address} {fingerprint(str(address), disagreements)}"
        return addresses.stream_id("adjudication", name, address.shoe.table_day.day)

    # Commands: decide; refuse, or record an event.
    @classmethod
    def disagree(
        cls, address: addresses.Coup, rules: str, disagreements: list[events.Text], *, at: datetime
    ) -> Self:
        """The record is not what today's code says, and somebody should look at it."""
        return cls.begin(
            events.Disagreed(
                coup=str(address),
                rules=rules,
                disagreements=disagreements,
            ),
            cls.stream(address, disagreements),
            at,
        )
