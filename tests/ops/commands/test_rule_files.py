"""A property's own rule set as it is written, and every mistake in the floor's words."""

import pytest
from msgspec.structs import replace

from domain.rules.house_rules import Limit, Offer, Pace, learn, named
from domain.rules.money import Rounding
from domain.rules.refusals import BadValue, MissingField, Refusal, UnknownField, UnknownRules
from domain.rules.wagers import PUSH, PayLine, pair
from ops.commands import rule_file_text, rule_files
from ops.manual.topics import topic

HEAD = """
name = "riverside@1"
source = "Riverside Casino, table sheet"
"""
BASED = HEAD + 'based_on = "dragon-bonus@1"\n'
WHOLE = (
    HEAD
    + """
currency = "EUR"
decks = 6
decks_allowed = [6, 8]
dealing = "squeeze"
squeeze = "both-bettors"
increment = "5.00"
chips = ["0.50", "1.00", "5.00", "25.00"]
seats = [1, 2, 3, 5]
cut_card = 16
burn = "fixed"
burn_face_down = 10
misdraw = "burn"
outside_limits = "at-limit"
differential = "10000.00"
pace = {slowest = 40, fastest = 80}

[limits]
main = {minimum = "25.00", maximum = "5000.00"}
tie = {minimum = "5.00", maximum = "500.00"}

[spots.tie.pays]
"tie" = "9:1"

[spots.banker.pays]
"banker wins on 6" = "1:2"
"banker wins" = "1:1"
"tie" = "push"

[spots.player.pays]
"player wins" = "1:1"
"tie" = "push"

[commission]
rate = "4.5%"
timing = "deferred"
rounding = {mode = "up", unit = "0.50", minimum = "1.00", moment = "per-win"}
"""
)


def read(text):
    return rule_files.read(text.encode(), named)


def refused(text):
    with pytest.raises(Refusal) as no:
        read(text)
    return no.value


def test_the_manual_s_example_is_a_valid_rule_set():
    text = topic("rule-sets").text.partition("```toml\n")[2].partition("```")[0]
    rules = read(text)

    assert (rules.name, rules.differential) == ("riverside@1", 5_000_00)
    assert list(rules.spots) == ["player", "banker", "tie", "dragon-player", "pair-player"]


def test_a_whole_rule_set_is_read_as_it_is_written():
    rules = read(WHOLE)

    assert (rules.name, rules.source) == ("riverside@1", "Riverside Casino, table sheet")
    assert (rules.currency, rules.increment, rules.differential) == ("EUR", 5_00, 10_000_00)
    assert (rules.decks, rules.decks_allowed, rules.cut_card) == (6, (6, 8), 16)
    assert (rules.dealing, rules.squeeze) == ("squeeze", "both-bettors")
    assert (rules.burn, rules.burn_face_down) == ("fixed", 10)
    assert (rules.misdraw, rules.outside_limits) == ("burn", "at-limit")
    assert rules.pace == Pace(slowest=40, fastest=80)
    assert (rules.chips, rules.seats) == ((50, 1_00, 5_00, 25_00), (1, 2, 3, 5))
    assert rules.main == Limit(25_00, 5_000_00)
    assert list(rules.spots) == ["player", "banker", "tie"]
    assert rules.spots["tie"] == Offer(pays=(PayLine("tie", (9, 1)),), limit=Limit(5_00, 500_00))
    assert [line.pays for line in rules.spots["banker"].pays] == [(1, 2), (1, 1), PUSH]
    assert (rules.commission.rate, rules.commission.timing) == ((45, 1000), "deferred")
    assert rules.commission.rounding == Rounding(mode="up", unit=50, minimum=1_00)
    assert rules == learn(rules.stated)


def test_a_rule_set_that_states_its_decks_allows_no_other_number():
    rules = read(WHOLE.replace("decks_allowed = [6, 8]", ""))

    assert (rules.decks, rules.decks_allowed) == (6, (6,))


def test_game_accounts_are_allowed_where_the_commission_is_in_the_odds():
    based = BASED.replace("dragon-bonus@1", "electronic@1")
    none = read(f"{based}accounts = false\n")

    assert (read(based).accounts, none.accounts) == (True, False)
    assert none == learn(none.stated)
    assert "accounts cannot be true" in str(refused(f"{BASED}accounts = true\n"))
    assert "write true or false" in str(refused(f'{based}accounts = "yes"\n'))


