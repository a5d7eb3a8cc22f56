"""The pack of an incident: a stranger checks it, and finds what was cut from it or altered."""

import hashlib
import itertools
import json
import re
from datetime import timedelta

import pytest

from domain.rules.addresses import Incident
from ops.handlers.checkpoints import make
from ops.ledger.secrets import People
from ops.pack.incident import last_of_incident, pack_of_incident
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BANKER_WINS, DAY, TIE, GamingTable, mouth_on
from tests.worlds.signing import ORIGIN, new_key, signer_of
from tests.worlds.stranger import FORGER, event_of, verified

pytestmark = pytest.mark.usefixtures("held")

FIRST = "IR-2026-0001"
NAME = "Planted Name"
TWO = {"reason": "for a taxi", "by": "S-11", "with": "PB-2"}
COUPS = [f"B01/{DAY}/1/{number}" for number in range(1, 5)]
OWN, MOVED, TRAY = "incident", "incident.money-moved", "table-day.incident-chips-moved"


def told(pit, command, **fields):
    answer = pit.ask(f"incident.{command}", **{"by": "S-11", **fields})
    assert answer.ok, answer.body
    return answer.body


def happened(pit):
    """Coups 1 to 4; a fight between 2 and 3, which a camera saw between 1 and 2."""
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    seen = pit.moment + timedelta(milliseconds=1_850)
    pit.moment += timedelta(seconds=3)
    pit.play(TIE, (1, "player", 50_00), (3, "banker", 100_00))
    told(pit, "open", kind="fight", text="over a chip", table="B01", involved=["grey-jacket"],
         guests=["guest-1"])  # fmt: skip
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10418"})
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    camera = {"camera": "CAM-14", "at": seen.isoformat(), "ahead": 850}
    told(pit, "note", incident=FIRST, text="pushed first", staff=["D-204"], evidence=[camera])
    told(pit, "money", incident=FIRST, amount=50_00, source="tray", into="person", **TWO)
    told(pit, "money", incident=FIRST, amount=300_00, source="floor", into="cage", **TWO)
    told(pit, "close", incident=FIRST, outcome="removed", reason="both left")
    pit.play(BANKER_WINS, (3, "banker", 100_00))  # later, and around nothing
    return pit


def pack_of(database, until=None):
    with database.session("sabot_app") as connection:
        return pack_of_incident(connection, Incident.parse(FIRST), until)


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    """A closed incident in a signed record; the house's key."""
    with server.database() as database, pytest.MonkeyPatch.context() as patched:
        patched.setenv("SABOT_AUDIT_KEYS", str(tmp_path_factory.mktemp("keys")))
        with mouth_on(database) as dispatcher:
            key, _ = new_key(dispatcher)
            happened(GamingTable(dispatcher).open().prepare(cut_card=300))
            People(dispatcher.casino.ledger).name_patron("grey-jacket", NAME)
            make(dispatcher, database)
            yield database, key


@pytest.fixture(scope="module")
def whole(house):
    return pack_of(house[0])


@pytest.fixture
def content(whole):
    return json.loads(whole.json)


def test_a_stranger_finds_it_good_with_the_coups_around_each_moment(house, content, tmp_path):
    done = verified(tmp_path, content, "--key", house[1])
    summary = content["incident"]["summary"]

    assert done.returncode == 0, done.stdout
    sides = [(each["before"], each["after"]) for each in content["around"]]
    assert sides == [tuple(COUPS[:2]), tuple(COUPS[1:3])]
    assert list(content["coups"]) == COUPS[:3]
    assert done.stdout.count("events is in the record that was signed") == 1 + 3
    places = ("from_place", "to_place", "balance")
    moved = [tuple(each[name] for name in places) for each in summary["money"]]
    assert moved == [("tray", "person", -50_00), ("floor", "cage", 250_00)]
    assert (summary["patrons"], summary["staff"]) == (["grey-jacket"], ["D-204"])
    assert content["known_as"] == {"grey-jacket": "P-10418"}
    for unchecked in ("what people wrote", "under another name", "later events of the same coup"):
        assert re.search(f"not checked: .*{unchecked}", done.stdout)


def test_nobody_s_name_is_in_it(whole):
    assert NAME.encode() not in whole.json
    assert b"grey-jacket" in whole.json


