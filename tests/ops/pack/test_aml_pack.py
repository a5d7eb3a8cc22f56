"""The pack of a case of money laundering: a stranger checks it, and finds what was changed."""

import hashlib
import itertools
import json
import re

import pytest

from domain.rules.addresses import AmlCase
from ops.handlers.checkpoints import make
from ops.ledger.secrets import People
from ops.pack.aml import last_of_aml_case, pack_of_aml_case
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable, mouth_on
from tests.worlds.signing import ORIGIN, new_key, signer_of
from tests.worlds.stranger import FORGER, event_of, verified

pytestmark = pytest.mark.usefixtures("held")

FIRST = "AML-2026-0001"
NAME = "Planted Name"
TWO = {"by": "SV-1", "with": "A-1"}
OF_CASE, OF_CASH = "ab" * 32, "cd" * 32  # digests of the files that were sent


def pack_of(database, until=None):
    with database.session("sabot_app") as connection:
        return pack_of_aml_case(connection, AmlCase.parse(FIRST), until)


def played(dispatcher):
    """A patron who brings 12,000 and bets once, and whose cash of the day is reported."""
    pit = GamingTable(dispatcher).open().prepare()
    pit.say("regime.choose", file="united-states", day=DAY, **{"with": "S-12"})
    pit.say("table.buy-in", seat=3, amount=12_000_00, **{"with": "S-11"})
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    report = {"patron": "P-10417", "of_day": DAY, "reference": "31001", "sha256": OF_CASH}
    pit.say("filing.record", **report, by="SV-1")
    return pit


def told(pit, command, **fields):
    answer = pit.ask(f"aml.{command}", **{"by": "SV-1", **fields})
    assert answer.ok, answer.body
    return answer.body


def evidence_of(database):
    """The buy-in, and the wager."""
    with database.session("sabot_auditor") as connection:
        found = connection.execute(
            "SELECT position FROM ledger.events"
            " WHERE topic IN ('table-day.bought-in', 'coup.wager-placed') ORDER BY position"
        ).fetchall()
    return [position for (position,) in found]


def closed_case(pit, database):
    bought, bet = evidence_of(database)
    told(pit, "open", patron="P-10417", text="planted doubt", positions=[bought])
    told(pit, "note", aml_case=FIRST, text="one small bet", positions=[bet], narrative=True)
    told(pit, "decide", aml_case=FIRST, decision="report", text="no source", **TWO)
    told(pit, "filed", aml_case=FIRST, reference="31002", sha256=OF_CASE)
    told(pit, "close", aml_case=FIRST, text="watched")


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    """A closed case in a signed record; the house's key."""
    with server.database() as database, pytest.MonkeyPatch.context() as patched:
        patched.setenv("SABOT_AUDIT_KEYS", str(tmp_path_factory.mktemp("keys")))
        with mouth_on(database) as dispatcher:
            key, _ = new_key(dispatcher)
            pit = played(dispatcher)
            People(dispatcher.casino.ledger).name_patron("P-10417", NAME)
            closed_case(pit, database)
            make(dispatcher, database)
            yield database, key


@pytest.fixture(scope="module")
def whole(house):
    return pack_of(house[0])


@pytest.fixture
def content(whole):
    return json.loads(whole.json)


def test_a_stranger_finds_it_good_and_reads_what_was_filed(house, content, whole, tmp_path):
    (tmp_path / "pack.pdf").write_bytes(whole.pdf)
    done = verified(tmp_path, content, "--key", house[1])

    assert done.returncode == 0, done.stdout
    assert "events is in the record that was signed" in done.stdout
    assert content["evidence"] == evidence_of(house[0])
    assert content["aml_case"]["summary"]["filed"][0]["sha256"] == OF_CASE
    assert content["cash_days"] == [f"P-10417/{DAY}"]
    assert OF_CASH in json.dumps(content)
    texts = [each.get("text") for each in content["aml_case"]["events"]]
    assert texts == ["planted doubt", "one small bet", "no source", None, "watched"]
    assert re.search("not checked: what people wrote", done.stdout)


def test_nobody_s_name_is_in_it(whole):
    assert NAME.encode() not in whole.json
    assert b"P-10417" in whole.json