def test_what_is_not_stated_comes_from_the_base():
    sheet = named("dragon-bonus@1")
    expected = replace(sheet, name="riverside@1", source="Riverside Casino, table sheet")

    assert expected == read(BASED)


def test_only_what_differs_is_stated():
    sheet = named("dragon-bonus@1")
    rules = read(
        BASED
        + """
[limits]
main = {minimum = "50.00"}
banker = {maximum = "5000.00"}
[spots]
dragon-banker = "none"
pair-player.pays = {"first two player cards are a pair" = "11:1"}
[commission]
rounding = {mode = "nearest", unit = "0.25"}
"""
    )
    main = Limit(50_00, 10_000_00)
    expected = replace(
        sheet,
        name="riverside@1",
        source="Riverside Casino, table sheet",
        main=main,
        spots={
            "player": sheet.spots["player"],
            "banker": replace(sheet.spots["banker"], limit=Limit(50_00, 5_000_00)),
            "tie": sheet.spots["tie"],
            "dragon-player": sheet.spots["dragon-player"],
            "pair-player": Offer(pays=pair("player")),
        },
        commission=replace(sheet.commission, rounding=Rounding(mode="nearest", unit=25)),
    )

    assert expected == rules


def test_a_differential_may_be_taken_away():
    text = HEAD + 'based_on = "big-table@1"\ndifferential = "none"\n'

    assert read(text).differential is None
    assert named("big-table@1").differential is not None


def test_a_spot_keeps_its_limit_when_only_its_pay_differs():
    rules = read(BASED + '[spots]\ntie.pays = {"tie" = "9:1"}\n')

    assert rules.limit("tie") == named("dragon-bonus@1").limit("tie")


