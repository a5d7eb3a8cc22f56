"""An example of every event, by its topic: its own fields."""

from typing import Any

from domain.rules.house_rules import named
from domain.rules.order import SCHEME

DAY, SHOE, COUP = "B01/2026-11-21", "B01/2026-11-21/2", "B01/2026-11-21/2/17"
DIGEST = named("dragon-bonus@1").digest
LIMITS = {"main": [25_00, 10_000_00], "tie": [5_00, 1_000_00]}
P_3 = {"seat": 3, "patron": "P-10417", "stay": f"{DAY}/stay-1"}
METER = "fortune/house/USD"
LYING = {
    "coup": COUP, **P_3, "spot": "banker", "coupon": "MP-1001", "kind": "match-play",
    "worth": 25_00}  # fmt: skip
COUPON_PAID = {
    "ended": "win", "odds": "1:1", "winnings": 25_00, "taken_off": 0, "paid": 25_00,
    "used": True}  # fmt: skip
MOVED_BY_A_COUP = {
    "staked": 25_00,
    "share": "37.5",
    "to_reserve": "6.25",
    "stood": "1204055.05",
    "paid": 12_040_00,
    "from_reserve": "31009.175",
    "seeded": 768_55,
}
CASH_DAY = {"patron": "P-10417", "day": "2026-11-21"}
D_204 = {"staff": "D-204"}
CASE = "C-2026-0007"
SLIP, CHIPS = "2026-000017", {"chips": {"10000": 50, "2500": 40}, "total": 6_000_00}
FORM = "UV-2026-000001"
SESSION = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
HERS = {"stay": f"{DAY}/stay-1", "patron": "P-10417"}

ORIGIN, WITNESS = "casino.example/baccarat", "https://witness.example/"
KEY = "casino.example/baccarat+5a3f0c11+AVADx6SNet45BfaDtvAOED1eDeXxW06sU2YsPbh4DkAz"

BY_TWO = {"requested_by": "D-204", "approved_by": "S-11"}
MOVED = "2026-11-21T20:14:07+01:00"
WRONG = {"position": 48213, "entry": 17, "moved_at": MOVED}
RIGHTLY = {"reason": "typed wrong", **BY_TWO}
RECKONED = {
    "session": 1, "closer_total": 6_000_00, "expected": 6_000_00, "variance": 0, "level": "none",
    "thresholds": [25_00, 100_00]}  # fmt: skip

AT_E01 = {"stay": "E01/2026-11-21/stay-1", "patron": "P-10417"}
SEAT_3 = {"seat": 3, "patron": "P-10417", "stay": "E01/2026-11-21/stay-1"}
TICKET = "E01/2026-11-21/stay-1/ticket-1"
ON_TIE = {"coup": "E01/2026-11-21/1/17", "spot": "tie"}


def _moved(amount: int, out_of: str, into: str, balance: int) -> dict[str, Any]:
    return {"seat": 3, "amount": amount, "out_of": out_of, "into": into, "balance": balance}


INCIDENT, INQUIRY = "IR-2026-0012", "I-2026-0003"
ROW = {
    "question": "new deck", "position": 48213, "at": MOVED, "table": "B01", "day": "2026-11-21",
    "shoe": SHOE, "coup": COUP, "patron": None, "partner": None, "dealer": None,
    "one_in": 10_000, "power": 6, "counted_to": 48250,
    "order": "C up", "place": 1, "first": 1, "last": 9,
}  # fmt: skip

