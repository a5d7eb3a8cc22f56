"""`shoe-log` and `cards`: the life of every shoe, and of each of its cards (R-SHOE-4)."""

import pytest

from ops.reports.ask import ask
from ops.reports.runner import catch_up
from projections import PROJECTIONS, REPORTS
from tests.acceptance.channels import rows_of
from tests.worlds.gaming_table import BANKER_WINS, GamingTable

FIELDS = {
    "shoe-log": "shoe decks serials batch colour inspected_by verified_by shuffle_method"
    " shuffle_device cut_by cut_card burn_card burned burned_face_down first_coup last_coup"
    " coups drawn discarded remaining ended_why difference verified_proved",
    "cards": "shoe card expected drawn burned discarded remaining difference",
}
SHOE = "B01/2026-11-21/1"
NAMES = FIELDS["cards"].split()[2:]
BURNED = ["4D", "5D", "6D"]  # face down, behind the three


def card(database, name):
    """One card's row, from `expected` on."""
    (found,) = [
        row for row in rows_of(database, *NAMES, "card", report=REPORTS["cards"]) if row[-1] == name
    ]
    return found[:-1]


def log(database, *names):
    """These fields of the only shoe."""
    (found,) = rows_of(database, *names, report=REPORTS["shoe-log"])
    return found


def rest(*gone):
    """Every card of eight decks but these, and but the burned ones."""
    cards = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"] * 8
    for each in ("3D", *BURNED, *gone):
        cards.remove(each)
    return cards


@pytest.mark.parametrize("name", FIELDS)
def test_a_rows_fields_are_the_contracts_letter_by_letter(pit, database, name):
    fields = FIELDS[name].split()

    assert list(REPORTS[name].columns) == fields, "a new column stands in FIELDS here, too"
    assert all(list(row) == fields for row in ask(database, REPORTS[name]).rows)


def test_a_shoes_log_tells_every_step_of_its_life(dispatcher, database):
    pit = GamingTable(dispatcher).open()
    pit.say("shoe.load", decks=8, serials=["K-1", "K-2"], batch="77", colour="red")
    pit.say("shoe.inspect", by="D-9", verified_by="S-11")
    assert log(database, "shuffle_method", "cut_by", "burned", "coups", "remaining") == (
        *(None, None, 0, 0, None),
    )
    pit.say("shoe.shuffle", method="pre-shuffled", device="SH-2")
    pit.say("shoe.cut", seat=3, cut_card=16)
    pit.say("shoe.burn", card="3D")
    pit.play(BANKER_WINS, (3, "player", 100_00))
    pit.play(BANKER_WINS, (3, "player", 100_00))
    pit.say("shoe.misdraw", card="4H", disposition="burn")
    pit.say("shoe.misdraw", card="5H", disposition="carry")
    pit.say("shoe.discard", card="6H", reason="damaged")
    pit.say("shoe.discard", card="7H", reason="foreign")
    pit.end_shoe()
    ended = log(database, "remaining", "ended_why")
    pit.say("shoe.reconcile", remaining=400)
    (row,) = ask(database, REPORTS["shoe-log"]).rows

    assert ended == (401, "end of the evening")
    assert row == {
        "shoe": SHOE,
        "decks": 8,
        "serials": ["K-1", "K-2"],
        "batch": "77",
        "colour": "red",
        "inspected_by": "D-9",
        "verified_by": "S-11",
        "verified_proved": "named in open house",
        "shuffle_method": "pre-shuffled",
        "shuffle_device": "SH-2",
        "cut_by": "seat 3",
        "cut_card": 16,
        "burn_card": "3D",
        "burned": 5,
        "burned_face_down": 3,
        "first_coup": f"{SHOE}/1",
        "last_coup": f"{SHOE}/2",
        "coups": 2,
        "drawn": 9,
        "discarded": 1,
        "remaining": 400,
        "ended_why": "end of the evening",
        "difference": 1,
    }


def test_a_shoe_that_came_to_its_cut_card_ended_for_it(pit, database):
    pit.say("shoe.cut-card")
    pit.play(BANKER_WINS, (3, "player", 100_00))
    pit.say("shoe.end")

    assert log(database, "ended_why", "coups") == ("cut card", 1)


def test_every_card_of_a_shoe_has_a_row_from_the_first_day(pit, database):
    rows = rows_of(database, "expected", "remaining", "difference", report=REPORTS["cards"])

    assert [(8, None, None)] * 52 == rows
    assert card(database, "3D") == (8, 0, 1, 0, None, None)


