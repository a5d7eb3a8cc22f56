"""Sentences for the events of a table's day: its patrons, chips, slips and cash."""

from collections.abc import Mapping, Sequence

from domain.rules.wording import N_, Amount, Words, listed
from ops.words.cash import due_words, not_shown_words
from ops.words.event_values import Event, Values, Wording, of_entry, run_on, worded_with
from ops.words.show import each_chips_words, span
from ops.words.terms import counted_with_called, people_called, spot_called


def _limits_changed(event: Event, values: Values) -> Words:
    """The sentence for all limits and the differential, as changed and as before."""
    currency = str(values["currency"])
    now, before = (
        _limits(event[f"limits{which}"], event[f"differential{which}"], currency)
        for which in ("", "_before")
    )
    if now == before:
        return Words("The limits stay as they are: {limits}.", limits=now)
    return Words("From the next coup on: {limits}. Until now: {before}.", limits=now, before=before)


def _limits(limits: Mapping[str, Sequence[int]], differential: int | None, currency: str) -> Words:
    """Limits by spot, and how far Player and Banker may be apart."""
    each = [
        Words("{spot} {span}", spot=_limit_called(spot), span=span(limit, currency))
        for spot, limit in limits.items()
    ]
    if differential is None:
        return _in_a_row(each)
    apart = Amount(differential, currency, short=True)
    return _in_a_row([*each, Words("max difference {differential}", differential=apart)])


def _limit_called(spot: str) -> str:
    return Words("Player and Banker") if spot == "main" else spot_called(spot)


def _in_a_row(phrases: list[Words]) -> Words:
    return listed(phrases, N_("{some}, {last}"))


def _drop_counted(event: Event, values: Values) -> Words:
    first = event["before"] is None
    template = (
        N_("The drop is {amount}.")
        if first
        else N_("The drop is {amount}. It was counted as {before} before.")
    )
    return worded_with(template, values)


def _slip_requested(event: Event, values: Values) -> Words:
    templates = {
        "fill": N_("Slip {slip}: a fill of {total} is requested."),
        "credit": N_("Slip {slip}: a credit of {total} is requested."),
    }
    return worded_with(templates[event["kind"]], values)


def _slip_received(event: Event, values: Values) -> Words:
    people = {
        name: event[name] or Words("a person not named")
        for name in ("dealer", "supervisor", "issued_by", "carried_by")
    }
    return worded_with(
        N_(
            "Slip {slip} is received by {dealer} and {supervisor}. {issued_by} issued it, "
            "{carried_by} carried it."
        ),
        values,
        **people,
    )


def _slip_voided(event: Event, values: Values) -> Words:
    templates = {
        "fill": N_("Slip {slip}, a fill of {total}, is void: {reason}."),
        "credit": N_("Slip {slip}, a credit of {total}, is void: {reason}."),
    }
    return worded_with(templates[event["kind"]], values)


def _of_cash(template: str, values: Values, event: Event, **more: object) -> Words:
    """A sentence about a day's cash: of everybody whose cash it is, and why it counts together."""
    sentence = worded_with(template, values, patron=people_called(event), **more)
    return run_on([sentence, *counted_with_called(event)])


def _not_shown(event: Event, values: Values) -> Words:
    name, way, amount, answer = (event[each] for each in ("name", "direction", "amount", "answer"))
    return not_shown_words(name, way, amount, answer, str(values["currency"]))


def _near(event: Event, values: Values) -> Words:
    if event.get("threshold"):
        template = {
            "in": N_("{patron} has brought {total} in cash today, near the {limit} of a {paper}."),
            "out": N_("{patron} was paid {total} in cash today, near the {limit} of a {paper}."),
        }[event["direction"]]
        limit = Amount(event["reporting_amount"], str(values["currency"]))
        return _of_cash(template, values, event, limit=limit)
    templates = {
        "in": N_("{patron} is near the reporting amount: cash in {total}."),
        "out": N_("{patron} is near the reporting amount: cash out {total}."),
    }
    return _of_cash(templates[event["direction"]], values, event)


