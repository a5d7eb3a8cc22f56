"""What was typed wrong is put right by two people, and what follows from it follows by itself."""

import pytest

from domain.rules.addresses import Coup
from ops.pack.pack import pack
from ops.replay.story import find
from ops.reports.ask import ask
from projections import REPORTS
from tests.stories import as_dict
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS
from tests.worlds.stranger import judged
from tests.worlds.twin_tables import SLIP, TWO, TwinTable, ends

BETS = [(1, "banker", 100_00), (3, "player", 200_00), (3, "tie", 10_00), (5, "banker", 60_00)]


@pytest.fixture
def right(shared):
    return shared.bring(TwinTable).begin()


@pytest.fixture
def wrong(shared):
    return shared.bring(TwinTable).begin()


@pytest.fixture
def same(shared, right, wrong):
    """Checks that both tables end alike."""
    return lambda: require_same(shared.database, right, wrong)


def require_same(database, right, wrong):
    expected, actual = ends(database, right.table), ends(database, wrong.table)
    for name, rows in expected.items():
        assert actual[name] == rows, name
    assert actual["proof"] == []


def test_a_card_of_a_settled_coup_is_another_one(right, wrong, same):
    for table, cards in ((right, "9C 5S 7C QD 9S"), (wrong, "9C 5S 7C QD 2S")):
        table.play(cards, *BETS)
    wrong.play(BANKER_WINS, *BETS)
    right.play(BANKER_WINS, *BETS)
    wrong.fix("coup.correct-card", coup=wrong.coup(1), n=5, card="9S")
    for table in (right, wrong):
        table.finish()

    same()


def test_a_card_corrected_before_the_coup_is_settled_is_due_anew(right, wrong, same):
    right.play("9C 5S 7C QD 9S", *BETS)
    for bet in BETS:
        wrong.bet(*bet)
    wrong.deal("9C 5S 8C QD")
    fixed = wrong.fix("coup.correct-card", coup=wrong.coup(1), n=3, card="7C").body
    assert fixed["due"]["rule"] == "R-DRAW-3"
    wrong.deal("9S", settle=True)
    for table in (right, wrong):
        table.finish()

    same()


def test_cards_typed_by_mistake_go_back_into_the_shoe(right, wrong, same):
    for table, cards in ((right, "9C 5S KC KD"), (wrong, "2C 5S KC KD 5H 4C")):
        table.play(cards, *BETS)
    untold = wrong.ask(
        "coup.correct-card", coup=wrong.coup(1), n=1, card="9C", reason="misread", **TWO
    )
    assert untold.body["error"] == "MissingField"
    wrong.fix("coup.correct-card", coup=wrong.coup(1), n=1, card="9C", after="untyped")
    for table in (right, wrong):
        table.finish()

    same()


def test_cards_that_stay_are_carried_to_the_next_coup(wrong):
    wrong.play("2C 5S KC KD 5H 4C", *BETS)
    wrong.fix("coup.correct-card", coup=wrong.coup(1), n=1, card="9C", after="stay")
    wrong.say("open")
    events = wrong.say("no-more-bets").body["events"]

    assert "CarriedCardDealt" in [each["type"] for each in events]


def coup_line_by_line(table):
    """The next coup: its bets, its cards, its payment."""
    for bet in BETS:
        yield table.bet(*bet)
    for card in BANKER_WINS.split():
        yield table.deal(card)
    yield table.say("settle")


@pytest.mark.parametrize("typed", range(len(BETS) + len(BANKER_WINS.split()) + 2))
def test_a_settled_natural_that_was_none_takes_the_cards_on_the_felt(right, wrong, same, typed):
    """However many lines of the next coup were typed since."""
    right.play("9C 5S AD KD 4H KH", *BETS)
    wrong.play("9C 5S 9D KD", *BETS)
    lines = coup_line_by_line(wrong)
    for _ in range(typed):
        next(lines)
    wrong.fix("coup.correct-card", coup=wrong.coup(1), n=3, card="AD", then=["4H", "KH"])
    for _ in (*lines, *coup_line_by_line(right)):
        pass
    for table in (right, wrong):
        table.finish()

    same()


