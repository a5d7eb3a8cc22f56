"""`sabot feed --schema`, read by a validator that is not ours."""

import json
import os
import re
import subprocess
import sys
from copy import deepcopy
from functools import cache

import pytest
from click.testing import CliRunner
from msgspec.structs import fields

from domain.events import STREAMS, events_of
from domain.events.base import event_name
from domain.rules import refusals
from domain.rules.refusals import Refusal
from domain.rules.rulebook import RULEBOOK
from ops.cli import cli
from ops.commands import schema as made
from ops.commands.disputes import Seen
from ops.commands.read import read
from ops.commands.schema import EXIT_STATUSES, HIDES_CARD, text
from ops.commands.vocabulary import COMMANDS
from ops.handlers.decided import OF_A_CARD
from ops.ledger.mapper import COMMON
from ops.words.event_fields import EVENT_FIELDS
from ops.words.fields_of_one_event import FIELDS_OF_ONE_EVENT
from tests import ROOT
from tests.acceptance.channels import as_text, feed
from tests.ops.commands.bad_lines import ROWS
from tests.ops.commands.example_line import example_line

GOLDEN = ROOT / "tests" / "golden" / "events"
EVENTS = {topic: kind for noun in STREAMS for topic, kind in events_of(noun).items()}
AT = "2026-11-21T20:14:07.120+01:00"
COMMON_FIELDS = {"at": AT, "late": True, "by": "D-204", "with": "S-11", "id": "k-7"}
# What a field of some commands may also hold.
MORE = [
    {"command": "bets", "wagers": [{"seat": 3, "spot": "banker", "amount": 10_000}]},
    {"command": "draw", "card": "th", "settle": True, "face_down": True},
    {"command": "draw"},
    {"command": "reveal", "hand": "banker", "n": 4},
    {"command": "settle", "paid": {"3": 19_500, "5": 0}},
    {"command": "shoe.reconcile", "remaining": 12},
    {"command": "table.seats", "patrons": [{"seat": 1, "patron": "周杰伦"}]},
    {"command": "table.limits", "spot": "main", "minimum": 1, "differential": 2**53},
    {"command": "shoe.load", "decks": 12, "serials": ["K-1", "K-2"], "batch": None},
    {"command": "open", "at": "2026-11-21T20:14Z"},
    {"command": "open", "at": "2026-11-21 20:14:07z"},
]
NOTE = {
    "command": "dispute.note",
    "case": "C-2026-0001",
    "text": "the chips were on Banker",
    "evidence": [{"camera": "CAM-14", "at": AT, "ahead": -1500}, {"camera": "CAM 2", "at": AT}],
    "what_if": ["card 5 = KH"],
}
schema = cache(made.schema)  # it is made anew at each call
SETTING = {"command": "property.set", "name": "reporting_amount"}
LINES = [
    *({"table": "B01", **line} for line in MORE),
    *(NOTE, {**SETTING, "value": 0}, {**SETTING, "value": "a text"}),
]
BY = {"by": "D-204", "with": "S-11"}
COUP = "B01/2026-11-21/1/1"
# An evening with refusals, cards face down, a slip, a case, and whoever is enrolled at its end.
EVENING = [
    {"command": "table.open", "rules": "dragon-bonus@1", "opener": {"10000": 5}, **BY}
    | {"day": "2026-11-21"},
    {"command": "table.seat", "seat": 3, "patron": "P-3"},
    {"command": "bet", "seat": 3, "spot": "banker", "amount": 100_00},
    {"command": "shoe.load", "decks": 8},
    {"command": "shoe.inspect"},
    {"command": "shoe.shuffle", "method": "hand"},
    {"command": "shoe.cut"},
    {"command": "shoe.burn", "card": "3D"},
    {"command": "bets", "wagers": [{"seat": 3, "spot": "banker", "amount": 100_00}], "id": "k-1"},
    {"command": "bets", "wagers": [{"seat": 3, "spot": "tie", "amount": 100_00}], "id": "k-1"},
    {"command": "bet", "seat": 3, "spot": "player", "amount": 100_00},
    {"command": "draw", "card": "2C", "face_down": True},
    {"command": "bet", "seat": 3, "spot": "tie", "amount": 100_00},
    *({"command": "draw", "card": card, "face_down": True} for card in ("9S", "5H", "KD")),
    {"command": "reveal", "hand": "player"},
    {"command": "settle", "paid": {"3": 1}},
    {"command": "settle"},
    {"command": "draw", "card": "4H"},
    {"command": "slip.request", "kind": "fill", "chips": {"10000": 5}, **BY},
    {"command": "readjudicate", "coup": COUP},
    {"command": "dispute.open", "coup": COUP, "patron": "P-3", "complaint": "paid wrongly"},
    {"command": "commission.collect", "seat": 3, "amount": 5_00},
    {"command": "no-such-command", "id": 7},
    {"command": 5},
    {"command": "staff.enrol", "staff": "A-1", "name": "Ada", "role": "administrator"},
]
AT_NO_TABLE = ("readjudicate", "dispute.open", "staff.enrol")
# What the schema cannot know: a moment before or after every casino, an accent apart, two names.
BEYOND = ("2198-11-21T20:14:07Z", "9999-12-31T23:59:59Z", "1960-01-01T20:00:00Z", "Jose\u0301")


