"""Every coup of a range adjudicated again: its own record, its shoe's, and the accounts'."""

import json
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

import ops.replay.story
from domain.aggregates.coup import Coup
from domain.events import commission_account, coup_wagers, events_of
from domain.events import coup as coup_events
from domain.events import shoe as shoe_events
from domain.events.base import Unreadable
from domain.review.adjudication import Around, adjudicate, as_texts
from domain.rules import house_rules
from domain.rules.addresses import Coup as Address
from domain.rules.permissions import Permission
from ops.commands.casino import Casino
from ops.commands.corrections import Readjudicate
from ops.commands.saved_token import save_token
from ops.door.session_file import token_file
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.sign_on import sign_on
from ops.ledger.reading import read_stream
from ops.ledger.recorder import Ledger
from ops.ledger.streams import line_of
from ops.replay.page import Page
from ops.replay.story import find
from ops.words.show import console
from projections import REPORTS
from tests.acceptance.channels import rows_of, shell
from tests.faults import times
from tests.stories import as_dict
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable, trouble
from tests.worlds.held_sessions import sessions_held
from tests.worlds.stored_events import stored
from tests.worlds.tampered_ledger import TamperedLedger

TWO = {"with": "S-11"}
KIND = "disagreement on re-adjudication"
RIVERSIDE = (
    "name = 'riverside@1'\nsource = 'sheet'\nbased_on = 'classic@1'\ncommission.rate = '4%'\n"
    "commission.rounding = {mode = 'up', unit = '0.05'}\n"
)
LATER = "2026-11-22"
DEFERRED, AT_PAYOUT, COLLECTED, OWN, CARRIED = "B01", "B02", "B03", "B04", "B05"


def coup(table, number, shoe=1):
    return f"{table}/{DAY}/{shoe}/{number}"


def at_payout(pit):
    """Taken at payout, corrected twice and then void; the next shoe lost nobody anything."""
    first = {"coup": coup(pit.table, 1), "reason": "misread", **TWO}
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("correct", seat=3, spot="banker", to=100_00, **first)
    pit.say("correct", seat=3, spot="banker", **first)
    pit.say("void", **first)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.end_shoe()
    pit.prepare()
    pit.play(PLAYER_WINS, (3, "banker", 100_00), (5, "player", 50_00))


def on_collection(pit):
    """Commission that is rounded when it is collected, paid in part and put right."""
    for amount in (25_00, 75_00, 150_00):
        pit.play(BANKER_WINS, (3, "banker", amount), (5, "banker", amount + 25_00))
    pit.say("commission.collect", seat=3, amount=13_00)
    pit.play(BANKER_WINS, (3, "banker", 25_00), (5, "banker", 25_00))
    pit.say("void", coup=coup(pit.table, 2), reason="a card fell", **TWO)
    pit.say("commission.waive", seat=5, amount=1_00, reason="a good guest", **TWO)
    pit.play(BANKER_WINS, (3, "banker", 35_00), (5, "banker", 45_00))


def carried(pit):
    """A card that came when none was due begins the next coup; another begins a dummy coup."""
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("shoe.misdraw", card="4H", disposition="carry", **TWO)
    pit.bet(3, "player", 50_00)
    pit.deal("9S 2C QD", settle=True)
    pit.say("shoe.misdraw", card="5H", disposition="dummy", **TWO)
    pit.deal("9S 2D QD", settle=True)


@pytest.fixture(autouse=True)
def nothing_learned(monkeypatch):
    """Each test begins as a process does that has not read any record."""
    monkeypatch.setattr(house_rules, "_LEARNED", {})