def test_whoever_exports_it_is_on_record_and_the_next_one_has_the_same_bytes(
    dispatcher, database, tmp_path
):
    pit = happened(GamingTable(dispatcher).open().prepare(cut_card=300))
    words = ("incident", "export", FIRST, "--into", tmp_path, "--by", "S-11")
    said = shell(database, *words, "--json")
    assert said.exit_code == 0, said.output
    (event,) = json.loads(said.stdout)["events"]
    files = [(tmp_path / f"{FIRST}.{kind}").read_bytes() for kind in ("json", "pdf")]
    shell(database, *words)
    again = [(tmp_path / f"{FIRST}.{kind}").read_bytes() for kind in ("json", "pdf")]

    assert (event["type"], event["by"]) == ("IncidentExported", "S-11")
    assert [event["json_sha256"], event["pdf_sha256"]] == [
        hashlib.sha256(each).hexdigest() for each in files
    ]
    assert again == files
    assert pack_of(database, event["position"]).json == files[0]
    told(pit, "reopen", incident=FIRST, reason="he came back")
    after = json.loads(pack_of(database).json)
    assert [each["event"] for each in after["events"]].count("IncidentExported") == 2
    assert verified(tmp_path, after).returncode == 0
    assert after["incident"]["summary"]["status"] == "open"


def test_the_last_position_is_that_of_the_pack(house, whole):
    with house[0].session("sabot_auditor") as connection:
        assert last_of_incident(connection, Incident.parse(FIRST)) == whole.position


def test_an_incident_at_no_table_has_no_coup_and_one_before_the_first_has_what_came_after(
    dispatcher, database, tmp_path
):
    pit = GamingTable(dispatcher).open().prepare()
    told(pit, "open", kind="medical", text="fainted", table="B01")
    told(pit, "open", kind="medical", text="fainted", table=None)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    content = json.loads(pack_of(database).json)
    done = verified(tmp_path, content)
    assert done.returncode == 0, done.stdout
    assert [(each["before"], each["after"]) for each in content["around"]] == [(None, COUPS[0])]
    assert "not checked: whether no coup was begun before" in done.stdout

    with database.session("sabot_app") as connection:
        other = json.loads(pack_of_incident(connection, Incident.parse("IR-2026-0002")).json)
    assert (other["around"], other["coups"]) == ([], {})
    assert verified(tmp_path, other).returncode == 0


def test_an_incident_that_nobody_opened_has_no_pack(database, tmp_path):
    for name, words in (("IR-2026-0007", "incident IR-2026-0007"), ("7", "as in `IR-2026-0012`")):
        refused = shell(database, "incident", "export", name, "--into", tmp_path, "--by", "S-11")
        assert (refused.exit_code != 0, words in refused.output) == (True, True), refused.output
    assert list(tmp_path.iterdir()) == []


def linked_anew(content):
    """Computes every hash anew, and takes the signature away, as a forger would."""
    for event in content["events"]:
        event["hash"] = FORGER.hash_of(event)
    for one, other in itertools.pairwise(content["events"]):
        if one["position"] + 1 == other["position"]:
            other["previous"] = one["hash"]
            other["hash"] = FORGER.hash_of(other)
    last = content["events"][-1]
    content["chain"]["head"] = {"position": last["position"], "hash": last["hash"]}
    for each in (content, *content["coups"].values()):
        each["checkpoint"] = None


def stated_anew(content, topic, **change):
    """Changes what an event states, every hash, and what the file says of it."""
    event = event_of(content, topic)
    event["state"] = json.dumps(json.loads(event["state"]) | change, separators=(",", ":"))
    linked_anew(content)
    own = [each for each in content["events"] if each["topic"].startswith("incident.")]
    content["incident"] = FORGER.incident_of(own)


def without(topic):
    def cut(content):
        content["events"].remove(event_of(content, topic))

    return cut


def summary_with(**change):
    def altered(content):
        content["incident"]["summary"].update(change)

    return altered


def without_a_coup(content):
    del content["coups"][COUPS[1]]


def swapped(content):
    content["coups"][COUPS[0]] = content["coups"][COUPS[1]]


def cut_coup(content):
    events = content["coups"][COUPS[0]]["events"]
    events.remove(next(each for each in events if each["topic"] == "coup.card-dealt"))


def without_a_moment(content):
    content["around"].pop()
    del content["coups"][COUPS[2]]


def other_balance(content):
    content["incident"]["summary"]["money"][0]["balance"] = 0


def other_amount(content):
    event = event_of(content, TRAY)
    event["state"] = event["state"].replace("5000", "500")


def other_camera(content):
    content["incident"]["summary"]["cameras"][0]["camera"] = "CAM-15"


def known_as_nobody(content):
    content["known_as"] = {}


def under_another_number(content):
    content["incident"]["incident"] = "IR-2026-0002"


def other_house(content):
    content["property"]["name"] = "Elsewhere"


ALTERED = {
    "without the note": without("incident.incident-noted"),
    "without the end": without("incident.incident-closed"),
    "without the money": without(MOVED),
    "without the tray's": without(TRAY),
    "without who it is": without("patron.identified"),
    "another outcome": summary_with(outcome="resolved"),
    "somebody left out": summary_with(patrons=[]),
    "another table": summary_with(table="B02"),
    "another shift": summary_with(shift="?"),
    "another balance": other_balance,
    "another amount": other_amount,
    "another camera": other_camera,
    "without a coup": without_a_coup,
    "without a moment": without_a_moment,
    "another coup": swapped,
    "a coup cut": cut_coup,
    "another identity": known_as_nobody,
    "another number": under_another_number,
    "another house": other_house,
}