@pytest.fixture(scope="module")
def validator():
    """Of a definition of the schema, or of a line."""
    from jsonschema import Draft202012Validator

    whole = Draft202012Validator(schema())  # what refers to it is looked up in it once

    def of(definition="line"):
        return whole.evolve(schema={"$ref": f"#/$defs/{definition}"})

    return of


@pytest.fixture(scope="module")
def line(validator):
    return validator()


def test_the_schema_is_a_schema_of_its_dialect():
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_of_every_command_is_a_line(line, validator, name):
    validator(f"command.{name}").validate(example_line(name))
    line.validate({**example_line(name), **COMMON_FIELDS})


@pytest.mark.parametrize("given", LINES, ids=str)
def test_what_a_field_may_also_hold_is_a_line(line, given):
    read(given)
    line.validate(given)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_broken_line_is_none(line, validator, name):
    """A field too many, one too few, each of another type: refused here as by the feed."""
    command = validator(f"command.{name}")
    whole = {**example_line(name), **COMMON_FIELDS}
    late = {key: whole[key] for key in whole if key != "at"}
    broken = [{**whole, "colour of the sky": "blue"}]
    for field in fields(COMMANDS[name]):
        if field.required:
            broken.append({key: whole[key] for key in whole if key != field.encode_name})
        broken.append({**whole, field.encode_name: {"no": {"such": "thing"}}})

    assert not line.is_valid(late)
    for each in broken:
        assert not command.is_valid(each), each
    for each in (late, *broken):
        with pytest.raises(Refusal):
            read(each)


def test_a_line_is_a_command_s_by_its_name_and_an_event_of_a_kind_by_its_type(line, validator):
    """So what is asked of a command or a kind of event below and above is asked of every line."""

    def meant(definition, by):
        return {
            each["if"]["properties"][by]["const"]: each["then"]["$ref"]
            for each in schema()["$defs"][definition]["allOf"]
        }

    kinds = {event_name(topic, first=kind.FIRST): topic for topic, kind in EVENTS.items()}
    assert meant("line", "command") == {name: f"#/$defs/command.{name}" for name in COMMANDS}
    assert meant("event", "type") == {
        name: f"#/$defs/event.{topic}" for name, topic in kinds.items()
    }
    assert not line.is_valid({**example_line("bet"), "colour of the sky": "blue"})
    assert not validator("event").is_valid({"type": "WagerPlaced", "seat": "blue"})


def test_what_the_feed_cannot_read_is_no_line(line):
    """Every line of the test of bad input that is refused before the ledger is asked."""
    refused = []
    for _, command, own, *_ in ROWS:
        given = {"command": command, "table": "B01", **own}
        given = {key: value for key, value in given.items() if value is not ...}
        if any(str(value) in str(given) for value in BEYOND):
            continue
        try:
            read(given)
        except Refusal:
            refused.append(given)

    assert 60 < len(refused)
    assert [given for given in refused if line.is_valid(given)] == []