@pytest.fixture(scope="module")
def recorded(server):
    """Five tables, a rule set of the house's own, everything that can happen, and no triggers."""
    with server.database() as database, sessions_held(), database.connect_as_is() as connection:
        casino = Casino(Ledger(database))
        dispatcher = Dispatcher(casino, "test")
        trouble(GamingTable(dispatcher, DEFERRED).open().prepare())
        at_payout(GamingTable(dispatcher, AT_PAYOUT).open("classic@1").prepare())
        on_collection(GamingTable(dispatcher, COLLECTED).open("collected-up@1").prepare())
        approve = {"command": "rules.approve", "file": RIVERSIDE, "by": "A-1", "with": "S-11"}
        assert dispatcher.dispatch(approve).ok
        own = GamingTable(dispatcher, OWN).open("riverside@1", LATER).prepare()
        own.play(BANKER_WINS, (3, "banker", 100_00))
        carried(GamingTable(dispatcher, CARRIED).open().prepare())
        casino.close()
        connection.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
        connection.execute("CREATE TABLE public.kept AS TABLE ledger.events")
        yield TamperedLedger(database, connection)


@pytest.fixture
def night(recorded):
    yield recorded
    recorded.run("TRUNCATE ledger.event_rows; INSERT INTO ledger.events TABLE public.kept")


# What is as it should be.
def test_a_night_of_every_kind_agrees(recorded):
    walked = recorded.walked()

    assert (walked.ok, walked.disagreeing) == (True, [])
    assert (walked.coups, walked.open, walked.voided) == (15, 1, 3)
    assert (walked.wagers, walked.payments, walked.cards) == (22, 21, 57)


def test_the_json_of_the_contract(recorded):
    result = shell(recorded.database, "audit", "adjudicate", "--all", "--json")
    told = json.loads(result.stdout)

    assert (result.exit_code, list(told)) == (
        0,
        ["ok", "coups", "open", "voided", "events", "position", "disagreements"],
    )
    assert (told["ok"], told["coups"], told["disagreements"]) == (True, 15, [])
    assert told["position"] == recorded.run("SELECT max(position) FROM ledger.events").fetchone()[0]
    assert "coups and" in result.stderr


@pytest.mark.parametrize(
    ("words", "coups"),
    [
        (["--all"], 15),
        (["--day", DAY], 14),
        (["--day", LATER], 1),
        (["--day", "2026-11-20"], 0),
        (["--from", LATER], 1),
        (["--to", DAY], 14),
        (["--from", DAY, "--to", LATER], 15),
        (["--table", AT_PAYOUT], 3),
        (["--table", OWN, "--day", DAY], 0),
        (["--table", OWN, "--day", LATER], 1),
        (["--shoe", f"{AT_PAYOUT}/{DAY}/1"], 2),
        (["--shoe", f"{AT_PAYOUT}/{DAY}/2"], 1),
    ],
)
def test_a_range_has_its_coups_and_no_other(recorded, words, coups):
    result = shell(recorded.database, "audit", "adjudicate", *words, "--json")

    assert (result.exit_code, json.loads(result.stdout)["coups"]) == (0, coups)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ([], 2, "Give the coups"),
        (["--look"], 2, "Give the coups"),
        (["--table", "B99"], 1, "NotFound: The ledger has no table B99."),
        (["--shoe", f"{AT_PAYOUT}/{DAY}/3"], 1, "NotFound: The ledger has no shoe"),
        (["--all", "--table", "B01"], 2, "Give --all or --table, not both."),
        (["--day", DAY, "--to", DAY], 2, "Use --day, or --from and --to."),
        (["--shoe", f"B01/{DAY}/1", "--table", "B01"], 2, "Give --shoe alone"),
        (["--day", "yesterday"], 1, "write YYYY-MM-DD"),
        (["--from", LATER, "--to", DAY], 1, "it is after --to"),
        (["--shoe", "B01"], 1, "write table/day/shoe"),
    ],
)
def test_what_cannot_be_asked_is_said(recorded, words, status, said):
    result = shell(recorded.database, "audit", "adjudicate", *words)

    assert (result.exit_code, result.stdout) == (status, "")
    assert said in result.stderr


