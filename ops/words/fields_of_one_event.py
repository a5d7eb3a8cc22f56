"""The meaning of fields that mean something else, or more, in one event than in others.

Each is listed under the event's topic, or its stream, and the field's name.
"""

from collections.abc import Mapping

_SHOWN_THEN = (
    "The secret, in hex, of the amount at which the meter had to be won; left out if this was not "
    "reached."
)
FIELDS_OF_ONE_EVENT: Mapping[str, str] = {
    # People and places
    "day-audit.master-audited position": "The ledger position at which the figures were read.",
    "day-audit.master-audited text": "A note; empty for none.",
    "rule-set.approved approved_by": "The staff numbers of the two people who approved it.",
    "coup.betting-closed by": "Who closed the betting: dealer; first-card, if a card was out "
    "before; or dummy, if the coup took no bets.",
    "coup.second-bets-closed by": "Who closed them: dealer; cards or wagers, if one of the "
    "first four cards, or a wager, was put right and no bet is offered now.",
    "coup.second-bets-opened offered": "The spots on which bets are taken after the first four "
    "cards.",
    "coup.hand-given-back by": "Who gave the hand back, as in `seat 5`.",
    "coup.hand-turned by": "Who turned the cards: dealer, or a seat as in `seat 5`.",
    "patron.told-apart other": "The other patron's name, which looks the same.",
    "patron.told-apart reason": "Why; empty where it was asked and answered at a table.",
    "table-day.earlier-coup-put-right place": "Where the chips come from or go to: tray, of the "
    "open day, or cage.",
    # Coupons
    "coupon.issued kind": "What it is: match-play or free-bet.",
    "coupon.refused-at why": "Why: used, laid (it lies on another coup), expired, void, or other "
    "(another kind or worth).",
    "coup.coupon-withdrawn why": "Why: patron, or bet if the bet beside it went back or was made "
    "smaller.",
    **dict.fromkeys(
        (
            *("coup.coupon-laid kind", "coup.coupon-withdrawn kind", "coup.coupon-settled kind"),
            *("coup.coupon-corrected kind", "coup.coupon-returned kind"),
        ),
        "What it is: match-play or free-bet.",
    ),
    # Meters
    "form-book.jackpot-form-issued stood": "What was in the meter when it paid, in minor currency "
    "units, as a decimal number.",
    "form-book.jackpot-form-issued coup": "The coup that the meter pays.",
    "meter.point-fixed commitment": "The SHA-256, in hex, of the secret that fixes the amount at "
    "which the meter must be won.",
    "coup.meter-followed secret": _SHOWN_THEN,
    "meter-day.meter-moved secret": _SHOWN_THEN,
    "meter-day coup": "The coup that fed the meter, or that it paid.",
    "coup.meter-followed meter": "The meter: spot, whose it is, currency.",
    "coup.meter-followed stood": "What was in the meter when it paid the coup, in minor currency "
    "units, as a decimal number.",
    "meter-day.meter-moved stood": "What was in the meter with the coup's share, before it paid, "
    "in minor currency units, as a decimal number.",
    # The house, its days and tables
    "property.setting-changed name": "The setting.",
    "protection.level-changed question": "A question of `report protection`.",
    "protection.level-changed level_before": "The level until then.",
    "cash-day.cash-counted name": "The name under which the cash came: a house number or an alias.",
    "property.events-missing continues": "Up to this event the record is as it was.",
    "property.events-missing until": "Up to this event something outside the database knows it.",
    "property.events-missing signed": "True if a checkpoint covers them; false if they were "
    "acknowledged.",
    "property.events-missing mark": "The root of that checkpoint, or the hash of the last event, "
    "in hex; empty if it is unknown.",
    "property.events-missing known": "Where that is known.",
    "property.events-missing epoch": "The epoch of the record that had them.",
    "archiving.coups-left events": "Up to this event coups and shoes leave the database.",
    "archiving.coups-left stay": "How many events up to there stay in the database.",
    "archiving.coups-left root": "The root of the tree over these events, in hex.",
    "archiving.coups-left directory": "The directory of the archive.",
    "archiving.coups-left first_day": "The first gaming day of what leaves.",
    "archiving.coups-left last_day": "The last gaming day of what leaves.",
    "archiving.coups-brought-back directory": "The directory of the archive from which they came.",
    "property.record-restored epoch": "The number of the epoch that begins.",
    "property.record-restored continues": "Up to this event it is the record of the epoch before.",
    "property.record-restored root": "The root of the tree over these events, in hex.",
    "property.record-restored until": "The last event that was known to be there.",
    "property.record-restored signed": "How many events a checkpoint of before covers; 0 if none "
    "that is missing was signed.",
    "property.record-restored signed_root": "The root of that checkpoint, in hex; empty if it is "
    "unknown.",
    "property server": "The database server that has the record now: its system identifier and its "
    "timeline.",
    "verification.failed fault": "The kind of the fault, as `audit verify` names it.",
    "verification.failed at_event": "The position in the record at which the fault is.",
    "verification.failed words": "What was found, in a sentence.",
    "other-house.distrusted house": "The other house, as `sabot group list` names it.",
    "other-house.distrusted origin": "The name of its record, as in its checkpoints.",
    "other-house.distrusted size": "How many of its events were seen before, as it signed them.",
    "other-house.distrusted words": "What was seen of its record, in a sentence.",
    "other-house.distrusted since": "When it was seen first.",
    # Rule sets and limits
    "property.recovery-secret-issued digest": "The SHA-256 of what is stored of it, in hex.",
    "shoe.shuffled digest": "The SHA-256 of a generated shoe's encrypted order, in hex; empty for "
    "other shoes.",
    "terminal.approved name": "Where it is, for people.",
    "terminal.terminal-retired name": "Where it was, for people.",
    "staff-member.code-issued digest": "The SHA-256 of what is stored of the code, in hex.",
    "staff-member.key-registered key": "The public half of the device's key: Ed25519, base64.",
    "staff-member.lines-missing first": "The number of the first line that is missing.",
    "staff-member.lines-missing last": "The number of the last one.",
    "staff-member.licence-recorded until": "The last day on which it holds; empty if it has none.",
    "staff-member.licence-recorded before": "The licence before; empty if none was on record.",
    "staff-member.licence-recorded until_before": "The last day on which that held.",
    "patron-file.file-changed parts": "Which parts of the file were changed, as in address.",
    "patron-file.file-changed digest": "The digest of the whole file, in hex, with the "
    "house's key and a random number that is stored with the file.",
    "patron-file.file-changed approved_by": "Who agreed to a lower risk; empty if it is not lower.",
    "patron-file.file-erased parts": "Which parts were erased, as in name or address.",
    "staff-member.retired left_at": "When the person left the house; empty if it is not on record.",
    "staff-member.pin-chosen digest": "The SHA-256 of what is stored of the PIN, in hex.",
    "program-day.program-started part": "The part of the program: dealer, pit, board, feed, "
    "projections or server.",
    "program-day.program-started version": "The version of the program.",
    "program-day.program-started digest": "The SHA-256 of the program's installed files, in hex.",
    "adjudication.disagreed rules": "The rule set; empty if the record names none.",
    # Chips, cash and slips
    "coup.late-bet-refused act": "What was attempted: bet, or withdraw.",
    "table-day.tray-exceeded act": "cash-out, or credit.",
    "table-day.opener-differed session": "The session of the opener, from 1.",
    "table-day.opener-differed difference": "The opener less the closer before it, in minor "
    "currency units.",
    "alert.acknowledged kind": "The kind of alert, as in `late bet`.",
    "deck.loaded kind": "deck, or batch.",
    "deck.reuse-refused kind": "deck, or batch.",
    "patron.barred kind": "barred, by the house; or self-excluded.",
    "slip-book.slip-received kind": "fill, or credit.",
    "slip-book.slip-requested kind": "fill, or credit.",
    "slip-book.slip-voided kind": "fill, or credit.",
    "slip-book.slip-received issued_by": "The staff number of the cashier who issued the chips.",
    "slip-book.slip-received carried_by": "The staff number of the runner who carried the chips.",
    "drop-box.box-removed signed_by": "The staff number of the second person.",
    "drop-box.box-carried signed_by": "The staff number of the second person.",
    "drop-box.box-counted signed_by": "The staff number of the second person.",
    "table-day.boxes-counted difference": "The cash of the boxes less the table's figure, in minor "
    "currency units.",
    "table-day.boxes-counted total": "The cash of the boxes, in minor currency units.",
    "cash-day.cash-counted total": "The patron's cash of the day in this direction, this amount "
    "included, in minor currency units.",
    "cash-day.reporting-amount-near total": "The patron's cash of the day in this direction, in "
    "minor currency units.",
    "cash-day.reporting-amount-passed total": "The patron's cash of the day in this direction, in "
    "minor currency units.",
    "cash-day.identity-seen thresholds": "The thresholds of the regime for which an ID was due.",
    # Seats and stays
    "table-day.patron-seated continues": "The stay of the day before that this one continues; null "
    "for none.",
    "table-day.opened shoe": "The shoe in play that came along at a roll-over; null for none.",
    "table-day.patron-moved to": "The number of the new seat.",
    # The shoe
    "shoe.burned face_down": "How many more cards were burned face down.",
    # The coup
    "coup.limit-found-broken amount": "The wager, or the difference between Player and Banker, in "
    "minor currency units.",
    "coup.wager-found amount": "The whole wager on the spot, in minor currency units.",
    "coup.wager-found amount_before": "The wager on record there before, in minor currency units; "
    "0 for none.",
    "coup.wager-placed amount": "The whole wager on the spot, in minor currency units.",
    "coup.wager-carried amount": "The wager on the spot, in minor currency units.",
    "coup placed_in": "The number in its shoe of the coup in which the bet was placed.",
    "coup counted": "How many coups counted for the bet so far.",
    "coup in_a_row": "How many of them it won in a row, from the first one on.",
    "coup won": "How many of them it won.",
    "coup.wager-recounted because": "The coup that was put right, or void.",
    "coup.wager-recounted until": "The number of the last coup that counts for the bet.",
    "coup.wager-ran-out why": "shoe-ended, or rolled-over.",
    "coup.wager-reduced amount": "The wager that remains, in minor currency units.",
    "dispute.decided stake": "The stake that really lay there, in minor currency units; null if it "
    "was on record.",
    "dispute.opened amount": "The amount in dispute, in minor currency units; null if it is "
    "unknown.",
    "shoe coup": "The number of the coup in the shoe.",
    # Payment
    "coup.settled paid": "What all patrons are paid, stakes included, in minor currency units.",
    # Commission
    "form-book.form-printed copy": "1 for the part itself, 2 and more for copies.",
    "table-day.unlocked how": "settle: by the cards that were drawn; return: every stake.",
    "table-day.locked-up why": "operator: somebody stopped it; gap: a step was too late.",
    "table-day.locked-up coup": "The coup in play; empty if none was.",
    "table-day.unlocked coup": "The coup that was decided; empty if none was in play.",
    "property.administrator-recovered how": "What proved it: recovery-secret, database-superuser "
    "or administrator.",
    # Disputes, inquiries and alerts
    "inquiry.inquiry-closed outcome": "What came of it: unfounded, unproven, corrected, barred or "
    "reported.",
    "aml-case.opened paper": "What a report is called, as the regime does; empty for none.",
    "aml-case.aml-decided decision": "Whether it is reported: report or no-report.",
    "aml-case.text-written digest": "A digest of the text, made with the house's key and a random "
    "number that is stored with it.",
    "aml-case.text-written number": "Its number in the case, from 1.",
    "cash-day.report-filed number": "The number of the filing, from 1.",
    "aml-case.aml-filed number": "The number of the filing in the case, from 1.",
    "incident.money-moved balance": "What the house keeps for somebody after it, in minor currency "
    "units; below 0: what it gave.",
    "table-day.incident-chips-moved amount": "What came into the tray, in minor currency units; "
    "below 0: what left it.",
    "incident.money-moved table_day": "The table day whose tray it was; empty for none.",
    "incident staff": "The staff numbers of those who were in it.",
    "incident kind": "What it is: conduct, fight, medical, theft, damage, goodwill, chips or "
    "other.",
    "incident table": "The table; empty if it was at none.",
    "incident.incident-closed outcome": "What came of it: resolved, warned, removed, barred, "
    "reported or unresolved.",
    **dict.fromkeys(
        (
            "dispute.pack-made position",
            "inquiry.inquiry-exported position",
            "aml-case.aml-case-exported position",
            "incident.incident-exported position",
        ),
        "The position of the last event in the file.",
    ),
    "shoe.card-discarded reason": "Why the card is not used: face-up, foreign or damaged.",
    "table-day.shift-counted before": "The earlier count of the shift, in minor currency units; "
    "null for the first.",
    "table-day.shift-counted counted_by": "The staff number of whoever counted and hands the "
    "table over.",
    "table-day.shift-counted signed_by": "The staff number of whoever signed and took the table "
    "over.",
    "table-day.drop-counted before": "The earlier count, in minor currency units; null for the "
    "first.",
    # What was put right
    "coup.card-corrected was": "The card that was typed.",
    "shoe.card-renamed was": "The card that was typed.",
    "patron.limit-stated kind": "What is limited: deposit, which is cash for chips; or loss, which "
    "is that less the chips for cash; or time, in minutes at tables.",
    "patron.limit-stated amount": "The limit, in minor currency units; null for none.",
    "patron.limit-stated minutes": "The limit of time; null for none.",
    "patron.limit-stated minutes_before": "The limit of time until then; null for none.",
    "patron.limit-stated amount_before": "The limit until then, in minor currency units; null for "
    "none.",
    "patron.break-begun until": "The end of the break.",
    "patron.played-on until": "The end of the break or rest, as the dealer was shown it; empty "
    "for a limit.",
    "patron.rest-announced minutes": "In how many minutes a rest will be due.",
    "patron.unbarred was": "What it was: barred, by the house; or self-excluded.",
    "patron.separated was": "The patron whom the alias was identified as.",
    "coup.card-corrected cards": "The cards of the coup now, in order: card, hand, rule.",
    "coup.card-corrected phase": "The phase of the coup when the card was corrected.",
    "coup.card-corrected outcome": "The outcome now; null while a card is due.",
    "commission-account.commission-carried-forward to_stay": "The stay that owes it now.",
    "table-day.table-closed session": "The openers of the day so far.",
    "table-day.reopened session": "The openers of the day, this one included.",
    "table-day.chips-corrected session": "The session of the day, from 1.",
    "table-day.closer-recounted session": "The session of the day, from 1.",
    "table-day.variance-changed session": "The session of the day, from 1.",
    "table-day.closer-recounted before": "The count before, in minor currency units.",
    "cash-day.cash-changed over": "True if it is still over the reporting amount.",
    "cash-day.cash-changed amount": "The change, in minor currency units; negative for less.",
    "cash-day.cash-changed name": "The name under which the cash came.",
    "cash-day.cash-changed total": "The patron's cash of the day in this direction, with this "
    "change, in minor currency units.",
    # Game accounts
    "commission-account.commission-left-open balance": "What the stay owes then, in minor currency "
    "units; below 0, the house owes it.",
    "open-money.bet-left-open coup": "The coup that was put right; null if a settlement was.",
    "open-money.bet-left-open seat": "The seat of the bet; null if a settlement was put right.",
    "open-money.bet-left-open spot": "The spot of the bet; null if a settlement was put right.",
    "open-money.bet-left-open amount": "What this correction left open, in minor currency units; "
    "below 0, the house owes it.",
    "open-money.bet-left-open balance": "What is open for bets of the stay then, in minor currency "
    "units; below 0, the house owes it.",
    "open-money.left-open-settled balance": "What is open for bets of the stay then, in minor "
    "currency units; below 0, the house owes it.",
    "open-money.settlement-taken-back balance": "What is open for bets of the stay then, in minor "
    "currency units; below 0, the house owes it.",
    "open-money.left-open-settled how": "How it was settled: received, paid, written-off or "
    "unclaimed.",
    "open-money.settlement-taken-back how": "How it was settled: received, paid, written-off or "
    "unclaimed.",
    "open-money.left-open-settled place": "cage, or the table day whose tray had it.",
    "open-money.settlement-taken-back place": "cage, or the table day whose tray had it.",
    "open-money.left-open-settled number": "Which settlement of the stay, from 1.",
    "open-money.settlement-taken-back number": "Which settlement of the stay, from 1.",
    "open-money.left-open-settled commission": "The parts of commission by shoe, in minor currency "
    "units; below 0, owed to the patron.",
    "open-money.left-open-settled account": "The part of the game account, in minor currency "
    "units; below 0, owed to the patron.",
    "table-day.open-money-moved amount": "What came into the tray, in minor currency units; below "
    "0, went out of it.",
    "game-account.found-short amount": "What the account cannot give back, in minor currency "
    "units; the house bears it.",
    "game-account.found-short coup": "The coup that was put right; null if cash was.",
    "game-account.cash-put-right was": "Whether it was paid in or out.",
    "game-account entry": "The place in its stream of the table day's event for the same money.",
    # Keys and checkpoints
    "signing-keys.introduced second": "A second public key, of ML-DSA-44; empty for none.",
    "signing-keys.key-replaced second": "A second public key, of ML-DSA-44; empty for none.",
    "signing-keys.key-replaced before": "The key before.",
    "checkpoint.checkpoint-sent place": "The directory, or the mail address.",
}
