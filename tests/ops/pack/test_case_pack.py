"""The pack of a dispute, from the complaint to two files whose hashes are on record."""

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest

from domain.aggregates.dispute import Dispute
from domain.rules import addresses
from ops.ledger.reading import read_stream
from ops.ledger.streams import lines
from ops.pack.case import for_pack, pack_of_case
from ops.pack.pack import pack
from ops.pack.paper import paper
from ops.replay.case import CaseFile
from ops.replay.story import find
from ops.replay.what_if import ask
from ops.replay.what_if_answer import answer_of
from tests.acceptance.channels import shell
from tests.stories import read_back
from tests.worlds.gaming_table import GamingTable, disputed, trouble
from tests.worlds.stranger import judged

pytestmark = pytest.mark.usefixtures("held")

CASE = "C-2026-0001"
OTHER = "C-2026-0002"
COUP = "B01/2026-11-21/1/1"


@pytest.fixture(scope="module")
def cases(server):
    """Two cases of one coup: the first is decided, told and closed."""
    from ops.commands.casino import Casino
    from ops.handlers.dispatcher import Dispatcher
    from ops.ledger.recorder import Ledger

    with server.database() as database:
        casino = Casino(Ledger(database))
        disputed(trouble(GamingTable(Dispatcher(casino, "test")).open().prepare()))
        yield database
        casino.close()


def say(database, *words, at):
    """A step of a case, by a supervisor."""
    moment = f"2026-11-21T{at}+00:00"
    said = shell(database, "dispute", *words, "--by", "S-11", "--at", moment)
    assert said.exit_code == 0, said.stderr


def exported(database, into, case=CASE):
    """What the command says, and both files."""
    said = shell(database, "dispute", "export", case, "--into", into, "--by", "S-11", "--json")

    assert said.exit_code == 0, said.stderr
    return json.loads(said.stdout), [
        (into / f"{case}.{kind}").read_bytes() for kind in ("json", "pdf")
    ]


def test_the_hashes_of_both_files_are_on_record(cases, tmp_path):
    answer, files = exported(cases, tmp_path)
    (event,) = answer["events"]
    hashes = [hashlib.sha256(each).hexdigest() for each in files]

    assert [event["json_sha256"], event["pdf_sha256"]] == hashes
    assert (event["type"], event["case"], event["by"]) == ("PackMade", CASE, "S-11")
    assert json.loads(files[0])["last_position"] == event["position"]


def test_asked_again_they_are_the_same_files(cases, tmp_path):
    first, files = exported(cases, tmp_path / "one")
    second, again = exported(cases, tmp_path / "two")

    assert files == again
    assert first["position"] < second["position"]


def test_the_case_is_told_from_the_complaint_to_its_end(cases, tmp_path):
    told = json.loads(exported(cases, tmp_path)[1][0])
    case = told["case"]
    deadlines = {each["what"]: bool(each["done_at"]) for each in case["deadlines"]}
    own = [each["topic"] for each in told["events"] if each["about"] == "case"]

    assert (case["case"], case["patron"], case["status"]) == (CASE, "P-10417", "closed")
    assert [each["camera"] for each in case["notes"][0]["evidence"]] == ["CAM-14"]
    assert [(each["decision"], each["to"]) for each in case["decisions"]] == [("correct", 150_00)]
    assert case["reference"] == "2026/1182"
    assert deadlines == {
        "The regulator is notified": True,
        "The patron is told": True,
        "The patron may turn to the regulator": False,
    }
    afterwards = {each.get("case") for each in told["replay"]["afterwards"]}
    assert afterwards == {None, CASE}  # and not of the case of another patron
    assert own[0] == "dispute.opened"
    assert own[-1] == "dispute.closed"
    assert json.loads(told["events"][-1]["state"])["case"] == CASE


def test_a_case_that_is_open_has_a_pack_too(cases, tmp_path):
    case = json.loads(exported(cases, tmp_path, "C-2026-0002")[1][0])["case"]

    assert (case["status"], case["decisions"], case["patron_told_at"]) == ("open", [], None)


