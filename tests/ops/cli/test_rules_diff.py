"""`sabot rules diff`: what is another term, and what that does to the edges."""

import json

from tests.acceptance.channels import json_of, shell

OWN = """
name = "harbour@1"
source = "a sheet of the tests"
based_on = "tie-eight-5@1"

[spots.red-coup]
key = "rc"
pays = {"all cards are red" = "22:1"}
"""


def test_a_tie_at_nine_is_said_with_its_edge_before_and_after(database):
    said = shell(database, "rules", "diff", "tie-eight-5@1", "tie-nine@1").stdout

    assert "Tie pays: tie 8:1 → tie 9:1" in said
    assert "Tie: house edge 14.3596% → 4.8440%" in said


def test_a_file_is_compared_and_a_bet_that_is_new_has_no_edge_before(database, tmp_path):
    file = tmp_path / "harbour.toml"
    file.write_text(OWN)
    body = json_of(database, "rules", "diff", "tie-eight-5@1", str(file))

    assert body["edges"] == [{"spot": "red-coup", "before_percent": None, "now_percent": 14.0022}]
    assert [each["term"] for each in body["terms"]] == [
        "own_spots red-coup key",
        "spots red-coup pays",
    ]


def test_the_same_terms_and_names_that_are_none_are_said_in_words(database):
    same = shell(database, "rules", "diff", "classic@1", "classic@1")
    unknown = shell(database, "rules", "diff", "classic@1", "clasic@1", "--json")

    assert "the same terms" in same.stdout
    assert json.loads(unknown.stdout)["error"] == "UnknownRules"


def test_a_name_without_its_version_or_with_another_is_answered_with_those_that_there_are(database):
    bare = shell(database, "rules", "check", "washington")
    other = shell(database, "rules", "sheet", "washington@9")

    assert "with its version it is washington@1" in bare.stderr
    assert "The nearest sheets are washington@1" in other.stderr
    assert "`sabot rules shelf` lists all" in other.stderr
