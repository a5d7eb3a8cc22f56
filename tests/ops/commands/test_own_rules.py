"""A property's own rule set: approved by two, on record, and dealt by in any process."""

import hashlib
import json

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from domain.rules import house_rules
from domain.rules.addresses import Coup
from domain.rules.house_rules import RULE_SETS, named
from ops.cli import cli
from ops.handlers.house import rules_named
from ops.handlers.trial import to_sign
from ops.replay.story import find
from ops.reports.ask import ask
from projections import REPORTS
from tests.ops.commands.riverside import APPROVE, RIVERSIDE
from tests.stories import as_dict
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable

pytestmark = pytest.mark.usefixtures("held")


@pytest.fixture(autouse=True)
def nothing_learned(monkeypatch):
    """Each test begins as a process does that has not read any record."""
    monkeypatch.setattr(house_rules, "_LEARNED", {})


@pytest.fixture
def approved(dispatcher):
    answer = dispatcher.dispatch(APPROVE).body
    assert answer["ok"], answer
    return dispatcher


@pytest.fixture
def afresh(another, monkeypatch):
    """Another process, which has learned nothing yet."""

    def begin():
        monkeypatch.setattr(house_rules, "_LEARNED", {})
        return another()

    return begin


def refused(dispatcher, **line):
    answer = dispatcher.dispatch(APPROVE | line).body
    assert not answer["ok"]
    return answer["error"], answer["message"]


def test_an_approval_is_an_event_with_its_people_and_the_file_s_hash(approved, superuser):
    (told,) = superuser.execute(
        "SELECT convert_from(state, 'UTF8')::jsonb FROM ledger.events "
        "WHERE topic = 'rule-set.approved'"
    ).fetchone()
    (adopted,) = superuser.execute(
        "SELECT convert_from(state, 'UTF8')::jsonb FROM ledger.events "
        "WHERE topic = 'rule-set.adopted'"
    ).fetchone()

    assert told["rules"] == adopted["rules"] == "riverside@1"
    assert told["approved_by"] == ["A-1", "S-11"]
    assert told["file_sha256"] == hashlib.sha256(RIVERSIDE.encode()).hexdigest()
    assert told["digest"] == hashlib.sha256(adopted["content"].encode()).hexdigest()


def test_a_file_is_approved_by_its_path_too(dispatcher, tmp_path):
    path = tmp_path / "riverside.toml"
    path.write_text(RIVERSIDE)
    answer = dispatcher.dispatch(APPROVE | {"file": str(path)}).body

    assert [event["type"] for event in answer["events"]] == [
        *("PropertyFounded", "RuleSetAdopted", "Approved", "RulesApproved")
    ]


def test_an_approved_rule_set_is_used_by_tables_of_every_process(afresh, approved):
    GamingTable(afresh()).open("riverside@1").prepare()
    pit = GamingTable(afresh())
    pit.moment = pit.moment.replace(hour=21)
    too_small = pit.ask("bet", seat=3, spot="banker", amount=25_00).body
    pit.dispatcher = afresh()
    pit.bet(3, "banker", 100_00)
    pit.bet(3, "tie", 5_00)
    pit.dispatcher = afresh()
    answer = pit.deal(BANKER_WINS, settle=True).body
    (accrued,) = [event for event in answer["events"] if event["type"] == "CommissionAccrued"]

    assert (too_small["error"], accrued["charged"]) == ("UnderMinimum", 4_00)


def test_its_coups_replay_from_the_record_and_agree(afresh, approved, database):
    GamingTable(approved).open("riverside@1").prepare().play("9S 9D KC QD", (3, "tie", 50_00))
    afresh()
    with database.session("sabot_auditor") as connection:
        told = as_dict(find(connection, Coup.parse(f"B01/{DAY}/1/1")))

    assert (told["rules"], told["agrees"]) == ("riverside@1", True)
    assert [(each["odds"], each["paid"]) for each in told["payments"]] == [("9:1", 500_00)]


def test_its_theoretical_win_is_computed_from_its_own_odds(afresh, approved, database):
    GamingTable(approved).open("riverside@1").prepare().play("9S 9D KC QD", (3, "tie", 1_000_00))
    afresh()
    (row,) = ask(database, REPORTS["table-win"]).rows

    assert row["theoretical_win"] == 48_44  # 4.844% at 9 to 1; 14.36% at 8 to 1


