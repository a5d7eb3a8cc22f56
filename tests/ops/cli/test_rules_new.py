"""`sabot rules new`: a rule file by questions; each answer may be typed, or come from an option."""

import json
import tomllib

import pytest

from tests.acceptance.channels import json_of, shell

TWO = ("--by", "A-1", "--with", "S-11")
TO_THE_BETS = ("", "harbour@1", "Harbour, leaflet of 1 October", *[""] * 10)
NO_MORE = ("", "")  # bets, other terms
NINES = (
    "Harbour Nines", "hb", "Nines", "4",
    "both hands end on 9 with three cards", "75 to 1",
    "either hand ends on 9 with three cards", "10:1",
    "",
    "5", "100",
)  # fmt: skip


@pytest.fixture
def file(tmp_path):
    return tmp_path / "harbour.toml"


@pytest.fixture
def answered(database, file):
    """What happens when these lines are typed one after the other."""

    def answer(*lines, options=()):
        typed = "".join(f"{line}\n" for line in lines)
        return shell(database, "rules", "new", str(file), *options, input=typed)

    return answer


def test_a_sheet_with_a_bet_of_its_own_is_asked_counted_and_approved(answered, database, file):
    said = answered(*TO_THE_BETS, *NINES, *NO_MORE)

    assert said.exit_code == 0, said.stderr
    assert "harbour-nines     9.3105%" in said.stdout
    assert f"sabot rules check {file}" in said.stdout
    assert {"harbour-nines": 9.3105}.items() <= edges(database, file).items()
    assert shell(database, "rules", "approve", str(file), *TWO).exit_code == 0
    assert json_of(database, "rules", "show", "harbour@1")["approved_by"] == ["A-1", "S-11"]


def edges(database, file):
    checked = json_of(database, "rules", "check", str(file))
    return {each["spot"]: each["edge_percent"] for each in checked["spots"]}


def test_a_step_back_leads_to_the_questions_before_with_what_was_typed(answered, file):
    answered(
        *("", "harbour@1", "a leaflet of 1 May", "<", "Harbour, leaflet of 1 October"),
        *("", "", "", "", "<", "", "1, 5, 25", "5", "25", "500", ""),
        *("<", "", "", "", "20", "", ""),  # from the decks to the money
        *("", "", "", "up 1"),
        *NO_MORE,
    )
    stated = tomllib.loads(file.read_text())

    assert stated["source"] == "Harbour, leaflet of 1 October"
    assert stated["chips"] == ["1", "5", "25"]
    assert stated["limits"]["main"] == {"minimum": "20", "maximum": "500"}
    assert stated["limits"]["tie"] == {"minimum": "5.00", "maximum": "500.00"}  # in steps of 5


def test_a_step_back_in_a_bet_leaves_the_bets_as_they_were(answered, file):
    answered(*TO_THE_BETS, *NINES[:5], "<", *NO_MORE)

    assert "spots" not in tomllib.loads(file.read_text())


def test_the_file_states_what_is_other_than_in_its_base(answered, file):
    answered(*TO_THE_BETS, *NINES, *NO_MORE)

    assert tomllib.loads(file.read_text()) == {
        "name": "harbour@1",
        "source": "Harbour, leaflet of 1 October",
        "based_on": "tie-eight-5@1",
        "limits": {
            "main": {"minimum": "10.00", "maximum": "5000.00"},
            "harbour-nines": {"minimum": "5", "maximum": "100"},
        },
        "spots": {
            "harbour-nines": {
                "key": "hb",
                "cloth": "Nines",
                "row": 4,
                "pays": {
                    "both hands end on 9 with three cards": "75:1",
                    "either hand ends on 9 with three cards": "10:1",
                },
            }
        },
    }


def test_what_is_wrong_is_named_where_it_is_typed_and_asked_again(answered, database, file):
    wrong = list(NINES)
    wrong[1:1] = ["t", "", ""]  # Tie's key
    wrong.insert(7, "both hands end on nien")
    wrong[9:9] = ["nine for ten"]
    said = answered(*TO_THE_BETS, *wrong, *NO_MORE)

    assert said.exit_code == 0, said.stderr
    for words in ("spots.harbour-nines.key cannot be 't'", "not 'nien'", "Write odds as in 9 to 1"):
        assert words in said.stderr
    assert edges(database, file)["harbour-nines"] == 9.3105


def test_a_line_that_never_decides_is_left_out_at_once(answered, file):
    bet = list(NINES)
    bet[8:8] = ["player ends on 9 with three cards", "20:1"]
    said = answered(*TO_THE_BETS, *bet, *NO_MORE)

    assert "it never decides, because of the lines above it" in said.stderr
    assert "20:1" not in file.read_text()


def test_odds_for_one_have_the_stake_in_them(answered, file):
    bet = list(NINES)
    bet[5] = "76 for 1"
    said = answered(*TO_THE_BETS, *bet, *NO_MORE)

    assert "76 for 1 has the stake in it: that is 75:1." in said.stderr
    assert '"75:1"' in file.read_text()


def test_a_bet_that_a_sheet_has_is_offered_as_it_is_there(answered, database, file):
    perfect = ("perfect pair", "", "", "", "y", "", "")
    pairs = ("pair-player", "n", "player has a pair", "12:1", "", "", "")
    said = answered(*TO_THE_BETS, *perfect, *pairs, "-tie", *NO_MORE)

    assert said.exit_code == 0, said.stderr
    assert "live-pairs@1 pays for it" in said.stderr
    assert {"perfect-pair": 6.6235, "pair-player": 2.8916}.items() <= edges(database, file).items()
    assert "tie" not in edges(database, file)


