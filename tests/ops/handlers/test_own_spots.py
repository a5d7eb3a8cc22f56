"""A bet that no source file knows: approved, typed, dealt, paid, replayed, put right, reported."""

import pytest

from domain.rules.addresses import Coup
from domain.rules.spots import SPOT, THE_TRADES
from ops.handlers.dispatcher import Dispatcher
from ops.pack.pack import pack
from ops.replay.story import find
from ops.reports.ask import ask
from ops.typed.bets import read
from ops.words.language import reading, shown
from ops.words.terms import spot_called
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.stories import as_dict
from tests.worlds.gaming_table import DAY, GamingTable
from tests.worlds.stranger import judged

SHEET = """
name = "harbour@1"
source = "a sheet of the tests"
based_on = "dragon-bonus@1"

[limits]
lucky-nines = {minimum = "5.00", maximum = "100.00"}
red-coup = {minimum = "5.00", maximum = "50.00"}

[spots.lucky-nines]
key = "ln"
cloth = "Nines"
labels = {pt = "Noves da sorte"}
[spots.lucky-nines.pays]
"both hands end on 9 with three cards" = "75:1"
"either hand ends on 9 with three cards" = "10:1"

[spots.red-coup]
key = "rc"
pays = {"all cards are red" = "22:1"}
"""
NINES = "2H 2D KH KD 7H 7D"  # a tie on 9 with three cards each, all of them red
NAME, COUP = "harbour@1", f"B01/{DAY}/1/1"
TWO = {"with": "S-11"}


def approved(dispatcher: Dispatcher, sheet: str = SHEET):
    approve = {"command": "rules.approve", "file": sheet, "by": "A-1", **TWO}
    return dispatcher.dispatch(approve)


@pytest.fixture
def pit(dispatcher):
    assert approved(dispatcher).ok
    return GamingTable(dispatcher).open(NAME).prepare()


def payments(database, address=COUP):
    with database.session("sabot_auditor") as connection:
        return as_dict(find(connection, Coup.parse(address)))


def test_a_bet_of_the_house_is_typed_paid_and_replayed(pit, database):
    typed = list(read("3 ln 25 rc 5").wagers)
    for _, wager in typed:
        pit.bet(3, wager.spot, int(wager.amount) * 100)
    pit.deal(NINES, settle=True)
    coup = payments(database)

    assert ["lucky-nines", "red-coup"] == [wager.spot for _, wager in typed]
    assert coup["agrees"]
    assert [
        ("lucky-nines", "75:1", 1_900_00),
        ("red-coup", "22:1", 115_00),
    ] == [(each["spot"], each["odds"], each["paid"]) for each in coup["payments"]]


def test_it_is_limited_refused_and_named_as_any_other(pit):
    under = pit.ask("bet", seat=3, spot="red-coup", amount=60_00)
    nothing = pit.ask("bet", seat=3, spot="red-coups", amount=50_00)
    other = pit.ask("bet", seat=3, spot="tiger", amount=50_00)

    assert [("OverMaximum", "Red Coup"), ("BadValue", "red-coup"), ("SpotNotOffered", "Lucky")] == [
        (each.error, words)
        for each, words in ((under, "Red Coup"), (nothing, "red-coup"), (other, "Lucky"))
        if words in str(each.words)
    ]


def test_it_is_put_right_and_reported(pit, database):
    pit.bet(3, "lucky-nines", 25_00)
    pit.deal("2C 2D KH KD 7H 6D", settle=True)  # Player alone has 9
    paid_as = {"seat": 3, "spot": "lucky-nines", "coup": COUP, "reason": "misread", **TWO}
    pit.say("correct", to=25_00, **paid_as)
    pit.say("correct", **paid_as)  # as the cards say
    (row,) = ask(database, REPORTS["wagers"]).rows

    assert (275_00, True) == (row["paid"], payments(database)["agrees"])


def test_a_stranger_judges_it_from_the_pack_alone(pit, database, tmp_path):
    pit.play(NINES, (3, "red-coup", 5_00), (5, "lucky-nines", 25_00))
    pit.say("correct", seat=5, spot="lucky-nines", to=25_00, coup=COUP, reason="misread", **TWO)
    with database.session("sabot_auditor") as connection:
        file = tmp_path / "coup.json"
        file.write_bytes(pack(connection, find(connection, Coup.parse(COUP))).json)
    said = judged(file)

    assert (said.returncode, said.stderr) == (0, "")
    assert "WRONG" not in said.stdout


@pytest.fixture
def nothing_learned(pit, monkeypatch):
    """As in a process that has just started."""
    monkeypatch.setattr("domain.rules.house_rules._LEARNED", {})
    for spot in SPOT.keys() - {*THE_TRADES}:
        del SPOT[spot]


@pytest.mark.usefixtures("nothing_learned")
def test_a_process_that_has_just_started_knows_its_key_and_its_name(pit, dispatcher, database):
    options = ("--by", "D-204", "--at", "2026-11-21T20:30")
    typed = shell(database, "bets", "B01", "3 ln 25 rc 5", *options)
    line = GamingTable(Dispatcher(dispatcher.casino, "test"))

    assert (typed.exit_code, typed.stderr) == (0, "")
    assert "Lucky Nines 25.00" in typed.stdout
    assert line.say("withdraw", seat=3, spot="red-coup", at="2026-11-21T20:31:00+00:00").ok


def test_a_word_that_is_no_spot_is_refused_in_several_bets_too(pit):
    wagers = [{"seat": 3, "spot": "lucky-nines", "amount": 25_00}]
    wrong = [*wagers, {"seat": 3, "spot": "lucky-tens", "amount": 25_00}]

    assert pit.ask("bets", wagers=wrong).error == "BadValue"
    assert pit.say("bets", wagers=wagers).ok


def test_its_label_is_said_in_the_language_that_its_sheet_has(pit):
    with reading("pt"):
        assert (shown(spot_called("lucky-nines")), shown(spot_called("red-coup"))) == (
            "Noves da sorte",
            "Red Coup",
        )


@pytest.mark.parametrize(
    ("changed", "to", "why"),
    [
        ('key = "ln"', 'key = "b"', "2 to 4 small letters"),
        ('key = "ln"', 'key = "dp"', "another spot has it"),
        ('key = "ln"', 'key = "rc"', "another spot has it"),
        ('key = "ln"', 'key = "kn"', "not k or m"),
        ("lucky-nines", "Lucky_Nines", "small letters"),
        ('cloth = "Nines"', 'cloth = "Nines of the harbour"', "up to 12"),
        ("labels = {pt", "labels = {pt_BR", "write a language"),
        ("lucky-nines", "tiger", "the trade's"),
    ],
)
def test_a_name_or_a_key_that_cannot_be_is_refused_in_words(dispatcher, changed, to, why):
    refused = approved(dispatcher, SHEET.replace(changed, to))

    assert ("BadValue", True) == (refused.error, why in str(refused.words)), str(refused.words)


def test_one_key_means_one_bet_in_the_house(pit, dispatcher):
    other = SHEET.replace("harbour@1", "pier@1").replace("lucky-nines", "long-nines")
    refused = approved(dispatcher, other)
    same = approved(dispatcher, SHEET.replace("harbour@1", "harbour@2").replace("75:1", "80:1"))

    assert "that of Lucky Nines" in str(refused.words)
    assert same.ok
    assert "lucky-nines" not in THE_TRADES
