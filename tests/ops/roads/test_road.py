"""`sabot road`: which coups count, and the roads as JSON, on a terminal and as a picture."""

import re
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len

from domain.rules.addresses import Shoe
from domain.rules.roads import Bead, roads
from ops.roads.page import page
from ops.roads.road import ShoeRoads
from ops.roads.svg import THEMES, Look, picture
from ops.roads.text import SHAPES, bead_plate, big_road, counted, derived, letter
from ops.simulation.recorded_shoes import shoes
from tests.acceptance.channels import ON_PAPER, json_of, shell
from tests.pseudo import english_in, pseudo
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, TIE, GamingTable

pytestmark = pytest.mark.usefixtures("held")

SHOE = "B01/2026-11-21/1"
BOTH_PAIRS = "KH 9S KC 9D"  # Banker wins 8 to 0, a natural
BET = (3, "banker", 100_00)
OUTCOMES = {"B": "banker", "P": "player", "T": "tie"}


def found(letters):
    """A shoe that fell so, and nothing else of it."""
    beads = [Bead(OUTCOMES[letter]) for letter in letters]
    coups = tuple(f"{SHOE}/{n}" for n, _ in enumerate(beads, 1))
    return ShoeRoads(Shoe.parse(SHOE), 1, coups, roads(beads))


def from_a_record(n):
    """A recorded shoe, with its pairs and naturals."""
    beads = [
        Bead(coup.winner, coup.player_pair, coup.banker_pair, coup.natural)
        for coup in shoes()[n].coups
    ]
    return ShoeRoads(
        Shoe.parse(SHOE), 1, tuple(f"{SHOE}/{n}" for n, _ in enumerate(beads, 1)), roads(beads)
    )


def test_a_table_stands_for_its_last_shoe(pit, database):
    pit.play(TIE, BET)
    pit.end_shoe()
    pit.prepare()
    pit.play(PLAYER_WINS, BET)
    named = {json_of(database, "road", said)["shoe"] for said in ("B01", "B01/2026-11-21")}
    nowhere = shell(database, "road", "B02")

    assert {"B01/2026-11-21/2"} == named
    assert (1, True) == (nowhere.exit_code, "no shoe of B02 yet" in nowhere.stderr)


# Which coups count.
def test_the_coups_of_a_shoe_in_the_order_in_which_they_were_dealt(pit, database):
    pit.play(TIE, BET)
    pit.play(BOTH_PAIRS, BET)
    pit.play(PLAYER_WINS, BET)
    road = json_of(database, "road", SHOE)

    assert (road["shoe"], road["coups"]) == (SHOE, 3)
    assert road["counts"] == {
        "player": 1,
        "banker": 1,
        "tie": 1,
        "player_pair": 1,
        "banker_pair": 1,
        "natural": 1,
    }
    assert road["bead_plate"]["sequence"] == "TBP"
    assert road["bead_plate"]["cells"][1] == {
        "column": 0,
        "row": 1,
        "what": "banker",
        "coup": f"{SHOE}/2",
        "player_pair": True,
        "banker_pair": True,
        "natural": True,
    }
    assert road["big_road"]["sequence"] == "BP"
    assert road["big_road"]["cells"][0] == {
        "column": 0,
        "row": 0,
        "what": "banker",
        "ties": 1,
        "player_pair": True,
        "banker_pair": True,
        "natural": True,
    }
    assert road["big_eye_boy"] == {"sequence": "", "cells": []}
    assert road["preview"] == {
        "banker": {"big_eye_boy": "red", "small_road": None, "cockroach_pig": None},
        "player": {"big_eye_boy": "blue", "small_road": None, "cockroach_pig": None},
    }


def test_a_pair_is_of_the_first_two_cards(pit, database):
    pit.play("2C KS 3D 7C 3S", BET)

    assert json_of(database, "road", SHOE)["counts"]["player_pair"] == 0


