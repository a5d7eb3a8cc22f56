"""`sabot adjudicate`: coups in, outcomes out, as many lines as there are, and no ledger."""

import json

import pytest
from click.testing import CliRunner

from ops.cli import cli
from tests.acceptance.by_hand import PIPS
from tests.data import recorded_shoes

UNREACHABLE = {"SABOT_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nowhere"}
FIELDS = ["player", "banker", "player_total", "banker_total", "outcome", "natural", "margin"]
FIELDS += ["cards", "steps"]


def adjudicate(text, *words):
    return CliRunner().invoke(cli, ["adjudicate", *words], input=text, env=UNREACHABLE)


def answers(text):
    result = adjudicate(text, "--json")

    assert result.stderr == ""
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def coups():
    """Every recorded coup, with the six cards that lie next in the shoe, where so many are left."""
    for shoe in recorded_shoes():
        cards = shoe["cards"].split()
        for coup in shoe["coups"]:
            yield coup, cards[coup["start"] : coup["start"] + 6]


def as_recorded(coup):
    """The answer that the record asks for; which rule decided follows from the hands."""
    natural, stood = coup["natural"], len(coup["player"]) == 2
    rules = ["R-DRAW-1"] * 2 if natural else ["R-DRAW-2", "R-DRAW-3" if stood else "R-DRAW-4"]
    thirds = ("player-third", coup["player"]), ("banker-third", coup["banker"])
    return {
        "player": coup["player"],
        "banker": coup["banker"],
        "player_total": coup["pt"],
        "banker_total": coup["bt"],
        "outcome": coup["winner"],
        "natural": natural,
        "margin": abs(coup["pt"] - coup["bt"]),
        "cards": len(coup["deal"]),
        "steps": [
            {"position": position, "rule": rule, "draws": len(hand) == 3}
            for (position, hand), rule in zip(thirds, rules, strict=True)
        ],
    }


def digits(cards):
    return [str(PIPS[card[0]]) for card in cards]


def test_every_recorded_coup_as_cards():
    recorded = [coup for coup, _ in coups()]
    status, told = answers("".join(" ".join(coup["deal"]) + "\n" for coup in recorded))

    assert (0, len(recorded)) == (status, len(told))
    for coup, answer in zip(recorded, told, strict=True):
        assert as_recorded(coup) == answer


def test_every_recorded_coup_as_six_digits_of_which_some_are_left_over():
    recorded = [(coup, cards) for coup, cards in coups() if len(cards) == 6]
    status, told = answers("".join("".join(digits(cards)) + "\n" for _, cards in recorded))

    assert (0, len(recorded)) == (status, len(told))
    for (coup, _), answer in zip(recorded, told, strict=True):
        hands = {"player": digits(coup["player"]), "banker": digits(coup["banker"])}

        assert as_recorded(coup) | hands == answer


def test_the_contract_s_example_field_by_field():
    result = adjudicate("9C 5S 7C QD 9S\n957090\n", "--json")
    cards, values = map(json.loads, result.stdout.splitlines())

    assert (FIELDS, FIELDS) == (list(cards), list(values))
    assert {
        "player": ["9C", "7C"],
        "banker": ["5S", "QD", "9S"],
        "player_total": 6,
        "banker_total": 4,
        "outcome": "player",
        "natural": False,
        "margin": 2,
        "cards": 5,
        "steps": [
            {"position": "player-third", "rule": "R-DRAW-2", "draws": False},
            {"position": "banker-third", "rule": "R-DRAW-3", "draws": True},
        ],
    } == cards
    assert cards | {"player": ["9", "7"], "banker": ["5", "0", "9"]} == values


