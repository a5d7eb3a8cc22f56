"""The tray is reckoned while it is played: one figure for counts, decisions, boards and alerts."""

from random import Random

import pytest
from msgspec.structs import astuple
from psycopg.rows import dict_row

from ops.handlers.trays import tray_now
from ops.handlers.trial import to_sign
from ops.now.follow import Follower
from ops.reports.ask import ask
from ops.reports.cells import warnings
from ops.reports.runner import catch_up
from ops.terminal.dealer.table_words import tray_lines
from projections import PROJECTIONS, REPORTS
from projections.money.trays_now import TRAY
from tests.acceptance.channels import shell
from tests.faults import times
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, TIE, GamingTable
from tests.worlds.twin_tables import SLIP, TWO
from tests.worlds.two_people import needs_second

pytestmark = pytest.mark.usefixtures("held")

SEATS = (1, 3, 5)


@pytest.fixture
def projected(database):
    """The tray of a table as the board has it."""

    def ask(table="B01"):
        with database.connect("sabot_projector") as connection:
            catch_up(connection, PROJECTIONS["trays_now"])
            with connection.cursor(row_factory=dict_row) as cursor:
                asked = f"SELECT *, {TRAY}::bigint AS tray FROM trays_now WHERE table_code = %s"
                return cursor.execute(asked, [table]).fetchone()

    return ask


@pytest.fixture
def followed(database):
    """The tray as the table's own terminal has it, read now or followed all the time."""
    with database.session("sabot_projector") as connection:
        follower = Follower(connection, "B01")

        def trays():
            follower.catch_up()
            anew = Follower(connection, "B01").now.tray
            assert anew == follower.now.tray
            return anew

        yield trays


