"""Where money goes by a command's events: amounts between named places.

Whatever is said of money to whoever signs a command is computed from these. A movement is of
chips or cash that somebody hands over now; or of the record alone, where something was typed
wrong, and the right money lies where it always lay.

>>> refund = {"type": "CommissionRefunded", "patron": "P-3", "amount": 5_00, "how": "patron"}
>>> [(each.amount, str(each.out_of), str(each.into)) for each in movements([refund])]
[(500, 'the tray', 'P-3')]
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.wording import N_, Amount, Words
from ops.words.event_values import Event

TRAY, CAGE, LAYOUT, BOX = "the tray", "the cage", "the layout", "the drop box"
HOUSE = "the house"
Form = Literal["", "chips", "cash"]


class Place(Struct, frozen=True):
    """A patron, or a place of the house's; of a game account its patron too."""

    name: str
    account_of: str = ""

    def __str__(self) -> str:
        return str(self.words)

    @property
    def words(self) -> str:
        """The place in words; a patron by name."""
        if self.account_of:
            return Words("the game account of {patron}", patron=self.account_of)
        return Words(self.name) if self.name in _OURS else self.name


class Movement(Struct, frozen=True):
    """Money that goes from one place to another.

    `on_record`: only what the record says of it changes; negative, if less went. `form`: said where
    chips go one way and cash the other.
    """

    amount: int  # minor units
    out_of: Place
    into: Place
    on_record: bool = False
    form: Form = ""

    def words(self, currency: str) -> Words:
        """The movement as a sentence."""
        goes, more, less = _TEMPLATES[self.form]
        went = more if self.amount > 0 else less
        return Words(
            went if self.on_record else goes,
            amount=Amount(abs(self.amount), currency),
            out_of=self.out_of.words,
            into=self.into.words,
        )


# It goes now; more of it went on record; less of it did.
_TEMPLATES: Mapping[Form, tuple[str, str, str]] = {
    "": (
        N_("{amount} goes from {out_of} to {into}."),
        N_("On record {amount} more went from {out_of} to {into}."),
        N_("On record {amount} less went from {out_of} to {into}."),
    ),
    "chips": (
        N_("{amount} in chips goes from {out_of} to {into}."),
        N_("On record {amount} more in chips went from {out_of} to {into}."),
        N_("On record {amount} less in chips went from {out_of} to {into}."),
    ),
    "cash": (
        N_("{amount} in cash goes from {out_of} to {into}."),
        N_("On record {amount} more in cash went from {out_of} to {into}."),
        N_("On record {amount} less in cash went from {out_of} to {into}."),
    ),
}
_OURS = {
    *(N_("the tray"), N_("the cage"), N_("the layout"), N_("the drop box"), N_("the house")),
    *(N_("cash"), N_("a ticket"), N_("payment by hand"), N_("the person"), N_("the floor")),
}
# The places of a game account's movements.
_OF_ACCOUNTS = {
    "cash": "cash",
    "ticket": "a ticket",
    "hand": "payment by hand",
    "cloth": LAYOUT,
    "house": HOUSE,
    "cage": CAGE,
}


# An entry that was never so, and the entries that stand in its place: they were so all the time.
_TAKEN_BACK = ("CollectionCorrected", "SettlementTakenBack")
_IN_ITS_PLACE = ("CommissionCollected", "LeftOpenSettled")


def movements(events: Sequence[Event]) -> list[Movement]:
    """Where the money of these events goes, between any two places only what is left of it."""
    by_account = {each["stay"] for each in events if "out_of" in each}
    taken_back = any(each["type"] in _TAKEN_BACK for each in events)
    moved: list[Movement] = []
    for event in events:
        if event["type"] == "SettledAtCage":
            continue  # a part of the settlement
        if "out_of" in event:
            moved.append(_of_account(event))
        elif event.get("stay") not in by_account and event["type"] in MOVES:
            again = taken_back and event["type"] in _IN_ITS_PLACE
            for each in MOVES[event["type"]](event, _house_side(event)):
                moved.append(replace(each, on_record=each.on_record or again))
    return list(_netted(moved))


