"""Patrons by the names that the floor has for them: who they are, and whether they may play."""

import pytest

from domain.aggregates.patron import Patron
from domain.rules.refusals import BadValue, PatronBarred
from tests.domain.floor import EVENING
from tests.scenario import given, replayed


def known(name="P-3"):
    return Patron.know(name, EVENING)


def identified(patron_is="P-10417"):
    return lambda patron: patron.identify(patron_is)


def barred(*kind):
    return lambda patron: patron.bar("counted cards", *kind)


def unbarred(patron):
    patron.unbar("the term is over")


def played(patron):
    patron.require_welcome()


def test_a_name_becomes_known_and_is_welcome():
    patron = known()
    event = patron.pending_events[0]

    assert (type(event).TOPIC, event.patron) == ("patron.known", "P-3")
    assert (patron.identity, patron.barred, patron.belongs_to) == ("P-3", False, (None, ""))
    assert Patron.stream("P-3") == patron.id != Patron.stream("P-4")
    assert replayed(patron) == patron


def test_every_event_says_whose_it_is():
    patron = known()
    for act in (identified(), barred(), unbarred):
        act(patron)

    assert ["P-3"] * 4 == [event.patron for event in patron.pending_events]


def test_an_alias_turns_out_to_be_a_patron():
    told = given(known()).when(identified())
    told.then(("Identified", {"patron_is": "P-10417"}))

    assert told.aggregate.identity == "P-10417"


@pytest.mark.parametrize(
    ("earlier", "patron_is", "message"),
    [
        ([], "P-3", "P-3 is the alias itself. Name the patron who it is."),
        ([identified()], "P-4", "P-3 is already identified as P-10417."),
        ([identified()], "P-10417", "P-3 is already identified as P-10417."),
        ([identified()], "P-3", "P-3 is already identified as P-10417."),
    ],
)
def test_an_alias_is_one_other_patron_and_is_identified_once(earlier, patron_is, message):
    told = given(known(), *earlier).when(identified(patron_is))

    assert message == str(told.then_refused(BadValue))


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (barred(), "barred"),
        (barred("barred"), "barred"),
        (barred("self-excluded"), "self-excluded"),
    ],
)
def test_a_patron_is_barred_by_the_house_or_by_their_own_wish(act, kind):
    told = given(known()).when(act)
    told.then(("Barred", {"reason": "counted cards", "kind": kind}))

    assert told.aggregate.barred


@pytest.mark.parametrize(
    ("kind", "why"),
    [("barred", "the house barred them"), ("self-excluded", "they excluded themselves")],
)
def test_a_barred_patron_may_not_play(kind, why):
    refusal = given(known(), barred(kind)).when(played).then_refused(PatronBarred)
    expected = f"P-3 may not play: {why}. Call the supervisor, and do not take the bet."

    assert expected == str(refusal)


@pytest.mark.parametrize("earlier", [[], [identified()], [barred(), unbarred]])
def test_everybody_else_may(earlier):
    given(known(), *earlier).when(played).then()


@pytest.mark.parametrize("kind", ["barred", "self-excluded"])
@pytest.mark.parametrize("again", ["barred", "self-excluded"])
def test_a_patron_is_barred_once(kind, again):
    refusal = given(known(), barred(kind)).when(barred(again)).then_refused(BadValue)

    assert str(refusal) == "P-3 is already barred."


def test_a_patron_is_barred_in_no_third_way():
    refusal = given(known()).when(barred("frowned upon")).then_refused(BadValue)

    assert str(refusal) == "kind cannot be 'frowned upon': write `barred` or `self-excluded`."


def test_a_bar_is_lifted_and_may_be_set_again():
    told = given(known(), barred()).when(unbarred)
    told.then(("Unbarred", {"reason": "the term is over", "was": "barred"}))

    assert not told.aggregate.barred
    given(told.aggregate).when(barred("self-excluded")).then("Barred")


@pytest.mark.parametrize("earlier", [[], [barred(), unbarred]])
def test_a_bar_that_is_not_there_is_not_lifted(earlier):
    refusal = given(known(), *earlier).when(unbarred).then_refused(BadValue)

    assert str(refusal) == "P-3 is not barred."