# fmt: off
REGIME = (
    '{"name":"riverside","title":"Riverside","currency":"USD","thresholds":[{"name":"ctr",'
    '"paper":"report","amount":1000000,"over":true,"counts":"day","directions":["in","out"],'
    '"due":["report"],"source":"31 CFR 1021.311"}]}'
)
EXAMPLES: dict[str, dict[str, Any]] = {
    "property.founded": {
        "name": "Sabot", "currency": "USD", "zone": "Europe/Vienna", "day_start": "06:00",
        "reporting_amount": 10_000_00, "helpline": "1-800-GAMBLER"},
    "property.setting-changed": {
        "name": "reporting_amount", "value": "1500000", "before": "1000000"},
    "property.rules-approved": {"rules": "riverside@1"},
    "property.house-closed": {"administrator": "A-1"},
    "property.recovery-secret-issued": {"why": "first-administrator", "digest": DIGEST},
    "property.events-missing": {
        "continues": 792, "until": 1578, "signed": True, "mark": DIGEST,
        "known": "on this machine", "epoch": 1, "server": "7446122893/1"},
    "archiving.coups-left": {
        "events": 792, "stay": 60, "root": DIGEST, "directory": "/mnt/archive",
        "first_day": "2025-01-01", "last_day": "2025-12-31", **RIGHTLY},
    "archiving.coups-brought-back": {"directory": "/mnt/archive"},
    "property.record-restored": {
        "epoch": 2, "continues": 792, "root": DIGEST, "until": 1578, "signed": 1578,
        "signed_root": DIGEST, "server": "7446122893/1", **RIGHTLY},
    "property.administrator-recovered": {"staff": "A-1", "how": "recovery-secret"},
    "property.recovery-refused": {"staff": "A-1", "why": "wrong-secret"},
    "property.administrators-changed": {"administrators": ["A-1", "A-2"]},
    "terminal.approved": {"terminal": "98BB-CEFA-88A6-387D", "name": "pit 1"},
    "terminal.terminal-retired": {
        "terminal": "98BB-CEFA-88A6-387D", "name": "pit 1", "reason": "stolen"},
    "alert.acknowledged": {
        "alert": "late-bet/48213", "kind": "late bet", "table": "B01", "day": "2026-11-21",
        "coup": COUP, "since": "2026-11-21T20:14:02+01:00", "text": "spoke to the dealer",
        "by": "S-11"},
    "adjudication.disagreed": {
        "coup": COUP, "table_day": DAY, "rules": "dragon-bonus@1", "disagreements": [
            {"what": "seat 3 banker: paid", "recorded": "30000", "adjudicated": "20000"}]},
    "patron.known": {"patron": "P-10417"},
    "patron.identified": {"patron": "Lady in red", "patron_is": "P-10417"},
    "patron.told-apart": {"patron": "p-10417", "other": "P-10417", "reason": "her brother"},
    "patron.barred": {"patron": "P-10417", "reason": "counted cards", "kind": "barred"},
    "patron.limit-stated": {
        "patron": "P-10417", "kind": "loss", "period": "day", "whose": "patron",
        "amount": 500_00, "amount_before": None, "holds_from": MOVED},
    "patron.break-begun": {"patron": "P-10417", "until": MOVED, "whose": "patron"},
    "patron.played-on": {"patron": "P-10417", "table": "B01", "seat": 3, "until": "23:30"},
    "patron.unbarred": {"patron": "P-10417", "reason": "the term is over", "was": "barred"},
    "patron-file.begun": {"patron": "P-10417"},
    "patron-file.file-changed": {
        "patron": "P-10417", "parts": ["birth_date", "documents"], "digest": DIGEST},
    "patron-file.file-erased": {
        "patron": "P-10417", "parts": ["name", "documents"], "reason": "the term is over"},
    "staff-member.enrolled": {**D_204, "role": "dealer", "for_two": []},
    "staff-member.for-two-changed": {**D_204, "for_two": ["correct"], "before": []},
    "staff-member.role-changed": {**D_204, "role": "supervisor", "before": "dealer"},
    "staff-member.code-issued": {**D_204, "digest": DIGEST},
    "staff-member.key-registered": {
        "staff": "X-1", "key": "3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs="},
    "staff-member.lines-missing": {"staff": "X-1", "first": 18, "last": 20, "table": "B01"},
    "staff-member.pin-chosen": {**D_204, "digest": DIGEST},
    "staff-member.pin-proved": {**D_204, "table": "B01"},
    "staff-member.signed-on": {**D_204, "table": "B01", "session": SESSION,
        "machine": "pit-2", "user": "ann", "place": SESSION},
    "staff-member.signed-off": {**D_204, "table": "B01", "why": "signed-off"},
    "staff-member.sign-on-refused": {**D_204, "table": "B01", "why": "wrong-pin",
        "machine": "pit-2", "user": "ann"},
    "staff-member.locked": {**D_204, "wrong": 3, "table": "B01"},
    "staff-member.act-refused": {
        **D_204, "command": "slip.receive", "table": "B01", "error": "SecondPersonNeeded",
        "why": "second-role", "second": "D-205"},
    "staff-member.language-chosen": {**D_204, "language": "zh-Hant", "before": ""},
    "staff-member.licence-recorded": {
        **D_204, "licence": "GL-20417", "until": "2027-03-31", "before": "", "until_before": ""},
    "staff-member.retired": {**D_204, "reason": "left the house"},
    "slip-book.opened": {"year": 2026},
    "slip-book.slip-requested": {
        "slip": SLIP, "kind": "fill", "table_day": DAY, **CHIPS, "requested_by": "S-11"},
    "slip-book.slip-issued": {"slip": SLIP, "table_day": DAY, "cashier": "C-7"},
    "slip-book.slip-carried": {"slip": SLIP, "table_day": DAY, "runner": "R-3"},
    "slip-book.slip-received": {
        "slip": SLIP, "kind": "fill", "table_day": DAY, **CHIPS, "issued_by": "C-7",
        "carried_by": "R-3", "dealer": "D-204", "supervisor": "S-11"},
    "slip-book.slip-voided": {
        "slip": SLIP, "kind": "fill", "table_day": DAY, **CHIPS, "reason": "wrong denomination",
        "by": "S-11", "approved_by": "P-2"},
    "slip-book.slip-reuse-refused": {
        "slip": SLIP, "table_day": DAY, "act": "receive", "why": "received"},
    "form-book.opened": {"year": 2026},
    "form-book.uncollected-form-issued": {
        "form": FORM, "table_day": DAY, "patron": "P-10417", "stay": f"{DAY}/stay-1",
        "amount": 5_00, "by_shoe": {SHOE: 5_00}, "currency": "USD", "reason": "left the floor",
        "prepared_by": "D-204", "approved_by": "S-11"},
    "form-book.recovery-form-issued": {
        "form": "VR-2026-000002", "table_day": "B02/2026-11-22", "patron": "P-10417",
        "stay": f"{DAY}/stay-1", "amount": 2_00, "by_shoe": {SHOE: 2_00}, "currency": "USD",
        "by_form": {FORM: 2_00}, "still_open": {FORM: 3_00}, "prepared_by": "D-204",
        "approved_by": "S-11"},
    "form-book.form-recovered": {
        "form": FORM, "recovery": "VR-2026-000002", "amount": 2_00},
    "form-book.form-adjusted": {"form": FORM, "coup": COUP, "amount": 1_00},
    "form-book.form-printed": {"form": FORM, "part": "original", "copy": 1},
    "cash-day.begun": {**CASH_DAY},
    "cash-day.cash-counted": {
        **CASH_DAY, "direction": "in", "amount": 1_000_00, "total": 10_500_00, "table": "B01",
        "name": "grey-jacket"},
    "cash-day.reporting-amount-near": {
        **CASH_DAY, "direction": "in", "total": 9_500_00, "reporting_amount": 10_000_00,
        "alike": ["p-10417"]},
    "cash-day.reporting-amount-passed": {
        **CASH_DAY, "direction": "in", "total": 10_500_00, "reporting_amount": 10_000_00,
        "alike": ["p-10417"]},
    "cash-day.identity-seen": {
        **CASH_DAY, "direction": "in", "amount": 4_000_00, "thresholds": ["ctr"]},
    "regime.begun": {},
    "regime.regime-chosen": {
        "regime": "riverside", "from_day": "2026-12-01", "content": REGIME, "approved_by": "S-11"},
    "day-audit.begun": {"day": "2026-11-21"},
    "day-audit.master-audited": {
        "day": "2026-11-21", "position": 48213, "text": "all tables agree", "audited_by": "A-9"},
    "program-day.begun": {"day": "2026-11-21"},
    "program-day.program-started": {
        "day": "2026-11-21", "part": "dealer", "table": "B01", "version": "0.1.0",
        "digest": DIGEST, "machine": "pit-2"},
    "game-account.opened": {**AT_E01, "table_day": "E01/2026-11-21", "currency": "USD", "seat": 3},
    "game-account.paid-in": {
        **AT_E01, **_moved(200_00, "cash", "account", 200_00), "entry": 7, "ticket": None},
    "game-account.paid-out": {
        **AT_E01, **_moved(150_00, "account", "ticket", 50_00), "entry": 8, "ticket": TICKET},
    "game-account.hand-paid": {
        **AT_E01, **_moved(150_00, "account", "hand", 50_00), "entry": 8, **RIGHTLY},
    "game-account.wagered": {**AT_E01, **_moved(25_00, "account", "cloth", 175_00), **ON_TIE},
    "game-account.wager-released": {
        **AT_E01, **_moved(25_00, "cloth", "account", 200_00), **ON_TIE},
    "game-account.stake-returned": {
        **AT_E01, **_moved(25_00, "cloth", "account", 200_00), **ON_TIE},
    "game-account.stake-lost": {**AT_E01, **_moved(25_00, "cloth", "house", 175_00), **ON_TIE},
    "game-account.winnings-credited": {
        **AT_E01, **_moved(200_00, "house", "account", 400_00), **ON_TIE},
    "game-account.payment-followed": {
        **AT_E01, **_moved(150_00, "account", "house", 0), **ON_TIE},
    "game-account.left-on-account": {**HERS, "seat": 3, "balance": 50_00},
    "game-account.found-short": {
        **AT_E01, **_moved(50_00, "house", "account", 150_00), "coup": "E01/2026-11-21/1/3"},
    "game-account.cash-put-right": {
        **AT_E01, **_moved(20_00, "account", "cash", 180_00), "entry": 7, "position": 48213,
        "was": "in", **RIGHTLY},
    "ticket.issued": {
        "ticket": TICKET, "amount": 150_00, "table_day": "E01/2026-11-21", "here": True},
    "ticket.ticket-taken": {"ticket": TICKET, "table_day": "E02/2026-11-21",
        "stay": "E02/2026-11-21/stay-4"},
    "ticket.ticket-refused": {
        "ticket": TICKET, "table_day": "E02/2026-11-21", "amount": 150_00},
    "table-day.ticket-in": {**SEAT_3, "amount": 150_00, "ticket": TICKET},
    "table-day.ticket-out": {**SEAT_3, "amount": 150_00, "ticket": TICKET},
    "drop-box.registered": {"box": "X-17"},
    "drop-box.box-attached": {"box": "X-17", "table_day": DAY, "emergency": False, "by": "R-1"},
    "drop-box.box-removed": {
        "box": "X-17", "table_day": DAY, "shift": "swing", "removed_by": "R-1",
        "signed_by": "S-11"},
    "drop-box.box-carried": {
        "box": "X-17", "table_day": DAY, "carried_by": "R-1", "signed_by": "R-2"},
    "drop-box.box-counted": {
        "box": "X-17", "table_day": DAY, "amount": 9_500_00, "counted_by": "C-1",
        "signed_by": "C-2", "third": "C-3"},
    "rule-set.adopted": {
        "rules": "dragon-bonus@1", "digest": DIGEST, "content": named("dragon-bonus@1").stated},
    "rule-set.approved": {
        "rules": "riverside@1", "digest": DIGEST, "approved_by": ["A-1", "S-11"],
        "file_sha256": SESSION, "edges": {"tie": "1/100"},
        "compared": {"classic@1": [["spots tie pays", "tie 8:1", "tie 9:1"]]}},
    "table.placed": {"table": "B01"},
    "table.day-opened": {"day": "2026-11-21"},
    "table.day-closed": {"day": "2026-11-21"},
    "table.box-put-on": {"box": "X-17"},
    "table.box-taken-off": {"box": "X-17"},
    "table-day.opened": {
        "table": "B01", "day": "2026-11-21", "house": "Sabot", "currency": "USD",
        "zone": "Europe/Vienna", "day_begins": "2026-11-21T05:00:00+00:00",
        "day_ends": "2026-11-22T05:00:00+00:00", "rules": "dragon-bonus@1",
        "rules_digest": DIGEST, "limits": LIMITS, "differential": None,
        "opener": {"10000": 200, "2500": 400}, "opener_total": 30_000_00,
        "dealer": "D-204", "supervisor": "S-11", "continues": "B01/2026-11-20",
        "shoe": "B01/2026-11-20/3"},
    "table-day.patron-seated": {**P_3, "continues": "B01/2026-11-20/stay-4"},
    "table-day.chair-given-up": {**P_3},
    "table-day.patron-left": {**P_3, "why": "rolled-over"},
    "table-day.shoe-brought": {"shoe": SHOE},
    "table-day.shoe-taken-off": {"shoe": SHOE},
    "table-day.limits-changed": {
        "limits": LIMITS, "differential": 50_000_00, "limits_before": LIMITS,
        "differential_before": None},
    "table-day.dealer-relieved": {"staff": "D-205", "before": "D-204"},
    "table-day.supervisor-relieved": {"staff": "S-12", "before": "S-11"},
    "table-day.patron-moved": {
        "seat": 3, "to": 5, "patron": "P-10417", "stay": f"{DAY}/stay-1"},
    "table-day.bought-in": {**P_3, "amount": 1_000_00},
    "table-day.cashed-out": {**P_3, "amount": 500_00},
    "table-day.filled": {"slip": SLIP, **CHIPS},
    "table-day.credited": {"slip": SLIP, **CHIPS},
    "table-day.drop-counted": {
        "amount": 9_500_00, "before": 9_000_00, **RIGHTLY},
    "table-day.box-awaited": {"box": "X-17"},
    "table-day.box-opened": {"box": "X-17", "amount": 9_500_00},
    "table-day.boxes-counted": {
        "boxes": 2, "total": 12_000_00, "table_figure": 12_100_00, "difference": -100_00,
        "drop_before": None},
    "table-day.shift-counted": {
        "shift": "swing", "chips": {"10000": 199, "2500": 404}, "total": 30_000_00,
        "expected": 30_050_00, "variance": -50_00, "level": "report",
        "thresholds": [25_00, 100_00], "before": None, "counted_by": "S-11", "signed_by": "S-12"},
    "table-day.incident-chips-moved": {"incident": INCIDENT, "amount": -50_00},
    "table-day.commission-recovered": {
        "patron": "P-10417", "stay": "B01/2026-11-20/stay-4", "amount": 5_00},
    "table-day.commission-timing-chosen": {**HERS, "timing": "as-it-wins"},
    "table-day.held": {"case": CASE, "by": "S-11"},
    "table-day.locked-up": {
        "why": "operator", "coup": COUP, "reason": "a screen is dark", "by": "S-11"},
    "table-day.unlocked": {"how": "return", "coup": COUP, **RIGHTLY},
    "table-day.released": {"case": CASE, "by": "S-11"},
    "table-day.table-closed": {
        "closer": {"10000": 199, "2500": 404}, "closer_total": 30_000_00,
        "expected": 30_050_00, "variance": -50_00, "level": "report",
        "thresholds": [25_00, 100_00], "wagers_won": 45_00, "commission": 5_00,
        "counted_by": "D-204", "signed_by": "S-11", "why": "closed",
        "session": 1},
    "shoe.loaded": {
        "shoe": SHOE, "table_day": DAY, "rules": "dragon-bonus@1", "rules_digest": DIGEST,
        "decks": 8, "serials": ["K-88121"], "colour": "red", "batch": "B-77", "cut_card": 14},
    "shoe.came-along": {"shoe": SHOE, "table_day": "B01/2026-11-22"},
    "shoe.inspected": {"shoe": SHOE, "verified_by": "S-11"},
    "deck.loaded": {"serial": "K-88121", "kind": "deck", "shoe": SHOE},
    "deck.reuse-refused": {
        "serial": "K-88121", "kind": "deck", "shoe": SHOE, "loaded_in": "B01/2026-11-20/1"},
    "shoe.shuffled": {
        "shoe": SHOE, "method": "generated", "device": "RNG-1", "commitment": SESSION,
        "scheme": SCHEME, "digest": DIGEST},
    "shoe.cut": {"shoe": SHOE, "cut_by": "seat 3", "cut_card": 14},
    "shoe.burned": {"shoe": SHOE, "card": "3D", "face_down": 3},
    "shoe.passed": {"shoe": SHOE, "holder": "seat 3"},
    "shoe.coup-begun": {"shoe": SHOE, "coup": 17},
    "shoe.coup-not-dealt": {"shoe": SHOE, "coup": 17, "last_coup": 18},
    "shoe.card-drawn": {"shoe": SHOE, "card": "9C", "coup": 17, "n": 1},
    "shoe.undue-card-refused": {
        "shoe": SHOE, "card": "9C", "coup": 17, "why": "coup-complete"},
    "shoe.burned-between": {"shoe": SHOE, "coup": 18},
    "shoe.burn-left-out": {"shoe": SHOE, "coup": 18, "rules_say": "or-coup-void"},
    "shoe.card-misdrawn": {
        "shoe": SHOE, "card": "9C", "coup": 17, "disposition": "carry", "rules_say": "burn"},
    "shoe.carried-card-dealt": {"shoe": SHOE, "card": "9C", "coup": 18, "n": 1},
    "shoe.card-discarded": {"shoe": SHOE, "card": "9C", "reason": "face-up", "coup": 17},
    "shoe.order-revealed": {"shoe": SHOE, "order": ["9C", "TH"], "secret": SESSION},
    "shoe.cut-card-shown": {"shoe": SHOE, "last_coup": 18, "cards_left": 12},
    "shoe.cut-card-passed": {"shoe": SHOE, "coup": 18, "cards_left": 9},
    "shoe.ended": {"shoe": SHOE, "reason": "torn card", "coups": 18, "cards_left": 9},
    "shoe.order-untold": {"shoe": SHOE, "commitment": DIGEST},
    "table-day.earlier-coup-put-right": {"coup": COUP, "changes_hands": -200_00, "place": "tray"},
    "shoe.reconciled": {
        "shoe": SHOE, "remaining": 2, "cards": ["9C", "TH"], "difference": -7,
        "over": {"9C": 1}, "burned": ["QD"]},
    "coup.opened": {
        "coup": COUP, "shoe": SHOE, "table_day": DAY, "rules": "dragon-bonus@1",
        "rules_digest": DIGEST, "limits": LIMITS, "differential": 50_000_00,
        "dealer": "D-204", "supervisor": "S-11", "shoe_holder": "dealer"},
    "coup.wager-placed": {"coup": COUP, **P_3, "spot": "banker", "amount": 100_00},
    "coup.wager-withdrawn": {"coup": COUP, **P_3, "spot": "banker", "amount": 100_00},
    "coup.late-bet-refused": {
        "coup": COUP, **P_3, "spot": "banker", "amount": 100_00, "act": "bet"},
    "coup.wager-found": {
        "coup": COUP, **P_3, "spot": "banker", "amount": 20_000_00, "approved_by": "S-11"},
    "coup.stake-corrected": {
        "coup": COUP, **P_3, "spot": "banker", "stake": 400_00, "stake_before": 500_00,
        "reason": "four black chips, not five", "requested_by": "D-204", "approved_by": "S-11"},
    "coup.wager-reduced": {
        "coup": COUP, **P_3, "spot": "banker", "amount": 10_000_00, "returned": 10_000_00,
        "limit": "OverMaximum"},
    "coup.hands-given": {"coup": COUP, "player": "seat 5", "banker": "dealer"},
    "coup.betting-closed": {"coup": COUP, "by": "dealer"},
    "coup.second-bets-opened": {
        "coup": COUP, "offered": ["lucky-6", "tie"], "player_total": 5, "banker_total": 6},
    "coup.second-bets-closed": {"coup": COUP, "by": "dealer"},
    "coup.limit-found-broken": {
        "coup": COUP, "refusal": "UnderMinimum", "rule": "R-BET-3", **P_3,
        "spot": "tie", "amount": 5_00, "allowed": 25_00, "detail": None},
    "coup.card-dealt": {"coup": COUP, "n": 5, "card": "9S", "hand": "banker", "rule": "R-DRAW-3",
        "face_down": True, "carried": True},
    "coup.card-moved": {"coup": COUP, "n": 5, "card": "9S", "hand": "banker"},
    "coup.hand-given-back": {"coup": COUP, "hand": "player", "by": "seat 5"},
    "coup.hand-turned": {
        "coup": COUP, "hand": "banker", "numbers": [2, 4], "cards": ["5S", "QD"], "shows": 5,
        "by": "dealer"},
    "coup.resulted": {
        "coup": COUP, "outcome": "player", "natural": False,
        "player_total": 6, "banker_total": 4},
    "coup.found-irregular": {"coup": COUP, "why": "foreign-card"},
    "coup.payment-disagreed": {"coup": COUP, "seat": 3, "stated": 195_00, "owed": 200_00},
    "coup.wager-settled": {
        "coup": COUP, **P_3, "spot": "banker", "stake": 100_00, "result": "win", "odds": "1:1",
        "winnings": 100_00, "commission_exact": "500", "commission_charged": 5_00,
        "commission_due": "deferred", "paid": 200_00, "paid_up": 0},
    "coup.settled": {
        "coup": COUP, "stakes": 100_00, "paid": 200_00, "as_it_wins": [f"{DAY}/stay-2"]},
    "coup.wager-returned": {
        "coup": COUP, **P_3, "spot": "banker", "stake": 100_00, "paid_before": 200_00,
        "changes_hands": -100_00, "commission_before": 5_00},
    "coup.voided": {
        "coup": COUP, "reason": "a foreign card", "requested_by": "D-204", "approved_by": "S-11",
        "phase": "settled", "changes_hands": -100_00},
    "coup.left-unused": {"coup": COUP},
    "coup.payment-corrected": {
        "coup": COUP, **P_3, "spot": "banker", "stake": 100_00, "result": "win", "odds": "1:1",
        "winnings": 100_00, "commission_exact": "500", "commission_charged": 5_00,
        "commission_due": "deferred", "paid": 200_00, "paid_up": 0, "stake_before": 100_00,
        "paid_before": 0,
        "changes_hands": 200_00, "commission_before": 0, "reason": "taken by mistake",
        "requested_by": "D-204", "approved_by": "S-11", "as_spot": "player"},
    "protection.begun": {},
    "protection.level-changed": {
        "question": "new deck",
        "level": 100_000,
        "level_before": 10_000,
        "approved_by": "AU-1",
    },
    "docket.opened": {"year": 2026},
    "docket.case-entered": {"case": CASE, "coup": COUP},
    "dispute.opened": {
        "case": CASE, "coup": COUP, "table_day": DAY, "patron": "P-10417",
        "wagers": [{"seat": 3, "spot": "banker", "stake": 100_00, "paid": 0}],
        "complaint": "Banker won, and I was not paid", "amount": 195_00, "amount_named": True,
        "hold": True, "frozen_at": 48213, "coup_version": 9, "coup_phase": "settled",
        "agrees": False, "disagreements": ["seat 3 banker: paid: recorded 0, today 19500"],
        "notify_by": "2026-11-21T20:44:07.120000+01:00",
        "others": [{"case": "C-2026-0006", "status": "closed"}], "opened_by": "S-11"},
    "dispute.noted": {
        "case": CASE, "text": "the chips lay on Banker",
        "evidence": [{
            "camera": "CAM-14", "at": "2026-11-21T20:14:05+01:00", "ahead": 1500,
            "by_record": "2026-11-21T20:14:03.500000+01:00"}],
        "what_if": ["card 5 = KH"], "by": "V-2"},
    "dispute.decided": {
        "case": CASE, "number": 1, "decision": "correct", "reason": "it lay there",
        "seat": 3, "spot": "banker", "to": 195_00, "changes_hands": 195_00,
        "commission_changes": 5_00, "effect": "seat 3 banker is paid 195.00 in all, not 0.00",
        "tell_by": "2026-11-21T20:44:07.120000+01:00", "decided_by": "S-11",
        "approved_by": "PB-2", "as_spot": "player",
        "notify_by": "2026-11-21T20:44:07.120000+01:00"},
    "dispute.patron-told": {
        "case": CASE, "number": 1, "until": "2026-11-28T20:14:07.120000+01:00", "by": "S-11"},
    "dispute.regulator-notified": {"case": CASE, "reference": "2026/1182", "by": "S-11"},
    "dispute.hold-placed": {"case": CASE, "by": "PB-2"},
    "dispute.hold-released": {"case": CASE, "why": "decided", "by": "S-11"},
    "dispute.pack-made": {
        "case": CASE, "position": 48231, "json_sha256": "3b" * 32, "pdf_sha256": "a7" * 32,
        "by": "S-11"},
    "dispute.closed": {"case": CASE, "decision": "correct", "by": "S-11"},
    "incident-book.opened": {"year": 2026},
    "incident-book.incident-numbered": {"incident": INCIDENT},
    "incident.opened": {
        "incident": INCIDENT, "text": "a guest fainted", "patrons": ["P-10417"],
        "staff": ["D-204"], "guests": ["guest-1"], "evidence": [], "kind": "medical",
        "table": "B01", "day": "2026-11-21", "shift": "swing", "opened_by": "S-11"},
    "incident.incident-noted": {
        "incident": INCIDENT, "text": "the ambulance left", "patrons": [], "staff": ["SEC-3"],
        "guests": [],
        "evidence": [{"camera": "CAM-14", "at": MOVED, "ahead": 0, "by_record": MOVED}],
        "by": "SEC-3"},
    "incident.money-moved": {
        "incident": INCIDENT, "amount": 50_00, "from_place": "tray", "to_place": "person",
        "table_day": DAY, "balance": -50_00, "reason": "a drink was spilled",
        "requested_by": "S-11", "approved_by": "PB-2"},
    "incident.incident-closed": {
        "incident": INCIDENT, "outcome": "resolved", "reason": "she is well", "by": "PB-2"},
    "incident.incident-reopened": {
        "incident": INCIDENT, "reason": "she came back", "by": "PB-2"},
    "inquiry-book.opened": {"year": 2026},
    "inquiry-book.inquiry-numbered": {"inquiry": INQUIRY},
    "inquiry.opened": {
        "inquiry": INQUIRY, "about": "shoe", "subject": SHOE, "text": "nobody shuffled?",
        "row": ROW, "opened_by": "SV-1"},
    "inquiry.note-added": {
        "inquiry": INQUIRY, "text": "the dealer looks away",
        "evidence": [{"camera": "CAM-14", "at": MOVED, "ahead": 0, "by_record": MOVED}],
        "by": "SV-1"},
    "inquiry.evidence-attached": {
        "inquiry": INQUIRY, "about": "coup", "subject": COUP, "text": "the bet came late",
        "row": {}, "by": "SV-1"},
    "inquiry.inquiry-closed": {
        "inquiry": INQUIRY, "outcome": "corrected", "reason": "decks are shuffled twice",
        "closed_by": "SV-1", "approved_by": "A-1"},
    "inquiry.inquiry-exported": {
        "inquiry": INQUIRY, "position": 48231, "json_sha256": "3b" * 32, "pdf_sha256": "a7" * 32,
        "by": "SV-1"},
    "inquiry.inquiry-reopened": {
        "inquiry": INQUIRY, "reason": "it happened again", "by": "SV-1"},
    "commission-account.opened": {
        **HERS, "table_day": DAY, "currency": "USD", "rate": [5, 100], "timing": "deferred",
        "rounding": "exact", "unit": 1, "minimum": 0, "moment": "per-win"},
    "commission-account.commission-accrued": {
        **HERS, "shoe": SHOE, "coup": COUP, "seat": 3, "winnings": 25_05,
        "exact": "125.25", "charged": 1_26, "due": "deferred"},
    "commission-account.commission-collected": {
        **HERS, "amount": 1_26, "by_shoe": {SHOE: 1_26}, "how": "patron",
        "receipt": f"{DAY}/stay-1/receipt-1"},
    "commission-account.receipt-printed": {
        **HERS, "receipt": f"{DAY}/stay-1/receipt-1", "copy": 1},
    "commission-account.commission-refunded": {
        **HERS, "coup": COUP, "seat": 3, "amount": 5_00, "by_shoe": {SHOE: 5_00},
        "how": "patron", "receipt": f"{DAY}/stay-1/receipt-2"},
    "commission-account.commission-corrected": {
        **HERS, "shoe": SHOE, "coup": COUP, "seat": 3, "winnings": 0, "exact": "-500",
        "charged": -5_00, "due": "deferred"},
    "commission-account.commission-left-open": {
        **HERS, "coup": COUP, "seat": 3, "balance": -2_50,
    },
    "open-money.opened": {**HERS, "table_day": DAY, "currency": "USD"},
    "open-money.bet-left-open": {
        **HERS, "coup": COUP, "seat": 3, "spot": "banker", "amount": -50_00, "balance": -50_00},
    "open-money.left-open-settled": {
        **HERS, "number": 1, "how": "paid", "place": "cage", "session": 0, "amount": 52_50,
        "bets": -50_00, "commission": {SHOE: -2_50}, "account": 0, "balance": 0,
        "reason": "came to the cage", **BY_TWO},
    "open-money.settlement-taken-back": {
        **HERS, "position": 48213, "moved_at": MOVED, "number": 1, "how": "paid", "place": "cage",
        "amount": 52_50, "bets": -50_00, "balance": -50_00, **RIGHTLY},
    "table-day.chips-left-open": {"coup": COUP, "changes_hands": 50_00},
    "table-day.open-money-moved": {
        **HERS, "amount": -52_50, "session": 1, "moved_at": MOVED},
    "game-account.settled-at-cage": {**AT_E01, **_moved(50_00, "account", "cage", 0)},
    "commission-account.commission-owed-again": {
        **HERS, "coup": COUP, "seat": 3, "amount": 5_00, "by_shoe": {SHOE: 5_00},
        "was": "walked"},
    "commission-account.commission-waived": {
        **HERS, "amount": 5_00, "owed_before": 7_50, "by_shoe": {SHOE: 5_00},
        "reason": "a good guest", "by": "S-11", "approved_by": ""},
    "commission-account.commission-walked": {
        **HERS, "amount": 5_00, "owed_before": 7_50, "by_shoe": {SHOE: 5_00},
        "reason": "left by the back door", "by": "D-204", "approved_by": "S-11"},
    "commission-account.commission-carried-forward": {
        **HERS, "amount": 5_00, "by_shoe": {SHOE: 5_00}, "to_stay": "B01/2026-11-22/stay-1"},
    "commission-account.commission-brought-forward": {
        **HERS, "amount": 5_00, "by_shoe": {SHOE: 5_00}, "from_stay": "B01/2026-11-20/stay-4"},
    "signing-keys.introduced": {
        "origin": ORIGIN, "key": KEY, "second": "", "statement": "a signed note"},
    "signing-keys.key-replaced": {
        "key": KEY, "second": "", "before": KEY, "statement": "a signed note", "lost": False,
        **RIGHTLY},
    "checkpoint.signed": {
        "size": 48213, "root": DIGEST, "key": KEY, "note": "a signed note", "commands": 31_002,
        "commands_head": DIGEST},
    "checkpoint.checkpoint-sent": {"size": 48213, "place": "/media/usb"},
    "checkpoint.checkpoint-cosigned": {
        "size": 48213, "witness": WITNESS, "cosignature": "a line of the note"},
    "checkpoint.witness-refused": {
        "size": 48213, "witness": WITNESS, "status": 409, "answer": "48214"},
    "verification.failed": {
        "fault": "PIN", "at_event": 48213,
        "words": "The PIN of D-204 is not the one of the event at #48,213: it was replaced.",
        "since": "2026-11-21T20:14:00+00:00"},
    "patron.separated": {
        "patron": "Lady in red", "was": "P-10417", "reason": "another guest", **BY_TWO},
    "cash-day.cash-changed": {
        **CASH_DAY, "direction": "in", "amount": -4_500_00, "total": 6_000_00, "table": "B01",
        "name": "grey-jacket", "near": False, "over": False},
    "slip-book.slip-corrected": {
        "slip": SLIP, "table_day": DAY, **CHIPS, "total_before": 5_000_00, **RIGHTLY},
    "commission-account.collection-corrected": {
        **HERS, "position": 48213, "moved_at": MOVED, "wrong_receipt": f"{DAY}/stay-1/receipt-1",
        "receipt": f"{DAY}/stay-1/receipt-2", "amount": 5_00, "by_shoe": {SHOE: 5_00},
        "amount_before": 50_00, "by_shoe_before": {SHOE: 50_00}, **RIGHTLY},
    "table-day.reopened": {
        "session": 2, "opener": {"10000": 50, "2500": 40}, "opener_total": 6_000_00,
        "dealer": "D-204", "supervisor": "S-11", "wagers_won": 1_200_00, "commission": 25_00,
        "reason": "opens at 20:00"},
    "table-day.cash-corrected": {
        **WRONG, **RIGHTLY, "kind": "buy-in", **P_3, "amount": 500_00,
        "patron_before": "P-10417", "stay_before": f"{DAY}/stay-1", "amount_before": 5_000_00},
    "table-day.chips-corrected": {
        **WRONG, **RIGHTLY, "kind": "fill", "slip": SLIP, "session": 1,
        **CHIPS, "chips_before": {"10000": 40, "2500": 40}, "total_before": 5_000_00},
    "table-day.closer-recounted": {
        **RECKONED, "closer": {"10000": 60}, "before": 5_900_00, "counted_by": "D-204",
        "signed_by": "S-11", "reason": "a rack was left out"},
    "cash-day.little-play-noted": {
        **CASH_DAY, "total_in": 9_000_00, "total_out": 8_900_00, "played": 50_00},
    "table-day.opener-differed": {
        "of": "B01/2026-11-20", "session": 1, "closer": {"10000": 100}, "closer_total": 10_000_00,
        "opener": {"10000": 90}, "opener_total": 9_000_00, "difference": -1_000_00},
    "table-day.tray-exceeded": {"act": "cash-out", "amount": 9_000_00, "holds": 100_00},
    "table-day.colour-changed": {
        "taken": {"500": 20}, "given": {"10000": 1}, "total": 100_00},
    "table-day.shift-variance-changed": {
        "shift": "swing", "total": 6_000_00, "expected": 6_000_00, "variance": 0, "level": "none",
        "thresholds": [25_00, 100_00], "variance_before": -100_00},
    "table-day.variance-changed": {
        **RECKONED, "variance_before": -100_00, "wagers_won": 500_00, "commission": 25_00,
        "more": 25_00},
    "shoe.recounted": {
        "shoe": SHOE, "remaining": 14, "cards": [], "difference": 0, "over": {}, "burned": [],
        "remaining_before": 12, "cards_before": [], "burned_before": [], **RIGHTLY},
    "shoe.card-renamed": {"shoe": SHOE, "coup": 17, "n": 5, "was": "9S", "card": "6S"},
    "shoe.card-taken-back": {"shoe": SHOE, "card": "4H", "coup": 17},
    "coup.card-corrected": {
        "coup": COUP, "n": 4, "was": "QD", "card": "4D",
        "cards": [["9C", "player", "R-DEAL-1"], ["5S", "banker", "R-DEAL-1"],
                  ["7C", "player", "R-DEAL-1"], ["4D", "banker", "R-DEAL-1"]],
        "untyped": ["9S"], "undue": [], "phase": "settled", "outcome": "banker", "natural": True,
        "player_total": 6, "banker_total": 9, **RIGHTLY},
    "coup.wager-moved": {
        "coup": COUP, **P_3, "spot": "banker", "stake": 100_00, "to_seat": 4,
        "to_patron": "P-10502", "to_stay": f"{DAY}/stay-2", "paid": 200_00,
        "commission_exact": "500", "commission_charged": 5_00, **RIGHTLY},
    "coup.wager-settled-late": {
        "coup": COUP, **P_3, "spot": "player", "stake": 100_00, "result": "lose", "odds": "1:1",
        "winnings": 0, "commission_exact": "0", "commission_charged": 0, "commission_due": None,
        "paid": 0, "paid_up": 0, "approved_by": "S-11"},
    "coup.wager-carried": {
        "coup": COUP, **P_3, "spot": "streak", "placed_in": 15, "counted": 2, "won": 2,
        "in_a_row": 2, "amount": 100_00},
    "coup.wager-undecided": {
        "coup": COUP, **P_3, "spot": "streak", "placed_in": 15, "counted": 3, "won": 2,
        "in_a_row": 2, "stake": 100_00},
    "coup.wager-recounted": {
        "coup": COUP, **P_3, "spot": "streak", "placed_in": 15, "counted": 3, "won": 3,
        "in_a_row": 3, "because": f"{SHOE}/16", "until": 18, **RIGHTLY},
    "coup.wager-ran-out": {
        "coup": COUP, **P_3, "spot": "streak", "stake": 100_00, "result": "push", "odds": None,
        "winnings": 0, "commission_exact": "0", "commission_charged": 0, "commission_due": None,
        "paid": 100_00, "paid_up": 0, "why": "shoe-ended"},
    "form-book.jackpot-form-issued": {
        "form": "JP-2026-000001", "table_day": DAY, "coup": COUP, "seat": 3, "spot": "fortune",
        "patron": "P-10417", "stay": f"{DAY}/stay-1", "meter": METER, "stood": "1204055.05",
        "amount": 12_040_00, "currency": "USD", "prepared_by": "D-204", "approved_by": "S-11"},
    "coupon.issued": {
        "coupon": "MP-1001", "kind": "match-play", "worth": 25_00, "currency": "USD",
        "last_day": "2026-12-31", "taken_at": ""},
    "coupon.laid-on": {"coupon": "MP-1001", "coup": COUP},
    "coupon.went-back": {"coupon": "MP-1001", "coup": COUP},
    "coupon.collected": {"coupon": "MP-1001", "coup": COUP},
    "coupon.refused-at": {"coupon": "MP-1001", "table_day": DAY, "why": "used"},
    "coupon.made-void": {"coupon": "MP-1001", "reason": "came back unused"},
    "coup.coupon-laid": {**LYING, "accepted_by": ""},
    "coup.coupon-withdrawn": {**LYING, "why": "patron"},
    "coup.coupon-settled": {**LYING, **COUPON_PAID},
    "coup.coupon-corrected": {
        **LYING, **COUPON_PAID, "spot_before": "player", "paid_before": 0, "used_before": True,
        "changes_hands": 25_00, **RIGHTLY},
    "coup.coupon-returned": {**LYING, "paid_before": 25_00, "changes_hands": -25_00},
    "meter.placed": {"meter": METER, "currency": "USD"},
    "meter.point-fixed": {
        "commitment": "5f" * 32, "lowest": 10_000_00, "highest": 50_000_00},
    "meter.day-begun": {"day": "2026-11-21"},
    "meter-day.opened": {
        "meter": METER, "day": "2026-11-21", "currency": "USD", "standing": "1204017.55",
        "reserve": "31002.925", "seeded": 0},
    "meter-day.meter-moved": {"meter": METER, "coup": COUP, **MOVED_BY_A_COUP},
    "coup.meter-followed": {"coup": COUP, "spot": "fortune", "meter": METER, **MOVED_BY_A_COUP},
}