def _passed(event: Event, values: Values) -> Words:
    if event.get("threshold"):
        way = event["direction"], event.get("single", False)
        template = {
            ("in", False): N_("{patron} has brought {total} in cash today: {due}."),
            ("out", False): N_("{patron} was paid {total} in cash today: {due}."),
            ("in", True): N_("{patron} brought {total} in cash at once: {due}."),
            ("out", True): N_("{patron} was paid {total} in cash at once: {due}."),
        }[way]
        due = due_words(event["due"], event["paper"], event.get("due_by", ""))
        return _of_cash(template, values, event, due=due)
    templates = {
        "in": N_("{patron} is over the reporting amount: cash in {total}."),
        "out": N_("{patron} is over the reporting amount: cash out {total}."),
    }
    return _of_cash(templates[event["direction"]], values, event)


def _split(event: Event, values: Values) -> Words:
    template = (
        N_(
            "{patron} brought {total} in cash today in {pieces} transactions, each just under the "
            "{limit} of a {paper}."
        )
        if event["direction"] == "in"
        else N_(
            "{patron} was paid {total} in cash today in {pieces} transactions, each just under the "
            "{limit} of a {paper}."
        )
    )
    limit = Amount(event["reporting_amount"], str(values["currency"]))
    return _of_cash(template, values, event, limit=limit)


def _timing_chosen(event: Event, values: Values) -> Words:
    template = (
        N_("{patron} now pays commission as it wins: it is taken from each payout.")
        if event["timing"] == "as-it-wins"
        else N_("{patron} now owes commission until it is collected.")
    )
    return worded_with(template, values)


def _put_right(event: Event, values: Values) -> Words:
    templates = {
        ("tray", True): N_("{changes_hands} goes to the patrons for {coup}, from the tray."),
        ("tray", False): N_("{changes_hands} comes from the patrons for {coup}, into the tray."),
        ("cage", True): N_("{changes_hands} goes to the patrons for {coup}, from the cage."),
        ("cage", False): N_("{changes_hands} comes from the patrons for {coup}, into the cage."),
    }
    return worded_with(templates[event["place"], event["changes_hands"] > 0], values)


def _closed(event: Event, values: Values) -> Words:
    """The tray as counted, and by how much that is more or less than it should hold."""
    if not event["variance"]:
        template = N_("The table is closed. The tray holds {closer_total}, as it should.")
    elif event["variance"] > 0:
        template = N_(
            "The table is closed. The tray holds {closer_total}: {off} more than it should."
        )
    else:
        template = N_(
            "The table is closed. The tray holds {closer_total}: {off} less than it should."
        )
    off = Amount(abs(event["variance"]), str(values["currency"]))
    return worded_with(template, values, off=off)


def _exceeded(event: Event, values: Values) -> Words:
    """What is paid out or sent to the cage, beside what the tray should hold."""
    templates = {
        "cash-out": N_("The cash-out of {amount} is more than the tray holds: {holds}."),
        "credit": N_("The credit of {amount} is more than the tray holds: {holds}."),
    }
    return worded_with(templates[event["act"]], values)


def _opener_differed(event: Event, values: Values) -> Words:
    """The opener beside the closer before it."""
    if not event["difference"]:
        template = N_("{of} closed with {closer_total}, and the opener is the same in other chips.")
    elif event["difference"] > 0:
        template = N_("{of} closed with {closer_total}; the opener is {opener_total}: {off} more.")
    else:
        template = N_("{of} closed with {closer_total}; the opener is {opener_total}: {off} less.")
    off = Amount(abs(event["difference"]), str(values["currency"]))
    return worded_with(template, values, off=off)


def _cash_corrected(event: Event, values: Values) -> Words:
    """The sentence for a buy-in or a cash-out as it really was."""
    one = event["kind"] == "buy-in"
    if not event["amount"]:
        template = (
            N_("{patron_before} did not buy chips for {amount_before}: {reason}.")
            if one
            else N_("{patron_before} was not paid {amount_before} in cash: {reason}.")
        )
    elif event["patron"] == event["patron_before"]:
        template = (
            N_("{patron} bought chips for {amount}, not {amount_before}.")
            if one
            else N_("{patron} was paid {amount} in cash, not {amount_before}.")
        )
    else:
        template = (
            N_("{patron} bought chips for {amount}, not {patron_before} for {amount_before}.")
            if one
            else N_("{patron} was paid {amount} in cash, not {patron_before} {amount_before}.")
        )
    return of_entry(event, worded_with(template, values))