class Model:
    """What the tray should hold, by what people did; only a coup's result is read from events."""

    def __init__(self, pit, seed):
        self.pit = pit
        self.random = Random(seed)
        self.tray = 20_000_00
        self.moved = []  # position, sign, amount, whether chips, session
        self.sessions = 1
        self.coups = []
        self.owed = {}

    def act(self):
        acts = [self.buy_in, self.cash_out, self.chips, self.colour, self.play, self.play]
        acts += [self.collect, self.correct, self.void, self.session, self.shift]
        self.random.choice(acts)()

    def say(self, command, **fields):
        answer = self.pit.say(command, **fields)
        for event in answer.body["events"]:
            match event["type"]:
                case "Settled":
                    self.tray += event["stakes"] - event["paid"]
                case "Voided" | "PaymentCorrected":
                    self.tray -= event["changes_hands"]
                case "CommissionRefunded" if event["how"] == "patron":
                    self.tray -= event["amount"]
                    self.owe(event["patron"], event["amount"])
                case "CommissionAccrued" | "CommissionCorrected":
                    self.owe(event["patron"], event["charged"])
        return answer

    def owe(self, patron, more):
        self.owed[patron] = self.owed.get(patron, 0) + more

    def move(self, command, sign, worth, **fields):
        position = self.say(command, **fields).body["position"]
        self.tray += sign * worth
        self.moved.append((position, sign, worth, "seat" not in fields, self.sessions))

    def buy_in(self):
        amount = self.random.randrange(1, 20) * 25_00
        self.move("table.buy-in", -1, amount, seat=self.random.choice(SEATS), amount=amount)

    def cash_out(self):
        amount = self.random.randrange(1, 20) * 25_00
        self.move("table.cash-out", 1, amount, seat=self.random.choice(SEATS), amount=amount)

    def chips(self):
        command, sign = self.random.choice([("table.fill", 1), ("table.credit", -1)])
        count = self.random.randrange(1, 9)
        self.move(command, sign, count * 5_00, chips={"500": count}, **SLIP)

    def colour(self):
        self.say("table.colour-change", taken={"500": 20}, given={"10000": 1})

    def play(self):
        seat, spot = self.random.choice(SEATS), self.random.choice(["banker", "player"])
        self.pit.bet(seat, spot, 100_00)
        cards = self.random.choice([BANKER_WINS, PLAYER_WINS, TIE])
        *early, last = cards.split()
        for card in early:
            self.say("draw", card=card)
        self.coups.append(self.say("draw", card=last, settle=True).body["coup"])

    def collect(self):
        for patron, owed in self.owed.items():
            if owed:
                self.say("commission.collect", patron=patron, amount=owed)
                self.tray += owed
                self.owed[patron] = 0

    def correct(self):
        if not self.moved:
            return
        n = self.random.randrange(len(self.moved))
        position, sign, before, chips, session = self.moved[n]
        amount = self.random.choice([0, before + 5_00])
        if amount == before:
            return
        really = {"chips": {"500": amount // 5_00}} if chips else {"amount": amount}
        if not amount:
            really = {"withdrawn": True}
        self.say("money.correct", position=position, reason="typed wrong", **TWO, **really)
        if session == self.sessions:  # an earlier one has its own closer
            self.tray += sign * (amount - before)
        self.moved[n] = position, sign, amount, chips, session

    def void(self):
        if self.coups:
            coup = self.coups.pop(self.random.randrange(len(self.coups)))
            self.say("void", coup=coup, reason="a torn card", **TWO)

    def shift(self):
        self.say("table.shift-count", chips=self.counted(), **TWO)

    def session(self):
        """The table closes with what is in its tray, and opens again; or it rolls over."""
        how = self.random.choice(["", "", "reopen", "roll over"])
        if how == "reopen":
            self.end()
            self.say("table.reopen", opener=self.counted(), reason="opens again", **TWO)
            for seat in SEATS:
                self.say("table.seat", seat=seat, patron=f"P-{seat}")
        elif how:
            self.collect()
            self.say("shoe.end", reason="late", **TWO)
            self.say("table.roll-over", closer=self.counted(), **TWO)
            self.coups = []
        if how:
            self.pit.prepare()
            self.sessions += 1

    def end(self):
        self.collect()
        self.say("shoe.end", reason="late", **TWO)
        closed = self.say("table.close", closer=self.counted(), **TWO).body["events"]
        (event,) = [each for each in closed if each["type"] == "TableClosed"]
        assert (event["closer_total"], event["variance"]) == (self.tray, 0)

    def counted(self):
        chips, rest = divmod(self.tray, 25)
        assert rest == 0
        return {"25": chips}


@pytest.mark.parametrize("seed", range(times(3, 8)))
def test_whatever_is_played_the_tray_is_what_an_independent_model_says(
    dispatcher, projected, followed, seed
):
    pit = GamingTable(dispatcher)
    pit.say("property.set", name="fill_share", value=0)
    pit.say("table.open", rules="dragon-bonus@1", opener={"10000": 200}, day=DAY, **TWO)
    for seat in SEATS:
        pit.say("table.seat", seat=seat, patron=f"P-{seat}")
    pit.prepare()
    model = Model(pit, seed)
    for _ in range(25):
        model.act()
        day = dispatcher.desk.last_table_day("B01")

        assert model.tray == tray_now(dispatcher.desk, day)
        assert (model.tray, day.chips) == (projected()["tray"], projected()["chips"])
        assert model.tray == followed().holds
    model.end()


def test_a_pay_in_of_an_earlier_session_moves_nothing_on_the_board_either(dispatcher, projected):
    table = ElectronicTable(dispatcher, "B01").begin((3, 100_00))
    table.say("account.pay-out", seat=3)
    paid = table.say("account.pay-in", seat=3, amount=50_00).body["position"]
    table.say("account.pay-out", seat=3)
    table.say("table.leave", seat=3)
    table.end_shoe()
    table.say("table.close", closer={})
    table.say("table.reopen", reason="opens again", opener={}, **TWO)
    table.say("money.correct", position=paid, amount=80_00, reason="it was 80", **TWO)

    assert projected()["tray"] == tray_now(dispatcher.desk, dispatcher.desk.last_table_day("B01"))


def holds(pit, **opener):
    """A table that opens with these chips, in minor units, and three patrons."""
    chips = {name.removeprefix("of_"): count for name, count in opener.items()}
    pit.say("table.open", rules="dragon-bonus@1", opener=chips, day=DAY, **TWO)
    for seat in SEATS:
        pit.say("table.seat", seat=seat, patron=f"P-{seat}")
    return pit.prepare()


@pytest.fixture
def small(dispatcher):
    """A table with 100.00 in its tray."""
    return holds(GamingTable(dispatcher), of_10000=1)


def test_more_cash_than_the_tray_holds_takes_a_second_person_who_is_told_why(small):
    refused = small.ask("table.cash-out", seat=3, amount=9_000_00).body

    assert "SecondPersonNeeded" == refused["error"]
    assert (
        "A cash-out of 9,000.00 is more than the tray of B01 holds by the record: 100.00. Count "
        "the chips; a supervisor then signs as the second person."
    ) == refused["message"]
    line = {"command": "table.cash-out", "table": "B01", "seat": 3, "amount": 9_000_00}
    assert needs_second(small.dispatcher, line)
    told = to_sign(small.dispatcher, {**line, "by": "D-204"}).words
    assert "The cash-out of 9,000.00 is more than the tray holds: 100.00." in map(str, told)
    assert small.ask("table.cash-out", seat=3, amount=9_000_00, **{"with": "S-11"}).ok
    assert small.ask("table.cash-out", seat=3, amount=100_00).ok


def test_a_credit_of_more_than_the_tray_holds_is_asked_about(small):
    credit = {"chips": {"50000": 100}, **SLIP}
    refused = small.ask("table.credit", confirmed=False, **credit).body

    assert "ConfirmationNeeded" == refused["error"]
    assert (
        "A credit of 50,000.00 is more than B01 can have: by the record its tray holds 100.00. "
        "Check it, then confirm it with `confirmed` if it is right."
    ) == refused["message"]
    asked = small.ask("slip.request", kind="credit", chips={"50000": 100}, confirmed=False, **TWO)
    assert "ConfirmationNeeded" == asked.body["error"]
    slip = small.say("slip.request", kind="credit", chips={"10000": 1}, **TWO).body
    name = slip["events"][-1]["slip"]
    small.say("slip.issue", slip=name, by="C-1")
    small.say("slip.carry", slip=name, by="R-1")
    small.say("table.buy-in", seat=3, amount=50_00)  # now the tray holds less than the slip
    late = small.ask("slip.receive", slip=name, confirmed=False, **TWO).body
    assert "ConfirmationNeeded" == late["error"]
    assert small.ask("slip.receive", slip=name, confirmed=True, **TWO).ok


def test_more_than_the_tray_holds_is_an_exception_with_both_people(small, database):
    small.say("table.cash-out", seat=3, amount=9_000_00, **TWO)
    small.say("table.credit", chips={"50000": 100}, confirmed=True, **SLIP)
    found = [
        row for row in ask(database, REPORTS["exceptions"]).rows if row["kind"] == "tray exceeded"
    ]
    paid, sent = (
        {name: row["detail"][name] for name in ("act", "amount", "holds")} for row in found
    )

    assert paid == {"act": "cash-out", "amount": 9_000_00, "holds": 100_00}
    assert sent == {"act": "credit", "amount": 50_000_00, "holds": 9_100_00}
    assert all("D-204, S-11" in row["by"] and row["rank"] == 2 for row in found)
    assert "than the tray holds: 100.00." in shell(database, "report", "exceptions").stdout


ALERTS = "fill needed", "tray below zero"


@pytest.fixture
def alerts(database):
    """The alerts about trays, with what the tray holds and the denominations that are few."""

    def open_alerts():
        return [
            (row["kind"], row["detail"]["tray"], row["detail"].get("chips"))
            for row in ask(database, REPORTS["alerts"]).rows
            if row["kind"] in ALERTS and not row["acknowledged_at"]
        ]

    return open_alerts


def test_a_fill_is_asked_for_in_good_time_and_below_zero_is_an_alert_of_the_first_rank(
    dispatcher, alerts, database
):
    pit = holds(GamingTable(dispatcher), of_10000=10)
    pit.say("table.buy-in", seat=3, amount=900_00)
    assert [] == alerts()  # 100.00 is a tenth of the opener
    pit.say("table.buy-in", seat=3, amount=5_00)
    assert [("fill needed", 95_00, {})] == alerts()
    pit.say("table.buy-in", seat=3, amount=100_00)
    assert [("tray below zero", -5_00, None)] == alerts()
    (row,) = ask(database, REPORTS["alerts"]).rows
    assert 1 == row["rank"]
    pit.say("table.fill", chips={"10000": 10}, **SLIP)
    assert [] == alerts()


def of_a_tray(answer):
    """What a report warns of a tray; of a win that is not known yet it warns as well."""
    return [each for each in warnings(answer) if ": the tray" in each]


@pytest.mark.parametrize("report", ["table-win", "inventory", "measures", "master"])
def test_a_report_of_money_says_which_tray_is_below_zero(dispatcher, database, report):
    pit = holds(GamingTable(dispatcher), of_10000=10)
    assert [] == of_a_tray(ask(database, REPORTS[report]))
    pit.say("table.buy-in", seat=3, amount=1_005_00)

    for narrowed in ({}, {"day": DAY}, {"table": "B01"}):
        answer = ask(database, REPORTS[report], **narrowed)
        assert of_a_tray(answer) == [f"B01 {DAY}: the tray should hold -5.00, less than nothing."]
    assert [] == of_a_tray(ask(database, REPORTS[report], table="B02"))
    assert f"! B01 {DAY}: the tray" in shell(database, "report", report).stdout
    pit.say("table.fill", chips={"10000": 10}, **SLIP)
    assert [] == of_a_tray(ask(database, REPORTS[report]))


def test_what_a_tray_needs_is_acknowledged_while_it_does_and_comes_again(
    dispatcher, alerts, database
):
    pit = holds(GamingTable(dispatcher), of_10000=10)
    pit.say("table.buy-in", seat=3, amount=950_00)
    (row,) = ask(database, REPORTS["alerts"]).rows
    assert pit.say("alert.acknowledge", alert=row["alert"], by="S-11").ok
    pit.say("table.buy-in", seat=3, amount=10_00)
    assert [] == alerts()
    pit.say("table.fill", chips={"10000": 5}, **SLIP)
    again = pit.ask("alert.acknowledge", alert="fill-needed/" + str(row["alert"].split("/")[1]))
    assert not again.ok
    pit.say("table.buy-in", seat=3, amount=500_00)
    assert [("fill needed", 40_00, {})] == alerts()


def test_a_denomination_of_which_few_are_left_is_named(dispatcher, alerts):
    pit = holds(GamingTable(dispatcher), of_10000=10, of_500=40)
    pit.say("table.shift-count", chips={"10000": 12, "500": 0}, **TWO)

    assert [("fill needed", 1_200_00, {"500": 0})] == alerts()
    pit.say("table.colour-change", taken={"500": 20}, given={"10000": 1})
    assert [] == alerts()


@pytest.mark.parametrize(("floor", "share", "kinds"), [(0, 0, []), (2_000, 0, ["fill needed"])])
def test_when_a_fill_is_needed_is_a_setting_of_the_house(dispatcher, alerts, floor, share, kinds):
    pit = GamingTable(dispatcher)
    pit.say("property.set", name="fill_share", value=share)
    if floor:
        pit.say("property.set", name="fill_floor", value=str(floor))
    holds(pit, of_10000=10)

    assert kinds == [kind for kind, _, _ in alerts()]


def test_a_colour_change_moves_no_money_and_can_be_put_right(dispatcher, projected):
    pit = holds(GamingTable(dispatcher), of_10000=10, of_500=40)
    unlike = pit.ask("table.colour-change", taken={"500": 21}, given={"10000": 1}).body
    changed = pit.say("table.colour-change", taken={"500": 20}, given={"10000": 1}).body

    assert "BadValue" == unlike["error"]
    assert ({"500": 60, "10000": 9}, 1_200_00) == (projected()["chips"], projected()["tray"])
    two = {"reason": "typed wrong", **TWO}
    rightly = {"taken": {"10000": 1}, "given": {"500": 20}}
    pit.say("money.correct", position=changed["position"], **rightly, **two)
    assert ({"500": 20, "10000": 11}, 1_200_00) == (projected()["chips"], projected()["tray"])
    pit.say("money.correct", position="last", table="B01", withdrawn=True, **two)
    assert {"500": 40, "10000": 10} == projected()["chips"]


def test_the_terminal_of_a_table_has_the_tray_as_the_board_has_it(dispatcher, database, followed):
    pit = GamingTable(dispatcher)
    pit.say("property.set", name="fill_share", value=20)
    holds(pit, of_10000=10)
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    assert (900_00, 200_00, False) == astuple(followed())[:3]
    pit.say("table.buy-in", seat=3, amount=800_00)
    low = followed()
    assert (low.holds, low.needs_fill, low.below_zero) == (100_00, True, False)
    pit.say("table.buy-in", seat=3, amount=101_00)
    assert followed().below_zero
    with database.session("sabot_projector") as connection:
        (line,) = tray_lines(Follower(connection, "B01").now)
    assert line == (
        "The tray should hold -1.00, less than nothing. Count it, and call the supervisor."
    )
