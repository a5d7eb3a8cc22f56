"""A sentence for every kind of event: also for those that another event's sentence covers.

An answer has one sentence for what happened; the ledger shows each event by itself.

>>> str(own_sentence({"type": "CoupBegun", "shoe": "B01/2026-11-21/2", "coup": 17}, "USD"))
'Coup 17 of shoe B01/2026-11-21/2 begins.'
"""

from collections.abc import Mapping

from domain.rules.wording import N_, Amount, Words, listed
from ops.words.differences import line
from ops.words.event_values import Event, Values, Wording, values_of, worded_with
from ops.words.events import reason_of, sentence
from ops.words.meter_events import meter_called
from ops.words.show import chips_words
from ops.words.terms import card_called


def own_sentence(event: Event, currency: str) -> Words:
    """The words for one event, with its reason."""
    if event["type"] == "AdjudicationDisagreed":
        return _disagreed(event, currency)
    if (words := sentence(event, currency, marked=False)) is not None:
        return words
    wording = _ALONE.get(event["type"])
    values = {"currency": currency, **values_of(event, currency)}
    if isinstance(wording, str):
        words = worded_with(wording, values)
    else:
        words = wording(event, values) if wording else None
    why = reason_of(event)
    if words and why:
        return Words("{first} {then}", first=words, then=Words("Reason: {written}", written=why))
    return words or Words("This goes with another event of the same command.")


def _disagreed(event: Event, currency: str) -> Words:
    lines = "; ".join(line(each, currency) for each in event["disagreements"])
    return Words("The record does not agree: {lines}.", lines=lines)


def _cash_counted(event: Event, values: Values) -> Words:
    brings = event["direction"] == "in"
    template = (
        N_("{name} brings {amount} in cash at {table}: {total} on this gaming day.")
        if brings
        else N_("{name} takes {amount} in cash at {table}: {total} on this gaming day.")
    )
    return worded_with(template, values)


def _cash_changed(event: Event, values: Values) -> Words:
    less = event["amount"] < 0
    changed = Amount(abs(event["amount"]), str(values["currency"]))
    templates = {
        ("in", True): N_("{name} brought {changed} less at {table}: {total} on this gaming day."),
        ("in", False): N_("{name} brought {changed} more at {table}: {total} on this gaming day."),
        ("out", True): N_("{name} took {changed} less at {table}: {total} on this gaming day."),
        ("out", False): N_("{name} took {changed} more at {table}: {total} on this gaming day."),
    }
    return worded_with(templates[event["direction"], less], values, changed=changed)


def _open(paid: str, owed: str, field: str = "amount") -> Wording:
    """A wording by who owes the amount: the patron, or below 0 the house."""

    def words(event: Event, values: Values) -> Words:
        amount = Amount(abs(event[field]), str(values["currency"]))
        return worded_with(paid if event[field] >= 0 else owed, values, open=amount)

    return words


def _slip_corrected(event: Event, values: Values) -> Words:
    chips = chips_words(event["chips"], str(values["currency"]))
    template = N_("Slip {slip} has {total}, not {total_before}: {chips}.")
    return worded_with(template, values, chips=chips)


def _administrators(event: Event, values: Values) -> Words:
    return Words("The administrators are {names}.", names=listed(event["administrators"]))


def _for_two(event: Event, values: Values) -> Words:
    if not event["for_two"]:
        return worded_with(N_("Device {staff} sends no commands for two people."), values)
    template = N_("Device {staff} may send for two people: {commands}.")
    return worded_with(template, values, commands=listed(event["for_two"]))


def _hand_wager(event: Event, values: Values) -> Words:
    return worded_with(N_("Seat {seat} {patron}: {spot} {amount} from the game account."), values)


def _ticket(event: Event, values: Values) -> Words:
    template = (
        N_("Ticket {ticket} of {amount} is printed at {table_day}.")
        if event["here"]
        else N_("Ticket {ticket} of {amount} came to {table_day}.")
    )
    return worded_with(template, values)


def _card_renamed(event: Event, values: Values) -> Words:
    template = N_("Card {n} of coup {coup} is {card}, not {was}.")
    return worded_with(template, {**values, "was": card_called(event["was"])})


def _hold_released(event: Event, values: Values) -> Words:
    template = (
        N_("The decision of {case} releases the table.")
        if event["why"] == "decided"
        else N_("{case} releases the table.")
    )
    return worded_with(template, values)


def _settled_at_payout(event: Event, values: Values) -> Words:
    return worded_with(N_("{amount} commission of {patron} is in the payment."), values)


def _of_meter(template: str) -> Wording:
    """Words about a meter, under its name."""

    def words(event: Event, values: Values) -> Words:
        return worded_with(template, {**values, "meter": meter_called(event["meter"])})

    return words