def test_only_cards_that_are_due_are_on_the_felt(wrong):
    wrong.play("9C 5S KC KD", *BETS)
    lay = {"coup": wrong.coup(1), "n": 1, "reason": "misread", **TWO}
    natural = wrong.ask("coup.correct-card", card="8C", then=["3H"], **lay).body
    stands = wrong.ask("coup.correct-card", card="7C", then=["3H", "4H"], **lay).body
    too_few = wrong.ask("coup.correct-card", card="2C", then=["4H"], **lay).body

    assert [natural["error"], natural["rule"]] == ["BadValue", "R-DRAW-1"]
    assert [stands["error"], stands["rule"]] == ["BadValue", "R-DRAW-3"]
    assert [too_few["error"], too_few["rule"]] == ["CoupNotFinished", "R-DRAW-4"]
    assert natural["message"] == "With 8C no card was due after card 4. Leave out 3H."
    assert too_few["message"].startswith("With 2C another card of Banker's would have been due")


def test_a_settled_coup_that_lacks_a_card_is_no_matter_of_typing(wrong):
    wrong.play("9C 5S KC KD", *BETS)
    refused = wrong.ask(
        "coup.correct-card", coup=wrong.coup(1), n=1, card="2C", reason="misread", **TWO
    )

    assert (refused.body["error"], refused.body["rule"]) == ("CoupNotFinished", "R-DRAW-2")


def test_a_counted_shoe_keeps_its_cards(wrong):
    wrong.play(BANKER_WINS, *BETS)
    wrong.finish()
    refused = wrong.ask(
        "coup.correct-card", coup=wrong.coup(1), n=2, card="8S", reason="misread", **TWO
    )

    assert refused.body["error"] == "ShoeStepOutOfOrder"


@pytest.mark.parametrize("settled", [True, False], ids=["settled", "before"])
def test_a_wager_was_another_seats(right, wrong, same, settled):
    right.play(BANKER_WINS, (1, "banker", 100_00), (3, "player", 50_00))
    wrong.bet(5, "banker", 100_00)
    wrong.bet(3, "player", 50_00)
    wrong.deal(BANKER_WINS, settle=settled)
    wrong.fix("coup.move-wager", coup=wrong.coup(1), seat=5, spot="banker", to_seat=1)
    if not settled:
        wrong.say("settle")
    for table in (right, wrong):
        table.finish()

    same()


def test_a_wager_goes_to_a_patron_who_has_left_when_the_table_is_closed(right, wrong, same):
    for table, seat in ((right, 1), (wrong, 5)):
        table.play(PLAYER_WINS, (seat, "player", 100_00))
        table.say("table.leave", seat=1)
        table.finish()
    wrong.fix(
        "coup.move-wager",
        coup=wrong.coup(1),
        seat=5,
        spot="player",
        to_seat=1,
        patron=wrong.patron(1),
    )

    same()


def test_a_wager_that_lay_there_is_entered_after_the_settlement(right, wrong, same):
    right.play(BANKER_WINS, *BETS)
    wrong.play(BANKER_WINS, *BETS[:3])
    placed = wrong.say(
        "bet", seat=5, spot="banker", amount=60_00, at=_bets_at(wrong), late=True, **TWO
    )
    assert [each["type"] for each in placed.body["events"]][:2] == [
        "WagerFound",
        "WagerSettledLate",
    ]
    for table in (right, wrong):
        table.finish()

    same()


def _bets_at(table):
    """A moment before the first card of the last coup."""
    coup = table.dispatcher.desk.coup_in_play(table.dispatcher.desk.table_day(table.table))
    return coup.created_on.isoformat()


# The command, what was typed, what should have been typed, how it is corrected.
MONEY = [
    ("table.buy-in", {"seat": 1, "amount": 5_000_00}, {"seat": 1, "amount": 500_00},
     {"amount": 500_00}),
    ("table.buy-in", {"seat": 1, "amount": 500_00}, {"seat": 3, "amount": 500_00}, {"seat": 3}),
    ("table.buy-in", {"seat": 1, "amount": 500_00}, None, {"withdrawn": True}),
    ("table.cash-out", {"seat": 5, "amount": 90_00}, {"seat": 5, "amount": 900_00},
     {"amount": 900_00}),
    ("table.cash-out", {"seat": 5, "amount": 90_00}, {"seat": 1, "amount": 80_00},
     {"patron": 1, "amount": 80_00}),
    ("table.fill", {"chips": {"10000": 10}, **SLIP}, {"chips": {"10000": 1}, **SLIP},
     {"chips": {"10000": 1}}),
    ("table.credit", {"chips": {"10000": 10}, **SLIP}, {"chips": {"10000": 11}, **SLIP},
     {"chips": {"10000": 11}}),
]  # fmt: skip