def _house_side(event: Event) -> Place:
    """The tray; or the cage, if that settles what was left open."""
    return Place(CAGE if event.get("place") == "cage" else TRAY)


def _netted(moved: Iterable[Movement]) -> Iterator[Movement]:
    """What is left between any two places, in the order in which they came up."""
    left: dict[tuple[Place, Place, bool, Form], int] = {}
    for each in moved:
        how = each.on_record, each.form
        there, back = (each.out_of, each.into, *how), (each.into, each.out_of, *how)
        if back in left:
            left[back] -= each.amount
        else:
            left[there] = left.get(there, 0) + each.amount
    for (out_of, into, on_record, form), amount in left.items():
        if amount and not on_record and amount < 0:
            yield Movement(-amount, into, out_of, form=form)
        elif amount:
            yield Movement(amount, out_of, into, on_record, form)


def _patron(event: Event) -> Place:
    return Place(event["patron"])


def _settled(event: Event, tray: Place) -> Iterator[Movement]:
    stays = min(event["stake"], event["paid"])  # what lies there already and is the patron's
    yield Movement(stays, Place(LAYOUT), _patron(event))
    yield Movement(event["paid"] - stays, tray, _patron(event))
    yield Movement(event["stake"] - stays, Place(LAYOUT), tray)


def _returned(event: Event, tray: Place) -> Iterator[Movement]:
    if event["paid_before"] is None:
        yield Movement(event["stake"], Place(LAYOUT), _patron(event))
    else:
        yield from _changed(event, tray)


def _changed(event: Event, tray: Place) -> Iterator[Movement]:
    yield Movement(event["changes_hands"], tray, _patron(event))


def _coupon_paid(event: Event, tray: Place) -> Iterator[Movement]:
    yield Movement(event["paid"], tray, _patron(event))


def _corrected(event: Event, tray: Place) -> Iterator[Movement]:
    """A stake that was only typed wrong moves nothing but on record; a lost one to the tray."""
    if event["stake"] == event["stake_before"]:
        yield Movement(event["changes_hands"], tray, _patron(event))
        return
    now, before = event["paid"] - event["stake"], event["paid_before"] - event["stake_before"]
    yield _won(_patron(event), before, now, tray)


def _won(patron: Place, before: int, now: int, tray: Place) -> Movement:
    """What more a patron won on record; to the tray, if it was lost before and now."""
    if max(now, before) <= 0:
        return Movement(before - now, patron, tray, on_record=True)
    return Movement(now - before, tray, patron, on_record=True)


def _stake_corrected(event: Event, tray: Place) -> Iterator[Movement]:
    more = event["stake"] - event["stake_before"]
    yield Movement(more, _patron(event), Place(LAYOUT), on_record=True)


def _reduced(event: Event, tray: Place) -> Iterator[Movement]:
    yield Movement(event["returned"], Place(LAYOUT), _patron(event))


def _wager_moved(event: Event, tray: Place) -> Iterator[Movement]:
    """The stake was another patron's; once it was paid, so was what it won or lost."""
    whose, to = Place(event["patron"]), Place(event["to_patron"])
    if event["paid"] is None:
        yield Movement(-event["stake"], whose, Place(LAYOUT), on_record=True)
        yield Movement(event["stake"], to, Place(LAYOUT), on_record=True)
    elif whose != to:
        won = event["paid"] - event["stake"]
        yield _won(whose, won, 0, tray)
        yield _won(to, 0, won, tray)


def _collected(event: Event, tray: Place) -> Iterator[Movement]:
    if event["how"] not in _WITHIN:
        yield Movement(event["amount"], _patron(event), tray)


_WITHIN = ("at-payout", "settlement")  # commission that is a part of other money


def _refunded(event: Event, tray: Place) -> Iterator[Movement]:
    for each in _collected(event, tray):
        yield replace(each, out_of=each.into, into=each.out_of)


def _collection_corrected(event: Event, tray: Place) -> Iterator[Movement]:
    change = event["amount"] - event["amount_before"]
    yield Movement(change, _patron(event), tray, on_record=True)