QUOTES = 'write an amount in quotes, as in "25.00"'
# fmt: off
MISTAKES = [
    # written under a head that is based on dragon-bonus@1, error, words
    ("increment = 5", BadValue, f"increment cannot be 5: {QUOTES}."),
    ("increment = 5.0", BadValue, f"increment cannot be 5.0: {QUOTES}."),
    ('increment = "five"', BadValue,
     'increment cannot be "five": write an amount of USD in quotes, as in "25.00".'),
    ('increment = "5.001"', BadValue,
     'increment cannot be "5.001": write an amount of USD in quotes, as in "25.00".'),
    (f"increment = {10**30}", BadValue, f"increment cannot be {10**30}: {QUOTES}."),
    (f"cut_card = {10**30}", BadValue, f"cut_card cannot be {10**30}: "),
    ("increment = 2026-11-21", BadValue, f'increment cannot be "2026-11-21": {QUOTES}.'),
    (f"cut_card = {'9' * 5_000}", BadValue, "file cannot be read: it is not TOML: "),
    ("chips = [1, 5]", BadValue,
     'chips cannot be [1, 5]: write amounts in quotes, as in ["1.00", "5.00"].'),
    ("[limits]\nmain = {minimum = 25}", BadValue, f"limits.main.minimum cannot be 25: {QUOTES}."),
    ('[limits]\nmain = "25"', BadValue,
     'limits cannot be {"main": "25"}: write a table, as in [limits].'),
    ('[limits]\npair-player = {minimum = "5.00"}', BadValue,
     'There are no limits of "pair-player" in this rule set. Limits are of main, player, '
     "banker, tie, dragon-player and dragon-banker."),
    ('[limits]\nmain = {most = "5.00"}', UnknownField,
     "limits.main has no field 'most'. Its fields are minimum, maximum."),
    ('decks = "8"', BadValue, 'decks cannot be "8": write a whole number, as in 8.'),
    ("decks = true", BadValue, "decks cannot be true: write a whole number, as in 8."),
    ("decks = 6", BadValue, "decks cannot be 6: write one of the decks allowed: 8."),
    ("seats = [1, 1]", BadValue,
     "seats cannot be [1, 1]: write different numbers from 1 to 999."),
    ('dealing = "blind"', BadValue,
     'dealing cannot be "blind": write one of face-up, face-down, squeeze.'),
    ('burn = "fixed"\nburn_face_down = -1', BadValue,
     "burn_face_down cannot be -1: the smallest shoe has 416 cards."),
    ('colour = "red"', UnknownField,
     "A rule set has no field 'colour'. Its fields are 29; the nearest are clock, "),
    ('pace = {slowest = 40}', MissingField, "pace needs 'fastest'."),
    ('pace = "fast"', BadValue,
     'pace cannot be "fast": write {slowest = 40, fastest = 80}, or "none".'),
    ("pace = 60", BadValue,
     'pace cannot be 60: write {slowest = 40, fastest = 80}, or "none".'),
    ("pace = {slowest = 80, fastest = 40}", BadValue,
     "pace.fastest cannot be 40: the slowest is 80."),
    ('pace = {slowest = "40", fastest = 80}', BadValue,
     'pace.slowest cannot be "40": write a whole number, as in 8.'),
    ('[commission]\nrate = 5', BadValue,
     'commission.rate cannot be 5: write a part of a hundred in quotes, as in "5%".'),
    ('[commission]\nrate = "5"', BadValue,
     'commission.rate cannot be "5": write a part of a hundred in quotes, as in "5%".'),
    ('[commission]\nrate = "101%"', BadValue,
     "commission.rate cannot be 101 of 100: write 0% or more, and less than 100%."),
    ('[commission]\nrate = "4%"', BadValue,
     "commission.rounding.mode cannot be exact: of 30.00 won it charges 1.20, and chips of 0.25 "
     'cannot make it; state rounding = {mode = "up", unit = "0.25"}.'),
    ('[commission]\nrounding = {mode = "up", unit = "0.10"}', BadValue,
     "commission.rounding.unit cannot be 0.10: chips of 0.25 cannot make it."),
    ('[commission]\nrounding = {minimum = "0.10"}', BadValue,
     "commission.rounding.minimum cannot be 0.10: chips of 0.25 cannot make it."),
    ('[commission]\ntiming = "never"', BadValue,
     'commission.timing cannot be "never": write one of at-payout, deferred, in-the-odds.'),
    ('[commission]\nrounding = {mode = "round"}', BadValue,
     'commission.rounding.mode cannot be "round": write one of exact, nearest, up, down.'),
    ('[commission]\nrounding = {by = "1.00"}', UnknownField,
     "commission.rounding has no field 'by'. Its fields are mode, unit, minimum, moment."),
    ('[spots]\nlucky-7.pays = {"tie" = "8:1"}', BadValue,
     'There is no spot "lucky-7"; write one of 14 words; the nearest are lucky-6, '),
    ('[spots]\ntie.pays = {"tie" = 8}', BadValue,
     'spots.tie.pays cannot be {"tie": 8}: write odds in quotes for each condition, '
     'as in {"tie" = "9:1"}.'),
    ('[spots]\ntie.pays = {"tie" = "8 for 1"}', BadValue,
     'spots.tie.pays cannot be "8 for 1": write odds "to" one another, as in "9:1" or "1:2", '
     'or "push"; with a meter also "meter" or "10% of the meter".'),
    ('[spots]\ntie.pays = {"draw" = "8:1"}', BadValue,
     "spots.tie.pays cannot be 'draw': begin with "),
    ('[spots]\ntie = "some"', BadValue,
     'spots.tie cannot be "some": write a table for each spot, or "none" for one that is not '
     "offered."),
    ('[spots]\ntie.pay = {"tie" = "8:1"}', UnknownField,
     "spots.tie has no field 'pay'. Its fields are pays, key, cloth, row, labels."),
    ("[spots]\ntie = {}", MissingField, "spots.tie needs 'pays'."),
    ('currency = "JPY"', BadValue,
     "dragon-bonus@1 is in USD, so its amounts cannot be used here. State increment, chips, "
     "limits.main.minimum, limits.main.maximum, limits.tie.minimum, "),
    ('currency = "QQQ"', BadValue, 'currency cannot be "QQQ": there is no such currency; write'),
    ("increment = ", BadValue, "file cannot be read: it is not TOML: "),
    ('increment = "5.00"\nincrement = "6.00"', BadValue, "file cannot be read: it is not TOML"),
]
# fmt: on