def _chips_corrected(event: Event, values: Values) -> Words:
    """The sentence for an opener, a fill or a credit as it really was."""
    if event["total"] == event["total_before"] and event["kind"] in _OTHER_CHIPS:
        return of_entry(event, _other_chips(event, values))
    templates = {
        "opener": N_("The opener is {total}, not {total_before}: {reason}."),
        "fill": N_("The fill of slip {slip} is {total}, not {total_before}: {reason}."),
        "credit": N_("The credit of slip {slip} is {total}, not {total_before}: {reason}."),
        "colour-change": (
            N_("Other chips were changed than was entered: {reason}.")
            if event["chips"]
            else N_("No chips were changed: {reason}.")
        ),
    }
    return of_entry(event, worded_with(templates[event["kind"]], values))


_OTHER_CHIPS = {
    "opener": N_("The opener is {chips}, not {chips_before}: {reason}."),
    "fill": N_("The fill of slip {slip} is {chips}, not {chips_before}: {reason}."),
    "credit": N_("The credit of slip {slip} is {chips}, not {chips_before}: {reason}."),
}


def _other_chips(event: Event, values: Values) -> Words:
    """The sentence for other chips of the same worth."""
    chips, before = (
        each_chips_words(event[name], str(values["currency"])) for name in ("chips", "chips_before")
    )
    return worded_with(_OTHER_CHIPS[event["kind"]], values, chips=chips, chips_before=before)


def _recounted(event: Event, values: Values) -> Words:
    template = (
        N_("The tray was counted again: {closer_total} as before, in other chips. {off}")
        if event["closer_total"] == event["before"]
        else N_("The tray was counted again: {closer_total}, not {before}. {off}")
    )
    return worded_with(template, values, off=_variance(event, values))


def _variance(event: Event, values: Values) -> Words:
    """By how much a closed tray has more or less than it should."""
    if not event["variance"]:
        template = N_("The closed tray has what it should.")
    elif event["variance"] > 0:
        template = N_("The closed tray has {off} more than it should.")
    else:
        template = N_("The closed tray has {off} less than it should.")
    off = Amount(abs(event["variance"]), str(values["currency"]))
    return worded_with(template, values, off=off)


def _shift_counted(event: Event, values: Values) -> Words:
    """The tray at the end of a shift, and by how much that is more or less than it should hold."""
    if not event["variance"]:
        template = N_("The {shift} shift is counted. The tray holds {total}, as it should.")
    elif event["variance"] > 0:
        template = N_(
            "The {shift} shift is counted. The tray holds {total}: {off} more than it should."
        )
    else:
        template = N_(
            "The {shift} shift is counted. The tray holds {total}: {off} less than it should."
        )
    off = Amount(abs(event["variance"]), str(values["currency"]))
    counted = worded_with(template, values, off=off)
    if event["before"] is None:
        return counted
    return run_on([counted, worded_with(N_("It was counted as {before} before."), values)])


def _shift_variance(event: Event, values: Values) -> Words:
    """By how much the tray of a counted shift has more or less than it should."""
    if not event["variance"]:
        template = N_("At the count of the {shift} shift the tray held what it should.")
    elif event["variance"] > 0:
        template = N_("At the count of the {shift} shift the tray held {off} more than it should.")
    else:
        template = N_("At the count of the {shift} shift the tray held {off} less than it should.")
    off = Amount(abs(event["variance"]), str(values["currency"]))
    return worded_with(template, values, off=off)