def _left_open(event: Event, tray: Place) -> Iterator[Movement]:
    """The chips of a bet that was put right stay where they are."""
    yield Movement(-event["amount"], _patron(event), tray)


def _settlement(event: Event, house: Place) -> Iterator[Movement]:
    if event["how"] == "received":
        yield Movement(event["amount"], _patron(event), house)
    elif event["how"] == "paid":
        yield Movement(event["amount"], house, _patron(event))


def _taken_back(event: Event, house: Place) -> Iterator[Movement]:
    for each in _settlement(event, house):
        yield replace(each, amount=-each.amount, on_record=True)


def _cash_corrected(event: Event, tray: Place) -> Iterator[Movement]:
    """The chips that a patron really got for cash, or gave for it, and that cash."""
    changed = _bought if event["kind"] == "buy-in" else _cashed
    for patron, amount in (
        (event["patron_before"], -event["amount_before"]),
        (event["patron"], event["amount"]),
    ):
        for each in changed(Place(patron), amount, tray):
            yield replace(each, on_record=True)


def _chips_corrected(event: Event, tray: Place) -> Iterator[Movement]:
    change = event["total"] - event["total_before"]
    if event["kind"] == "fill":
        yield Movement(change, Place(CAGE), tray, on_record=True)
    elif event["kind"] == "credit":
        yield Movement(change, tray, Place(CAGE), on_record=True)


def _filled(event: Event, tray: Place) -> Iterator[Movement]:
    yield Movement(event["total"], Place(CAGE), tray)


def _credited(event: Event, tray: Place) -> Iterator[Movement]:
    yield Movement(event["total"], tray, Place(CAGE))


def _bought(patron: Place, amount: int, tray: Place) -> Iterator[Movement]:
    yield Movement(amount, tray, patron, form="chips")
    yield Movement(amount, patron, Place(BOX), form="cash")


def _cashed(patron: Place, amount: int, tray: Place) -> Iterator[Movement]:
    yield Movement(amount, patron, tray, form="chips")
    yield Movement(amount, Place(HOUSE), patron, form="cash")


def _bought_in(event: Event, tray: Place) -> Iterator[Movement]:
    yield from _bought(_patron(event), event["amount"], tray)


def _cashed_out(event: Event, tray: Place) -> Iterator[Movement]:
    yield from _cashed(_patron(event), event["amount"], tray)


def _of_account(event: Event) -> Movement:
    """A movement of a game account, which names its own places."""
    out_of, into = (
        Place("", event["patron"]) if event[end] == "account" else Place(_OF_ACCOUNTS[event[end]])
        for end in ("out_of", "into")
    )
    return Movement(event["amount"], out_of, into)


def _for_incident(event: Event, house: Place) -> Iterator[Movement]:
    out_of, into = (Place(f"the {event[end]}") for end in ("from_place", "to_place"))
    yield Movement(event["amount"], out_of, into)


MOVES: Mapping[str, Callable[[Event, Place], Iterator[Movement]]] = {
    "WagerSettled": _settled,
    "WagerSettledLate": _settled,
    "WagerRanOut": _settled,
    "WagerReturned": _returned,
    "WagerReduced": _reduced,
    "WagerMoved": _wager_moved,
    "PaymentCorrected": _corrected,
    "StakeCorrected": _stake_corrected,
    "CouponSettled": _coupon_paid,
    "CouponCorrected": _changed,
    "CouponReturned": _changed,
    "CommissionCollected": _collected,
    "CommissionRefunded": _refunded,
    "CollectionCorrected": _collection_corrected,
    "BetLeftOpen": _left_open,
    "LeftOpenSettled": _settlement,
    "SettlementTakenBack": _taken_back,
    "CashCorrected": _cash_corrected,
    "ChipsCorrected": _chips_corrected,
    "Filled": _filled,
    "Credited": _credited,
    "BoughtIn": _bought_in,
    "CashedOut": _cashed_out,
    "MoneyMoved": _for_incident,
}