@pytest.mark.parametrize(("written", "error", "words"), MISTAKES)
def test_a_mistake_is_refused_with_its_place_in_words(written, error, words):
    no = refused(f"{BASED}{written}\n")

    assert type(no) is error
    assert str(no).startswith(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('source = "x"\n', "A rule set needs 'name'."),
        ('name = "riverside@1"\n', "A rule set needs 'source'."),
        (HEAD, "A rule set needs 'spots'. State it, or name a rule set that has it as 'based_on'."),
        (WHOLE.replace('increment = "5.00"', ""), "A rule set needs 'increment'. State it, or"),
        (WHOLE.replace('main = {minimum = "25.00", maximum = "5000.00"}', ""),
         "A rule set needs 'limits.main'. State it, or"),
        (WHOLE.replace(', maximum = "5000.00"', ""), "limits.main needs 'maximum'."),
    ],
)  # fmt: skip
def test_a_missing_field_is_named(text, words):
    assert str(refused(text)).startswith(words)


def test_a_rule_set_that_makes_no_sense_is_refused():
    no = refused(f'{BASED}[limits]\nmain = {{minimum = "52.00"}}\n')

    assert str(no) == "limits.main.minimum cannot be 52.00: it is no multiple of 5.00."


def test_the_name_of_a_program_s_rule_set_is_refused():
    no = refused(BASED.replace("riverside@1", "classic@1"))

    assert str(no).startswith("The program has a rule set classic@1 of its own.")


def test_a_rule_set_is_based_on_a_known_one_only():
    with pytest.raises(UnknownRules, match="'lakeside@1'"):
        read(HEAD + 'based_on = "lakeside@1"\n')


@pytest.mark.parametrize("text", ["a = " + "[" * 5_000, "\x00\n", "a = 1e999999\n", "[[", "=\n"])
def test_a_text_that_is_no_toml_is_refused(text):
    assert refused(text).error in ("BadValue", "UnknownField")


def test_a_file_is_read_byte_by_byte(tmp_path):
    path = tmp_path / "riverside.toml"
    path.write_text(BASED)

    assert BASED.encode() == rule_file_text.contents(str(path)) == rule_file_text.contents(BASED)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    large = tmp_path / "large"
    large.write_bytes(b"#" * (rule_file_text.LARGEST + 1))
    for path, why in ((tmp_path, "no such file"), (tmp_path / "x", "no such"), (large, "bytes")):
        with pytest.raises(BadValue, match=why):
            rule_file_text.contents(str(path))
    with pytest.raises(BadValue, match="file cannot be "):
        rule_file_text.contents("x" * 5_000)
    with pytest.raises(BadValue, match="not UTF-8"):
        rule_files.read(b"\xff\n", named)


YEN = """
name = "riverside-yen@1"
source = "x"
based_on = "dragon-bonus@1"
currency = "JPY"
increment = "500"
chips = ["25", "100", "500", "5000"]

[limits]
main = {minimum = "2500", maximum = "1000000"}
tie = {minimum = "500", maximum = "100000"}
dragon-player = {minimum = "500", maximum = "50000"}

[spots]
dragon-banker = "none"
"""


def test_only_values_without_amounts_come_from_a_base_in_another_currency():
    rules, sheet = read(YEN), named("dragon-bonus@1")

    assert ("JPY", 500, (25, 100, 500, 5_000)) == (rules.currency, rules.increment, rules.chips)
    assert (Limit(2_500, 1_000_000), Limit(500, 100_000)) == (rules.main, rules.limit("tie"))
    assert (sheet.commission, sheet.dealing, sheet.seats, sheet.burn) == (
        *(rules.commission, rules.dealing, rules.seats, rules.burn),
    )


@pytest.mark.parametrize(
    ("base", "line", "asked"),
    [
        ("big-table@1", 'increment = "500"', "chips, differential, limits.main.minimum"),
        ("dollar-up@1", 'chips = ["100"]', "commission.rounding.unit"),
        ("classic@1", '[limits]\nmain = {minimum = "5"}', "chips and limits.main.maximum too"),
    ],
)
def test_every_missing_amount_is_asked_for(base, line, asked):
    no = refused(f'{HEAD}based_on = "{base}"\ncurrency = "EUR"\n{line}\n')

    assert asked in str(no)