def test_whoever_exports_it_is_on_record_and_the_next_one_has_the_same_bytes(
    dispatcher, database, tmp_path
):
    pit = played(dispatcher)
    closed_case(pit, database)
    words = ("aml", "export", FIRST, "--into", tmp_path, "--by", "SV-1")
    said = shell(database, *words, "--json")
    assert said.exit_code == 0, said.output
    (event,) = json.loads(said.stdout)["events"]
    files = [(tmp_path / f"{FIRST}.{kind}").read_bytes() for kind in ("json", "pdf")]
    shell(database, *words)
    again = [(tmp_path / f"{FIRST}.{kind}").read_bytes() for kind in ("json", "pdf")]

    assert (event["type"], event["by"]) == ("AmlCaseExported", "SV-1")
    assert [event["json_sha256"], event["pdf_sha256"]] == [
        hashlib.sha256(each).hexdigest() for each in files
    ]
    assert again == files
    assert pack_of(database, event["position"]).json == files[0]
    told(pit, "filed", aml_case=FIRST, reference="31003", filing="amended")
    after = json.loads(pack_of(database).json)
    assert [each["event"] for each in after["events"]].count("AmlCaseExported") == 2
    assert verified(tmp_path, after).returncode == 0


def test_the_last_position_is_that_of_the_pack(house, whole):
    with house[0].session("sabot_auditor") as connection:
        assert last_of_aml_case(connection, AmlCase.parse(FIRST)) == whole.position


def test_a_case_that_was_just_opened_has_a_pack_too(dispatcher, database, tmp_path):
    pit = played(dispatcher)
    told(pit, "open", patron="P-10417", text="planted doubt")
    content = json.loads(pack_of(database).json)
    done = verified(tmp_path, content)

    assert done.returncode == 0, done.stdout
    assert content["aml_case"]["summary"]["status"] == "open"


def identified_later(pit, database):
    """A case about an alias, who is identified as a patron with cash of their own."""
    pit.say("table.buy-in", seat=5, amount=6_000_00, confirmed=True)
    bought = evidence_of(database)[-1]
    told(pit, "open", patron="grey-jacket", text="who is that", positions=[bought])
    pit.say("patron.identify", patron="grey-jacket", **{"is": "blue-hat"})
    pit.say("patron.identify", patron="blue-hat", **{"is": "P-10417"})


def test_the_cash_of_a_patron_who_was_identified_later_is_in_it_under_every_name(
    dispatcher, database, tmp_path
):
    pit = played(dispatcher)
    identified_later(pit, database)
    content = json.loads(pack_of(database).json)
    done = verified(tmp_path, content)

    assert done.returncode == 0, done.stdout
    assert content["cash_days"] == [
        f"{who}/{DAY}" for who in ("P-10417", "blue-hat", "grey-jacket")
    ]
    assert content["known_as"] == {"blue-hat": "P-10417", "grey-jacket": "P-10417"}
    assert OF_CASH in json.dumps(content)  # the report about the patron's own cash
    for topic in ("patron.identified", "cash-day.begun"):
        cut = json.loads(json.dumps(content))
        cut["events"].remove(event_of(cut, topic))
        assert verified(tmp_path, cut).returncode == 1

    before = content["last_position"]
    pit.say("patron.separate", patron="grey-jacket", reason="another", **{"with": "S-12"})
    apart = json.loads(pack_of(database).json)
    assert (apart["cash_days"], apart["known_as"]) == ([f"grey-jacket/{DAY}"], {})
    assert verified(tmp_path, apart).returncode == 0
    assert json.loads(pack_of(database, before).json) == content


def own_of(content):
    return [each for each in content["events"] if each["topic"].startswith("aml-case.")]


def stated_anew(content, topic, **change):
    """Changes what an event states, every hash, and what the file says of it, as a forger would."""
    event = event_of(content, topic)
    event["state"] = json.dumps(json.loads(event["state"]) | change, separators=(",", ":"))
    event["hash"] = FORGER.hash_of(event)
    for one, other in itertools.pairwise(content["events"]):
        if one["position"] + 1 == other["position"]:
            other["previous"] = one["hash"]
            other["hash"] = FORGER.hash_of(other)
    content["chain"]["head"]["hash"] = content["events"][-1]["hash"]
    texts = [each.get("text") for each in content["aml_case"]["events"]]
    content["aml_case"] = FORGER.aml_of(own_of(content))
    for each, text in zip(content["aml_case"]["events"], texts, strict=True):
        each.pop("text", None)
        each.update({"text": text} if text else {})
    content["evidence"] = content["aml_case"]["summary"]["evidence"]
    content["checkpoint"] = None


def without(topic):
    def cut(content):
        content["events"].remove(event_of(content, topic))

    return cut