# What somebody changed, each of it named: its own record, its shoe's, an account's.
STAY = f"in {DEFERRED}/{DAY}/stay-2"
TAMPERED = [
    (coup_wagers.WagerSettled, '"paid":20000', '"paid":30000', DEFERRED, "seat 3 banker: paid"),
    (coup_events.Settled, '"paid":80000', '"paid":90000', DEFERRED, "staked and paid"),
    (coup_events.CardDealt, '"QD"', '"9D"', DEFERRED, "Banker's total"),
    (coup_events.CardDealt, '"QD"', '"QH"', DEFERRED, "card 4 out of the shoe"),
    (coup_events.CardDealt, '"carried":true', '"carried":false', CARRIED, "card 1 out of the shoe"),
    (coup_events.CardDealt, f'"coup":"{coup(DEFERRED, 1)}"', '"coup":"B01"', DEFERRED, ...),
    (coup_events.Resulted, '"outcome":"banker"', '"outcome":"tie"', DEFERRED, "outcome"),
    (coup_events.Opened, '"rules_digest":"', '"rules_digest":"0', DEFERRED,
     "digest of dragon-bonus@1"),
    (coup_wagers.PaymentCorrected, '"paid_before":60000', '"paid_before":1', DEFERRED,
     "seat 5 banker: paid before"),
    (shoe_events.CardDrawn, '"card":"QD"', '"card":"QH"', DEFERRED, "card 4 out of the shoe"),
    (shoe_events.CardDrawn, '"n":4', '"n":5', DEFERRED, "card 5 out of the shoe"),
    (shoe_events.CarriedCardDealt, '"card":"4H"', '"card":"5H"', CARRIED, "card 1 out of the shoe"),
    (shoe_events.CoupBegun, '"coup":1', '"coup":77', DEFERRED, "the shoe"),
    (commission_account.CommissionAccrued, '"exact":"500"', '"exact":"400"', DEFERRED,
     f"seat 3: commission accrued {STAY}: exact"),
    (commission_account.CommissionAccrued, '"charged":500', '"charged":400', DEFERRED,
     f"seat 3: commission accrued {STAY}: charged"),
    (commission_account.CommissionAccrued, '"winnings":10000', '"winnings":1', DEFERRED,
     f"seat 3: commission accrued {STAY}: winnings"),
    (commission_account.CommissionAccrued, '"due":"at-payout"', '"due":"deferred"', AT_PAYOUT, ...),
    (commission_account.CommissionAccrued, f'"coup":"{coup(DEFERRED, 1)}"', '"coup":"B01"',
     DEFERRED, f"seat 3: commission accrued {STAY}"),
    (commission_account.CommissionCorrected, '"charged":-500', '"charged":0', AT_PAYOUT, ...),
]  # fmt: skip


@pytest.mark.parametrize(
    ("event", "old", "new", "table", "what"),
    TAMPERED,
    ids=lambda each: getattr(each, "TOPIC", None),
)
def test_what_somebody_changed_is_named(night, event, old, new, table, what):
    night.change(event.TOPIC, old, new, f"table_code = '{table}'")
    named = {line for where, line in night.found() if where.startswith(f"{table}/")}

    assert named
    assert what in (..., *named)


@pytest.mark.parametrize(
    ("event", "table", "what"),
    [
        (coup_events.Opened, DEFERRED, "the record"),
        (coup_events.BettingClosed, DEFERRED, "betting"),
        (coup_events.CardDealt, DEFERRED, "card 1 out of the shoe"),
        (coup_events.Resulted, DEFERRED, "outcome"),
        (coup_wagers.WagerSettled, DEFERRED, "seat 3 banker"),
        (coup_wagers.WagerReturned, AT_PAYOUT, "seat 3 banker"),
        (shoe_events.CoupBegun, DEFERRED, "the shoe"),
        (shoe_events.CardDrawn, DEFERRED, "card 1 out of the shoe"),
        (commission_account.CommissionAccrued, DEFERRED, f"seat 3: commission accrued {STAY}"),
        (commission_account.CommissionCorrected, AT_PAYOUT,
         f"seat 3: commission corrected in {AT_PAYOUT}/{DAY}/stay-2"),
    ],
)  # fmt: skip
def test_what_somebody_took_out_is_named(night, event, table, what):
    night.delete(event.TOPIC, table)
    found = night.found()

    assert (coup(table, 1), what) in found
    assert {where for where, _ in found} == {coup(table, 1)}


