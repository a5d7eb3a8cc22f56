"""Exports: every row of what was asked for, typed, whole or not at all, and the same bytes."""

import csv
import json
import sys
from hashlib import sha256

import psycopg
import pyarrow as pa
import pytest
from pyarrow import parquet

from ops import VERSION
from ops.cli import export as cli_export
from ops.reports.ask import ask
from ops.reports.export import events as export_events
from ops.reports.export import files as export
from ops.reports.export.files import Column, Content, LedgerAt, Unwritable, write
from projections import REPORTS
from tests.acceptance.channels import json_of, shell
from tests.worlds.gaming_table import BANKER_WINS

FORMATS = ("csv", "parquet")
EVENTS = (
    "position, recorded_at, gaming_day, table_code, topic, actor, command_id, "
    "originator_id::text, originator_version, convert_from(state, 'UTF8'), metadata, "
    "encode(hash, 'hex')"
)


@pytest.fixture
def exported(night, tmp_path):
    """What an export of this night writes, and its manifest."""

    def do(*words, form="parquet", database=night):
        place = tmp_path / f"out-{len(list(tmp_path.iterdir()))}"
        manifest = json_of(database, "export", *words, "--format", form, "--into", str(place))
        assert manifest == json.loads((place / "manifest.json").read_text())
        assert {"manifest.json", manifest["file"]} == {each.name for each in place.iterdir()}
        return place / manifest["file"], manifest

    return do


def rows_of(file):
    """The rows of an export, as dictionaries."""
    if file.suffix == ".parquet":
        return parquet.read_table(file).to_pylist()
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def in_the_ledger(database, where="true"):
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            f"SELECT {EVENTS} FROM ledger.events WHERE {where} ORDER BY position"
        ).fetchall()


@pytest.mark.parametrize("name", [name for name in REPORTS if "readings" not in name])  # it grows
def test_a_report_in_csv_is_what_it_prints_as_csv(night, exported, name):
    file, manifest = exported("report", name, form="csv")
    printed = shell(night, "report", name, "--csv").stdout_bytes

    assert printed == file.read_bytes()
    assert [*dict.fromkeys((*REPORTS[name].columns, "currency"))] == [
        each["name"] for each in manifest["columns"]
    ]


# No table of this night has a meter, which `tests/ops/handlers/test_progressives.py` exports, and
# none took a coupon; surveillance looks into nothing, nothing happens on the floor, and nobody has
# a limit or a file.
@pytest.mark.parametrize(
    "name",
    sorted(
        REPORTS.keys()
        - {"progressives", "promotions", "inquiries", "incidents", "limits", "threshold-log"}
        - {"limits-used", "patron-files", "aml-cases", "aml-patterns", "secret-readings"}
        - {"ids-not-shown"}
    ),
)
def test_a_report_in_parquet_has_the_same_rows_typed(night, exported, name):
    file, manifest = exported("report", name)
    answer = ask(night, REPORTS[name])
    types = {each["name"]: each["type"] for each in manifest["columns"]}

    def same(name, value, kept):
        if value is None or kept is None:
            return value is kept
        if types[name].startswith("timestamp"):
            return kept.isoformat() == value  # this house is in UTC
        if types[name] == "date":
            return kept.isoformat() == value
        if types[name] in ("int64", "bool"):
            return kept == value and type(kept) is type(value)
        return kept == (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))

    kept = rows_of(file)
    assert answer.rows
    assert len(answer.rows) == len(kept) == manifest["rows"]
    for row, found in zip(answer.rows, kept, strict=True):
        assert {**row, "currency": "USD"}.keys() == found.keys()
        assert all(same(each, row[each], found[each]) for each in row), (row, found)


def test_the_columns_of_a_report_have_the_types_that_its_values_need(exported):
    _, manifest = exported("report", "commission")
    types = {each["name"]: (each["type"], each["holds"]) for each in manifest["columns"]}

    assert types["charged"] == ("int64", "minor units of the currency")
    assert types["accrued"] == ("string", "an exact number; of money, in minor units")
    assert types["due_at"] == ("timestamp[us, UTC]", "a moment")
    assert types["day"] == ("date", "a gaming day")
    assert types["patron"] == ("string", "text")