def test_a_bet_that_wins_a_meter_is_asked_for_its_terms(answered, file):
    lucky = (
        *("Grand Nines", "gn", "", ""),
        *("both hands have a natural 9", "100% of the meter"),
        *("house", "10,000.00", "2%", "0.5%", "5,000.00", "none"),
        *("either hand has a natural 9", "8:1", ""),
        *("5", "5"),
    )
    said = answered(*TO_THE_BETS, *lucky, *NO_MORE)
    stated = tomllib.loads(file.read_text())

    assert said.exit_code == 0, said.stderr
    assert "100% of the meter" in stated["spots"]["grand-nines"]["pays"].values()
    assert stated["progressives"]["grand-nines"] == {
        "of": "house",
        "seed": "10000.00",
        "share": "2%",
        "reserve": "0.5%",
        "two_people_above": "5000.00",
    }


def test_a_term_in_quotes_is_taken_as_it_is_typed(answered, file):
    said = answered(*TO_THE_BETS, "", 'burn_between = "or-coup-counts"', "")

    assert said.exit_code == 0, said.stderr
    assert tomllib.loads(file.read_text())["burn_between"] == "or-coup-counts"


def test_a_question_mark_is_no_answer(answered, file):
    said = answered("?", *TO_THE_BETS, *NO_MORE)

    assert said.exit_code == 0, said.stderr
    assert "`sabot manual rule-sets` explains every term" in said.stderr


@pytest.mark.parametrize("many", [0, 3, 9, 16, 21])
def test_answers_that_end_early_leave_nothing_behind(answered, file, many):
    said = answered(*(*TO_THE_BETS, *NINES)[:many])

    assert (said.exit_code, f"{file} was not written." in said.stderr) == (1, True)
    assert [*file.parent.iterdir()] == []


def test_every_answer_may_come_from_an_option(database, file):
    said = shell(
        database, "rules", "new", str(file), "--defaults", "--name", "eur@1", "--source", "a sheet",
        "--currency", "eur", "--chips", "5, 25, 100", "--increment", "5", "--minimum", "25",
        "--maximum", "2,000", "--decks", "6", "--commission", "5", "--timing", "in-the-odds",
        "--line", 'spots.tie.pays = {"tie" = "9:1"}', "--json",
    )  # fmt: skip
    body = json.loads(said.stdout)

    assert (said.exit_code, said.stderr) == (0, "")
    assert (body["name"], body["file"]) == ("eur@1", str(file))
    assert edges(database, file) == {each["spot"]: each["edge_percent"] for each in body["spots"]}
    assert '"banker wins" = "19:20"' in file.read_text()


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        ((), 2, "With --defaults, say --source too."),
        (("--source", "x", "--decks", "none"), 1, "decks cannot be 'none'"),
        (("--source", "x", "--line", "cut_card = 0"), 1, "cut_card"),
        (("--source", "x", "--line", "cut card"), 1, "it is no line of a rule file"),
        (("--source", "x", "--name", "ez@1"), 1, "has a rule set ez@1 of its own"),
        (("--source", "x", "--based-on", "eze@1"), 1, "ez@1"),
        (("--source", "x", "--timing", "deferred", "--rounding", "up"), 0, ""),
        (("--source", "x", "--based-on", "electronic@1", "--timing", "at-payout"), 1, "accounts"),
    ],
)
def test_an_option_that_cannot_be_is_refused_and_nothing_is_asked(
    database, file, options, status, words
):
    said = shell(database, "rules", "new", str(file), "--defaults", *options)

    assert (said.exit_code, words in said.stderr) == (status, True), said.stderr
    assert file.exists() == (status == 0)


def test_a_file_that_is_there_is_not_written_over(answered, file):
    file.write_text("mine")
    said = answered()

    assert (said.exit_code, file.read_text()) == (1, "mine")
    assert "it is there already" in said.stderr


def test_a_name_that_is_on_record_is_told_its_next_version(answered, database, file):
    options = ("--defaults", "--source", "a sheet")
    answered(options=options)
    shell(database, "rules", "approve", str(file), *TWO)
    file.unlink()
    said = answered(options=options)

    assert said.exit_code == 1
    assert "a change is harbour@2" in said.stderr


STREAKS = (
    "Next Three", "nt", "", "4",
    "won 3", "8 to 1", "3", "banker wins", "none", "",
    "",
    "5", "100",
    "banker streak", "bs", "", "", "",
    "5", "100",
)  # fmt: skip


def test_a_bet_on_the_next_coups_is_asked_and_one_of_the_shelf_has_its_coups(
    answered, database, file
):
    said = answered(*TO_THE_BETS, *STREAKS, *NO_MORE)

    assert said.exit_code == 0, said.stderr
    assert {"next-three": 13.1965, "banker-streak": 11.8293}.items() <= edges(
        database, file
    ).items(), said.stdout
    terms = tomllib.loads(file.read_text())["terms"]
    assert {"coups": 3, "wins": "banker wins", "at_end": "returned"} == terms["next-three"]["over"]
    assert 10 == terms["banker-streak"]["over"]["coups"]