@pytest.mark.parametrize("late", [False, True], ids=["at once", "after closing"])
@pytest.mark.parametrize(("command", "typed", "rightly", "correction"), MONEY)
def test_money_was_another_amount_or_another_patrons(
    right, wrong, same, command, typed, rightly, correction, late
):
    if rightly:
        right.say(command, **rightly)
    position = wrong.say(command, **typed).body["position"]
    whose = correction.get("patron")
    named = {"patron": wrong.patron(whose)} if whose else {}
    correction = {"position": position, **correction, **named}
    if late and "seat" in correction:
        correction["patron"] = wrong.patron(correction.pop("seat"))
    if not late:
        wrong.fix("money.correct", **correction)
    for table in (right, wrong):
        table.play(BANKER_WINS, *BETS)
        table.finish()
    if late:
        wrong.fix("money.correct", **correction)

    same()


def test_commission_was_collected_wrongly(right, wrong, same):
    for table, amount in ((right, 5_00), (wrong, 4_00)):
        table.play(BANKER_WINS, *BETS)
        position = table.say("commission.collect", seat=1, amount=amount).body["position"]
    wrong.fix("money.correct", position=position, amount=5_00)
    for table in (right, wrong):
        table.finish()

    same()


def test_commission_was_another_patrons(right, wrong, same):
    for table, seat in ((right, 5), (wrong, 1)):
        table.play(BANKER_WINS, *BETS)
        position = table.say("commission.collect", seat=seat, amount=3_00).body["position"]
    wrong.fix("money.correct", position=position, seat=5)
    for table in (right, wrong):
        table.finish()

    same()


def test_the_last_money_of_a_table_needs_no_number(wrong):
    wrong.say("table.buy-in", seat=1, amount=5_000_00)
    wrong.play(BANKER_WINS, *BETS)
    fixed = wrong.fix("money.correct", position="last", table=wrong.table, amount=500_00).body[
        "events"
    ]

    assert [each["type"] for each in fixed] == ["CashCorrected", "CashChanged"]


def test_the_last_money_is_the_last_that_was_entered(wrong):
    """Whatever was put right since, and whatever a payment took off by itself."""
    older = wrong.say("table.buy-in", seat=1, amount=5_000_00).body["position"]
    last = wrong.say("table.buy-in", seat=3, amount=60_00).body["position"]
    wrong.fix("money.correct", position=older, amount=500_00)
    wrong.say("commission.timing", seat=1, timing="as-it-wins")
    wrong.play(BANKER_WINS, *BETS)
    fixed = wrong.fix("money.correct", position="last", table=wrong.table, amount=70_00).body[
        "events"
    ]
    again = wrong.fix("money.correct", position="last", table=wrong.table, amount=80_00).body[
        "events"
    ]

    assert older < fixed[0]["position"] == again[0]["position"] <= last
    assert (again[0]["amount_before"], again[0]["amount"]) == (70_00, 80_00)


def test_the_last_money_may_be_a_payment_that_was_somebody_else_s(wrong):
    wrong.play(BANKER_WINS, *BETS)
    older = wrong.say("commission.collect", seat=1, amount=1_00).body["position"]
    wrong.say("commission.collect", seat=1, amount=2_00)
    wrong.fix("money.correct", position="last", table=wrong.table, seat=5)
    fixed = wrong.fix("money.correct", position="last", table=wrong.table, amount=1_50).body[
        "events"
    ]
    wrong.fix("money.correct", position=older, amount=1_20)
    again = wrong.fix("money.correct", position="last", table=wrong.table, amount=1_60).body[
        "events"
    ]

    assert fixed[0]["patron"] == again[0]["patron"] == wrong.patron(5)
    assert [fixed[0][n] for n in ("amount_before", "amount")] == [2_00, 1_50]
    assert [again[0][n] for n in ("amount_before", "amount")] == [1_50, 1_60]


