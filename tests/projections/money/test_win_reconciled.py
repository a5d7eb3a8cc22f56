"""The win by chips and the win by wagers: what lies between them has a column each, and is all."""

import random

import pytest

from ops.reports.ask import ask
from ops.reports.rebuild import check
from ops.reports.runner import catch_up
from projections import PROJECTIONS, REPORTS
from tests.faults import times
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import (
    BANKER_WINS,
    DAY,
    PATRONS,
    PLAYER_WINS,
    TIE,
    GamingTable,
)
from tests.worlds.open_items import PEOPLE, open_with

TWO = {"by": "D-204", "with": "S-11"}
NEXT_DAY = "2026-11-22"
SEATS = (1, 3, 5)
BETWEEN = (
    *("win_by_wagers", "commission_in_chips", "put_right_later", "put_right_earlier"),
    *("on_accounts", "shortages", "variance", "drop_difference"),
)


class Night:
    """One table for two gaming days, made up as it goes, with corrections before and after."""

    def __init__(self, table, rules, seed):
        self.table, self.rules, self.chance = table, rules, random.Random(seed)
        self.accounts = rules == "electronic@1"
        self.coups, self.money = [], []

    def ask(self, command, **fields):
        answer = self.table.ask(command, **fields)
        body = answer.body
        self.coups += [e["coup"] for e in body.get("events", ()) if e["type"] == "CoupOpened"]
        return answer

    def say(self, command, **fields):
        answer = self.ask(command, **fields)
        assert answer.ok, str(answer)
        return answer

    def moves(self, command, **fields):
        answer = self.ask(command, **fields)
        if answer.ok:
            self.money.append(answer.body["position"])

    def begin(self, day):
        opener = {} if self.accounts else {"10000": 200}
        self.say("table.open", rules=self.rules, opener=opener, day=day, **TWO)
        self.sit()

    def sit(self):
        for seat in SEATS:
            self.say("table.seat", seat=seat, patron=f"P-{seat}")
            self.cash_in(seat)
        self.shoe()

    def shoe(self):
        for command, fields in (
            ("load", {"decks": 8}),
            ("inspect", {}),
            ("shuffle", {"method": "machine", "device": "SH-2"}),
            ("cut", {"cut_card": 14} | ({} if self.accounts else {"seat": 3})),
            *(() if self.accounts else [("burn", {"card": "3D"})]),
        ):
            self.say(f"shoe.{command}", **fields)

    def cash_in(self, seat):
        command = "account.pay-in" if self.accounts else "table.buy-in"
        self.moves(command, seat=seat, amount=self.chance.randrange(1, 12) * 50_00)

    def cash_out(self, seat):
        if self.accounts:
            to = self.chance.choice(("cash", "ticket"))
            self.moves("account.pay-out", seat=seat, amount=50_00, to=to)
        else:
            self.moves("table.cash-out", seat=seat, amount=50_00)

    def play(self):
        for seat in self.chance.sample(SEATS, self.chance.randrange(1, 4)):
            spot = self.chance.choice(("banker", "banker", "player", "tie"))
            self.ask("bet", seat=seat, spot=spot, amount=self.chance.randrange(1, 8) * 25_00)
        cards = self.chance.choice((BANKER_WINS, PLAYER_WINS, TIE)).split()
        suits = "CDHS"[len(self.coups) % 4]
        for card in cards:
            if not self.ask("draw", card=card[0] + suits, settle=card is cards[-1]).ok:
                return

    def collect(self, *seats):
        for seat in seats:
            self.moves("commission.collect", seat=seat, amount=self.chance.randrange(1, 5) * 25)

    def put_right(self):
        """Something of the night is put right, if it can be."""
        signed = {"reason": "typed wrong", **TWO}
        act = self.chance.randrange(8)
        coup, seat = self.chance.choice(self.coups or [""]), self.chance.choice(SEATS)
        of_wager = {"seat": seat, "spot": self.chance.choice(("banker", "player"))}
        if act == 0:
            self.ask("void", coup=coup, **signed)
        elif act == 1:
            to = self.chance.randrange(20) * 10_00
            self.ask("correct", coup=coup, to=to, **of_wager, **signed)
        elif act == 2:
            stake = self.chance.randrange(1, 8) * 25_00
            self.ask("correct", coup=coup, stake=stake, **of_wager, **signed)
        elif act == 3:
            self.ask("correct", coup=coup, **of_wager, **{"as": "tie"}, **signed)
        elif act == 4:
            to = {"to_seat": self.chance.choice(SEATS), "patron": f"P-{self.chance.choice(SEATS)}"}
            self.ask("coup.move-wager", coup=coup, **of_wager, **to, **signed)
        elif act == 5:
            fields = {"n": self.chance.randrange(1, 5), "card": self.chance.choice(("9H", "2C"))}
            self.ask("coup.correct-card", coup=coup, after="untyped", **fields, **signed)
        elif self.money:
            amount = self.chance.randrange(13) * 50_00
            fields = {"amount": amount} if amount else {"withdrawn": True}
            position = self.chance.choice(self.money)
            self.ask("money.correct", position=position, **fields, **signed)

    def a_while(self):
        for _ in range(self.chance.randrange(3, 8)):
            act = self.chance.randrange(9)
            seat = self.chance.choice(SEATS)
            if act < 4:
                self.play()
            elif act == 4:
                self.cash_in(seat)
            elif act == 5:
                self.cash_out(seat)
            elif act in (6, 7):
                self.collect(seat)
            else:
                self.put_right()

    def close(self):
        self.collect(*SEATS)
        for seat in SEATS:
            self.ask("account.pay-out", seat=seat)
            self.ask("commission.walked", patron=f"P-{seat}", reason="gone", **TWO)
            self.say("table.leave", seat=seat)
        if self.table.dispatcher.desk.last_table_day(self.table.table).shoe:
            self.say("shoe.end", reason="late", **TWO)
        closer = {"10000": self.chance.randrange(150, 260)}
        self.say("table.close", closer={} if self.accounts else closer, confirmed=True, **TWO)

    def later(self):
        for _ in range(self.chance.randrange(6)):
            self.put_right()

    def settle_at_the_cage(self):
        desk = self.table.dispatcher.desk
        for patron, items in open_with(desk, desk.last_table_day(self.table.table)).values():
            if self.chance.randrange(3):
                net = sum(items.values())
                ways = ("received", "written-off") if net > 0 else ("paid", "unclaimed")
                how = {"how": self.chance.choice(ways), "reason": "settled"}
                place = {"place": self.chance.choice(("cage", "table"))}
                about = {"patron": patron, **how, **place, **PEOPLE}
                if abs(net) > 1 and self.chance.randrange(2):
                    about["amount"] = abs(net) // 2
                self.moves("patron.settle", **about)