@pytest.mark.parametrize("other", [[], "bet", 7, None, {}, {"command": "table.shut"}], ids=str)
def test_what_is_no_command_is_no_line(line, other):
    assert not line.is_valid(other)


@pytest.mark.parametrize("file", sorted(GOLDEN.iterdir()), ids=lambda file: file.stem)
def test_every_event_is_as_the_schema_says(validator, file):
    event, topic = json.loads(file.read_text()), re.sub(r"\.v\d+$", "", file.stem)
    kind = validator(f"event.{topic}")
    name = event_name(topic, first=EVENTS[topic].FIRST)
    answered = {"type": name} | {key: value for key, value in event.items() if key != "at"}

    kind.validate(event)
    kind.validate(answered)
    assert not kind.is_valid({**event, "at": 5})
    assert not kind.is_valid({**event, "type": "Other"})
    for field in event.keys() - {"at", "class_version"}:
        lacks = {key: event[key] for key in event if key != field}
        assert kind.is_valid(lacks) is (field in EVENTS[topic].added_later()), field
        assert not kind.is_valid({**event, field: {"no": {"such": "thing"}}}), field
        assert not validator("event").is_valid({**answered, field: {"no": {"such": "thing"}}})


def test_the_answers_of_an_evening_are_as_the_schema_says(validator, database):
    answer = validator("answer")
    lines = [
        each if each["command"] in AT_NO_TABLE else {"table": "B01", **each} for each in EVENING
    ]
    _, answers = feed(database, as_text(lines) + "x\n[1]\n")
    errors = {each["error"] for each in answers if not each["ok"]}
    keys = {key for each in answers for key in each}

    assert {"ShoeNotReady", "IdReused", "BothSides", "BettingClosed", "PaymentDisagrees"} <= errors
    assert {"CardNotDue", "UnknownCommand", "BadLine"} <= errors
    assert {"slip", "case", "code", "recovery_secret", "agrees", "line", "rule", "due"} <= keys
    assert any(
        event.get("card", "") is None for each in answers for event in each.get("events", ())
    )
    for each in answers:
        answer.validate(each)
    for accepted in (True, False):
        whole = next(each for each in answers if each["ok"] is accepted)
        for field in whole.keys() - {"id", "slip", "events", "position"}:
            less = {key: value for key, value in whole.items() if key != field}
            assert not answer.is_valid(less), field
        assert not answer.is_valid({**whole, "ok": "yes"})
        assert not answer.is_valid({**whole, "error": "NoSuchError", "due": {}})


def test_a_card_face_down_is_null_in_an_answer(validator):
    assert set(HIDES_CARD) == set(OF_A_CARD)
    for name in HIDES_CARD:
        (topic,) = (each for each in EVENTS if event_name(each) == name)
        event = json.loads((GOLDEN / f"{topic}.json").read_text())
        validator(f"event.{topic}").validate({**event, "card": None})


def test_every_refusal_is_listed_with_its_message_and_its_rule():
    errors = {each["const"]: each for each in schema()["$defs"]["error"]["oneOf"]}

    for name in errors:
        assert issubclass(getattr(refusals, name), Refusal)
    assert {"BadLine", "BothSides", "CardNotDue", "Conflict", "NotPermitted"} < errors.keys()
    assert "{amount} is no multiple of {increment}" in errors["NotAnIncrement"]["description"]
    assert {each["x-rule"] for each in errors.values()} - {None} <= set(RULEBOOK)
    assert "R-BET-1" == errors["BothSides"]["x-rule"]


def test_the_exit_statuses_are_those_of_the_help():
    helped = CliRunner().invoke(cli, ["feed", "--help"]).stdout

    assert list(EXIT_STATUSES) == [
        int(each) for each in re.findall(r"([0-9])\s", helped[helped.index("Exit status") :])[:4]
    ]