def test_a_column_without_a_value_has_its_type_all_the_same(exported):
    for_nobody, _ = exported("report", "commission", "--patron", "nobody")
    for_all, _ = exported("report", "commission")

    assert parquet.read_schema(for_nobody) == parquet.read_schema(for_all)
    assert rows_of(for_nobody) == []


def test_the_manifest_says_what_it_is(night, exported):
    file, manifest = exported("report", "commission", "--table", "B01", "--from", "2026-11-01")
    columns = manifest.pop("columns")
    last = in_the_ledger(night)[-1]

    assert len(columns) == len(REPORTS["commission"].columns) + 1
    assert manifest == {
        "what": "report",
        "report": "commission",
        "range": {
            "table": "B01",
            "day": None,
            "from": "2026-11-01",
            "to": None,
            "shoe": None,
            "patron": None,
        },
        "as_of": None,
        "property": "Sabot",
        "currency": "USD",
        "position": last[0],
        "head": last[-1],
        "rows": 4,
        "file": "commission.parquet",
        "bytes": file.stat().st_size,
        "sha256": sha256(file.read_bytes()).hexdigest(),
        "sabot": VERSION,
    }


@pytest.mark.parametrize("form", FORMATS)
def test_every_event_goes_out_as_it_stands(night, exported, form, monkeypatch):
    monkeypatch.setattr(export_events, "PIECE", 7)
    monkeypatch.setattr(export, "_GROUP", 50)
    file, manifest = exported("events", form=form)
    stored = in_the_ledger(night)
    kept = [
        tuple(str(value) for name, value in row.items() if name not in ("event", "at"))
        for row in rows_of(file)
    ]

    assert [tuple(map(str, row)) for row in stored] == [
        tuple(each.replace("T", " ") if n == 1 else each for n, each in enumerate(row))
        for row in kept
    ]
    assert (1, len(stored)) == (manifest["first_position"], manifest["last_position"])
    assert (len(stored), stored[-1][-1]) == (manifest["position"], manifest["head"])


def test_an_event_is_called_as_answers_call_it_and_has_its_moment(exported):
    rows = rows_of(exported("events")[0])
    opened = next(row for row in rows if row["topic"] == "coup.opened")

    assert [("property.founded", "PropertyFounded")] == [
        (row["topic"], row["event"]) for row in rows if row["position"] == 1
    ]
    assert opened["event"] == "CoupOpened"
    assert all(row["at"].isoformat() == json.loads(row["state"])["at"] for row in rows)