@pytest.mark.parametrize("change", ALTERED)
def test_a_pack_that_was_cut_or_altered_is_refused(content, tmp_path, change):
    before = json.dumps(content)
    ALTERED[change](content)
    done = verified(tmp_path, content)

    assert json.dumps(content) != before
    assert done.returncode == 1, done.stdout
    assert "WRONG" in done.stdout


# What a forger who computes every hash anew states, and what a stranger says.
FORGED = {
    "alone": (MOVED, {"approved_by": "S-11"}, "nobody else agreed"),
    "between two strangers": (MOVED, {"from_place": "floor"}, "from floor to person"),
    "from nowhere": (MOVED, {"from_place": "person"}, "from person to person"),
    "more is kept": (MOVED, {"balance": 50_00}, "the house has -5000"),
    "more than the tray": (MOVED, {"amount": 60_00, "balance": -60_00}, "the tray of B01"),
    "without a tray": (MOVED, {"table_day": ""}, "whose tray it was"),
    "the tray's other amount": (TRAY, {"amount": 50_00}, "the tray of B01"),
    "the tray's other incident": (TRAY, {"incident": "IR-2026-0009"}, "the tray of B01"),
    "another incident": ("incident.opened", {"incident": "IR-2026-0009"}, "of something else"),
    "another table": ("incident.opened", {"table": "B02"}, f"{COUPS[0]} is of B01"),
    "another day": ("incident.opened", {"day": "2026-11-20"}, f"{COUPS[0]} is of B01"),
    "at no table": ("incident.opened", {"table": ""}, "the moments of it"),
    "a camera more": (
        "incident.incident-noted",
        {"evidence": [{"camera": "CAM-1", "at": f"{DAY}T23:00:00+00:00", "ahead": 0,
                       "by_record": f"{DAY}T23:00:00+00:00"}]},
        "the moments of it",
    ),
    "somebody else": ("incident.opened", {"patrons": ["P-1"]}, "each alias is one|something else"),
    "as another": ("patron.identified", {"patron_is": "P-1"}, "whom each alias was identified as"),
    "another's identity": ("patron.identified", {"patron": "P-2"}, "is of P-2"),
}  # fmt: skip


@pytest.mark.parametrize("forged", FORGED)
def test_what_cannot_have_happened_is_refused_though_every_hash_is_computed_anew(
    content, tmp_path, forged
):
    topic, fields, said = FORGED[forged]
    stated_anew(content, topic, **fields)
    done = verified(tmp_path, content)

    assert "WRONG  the hash of" not in done.stdout
    assert done.returncode == 1, done.stdout
    assert re.search(said, done.stdout), done.stdout


def test_what_was_done_after_the_end_is_refused(content, tmp_path):
    """The note comes behind the closing, under every hash that fits."""
    events = content["events"]
    note, end = (event_of(content, f"incident.incident-{what}") for what in ("noted", "closed"))
    for name in ("topic", "state", "event", "at", "words"):
        note[name], end[name] = end[name], note[name]
    linked_anew(content)
    content["incident"] = FORGER.incident_of(
        [each for each in events if each["topic"].startswith("incident.")]
    )
    done = verified(tmp_path, content)

    assert done.returncode == 1
    assert "it was closed already" in done.stdout


def test_a_coup_nearer_than_the_one_in_the_file_is_missed_by_its_number(content, tmp_path):
    """Both moments keep coups of before and after, and the one between is gone."""
    del content["coups"][COUPS[1]]
    content["around"][0]["after"] = COUPS[2]
    content["around"][1]["before"] = COUPS[0]
    linked_anew(content)
    done = verified(tmp_path, content)

    assert done.returncode == 1
    assert f"{COUPS[2]} does not follow on {COUPS[0]}" in done.stdout


def test_a_forger_of_a_signed_pack_is_found_by_the_signature(content, tmp_path):
    signed = content["checkpoint"]
    stated_anew(content, "incident.incident-closed", reason="nobody was hurt")
    assert verified(tmp_path, content).returncode == 0
    content["checkpoint"] = signed
    done = verified(tmp_path, content)

    assert done.returncode == 1
    assert "is in the record that was signed" in done.stdout


def test_a_paper_of_another_pack_and_another_key_are_refused(content, whole, tmp_path):
    (tmp_path / "pack.pdf").write_bytes(whole.pdf)
    assert verified(tmp_path, content).returncode == 0
    (tmp_path / "pack.pdf").write_bytes(whole.pdf + b" ")
    assert verified(tmp_path, content).returncode == 1
    (tmp_path / "pack.pdf").unlink()
    other = signer_of(ORIGIN, seed=7).verifier.vkey
    assert verified(tmp_path, content, "--key", other).returncode == 1