def test_every_field_is_described_in_a_sentence():
    definitions = schema()["$defs"]
    silent = [
        (name, field)
        for name, each in definitions.items()
        if name.startswith(("command.", "event.", "type."))
        for field, made in each.get("properties", {}).items()
        if field != "command"
        and not definitions.get(made.get("$ref", "")[8:], made)
        .get("description", made.get("description", ""))
        .endswith(".")
    ]

    assert [] == silent


def test_amounts_state_their_unit():
    definitions = schema()["$defs"]
    amounts = ("amount", "total", "stake", "winnings", "opener_total", "charged", "variance")
    without = [
        (name, field)
        for name, each in definitions.items()
        if name.startswith("event.")
        for field, made in each["properties"].items()
        if field in amounts and "minor currency units" not in made["description"]
    ]

    assert [] == without
    for name in ("amount", "payment", "chips"):
        assert "minor currency units" in definitions[f"type.{name}"]["description"]


def test_every_field_of_an_event_has_its_words_and_no_words_are_left_over():
    own = {
        (topic, name)
        for topic, kind in EVENTS.items()
        for name in kind.__struct_fields__
        if name not in COMMON
    }
    possible = {
        key
        for topic, name in own
        for key in (name, f"{topic} {name}", f"{topic.partition('.')[0]} {name}")
    }

    kinds = schema()["$defs"]
    nameless = [
        (topic, name)
        for topic, name in own
        if not kinds[f"event.{topic}"]["properties"][name]["description"]
    ]
    assert nameless == [], "Declare it with Annotated[…, Meta(description=…)], or in EVENT_FIELDS."
    assert EVENT_FIELDS.keys() | FIELDS_OF_ONE_EVENT.keys() <= possible


def test_who_may_send_a_command_is_told():
    definitions = schema()["$defs"]
    permission = {
        name: definitions[f"command.{name}"]["x-permission"]
        for name in ("void", "settle", "staff.sign-on", "shoe.inspect", "table.fill")
    }

    assert ["dealer", "supervisor", "pit-boss"] == permission["void"]["roles"]
    assert ["always", "sometimes", "never", "sometimes", "always"] == [
        each["second_person"] for each in permission.values()
    ]
    assert "everybody, for themselves" == permission["staff.sign-on"]["roles"]
    assert ["security"] == permission["table.fill"]["named"]["runner"]


def test_patterns_mean_the_same_to_other_programs():
    """None of what only Python knows; what lists words is a list of words."""
    patterns = set(_all("pattern", schema()))

    assert [each for each in patterns if re.search(r"\\[ZAU]|\\ud8|\(\?P|\\-", each)] == []
    assert ["player", "banker"] in list(_all("enum", schema()))
    for each in patterns:
        re.compile(each)


def _all(keyword, made):
    if isinstance(made, dict):
        for name, value in made.items():
            if name == keyword and isinstance(value, str | list):
                yield value
            else:
                yield from _all(keyword, value)
    elif isinstance(made, list):
        for each in made:
            yield from _all(keyword, each)


def test_the_bytes_are_always_the_same():
    printed = {
        subprocess.run(
            [sys.executable, "-m", "ops.cli", "feed", "--schema"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": encoding},
            capture_output=True,
            check=True,
        ).stdout
        for seed, encoding in (("1", "utf-8"), ("2", "latin-1"))
    }

    assert {text().encode("ascii")} == printed


def test_making_it_changes_nothing_that_it_is_made_of():
    before = deepcopy(made.schema())

    assert before == made.schema()
    assert read(NOTE).evidence[0] == Seen(
        camera="CAM-14", at=read(NOTE).evidence[0].at, ahead=-1500
    )


def test_it_asks_no_ledger_and_reads_no_line():
    nowhere = "postgresql://nobody@127.0.0.1:1/nowhere?connect_timeout=1"
    told = CliRunner().invoke(cli, ["--database", nowhere, "feed", "--schema"], input="x\n")

    assert (0, "", text()) == (told.exit_code, told.stderr, told.stdout)