def _boxes_counted(event: Event, values: Values) -> Words:
    """The cash of a day's drop boxes, beside the table's own figure and a drop entered before."""
    difference, before = event["difference"], event["drop_before"]
    if not difference:
        template = N_("The drop boxes of the day hold {total}, as the table's record says.")
    elif difference > 0:
        template = N_(
            "The drop boxes of the day hold {total}: {off} more than the table's record says."
        )
    else:
        template = N_(
            "The drop boxes of the day hold {total}: {off} less than the table's record says."
        )
    currency = str(values["currency"])
    compared = worded_with(template, values, off=Amount(abs(difference), currency))
    if before in (None, event["total"]):
        return compared
    entered = Words("The drop was entered as {amount} before.", amount=Amount(before, currency))
    return run_on([compared, entered])


TABLE: Mapping[str, Wording] = {
    "TablePlaced": None,
    "DayOpened": None,
    "DayClosed": None,
    "TableDayOpened": N_("{table} is open for {day} under {rules}, opener {opener_total}."),
    "TableClosed": _closed,
    "Reopened": N_("The table is open again, session {session}, opener {opener_total}."),
    "OpenerDiffered": _opener_differed,
    "CloserRecounted": _recounted,
    "VarianceChanged": _variance,
    "ShiftVarianceChanged": _shift_variance,
    "CashCorrected": _cash_corrected,
    "ChipsCorrected": _chips_corrected,
    "PatronSeated": N_("{patron} sits at seat {seat}."),
    "PatronLeft": N_("{patron} leaves seat {seat}."),
    "ChairGivenUp": N_("{patron} gives up seat {seat}."),
    "PatronMoved": N_("{patron} moves from seat {seat} to seat {to}."),
    "LimitsChanged": _limits_changed,
    "DealerRelieved": N_("{staff} deals in place of {before}."),
    "SupervisorRelieved": N_("{staff} supervises in place of {before}."),
    "ShoeBrought": None,
    "ShoeTakenOff": None,
    "BoughtIn": N_("{patron} buys chips for {amount}."),
    "CashedOut": N_("{patron} is paid {amount} in cash."),
    "Filled": N_("Chips worth {total} are in the tray, slip {slip}."),
    "TrayExceeded": _exceeded,
    "ColourChanged": N_("Chips worth {total} were changed for others."),
    "Credited": N_("Chips worth {total} went to the cage, slip {slip}."),
    "DropCounted": _drop_counted,
    "BoxPutOn": None,
    "BoxTakenOff": None,
    "BoxAwaited": None,
    "BoxOpened": None,
    "BoxesCounted": _boxes_counted,
    "DropBoxRegistered": None,
    "BoxAttached": N_("Box {box} is on {table_day}."),
    "BoxRemoved": N_("Box {box} is taken off {table_day}, {shift} shift."),
    "BoxCarried": N_("Box {box} is in the count room."),
    "BoxCounted": N_("Box {box} holds {amount}."),
    "ShiftCounted": _shift_counted,
    "EarlierCoupPutRight": _put_right,
    "ChipsLeftOpen": None,
    "OpenMoneyMoved": None,
    "CommissionRecovered": N_("The {amount} of {patron} is in this tray; {stay} owed it."),
    "CommissionTimingChosen": _timing_chosen,
    "LockedUp": N_("The table is locked up: {reason}"),
    "Unlocked": N_("The table goes on: {reason}"),
    "Held": N_("No further coup: {case} holds the table."),
    "Released": N_("{case} no longer holds the table."),
    "SlipBookOpened": None,
    "SlipRequested": _slip_requested,
    "SlipIssued": N_("Slip {slip} is issued by {cashier}."),
    "SlipCarried": N_("Slip {slip} is carried by {runner}."),
    "SlipReceived": _slip_received,
    "SlipCorrected": None,
    "SlipVoided": _slip_voided,
    "SlipReuseRefused": N_("Slip {slip} was used a second time."),
    "CashDayBegun": None,
    "CashCounted": None,
    "CashChanged": None,
    "ReportingAmountNear": _near,
    "ReportingAmountPassed": _passed,
    "IdentitySeen": N_("The ID of {patron} was seen."),
    "IdentityNotShown": _not_shown,
    "CashSplit": _split,
    "LittlePlayNoted": N_(
        "{patron} brought {total_in} in cash and took {total_out} today, and bet {played}."
    ),
}