def require_reconciled(database, *, counted):
    """Nothing is unexplained, and the columns come to the win by chips."""
    rows = ask(database, REPORTS["table-win"]).rows
    for row in rows:
        if row["win"] is not None:
            assert row["unreconciled"] == 0, row
            assert row["win"] == sum(row[name] for name in BETWEEN), row
    assert sum(row["win"] is not None for row in rows) == counted


def require_noted(database, night):
    """What is open with whoever is not at the table is a row of exceptions, and is the last."""
    desk = night.table.dispatcher.desk
    day = desk.last_table_day(night.table.table)
    here = {stay.patron for stay in day.seats.values()}
    noted = {}
    for row in ask(database, REPORTS["exceptions"], day=str(day.address.day)).rows:
        if "left" in row["kind"] and not row["acknowledged_at"]:
            noted[row["kind"], row["detail"]["stay"]] = row["detail"]["balance"]
    open_yet = {
        **{("commission left open", each.stay): each.balance for each in desk.stays.accounts(day)},
        **{("money left on account", e.stay): e.balance for e in desk.stays.game_accounts(day)},
        **{
            ("bet left open", each.stay): money.balance
            for each in desk.stays.accounts(day)
            if (money := desk.stays.open_money(each))
        },
    }
    gone = {
        key: balance
        for key, balance in open_yet.items()
        if balance and desk.stays.account(key[1]).patron not in here
    }
    assert {key: noted.get(key) for key in gone} == gone