def test_derived_roads_are_told_cell_by_cell(pit, database):
    for coup in (BANKER_WINS, PLAYER_WINS, PLAYER_WINS, BANKER_WINS, PLAYER_WINS):
        pit.play(coup, BET)

    road = json_of(database, "road", SHOE)

    assert road["big_eye_boy"]["sequence"] == "BBB"
    assert road["small_road"] == {
        "sequence": "R",
        "cells": [{"column": 0, "row": 0, "what": "red"}],
    }


def test_a_coup_counts_with_its_result_and_not_once_it_is_void(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.deal("KC 9S 2C")

    assert sequence(database) == ""
    pit.say("draw", card="QD")
    assert sequence(database) == "B"
    pit.say("settle")
    pit.play(PLAYER_WINS, BET)
    assert sequence(database) == "BP"
    pit.say("void", coup=f"{SHOE}/1", reason="a card fell", **{"with": "S-11"})
    assert sequence(database) == "P"


def test_what_has_face_down_counts_when_it_is_turned(dispatcher, database):
    pit = GamingTable(dispatcher).open("big-table@1").prepare()
    pit.bet(3, "player", 5_000_00)
    pit.deal(BANKER_WINS)

    assert sequence(database) == ""
    pit.say("reveal", hand="player")
    assert sequence(database) == ""
    pit.say("reveal", hand="banker")
    assert sequence(database) == "B"


def test_a_dummy_coup_counts(pit, database):
    pit.play(PLAYER_WINS, BET)
    pit.say("shoe.misdraw", card="KC", disposition="dummy")
    pit.deal("9S 2C QD", settle=True)

    assert sequence(database) == "PB"


def sequence(database):
    return json_of(database, "road", SHOE)["bead_plate"]["sequence"]


def test_a_shoe_before_its_first_coup_and_one_that_is_none(pit, database):
    assert json_of(database, "road", SHOE)["coups"] == 0
    assert shell(database, "road", SHOE).exit_code == 0

    nowhere = shell(database, "road", "B01/2026-11-21/2")
    assert (nowhere.exit_code, nowhere.stdout) == (1, "")
    assert nowhere.stderr == "NotFound: The ledger has no shoe B01/2026-11-21/2.\n"
    assert shell(database, "road", "B01/1").exit_code == 1


# On a terminal.
def on_paper(shoe, width=80):
    return [line.plain for line in page(shoe, width)]


def test_a_whole_shoe_at_80_columns_without_colour(golden):
    lines = on_paper(from_a_record(1))

    assert max(map(len, lines)) <= 80
    assert (golden / "road.txt").read_text() == "\n".join(lines) + "\n"


def test_of_a_road_that_is_too_wide_the_newest_columns():
    long = found("BP" * 50 + "BB")

    lines = on_paper(long)
    at = lines.index("Big Road  newest 40 of 101")

    assert lines[at + 1] == "○ ● " * 19 + "○ ●"
    assert lines[at + 2] == "· " * 39 + "●"
    assert max(map(len, on_paper(long))) <= 80
    assert not any("newest" in line for line in on_paper(found("BP" * 19)))


def test_the_command_prints_it(pit, database):
    pit.play(BOTH_PAIRS, BET)
    pit.play(TIE, BET)
    printed = shell(database, "road", SHOE, env=ON_PAPER)

    assert (printed.exit_code, printed.stderr) == (0, "")
    assert "\x1b" not in printed.stdout
    assert printed.stdout.startswith(f"{SHOE}  2 coups  B 1  P 0  T 1\n")
    assert "\n◉1\n" in printed.stdout
    assert "\n˙B.  " in printed.stdout


def test_without_its_colour_every_mark_can_still_be_told():
    shown = from_a_record(0).roads
    for road, marks in shown.derived.items():
        lines = derived(road, marks, 80).lines
        colours = {shape: colour for colour, shape in SHAPES[road].items()}

        assert [mark.colour for mark in marks] == [
            colours[lines[mark.place.row].plain[mark.place.column]] for mark in marks
        ]
    sides = {"●": "banker", "◉": "banker", "○": "player", "◎": "player"}
    lines = big_road(shown.big_road, 80).lines

    assert [entry.side for entry in shown.big_road] == [
        sides[lines[entry.place.row].plain[2 * entry.place.column]] for entry in shown.big_road
    ]
    assert "".join(line.plain for line in bead_plate(shown, 80).lines).count("T") == 12


# In small, for other screens.
def test_six_lines_of_the_big_road_and_the_counts_beside():
    small = found("TPPBTT").roads

    assert counted(small).plain == "B 1  P 2  T 3"
    assert [line.plain for line in big_road(small.big_road, 20).lines[:3]] == ["○1●2", "○ ·", "· ·"]
    assert [line.plain for line in big_road(found("TT").roads.big_road, 20).lines[:1]] == ["◇2"]


def test_ties_without_end_take_one_cell():
    assert big_road(found("B" + "T" * 12).roads.big_road, 80).lines[0].plain == "●+"


# As a picture.
def test_the_picture_of_a_recorded_shoe(golden):
    drawn = picture(SHOE, from_a_record(1).roads)

    assert (golden / "road.svg").read_text() == drawn
    assert not re.search(r"href|@import|font-face|<script|url\(", drawn)
    assert ElementTree.fromstring(drawn).findtext("{*}title") == f"The roads of shoe {SHOE}"


@pytest.mark.parametrize("letters", ["", "T", "BP" * 60, "B" * 90])
def test_any_shoe_is_drawn_inside_its_picture(letters):
    drawn = ElementTree.fromstring(picture(SHOE, found(letters).roads))
    width = int(drawn.get("width"))
    marks = [float(each.get("cx")) for each in drawn.iter("{*}circle")]

    assert all(24 <= x <= width - 24 for x in marks)


def test_without_letters_banker_is_filled_and_player_open():
    shoe = found("BP").roads
    plain = picture(SHOE, shoe, Look(letters=False))
    night = THEMES["night"]

    assert f'r="9" fill="{night.banker}" stroke="{night.banker}"' in plain
    assert f'r="9" fill="none" stroke="{night.player}"' in plain
    assert f'r="9" fill="{night.banker}" stroke="{night.banker}"' not in picture(SHOE, shoe)


def test_the_command_writes_the_picture(pit, database, tmp_path):
    pit.play(BOTH_PAIRS, BET)
    file = tmp_path / "road.svg"
    written = shell(database, "road", SHOE, "--svg", str(file))

    assert (written.exit_code, written.stdout) == (0, "")
    assert written.stderr == f"The roads of {SHOE} are in {file}.\n"
    natural = Bead("banker", player_pair=True, banker_pair=True, natural=True)
    assert file.read_text() == picture(SHOE, roads([natural]))

    nowhere = shell(database, "road", SHOE, "--svg", str(tmp_path / "none" / "road.svg"))
    assert nowhere.exit_code == 1
    assert "was not written: No such file or directory." in nowhere.stderr


@pytest.mark.parametrize("wide", [False, True])
def test_the_roads_are_in_the_readers_language(wide):
    with pseudo(wide=wide):
        lines = on_paper(from_a_record(0))
        letters = {letter(outcome) for outcome in OUTCOMES.values()}

    assert english_in(" ".join(lines)) == []
    assert letters.isdisjoint("BPT")
    assert wide or max(map(cell_len, lines)) <= 80


def test_letters_of_two_cells_keep_the_columns_of_the_bead_plate_apart():
    """Chinese displays have 莊, 閒 and 和 there."""
    with pseudo(wide=True):
        first, *_ = bead_plate(from_a_record(0).roads, 40).lines

    assert first.cell_len <= 40
    assert all(cell_len(each) == 2 for each in first.plain.split() if each in "ＢＰＴ")
