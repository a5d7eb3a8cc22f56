"""A house server as another one's witness: it cosigns, and rings when that turns bad."""

import pytest

from ops.group import members, witness
from ops.group.members import Member
from ops.group.sources import seen_path
from ops.proof.note import Verifier, open_note
from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import json_of, shell
from tests.waiting import until
from tests.worlds.gaming_table import evening, mouth_on
from tests.worlds.held_sessions import sessions_held
from tests.worlds.house_server import house_server
from tests.worlds.other_house import OtherHouse
from tests.worlds.signing import ORIGIN

NAME = "harbour.example/witness"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The home of the server, which sees another house and is a witness."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "house"))
    return witness.become(NAME)


def alerts(database):
    return [row for row in ask(database, REPORTS["alerts"]).rows if "distrusted" in row["kind"]]


def test_a_house_that_turns_bad_rings_at_its_witness_once(server, tmp_path, home):
    other = OtherHouse(tmp_path / "riverside").grow(300)
    members.add(Member("riverside", str(other.place), (other.key,), only_seen=True))
    with server.database() as database, house_server(database, tmp_path / "house") as house:
        member = members.named("riverside")
        until(lambda: member.held is not None)
        path = f"/witness/{seen_path(other.name)}"
        assert house.terminal().get(path)[2] == (other.place / "checkpoint").read_bytes()
        assert house.terminal().get("/witness/checkpoint")[0] == 404
        other.grow(200)
        until(lambda: bool(alerts(database)))
        other.grow(900)
        until(lambda: member.standing.stopped)

        raised = alerts(database)
        assert [(row["kind"], row["rank"]) for row in raised] == [("house distrusted", 1)]
        assert raised[0]["detail"]["house"] == "riverside"
        assert "300 events were signed, and now 200" in raised[0]["detail"]["words"]


def test_another_house_asks_it_to_cosign_and_has_that_on_record(server, tmp_path, home):
    with (
        server.database() as database,
        server.database() as asking,
        house_server(database, tmp_path / "house") as house,
        sessions_held(),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "asking"))
        with mouth_on(asking) as dispatcher:
            evening(dispatcher)
        made = shell(asking, "audit", "key", "new", "--origin", ORIGIN, "--by", "A-1")
        assert made.exit_code == 0, made.output
        vkeys = json_of(asking, "audit", "key", "show")["keys"][0]["key"]
        members.add(Member("riverside", str(tmp_path / "log"), (vkeys,), only_seen=True))
        asked = ("audit", "checkpoint", "--witness", f"{house.address}/witness#{home}")
        notes = [json_of(asking, *asked) for _ in range(2)]

        for each in notes:
            whole = each["note"] + "".join(each["cosignatures"])
            signers = open_note(whole, [Verifier.parse(vkeys), Verifier.parse(home)]).verified
            assert {ORIGIN, NAME} == {signer.name for signer in signers}
        assert members.named("riverside").held.size >= notes[0]["size"]
