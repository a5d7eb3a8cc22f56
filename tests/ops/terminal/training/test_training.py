"""Training as it is used: a course in front of a real session, on a real ledger of its own."""

import json
from collections import Counter

import pytest
from click.testing import CliRunner

from domain.rules.cards import symbol
from domain.rules.house_rules import named
from domain.rules.refusals import AlreadyOpen, BadValue
from ops.cli import cli
from ops.ledger.embedded import Embedded
from ops.terminal.dealer.due import task
from ops.terminal.dealer.prompts import help_lines, hint
from ops.terminal.training.course import planned
from ops.terminal.training.moments import Betting, Dealing, Paying
from ops.terminal.training.plan import Plan
from ops.terminal.training.session import TrainingSession, training_database
from tests.ops.terminal.training.trainee import attend, lines_at, never, wagers_line

DRAGON = "dragon-bonus@1"


@pytest.fixture
def begin(database, tmp_path, monkeypatch):
    """Opens a training on the test's ledger; what it told first, and heard of others, is kept."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path))
    begun = []

    def begin(seed=7, coups=6, rules=DRAGON, table="", with_shoe=False):
        course = planned(seed, named(rules), coups, with_shoe=with_shoe)
        session = TrainingSession(database, course, table=table, with_shoe=with_shoe)
        session.heard = []
        session.on_news = session.heard.append
        begun.append(session)
        session.first = session.open().words
        return session

    yield begin
    for session in begun:
        session.close()


def events(database):
    """How many of each kind the ledger has."""
    with database.session("sabot_auditor") as connection:
        rows = connection.execute("SELECT topic, count(*) FROM ledger.events GROUP BY topic")
        return dict(rows.fetchall())


@pytest.mark.parametrize("rules", [DRAGON, "big-table@1", "electronic@1", "ez@1"])
def test_a_whole_course_without_an_error(begin, database, rules):
    session = begin(rules=rules, coups=8)
    heard = attend(session)
    score = session.course.score

    assert (8, 0, 0, 0) == (
        score.coups,
        score.own.total(),
        score.missed.total(),
        score.false_alarms,
    )
    assert "The course is over." in heard[-1][1].words
    assert 8 == events(database)["coup.settled"]
    assert 0 == session.now.owed
    assert session.training


def test_the_first_patrons_are_asked_for_as_soon_as_the_table_is_open(begin):
    session = begin()

    assert session.first == (
        "Coup 1 of 6.",
        "Seat 2: 250 on Banker, 5 on Dragon Banker. "
        "Seat 4: 50 on Banker, 5 on Dragon Banker. "
        "Seat 5: 25 on Player, 10 on Tie, 5 on Dragon Player. "
        "Seat 6: 250 on Player.",
        "Enter the wagers, then n. Type ! if a bet is not allowed.",
    )
    assert session.say("").words == session.first


def test_what_comes_next_is_told_with_what_was_recorded(begin):
    session = begin()
    session.say(wagers_line(session.course.moment.wagers))

    assert session.say("n").words == (
        "No more bets.",
        "The shoe gives Q♦ 8♦ 10♣ 2♦. "
        "The caller: “Player queen and 10: 0. Banker 8 and 2: 0. Player draws.”",
        "Enter the cards as dealt. Type ! if the call is wrong.",
    )


def test_until_the_claim_is_judged_the_table_keeps_what_the_trainee_has_to_know(begin):
    session = begin(seed=7)
    attend(session, until=lambda moment: isinstance(moment, Dealing) and moment.new == 1)

    assert session.now.asked.headline == "JUDGE THE CALL"
    assert not session.now.due.hand  # whose card it is, or whether one is due
    assert session.now.coup.player.cards == ("QD", "TC")

    session.say("!")  # nothing is wrong; but now it is judged

    assert session.now.asked is None
    assert session.now.due.hand == "player"

    attend(session, until=lambda moment: isinstance(moment, Paying))

    assert session.now.asked.headline == "JUDGE THE PAYMENTS"
    assert [seat.paid for seat in session.now.seats] == [None] * 4
    assert session.followed.table.seat(6).paid == 500_00

    session.say("!")

    assert session.now.seat(6).paid == 500_00


def test_what_one_patron_was_paid_may_be_stated_though_what_all_are_owed_is_hidden(begin):
    session = begin(seed=7)
    attend(session, until=lambda moment: isinstance(moment, Paying))
    outcome = session.say("s 6=500")

    assert (outcome.kind, outcome.left) == ("done", "")


def test_what_is_to_be_done_is_told_again_behind_whatever_does_not_end_it(begin):
    session = begin()
    *_, wagers, how = session.first

    assert session.say("2 b 250").words[-2:] == (wagers, how)
    assert session.say("c").words[-2:] == (wagers, how)
    assert session.now.asked.words == session.task == (wagers, how)

    caught = session.say("!").words

    assert session.task == caught[-1:]
    assert session.say("2 db 5").words[-1] == caught[-1]


def test_in_training_the_help_begins_with_the_objection(begin):
    session = begin()

    assert help_lines(session.now)[0][0] == "!"
    assert "! that is wrong" in hint(session.now)


def test_when_the_course_is_over_the_screen_says_how_to_leave(begin):
    session = begin(coups=1)
    attend(session)
    due = task(session.now)

    assert (due.headline, due.how, hint(session.now)) == (
        "THE COURSE IS OVER",
        "F10 leaves",
        "F10 leaves",
    )


def test_a_trainee_who_makes_errors_is_told_which(begin, database):
    session = begin(coups=2)
    refused = session.say("2 b 7")  # no multiple of 5
    wrong = [
        session.say("n"),
        session.say("nonsense"),
        session.say("void a torn card"),
    ]
    attend(session, never, until=lambda moment: isinstance(moment, Dealing))
    wrong.append(session.say("9h"))
    attend(session, never)

    assert refused.rule == "R-BET-3"
    assert {"refused"} == {each.kind for each in wrong}
    assert [each.left for each in wrong] == ["n", "nonsense", "void a torn card", "9h"]
    assert Counter({"R-BET-3": 1, "R-DEAL-2": 1, "": 1, "R-DEAL-1": 1}) == session.course.score.own
    assert Counter({"R-BET-1": 1}) == session.course.score.missed
    assert 2 == events(database)["coup.settled"]
    assert "coup.voided" not in events(database)


def test_what_the_ledger_refuses_of_what_a_patron_tries_is_a_mistake_that_was_missed(begin):
    session = begin(coups=2)
    attend(session, until=lambda moment: isinstance(moment, Betting) and moment.tried)
    answer = session.say(wagers_line([*session.course.moment.wagers, session.course.moment.tried]))

    assert ("refused", "R-BET-1") == (answer.kind, answer.rule)
    assert answer.words[-3:-1] == (
        "Missed: seat 2 may have Player or Banker, not both (R-BET-1).",
        "Seat 2's 250 on Player goes back.",
    )
    assert answer.words[-1] == session.task[-1]
    assert "250 on Player" not in answer.words[-1]
    assert Counter({"R-BET-1": 1}) == session.course.score.missed

    attend(session)

    assert 0 == session.course.score.own.total()


def test_the_trainee_may_prepare_the_shoe(begin, database):
    session = begin(coups=1, with_shoe=True)

    assert session.first == ("8 decks come to the table. Type: load 8",)
    assert session.say("cut").rule == "R-SHOE-1"

    attend(session, until=lambda moment: getattr(moment, "step", "") == "burned")

    wrong = session.say("burn 2c")

    assert ("refused", "R-SHOE-2") == (wrong.kind, wrong.rule)
    assert wrong.words == (
        f"The first card is {symbol(session.course.plan.burned)}, and is burned.",
    )

    attend(session)

    assert 1 == session.course.score.coups
    assert 1 == events(database)["shoe.burned"]


def test_each_training_opens_a_table_of_its_own(begin):
    assert ["T1", "T2"] == [begin().table, begin().table]


def test_a_table_may_be_named_and_is_not_opened_twice(begin):
    assert "B07" == begin(table="B07").table
    with pytest.raises(BadValue, match="write a table's code"):
        begin(table="B 07")
    with pytest.raises(AlreadyOpen, match="name another table, or none"):
        begin(table="B07")


def test_who_sits_down_is_told_once_and_can_bet_at_once(begin):
    session = begin(seed=7, coups=4)
    heard = attend(session)
    told = [words for _, answer in heard for words in answer.words]
    arrivals = [coup.sits_down for coup in Plan(7, named(DRAGON), 4).course() if coup.sits_down]

    assert [f"{patron} sits down at seat {seat}." for ((seat, patron),) in arrivals] == [
        words for words in told if "sits down" in words
    ]
    assert not session.heard


def test_whoever_leaves_early_has_a_score(begin):
    session = begin()
    attend(session, until=lambda moment: isinstance(moment, Paying))

    assert 0 == session.course.score.coups
    assert "0 of 6 coups" in next(session.course.score.lines())


def test_training_never_reaches_the_ledger_of_the_casino(monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_DATABASE_URL", "postgresql://the-casino/sabot")
    monkeypatch.setenv("SABOT_HOME", str(tmp_path))
    database = training_database()

    assert database.given is None
    assert database.embedded.data == Embedded(tmp_path / "training").data
    assert database.embedded.data != Embedded().data


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (["--database", "postgresql://x/y", "dealer", "--training"], "leave --database out"),
        (["dealer", "B01", "--seed", "7"], "--seed is for training"),
        (["dealer", "B01", "--seed", "0"], "--seed is for training"),
        (["dealer", "B01", "--json"], "--json is for training"),
        (["dealer", "--training", "--coups", "61"], "1<=x<=60"),
    ],
)
def test_what_has_no_meaning_is_wrong_usage(said, words):
    answer = CliRunner().invoke(cli, said)

    assert 2 == answer.exit_code
    assert words in answer.output


def test_the_command_in_plain_marks_every_line_and_ends_with_the_score(
    database, tmp_path, monkeypatch
):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path))
    monkeypatch.setattr("ops.terminal.training.session.training_database", lambda: database)
    plan = Plan(7, named(DRAGON), 1)
    moments = [moment for coup in plan.course() for moment in coup.moments]
    typed = [line for moment in moments for line in lines_at(moment)]
    said = ["dealer", "--training", "--plain", "--seed", "7", "--coups", "1", "--json"]
    answer = CliRunner().invoke(cli, said, input="\n".join([*typed, "look"]) + "\n")
    *told, score = answer.stdout.splitlines()
    aside = answer.stderr.splitlines()

    assert 0 == answer.exit_code
    assert len(typed) == len(told)
    assert all(line.startswith("TRAINING ") for line in (*told, *aside))
    seats = [aside.index(line) for line in aside if line.endswith(": no bet.")]
    first = next(aside.index(line) for line in aside if "Coup 1 of 1." in line)
    assert max(seats) < first  # the table is shown, then what happens at it
    assert told[-1].endswith(" The course is over.")  # and ends by itself; the score follows
    assert all(" Now: " in line for line in told[:-1])
    assert not any("Next: " in line for line in (*told, *aside))
    assert 1 == json.loads(score)["coups"]
