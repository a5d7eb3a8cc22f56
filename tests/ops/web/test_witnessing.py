"""A house server as another one's witness: it cosigns, and rings when that turns bad."""

import json

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.group import members, witness
from ops.group.members import Member
from ops.group.sources import seen_path
from ops.group.state import state_of
from ops.proof.note import Verifier, open_note
from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import json_of, shell
from tests.waiting import until
from tests.worlds.gaming_table import GamingTable, evening, mouth_on
from tests.worlds.held_sessions import sessions_held
from tests.worlds.house_server import house_server
from tests.worlds.other_house import OtherHouse
from tests.worlds.serving_log import signing
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


def test_a_group_takes_what_a_house_signed_once_its_witness_has_signed_it_too(
    server, tmp_path, home
):
    """Two house servers: riverside's, which is pulled, and harbour's, which is its witness."""
    place = tmp_path / "riverside"
    place.mkdir()
    with (
        server.database() as database,
        server.database() as other,
        house_server(other, tmp_path / "house") as harbour,
        signing(database, place) as (riverside, key),
        pytest.MonkeyPatch.context() as patch,
    ):
        address = f"{riverside.address}/log"
        patch.setenv("SABOT_HOME", str(tmp_path / "house"))
        token = str(place / "witness-token")
        members.add(Member("riverside", address, (key,), token, only_seen=True))
        patch.setenv("SABOT_HOME", str(tmp_path / "group"))
        token = str(place / "token")
        members.add(Member("riverside", address, (key,), token, witnessed_by=(home,)))

        def signs(*witnesses):
            """A house that records and signs something more; how many events it signed."""
            signs.tables = getattr(signs, "tables", 0) + 1
            with mouth_on(database) as dispatcher:
                GamingTable(dispatcher, f"B0{signs.tables}").open().prepare()
            with pytest.MonkeyPatch.context() as there:
                there.setenv("SABOT_HOME", str(place / "home"))
                return json_of(database, "audit", "checkpoint", *witnesses)["size"]

        def pulled():
            done = CliRunner().invoke(cli, ["group", "pull", "--json"])
            of = json.loads(done.stdout)
            return done.exit_code, of["events"], of["stopped"] + of["away"], of["unwitnessed"]

        witnessed = ("--witness", f"{harbour.address}/witness#{home}")
        first = signs()
        status, events, bad, waits = pulled()
        assert (status, events, bad) == (3, 0, "")
        assert f"of {first:,} events, is not signed by {NAME}" in waits
        second = signs(*witnessed)
        assert pulled() == (0, second, "", "")
        signs()
        assert pulled()[:3] == (3, second, "")
        third = signs(*witnessed)
        assert pulled() == (0, third, "", "")
        seen = state_of(members.named("riverside")).seen
        assert [(each.witness, each.size) for each in seen if each.checked] == [(NAME, third)]
