"""Sentences for money that is left open with whoever has left, and for how it is settled."""

from collections.abc import Iterable, Iterator, Mapping

from domain.rules.open_items import FROM_PATRON
from domain.rules.wording import N_, Amount, Words
from ops.words.event_values import (
    Event,
    Values,
    Wording,
    of_entry,
    run_on,
    with_amount,
    worded_with,
)

# Commission, by whether the patron owes it.
_COMMISSION = {
    True: N_("{patron} is not at the table, and owes {open} commission until it is settled."),
    False: N_("{patron} is not at the table, and is owed {open} commission until it is settled."),
}


# What was open until it was settled, by what it was and whether the patron owed it.
_SETTLED = {
    ("bets", True): N_("{patron} had left and owed {open} for bets, which is settled."),
    ("bets", False): N_("{patron} had left and was owed {open} for bets, which is settled."),
    ("commission", True): N_("{patron} had left and owed {open} commission, which is settled."),
    ("commission", False): N_(
        "{patron} had left and was owed {open} commission, which is settled."
    ),
}


def _settled(event: Event, values: Values, item: str) -> Words | None:
    """What was open with a patron, of an alert that waits no more; None while it is open."""
    before = event.get("settled")
    return with_amount(_SETTLED[item, before > 0], before, values) if before else None


def _commission_left_open(event: Event, values: Values) -> Words:
    if settled := _settled(event, values, "commission"):
        return settled
    return with_amount(_COMMISSION[event["balance"] > 0], event["balance"], values)


# By whether a bet was put right, after which its patron is gone, and who owes: patron or house.
_BETS = {
    (True, True): N_("{patron} has left, and owes {open} for bets until it is settled."),
    (True, False): N_("{patron} has left, and is owed {open} for bets until it is settled."),
    (False, True): N_("{patron} owes {open} for bets, which is not settled yet."),
    (False, False): N_("{patron} is owed {open} for bets, which is not settled yet."),
}


def left_open_words(item: str, patron: str, owes: int, currency: str) -> Words:
    """A row of report left-open as a sentence.

    `owes`: in minor units; below 0, so much is owed to the patron.
    """
    template = {
        "bets": _BETS[True, owes > 0],
        "commission": _COMMISSION[owes > 0],
        "game account": N_("{patron} has {open} left on a game account."),
    }[item]
    return with_amount(template, owes, {"patron": patron, "currency": currency})


def _bet_left_open(event: Event, values: Values) -> Words | None:
    if settled := _settled(event, values, "bets"):
        return settled
    balance, before = event["balance"], event["balance"] - event["amount"]
    if not (balance or before):
        return None
    now = (
        with_amount(_BETS[event.get("coup", "") is not None, balance > 0], balance, values)
        if balance
        else worded_with(N_("Nothing for bets is open with {patron} now."), values)
    )
    if before in (0, balance):
        return now
    template = (
        N_("Before, {patron} owed {open}.")
        if before > 0
        else N_("Before, {patron} was owed {open}.")
    )
    return run_on([now, with_amount(template, before, values)])


_IN_MONEY = {
    ("received", True): N_("{patron} paid {amount} of what was left open, at the cage."),
    ("received", False): N_("{patron} paid {amount} of what was left open, into the tray."),
    ("paid", True): N_("{patron} was paid {amount} of what was left open, at the cage."),
    ("paid", False): N_("{patron} was paid {amount} of what was left open, from the tray."),
}
_GIVEN_UP = {
    "written-off": N_("{amount} that {patron} owes is written off: {reason}."),
    "unclaimed": N_(
        "{amount} that {patron} is owed was not claimed, and the cage keeps it: {reason}."
    ),
}
# What is set off, by item and by whether the patron owed it.
_SET_OFF = {
    ("bets", True): N_("{patron} owed {open} for bets, which is set off."),
    ("bets", False): N_("{patron} was owed {open} for bets, which is set off."),
    ("commission", True): N_("{patron} owed {open} commission, which is set off."),
    ("commission", False): N_("{patron} was owed {open} commission, which is set off."),
    ("account", True): N_("{patron} owed {open} of a game account, which is set off."),
    ("account", False): N_("{patron} had {open} left on a game account, which is set off."),
}


def _open_settled(event: Event, values: Values) -> Words:
    """What was paid or given up, what was set off, and what stays open of bets."""
    how = event["how"]
    if not event["amount"]:
        first = worded_with(N_("What {patron} owes and is owed cancels out."), values)
    else:
        template = _GIVEN_UP.get(how) or _IN_MONEY[how, event["place"] == "cage"]
        first = worded_with(template, values)
    return run_on([first, *_parts(event, values)])


def _parts(event: Event, values: Values) -> Iterator[Words]:
    sign = 1 if event["how"] in FROM_PATRON else -1
    items = {
        "bets": event["bets"],
        "commission": sum(event["commission"].values()),
        "account": event["account"],
    }
    for name, part in items.items():
        if part and (part * sign < 0 or not event["amount"]):
            yield with_amount(_SET_OFF[name, part > 0], part, values)
        elif part and name == "bets":
            yield _bets_settled(event, values)


def _bets_settled(event: Event, values: Values) -> Words:
    """What was open for bets before, and what stays open."""
    before, rest = event["balance"] + event["bets"], event["balance"]
    if rest:
        template = (
            N_("{patron} owed {open} for bets before; {rest} stays open.")
            if before > 0
            else N_("{patron} was owed {open} for bets before; {rest} stays open.")
        )
    else:
        template = (
            N_("{patron} owed {open} for bets before; nothing of it stays open.")
            if before > 0
            else N_("{patron} was owed {open} for bets before; nothing of it stays open.")
        )
    more = {**values, "rest": Amount(abs(rest), str(values["currency"]))}
    return with_amount(template, before, more)


def _taken_back(event: Event, values: Values) -> Words:
    template = N_("{amount} was not settled with {patron} that way: {reason}.")
    return of_entry(event, worded_with(template, values))


def covered_by_settling(every: Iterable[Event]) -> Iterator[int]:
    """The events that a settlement's sentence covers, by identity.

    Commission of a settlement that is taken back, and what is open again once it is settled anew.
    """
    taken_back, settled = set[str](), set[str]()
    for event in every:
        kind, stay = event["type"], event.get("stay")
        if kind == "SettlementTakenBack":
            taken_back.add(event["stay"])
        elif kind == "LeftOpenSettled":
            taken_back.clear()
            settled |= {event["stay"]} if event["bets"] else set()
        elif (stay in taken_back and event.get("how") == "settlement") or (
            stay in settled and kind == "BetLeftOpen" and event.get("coup", "") is None
        ):
            yield id(event)


def bets_together(every: Iterable[Event]) -> Iterator[Event]:
    """The events, with all bets that are left open of one stay in the last of them."""
    events = list(every)
    last = {each["stay"]: n for n, each in enumerate(events) if each["type"] == "BetLeftOpen"}
    amounts = dict.fromkeys(last, 0)
    for n, each in enumerate(events):
        if each["type"] != "BetLeftOpen":
            yield each
            continue
        amounts[each["stay"]] += each["amount"]
        if n == last[each["stay"]]:
            yield {**each, "amount": amounts[each["stay"]]}


LEFT_OPEN: Mapping[str, Wording] = {
    "CommissionLeftOpen": _commission_left_open,
    "OpenMoneyOpened": None,
    "BetLeftOpen": _bet_left_open,
    "LeftOpenSettled": _open_settled,
    "SettlementTakenBack": _taken_back,
}
