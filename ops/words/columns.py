"""The heading and the meaning of each column of a report, by its key.

Every report shows the same thing under the same heading, on a screen, on paper and in the manual.
JSON and CSV have the key. A key with another meaning in one report is listed with the report's name
before it.

>>> heading("win_loss"), heading("burned")
('win/loss', 'burned')
>>> meaning("burned", "cards"), meaning("burned", "shoe-log")
('cards burned that were seen or named later', 'cards burned, with those face down')
"""

from collections.abc import Iterable, Mapping

from projections.model import Report

# Key: heading, and meaning.
COLUMNS: Mapping[str, tuple[str, str]] = {
    "accrued": ("accrued", "exact commission, before rounding"),
    "acknowledged_at": ("acknowledged at", "when somebody acknowledged it"),
    "acknowledged_by": ("acknowledged by", "who acknowledged it"),
    "act": ("act", "what happened"),
    "adjusted": ("adjusted", "commission that corrected coups took off the form"),
    "adjustment": (
        "adjustment",
        "what table revenue changes by: recovered and adjusted less uncollected",
    ),
    "after": ("after", "the amount after the change"),
    "alert": ("alert", "the number by which it is acknowledged"),
    "amount": ("amount", "cash that changed hands"),
    "vigorish.amount": ("amount", "commission not collected, or paid later"),
    "approved_by": ("approved by", "the second person"),
    "approved_proved": (
        "approved proved",
        "how the second person signed: PIN typed; signed on; named, not proved; in open house",
    ),
    "as_of": ("as of", "the past moment that was asked about"),
    "at": ("at", "when it happened"),
    "average_wager": ("average wager", "handle per coup with a wager, all spots together"),
    "banker_total": ("banker total", "points of the Banker hand"),
    "banker_winnings": ("banker winnings", "winnings on Banker, from which commission is taken"),
    "batch": ("batch", "serial of a pre-shuffled batch"),
    "before": ("before", "the amount before the change"),
    "brought_forward": ("brought forward", "commission still owed from an earlier shoe"),
    "burn_card": ("burn card", "the card burned face up"),
    "burned": ("burned", "cards burned, with those face down"),
    "cards.burned": ("burned", "cards burned that were seen or named later"),
    "buy_in": ("buy in", "chips bought with cash during the stay"),
    "by": ("by", "who did it, and the second person"),
    "card": ("card", "the rank and suit"),
    "cards": ("cards", "the cards in the order dealt"),
    "case": ("case", "the number of the dispute"),
    "cash_out": ("cash out", "cash paid to patrons at the table"),
    "cashier": ("cashier", "who issued the slip"),
    "changes_hands": (
        "changes hands",
        "total paid to patrons by the decisions; negative if taken back",
    ),
    "charged": ("charged", "commission after rounding, as it is owed"),
    "checkpoint_root": ("checkpoint root", "the root hash of the last signed checkpoint"),
    "checkpoint_size": ("checkpoint size", "how many events the last signed checkpoint covers"),
    "chips": ("chips", "how many chips of each denomination"),
    "closed_at": ("closed at", "when betting closed"),
    "measures.closed_at": ("closed at", "when the table closed"),
    "closer": ("closer", "chips in the tray when the table closes"),
    "collected": ("collected", "commission that was paid"),
    "colour": ("colour", "colour of the card backs"),
    "command": ("command", "the command that was read with"),
    "commission_charged": ("commission charged", "commission after rounding"),
    "commission_due": ("commission due", "when it is paid: at payout, or later"),
    "commission_exact": ("commission exact", "exact commission, before rounding"),
    "complaint": ("complaint", "what the patron says"),
    "components": ("components", "the transactions in the total"),
    "corrections": ("corrections", "changes to commission that was already charged or paid"),
    "dealers.corrections": ("corrections", "payments of those coups that were corrected later"),
    "counted_by": ("counted by", "who counted the chips"),
    "coup": ("coup", "table, day, shoe and number of the coup"),
    "coups": ("coups", "coups dealt in that day, stay, stint or shoe"),
    "coups_per_hour": (
        "coups per hour",
        "coups settled per hour; empty for a stint under ten minutes",
    ),
    "credits": ("credits", "chips sent from the tray to the cage"),
    "cut_by": ("cut by", "who cut the cards"),
    "cut_card": ("cut card", "cards behind the cut card"),
    "day": ("day", "the gaming day"),
    "deadlines": (
        "deadlines",
        "when the regulator and the patron must be informed, and how long the patron may appeal",
    ),
    "dealer": ("dealer", "who dealt"),
    "slips.dealer": ("dealer", "the dealer who received the chips"),
    "decided_at": ("decided at", "when the case was decided"),
    "decided_by": ("decided by", "who decided the case"),
    "decision": ("decision", "stand: payment unchanged; correct; void"),
    "decks": ("decks", "how many decks were loaded"),
    "detail": ("detail", "what happened"),
    "difference": ("difference", "expected less actual; anything but 0 must be examined"),
    "direction": ("direction", "cash in or cash out"),
    "discarded": ("discarded", "cards taken out of the game"),
    "drawn": ("drawn", "cards dealt to coups"),
    "drop": ("drop", "cash counted in the drop box"),
    "due_at": ("due at", "when the commission fell due"),
    "effect": ("effect", "what each decision changed, in order"),
    "ended_why": ("ended why", "why the shoe ended"),
    "events": ("events", "how many events are in the ledger"),
    "exceptions": ("exceptions", "what went wrong"),
    "dealers.exceptions": ("exceptions", "how many things went wrong at those coups"),
    "expected": ("expected", "cards loaded: one per deck"),
    "fills": ("fills", "chips sent from the cage to the tray"),
    "first_card_at": ("first card at", "when the first card was dealt"),
    "first_coup": ("first coup", "the first coup of the shoe"),
    "first_day": ("first day", "the first gaming day that was asked about"),
    "from": ("from", "when the stint began"),
    "master.from": ("from", "the first day of the period"),
    "form": ("form", "the number of the form"),
    "frozen_at": ("frozen at", "last ledger position when the case was opened"),
    "gapless": ("gapless", "whether every form of the day has the number after the one before"),
    "handle": ("handle", "everything wagered and settled, won or lost"),
    "hands_per_hour": (
        "hands per hour",
        "coups settled per hour, first opened to last settled; empty under ten minutes",
    ),
    "head": ("head", "the last hash of the chain"),
    "hold": ("hold", "win as a share of drop"),
    "holds": ("holds", "whether the case stops play at the table"),
    "hours": ("hours", "from opener to closer"),
    "how": ("how", "in which form it was read"),
    "in_drop_box": ("in drop box", "whether the drop with its original has been counted"),
    "in_dispute": (
        "in dispute",
        "the amount the patron claims; without a claim, the most their wagers could be paid",
    ),
    "inspected_by": ("inspected by", "who inspected the cards"),
    "key": ("key", "which patron, shoe, table or day"),
    "kind": ("kind", "what it is"),
    "last_coup": ("last coup", "the last coup of the shoe"),
    "last_day": ("last day", "the last gaming day that was asked about"),
    "left_at": ("left at", "when the patron left"),
    "level": ("level", "who must be informed of the variance: none, report, regulator"),
    "login": ("login", "the database login"),
    "machine": ("machine", "the machine it was read on"),
    "moment": ("moment", "opener or closer"),
    "natural": ("natural", "whether a hand had 8 or 9 on two cards"),
    "notes": ("notes", "how many notes the case has"),
    "occupancy": ("occupancy", "share of seat-time that was occupied"),
    "odds": ("odds", "the odds by which it was judged; of several payouts the one it won"),
    "oldest_accrual": ("oldest accrual", "since when commission is owed"),
    "open": ("open", "commission on forms that is not paid"),
    "opened_at": ("opened at", "when it was opened"),
    "opened_by": ("opened by", "who opened the case"),
    "opener": ("opener", "chips in the tray when the table opens"),
    "original": ("original", "the coup, wager, stay or slip that was changed"),
    "outcome": ("outcome", "Player, Banker or Tie"),
    "outside_95": (
        "outside 95",
        "whether the win is more than 1.96 standard deviations from the theoretical win",
    ),
    "outstanding": ("outstanding", "commission that is still owed"),
    "paid": ("paid", "everything paid for the wager, its stake included"),
    "patron": ("patron", "the patron's name or number"),
    "patron_told_at": ("patron informed at", "when the patron was informed of the decision"),
    "period": ("period", "day, month or year"),
    "phase": ("phase", "betting, dealing, resulted, settled or voided"),
    "player_total": ("player total", "points of the Player hand"),
    "prepared_by": ("prepared by", "who prepared the form"),
    "proved": ("proved", "how each person signed, as under approved proved"),
    "rate": ("rate", "commission as a share of winnings"),
    "reason": ("reason", "why, as the person who requested it wrote"),
    "recovered": ("recovered", "commission paid after it was written off"),
    "recovers": ("recovers", "the forms that a payment is for"),
    "reference": ("reference", "the regulator's own number"),
    "refused": ("refused", "why nothing was shown"),
    "regulator_notified_at": ("regulator notified at", "when the regulator was notified"),
    "remaining": ("remaining", "cards left in the shoe"),
    "replay": ("replay", "whether the record agreed with the rules when the case was opened"),
    "requested_by": ("requested by", "who requested it"),
    "result": ("result", "win, lose, push or void"),
    "integrity.result": ("result", "good, or the first position that is bad"),
    "resulted_at": ("resulted at", "when the outcome was known"),
    "rounding": ("rounding", "charged less accrued"),
    "rules": ("rules", "the rule set"),
    "runner": ("runner", "who carried the chips"),
    "same_period_last_year": ("same period last year", "win of the same days a year before"),
    "scope": ("scope", "patron, shoe, table or day"),
    "seat": ("seat", "the number of the seat"),
    "seated_at": ("seated at", "when the patron sat down"),
    "seats": ("seats", "how many seats the table has"),
    "serials": ("serials", "serials of the decks"),
    "settled_at": ("settled at", "when every wager was paid or taken"),
    "shoe": ("shoe", "table, day and number of the shoe"),
    "shuffle_device": ("shuffle device", "the shuffling machine"),
    "shuffle_method": ("shuffle method", "how the cards were shuffled"),
    "signed_by": ("signed by", "who signed the count"),
    "integrity.signed_by": ("signed by", "who signed the last checkpoint"),
    "signed_proved": ("signed proved", "how that person signed, as under approved proved"),
    "slip": ("slip", "the number of the slip"),
    "spot": ("spot", "what was bet on"),
    "staff": ("staff", "the staff number it is about"),
    "stake": ("stake", "the amount wagered"),
    "status": ("status", "how far it is"),
    "stay": ("stay", "a patron's time at one table"),
    "supervisor": ("supervisor", "who supervised"),
    "slips.supervisor": ("supervisor", "the supervisor who received the chips"),
    "table": ("table", "the table"),
    "text": ("text", "what was written when it was acknowledged"),
    "theoretical_win": ("theoretical win", "the house edge on everything wagered"),
    "to": ("to", "when the stint ended"),
    "master.to": ("to", "the last day of the period"),
    "total": ("total", "the chips or the cash together"),
    "total_in": ("total in", "cash in from this patron on this day up to here"),
    "total_out": ("total out", "cash out to this patron on this day up to here"),
    "uncollected": ("uncollected", "commission on the forms of patrons who left owing"),
    "variance": ("variance", "closer less the chips expected in the tray"),
    "verified_at": ("verified at", "when the last verified event was recorded"),
    "verified_by": ("verified by", "the second person at the inspection or count"),
    "verified_proved": ("verified proved", "how that person signed, as under approved proved"),
    "waived": ("waived", "commission that the house waived"),
    "walked": ("walked", "commission written off because the patron left"),
    "who": ("who", "who read it"),
    "win": (
        "win",
        "the house's win: drop + closer + credits - opener - fills - cash out, "
        "once all of them are known",
    ),
    "win_high": (
        "win high",
        "the highest usual win: theoretical win plus 1.96 standard deviations",
    ),
    "win_loss": ("win/loss", "the patron's result after commission: + the patron won"),
    "win_low": ("win low", "the lowest usual win: theoretical win less 1.96 standard deviations"),
}
# What each report shows, for the list of them and its help.
ABOUT: Mapping[str, str] = {
    "access": "who signed on, and who changed staff, rules, settings",
    "alerts": "what needs a person, and who acknowledged it",
    "cards": "each card of a shoe: how many were expected and seen",
    "cash-log": "every cash movement with its patron",
    "commission": "what each patron owes and paid, stay by stay",
    "commission-proof": "proof that wagers and commission accounts agree",
    "coup": "each coup with its cards, outcome and dealer",
    "ctr": "patrons over the reporting amount on one gaming day",
    "dealers": "each dealer's stints: speed, exceptions, corrections",
    "disputes": "cases with their deadlines and decisions",
    "exceptions": "what went against the rules, or was put right",
    "integrity": "how much of the record is verified, and the result",
    "inventory": "each count of a tray: opener, closer, variance",
    "master": "win and hold of each table by day, month and year",
    "measures": "minutes played, coups an hour and seats in use",
    "ratings": "each patron's play: average wager, handle, result",
    "readings": "who read a report, a replay or an export",
    "shoe-log": "each shoe from loading to reconciliation",
    "slips": "fills and credits by number, without a gap",
    "table-win": "win of each table and day, from chips, cash and drop",
    "vigorish": "forms for uncollected commission, and for its recovery",
    "vigorish-adjustment": "what uncollected and recovered commission adjusts, by day",
    "voids": "wagers, coups and slips that were voided or corrected",
    "wagers": "each wager with its result and commission",
}
# Keys that mean the same in every report.
MEANINGS: Mapping[str, str] = {
    key: meaning for key, (_, meaning) in COLUMNS.items() if "." not in key
}


def heading(key: str) -> str:
    """The column's heading on a screen and on paper."""
    return COLUMNS[key][0] if key in COLUMNS else key.replace("_", " ")


def headings(keys: Iterable[str]) -> str:
    """Several columns in a sentence: `fills, credits, cash out`."""
    return ", ".join(map(heading, keys))


def meaning(key: str, report: str) -> str:
    """The column's meaning in that report."""
    return COLUMNS.get(f"{report}.{key}", COLUMNS[key])[1]


def meanings(report: Report) -> dict[str, str]:
    """The meanings of the report's columns, in their order."""
    return {key: meaning(key, report.name) for key in report.columns}