def test_rounded_on_collection_each_charge_is_reckoned_from_what_went_before(night):
    """What the third win of seat 3 adds to the charge stands nowhere else."""
    told = night.run(
        "SELECT convert_from(state, 'UTF8') FROM ledger.events WHERE topic = %s"
        " AND table_code = %s ORDER BY position",
        (commission_account.CommissionAccrued.TOPIC, COLLECTED),
    ).fetchall()
    accrued = [json.loads(state) for (state,) in told]
    (third,) = (each for each in accrued if (each["coup"][-1], each["seat"]) == ("3", 3))
    night.change(
        commission_account.CommissionAccrued.TOPIC,
        f'"exact":"{third["exact"]}","charged":{third["charged"]}',
        f'"exact":"{third["exact"]}","charged":{third["charged"] - 1_00}',
    )
    changed = f"seat 3: commission accrued in {third['stay']}: charged"

    assert night.found()[coup(COLLECTED, 3), changed] == (
        third["charged"] - 1_00,
        third["charged"],
    )


def test_a_coup_of_which_nothing_is_left_is_missed_by_its_shoe(night):
    night.run("DELETE FROM ledger.events WHERE topic LIKE 'coup.%%' AND table_code = 'B01'")

    assert {where for where, _ in night.found()} == {coup(DEFERRED, n) for n in (1, 2, 3)}


def test_coups_of_a_shoe_of_which_nothing_is_left_are_walked_all_the_same(night):
    night.run("DELETE FROM ledger.events WHERE topic LIKE 'shoe.%%' AND table_code = 'B01'")
    found = night.found()

    assert {where for where, _ in found} == {coup(DEFERRED, n) for n in (1, 2, 3)}
    assert found[coup(DEFERRED, 1), "the shoe"] == ("did not begin the coup", "began it")


# Whatever an event has become.
WORSE = ["{}", "[]", "7", "not json", '{"at":"2026-11-21T20:00:00+00:00"}', '{"at":7}', ""]


def altered(state):
    """The event with each of its fields gone, of another kind, and empty."""
    for name in state:
        yield {each: value for each, value in state.items() if each != name}
        for value in ({"x": 1}, None, "", "\x00{x}", 10**30):
            if value != state[name]:
                yield {**state, name: value}


TOPICS = sorted(events_of("coup"))
STEP = times(5, 1)  # so many ways are left out before the next; each event begins with another one


@pytest.fixture(scope="module")
def streams(recorded):
    """Every coup's stream, by its address."""
    with recorded.database.session("sabot_auditor") as connection:
        found = [
            read_stream(connection, Coup.stream(Address.parse(coup(table, number))))
            for table in (DEFERRED, AT_PAYOUT, CARRIED)
            for number in (1, 2, 3)
        ]
    return {json.loads(stream[0].state)["coup"]: stream for stream in found if stream}


@pytest.mark.parametrize("topic", TOPICS)
def test_no_event_of_a_coup_can_be_altered_so_that_anything_stumbles(
    recorded, streams, topic, monkeypatch
):
    """Of those that did not happen this night, one is put at the end."""
    address, stream, n = with_event(streams, topic)
    state = json.loads(stream[n].state)
    ways = [*WORSE, *(json.dumps(each) for each in altered(state))]
    zone = ZoneInfo("Europe/Vienna")
    with recorded.database.session("sabot_auditor") as connection:
        for worse in ways[TOPICS.index(topic) % STEP :: STEP]:
            event = replace(stream[n], state=worse.encode())
            events = [*stream[:n], event, *stream[n + 1 :]]
            lines = [line_of(each.position, each.topic, each.state) for each in events]
            again = adjudicate(str(address), lines, Around(begun=True))
            monkeypatch.setattr(ops.replay.story, "read_stream", _instead(events))
            found = find(connection, address)
            told = as_dict(found)

            assert as_texts(again.disagreements)
            assert json.dumps(told)
            if isinstance(lines[n].event, Unreadable):
                assert not told["agrees"], worse
            if found.replay and told["rules"]:
                Page(found, found.replay, console(), zone).print()