def test_a_card_is_counted_by_how_it_left_the_shoe(pit, database):
    pit.play(BANKER_WINS, (3, "player", 100_00))
    for disposition in ("carry", "burn", "dummy"):
        pit.say("shoe.misdraw", card="9S", disposition=disposition)
    for reason in ("face-up", "damaged"):
        pit.ask("shoe.discard", card="9S", reason=reason)
    pit.ask("shoe.discard", card="8S", reason="foreign")

    assert card(database, "9S") == (8, 3, 1, 2, None, None)
    assert card(database, "8S") == (8, 0, 0, 0, None, None)


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize("after", ["untyped", "stay"])
def test_a_card_that_was_never_turned_is_taken_back_once(dispatcher, database, after, ended):
    """At a squeeze table with the first card put right, the last ones were not due."""
    pit = GamingTable(dispatcher).open("big-table@1").prepare()
    pit.bet(3, "banker", 1000_00)
    for n, dealt in enumerate(("2C", "KS", "KD", "3D", "4H", "7H")):
        if n == 4:
            pit.say("reveal", hand="player")
            pit.say("reveal", hand="banker")
        pit.say("draw", card=dealt)
    if ended:
        pit.say("settle")
        pit.say("shoe.end", reason="a torn card", **{"with": "S-11"})
    slip = {"n": 1, "card": "9C", "after": after, "reason": "misread", "with": "S-11"}
    pit.say("coup.correct-card", coup=f"{SHOE}/1", **slip)

    gone, burned, left = log(database, "drawn", "burned", "remaining")
    assert left == (8 * 52 - gone - burned if ended else None)
    drawn = rows_of(database, "drawn", report=REPORTS["cards"])
    assert min(drawn) == (0,)
    assert (sum(n for (n,) in drawn),) == log(database, "drawn")
    assert card(database, "9C")[1:3] == (1, 0)
    stays = (0, 1) if ended else (1, 0)  # for the next coup, or burned where there is none
    assert card(database, "7H")[1:3] == {"untyped": (0, 0), "stay": stays}[after]


@pytest.mark.parametrize(
    ("named", "remaining", "difference"),
    [
        ({"remaining": 408}, None, None),
        ({"remaining": rest(*BANKER_WINS.split())}, 7, None),
        ({"remaining": 408, "burned": BURNED}, None, None),
        ({"remaining": rest(*BANKER_WINS.split()), "burned": BURNED[:2]}, 7, None),
        ({"remaining": rest(*BANKER_WINS.split()), "burned": BURNED}, 7, 0),
        ({"remaining": rest(*BANKER_WINS.split(), "9S"), "burned": BURNED}, 6, 1),
        ({"remaining": [*rest(*BANKER_WINS.split()), "9S", "9S"]}, 9, -2),
        ({"remaining": ["9S"] * 9, "burned": BURNED}, 9, -2),
    ],
)
def test_r_shoe_4_the_difference_is_known_once_every_card_is_named_or_one_is_there_too_often(
    pit, database, named, remaining, difference
):
    pit.play(BANKER_WINS, (3, "player", 100_00))
    pit.end_shoe()
    pit.say("shoe.reconcile", **named)

    assert card(database, "9S") == (8, 1, 0, 0, remaining, difference)


def test_r_shoe_4_what_was_named_face_down_is_burned(pit, database):
    pit.end_shoe()
    pit.say("shoe.reconcile", remaining=412, burned=BURNED)

    assert card(database, "4D") == (8, 0, 1, 0, None, None)
    assert log(database, "burned") == (4,)


@pytest.mark.parametrize("name", FIELDS)
def test_a_report_is_narrowed_to_table_day_and_shoe(played, name):
    every = 52 if name == "cards" else 1
    counts = {
        key: len(ask(played, REPORTS[name], **narrowed).rows) // every
        for key, narrowed in {
            "all": {},
            "table": {"table": "B01"},
            "day": {"day": "2026-11-20"},
            "shoe": {"shoe": "B01/2026-11-21/2"},
            "other table's": {"shoe": "B01/2026-11-21/2", "table": "B02"},
        }.items()
    }

    assert counts == {"all": 4, "table": 2, "day": 0, "shoe": 1, "other table's": 0}


def test_made_anew_the_rows_are_those_that_grew(dispatcher, database):
    """Caught up after every command, and then at once."""
    pit = GamingTable(dispatcher).open().prepare()
    with database.connect("sabot_projector") as connection:
        shoes = PROJECTIONS["shoes"]

        def rows():
            catch_up(connection, shoes)
            return [
                connection.execute(f"SELECT r::text FROM {table} r ORDER BY 1").fetchall()
                for table in shoes.tables
            ]

        for said in (
            lambda: pit.play(BANKER_WINS, (3, "player", 100_00)),
            lambda: pit.say("shoe.misdraw", card="4H", disposition="dummy"),
            lambda: pit.say("shoe.discard", card="5H", reason="face-up"),
            lambda: pit.deal("9H 4D KD", settle=True),
            pit.end_shoe,
            lambda: pit.say("shoe.reconcile", remaining=["9S", "9C"], burned=BURNED),
        ):
            said()
            grown = rows()
        for table in (*shoes.tables, "projections.progress"):
            connection.execute(f"DELETE FROM {table}")

        assert grown == rows()


@pytest.mark.parametrize(("counted", "difference"), [(404, 4), (408, 0), (409, -1)])
def test_missing_cards_are_in_the_shoe_log_and_among_the_exceptions(
    pit, database, counted, difference
):
    pit.play(BANKER_WINS, (3, "player", 100_00))
    pit.end_shoe()
    pit.say("shoe.reconcile", remaining=counted)
    noted = rows_of(database, "kind", "detail", report=REPORTS["exceptions"])
    kinds = [kind for kind, _ in noted if kind == "shoe not reconciled"]

    assert log(database, "difference") == (difference,)
    assert kinds == ["shoe not reconciled"] * bool(difference)
    (alert,) = rows_of(database, "kind", report=REPORTS["alerts"]) if difference else [()]
    assert alert == ("shoe not reconciled",) * bool(difference)
