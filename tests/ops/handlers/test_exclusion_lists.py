"""An exclusion list: who of it is here is barred, who may be is asked about."""

import csv
import json
from random import Random

import pytest

from tests.acceptance.channels import shell
from tests.worlds.gaming_table import mouth_on

HEADINGS = ("name", "birth_date", "document", "number", "issuer", "reference")
FILES = {  # by patron: name, birth date, number of the passport
    "P-1": ("Ann Archer", "1961-04-17", "U 12-34"),
    "P-2": ("Bea Brown", "1970-01-13", ""),
    "P-3": ("Cas Cole", "", ""),
    "P-4": ("Dan Doe", "1980-02-02", "X9"),
}


@pytest.fixture
def house(database):
    with mouth_on(database) as dispatcher:
        for patron, (name, born, number) in FILES.items():
            assert shell(database, "patron", "name", patron, name).exit_code == 0
            lines = [{"command": "patron.file", "birth_date": born, "languages": "de"}]
            if not born:
                del lines[0]["birth_date"]
            if number:
                document = {"kind": "passport", "number": number, "issuer": "Austria"}
                lines.append({"command": "patron.document", **document})
            for line in lines:
                assert dispatcher.dispatch({**line, "patron": patron, "by": "C-1"}).ok
    return database


def excluded(database, tmp_path, rows, *words):
    file = tmp_path / "list.csv"
    with file.open("w", newline="") as text:
        csv.writer(text).writerows([HEADINGS, *rows])
    result = shell(database, "patron", "exclude", str(file), "--list", "STATE", *words, "--json")
    told = json.loads(result.stdout)
    every = [(each["row"], each["what"], each["patron"], each["why"]) for each in told["rows"]]
    return every, result.exit_code


def barrings(dispatcher):
    """How each patron is barred who is."""
    names = dispatcher.desk.names
    every = dispatcher.casino.look(lambda: {patron: names.record(patron) for patron in FILES})
    return {patron: each.barring for patron, each in every.items() if each and each.barred}


SHEET = [
    ("A. Other", "1901-01-01", "passport", "u1234", "AUSTRIA", "N-1"),  # Ann's passport
    ("Béa  Brown", "1970-01-13", "", "", "", "N-2"),
    ("Cas Cole", "1990-09-09", "", "", "", ""),  # whose birth date nobody knows here
    ("Dan Doe", "1980-02-03", "", "", "", ""),  # another day
    ("Eve Else", "1980-02-02", "", "", "", ""),
    ("", "1980-02-02", "", "", "", ""),
]
FOUND = [
    (2, "bar", "P-1", "document"),
    (3, "bar", "P-2", "person"),
    (4, "asked", "P-3", "looks"),
    (5, "nobody", "", ""),
    (6, "nobody", "", ""),
    (7, "wrong", "", ""),
]


def test_who_is_on_it_for_certain_is_barred_and_only_with_yes(house, tmp_path):
    shown, status = excluded(house, tmp_path, SHEET)
    with mouth_on(house) as dispatcher:
        assert barrings(dispatcher) == {}
    taken, _ = excluded(house, tmp_path, SHEET, "--yes", "--by", "PB-2")
    again, _ = excluded(house, tmp_path, SHEET, "--yes", "--by", "PB-2")
    with mouth_on(house) as dispatcher:
        after = barrings(dispatcher)

    assert (shown, status) == (FOUND, 1)
    assert taken == FOUND
    assert [what for _, what, *_ in again[:2]] == ["barred", "barred"]
    assert again[2:] == FOUND[2:]
    assert after == {"P-1": "self-excluded", "P-2": "self-excluded"}


# fmt: off
OTHER_ORDERS = [
    # on file              on the list
    ("Tom Smith",          "Smith, Tom"),
    ("Smith, Tom",         "Tom Smith"),
    ("Tom Smith",          "SMITH TOM"),
    ("Tom A. Smith",       "Smith, Tom A"),
    ("María del Carmen García López", "GARCIA LOPEZ, Maria del Carmen"),
]
# fmt: on


@pytest.mark.parametrize(("on_file", "on_list"), OTHER_ORDERS)
def test_a_name_is_the_same_in_whatever_order_its_words_are(house, tmp_path, on_file, on_list):
    assert shell(house, "patron", "name", "P-4", on_file).exit_code == 0
    rows = [
        (on_list, "1980-02-02", "", "", "", ""),
        (on_list, "", "", "", "", ""),
        (on_list, "1980-02-03", "", "", "", ""),
        (f"{on_list} Jones", "1980-02-02", "", "", "", ""),
    ]
    found, _ = excluded(house, tmp_path, rows)

    assert found == [
        (2, "bar", "P-4", "person"),
        (3, "asked", "P-4", "looks"),
        (4, "nobody", "", ""),
        (5, "nobody", "", ""),
    ]


