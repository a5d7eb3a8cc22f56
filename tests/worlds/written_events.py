"""Events of the floor, written straight to the ledger with every field that they have."""

import json
from collections import Counter
from datetime import date, timedelta
from hashlib import sha256
from uuid import uuid4

from eventsourcing.persistence import StoredEvent

from domain.aggregates.property import PROPERTY_STREAM
from domain.events import (
    cash_day,
    coup_wagers,
    regime,
    slip_book,
    table_counts,
    table_day,
    table_money,
)
from domain.events import patron as patron_events
from domain.events import property as property_events
from domain.events import shoe as shoe_events
from domain.rules.addresses import stream_id
from domain.rules.regimes import programs, stated
from ops.ledger.appending import Decision
from ops.ledger.mapper import COMMON
from ops.ledger.recorder import Ledger
from tests.worlds.gaming_table import BEGINS, DAY

OPENER = {"500": 400, "2500": 400, "10000": 80}  # 2,000 + 10,000 + 8,000 = 20,000.00
CLOSER = {"500": 100, "10000": 160}  # 500 + 16,000 = 16,500.00


class WrittenEvents:
    """A minute apart; `heard` is called after each."""

    def __init__(self, database, heard=lambda: None):
        self.ledger, self.heard = Ledger(database), heard
        self.moment = BEGINS
        self.versions = Counter()

    def tell(self, kind, told, table="", day=DAY, by="D-204"):
        """Appends one event; its position."""
        assert set(kind.__struct_fields__[len(COMMON) :]) == set(told), kind.TOPIC
        self.moment += timedelta(minutes=1)
        state = {"at": self.at, **told}
        name = kind.TOPIC.partition(".")[0]
        stream = PROPERTY_STREAM if name == "property" else stream_id(name, table)
        self.versions[stream] += 1
        stored = StoredEvent(stream, self.versions[stream], kind.TOPIC, json.dumps(state).encode())
        decision = Decision(
            command_id=str(uuid4()),
            content=sha256(b"").digest(),
            answer="{}",
            actor=by,
            metadata="{}",
            places={stream: (date.fromisoformat(day), table)},
        )
        (position,) = self.ledger.append([stored], decision)
        self.heard()
        return position

    @property
    def at(self):
        """When the last event happened."""
        return self.moment.isoformat()

    def found(self):
        words = {"name": "Sabot", "currency": "USD", "zone": "UTC", "day_start": "06:00"}
        self.tell(property_events.Founded, {**words, "reporting_amount": 10_000_00, "helpline": ""})

    def set(self, name, value, before=""):
        changed = {"name": name, "value": value, "before": before}
        return self.tell(property_events.SettingChanged, changed, by="A-1")

    def choose(self, day, name="united-states"):
        content = stated(programs()[name])
        chosen = {"regime": name, "from_day": day, "content": content}
        return self.tell(regime.RegimeChosen, {**chosen, "approved_by": "S-11"}, by="A-1")

    def open(self, table="B01", day=DAY, rules="dragon-bonus@1"):
        told = {"table": table, "day": day, "house": "Sabot", "currency": "USD", "zone": "UTC"}
        told |= {"day_begins": "", "day_ends": "", "rules": rules, "rules_digest": ""}
        told |= {"limits": {}, "differential": None, "opener": OPENER, "opener_total": 20_000_00}
        told |= {"dealer": "D-204", "supervisor": "S-11", "continues": None, "shoe": None}
        self.tell(table_day.Opened, told, table, day)

    def close(self, variance, level, table="B01"):
        told = {"closer": CLOSER, "closer_total": 16_500_00, "counted_by": "D-7"}
        told |= {"expected": 16_500_00 - variance, "variance": variance, "level": level}
        told |= {"thresholds": [25_00, 100_00], "wagers_won": 0, "commission": 0, "why": "closed"}
        told |= {"session": 1}
        self.tell(table_counts.TableClosed, {**told, "signed_by": "S-12"}, table)

    def move(self, kind, total, table="B01"):
        told = {"slip": "2026-000001", "chips": {"10000": total // 100_00}, "total": total}
        self.tell(kind, told, table)

    def count(self, amount, before=0, table="B01"):
        told = {"amount": amount, "before": before}
        told |= {"reason": "", "requested_by": "", "approved_by": ""}
        self.tell(table_counts.DropCounted, told, table)

    def cash(self, kind, patron, amount, table="B01", day=DAY):
        stay = {"seat": 3, "patron": patron, "stay": f"{table}/{day}/stay-1"}
        return self.tell(kind, {**stay, "amount": amount}, table, day)

    def buy_in(self, *args, **where):
        return self.cash(table_money.BoughtIn, *args, **where)

    def cash_out(self, *args, **where):
        return self.cash(table_money.CashedOut, *args, **where)

    def load(self, table="B01", decks=8, rules="dragon-bonus@1"):
        day = f"{table}/{DAY}"
        told = {"shoe": f"{day}/1", "table_day": day, "rules": rules, "rules_digest": ""}
        told |= {"decks": decks, "serials": [], "colour": "", "batch": "", "cut_card": 14}
        self.tell(shoe_events.Loaded, told, table)

    def settle(self, spot, stake, table="B01"):
        told = {"coup": f"{table}/{DAY}/1/1", "seat": 3, "patron": "P-1", "stay": "", "spot": spot}
        told |= {
            "stake": stake,
            "result": "lose",
            "odds": "1:1",
            "winnings": 0,
            "paid": 0,
            "paid_up": 0,
        }
        told |= {"commission_exact": "0", "commission_charged": 0, "commission_due": None}
        self.tell(coup_wagers.WagerSettled, told, table)

    def request(self, slip, kind="fill", table="B01"):
        told = {"slip": slip, "kind": kind, "table_day": f"{table}/{DAY}", "requested_by": "S-11"}
        self.tell(slip_book.SlipRequested, {**told, "chips": {"10000": 50}, "total": 5_000_00})

    def step(self, step, slip, **told):
        self.tell(step, {"slip": slip, "table_day": f"B01/{DAY}", **told})

    def receive(self, slip):
        chips = {"chips": {"10000": 50}, "total": 5_000_00}
        people = {"dealer": "D-204", "supervisor": "S-11"}
        people |= {"issued_by": "C-1", "carried_by": "X-1"}
        self.step(slip_book.SlipReceived, slip, kind="fill", **chips, **people)

    def identify(self, alias, patron):
        return self.tell(
            patron_events.Identified, {"patron": alias, "patron_is": patron}, by="S-11"
        )

    def plays_for(self, patron, principal):
        told = {"patron": patron, "principal": principal, "from_day": DAY}
        return self.tell(patron_events.PlaysFor, told, by="C-1")

    def bar(self, patron):
        told = {"patron": patron, "reason": "on the list STATE", "kind": "self-excluded"}
        return self.tell(patron_events.Barred, told, by="PB-2")

    def file(self, patron, day=DAY):
        told = {"patron": patron, "day": day, "threshold": "", "number": 1, "filing": "initial"}
        told |= {"reference": "31000123456789", "filed_on": day, "late": False, "sha256": ""}
        told |= {"transaction": 0, "cash_in": 0, "cash_out": 0}
        told |= {"in_report_of": "", "with_cash_of": []}
        return self.tell(cash_day.ReportFiled, {**told, "by": "S-11"}, by="S-11")

    def staff(self, kind, by="A-1", **told):
        return self.tell(kind, {"staff": "D-204", **told}, by=by)