def test_an_opener_a_closer_a_drop_and_a_shoe_are_counted_again(right, wrong, same):
    for table in (right, wrong):
        table.play(BANKER_WINS, *BETS)
    right.finish(closer={"10000": 199}, left=408)
    wrong.finish(closer={"10000": 19}, left=402)
    wrong.fix("table.recount", closer={"10000": 199})
    wrong.fix("shoe.recount", remaining=408)
    dropped = wrong.fix("table.drop-recount", amount=1_200_00, by="C-1").body["events"]
    right.say("table.drop", amount=1_200_00, by="C-1", confirmed=True, **{"with": "S-11"})

    assert dropped[0]["before"] == 1_000_00
    same()


def test_an_opener_was_another_one(shared):
    right, wrong = (shared.bring(TwinTable).begin(opener) for opener in (200, 20))
    opened = ask(shared.database, REPORTS["inventory"], table=wrong.table)
    for table in (right, wrong):
        table.play(BANKER_WINS, *BETS)
    position = _opened_at(wrong, shared.database)
    wrong.fix("money.correct", position=position, chips={"10000": 200})
    for table in (right, wrong):
        table.finish()

    assert opened.rows[0]["total"] == 2_000_00
    require_same(shared.database, right, wrong)


def _opened_at(table, database):
    """The position of the opener."""
    with database.session("sabot_auditor") as connection:
        return connection.execute(
            "SELECT position FROM ledger.events WHERE table_code = %s AND topic = %s",
            (table.table, "table-day.opened"),
        ).fetchone()[0]


def packed(database, coup, tmp_path):
    """What a stranger's script says of the coup's pack."""
    with database.session("sabot_auditor") as connection:
        made = pack(connection, find(connection, Coup.parse(coup)))
    file = tmp_path / "coup.json"
    file.write_bytes(made.json)
    (tmp_path / "coup.pdf").write_bytes(made.pdf)
    return judged(file)


PACKED = {
    "a card, settled": [("coup.correct-card", {"n": 5, "card": "9S"})],
    "two cards": [
        ("coup.correct-card", {"n": 5, "card": "9S"}),
        ("coup.correct-card", {"n": 1, "card": "9D"}),
    ],
    "a wager": [("coup.move-wager", {"seat": 5, "spot": "banker", "to_seat": 1})],
    "a wager and a card": [
        ("coup.move-wager", {"seat": 5, "spot": "banker", "to_seat": 1}),
        ("coup.correct-card", {"n": 5, "card": "9S"}),
    ],
    "a payment and a card": [
        ("correct", {"seat": 3, "spot": "player", "to": 300_00}),
        ("coup.correct-card", {"n": 5, "card": "9S"}),
    ],
    "a card and a void": [("coup.correct-card", {"n": 5, "card": "9S"}), ("void", {})],
}


@pytest.mark.parametrize("fixes", PACKED.values(), ids=PACKED)
def test_a_stranger_verifies_what_was_put_right(wrong, shared, tmp_path, fixes):
    wrong.play("9C 5S 7C QD 2S", *BETS[1:])
    for command, fields in fixes:
        wrong.fix(command, coup=wrong.coup(1), **fields)
    checked = packed(shared.database, wrong.coup(1), tmp_path)

    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout


def test_a_stranger_verifies_a_stake_that_was_put_right_before_it_was_paid(wrong, shared, tmp_path):
    for seat, spot, stake in BETS[1:]:
        wrong.bet(seat, spot, stake)
    *cards, last = ["9C", "5S", "7C", "QD", "2S"]
    wrong.deal(" ".join(cards))
    wrong.fix("correct", coup=wrong.coup(1), seat=3, spot="player", stake=300_00)
    wrong.deal(last, settle=True)
    checked = packed(shared.database, wrong.coup(1), tmp_path)

    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout


def test_a_coup_that_was_put_right_agrees_when_it_is_adjudicated_again(wrong, shared):
    wrong.play("9C 5S 7C QD 2S", *BETS[1:])
    wrong.fix("coup.correct-card", coup=wrong.coup(1), n=5, card="9S")
    wrong.fix("coup.move-wager", coup=wrong.coup(1), seat=5, spot="banker", to_seat=1)
    with shared.database.session("sabot_auditor") as connection:
        story = as_dict(find(connection, Coup.parse(wrong.coup(1))))

    assert (story["agrees"], story["disagreements"]) == (True, [])
    assert story["outcome"] == "player"
    assert (story["cards"][4]["card"], story["cards"][4]["typed"]) == ("9S", "2S")
