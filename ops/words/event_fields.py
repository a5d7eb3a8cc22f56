"""The meaning of each field of events, for the schema of the feed.

Amounts are whole numbers of minor currency units. A field with another meaning in one event is
listed under that event's topic and its name.
"""

from collections.abc import Mapping

EVENT_FIELDS: Mapping[str, str] = {
    # People and places
    "administrator": "The staff number of the first administrator.",
    "administrators": "The staff numbers of all administrators, in the order they were enrolled.",
    "approved_by": "The staff number of the second person, who approved it.",
    "rule-set.approved approved_by": "The staff numbers of the two people who approved it.",
    "by": "The staff number of whoever did it; empty if nobody was named.",
    "coup.betting-closed by": "Who closed the betting: dealer; first-card, if a card was out "
    "before; or dummy, if the coup took no bets.",
    "coup.hand-given-back by": "Who gave the hand back, as in `seat 5`.",
    "coup.hand-turned by": "Who turned the cards: dealer, or a seat as in `seat 5`.",
    "cashier": "The staff number of the cashier.",
    "counted_by": "The staff number of whoever counted.",
    "cut_by": "Who cut: a seat as in `seat 3`, or a staff number, or dealer.",
    "dealer": "The staff number of the dealer.",
    "decided_by": "The staff number of whoever decided.",
    "holder": "Who deals from the shoe: dealer, or a seat.",
    "shoe_holder": "Who deals from the shoe: dealer, or a seat.",
    "machine": "The name of the machine; empty for a device or if it is unknown.",
    "opened_by": "The staff number of whoever opened the case.",
    "patron": "The patron: a house number, or an alias.",
    "patron_is": "The patron who the alias is.",
    "place": "A text by which the machine and the account are recognised.",
    "table-day.earlier-coup-put-right place": "Where the chips come from or go to: tray, of the "
    "open day, or cage.",
    "requested_by": "The staff number of whoever requested it.",
    "role": "The role.",
    "runner": "The staff number of the security officer who carries the chips.",
    "second": "The staff number of the second person; empty for none.",
    "signed_by": "The staff number of whoever signed the count.",
    "staff": "The staff number.",
    "supervisor": "The staff number of the supervisor.",
    "user": "The account on that machine; empty if it is unknown.",
    "verified_by": "The staff number of whoever counted along; empty for nobody.",
    # The house, its days and tables
    "currency": "The currency, three letters as in USD.",
    "day": "The gaming day, as in 2026-11-21.",
    "day_begins": "When the gaming day begins: date, time and offset.",
    "day_ends": "When the gaming day ends: date, time and offset.",
    "day_start": "The local time at which a gaming day begins, as in 06:00.",
    "helpline": "The helpline text for patrons.",
    "house": "The name of the house.",
    "name": "The name.",
    "property.setting-changed name": "The setting.",
    "cash-day.cash-counted name": "The name under which the cash came: a house number or an alias.",
    "reporting_amount": "Cash of a patron in one gaming day above this is reported, in minor "
    "currency units.",
    "table": "The table; empty for none.",
    "table_day": "The table and its gaming day, as in B01/2026-11-21.",
    "value": "The new value; an amount in minor currency units.",
    "year": "The year.",
    "zone": "The time zone, as in Europe/Vienna.",
    # Rule sets and limits
    "content": "Every term of the rule set, as JSON; the digest is its SHA-256.",
    "differential": "The most by which total Player and total Banker wagers may differ, in minor "
    "currency units; null for no limit.",
    "digest": "The SHA-256 of the rule set's terms, in hex.",
    "file_sha256": "The SHA-256 of the file, in hex.",
    "limits": "Minimum and maximum by spot, in minor currency units; main is Player and Banker.",
    "rules": "The rule set, as in dragon-bonus@1.",
    "adjudication.disagreed rules": "The rule set; empty if the record names none.",
    "rules_digest": "The SHA-256 of the rule set's terms, in hex.",
    "rules_say": "What the rule set does with the card: carry, burn or dummy.",
    # Staff
    "command": "The command that was refused.",
    "error": "The name of the refusal.",
    "for_two": "The commands that a device may send for two people.",
    "language": "The language, as in zh-Hant.",
    "session": "The SHA-256 of the token of the sign-on, in hex.",
    "wrong": "How many wrong PINs were typed in a row.",
    # Chips, cash and slips
    "act": "What was attempted: issue, carry, receive or void.",
    "coup.late-bet-refused act": "What was attempted: bet, or withdraw.",
    "chips": "How many chips of each denomination; denominations in minor currency units.",
    "closer": "The chips in the tray at closing: how many of each denomination.",
    "closer_total": "The worth of the closer, in minor currency units.",
    "direction": "in, from the patron to the house; or out.",
    "expected": "What the chips in the tray should be worth, in minor currency units; null if not "
    "recorded.",
    "alert.acknowledged kind": "The kind of alert, as in `late bet`.",
    "deck.loaded kind": "deck, or batch.",
    "deck.reuse-refused kind": "deck, or batch.",
    "patron.barred kind": "barred, by the house; or self-excluded.",
    "slip-book.slip-received kind": "fill, or credit.",
    "slip-book.slip-requested kind": "fill, or credit.",
    "level": "Whether the variance is reported: none, report or regulator.",
    "opener": "The chips in the tray at opening: how many of each denomination.",
    "opener_total": "The worth of the opener, in minor currency units.",
    "box": "The number of the drop box.",
    "boxes": "How many drop boxes were counted.",
    "carried_by": "The staff number of whoever carried the box.",
    "drop_before": "The drop that was entered before, in minor currency units; null for none.",
    "drop-box.box-removed signed_by": "The staff number of the second person.",
    "drop-box.box-carried signed_by": "The staff number of the second person.",
    "drop-box.box-counted signed_by": "The staff number of the second person.",
    "emergency": "True if the box was put on outside the schedule.",
    "removed_by": "The staff number of whoever took the box off.",
    "table_figure": "The chips that were bought with cash at the table, in minor currency units.",
    "table-day.boxes-counted difference": "The cash of the boxes less the table's figure, in minor "
    "currency units.",
    "table-day.boxes-counted total": "The cash of the boxes, in minor currency units.",
    "third": "The staff number of the third person who counted.",
    "shift": "The name of the shift.",
    "slip": "The number of the slip.",
    "thresholds": "The variances, in minor currency units, above which it is reported and from "
    "which the regulator is told; null if not recorded.",
    "total": "The worth of the chips, in minor currency units.",
    "cash-day.cash-counted total": "The patron's cash of the day in this direction, this amount "
    "included, in minor currency units.",
    "cash-day.reporting-amount-near total": "The patron's cash of the day in this direction, in "
    "minor currency units.",
    "cash-day.reporting-amount-passed total": "The patron's cash of the day in this direction, in "
    "minor currency units.",
    "variance": "What was counted less what was expected, in minor currency units; null if not "
    "recorded.",
    "wagers_won": "What wagers brought into the tray, in minor currency units, negative for what "
    "they took out; null if not recorded.",
    "commission": "Commission collected in chips, in minor currency units; null if not recorded.",
    # Seats and stays
    "continues": "The table day that this one continues after a roll-over; null for none.",
    "table-day.patron-seated continues": "The stay of the day before that this one continues; null "
    "for none.",
    "seat": "The number of the seat; null where no seat is meant.",
    "stay": "The patron's stay at the table, as in B01/2026-11-21/stay-1.",
    "to": "What the wager should have been paid in all, in minor currency units; null for what the "
    "cards say.",
    "table-day.patron-moved to": "The number of the new seat.",
    # The shoe
    "batch": "The serial number of a sealed batch; empty for none.",
    "burned": "The cards that were burned face down, as far as they are known.",
    "cards_left": "How many cards are left in the shoe.",
    "colour": "The colour of the cards' backs; empty if it was not entered.",
    "commitment": "The commitment to the order of a generated shoe, in hex; empty for other shoes.",
    "coups": "How many coups the shoe dealt.",
    "cut_card": "Where the cut card is, in cards from the back.",
    "decks": "How many decks the shoe holds.",
    "device": "The shuffling machine; empty for none.",
    "difference": "How many cards more were counted than expected; negative for fewer.",
    "disposition": "What becomes of the card: carry, to the next coup; burn; or dummy, to a coup "
    "without bets.",
    "last_coup": "The number of the shoe's last coup; null while the cut card has not shown.",
    "loaded_in": "The shoe into which it was loaded first.",
    "method": "How the cards were shuffled: hand, machine, pre-shuffled or generated.",
    "order": "The cards of the shoe, in the order dealt.",
    "over": "Cards of which there are more than the decks hold: how many of each.",
    "remaining": "How many cards were left in the shoe.",
    "scheme": "How order and secret are hashed to the commitment; empty for other shoes.",
    "secret": "The secret, in hex, that with the order makes the commitment.",
    "serial": "The serial number.",
    "serials": "The serial numbers of the decks.",
    "shoe": "The shoe, as in B01/2026-11-21/2.",
    "shoe.burned face_down": "How many more cards were burned face down.",
    # The coup
    "allowed": "The limit, in minor currency units.",
    "amount": "The amount, in minor currency units.",
    "coup.limit-found-broken amount": "The wager, or the difference between Player and Banker, in "
    "minor currency units.",
    "coup.wager-found amount": "The whole wager on the spot, in minor currency units.",
    "coup.wager-placed amount": "The whole wager on the spot, in minor currency units.",
    "coup.wager-reduced amount": "The wager that remains, in minor currency units.",
    "dispute.opened amount": "The amount in dispute, in minor currency units; null if it is "
    "unknown.",
    "banker": "Who looks at the Banker hand: dealer, or a seat as in `seat 5`.",
    "banker_total": "The total of the Banker hand.",
    "card": "The card, rank then suit as in 9C; in an answer null while it is face down.",
    "cards": "The cards.",
    "carried": "True if the card had left the shoe before the coup began (R-IRR-1).",
    "coup": "The coup, as in B01/2026-11-21/2/17; null for none.",
    "shoe coup": "The number of the coup in the shoe.",
    "detail": "Always null.",
    "face_down": "True if the card is face down; no display shows it until it is turned.",
    "hand": "The hand: player or banker.",
    "limit": "The limit that was exceeded: OverMaximum or DifferentialExceeded.",
    "n": "The number of the card in the coup, in the order dealt.",
    "natural": "True if a hand had 8 or 9 on two cards.",
    "numbers": "The numbers of the cards that were turned.",
    "outcome": "The outcome: player, banker or tie.",
    "phase": "The phase of the coup before it was voided.",
    "player": "Who looks at the Player hand: dealer, or a seat as in `seat 5`.",
    "player_total": "The total of the Player hand.",
    "refusal": "The limit that is broken: UnderMinimum or DifferentialExceeded.",
    "returned": "What goes back to the patron, in minor currency units.",
    "rule": "The rule, as in R-DRAW-4; `sabot rule` shows its words.",
    "shows": "The total of the hand's cards that are face up.",
    "spot": "The spot; null where no spot is meant.",
    # Payment
    "as_it_wins": "The stays with a wager in the coup that pay commission of each payout.",
    "as_spot": "The spot that the wager is paid as; null for its own.",
    "changes_hands": "What changes hands, in minor currency units: positive to the patrons, "
    "negative from them.",
    "commission_before": "The commission charged before, in minor currency units.",
    "commission_charged": "The commission charged, in minor currency units.",
    "commission_due": "When commission is due: deferred, or at-payout; null for none.",
    "commission_exact": "The exact commission before rounding, in minor currency units, as a "
    "decimal number in text.",
    "odds": "The odds, as in 8:1; null if the wager was not paid by odds.",
    "owed": "What the seat is owed in all, in minor currency units.",
    "paid": "What the patron is paid, stake included, in minor currency units.",
    "coup.settled paid": "What all patrons are paid, stakes included, in minor currency units.",
    "paid_before": "What was paid before, in minor currency units; null if it was not settled.",
    "paid_up": "How much of it is there because the chips make no smaller amount, in minor "
    "currency units.",
    "result": "win, lose or push.",
    "stake": "The wager, in minor currency units.",
    "stakes": "All wagers of the coup, in minor currency units.",
    "stated": "What the layout read as paid, in minor currency units.",
    "winnings": "What the wager won, stake not included, in minor currency units.",
    # Commission
    "by_shoe": "The amount by shoe, in minor currency units.",
    "charged": "What is charged more, or less if negative, in minor currency units.",
    "copy": "1 for the original, 2 and more for reprints.",
    "due": "When it is due: deferred, or at-payout.",
    "exact": "The exact amount more, or less if negative, in minor currency units, as a decimal "
    "number in text.",
    "how": "How it was paid: patron, at-payout, or correction.",
    "property.administrator-recovered how": "What proved it: recovery-secret, database-superuser "
    "or administrator.",
    "minimum": "The least commission of a win, in minor currency units.",
    "moment": "When it is rounded: per-win, or on-collection.",
    "rate": "The rate of commission: numerator and denominator.",
    "receipt": "The number of the receipt; empty for none.",
    "rounding": "How it is rounded: exact, nearest or up.",
    "timing": "When commission is due: at-payout, deferred, as-it-wins or in-the-odds.",
    "unit": "The unit that commission is rounded to, in minor currency units.",
    "was": "How it was written off: waived, or walked.",
    # Disputes and alerts
    "agrees": "True if the record agreed with the rules when the case was opened.",
    "alert": "The alert, as the board names it.",
    "amount_named": "True if the patron named it; false if it is the most they may be paid.",
    "case": "The case, as in C-2026-0001.",
    "commission_changes": "By how much commission changes, in minor currency units; negative for "
    "less.",
    "complaint": "What the patron says.",
    "coup_phase": "The phase of the coup when the case was opened.",
    "coup_version": "How many events the coup had when the case was opened.",
    "decision": "The decision: stand, correct or void.",
    "disagreements": "Each difference between the record and the rules.",
    "effect": "What the decision changes, in words.",
    "evidence": "What cameras saw: camera, moment, milliseconds that its clock is ahead, and the "
    "moment by the record's clock.",
    "frozen_at": "The last position of the ledger when the case was opened.",
    "hold": "True if the table deals no further coup for now.",
    "json_sha256": "The SHA-256 of the JSON file, in hex.",
    "notify_by": "When the regulator must be notified at the latest; null if not at all.",
    "number": "The number of the decision in the case, from 1.",
    "others": "Other cases about the same coup: case and status.",
    "pdf_sha256": "The SHA-256 of the PDF, in hex.",
    "position": "The position of the last event in the file.",
    "reason": "The reason.",
    "shoe.card-discarded reason": "Why the card is not used: face-up, foreign or damaged.",
    "reference": "The regulator's reference; empty if it gave none.",
    "since": "When it happened: date, time and offset.",
    "tell_by": "When the patron must be told at the latest.",
    "text": "What somebody said.",
    "until": "Until when the patron may appeal; null for no limit.",
    "wagers": "The patron's wagers: seat, spot, stake and what was paid, in minor currency units.",
    "what_if": "The changes that were asked about.",
    "why": "The cause, one word.",
    "before": "What it was before.",
    "table-day.shift-counted before": "The earlier count of the shift, in minor currency units; "
    "null for the first.",
    "table-day.shift-counted counted_by": "The staff number of whoever counted and hands the "
    "table over.",
    "table-day.shift-counted signed_by": "The staff number of whoever signed and took the table "
    "over.",
    "table-day.drop-counted before": "The earlier count, in minor currency units; null for the "
    "first.",
}


def words_for(topic: str, field: str) -> str:
    """The meaning of a field of an event, or '' if none is listed."""
    stream = topic.partition(".")[0]
    keys = (f"{topic} {field}", f"{stream} {field}", field)
    return next((EVENT_FIELDS[key] for key in keys if key in EVENT_FIELDS), "")