def test_a_table_rolls_over_with_an_approved_rule_set(afresh, approved):
    pit = GamingTable(approved).open("riverside@1")
    pit.dispatcher = afresh()
    rolled = pit.say("table.roll-over", closer={"10000": 200}, **{"with": "S-11"}).body
    (opened,) = [event for event in rolled["events"] if event["type"] == "TableDayOpened"]

    assert opened["rules"] == "riverside@1"
    assert opened["limits"]["main"] == [50_00, 10_000_00]


def test_approving_the_same_rules_again_is_refused_and_other_rules_need_another_version(approved):
    other = RIVERSIDE.replace("4%", "3%")
    again = "riverside@1 is already approved."

    assert refused(approved, at="2026-11-21T21:00:00Z") == ("BadValue", again)
    error, message = refused(approved, file=other)
    assert (error, "Give these a new version." in message) == ("BadValue", True)
    assert approved.dispatch(APPROVE | {"file": other.replace("@1", "@2", 1)}).ok


def test_a_rule_set_may_be_based_on_an_approved_one(approved):
    text = 'name = "riverside@2"\nsource = "x"\nbased_on = "riverside@1"\ndecks_allowed = [6, 8]\n'
    assert approved.dispatch(APPROVE | {"file": text}).ok
    found = rules_named(approved.desk, "riverside@2")

    assert (found.commission.rate, found.decks_allowed) == ((4, 100), (6, 8))


def test_a_name_of_the_program_s_a_mistake_and_another_currency_are_refused(dispatcher):
    for old, new, words in (
        ("riverside@1", "classic@1", "The program has a rule set classic@1 of its own."),
        ('"4%"', "4", "commission.rate cannot be 4"),
        ("[limits]", 'currency = "EUR"\n[limits]', "dragon-bonus@1 is in USD"),
    ):
        error, message = refused(dispatcher, file=RIVERSIDE.replace(old, new))
        assert (error, words in message) == ("BadValue", True)


def test_a_table_opens_only_with_an_approved_rule_set_and_the_refusal_names_those(approved):
    answer = GamingTable(approved).ask("table.open", rules="lakeside@1", opener={}, day=DAY).body

    assert answer["error"] == "UnknownRules"
    assert "riverside@1" in answer["message"]


def test_an_approved_rule_set_fixes_the_currency(approved):
    answer = approved.dispatch({"command": "property.set", "name": "currency", "value": "EUR"})

    assert not answer.ok


def test_a_refused_approval_records_no_rule_set(dispatcher, superuser):
    refused(dispatcher, file=RIVERSIDE.replace('"4%"', '"400%"'))

    assert superuser.execute("SELECT count(*) FROM ledger.events").fetchone() == (0,)


def test_the_access_report_shows_who_approved(approved, database):
    acts = [row["act"] for row in ask(database, REPORTS["access"]).rows]

    assert "rule set riverside@1 approved by A-1 and S-11 (named in open house)" in acts


def test_an_old_ledger_keeps_its_recorded_rules_and_the_replay_says_that_they_differ(
    dispatcher, afresh, database, monkeypatch
):
    """As when the program's rules were changed under their name, which they never may be."""
    with monkeypatch.context() as patch:
        before = replace(named("classic@1"), main=replace(named("classic@1").main, minimum=50_00))
        patch.setitem(RULE_SETS, "classic@1", before)
        pit = GamingTable(dispatcher).open("classic@1").prepare()
        pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.dispatcher = afresh()
    pit.play(BANKER_WINS, (5, "banker", 100_00))
    afresh()
    with database.session("sabot_auditor") as connection:
        told = as_dict(find(connection, Coup.parse(f"B01/{DAY}/1/2")))
    differing = [(each["what"], each["recorded"]) for each in told["disagreements"]]

    assert pit.ask("bet", seat=3, spot="player", amount=10_00).body["ok"] is False
    assert differing == [("digest of classic@1", before.digest)]


def test_an_altered_rule_set_is_not_used(approved, afresh, database, superuser):
    GamingTable(approved).open("riverside@1").prepare().play(BANKER_WINS, (3, "banker", 100_00))
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
    superuser.execute(
        "UPDATE ledger.events SET state = convert_to(replace(convert_from(state, 'UTF8'), "
        "'[4,100]', '[1,100]'), 'UTF8') WHERE topic = 'rule-set.adopted'"
    )
    pit = GamingTable(afresh())
    pit.moment = pit.moment.replace(hour=21)
    refused = pit.ask("bet", seat=3, spot="banker", amount=100_00).body
    with database.session("sabot_auditor") as connection:
        told = as_dict(find(connection, Coup.parse(f"B01/{DAY}/1/1")))
    (row,) = ask(database, REPORTS["table-win"]).rows

    assert refused["error"] == "UnknownRules"
    assert not told["agrees"]
    assert row["theoretical_win"] is None


