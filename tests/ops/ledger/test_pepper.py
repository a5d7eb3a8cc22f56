"""The ledger knows its pepper: a home with another one, or with none, records nothing."""

import json
import threading

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.ledger.database import NotFit
from ops.ledger.pepper import pepper_file
from ops.verify.rounds import Announcer, Rounds


@pytest.fixture
def own(monkeypatch, tmp_path):
    """The pepper of a home of its own."""
    monkeypatch.setenv("SABOT_PEPPER_FILE", str(tmp_path / "pepper"))
    return pepper_file()


def run(database, *words, types="y"):
    typed = f"{types}\n" * 3
    return CliRunner().invoke(cli, ["--database", database.url, *words], input=typed)


def named(database, name):
    return run(database, "property", "set", "name", name, "--by", "S-11")


def events(database):
    with database.session("sabot_auditor") as connection:
        return connection.execute("SELECT count(*) FROM ledger.events").fetchone()


def test_a_home_with_another_pepper_is_refused_in_words_and_records_nothing(database, own):
    assert 0 == named(database, "Riverside").exit_code
    pepper, before = own.read_bytes(), events(database)
    own.write_bytes(bytes(32))
    answer = named(database, "Hillside")

    assert 3 == answer.exit_code
    assert (
        f"This home's pepper is not the one that this ledger was written with: {own}."
        in answer.stderr
    )
    assert "it is in every backup that `sabot db backup` made" in answer.stderr
    assert before == events(database)
    own.write_bytes(pepper)
    assert 0 == named(database, "Hillside").exit_code


def test_no_pepper_is_made_for_a_ledger_that_has_one(database, own):
    assert 0 == named(database, "Riverside").exit_code
    own.unlink()
    answer = named(database, "Hillside")

    assert f"The pepper {own} is missing, and this ledger has one." in answer.stderr
    assert not own.exists()


def test_a_pepper_that_is_lost_for_good_is_replaced_by_the_ledgers_owner(database, own):
    assert 0 == named(database, "Riverside").exit_code
    own.unlink()
    answer = run(database, "db", "new-pepper")

    assert f"The house's pepper is {own} from now on." in answer.stderr
    assert 0 == named(database, "Hillside").exit_code


def test_a_pepper_that_is_not_lost_is_not_replaced(database, own):
    assert 0 == named(database, "Riverside").exit_code
    answer = run(database, "db", "new-pepper")

    assert 0 != answer.exit_code
    assert f"{own} is the house's pepper: it is not lost, and nothing was done." in answer.stderr


def test_db_status_says_that_a_home_has_not_the_ledgers_pepper_and_makes_none(database, own):
    assert 0 == named(database, "Riverside").exit_code
    pepper = own.read_bytes()
    own.unlink()
    missing = run(database, "db", "status")
    made = own.exists()
    own.write_bytes(bytes(32))
    foreign = run(database, "db", "status", "--json")

    assert (1, False) == (missing.exit_code, made)
    assert f"! The pepper {own} is missing, and this ledger has one." in missing.stdout
    assert not json.loads(foreign.stdout)["ok"]
    assert (
        f"This home's pepper is not the one that this ledger was written with: {own}."
        in foreign.stdout
    )
    own.write_bytes(pepper)
    assert 0 == run(database, "db", "status").exit_code


def test_nobody_s_pin_is_tried_and_nobody_enrolled_with_another_pepper(database, own):
    """A right PIN would count as a wrong one, and its count have a seal that is not the house's."""
    assert 0 == run(database, "staff", "enrol", "A-1", "Ann Archer", "administrator").exit_code
    own.unlink()
    missing = [
        run(database, "staff", "sign-on", "A-1", types="580274"),
        run(database, "staff", "enrol", "A-2", "Al Ames", "administrator"),
        run(database, "staff", "recover", "A-1", types="580274"),
    ]
    made = own.exists()
    own.write_bytes(bytes(32))
    foreign = run(database, "staff", "sign-on", "A-1", types="580274")
    with database.session("sabot_app") as connection:
        tries = connection.execute("SELECT max(tries) FROM people.staff").fetchone()

    assert not made, [each.output for each in missing]
    for each in (missing[0], missing[2]):
        assert f"The pepper {own} is missing, and this ledger has one." in each.stderr
    assert (
        f"This home's pepper is not the one that this ledger was written with: {own}."
        in foreign.stderr
    )
    assert (0,) == tries


def test_with_another_pepper_the_record_is_not_said_to_be_changed(database, own):
    """Names, wrong PINs and sign-ons have seals of the house's pepper, which nobody broke."""
    assert 0 == run(database, "staff", "enrol", "A-1", "Ann Archer", "administrator").exit_code
    assert 0 == run(database, "audit", "verify").exit_code
    pepper = own.read_bytes()
    own.write_bytes(bytes(32))
    foreign = run(database, "audit", "verify")
    found = json.loads(run(database, "audit", "verify", "--json").stdout)
    own.write_bytes(pepper)

    why = f"This home's pepper is not the one that this ledger was written with: {own}."
    assert (1, True) == (foreign.exit_code, "The chain is intact" in foreign.stdout)
    assert f"! {why}" in foreign.stdout
    assert (True, []) == (found["ok"], found["faults"])
    assert found["foreign_pepper"].startswith(why)
    assert 0 == run(database, "audit", "verify").exit_code


def test_rounds_with_another_pepper_accuse_nobody_and_are_not_whole(database, own):
    assert 0 == run(database, "staff", "enrol", "A-1", "Ann Archer", "administrator").exit_code
    told = []
    announcer = Announcer(lambda *told_of: told.append(told_of))
    rounds = Rounds(database, announcer, threading.Event(), share=100)
    rounds.once()
    own.write_bytes(bytes(32))

    with pytest.raises(NotFit, match="is not the one that this ledger was written with"):
        rounds.once()
    assert [] == told
