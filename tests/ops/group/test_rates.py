"""Currencies are added up only at a rate of a day that has a name, exactly, and never silently."""

import json
from decimal import ROUND_HALF_UP, Decimal

import pytest
from click.testing import CliRunner

from domain.rules.refusals import Refusal
from ops.cli import cli
from ops.group import members, rates
from ops.group.pulling import pull
from ops.group.rates import NoRate, Rate, in_one
from ops.ledger import clock
from ops.simulation.run import Plan, dispatch_all
from tests.faults import SEED
from tests.worlds.group_of_houses import added, log_of, speaking

NAME = "ECB/2026-11-21"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "group"))


def sabot(*words):
    return CliRunner().invoke(cli, ["group", *words])


def recorded(of, into, rate, **more):
    source, day = rates.parse_name(NAME)
    rates.record(Rate(of, into, rate, source, day, clock.wall_clock(), **more))


@pytest.mark.parametrize(
    ("of", "into", "rate"),
    [("EUR", "USD", "1.0834"), ("USD", "JPY", "151.235"), ("JPY", "USD", "0.00661227"),
     ("KWD", "EUR", "3.05"), ("HKD", "MOP", "1.03")],
)  # fmt: skip
def test_an_amount_is_converted_exactly_and_rounded_once_to_the_nearest_minor_unit(of, into, rate):
    """As decimals do it, halves away from 0; a second way to compute the same."""
    digits = {"JPY": 0, "KWD": 3}
    unit = Decimal(1).scaleb(-digits.get(into, 2))
    for minor in (*range(-250, 251), 10**15 + 1, -(10**15) - 1):
        major = Decimal(minor).scaleb(-digits.get(of, 2)) * Decimal(rate)
        expected = major.quantize(unit, ROUND_HALF_UP)
        got = Rate(of, into, rate, "ECB", "2026-11-21").of(minor)
        assert Decimal(got).scaleb(-digits.get(into, 2)) == expected, minor


SUMS = [
    {"property": "all", "currency": "EUR", "table_days": 3, "win": 1_001, "drop": -5},
    {"property": "all", "currency": "USD", "table_days": 4, "win": 10},
]


def test_sums_of_several_currencies_in_one_are_those_of_the_rounded_sums():
    recorded("EUR", "USD", "1.5")
    got = in_one(NAME, "USD", SUMS, ["win", "drop"])

    assert [(each["from"], each["currency"], each["win"]) for each in got.sums] == [
        ("EUR", "USD", 1_502), ("USD", "USD", 10),
    ]  # fmt: skip
    assert got.total == {"currency": "USD", "table_days": 7, "win": 1_512, "drop": -8}
    assert (got.source, got.day, [each.words for each in got.rates]) == (
        "ECB", "2026-11-21", ["1 EUR = 1.5 USD"],
    )  # fmt: skip


@pytest.mark.parametrize("there", [("USD", "EUR", "0.9"), ("EUR", "GBP", "0.8"), None])
def test_no_rate_is_made_of_others(there):
    """None is turned round, nor computed by way of a third currency."""
    recorded("GBP", "USD", "1.2")
    if there:
        recorded(*there)

    with pytest.raises(NoRate, match=r"No rate of ECB/2026-11-21 is on record from EUR into USD"):
        in_one(NAME, "USD", SUMS, ["win"])
    with pytest.raises(NoRate, match=r"ECB/2026-11-22 is on record"):
        in_one("ECB/2026-11-22", "USD", SUMS, ["win"])


def test_another_rate_under_the_same_name_needs_a_reason_and_the_one_before_stays():
    recorded("EUR", "USD", "1.0834")
    recorded("EUR", "USD", "1.08340")
    with pytest.raises(NoRate, match=r"1 EUR = 1.0834 USD is on record"):
        recorded("EUR", "USD", "1.0843")
    assert len(rates.every()) == 1
    recorded("EUR", "USD", "1.0843", reason="two digits exchanged")

    assert [each.rate for each in rates.every()] == ["1.0834", "1.0843"]
    assert [each.rate for each in rates.named("ECB", "2026-11-21")] == ["1.0843"]


@pytest.mark.parametrize(
    "words",
    [(NAME, "EUR", "USD", each) for each in ("0", "1,08", "-1", "1e3", "nan", "0.0", "1.")]
    + [("ECB", "EUR", "USD", "1"), ("ECB/yesterday", "EUR", "USD", "1"), ("a b/2026-11-21", *"xy1")]
    + [(NAME, "EUR", "EUR", "1"), (NAME, "XXQ", "EUR", "1"), (NAME, "EUR", "usd", "1")],
)
def test_what_is_no_rate_is_refused_in_words(words):
    answer = sabot("rate", *words) if not words[3].startswith("-") else sabot("rate", "--", *words)

    assert answer.exit_code == 1, answer.output
    assert isinstance(answer.exception, SystemExit | Refusal)
    assert "BadValue" in answer.output
    assert ("write the source and the day" in answer.output) == (
        words[0] in ("ECB", "a b/2026-11-21")
    )
    assert rates.every() == []


def test_a_file_of_rates_that_somebody_altered_is_said_in_words():
    assert sabot("rate", NAME, "EUR", "USD", "2").exit_code == 0
    with (members.group_home() / "rates.jsonl").open("a") as file:
        file.write("1 EUR = 2 USD\n")
    refused = sabot("rate", NAME, "EUR", "CHF", "2")

    assert refused.exit_code == 3
    assert "is no file of rates now" in refused.output


def test_two_houses_of_two_currencies_are_one_sum_where_a_rate_is_named(server, tmp_path):
    with server.database() as database:
        with speaking(database, made_up=True) as dispatcher:
            lines = Plan(tables=1, coups=8, seed=SEED, days=1).lines([1])
            assert dispatch_all(dispatcher.dispatch, lines, lambda _: None).unexpected == []
        for name in ("harbour", "island"):
            house = log_of(database, tmp_path / name)
            if name == "island":
                house.settle("currency", "EUR")
            pull(added(house), clock.wall_clock())

    apart = json.loads(sabot("report", "win", "--json").stdout)
    assert "in_one" not in apart
    assert sabot("report", "win", "--into", "USD").exit_code == 2
    assert sabot("report", "win", "--rate", NAME).exit_code == 2
    missing = sabot("report", "win", "--into", "USD", "--rate", NAME)
    assert "`sabot group rate ECB/2026-11-21 EUR USD RATE` records one" in missing.output
    assert sabot("rate", NAME, "EUR", "USD", "2").stdout == f"{NAME}: 1 EUR = 2 USD\n"
    both = sabot("report", "win", "--into", "USD", "--rate", NAME, "--json")
    one = json.loads(both.stdout)
    assert one["rows"] == apart["rows"]
    [mine, theirs] = sorted(one["rows"], key=lambda row: row["currency"] == "EUR")
    for column in ("drop", "win", "opener"):
        assert one["in_one"]["total"][column] == mine[column] + 2 * theirs[column] != 0
    assert one["in_one"]["total"]["table_days"] == 2
    page = sabot("report", "win", "--into", "USD", "--rate", NAME).stdout
    assert "Sums in USD at the rates of ECB for 2026-11-21: 1 EUR = 2 USD." in " ".join(
        page.split()
    )
    assert "all in USD" in page
    assert (
        "own currencies" in sabot("report", "win", "--into=USD", f"--rate={NAME}", "--csv").output
    )