def test_parquet_keeps_its_rows_in_groups_that_fit_in_memory(exported, monkeypatch):
    monkeypatch.setattr(export, "_GROUP", 50)
    file, manifest = exported("events")
    found = parquet.read_metadata(file)

    assert [50] * (manifest["rows"] // 50) == [
        found.row_group(n).num_rows for n in range(manifest["rows"] // 50)
    ]
    assert pa.timestamp("us", tz="UTC") == parquet.read_schema(file).field("at").type


# fmt: off
RANGES = [
    (("--table", "B02"),                        "table_code = 'B02'"),
    (("--after", "20", "--until", "40"),        "position > 20 AND position <= 40"),
    (("--after", "20", "--table", "B01"),       "position > 20 AND table_code = 'B01'"),
    (("--until", "999999"),                     "true"),
    (("--after", "999999"),                     "false"),
    (("--day", "2026-11-21"),                   "gaming_day = '2026-11-21'"),
    (("--from", "2026-11-22"),                  "gaming_day >= '2026-11-22'"),
    (("--to", "2026-11-20"),                    "gaming_day <= '2026-11-20'"),
    (("--from", "2026-11-20", "--to", "2026-11-21", "--table", "B04"),
     "gaming_day BETWEEN '2026-11-20' AND '2026-11-21' AND table_code = 'B04'"),
]
# fmt: on


@pytest.mark.parametrize(("words", "where"), RANGES, ids=[" ".join(words) for words, _ in RANGES])
def test_a_range_has_its_events_and_no_other(night, exported, words, where):
    file, manifest = exported("events", *words)
    stored = [row[0] for row in in_the_ledger(night, where)]

    assert stored == [row["position"] for row in rows_of(file)]
    ends = (stored[0], stored[-1]) if stored else (None, None)
    assert ends == (manifest["first_position"], manifest["last_position"])
    assert manifest["rows"] == len(stored)


@pytest.mark.parametrize("words", [("events",), ("report", "wagers")], ids=["events", "report"])
@pytest.mark.parametrize("form", FORMATS)
def test_the_same_position_makes_the_same_bytes(pit, database, exported, words, form):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    made = [exported(*words, form=form, database=database) for _ in range(2)]
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    later, manifest = exported(*words, form=form, database=database)
    (first, _), (second, again) = made

    assert first.read_bytes() == second.read_bytes() != later.read_bytes()
    for file in (first, second):
        assert json.loads((file.parent / "manifest.json").read_text()) == again
    assert manifest["position"] > again["position"]
    assert manifest["head"] != again["head"]


def test_an_empty_ledger_has_an_empty_export(database, exported):
    file, manifest = exported("events", database=database)

    assert rows_of(file) == []
    assert (0, "0" * 64, 0) == (manifest["position"], manifest["head"], manifest["rows"])


def test_people_are_told_where_it_is(night, tmp_path):
    place = tmp_path / "out"
    result = shell(night, "export", "report", "ctr", "--into", str(place))
    position = len(in_the_ledger(night))

    assert (0, "") == (result.exit_code, result.stdout)
    assert f"Wrote 1 row, up to position {position:,}, to {place / 'ctr.csv'}.\n" == result.stderr


def test_an_empty_directory_is_taken_and_any_other_left_alone(night, tmp_path):
    place = tmp_path / "out"
    place.mkdir()
    words = ("export", "events", "--into", str(place))
    assert shell(night, *words).exit_code == 0
    before = (place / "events.csv").read_bytes()
    result = shell(night, *words)

    assert result.exit_code == 1
    assert f"Error: {place} was not written: it is there already, and not empty.\n" == result.stderr
    assert before == (place / "events.csv").read_bytes()


@pytest.mark.parametrize("form", FORMATS)
def test_what_breaks_on_the_way_leaves_nothing(night, tmp_path, monkeypatch, form):
    monkeypatch.setattr(export_events, "PIECE", 50)
    pieces = iter([export_events.read_events])

    def goes(connection, **asked):
        read = next(pieces, None)
        if read is None:
            raise psycopg.OperationalError("the server went")
        return read(connection, **asked)

    monkeypatch.setattr(export_events, "read_events", goes)
    place = tmp_path / "out"
    result = shell(night, "export", "events", "--format", form, "--into", str(place))

    assert (3, "") == (result.exit_code, result.stdout)
    assert list(tmp_path.iterdir()) == []


def test_it_is_there_only_when_the_ledger_is_on_disk(night, tmp_path, monkeypatch):
    def dies(_):
        raise psycopg.OperationalError("the server went before it could flush")

    monkeypatch.setattr(cli_export, "flush", dies)
    result = shell(night, "export", "events", "--into", str(tmp_path / "out"))

    assert result.exit_code == 3
    assert list(tmp_path.iterdir()) == []


def test_an_event_that_somebody_altered_is_named(pit, database, superuser, tmp_path):
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
    superuser.execute("UPDATE ledger.events SET state = '\\xff' WHERE position = 7")
    result = shell(database, "export", "events", "--into", str(tmp_path / "out"))

    assert (1, []) == (result.exit_code, list(tmp_path.iterdir()))
    assert result.stderr == ("The event at position 7 cannot be read: it was altered.\n")


ALTERED = {
    "the state": "UPDATE ledger.events SET state = state || ' ' WHERE position = 7",
    "the actor": "UPDATE ledger.events SET actor = 'D-9' WHERE position = 7",
    "the hash": "UPDATE ledger.events SET hash = sha256('') WHERE position = 7",
    "deleted": "DELETE FROM ledger.events WHERE position = 7",
    "put in": "INSERT INTO ledger.events SELECT gen_random_uuid(), 1, topic, state, 7, "
    "recorded_at, gaming_day, table_code, actor, command_id, metadata, hash FROM ledger.events "
    "WHERE position = 7",
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("change", ALTERED.values(), ids=ALTERED)
def test_events_whose_chain_does_not_hold_are_not_exported(
    pit, database, superuser, tmp_path, change, form, monkeypatch
):
    monkeypatch.setattr(export_events, "PIECE", 3)
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
    superuser.execute("DROP INDEX ledger.events_position")
    superuser.execute(change)
    into = ("--format", form, "--into", str(tmp_path / "out"))
    result = shell(database, "export", "events", *into)
    before = shell(database, "export", "events", "--until", "6", *into)

    assert (1, "") == (result.exit_code, result.stdout)
    assert result.stderr == (
        "The chain of hashes breaks at position 7: an event was altered, deleted or inserted. "
        "Nothing can be exported from this record; run `sabot audit verify`.\n"
    )
    assert before.exit_code == 0
    assert ["out"] == [each.name for each in tmp_path.iterdir()]


def test_events_behind_the_last_one_are_none_and_no_break(pit, exported, database):
    file, manifest = exported("events", "--after", "100000", database=database)

    assert manifest["rows"] == 0
    assert rows_of(file) == []


@pytest.mark.parametrize("amount", [2**63, -(2**63) - 1, "0.5"])
def test_an_amount_that_parquet_cannot_hold_is_refused_and_csv_takes_it(tmp_path, amount):
    content = Content("much", {}, LedgerAt(0, ""), [Column("stake", "money")], [[(amount,)]])

    with pytest.raises(Unwritable, match=r"^stake has .*: take --format csv\.$"):
        write(content, tmp_path / "parquet", "parquet", lambda: None)
    write(content, tmp_path / "csv", "csv", lambda: None)
    assert ["csv"] == [each.name for each in tmp_path.iterdir()]
    assert f"stake\r\n{amount}\r\n" == (tmp_path / "csv" / "much.csv").read_bytes().decode()


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("report ctr --table B01", 2, "The report ctr takes no --table."),
        ("report nothing", 2, "is not one of"),
        ("report commission --day tomorrow", 1, "tomorrow"),
        ("events --day 2026-11-21 --after 5", 2, "Give gaming days or positions, not both."),
        ("events --day 2026-11-21 --from 2026-11-20", 2, "Use --day, or --from and --to."),
        ("events --after -1", 2, "--after"),
        ("events --after 9 --until 5", 1, "--after cannot be 9: it is after --until 5"),
        ("events --from 2026-11-22 --to 2026-11-21", 1, "exchange the two"),
        ("report wagers --since 2026-11-21T21:00 --until 2026-11-21T20:00", 1, "exchange the two"),
        ("report wagers --since 2026-11-21", 1, "type the time by the house's clock"),
        ("report wagers --until 25:14", 1, "type the time by the house's clock"),
        ("report wagers --result won", 1, "write one of win, lose, push, void"),
        ("report wagers --seat three", 1, "write the number of a seat"),
        ("report coup --seat 3", 2, "The report coup takes no --seat."),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(night, tmp_path, words, status, said):
    result = shell(night, "export", *words.split(), "--into", str(tmp_path / "out"))

    assert status == result.exit_code
    assert said in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_parquet_is_refused_and_csv_goes_on(night, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    asked = ("export", "report", "coup", "--into", str(tmp_path / "out"), "--format")
    parquet_result = shell(night, *asked, "parquet")
    left = list(tmp_path.iterdir())
    csv_result = shell(night, *asked, "csv")

    assert (parquet_result.exit_code, left) == (1, [])
    assert "run `pip install 'sabot[parquet]'`, or take --format csv." in parquet_result.stderr
    assert csv_result.exit_code == 0


def test_a_place_that_cannot_be_made_is_refused_in_words(night):
    result = shell(night, "export", "events", "--into", "/nowhere/at/all")

    assert result.exit_code == 1
    assert "Error: /nowhere/at/all was not written: No such file or directory.\n" == result.stderr