def test_the_record_names_the_list_and_no_person(house, tmp_path):
    excluded(house, tmp_path, SHEET, "--yes", "--by", "PB-2")
    into = tmp_path / "events.jsonl"
    assert shell(house, "export", "events", "--into", str(into)).exit_code == 0
    exported = "".join(file.read_text() for file in [into, *into.glob("*")] if file.is_file())

    assert '"on the list STATE N-1"' in exported
    for name, *_ in SHEET:
        assert not name or name not in exported


def test_a_barred_patron_who_sits_buys_no_chips_and_bets_no_more(pit, database, tmp_path):
    pit.play("9C 2C KC QC", (3, "player", 100_00))
    shell(database, "patron", "name", "P-10417", "Eve Else")
    with mouth_on(database) as dispatcher:
        line = {"command": "patron.file", "patron": "P-10417", "birth_date": "1980-02-02"}
        assert dispatcher.dispatch({**line, "by": "C-1"}).ok
    placed = pit.moment
    excluded(database, tmp_path, SHEET[4:5], "--yes", "--by", "PB-2")

    for line in (
        {"command": "table.buy-in", "seat": 3, "amount": 100_00},
        {"command": "bet", "seat": 3, "spot": "player", "amount": 100_00},
    ):
        answer = pit.ask(line.pop("command"), **line)
        assert (answer.ok, answer.error) == (False, "PatronBarred")
    earlier = {"seat": 3, "amount": 50_00, "at": placed.isoformat(), "late": True}
    assert pit.ask("table.buy-in", **earlier, **{"with": "S-11"}).ok
    assert pit.ask("table.cash-out", seat=3, amount=50_00).ok
    assert pit.ask("table.leave", seat=3).ok


def test_a_long_list_is_compared_with_every_file(house, tmp_path):
    """Ten thousand strangers, and Ann among them, in whatever order."""
    random = Random(5)
    rows = [(f"{n:05} Stranger", f"19{n % 90 + 10}-01-01", "", "", "", "") for n in range(10_000)]
    rows.insert(random.randrange(len(rows)), SHEET[0])
    found, status = excluded(house, tmp_path, rows)

    assert [each for each in found if each[1] != "nobody"] == [
        (rows.index(SHEET[0]) + 2, "bar", "P-1", "document")
    ]
    assert status == 0


def test_an_alias_is_its_patron_and_two_rows_of_one_person_bar_them_once(house, tmp_path):
    with mouth_on(house) as dispatcher:
        by = {"by": "S-11"}
        line = {"command": "patron.file", "patron": "grey-jacket", "birth_date": "1999-09-09"}
        assert dispatcher.dispatch({**line, **by}).ok
        assert shell(house, "patron", "name", "grey-jacket", "Gil Grey").exit_code == 0
        line = {"command": "patron.identify", "patron": "grey-jacket", "is": "P-4"}
        assert dispatcher.dispatch({**line, **by}).ok
    rows = [
        ("Gil Grey", "1999-09-09", "", "", "", ""),
        ("Dan Doe", "1980-02-02", "", "", "", ""),
    ]
    found, status = excluded(house, tmp_path, rows, "--yes", "--by", "PB-2")

    assert (found, status) == ([(2, "bar", "P-4", "person"), (3, "barred", "P-4", "person")], 0)
    with mouth_on(house) as dispatcher:
        assert barrings(dispatcher) == {"P-4": "self-excluded"}


def test_a_file_says_since_when_its_patron_may_not_play_and_by_which_list(house, tmp_path):
    assert json.loads(shell(house, "patron", "show", "P-1", "--json").stdout)["barring"] is None
    excluded(house, tmp_path, [SHEET[0]], "--yes")
    barring = json.loads(shell(house, "patron", "show", "P-1", "--json").stdout)["barring"]
    since = barring["since"][:16].replace("T", " ")

    assert (barring["kind"], barring["reason"]) == ("self-excluded", "on the list STATE N-1")
    said = shell(house, "patron", "show", "P-1").stdout
    words = f"! P-1 may not play since {since}: self-excluded. Reason: on the list STATE N-1"
    assert words in said
    shell(house, "patron", "bar", "P-66", "left angry", "--by", "PB-2")
    assert "barred by the house" in shell(house, "patron", "show", "P-66").stdout  # without a file
