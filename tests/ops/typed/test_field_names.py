"""No name of a field of the feed before people: a refusal names what is typed, or nothing."""

import re

import pytest
from msgspec.structs import fields

from domain.rules.refusals import BadValue, MissingField, Refusal
from domain.rules.wording import Words
from ops.commands.read import read
from ops.commands.vocabulary import COMMANDS
from ops.typed.shell import with_typed_fields
from tests.catalogue import messages

CODE_WORD = re.compile(r"\w_\w")
TYPED_AS_IT_IS = ("variance_report", "variance_regulator", "dispute_notice_from", "based_on")
WRONG = {"wrong": [1]}
COMMON = {"id", "device_n"}


def refused(command, field):
    """Why a command with nonsense in one field is refused."""
    given = {each.encode_name for each in fields(COMMANDS[command]) if each.required}
    try:
        read({"command": command, **dict.fromkeys(given, WRONG), field: WRONG})
    except Refusal as refusal:
        return refusal.words
    return None


FIELDS = [
    (name, each.encode_name)
    for name, kind in COMMANDS.items()
    for each in fields(kind)
    if each.encode_name not in COMMON
]


REFUSALS = [
    lambda command, field: BadValue(field=field, value="7", why=Words("write it anew")),
    lambda command, field: BadValue(message=Words(f"It takes another. Name it as `{field}`.")),
    lambda command, field: MissingField(command=command, field=field),
]


@pytest.mark.parametrize("typed", [None, "7"], ids=["shell", "terminal"])
@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_refusal_of_a_value_names_no_field_that_is_not_typed(refusal, typed):
    for command, field in FIELDS:
        words = with_typed_fields(refusal(command, field).words, command, typed)

        assert not CODE_WORD.search(words), words
        assert not words.startswith(f"{field} "), words
        assert f"'{field}'" not in words
        assert f"`{field}`" not in words


@pytest.mark.parametrize("command", COMMANDS)
def test_what_the_types_refuse_names_no_field_either(command):
    for name, field in FIELDS:
        if name == command and (words := refused(command, field)):
            shown = with_typed_fields(words, command)

            assert not CODE_WORD.search(shown.replace("`sabot", "")), shown
            assert not re.match(r"[a-z_]+ cannot be", shown), shown


def test_no_refusal_of_what_was_typed_asks_for_a_form_of_the_feed():
    for command, field in FIELDS:
        if words := refused(command, field):
            for refusal in (words, str(words)):  # as it comes through the door
                for typed in (None, "7"):
                    shown = with_typed_fields(refusal, command, typed)

                    assert not re.search(r"minor|[{}]", shown.partition(": ")[2]), shown


def test_an_amount_is_refused_as_it_is_typed():
    def told(amount):
        with pytest.raises(BadValue) as refused:
            read({"command": "commission.collect", "table": "B01", "seat": 3, "amount": amount})
        return with_typed_fields(refused.value.words, "commission.collect")

    form = "type an amount above 0, as in 100 or 12.50."
    assert told(0) == f"AMOUNT cannot be 0: {form}"
    assert told(2**60) == f"AMOUNT: {form}"  # nobody typed minor units


def test_an_option_is_named_where_it_is_typed():
    refusal = BadValue(field="to_seat", value="'x'", why=Words("write a seat's number")).words

    assert with_typed_fields(refusal, "coup.move-wager") == (
        "--to-seat cannot be 'x': write a seat's number."
    )
    typed = "coup move-wager 3 b x --to-seat x"
    assert with_typed_fields(refusal, "coup.move-wager", typed).startswith("--to-seat cannot be")
    assert with_typed_fields(refusal, "coup.move-wager", "typed otherwise") == (
        "'x' is not possible: write a seat's number."
    )


def test_a_message_has_no_word_of_the_code():
    texts = [
        each
        for message in messages()
        if message.id
        for each in (message.id if isinstance(message.id, tuple) else (message.id,))
    ]
    plain = {each: re.sub(r"\{[^}]*\}|`[^`]*`", "", each) for each in texts}

    assert [] == [
        each
        for each, words in plain.items()
        if CODE_WORD.search(words) and not any(name in words for name in TYPED_AS_IT_IS)
    ]