# fmt: off
WRONG = [
    ("",                    "CoupNotFinished", "R-DEAL-1", "Player's card is due"),
    ("   ",                 "CoupNotFinished", "R-DEAL-1", "Player's card is due"),
    ("9C",                  "CoupNotFinished", "R-DEAL-1", "Banker's card is due"),
    ("9C 5S",               "CoupNotFinished", "R-DEAL-1", "Player's card is due"),
    ("9C 5S 7C",            "CoupNotFinished", "R-DEAL-1", "Banker's card is due"),
    ("9C 5S 7C QD",         "CoupNotFinished", "R-DRAW-3", "Banker's card is due"),
    ("2C 5S KC QD",         "CoupNotFinished", "R-DRAW-2", "Player's card is due"),
    ("2C 5S KC QD 4S",      "CoupNotFinished", "R-DRAW-4", "Banker's card is due"),
    ("9C KS KC QD 2H",      "CardNotDue",      "R-IRR-1",  "2H is not due"),
    ("9C 5S 7C QD 9S AH",   "CardNotDue",      "R-IRR-1",  "AH is not due"),
    ("2C 5S KC QD 4S 2H 3H", "CardNotDue",     "R-IRR-1",  "3H is not due"),
    ("9X 5S 7C QD",         "UnknownCard",     "R-CARD-1", "'9X' is no card"),
    ("0H 5S 7C QD",         "UnknownCard",     "R-CARD-1", "'0H' is no card"),
    ("12345",               "UnknownCard",     "R-CARD-1", "'12345' is no card"),
    ("1234567",             "UnknownCard",     "R-CARD-1", "'1234567' is no card"),
    ("٣٣٣٣٣٣",              "UnknownCard",     "R-CARD-1", "'٣٣٣٣٣٣' is no card"),
    ("9C;5S;7C;QD;9S",      "UnknownCard",     "R-CARD-1", "'9C;5S;7C;QD;9S' is no card"),
]
# fmt: on


@pytest.mark.parametrize(("line", "error", "rule", "words"), WRONG, ids=[row[0] for row in WRONG])
def test_a_line_that_is_no_whole_coup_is_an_error_that_names_what_was_due(line, error, rule, words):
    status, (before, answer, after) = answers(f"957090\n{line}\n957090\n")

    assert (1, before) == (status, after)
    assert (False, 2, error, rule) == tuple(
        answer[name] for name in ("ok", "line", "error", "rule")
    )
    assert words in answer["message"]
    assert answer["message"].endswith(".")
    for_people = adjudicate(f"957090\n{line}\n957090\n")

    assert for_people.exit_code == 1
    assert for_people.stdout.splitlines()[1] == f"line 2: {answer['message']}"


def test_a_line_that_is_no_text_is_an_error_on_that_line():
    status, told = answers(b"957090\n\xff\xfe\n957090\n")

    assert (1, 3, 2) == (status, len(told), told[1]["line"])


def test_the_answers_come_in_the_order_of_the_lines():
    lines = [f"{number:06}" for number in range(0, 1_000_000, 997)]
    _, told = answers("\n".join(lines))
    dealt = [[*each["player"][:2], *each["banker"][:2]] for each in told]

    assert [[line[0], line[2], line[1], line[3]] for line in lines] == dealt


def test_for_people_a_line_says_hands_outcome_and_natural():
    result = adjudicate("9C 5S 7C QD 9S\nkc 9s 2c qd\n957090\n 060600 \n")

    assert result.stdout.splitlines() == [
        "Player 9♣ 7♣   Banker 5♠ Q♦ 9♠   Player wins, 6 to 4",
        "Player K♣ 2♣   Banker 9♠ Q♦   Banker wins, 9 to 2, natural",
        "Player 9 7   Banker 5 0 9   Player wins, 6 to 4",
        "Player 0 0 0   Banker 6 6 0   Banker wins, 2 to 0",
    ]
    assert (0, "") == (result.exit_code, result.stderr)


def test_it_reads_a_file_or_what_it_is_given(tmp_path):
    path = tmp_path / "coups of a day"
    path.write_text("957090\n9C KS KC QD")
    said = adjudicate("957090\n9C KS KC QD").stdout

    assert said == adjudicate("", str(path)).stdout == adjudicate(path.read_text(), "-").stdout
    assert said == adjudicate("957090\r\n9C KS KC QD\r\n").stdout
    assert adjudicate("", str(tmp_path / "none")).exit_code == 2
    assert (0, "") == (adjudicate("").exit_code, adjudicate("").stdout)