_ALONE: Mapping[str, Wording] = {
    # The house
    "AdministratorsChanged": _administrators,
    "RulesApproved": N_("Rule set {rules} is approved for tables."),
    "CodeIssued": N_("{staff} has a new one-time code."),
    "ForTwoChanged": _for_two,
    "ProgramDayBegun": N_("The starts of programs on {day} begin here."),
    "DayAuditBegun": N_("The audits of {day} begin here."),
    "PatronKnown": N_("{patron} is on record."),
    "AgentNamed": N_("{agent} plays for {patron}."),
    "PatronFileBegun": N_("The house begins a file about {patron}."),
    # Tables and boxes
    "TablePlaced": N_("Table {table} is placed."),
    "DayOpened": N_("Gaming day {day} begins at the table."),
    "DayClosed": N_("Gaming day {day} ends at the table."),
    "BoxPutOn": N_("Box {box} is on the table."),
    "BoxTakenOff": N_("Box {box} is off the table."),
    "DropBoxRegistered": N_("Box {box} is on record."),
    "BoxAwaited": N_("Box {box} is to be counted."),
    "BoxOpened": N_("Box {box} is counted for the table: {amount}."),
    "ShoeBrought": N_("Shoe {shoe} is brought to the table."),
    "ShoeTakenOff": N_("Shoe {shoe} leaves the table."),
    # Slips, forms, tickets, cash
    "SlipBookOpened": N_("The slips of a year begin here."),
    "SlipCorrected": _slip_corrected,
    "FormBookOpened": N_("The forms of a year begin here."),
    "FormRecovered": N_("{amount} of form {form} is recovered with {recovery}."),
    "TicketIssued": _ticket,
    "TicketTaken": N_("Ticket {ticket} is taken at {table_day}: it is worth nothing more."),
    "TicketIn": N_("Seat {seat} {patron}: ticket {ticket} of {amount} is put on the account."),
    "TicketOut": N_("Seat {seat} {patron}: ticket {ticket} of {amount} is paid out."),
    "CashDayBegun": N_("The cash of {patron} on {day} is counted from here."),
    "CashCounted": _cash_counted,
    "CashChanged": _cash_changed,
    # Shoes and cards
    "DeckLoaded": N_("{serial} is in shoe {shoe}."),
    "CardDrawn": N_("{card} comes out of the shoe, card {n} of coup {coup}."),
    "CardRenamed": _card_renamed,
    "CardTakenBack": N_("{card} of coup {coup} was typed by mistake and is back in the shoe."),
    "CarriedCardDealt": N_("{card}, carried from the coup before, is card {n} of coup {coup}."),
    "CoupBegun": N_("Coup {coup} of shoe {shoe} begins."),
    "CoupNotDealt": N_("Coup {coup} does not count."),
    # Commission and open money
    "CommissionAccountOpened": N_("The commission of {patron} is counted from here."),
    "CommissionCollected": _settled_at_payout,
    "CommissionRefunded": _settled_at_payout,
    "CommissionCarriedForward": _open(
        N_("{patron} owes {open} commission, which goes on in {to_stay}."),
        N_("The house owes {patron} {open} commission, which goes on in {to_stay}."),
    ),
    "CommissionBroughtForward": _open(
        N_("{patron} owes {open} commission, which comes from {from_stay}."),
        N_("The house owes {patron} {open} commission, which comes from {from_stay}."),
    ),
    "OpenMoneyOpened": N_("What is left open with {patron} is counted from here."),
    "OpenMoneyMoved": _open(
        N_("{patron} settles {open} that was left open."),
        N_("{patron} is paid {open} that was left open."),
    ),
    "ChipsLeftOpen": _open(
        N_("{open} for coup {coup} stays open: the patron has left."),
        N_("{open} for coup {coup} stays open with the house: the patron has left."),
        "changes_hands",
    ),
    "BetLeftOpen": N_("Nothing for bets is open with {patron}."),
    # Meters
    "MeterPlaced": _of_meter(N_("The meter {meter} is on record.")),
    "DayBegun": N_("Gaming day {day} begins at the meter."),
    "MeterDayOpened": _of_meter(N_("The meter {meter} is counted from here on {day}.")),
    "PointFixed": N_(
        "The amount at which the meter must be won is fixed: {commitment} (R-PROG-6)."
    ),
    "MeterMoved": _of_meter(N_("Coup {coup} moves the meter {meter}.")),
    # Inquiries
    "InquiryBookOpened": N_("The book of the inquiries of {year} is opened."),
    "InquiryNumbered": N_("{inquiry} is the next inquiry."),
    # Cases of money laundering
    "AmlBookOpened": N_("The book of the cases of money laundering of {year} is opened."),
    "AmlCaseNumbered": N_("{aml_case} is the next case of money laundering."),
    "TextWritten": N_("Text {number} of {aml_case} is stored beside the record."),
    # Incidents
    "IncidentBookOpened": N_("The book of the incidents of {year} is opened."),
    "IncidentChipsMoved": lambda event, values: worded_with(
        N_("{incident} takes {moved} out of the tray.")
        if event["amount"] < 0
        else N_("{incident} brings {moved} into the tray."),
        values,
        moved=Amount(abs(event["amount"]), str(values["currency"])),
    ),
    "IncidentNumbered": N_("{incident} is the next incident."),
    # Coupons
    "LaidOn": N_("Coupon {coupon} is laid on coup {coup}."),
    "WentBack": N_("Coupon {coupon} went back from coup {coup}, and may be laid again."),
    "Collected": N_("Coupon {coupon} is used, on coup {coup}."),
    # Game accounts
    "GameAccountOpened": N_("{patron} has a game account at seat {seat}."),
    "Wagered": _hand_wager,
    "WagerReleased": N_("Seat {seat} {patron}: {amount} on {spot} is back on the account."),
    "StakeReturned": N_("Seat {seat} {patron}: the stake of {amount} on {spot} is given back."),
    "StakeLost": N_("Seat {seat} {patron}: {amount} on {spot} is lost."),
    "WinningsCredited": N_("Seat {seat} {patron}: {amount} is won on {spot}."),
    # Cases
    "RegimeBegun": N_("The house chooses its own regime for cash."),
    "ProtectionBegun": N_("The house sets its own levels of game protection."),
    "DocketOpened": N_("The cases of a year begin here."),
    "CaseEntered": N_("{case} about {coup} is entered."),
    "HoldPlaced": N_("{case} holds the table."),
    "HoldReleased": _hold_released,
}