def with_event(streams, topic):
    """A coup with such an event, and where in its stream."""
    for address, stream in streams.items():
        for n, event in enumerate(stream):
            if event.topic == topic:
                return Address.parse(address), stream, n
    address, stream = next(iter(streams.items()))
    example = json.dumps({**stored(topic), "coup": address}).encode()
    event = replace(stream[-1], topic=topic, state=example)
    return Address.parse(address), [*stream, event], len(stream)


def _instead(events):
    return lambda connection, stream: (
        events if stream == events[0].originator_id else read_stream(connection, stream)
    )


def test_what_nobody_can_read_is_named_by_its_position(night):
    night.run(
        "UPDATE ledger.events SET state = '{}' WHERE topic IN"
        " ('coup.card-dealt', 'shoe.card-drawn', 'commission-account.commission-accrued')"
    )
    result = shell(night.database, "audit", "adjudicate", "--all", "--look")

    assert (result.exit_code, "Traceback" in result.output) == (1, False)
    assert "coup.card-dealt on record, it cannot be read" in result.stdout


def test_many_processes_say_what_one_says(night):
    for event, old, new, table, _ in TAMPERED[:6]:
        night.change(event.TOPIC, old, new, f"table_code = '{table}'")
    one, two = (
        shell(night.database, "audit", "adjudicate", "--all", "--look", "--json", *processes)
        for processes in (["--processes", "1"], ["--processes", "2"])
    )

    assert one.stdout == two.stdout
    assert (1, 1) == (one.exit_code, two.exit_code)
    assert len(json.loads(one.stdout)["disagreements"]) > 6


# That it disagrees is an exception.
@pytest.fixture
def tampered(pit, superuser):
    """A settled coup that was paid too much, as the record says now."""
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.play(PLAYER_WINS, (5, "player", 50_00))
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute(
        "UPDATE ledger.events SET state = convert_to("
        "replace(convert_from(state, 'UTF8'), '\"paid\":20000', '\"paid\":30000'), 'UTF8')"
        " WHERE topic = 'coup.wager-settled'"
    )
    return pit


PAID = [{"what": "seat 3 banker: paid", "recorded": "30000", "adjudicated": "20000"}]


def again(pit, number):
    """The answer to who has a coup adjudicated once more."""
    return pit.dispatcher.dispatch({"command": "readjudicate", "coup": coup("B01", number)}).body


def exceptions(database):
    rows = rows_of(database, "coup", "kind", "detail", "by", report=REPORTS["exceptions"])
    return [
        (where, detail["disagreements"], by) for where, kind, detail, by in rows if kind == KIND
    ]


def test_a_coup_that_disagrees_is_an_exception_once(tampered, database):
    both = [shell(database, "audit", "adjudicate", "--all", "--by", "V-1") for _ in range(2)]
    (row,) = exceptions(database)

    assert [1, 1] == [each.exit_code for each in both]
    assert row == (coup("B01", 1), PAID, "V-1")
    assert "seat 3 banker: paid: 30000 on record, 20000 by today's rules" in both[0].stdout
    assert "Recorded as exceptions: 1 coup." in both[1].stderr


def test_only_to_look_records_nothing(tampered, database):
    result = shell(database, "audit", "adjudicate", "--all", "--look")

    assert (result.exit_code, exceptions(database)) == (1, [])


