"""The pack of an inquiry: a stranger checks it, and finds whatever somebody changed in it."""

import hashlib
import itertools
import json
import re

import pytest

from domain.rules.addresses import Inquiry
from ops.handlers.checkpoints import make
from ops.pack.inquiry import last_of_inquiry, pack_of_inquiry
from ops.reports.ask import ask
from ops.simulation.run import Plan, dispatch_all
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable, mouth_on
from tests.worlds.signing import ORIGIN, new_key, signer_of
from tests.worlds.stranger import FORGER, event_of, verified

pytestmark = pytest.mark.usefixtures("held")

FIRST = "I-2026-0001"
SHOE = f"S01/{DAY}/1"
TWO = {"outcome": "corrected", "reason": "decks are shuffled twice", "with": "A-1"}


def cheated(dispatcher, cheat, coups):
    plan = Plan(tables=1, coups=coups, seed=3, cheat=cheat)
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)
    return ask(dispatcher.casino.ledger.database, REPORTS["protection"]).rows


def say(dispatcher, command, **fields):
    answer = dispatcher.dispatch({"command": f"inquiry.{command}", "by": "SV-1", **fields})
    assert answer.ok, answer.body
    return answer.body


def about(row):
    who = next(each for each in ("patron", "dealer", "shoe") if row[each])
    day = {} if who == "shoe" else {"day": row["day"]}
    return {"about": who, "subject": row[who], "question": row["question"], "text": "look", **day}


def pack_of(database):
    with database.session("sabot_auditor") as connection:
        return pack_of_inquiry(connection, Inquiry.parse(FIRST))


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    """A closed inquiry into decks that nobody shuffled, in a signed record; the house's key."""
    with server.database() as database, pytest.MonkeyPatch.context() as patched:
        patched.setenv("SABOT_AUDIT_KEYS", str(tmp_path_factory.mktemp("keys")))
        with mouth_on(database) as dispatcher:
            key, _ = new_key(dispatcher)
            rows = cheated(dispatcher, "new-decks", 12)
            say(dispatcher, "open", **about(rows[0]))
            seen = [{"camera": "CAM-14", "at": f"{DAY}T20:14:05+00:00", "ahead": 850}]
            say(dispatcher, "note", inquiry=FIRST, text="looks away", evidence=seen)
            for coup in (1, 2):
                one = {"about": "coup", "subject": f"{SHOE}/{coup}", "text": "the first"}
                say(dispatcher, "attach", inquiry=FIRST, **one)
            say(dispatcher, "close", inquiry=FIRST, **TWO)
            make(dispatcher, database)
            yield database, key


@pytest.fixture(scope="module")
def whole(house):
    return pack_of(house[0])


@pytest.fixture
def content(whole):
    return json.loads(whole.json)


def test_a_stranger_finds_it_good(house, content, tmp_path):
    done = verified(tmp_path, content, "--key", house[1])

    assert done.returncode == 0, done.stdout
    assert done.stdout.count("events is in the record that was signed") == 1 + len(content["coups"])
    assert "new deck, is of the coup, the shoe and the people" in done.stdout
    assert {f"{SHOE}/1", f"{SHOE}/2"} <= content["coups"].keys()
    assert content["shoes"] == [SHOE]


def test_whoever_exports_it_is_on_record_with_the_hashes_of_both_files(
    dispatcher, database, tmp_path
):
    GamingTable(dispatcher).open().prepare().play(BANKER_WINS, (3, "banker", 100_00))
    say(dispatcher, "open", about="coup", subject=f"B01/{DAY}/1/1", text="look")
    words = ("inquiry", "export", FIRST, "--into", tmp_path, "--by", "SV-1")
    said = shell(database, *words, "--json")
    (event,) = json.loads(said.stdout)["events"]
    files = [(tmp_path / f"{FIRST}.{kind}").read_bytes() for kind in ("json", "pdf")]

    assert [event["json_sha256"], event["pdf_sha256"]] == [
        hashlib.sha256(each).hexdigest() for each in files
    ]
    assert (event["type"], event["by"]) == ("InquiryExported", "SV-1")
    shell(database, *words)
    again = json.loads((tmp_path / f"{FIRST}.json").read_bytes())
    assert [each["type"] for each in again["inquiry"]["events"]] == [
        "InquiryOpened", "InquiryExported",
    ]  # fmt: skip
    assert verified(tmp_path, again).returncode == 0


def test_the_same_record_gives_the_same_files(house, whole):
    database, _ = house
    again = pack_of(database)
    with database.session("sabot_auditor") as connection:
        until = pack_of_inquiry(connection, Inquiry.parse(FIRST), whole.position)
        last = last_of_inquiry(connection, Inquiry.parse(FIRST))

    assert (again.json, again.pdf) == (until.json, until.pdf) == (whole.json, whole.pdf)
    assert last == whole.position


