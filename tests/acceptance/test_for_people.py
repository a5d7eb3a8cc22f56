"""What people read at 80 columns: every name as it was spoken, every amount whole."""

import pytest

from tests.acceptance.channels import accepted, json_of, shell

AT_80 = {"COLUMNS": "80"}
LONG = "Maximilian-Alexander-von-und-zu-Hohenzollern-Sigmaringen-0123456"
COUP = "B01/2026-11-21/1/1"


def a_coup(patron, *, banker=100_00, bonus=5_00, table="B01"):
    """An evening on which the patron at seat 3 wins with Banker, by a natural."""
    said = [
        {
            "command": "table.open",
            "rules": "dragon-bonus@1",
            "opener": {"100000": 200},
            "day": "2026-11-21",
        },
        {"command": "table.seat", "seat": 3, "patron": patron},
        {"command": "shoe.load", "decks": 8},
        {"command": "shoe.inspect"},
        {"command": "shoe.shuffle", "method": "hand"},
        {"command": "shoe.cut", "seat": 3},
        {"command": "shoe.burn", "card": "3D"},
        {"command": "bet", "seat": 3, "spot": "banker", "amount": banker},
        {"command": "bet", "seat": 3, "spot": "dragon-banker", "amount": bonus},
        *({"command": "draw", "card": card} for card in ("KC", "9S", "2C", "QD")),
        {"command": "settle"},
        {"command": "commission.collect", "seat": 3, "amount": 1_00},
    ]
    return [{**line, "table": table} for line in said]


def pages(database, coup=COUP):
    """The commission report and the replay, as a terminal of 80 columns shows them."""
    for words in (("report", "commission"), ("replay", coup)):
        result = shell(database, *words, env=AT_80)

        assert (0, "") == (result.exit_code, result.stderr)
        assert max(map(len, result.stdout.splitlines())) <= 80
        yield result.stdout


@pytest.mark.parametrize(
    "patron",
    [
        "P-10417",
        "Mr. O’Hara",
        "周杰伦",
        "50% off {all} \\n $5",
        "grey [jacket]",
        "[bold]P-7",
        "[/]",
        "[/red]",
        "lucky :smile:",
    ],
)
def test_a_patron_s_name_is_shown_as_it_was_entered(database, patron):
    accepted(database, a_coup(patron))

    for page in pages(database):
        assert patron in page


@pytest.mark.parametrize(
    ("patron", "banker", "bonus"),
    [
        ("P-10417", 100_00, 5_00),
        ("P-10417", 10_000_00, 500_00),  # the most that may lie there
        (LONG, 100_00, 5_00),
    ],
)
def test_no_amount_is_cut_off_however_large_or_long_the_name(database, patron, banker, bonus):
    accepted(database, a_coup(patron, banker=banker, bonus=bonus))
    report, replay = pages(database)
    owed = banker // 20

    for amount in (owed, 1_00, owed - 1_00):
        assert f"{amount / 100:,.2f}" in report
    for amount in (banker, bonus, owed, 2 * banker, 2 * bonus, 1_00):
        assert f"{amount / 100:,.2f}" in replay
    assert "…" not in replay.partition("Payments")[2]


def test_a_stay_s_rows_add_up_to_the_total_that_is_shown(database):
    for table, banker in (("B01", 100_00), ("B02", 300_00)):
        accepted(database, a_coup(f"P-{table}", banker=banker, table=table))
    rows = json_of(database, "report", "commission")["rows"]
    page = shell(database, "report", "commission", env=AT_80).stdout.splitlines()
    (last,) = (line.split() for line in page if line.startswith("total"))

    shown = [sum(row[name] for row in rows) for name in ("charged", "collected", "outstanding")]
    assert last == ["total", *(f"{amount / 100:,.2f}" for amount in shown)]
    assert shown == [20_00, 2_00, 18_00]