def test_it_is_on_the_board_and_at_its_coup_until_somebody_has_it_in_hand(tampered, database):
    position = again(tampered, 1)["position"]
    board = json.loads(shell(database, "board", "--json").stdout)
    told = rows_of(database, "coup", "exceptions", report=REPORTS["coup"])
    alert = f"disagreement-on-re-adjudication/{position}"
    seen = shell(database, "alert", "acknowledge", alert, "--by", "S-11")

    assert KIND in {each["kind"] for each in board["alerts"]}
    assert [each["disagreements"] for each in told[0][1]] == [PAID]
    assert seen.exit_code == 0, seen.output


def test_readjudicate_says_whether_it_agrees(tampered, database):
    first, again, other = (
        shell(database, "readjudicate", coup("B01", n), "--by", "V-1") for n in (1, 1, 2)
    )

    assert [0, 0, 0] == [each.exit_code for each in (first, again, other)]
    assert first.stdout.splitlines()[0] == (
        "! The record does not agree: seat 3 banker: paid: 30000 on record, 20000 by today's rules."
    )
    assert first.stdout.splitlines()[1].endswith("It is now among the exceptions.")
    assert again.stdout.startswith("It was among the exceptions already: seat 3 banker: paid")
    assert other.stdout == "The record agrees with today's rules.\n"


def test_its_answer_tells_every_line_and_states_the_same_but_once(tampered):
    first, second, agrees = (again(tampered, number) for number in (1, 1, 2))

    assert [("AdjudicationDisagreed", PAID)] == [
        (event["type"], event["disagreements"]) for event in first["events"]
    ]
    assert (second["ok"], second["events"], second["position"]) == (True, [], None)
    assert (first["agrees"], first["disagreements"]) == (False, PAID)
    assert (agrees["ok"], agrees["agrees"], agrees["events"]) == (True, True, [])


def test_another_line_that_disagrees_is_another_exception(tampered, database, superuser):
    again(tampered, 1)
    superuser.execute("DELETE FROM ledger.events WHERE topic = 'coup.betting-closed'")
    again(tampered, 1)

    assert [1, 2] == [len(each[1]) for each in exceptions(database)]


def test_a_coup_that_never_was_is_refused(tampered):
    assert again(tampered, 3)["message"] == f"The ledger has no coup {coup('B01', 3)}."


def test_a_coup_of_which_nothing_is_left_disagrees_in_a_stream_of_its_own(
    tampered, database, superuser
):
    superuser.execute("DELETE FROM ledger.events WHERE topic LIKE 'coup.%'")

    assert [event["rules"] for event in again(tampered, 1)["events"]] == [""]
    assert [coup("B01", 1)] == [where for where, *_ in exceptions(database)]


def test_in_a_closed_house_nobody_adjudicates_before_they_sign_on(tampered, database):
    enrol = {"command": "staff.enrol", "staff": "A-1", "name": "Ann", "role": "administrator"}
    assert tampered.dispatcher.dispatch(enrol).ok
    result = shell(database, "audit", "adjudicate", "--all")

    assert (result.exit_code, result.stdout, exceptions(database)) == (1, "", [])
    assert result.stderr.startswith("NotSignedOn: ")


def test_whoever_may_not_is_told_that_nothing_was_recorded(tampered, database, monkeypatch):
    monkeypatch.setattr(Readjudicate, "permission", Permission(("surveillance",)))
    enrol = {"command": "staff.enrol", "staff": "A-1", "name": "Ann", "role": "administrator"}
    code = tampered.dispatcher.dispatch(enrol).body["code"]
    _, token = sign_on(tampered.dispatcher, "A-1", code, "482913")
    save_token(token)
    result = shell(database, "audit", "adjudicate", "--all")
    token_file().unlink()

    assert (result.exit_code, exceptions(database)) == (1, [])
    assert "Nothing was recorded: NotPermitted" in result.stderr


def test_the_replay_says_how_it_becomes_an_exception(tampered, database):
    result = shell(database, "replay", coup("B01", 1))

    assert f"`sabot readjudicate {coup('B01', 1)}` makes that an exception" in result.stderr
    assert shell(database, "replay", coup("B01", 2)).stderr == ""