def test_a_stranger_finds_it_good(cases, tmp_path):
    exported(cases, tmp_path)
    said = judged(tmp_path / f"{CASE}.json")

    assert (said.returncode, said.stderr) == (0, "")
    assert "WRONG" not in said.stdout


@pytest.mark.parametrize(("case", "status"), [("C-2026-0009", 1), ("seven", 1)])
def test_a_case_that_is_not_there_is_refused(cases, tmp_path, case, status):
    said = shell(cases, "dispute", "export", case, "--into", tmp_path)

    assert said.exit_code == status
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_wrong_usage_and_nothing_is_recorded(cases, tmp_path):
    (tmp_path / f"{CASE}.json").mkdir()
    said = shell(cases, "dispute", "export", CASE, "--into", tmp_path)

    assert said.exit_code == 2
    assert not (tmp_path / f"{CASE}.pdf").exists()


# What nobody but people reads; verify_pack says that it does not check it.
FOR_PEOPLE = (
    r"events\[\d+\]\.words",
    r"canonical_form\..*",
    r"what_if\[\d+\]\.notes(\[\d+\])?",
)


def leaves(told: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every value of a file that is not made of others, by its path; where it stands, and how."""
    of = told.items() if isinstance(told, dict) else enumerate(told)
    for name, value in of:
        where = f"{path}[{name}]" if isinstance(told, list) else f"{path}.{name}".lstrip(".")
        if isinstance(value, dict | list) and value:
            yield from leaves(value, where)
        else:
            yield where, told, name


def otherwise(value: Any) -> Any:
    """Another value of the same kind, as like it as can be."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if not isinstance(value, str):
        return [*value, "x"] if isinstance(value, list) else "2026-11-21T20:00:00+00:00"
    try:
        return (datetime.fromisoformat(value) + timedelta(seconds=1)).isoformat()
    except ValueError:
        return (
            re.sub(r"[0-9]$", lambda n: str(9 - int(n[0])), value)
            if value[-1:].isdigit()
            else value + "x"
        )


@pytest.fixture(scope="module")
def whole(cases):
    """A pack of a case, with what was asked of its coup."""
    address = addresses.Case.parse(CASE)
    with cases.connect("sabot_auditor") as connection:
        found = find(connection, addresses.Coup.parse(COUP)).with_cases([CASE])
        recorded = read_stream(connection, Dispute.stream(address))
        asked = [["card 4 = KD"], ["bet 3 banker 200", "no-bet 5 banker"]]
        return pack(
            connection,
            found,
            what_if=[answer_of(ask(connection, found, each)) for each in asked],
            case=for_pack(CaseFile(lines(recorded))),
            case_events=recorded,
        )


def test_a_stranger_notices_whatever_is_changed(whole, stranger, monkeypatch):
    told, paper = json.loads(whole.json), ("coup.pdf", whole.pdf)

    def check(_, what, wrong=()):
        if wrong:
            raise ValueError(what, wrong)

    monkeypatch.setattr(stranger.Findings, "check", check)
    monkeypatch.setattr(stranger, "tell_unchecked", lambda *_: None)
    stranger.verify(told, paper)
    unnoticed = []
    for path, where, name in list(leaves(told)):
        stood, where[name] = where[name], otherwise(where[name])
        with suppress(*stranger.UNREADABLE):
            stranger.verify(told, paper)
            unnoticed.append(path)
        where[name] = stood

    assert [path for path in unnoticed if not re.fullmatch("|".join(FOR_PEOPLE), path)] == []
    assert unnoticed


def test_what_is_recorded_later_does_not_keep_anybody_from_making_them_again(cases, tmp_path):
    answer, _ = exported(cases, tmp_path, OTHER)
    (event,) = answer["events"]
    say(cases, "note", OTHER, "seen once more", at="20:59:00")
    with cases.connect("sabot_auditor") as connection:
        address = addresses.Case.parse(OTHER)
        then, now = (
            pack_of_case(connection, address, until) for until in (event["position"], None)
        )

    assert [event["json_sha256"], event["pdf_sha256"]] == [then.json_sha256, then.pdf_sha256]
    assert now.json_sha256 != then.json_sha256


def test_what_a_note_asked_is_answered(cases):
    say(cases, "note", OTHER, "and with a king?", "--what-if", "card 4 = KD", at="21:00:00")
    with cases.connect("sabot_auditor") as connection:
        made = pack_of_case(connection, addresses.Case.parse(OTHER))
    told = json.loads(made.json)
    (section,) = [
        each for each in paper(read_back(made)).sections if each.title.startswith("What if")
    ]

    assert [each["changes"] for each in told["what_if"]] == [["card 4 = KD"]]
    assert told["case"]["notes"][-1]["what_if"] == ["card 4 = KD"]
    assert section.title == "What if (1): card 4 = K♦"


def test_the_paper_says_whose_terms_applied_and_who_told_the_patron(whole):
    (duties,) = [
        each for each in paper(read_back(whole)).sections if each.title == "Notice, and until when"
    ]

    assert [row.cells for row in duties.rows] == [
        [
            "The house's terms",
            "the regulator is notified of 0.01 and more within 30 minutes; "
            "this is 500.00, so notification is due",
        ],
        [
            "Patron informed",
            "2026-11-21 20:00:35.0 by S-11, decision 1. "
            "In words: You are paid by what the camera shows.",
        ],
        ["Regulator notified", "2026-11-21 20:00:36.0 by S-11, reference 2026/1182"],
        ["The regulator is notified", "due 2026-11-21 20:30:32.0, done 2026-11-21 20:00:36.0"],
        ["The patron is told", "due 2026-11-21 20:30:34.0, done 2026-11-21 20:00:35.0"],
        ["The patron may turn to the regulator", "until 2026-11-28 20:00:35.0"],
    ]


def test_a_hold_is_told_from_when_to_when(cases):
    with cases.connect("sabot_auditor") as connection:
        made = pack_of_case(connection, addresses.Case.parse("C-2026-0002"))
    told = json.loads(made.json)
    (duties,) = [
        each for each in paper(read_back(made)).sections if each.title == "Notice, and until when"
    ]

    assert [each["until"] for each in told["case"]["held"]] == [None]
    assert ["The table waited", "from 2026-11-21 20:00:38.0 and still does"] in [
        row.cells for row in duties.rows
    ]


def test_a_case_decided_again_is_not_told_until_it_is_told_again(cases):
    third, two = "C-2026-0003", ("--with", "PB-2")
    say(cases, "open", COUP, "grey-jacket", "once more", at="21:01:00")
    say(cases, "decide", third, "stand", "nothing was seen", *two, at="21:02:00")
    say(cases, "tell", third, at="21:03:00")
    right = ("--seat", "5", "--spot", "banker", "--to", "450")
    say(cases, "decide", third, "correct", "more was seen", *right, *two, at="21:04:00")
    with cases.connect("sabot_auditor") as connection:
        recorded = read_stream(connection, Dispute.stream(addresses.Case.parse("C-2026-0003")))
    told = for_pack(CaseFile(lines(recorded)))
    decided = [json.loads(each.state) for each in recorded if each.topic == "dispute.decided"]

    assert (told.status, told.patron_told_at) == ("decided", None)
    assert [each.due_at for each in told.deadlines if each.what == "The patron is told"] == [
        decided[-1]["tell_by"]
    ]
    assert len(told.informed) == 1


def test_the_same_export_sent_again_to_another_program_is_not_written(cases, tmp_path, monkeypatch):
    words = ("dispute", "export", CASE, "--into", tmp_path, "--by", "S-11", "--id", "export-1")
    first = shell(cases, *words)
    monkeypatch.setattr("ops.pack.paper.label", lambda: "Sabot 0.2.0 (0123456789ab)")
    again = shell(cases, *words)

    assert (0, 1) == (first.exit_code, again.exit_code)
    assert "Another version of this program made the pack of C-2026-0001" in again.stderr
