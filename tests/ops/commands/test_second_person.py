"""The second person types their PIN in place: who may, how often it may be wrong, who learns."""

from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from domain.rules.pins import WRONG_PINS, is_pin
from ops.cli import cli
from ops.commands.casino import Casino
from ops.commands.signed_on import NOBODY
from ops.commands.table import TableLimits
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.for_two import answer_for_two
from ops.handlers.handlers import HANDLERS, handler_of
from ops.handlers.sign_on import awaits_code, sign_on, signature, who_is_here
from ops.handlers.to_sign import Signature, ToSign
from ops.handlers.trial import second_of, to_sign
from ops.ledger.database import LedgerLost, OutcomeUnknown
from ops.ledger.recorder import Ledger
from ops.ledger.secrets import People, Proof
from projections import REPORTS
from tests.acceptance.channels import kinds, rows_of
from tests.worlds.closed_house import GUESS, LIMITS, OPEN, OTHER, PIN, DealerAtWork
from tests.worlds.gaming_table import PLAYER_WINS, GamingTable
from tests.worlds.shells import on_a_terminal
from tests.worlds.two_people import needs_second

pytestmark = pytest.mark.usefixtures("held")

WRONG = "That is not the PIN of S-11. Check the number, then type both again."
CHIPS = {"10000": 9}


def metadata(superuser):
    return superuser.execute(
        "SELECT metadata::jsonb ->> 'with', metadata::jsonb ->> 'proved' "
        "FROM ledger.events ORDER BY position DESC LIMIT 1"
    ).fetchone()


def test_a_second_person_who_is_not_signed_on_needs_only_their_pin(house, superuser):
    answer = house.types(PIN)

    assert (answer["ok"], kinds(answer)) == (True, ["LimitsChanged"])
    assert metadata(superuser) == ("S-11", "pin")
    assert not house.member().signed_on


def test_a_person_who_is_only_named_is_no_second_person_signed_on_or_not(house, superuser):
    line = {**LIMITS, "with": "S-11"}
    away = house.dealer.dispatch(line).body
    supervisor = Dispatcher(house.casino, "test")
    sign_on(supervisor, "S-11", PIN)
    at_work = house.dealer.dispatch(line).body

    assert away["events"][0]["why"] == "second-unproved"
    assert [each["error"] for each in (away, at_work)] == ["SecondPersonNeeded"] * 2
    assert house.types(PIN, {**LIMITS, "minimum": 25_00})["ok"]  # at work or not
    assert metadata(superuser) == ("S-11", "pin")


def test_a_wrong_pin_is_recorded_for_both_people_and_nothing_else_happens(house, superuser):
    answer = house.types(GUESS)

    assert answer["error"] == "WrongPin"
    assert answer["message"] == WRONG
    assert answer["events"] == [
        {
            "type": "SignOnRefused",
            "staff": "S-11",
            "table": "B01",
            "why": "wrong-pin",
            "machine": "pit-1",
            "user": "pit",
        },
        {
            "type": "ActRefused",
            "staff": "D-204",
            "command": "table.limits",
            "table": "B01",
            "error": "WrongPin",
            "why": "second-pin",
            "second": "S-11",
        },
    ]
    assert metadata(superuser) == ("S-11", None)


def test_the_access_report_shows_whose_pin_was_tried_and_by_whom(house):
    house.types(GUESS)
    house.types(PIN)
    told = rows_of(house.database, "staff", "act", "by", report=REPORTS["access"])

    assert told[-3:] == [
        ("S-11", "sign-on refused: wrong PIN, pit-1 (as pit)", "D-204"),
        (
            "D-204",
            "refused table.limits: the second person's PIN was wrong, second person S-11",
            "D-204",
        ),
        ("S-11", "PIN proved as the second person", "D-204"),
    ]


def test_wrong_pins_of_a_second_person_lock_them_as_wrong_ones_at_sign_on_do(house, patient):
    told = [house.types(f"{guess:06}")["error"] for guess in range(WRONG_PINS)]
    right = house.types(PIN)
    signs_on, _ = sign_on(Dispatcher(house.casino, "test"), "S-11", PIN)

    assert told == ["WrongPin"] * (WRONG_PINS - 1) + ["PinLocked"]
    assert (right["error"], right["events"][0]["why"]) == ("PinLocked", "locked")
    assert signs_on.body["error"] == "PinLocked"