YEN = """
name = "riverside-yen@1"
source = "Riverside Casino, table sheet"
based_on = "tie-eight-5@1"
currency = "JPY"
increment = "100"
chips = ["5", "100", "500", "1000"]
limits = {main = {minimum = "1000", maximum = "500000"}, tie = {minimum = "100", maximum = "50000"}}
"""


def test_in_a_house_with_yen_a_program_s_rule_set_is_used_with_amounts_in_yen(
    dispatcher,
):
    def put(name, value):
        line = {"command": "property.set", "name": name, "value": value}
        assert dispatcher.dispatch(line).ok

    put("currency", "JPY")
    assert refused(dispatcher, file=RIVERSIDE)[0] == "BadValue"
    assert dispatcher.dispatch(APPROVE | {"file": YEN}).ok
    table = {"rules": "riverside-yen@1", "opener": {"1000": 50}, "day": DAY}
    early = GamingTable(dispatcher).ask("table.open", **table).body
    for name, value in (("variance_report", 3_000), ("variance_regulator", 15_000)):
        put(name, value)
    put("reporting_amount", 1_000_000)
    with_dollars = (
        GamingTable(dispatcher).ask("table.open", rules="classic@1", opener={}, day=DAY).body
    )
    pit = GamingTable(dispatcher)
    pit.say("table.open", **table, **{"with": "S-11"})
    pit.say("table.seat", seat=3, patron="P-10417")
    pit.prepare()
    answer = pit.play(BANKER_WINS, (3, "banker", 1_000)).body
    (paid,) = [event["paid"] for event in answer["events"] if event["type"] == "WagerSettled"]

    assert "Set reporting_amount, variance_report and variance_regulator first" in early["message"]
    assert "Approve a rule set based on it with amounts in JPY." in with_dollars["message"]
    assert 1_950 == paid


# At the shell.
def sabot(database, *words):
    return CliRunner().invoke(cli, ["--database", database.url, *words])


def test_rules_list_shows_the_program_s_and_the_house_s_rule_sets(approved, database):
    told = json.loads(sabot(database, "rules", "list", "--json").stdout)["rules"]
    last = told[-1]

    assert [each["name"] for each in told] == [*sorted(RULE_SETS), "riverside@1"]
    assert {each["origin"] for each in told[:-1]} == {"program"}
    assert (last["origin"], last["approved_by"]) == ("approved", ["A-1", "S-11"])
    assert "approved by A-1" in sabot(database, "rules", "list").stdout