CHEATS = {
    "false-shuffle": 160,
    "knows-all": 30,
    "past-poster": 90,
    "colluding-pair": 160,
    "riffled-five-times": 80,
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_every_question_s_row_is_checked_by_a_stranger(dispatcher, database, tmp_path, cheat):
    rows = cheated(dispatcher, cheat, CHEATS[cheat])
    first, *others = rows
    say(dispatcher, "open", **about(first))
    for each in others:
        say(dispatcher, "attach", inquiry=FIRST, **about(each))
    done = verified(tmp_path, json.loads(pack_of(database).json))

    assert done.returncode == 0, done.stdout
    assert done.stdout.count(" is of the coup, the shoe and the people") == len(rows)


def stated_anew(content, event, change):
    """Changes what an event states, its hash and what the file says of it, as a forger would."""
    state = json.loads(event["state"])
    change(state)
    event["state"] = json.dumps(state, separators=(",", ":"))
    event["hash"] = FORGER.hash_of(event)
    if content["chain"]["head"]["position"] == event["position"]:
        content["chain"]["head"]["hash"] = event["hash"]
    own = [each for each in content["events"] if each["topic"].startswith("inquiry.")]
    for one, other in itertools.pairwise(own):
        if one["position"] + 1 == other["position"]:
            other["previous"] = one["hash"]
            other["hash"] = FORGER.hash_of(other)
    content["chain"]["head"]["hash"] = content["events"][-1]["hash"]
    content["inquiry"] = FORGER.inquiry_of(own)


def cut(content):
    """Without the note: as if nobody had seen anything."""
    content["events"].remove(event_of(content, "inquiry.note-added"))


def without_a_coup(content):
    del content["coups"][f"{SHOE}/1"]


def swapped(content):
    """Another coup under the name of the one that is asked about."""
    content["coups"][f"{SHOE}/1"] = content["coups"][f"{SHOE}/2"]


def cut_coup(content):
    events = content["coups"][f"{SHOE}/1"]["events"]
    events.remove(next(each for each in events if each["topic"] == "coup.card-dealt"))


def without_a_shoe(content):
    content["shoes"].remove(SHOE)


def cut_shoe(content):
    content["events"].remove(event_of(content, "shoe.card-drawn"))


def number_in_the_summary(content):
    content["inquiry"]["events"][0]["row"]["power"] += 1


def number_in_the_event(content):
    event = event_of(content, "inquiry.opened")
    event["state"] = event["state"].replace('"place":1,', '"place":2,')


def other_outcome(content):
    content["inquiry"]["status"] = "open"


def unsigned_coup(content):
    content["coups"][f"{SHOE}/1"]["checkpoint"] = None


def another_paper(content):
    content["pdf_sha256"] = "0" * 64


ALTERED = (
    *(cut, without_a_coup, swapped, cut_coup, without_a_shoe, cut_shoe, number_in_the_summary),
    *(number_in_the_event, other_outcome, unsigned_coup),
)


@pytest.mark.parametrize("change", ALTERED, ids=lambda each: each.__name__)
def test_a_pack_that_was_cut_swapped_or_altered_is_refused(content, tmp_path, change):
    before = json.dumps(content)
    change(content)
    done = verified(tmp_path, content)

    assert json.dumps(content) != before
    assert done.returncode == 1, done.stdout
    assert "WRONG" in done.stdout


def test_a_paper_that_is_not_the_one_of_the_file_is_refused(content, whole, tmp_path):
    (tmp_path / "pack.pdf").write_bytes(whole.pdf)
    assert verified(tmp_path, content).returncode == 0
    (tmp_path / "pack.pdf").write_bytes(whole.pdf + b" ")
    assert verified(tmp_path, content).returncode == 1


# What a forger who computes every hash anew states of the row, and what a stranger says.
FORGED = {
    "another stretch": ({"first": 1}, "there are no cards|are not the ends|do not follow"),
    "another place": ({"place": 2}, "there are no cards|are not the ends|do not follow"),
    "another suit": ({"order": "C up"}, "there are no cards|are not the ends|do not follow"),
    "seen at another card": ({"position": 1}, "no card|the row has|is not in the file"),
    "counted later": ({"counted_to": 10**6}, "it was counted up to"),
    "more seldom asked": ({"one_in": 10**300}, "is more often than one in"),
    "another coup": ({"coup": f"{SHOE}/1"}, "coup: the row has"),
    "another day": ({"day": "2026-11-22"}, "day: the row has"),
    "another table": ({"table": "S02"}, "table: the row has"),
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_row_that_is_not_of_its_shoe_is_refused_though_every_hash_is_computed_anew(
    content, tmp_path, forged
):
    fields, said = FORGED[forged]
    for each in (content, *content["coups"].values()):
        each["checkpoint"] = None
    event = event_of(content, "inquiry.opened")
    stated_anew(content, event, lambda state: state["row"].update(fields))
    done = verified(tmp_path, content)

    assert "WRONG  the hash of" not in done.stdout
    assert done.returncode == 1, done.stdout
    assert re.search(said, done.stdout)


def test_a_forger_of_a_signed_pack_is_found_by_the_signature(content, tmp_path):
    event = event_of(content, "inquiry.opened")
    stated_anew(content, event, lambda state: state.update(text="nothing to see"))
    done = verified(tmp_path, content)
    wrong = [line for line in done.stdout.splitlines() if line.startswith("WRONG")]

    assert len(wrong) == 1
    assert "is in the record that was signed" in wrong[0]


def test_another_key_than_the_house_s_is_refused(content, tmp_path):
    other = signer_of(ORIGIN, seed=7).verifier.vkey
    assert verified(tmp_path, content, "--key", other).returncode == 1