def test_wrong_pins_at_both_places_count_together_and_a_right_one_resets_the_count(house):
    sign_on(Dispatcher(house.casino, "test"), "S-11", GUESS)
    house.types(GUESS)
    right = house.types(PIN)
    again = house.types(GUESS)

    assert kinds(right) == ["PinProved", "LimitsChanged"]
    assert (again["message"], house.member().wrong) == (WRONG, 1)


def test_a_right_pin_for_a_command_that_is_refused_does_not_reset_the_count(house):
    house.types(GUESS)
    refused = house.types(PIN, {**LIMITS, "minimum": 1})

    assert (refused["ok"], refused.get("events")) == (False, None)
    assert house.member().wrong == 1


def test_guesses_from_two_terminals_at_once_are_counted_one_by_one(house, patient):
    """Each decides by what it holds; the second to write finds the first one's count."""
    other = DealerAtWork.__new__(DealerAtWork)
    other.casino = Casino(Ledger(house.database))
    other.dispatchers = {"D-204": Dispatcher(other.casino, "test", token=house.token("D-204"))}
    told = [each.types(GUESS)["error"] for each in (house, other) * (WRONG_PINS // 2)]
    other.casino.close()

    assert told == ["WrongPin"] * (WRONG_PINS - 1) + ["PinLocked"]


def test_one_id_is_checked_once_so_that_sending_it_again_reveals_nothing(house, patient):
    first = house.types(GUESS, id="k-1")
    again = [house.types(pin, id="k-1") for pin in (GUESS, OTHER, GUESS, PIN)]
    other = house.types(PIN, {**LIMITS, "minimum": 25_00}, id="k-1")

    assert again == [first] * 4
    assert other["error"] == "IdReused"
    assert house.member().wrong == 1
    assert house.types(PIN, id="k-2")["ok"]  # mended: a new command with a new id


def test_no_pin_is_checked_for_an_id_that_was_used(house, monkeypatch):
    house.types(GUESS, id="k-1")
    decided = []
    monkeypatch.setattr(
        "domain.aggregates.staff.StaffMember.prove", lambda *_, **told: decided.append(told)
    )
    house.types(PIN, id="k-1")

    assert decided == []


def test_a_command_of_two_people_is_answered_again_without_a_pin(house):
    first = house.types(PIN, id="k-1")
    again = house.dealer.dispatch({**LIMITS, "with": "S-11", "id": "k-1"}).body

    assert first == again


def test_a_pin_that_was_changed_since_it_was_typed_proves_nothing(house):
    old = house.sign("S-11", PIN, LIMITS)
    elsewhere = Dispatcher(Casino(Ledger(house.database)), "test")
    sign_on(elsewhere, "S-11", PIN)
    proof = People(elsewhere.casino.ledger).proof("S-11", PIN, OTHER)
    assert elsewhere.dispatch({"command": "staff.change-pin", "staff": "S-11"}, proof).ok
    elsewhere.casino.close()
    stale = house.dealer.dispatch({**LIMITS, "with": "S-11"}, second=old).body

    assert (old.proof.right, stale["error"]) == (True, "WrongPin")
    assert house.types(OTHER)["ok"]


def test_a_pin_that_is_changed_while_the_line_is_decided_proves_nothing(house, monkeypatch):
    """Between the look at the PIN and the write: what was relied on has moved."""
    old = house.sign("S-11", PIN, LIMITS)
    elsewhere = Dispatcher(Casino(Ledger(house.database)), "test")
    sign_on(elsewhere, "S-11", PIN)
    proof = People(elsewhere.casino.ledger).proof("S-11", PIN, OTHER)
    limit = handler_of(TableLimits)

    def meanwhile(desk, command):
        monkeypatch.setitem(HANDLERS, TableLimits, limit)
        assert elsewhere.dispatch({"command": "staff.change-pin", "staff": "S-11"}, proof).ok
        limit(desk, command)

    monkeypatch.setitem(HANDLERS, TableLimits, meanwhile)
    answer = house.dealer.dispatch({**LIMITS, "with": "S-11"}, second=old).body
    elsewhere.casino.close()

    assert answer["error"] == "WrongPin"


def test_a_proof_counts_for_one_person_only(house):
    """The same PIN, typed by another: what was typed is not what the named one is known by."""
    of_another = house.sign("P-1", PIN, LIMITS)
    answer = house.dealer.dispatch({**LIMITS, "with": "S-11"}, second=of_another).body

    assert (of_another.proof.right, answer["error"]) == (True, "WrongPin")


def proved(dispatcher, line, *, right=True):
    return Signature(to_sign(dispatcher, line), Proof(right=right))


def test_a_proof_for_an_unknown_number_proves_nobody(house):
    answer = house.dealer.dispatch(
        {**LIMITS, "with": "S-11"}, second=proved(house.dealer, LIMITS)
    ).body

    assert answer["error"] == "WrongPin"


NO = [
    # who       why               words
    ("D-204", "second-same",     ", and D-204 is already the first."),
    ("D-205", "second-role",     ", and D-205 has another role."),
    ("N-99",  "second-unknown",  ", and N-99 is no staff number."),
    ("X-1",   "second-retired",  ", and X-1 is retired."),
    ("X-2",   "second-no-pin",   ", and X-2 has no PIN yet."),
]  # fmt: skip


@pytest.mark.parametrize("pin", [PIN, GUESS], ids=["right", "wrong"])
@pytest.mark.parametrize(("staff", "why", "words"), NO, ids=[row[1] for row in NO])
def test_a_person_who_may_not_be_the_second_is_refused_whatever_they_type(
    house, staff, why, words, pin
):
    house.join("X-1", "supervisor")
    house.boss.dispatch({"command": "staff.retire", "staff": "X-1"})
    house.enrol("X-2", "supervisor")
    answer = house.types(pin, staff=staff)

    assert (answer["error"], answer["events"][0]["why"]) == ("SecondPersonNeeded", why)
    assert words in answer["message"]
    assert kinds(answer) == ["ActRefused"]


@pytest.mark.parametrize(("staff", "why", "words"), NO, ids=[row[1] for row in NO])
def test_a_person_who_may_not_be_the_second_is_asked_for_no_pin(house, staff, why, words):
    house.join("X-1", "supervisor")
    house.boss.dispatch({"command": "staff.retire", "staff": "X-1"})
    house.enrol("X-2", "supervisor")
    asked = []
    line = {**LIMITS, "with": staff}
    answer = answer_for_two(house.dealer, line, lambda second, _: asked.append(second) or PIN).body

    assert asked == []
    assert (answer["error"], answer["events"][0]["why"]) == ("SecondPersonNeeded", why)
    assert words in answer["message"]


def test_a_one_time_code_is_no_pin(house):
    code = house.enrol("X-2", "supervisor")["code"]
    answer = house.types(code, staff="X-2")

    assert answer["events"][0]["why"] == "second-no-pin"
    assert awaits_code(house.dealer, "X-2")


def test_a_pin_that_was_replaced_by_a_code_is_wrong(house):
    old = house.sign("S-11", PIN, LIMITS)
    house.enrol("S-11", "supervisor")
    answer = house.dealer.dispatch({**LIMITS, "with": "S-11"}, second=old).body

    assert answer["events"][0]["why"] == "second-no-pin"


def test_no_pin_is_checked_for_a_command_that_the_first_person_may_not_give(house):
    """A stranger, and a role that may not, learn nothing of a PIN and lock nobody."""
    stranger = Dispatcher(house.casino, "test")
    told = [
        stranger.dispatch({**LIMITS, "with": "S-11"}, second=house.sign("S-11", pin, LIMITS)).body
        for pin in (PIN, GUESS)
    ]
    barred = [
        house.types(pin, {"command": "patron.unbar", "patron": "P-1", "reason": "x"})
        for pin in (PIN, GUESS)
    ]

    assert told[0] == told[1]
    assert told[0]["error"] == "NotSignedOn"
    assert [each["error"] for each in barred] == ["NotPermitted"] * 2
    assert barred[0]["message"] == barred[1]["message"]
    assert house.member().wrong == 0


def test_signing_oneself_off_with_a_second_person_proves_nothing_about_them(house, superuser):
    line = {"command": "staff.sign-off", "staff": "D-204"}

    assert house.types(PIN, line)["ok"]
    assert metadata(superuser) == ("S-11", None)


def test_the_pin_of_a_second_person_who_is_not_needed_is_checked_too(house):
    seat = {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-3"}

    assert house.types(GUESS, seat)["error"] == "WrongPin"
    assert house.types(PIN, seat)["ok"]


def test_no_pin_is_stored_or_shown(house, superuser, caplog):
    said = [house.types(GUESS), house.types(PIN), house.types(PIN, staff="X-99")]
    kept = superuser.execute(
        "SELECT string_agg(convert_from(state, 'UTF8') || metadata || actor || command_id, ' ') "
        "FROM ledger.events UNION ALL SELECT string_agg(answer, ' ') FROM ledger.commands"
    ).fetchall()
    proof = People(house.casino.ledger).proof("S-11", PIN, OTHER)

    for text in (*map(str, said), *(row[0] for row in kept), caplog.text, repr(proof)):
        assert PIN not in text
        assert GUESS not in text
        assert OTHER not in text
        assert "argon2" not in text


def test_in_open_house_the_named_person_is_believed_and_no_pin_is_asked_for(dispatcher, superuser):
    line = {**OPEN, "by": "D-204", "with": "S-11"}

    assert signature(dispatcher, "S-11", GUESS, ToSign()).proof is None
    assert dispatcher.dispatch(line, second=proved(dispatcher, line, right=False)).ok
    assert metadata(superuser) == ("S-11", None)


# What a face asks before it sends a line.
def test_it_is_known_before_dispatch_that_a_line_takes_two(house):
    taken = {
        "void": {"coup": "B01/2026-11-21/1/1", "reason": "x"},
        "correct": {"coup": "B01/2026-11-21/1/1", "seat": 3, "spot": "player", "reason": "x"},
        "table.limits": LIMITS,
        "table.close": {"table": "B01", "closer": CHIPS},
        "commission.waive": {"table": "B01", "seat": 3, "reason": "x"},
        "shoe.misdraw": {"table": "B01", "card": "9C"},
        "shoe.discard": {"table": "B01", "card": "9C", "reason": "damaged"},
    }
    head = rows_of(house.database, "at", report=REPORTS["access"])
    asked = {
        name: needs_second(house.dealer, {"command": name, **line}) for name, line in taken.items()
    }

    assert asked == dict.fromkeys(taken, True)
    assert not needs_second(house.dealer, {**LIMITS, "with": "S-11"})
    assert rows_of(house.database, "at", report=REPORTS["access"]) == head


@pytest.mark.parametrize(
    "line",
    [
        {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-3"},
        {"command": "bet", "table": "B01", "seat": 3, "spot": "player", "amount": 100_00},
        {"command": "patron.unbar", "patron": "P-1", "reason": "x"},  # it is not a dealer's
        {"command": "table.limits", "table": 1},
        {"command": "no such"},
        {},
        {**LIMITS, "at": "2999-01-01T00:00:00Z"},
    ],
)
def test_no_second_person_is_asked_for_a_line_that_needs_none_or_is_refused_anyway(house, line):
    assert not needs_second(house.dealer, line)


def test_a_supervisor_may_waive_alone_but_not_void_alone(house):
    supervisor = Dispatcher(house.casino, "test")
    sign_on(supervisor, "S-11", PIN)
    void = {"command": "void", "coup": "B01/2026-11-21/1/1", "reason": "x"}

    assert not needs_second(supervisor, LIMITS)
    assert supervisor.dispatch(LIMITS).ok
    assert needs_second(supervisor, void)


def test_no_second_person_is_asked_while_the_first_is_not_signed_on(house):
    assert not needs_second(Dispatcher(house.casino, "test"), LIMITS)


def test_events_of_another_terminal_decide_whether_a_line_takes_two(dispatcher):
    GamingTable(dispatcher).open().prepare()
    end = {"command": "shoe.end", "table": "B01", "reason": "torn", "by": "D-204"}
    assert needs_second(dispatcher, end)
    elsewhere = Dispatcher(Casino(Ledger(dispatcher.casino.ledger.database)), "test")
    cut_card = {"command": "shoe.cut-card", "table": "B01", "by": "D-204", "confirmed": True}
    assert elsewhere.dispatch(cut_card).ok
    elsewhere.casino.close()

    assert not needs_second(dispatcher, end)


def test_asking_whether_a_line_takes_two_records_nothing(dispatcher, superuser):
    """The shoe that was ended to find out is the one that the next line finds, not ended."""
    pit = GamingTable(dispatcher).open().prepare()
    pit.say("shoe.cut-card")
    end = {"command": "shoe.end", "table": "B01", "by": "D-204"}
    count = "SELECT count(*) FROM ledger.events"
    before = superuser.execute(count).fetchone()

    assert [needs_second(dispatcher, end) for _ in range(2)] == [False, False]
    assert superuser.execute(count).fetchone() == before
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    assert kinds(dispatcher.dispatch(end).body) == ["Ended", "ShoeTakenOff"]


def test_in_open_house_the_rules_of_the_game_decide_what_takes_two(dispatcher):
    pit = GamingTable(dispatcher).open().prepare()
    coup = pit.play(PLAYER_WINS, (3, "player", 100_00)).body["coup"]
    said = {"by": "D-204"}
    early = {"command": "shoe.end", "table": "B01", "reason": "torn", **said}
    pit.say("open")
    pit.bet(3, "player", 100_00)
    placed_at = pit.moment.isoformat()
    pit.say("draw", card="9C")
    bet = {"command": "bet", "table": "B01", "seat": 1, "spot": "banker", "amount": 100_00}
    late = {**bet, "at": placed_at, "late": True, **said}
    wagers = [{"seat": seat, "spot": "banker", "amount": 100_00} for seat in (1, 5)]
    several = {**late, "command": "bets", "wagers": wagers}
    del several["seat"], several["spot"], several["amount"]

    assert needs_second(dispatcher, {"command": "void", "coup": coup, "reason": "x", **said})
    assert needs_second(dispatcher, late)
    assert needs_second(dispatcher, several)
    assert not needs_second(dispatcher, {**LIMITS, **said})
    assert not needs_second(dispatcher, early)  # a coup is in play
    pit.deal("5S 7C QD 9S", settle=True)
    assert needs_second(dispatcher, early)
    pit.say("shoe.cut-card")
    assert not needs_second(dispatcher, early)
    assert pit.ask("shoe.end").ok  # it was asked, not done


def test_signing_on_gives_the_dispatcher_its_token(house):
    fresh = Dispatcher(house.casino, "test")
    refused, _ = sign_on(fresh, "S-11", GUESS, table="B01")
    nobody = who_is_here(fresh)
    answer, token = sign_on(fresh, "S-11", PIN, table="B01")
    here = who_is_here(fresh)

    assert (refused.body["error"], nobody) == ("WrongPin", None)
    assert (answer.ok, fresh.authority.token) == (True, token)
    assert (here.staff, here.role, here.table) == ("S-11", "supervisor", "B01")
    house.boss.dispatch({"command": "staff.sign-off", "staff": "S-11"})
    assert who_is_here(fresh) is None


def test_after_a_lost_answer_the_token_shows_whether_the_sign_on_counts(house, monkeypatch):
    fresh = Dispatcher(house.casino, "test")
    heard = fresh.dispatch

    def lost(*said):
        heard(*said)
        raise OutcomeUnknown("cut off")

    monkeypatch.setattr(fresh, "dispatch", lost)
    with pytest.raises(OutcomeUnknown):
        sign_on(fresh, "S-11", PIN)

    assert who_is_here(fresh).staff == "S-11"


def test_the_house_closes_for_every_process_at_once(dispatcher):
    other = Dispatcher(Casino(Ledger(dispatcher.casino.ledger.database)), "test")
    before = [each.authority.house_is_closed() for each in (dispatcher, other)]
    line = {"command": "staff.enrol", "staff": "A-1", "name": "A", "role": "administrator"}
    dispatcher.dispatch(line)
    after = [each.authority.house_is_closed() for each in (dispatcher, other)]
    other.casino.close()

    assert (before, after) == ([False] * 2, [True] * 2)


@pytest.mark.parametrize("staff", ["", "\x00", "S-11\x00", "\udcff", "x" * 1000])
def test_a_text_that_is_no_staff_number_proves_nothing_and_breaks_nothing(house, staff):
    assert not house.sign(staff, PIN, LIMITS).proof.right
    assert not awaits_code(house.dealer, staff)


@pytest.mark.parametrize("staff", ["", "\x00", "S-11\x00", "x" * 1000])
def test_a_text_that_is_no_staff_number_is_refused_in_words(house, staff):
    answer, _ = sign_on(Dispatcher(house.casino, "test"), staff, PIN)

    assert answer.body["error"] == house.types(PIN, staff=staff)["error"] == "BadValue"


def test_an_empty_pin_proves_nothing_and_costs_no_try(house):
    told = [house.types("") for _ in range(WRONG_PINS)]
    signs_on, token = sign_on(Dispatcher(house.casino, "test"), "S-11", "")
    tries = house.member().wrong
    sign_on(Dispatcher(house.casino, "test"), "S-11", PIN)

    assert house.sign("S-11", "", LIMITS).proof is None
    assert told[0]["events"][0]["why"] == "second-unproved"
    assert {each["error"] for each in told} == {"SecondPersonNeeded"}
    assert signs_on.body["error"] == "BadValue"
    assert signs_on.body["message"] == ("The PIN is empty. Type the PIN of S-11.")
    assert (token, tries) == (NOBODY, 0)
    assert house.types("")["error"] == "SecondPersonNeeded"  # at work, and named, is not enough


@pytest.mark.parametrize("pin", [" ", "\x00", "\udcff", "４７１１", "9" * 10_000])
def test_a_text_that_is_no_pin_is_a_wrong_pin(house, pin):
    assert house.types(pin)["error"] == "WrongPin"
    assert not is_pin(pin) or len(pin) > 4


# Where people stand, being named is not enough.
@pytest.fixture
def stands(house):
    """The dealer's own terminal, while S-11 is at work at another."""
    sign_on(Dispatcher(house.casino, "test"), "S-11", PIN)
    token = house.dealer.authority.token
    return Dispatcher(house.casino, "terminal", token=token, in_person=True)


SEAT = {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-3"}


@pytest.mark.parametrize("line", [LIMITS, SEAT], ids=["it takes two", "it does not"])
def test_in_person_the_second_person_must_type_their_pin(house, stands, superuser, line):
    named = {**line, "with": "S-11"}
    refused = stands.dispatch(named).body

    assert second_of(stands, named) == "S-11"
    assert (refused["error"], refused["rule"]) == ("SecondPersonNeeded", "R-IRR-5")
    assert refused["events"][0]["why"] == "second-unproved"
    typed = line["command"].replace(".", " ")
    assert refused["message"] == (
        f"`{typed}` takes two people, and naming S-11 is not enough. On a pipe or a feed nobody "
        "can type a PIN: S-11 types theirs at the dealer's terminal, or at a shell with a keyboard."
    )
    assert (
        stands.dispatch(named, second=house.sign("S-11", "", line)).body["error"]
        == refused["error"]
    )
    assert stands.dispatch(named, second=house.sign("S-11", PIN, line)).ok
    assert metadata(superuser) == ("S-11", "pin")


def test_it_is_known_before_dispatch_whose_pin_a_line_needs(house, stands):
    named = {**LIMITS, "with": "S-11"}

    assert second_of(stands, LIMITS) == ""
    assert needs_second(stands, named)
    assert second_of(stands, SEAT) is None
    assert second_of(stands, {**named, "with": 11}) is None
    assert second_of(house.dealer, named) is None


def test_after_another_sign_on_the_second_person_is_asked_too(house, stands):
    sign_on(stands, "D-205", PIN)

    assert stands.authority.token.staff == "D-205"
    assert stands.dispatch({**LIMITS, "with": "S-11"}).body["error"] == "SecondPersonNeeded"


def test_in_person_a_command_of_two_people_is_answered_again_without_a_pin(house, stands):
    line = {**LIMITS, "with": "S-11", "id": "k-1"}
    first = stands.dispatch(line, second=house.sign("S-11", PIN, LIMITS)).body

    assert first["ok"]
    assert first == stands.dispatch(line).body


def test_in_open_house_the_named_person_is_believed_in_person_too(dispatcher):
    stands = Dispatcher(dispatcher.casino, "terminal", in_person=True)
    line = {**OPEN, "by": "D-204", "with": "S-11"}

    assert second_of(stands, line) is None
    assert stands.dispatch(line).ok


# What is asked of a ledger whose connection died since.
def cut_off(house, superuser):
    with house.casino.ledger.connection() as connection:
        superuser.execute("SELECT pg_terminate_backend(%s, 5000)", (connection.info.backend_pid,))


QUESTIONS = {
    "needs_second": lambda house: needs_second(house.dealer, LIMITS),
    "house_is_closed": lambda house: house.dealer.authority.house_is_closed(),
    "who_is_here": lambda house: who_is_here(house.dealer).staff == "D-204",
    "require_one_of": lambda house: (
        house.dealer.authority.require_one_of(("dealer",), "x").staff == "D-204"
    ),
    "awaits_code": lambda house: not awaits_code(house.dealer, "S-11"),
    "signature": lambda house: house.sign("S-11", PIN, LIMITS).proof.right,
    "sign_on": lambda house: sign_on(Dispatcher(house.casino, "test"), "S-11", PIN)[0].ok,
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_a_question_is_asked_again_on_a_new_connection(house, superuser, question):
    cut_off(house, superuser)

    assert question(house)


def test_a_lost_ledger_is_asked_at_most_twice(house, superuser, monkeypatch):
    tried = []

    def gone(role):
        tried.append(role)
        raise LedgerLost("gone")

    cut_off(house, superuser)
    monkeypatch.setattr(house.database, "connect", gone)
    for expected in (1, 2):
        with pytest.raises(LedgerLost):
            house.dealer.authority.house_is_closed()

        assert len(tried) == expected  # a fresh one each time, and never twice


def test_on_a_pipe_no_pin_is_asked_and_there_is_no_second_person(house, tmp_path):
    token = house.dealer.authority.token
    (tmp_path / "session").write_text(f"{token.staff}:{token.secret}\n")
    words = ["--database", house.database.url, "table", "limits", "B01"]
    says = [*words, "--minimum", "50", "--with", "S-11"]
    env = {"SABOT_SESSION": str(tmp_path / "session")}
    away = CliRunner().invoke(cli, says, env=env, input=f"{PIN}\n")
    sign_on(Dispatcher(house.casino, "test"), "S-11", PIN)
    at_work = CliRunner().invoke(cli, says, env=env)

    for each in (away, at_work):
        assert ("SecondPersonNeeded" in each.stderr, "PIN of" in each.stderr) == (True, False)
        assert each.exit_code == 1


# The real program on a real terminal.
@pytest.fixture
def today(house):
    """D-204 has signed on by the clock of the real program, which hears them for some hours."""
    house.casino.time.now = lambda: datetime.now(UTC)
    sign_on(house.dealer, "D-204", PIN)


def at_the_shell(house, tmp_path, types):
    """What the dealer's shell shows; the PIN is typed when it is asked for."""
    token = house.dealer.authority.token
    (tmp_path / "session").write_text(f"{token.staff}:{token.secret}\n")
    words = ["table", "limits", "B01", "--minimum", "50", "--with", "S-11"]
    return on_a_terminal(house.database, tmp_path, ["-m", "ops.cli", *words], types)


@pytest.mark.usefixtures("today")
def test_at_a_terminal_the_shell_asks_for_the_pin_without_showing_it(house, superuser, tmp_path):
    wrong, refused = at_the_shell(house, tmp_path, GUESS)
    right, done = at_the_shell(house, tmp_path, PIN)

    assert "WrongPin" in wrong
    assert GUESS not in wrong
    assert PIN not in right
    assert (refused, done) == (1, 0)
    assert metadata(superuser) == ("S-11", "pin")


@pytest.mark.usefixtures("today")
def test_at_a_terminal_an_empty_pin_is_no_proof_signed_on_or_not(house, tmp_path):
    away, refused = at_the_shell(house, tmp_path, "")
    sign_on(Dispatcher(house.casino, "test"), "S-11", PIN)
    at_work, done = at_the_shell(house, tmp_path, "")

    assert "naming S-11 is not enough" in away
    assert "naming S-11 is not enough" in at_work
    assert (refused, done, house.member().wrong) == (1, 1, 0)