def test_rules_list_works_without_a_ledger_and_makes_none(monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    result = CliRunner().invoke(cli, ["rules", "list", "--json"])
    told = [each["name"] for each in json.loads(result.stdout)["rules"]]

    assert sorted(RULE_SETS) == told


def test_a_rule_set_is_shown_with_every_term(approved, database):
    shown = sabot(database, "rules", "show", "riverside@1").stdout
    told = json.loads(sabot(database, "rules", "show", "riverside@1", "--json").stdout)

    for words in ("4%, deferred", "50.00 to 10,000.00", "9:1", "dragon-banker", "approved by A-1"):
        assert words in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert told["stated"]["commission"]["rate"] == [4, 100]


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_every_rule_set_of_the_program_is_shown(name):
    result = CliRunner().invoke(cli, ["rules", "show", name])

    assert (0, "") == (result.exit_code, result.stderr)
    assert all(spot in result.stdout for spot in RULE_SETS[name].spots)


WORDS = "Banker favours the patron: the house loses 1.2351% of all wagers."


def test_rules_show_and_check_warn_of_banker_without_commission(database, tmp_path):
    path = tmp_path / "riverside.toml"
    path.write_text('name = "riverside@1"\nsource = "x"\nbased_on = "tie-eight@1"\n')
    shown = sabot(database, "rules", "show", "tie-eight@1")
    checked = sabot(database, "rules", "check", str(path))

    assert (0, 0) == (shown.exit_code, checked.exit_code)
    assert WORDS in shown.stdout
    assert ["commission", "none"] in [line.split() for line in shown.stdout.splitlines()]
    assert WORDS in checked.stdout
    assert "favours" not in sabot(database, "rules", "show", "tie-eight-5@1").stdout
    for words in (("show", "tie-eight@1"), ("check", str(path))):
        told = json.loads(sabot(database, "rules", *words, "--json").stdout)

        assert ["banker"] == told["favours_patron"]


def test_a_file_is_checked_and_nothing_is_recorded(database, tmp_path, superuser):
    path = tmp_path / "riverside.toml"
    path.write_text(RIVERSIDE)
    result = sabot(database, "rules", "check", str(path))
    told = json.loads(sabot(database, "rules", "check", str(path), "--json").stdout)
    edges = {each["spot"]: each["edge_percent"] for each in told["spots"]}

    assert result.exit_code == 0
    assert "4.8440%" in result.stdout
    assert (edges["tie"], edges["banker"]) == (4.844, 0.5993)
    assert superuser.execute("SELECT count(*) FROM ledger.events").fetchone() == (0,)


def test_a_file_with_a_mistake_is_refused_with_its_place(database, tmp_path):
    path = tmp_path / "riverside.toml"
    path.write_text(RIVERSIDE.replace('"4%"', "4"))
    for act in ("check", "approve"):
        people = ("--by", "A-1", "--with", "S-11") if act == "approve" else ()
        result = sabot(database, "rules", act, str(path), *people)

        assert (1, "") == (result.exit_code, result.stdout)
        assert result.stderr.startswith("BadValue: commission.rate cannot be 4: write a part")


def test_a_rule_set_is_approved_at_the_shell_and_its_odds_are_shown(database, tmp_path):
    path = tmp_path / "riverside.toml"
    path.write_text(RIVERSIDE)
    result = sabot(database, "rules", "approve", str(path), "--by", "A-1", "--with", "PB-1")
    told = json.loads(sabot(database, "odds", "--rules", "riverside@1", "--json").stdout)
    unknown = sabot(database, "odds", "--rules", "lakeside@1")

    assert "riverside@1 is approved: tables may open under it." in result.stdout
    assert {each["spot"]: each["edge_percent"] for each in told["spots"]}["tie"] == 4.844
    assert (1, True) == (unknown.exit_code, "riverside@1" in unknown.stderr)


GENEROUS = """
name = "riverside@2"
source = "Riverside Casino, table sheet"
based_on = "dragon-bonus@1"

[spots]
tie.pays = {"tie" = "12:1"}
"""


def test_whoever_approves_is_shown_every_edge_and_what_is_other_than_before(approved):
    dearer = RIVERSIDE.replace("@1", "@2", 1).replace('"4%"', '"5%"')
    line = APPROVE | {"file": dearer}
    shown = to_sign(approved, line).words
    (_, told) = shown

    assert "Tie: the house keeps 4.8440% of all wagers." in told
    assert "Banker: the house keeps" in told
    assert "What is not as in riverside@1: commission: 5%, not 4%." in told
    assert "Tie pays: tie 9:1, not tie 8:1" in told.partition("in dragon-bonus@1: ")[2]
    assert approved.dispatch(line).body["events"][1]["edges"].keys() >= {"tie", "banker"}


def test_a_bet_that_favours_the_patron_must_be_confirmed(approved):
    """A set with a Tie at 12 to 1 went through without a sound."""
    line = APPROVE | {"file": GENEROUS}
    error, message = refused(approved, **line)

    assert error == "ConfirmationNeeded"
    assert "Tie favours the patron: the house loses 23.7028% of all wagers" in message
    assert approved.dispatch(line | {"confirmed": True}).ok


ROUNDED_UP = """
name = "riverside@3"
source = "Riverside Casino, table sheet"
based_on = "classic@1"
chips = ["1.00", "5.00", "25.00"]

[limits]
main = {minimum = "5.00", maximum = "1000.00"}

[commission]
rounding = {mode = "down", unit = "1.00"}
"""


def test_a_bet_that_rounding_alone_makes_favour_the_patron_must_be_confirmed_too(
    approved, database, tmp_path
):
    """5% of a Banker win of 5.00 is 0.25, and rounded to a chip of 1.00 it is nothing."""
    path = tmp_path / "rounded.toml"
    path.write_text(ROUNDED_UP)
    words = (
        "Banker favours the patron at its minimum of 5.00, because the payment is rounded: the "
        "house loses 1.2351% of such wagers"
    )
    error, message = refused(approved, **(line := APPROVE | {"file": ROUNDED_UP}))
    checked = sabot(database, "rules", "check", str(path)).stdout
    told = json.loads(sabot(database, "rules", "check", str(path), "--json").stdout)

    assert error == "ConfirmationNeeded"
    assert words in message
    assert approved.dispatch(line | {"confirmed": True}).ok
    assert words in " ".join(checked.split())
    assert ([], ["banker"]) == (told["favours_patron"], told["favours_patron_at_minimum"])
    for shown in (("rules", "show", "riverside@3"), ("odds", "--rules", "riverside@3")):
        assert words in " ".join(sabot(database, *shown).stdout.split())