@pytest.mark.parametrize("seed", range(times(2, 6)))
@pytest.mark.parametrize("rules", ["dragon-bonus@1", "classic@1", "electronic@1"])
def test_whatever_happens_the_two_wins_are_reconciled(dispatcher, database, rules, seed):
    """Play, cash, commission, corrections before and after the closer, a session more, a next day.

    What grew is what a rebuild makes.
    """
    kind = ElectronicTable if rules == "electronic@1" else GamingTable
    night = Night(kind(dispatcher), rules, seed)
    night.begin(DAY)
    night.a_while()
    night.close()
    night.later()
    require_noted(database, night)
    night.settle_at_the_cage()
    require_noted(database, night)
    drop = {"amount": night.chance.randrange(40) * 50_00, "by": "C-1", "with": "S-11"}
    night.say("table.drop", day=DAY, **drop)
    require_reconciled(database, counted=1)
    if seed % 2:
        opener = {} if night.accounts else {"10000": 180}
        night.say("table.reopen", reason="opens again", opener=opener, **TWO)
        night.sit()
        night.a_while()
        require_reconciled(database, counted=0)
        night.close()
        night.later()
        require_reconciled(database, counted=1)
    night.begin(NEXT_DAY)
    night.a_while()
    night.later()
    require_reconciled(database, counted=1)
    night.close()
    night.later()
    require_noted(database, night)
    night.say("table.drop", day=NEXT_DAY, **drop)
    require_reconciled(database, counted=2)
    with database.session("sabot_projector") as connection:
        catch_up(connection, PROJECTIONS["table_win"])
        assert check(connection, PROJECTIONS["table_win"]).equal


def row_of(database, day):
    (row,) = ask(database, REPORTS["table-win"], day=day).rows
    return {name: row[name] for name in ("win", *BETWEEN, "unreconciled") if row[name]}


def test_a_payment_corrected_after_closing_has_a_column_on_either_day(dispatcher, database):
    table = GamingTable(dispatcher).open("classic@1").prepare()
    table.play(PLAYER_WINS, (3, "player", 100_00))
    table.end_shoe()
    table.say("table.close", closer={"10000": 198}, confirmed=True, **TWO)  # 100.00 too few
    table.say("table.drop", amount=0, day=DAY)
    table.say("table.open", rules="classic@1", opener={"10000": 198}, day=NEXT_DAY, **TWO)
    table.say("table.seat", seat=3, patron=PATRONS[3])
    fields = {"seat": 3, "spot": "player", "to": 150_00, "reason": "half", **TWO}
    table.say("correct", coup=f"B01/{DAY}/1/1", **fields)
    table.say("table.close", closer={"2500": 794}, confirmed=True, **TWO)
    table.say("table.drop", amount=0, day=NEXT_DAY)

    assert row_of(database, DAY) == {
        "win": -200_00,
        "win_by_wagers": -50_00,
        "put_right_later": -50_00,
        "variance": -100_00,
    }
    assert row_of(database, NEXT_DAY) == {"win": 50_00, "put_right_earlier": 50_00}


def test_what_an_account_could_not_give_back_is_a_shortage_and_no_win(dispatcher, database):
    table = ElectronicTable(dispatcher).begin((3, 100_00))
    table.play(PLAYER_WINS, (3, "player", 100_00))
    table.say("account.pay-out", seat=3)
    table.say("table.leave", seat=3)
    table.end_shoe()
    table.say("table.close", closer={}, confirmed=True)
    table.say("table.drop", amount=100_00, day=DAY)
    table.say("void", coup=f"E01/{DAY}/1/1", reason="a wrong card", **TWO)

    assert row_of(database, DAY) == {"win": -100_00, "shortages": -100_00}


def test_a_colour_change_that_was_corrected_wins_nothing(dispatcher, database):
    table = GamingTable(dispatcher).open()
    changed = table.say("table.colour-change", taken={"500": 20}, given={"10000": 1})
    right = {"taken": {"500": 40}, "given": {"10000": 2}, "reason": "two", **TWO}
    table.say("money.correct", position=changed.body["position"], **right)

    assert [row["win"] for row in ask(database, REPORTS["table-win"]).rows] == [None]