def summary_with(**change):
    def altered(content):
        content["aml_case"]["summary"].update(change)

    return altered


def without_the_digest(content):
    content["aml_case"]["summary"]["filed"][0]["sha256"] = ""


def evidence_shortened(content):
    content["evidence"].pop()


def a_stranger_s_event(content):
    """An event about something else among those of the case."""
    content["cash_days"] = []


def text_dropped(content):
    del content["aml_case"]["events"][0]["text"]


def under_another_number(content):
    content["aml_case"]["aml_case"] = "AML-2026-0002"


def altered_state(content):
    event = event_of(content, "table-day.bought-in")
    event["state"] = event["state"].replace("1200000", "1300000")


def other_zone(content):
    content["property"]["zone"] = "Asia/Macau"


ALTERED = {
    "without the note": without("aml-case.aml-note-added"),
    "without the decision": without("aml-case.aml-decided"),
    "without the buy-in": without("table-day.bought-in"),
    "without the wager": without("coup.wager-placed"),
    "without the report of the cash": without("cash-day.report-filed"),
    "decided otherwise": summary_with(decision="no-report"),
    "decided by another": summary_with(approved_by="A-2"),
    "about another": summary_with(patron="P-1"),
    "closed by nobody": summary_with(status="filed", closed_by=""),
    "without the digest of what was sent": without_the_digest,
    "less evidence": evidence_shortened,
    "without whose cash it is": a_stranger_s_event,
    "without a text": text_dropped,
    "another number": under_another_number,
    "another amount": altered_state,
    "elsewhere": other_zone,
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
DECIDED, FILED = "aml-case.aml-decided", "aml-case.aml-filed"
FORGED = {
    "alone": (DECIDED, {"approved_by": "SV-1"}, "nobody else decided it"),
    "not to be reported": (DECIDED, {"decision": "no-report"}, "nobody had decided so"),
    "the second report": (FILED, {"number": 2}, "it is report 1"),
    "in time": (FILED, {"filed_on": "2027-12-31"}, "late is True"),
    "late": (FILED, {"late": True}, "late is False"),
    "evidence of later": ("aml-case.opened", {"positions": [10**6]}, "not yet on record|is not"),
    "another case": ("aml-case.opened", {"aml_case": "AML-2026-0007"}, "of something else"),
    "another's cash": ("cash-day.begun", {"patron": "P-1"}, "something else"),
    "another coup": ("coup.wager-placed", {"coup": f"B01/{DAY}/1/9"}, "of something else"),
    "another day's report": ("cash-day.report-filed", {"day": "2026-11-20"}, "something else|is"),
}


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


def test_a_forger_of_a_signed_pack_is_found_by_the_signature(content, tmp_path):
    signed = content["checkpoint"]
    stated_anew(content, FILED, reference="31999")
    assert verified(tmp_path, content).returncode == 0
    content["checkpoint"] = signed
    done = verified(tmp_path, content)

    assert done.returncode == 1
    assert "is in the record that was signed" in done.stdout


def test_a_paper_of_another_pack_and_another_key_are_refused(content, whole, tmp_path):
    (tmp_path / "pack.pdf").write_bytes(whole.pdf + b" ")
    assert verified(tmp_path, content).returncode == 1
    (tmp_path / "pack.pdf").unlink()
    other = signer_of(ORIGIN, seed=7).verifier.vkey
    assert verified(tmp_path, content, "--key", other).returncode == 1


def test_a_report_that_was_taken_back_is_not_among_those_that_were_filed(
    database, dispatcher, tmp_path
):
    pit = played(dispatcher)
    told(pit, "open", patron="P-10417", text="planted doubt", positions=evidence_of(database)[:1])
    told(pit, "decide", aml_case=FIRST, decision="report", text="no source", **TWO)
    told(pit, "filed", aml_case=FIRST, reference="31002")
    told(pit, "filed", aml_case=FIRST, reference="31002", withdrawn=True, text="typed twice")
    told(pit, "filed", aml_case=FIRST, reference="31020")
    told(pit, "close", aml_case=FIRST, text="watched")
    content = json.loads(pack_of(database).json)
    done = verified(tmp_path, content)

    assert [each["reference"] for each in content["aml_case"]["summary"]["filed"]] == ["31020"]
    assert done.returncode == 0, done.stdout
    stated_anew(content, "aml-case.aml-filed-taken-back", number=2)
    assert "the newest is report 1, and 2 is taken back" in verified(tmp_path, content).stdout
