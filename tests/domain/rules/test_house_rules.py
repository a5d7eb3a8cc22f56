"""The rule sets of the seeds, cell by cell as the rules of record print them; and all digests."""

import hashlib
import json

import pytest
from msgspec import structs

from domain.aggregates.rule_set import RuleSet
from domain.rules.house_rules import RULE_SETS, HouseRules, named
from domain.rules.money import Rounding
from domain.rules.refusals import BadValue, UnknownRules
from domain.rules.spots import MAIN_SPOTS as MAIN
from domain.rules.wagers import BANKER, BANKER_19_TO_20, PLAYER, TIE_8_TO_1, dragon_bonus
from tests.domain.floor import EVENING

# A rule set never changes under its name: what differs is another version.
DIGESTS = {
    "big-table@1": "8eff19930381abb93a5337f61da532d122e137d1843659823c1815fd23b91535",
    "classic@1": "54309f4d7e0f65bf62e9255e050f756f7897a3073482c62bf9453e9366e32ff9",
    "collected-up@1": "ae2441d5cf7033de16856628c2273fe5b4ce818480b2bcbf57e229bad2143d28",
    "dollar-up@1": "5e78fe4a954f4e1394c1dfef0d0b3da68e5ffdad049ade7a0bc52e096ed83d7c",
    "dragon-bonus@1": "6284757b4764a89531b87b0a1751af2d492ff243d27005623fcaa1afc3fab470",
    "electronic@1": "957b79ed7b659444186b7fdc2ccf2f46b5b219c2d2e02497e79d85660d33cc7b",
    "ez@1": "4144f4df4bae77ff323edb26902470201c7ed6893f7cb1af1c913272cbc14b28",
    "four-percent@1": "6d61cb1e3ab13a2b88343ebcf316d98355a072ada119fe6c152d1014ad356c37",
    "golden-talons-a@1": "941dedb81c761897c236f61ebe758713f299f07d7b88150e13b36bc302fbee22",
    "golden-talons-b@1": "dfffc2c9efaaca7a29e82fb0a4035956e921be32f114167fc08df7453e44f491",
    "golden-talons-c@1": "5f1f866e28d428a2f69bc3e9a4a455f9064161999fbd801b61180d9276372eaa",
    "golden-talons-d@1": "1fdc69297784e7888caaee9a2b69d38c3acab8d514ee873d318a3432bd0c8633",
    "golden-talons-e@1": "e37be71cf18d7751620368489ba55b956d1561d3e8ffe6aaed455dadbf9b3738",
    "lucky-6@1": "08486025b714d936f3847ace4086b577c7753686fe2e19282e65b521d9d1034e",
    "no-commission@1": "16393fd5932cf39b8a8ad0774fa5ef12fee7a03c9e77ac9a6f40e36bc2e19a6f",
    "pairs@1": "a9c162efd3077efacc0ffe21367fad45387285dea1760e926f4c0c1af424dbc5",
    "tie-eight-5@1": "826d84e989023bbe8f56e76ec6eb927cae5f32240b01d0cb706a6a8503a02efc",
    "tie-eight@1": "b1ed3a79afd65689cb76acdd2da1769a4f97cbede81f14549fa4749accd292b6",
    "tiger@1": "5cb3137c256f78adb55bd6284548d9646584d8beb4b8172c191b435eddeefdaf",
    "tie-nine@1": "bd3dde93b15c0a20745fb74c8274aa48f8db1f450066c80b5d1cda0378c117c7",
}

TWO = ("player", "banker")
BONUS = ("dragon-player", "dragon-banker")
USD = "USD"


def _limits(spot):
    def limits(rules):
        if spot not in rules.spots:
            return None
        return rules.limit(spot).minimum, rules.limit(spot).maximum

    return limits


def _pays(spot):
    return lambda rules: rules.spots[spot].pays if spot in rules.spots else None


NAMES = ("classic@1", "big-table@1", "tie-eight@1", "dragon-bonus@1", "electronic@1")
# fmt: off
TABLE = {
    "decks":         (lambda r: r.decks,          8, 8, 8, 8, 8),
    "decks allowed": (lambda r: set(r.decks_allowed), {8}, {6, 7, 8}, {8}, {8}, {8}),
    "dealing":       (lambda r: r.dealing,
                      "face-up", "squeeze", "face-up", "face-down", "face-up"),
    "spots":         (lambda r: set(r.spots),
                      {*TWO}, {*MAIN}, {*MAIN}, {*MAIN, *BONUS}, {*MAIN}),
    "Player":        (_pays("player"),            PLAYER, PLAYER, PLAYER, PLAYER, PLAYER),
    "Banker":        (_pays("banker"),            BANKER, BANKER, BANKER, BANKER, BANKER_19_TO_20),
    "Tie":           (_pays("tie"),
                      None, TIE_8_TO_1, TIE_8_TO_1, TIE_8_TO_1, TIE_8_TO_1),
    "Dragon, Player": (_pays("dragon-player"),
                      None, None, None, dragon_bonus("player"), None),
    "Dragon, Banker": (_pays("dragon-banker"),
                      None, None, None, dragon_bonus("banker"), None),
    "rate":          (lambda r: r.commission.rate,
                      (5, 100), (5, 100), (0, 100), (5, 100), (5, 100)),
    "due":           (lambda r: r.commission.timing,
                      "at-payout", "at-payout", "in-the-odds", "deferred", "in-the-odds"),
    "rounding":      (lambda r: r.commission.rounding,
                      *[Rounding(mode="exact", unit=1, minimum=0, moment="per-win")] * 5),
    "currency":      (lambda r: r.currency,       USD, USD, USD, USD, USD),
    "increment":     (lambda r: r.increment,      1_00, 5_00, 1_00, 5_00, 1_00),
    "main":          (_limits("player"),
                      (10_00, 5_000_00), (100_00, 50_000_00), (10_00, 5_000_00),
                      (25_00, 10_000_00), (1_00, 1_000_00)),
    "main, Banker":  (_limits("banker"),
                      (10_00, 5_000_00), (100_00, 50_000_00), (10_00, 5_000_00),
                      (25_00, 10_000_00), (1_00, 1_000_00)),
    "Tie beside":    (_limits("tie"),
                      None, (5_00, 5_000_00), (1_00, 500_00), (5_00, 1_000_00), (1_00, 100_00)),
    "Dragon limits": (_limits("dragon-player"),   None, None, None, (5_00, 500_00), None),
    "Dragon limit, Banker": (_limits("dragon-banker"), None, None, None, (5_00, 500_00), None),
    "chips":         (lambda r: r.chips,
                      (5, 25, 1_00, 5_00, 25_00, 100_00, 500_00, 1_000_00),
                      (25, 1_00, 5_00, 25_00, 100_00, 500_00, 1_000_00, 5_000_00),
                      (5, 25, 1_00, 5_00, 25_00, 100_00, 500_00),
                      (25, 50, 1_00, 5_00, 25_00, 100_00, 500_00, 1_000_00),
                      (1, 1_00, 5_00, 10_00, 25_00, 100_00)),
    "differential":  (lambda r: r.differential,   None, 50_000_00, None, None, None),
    "misdraw":       (lambda r: r.misdraw,        *["carry"] * 5),
    "outside limits": (lambda r: r.outside_limits,
                      "whole", "whole", "whole", "whole", "at-limit"),
    "cut card":      (lambda r: r.cut_card,       14, 14, 14, 14, 14),
    "burn":          (lambda r: r.burn,
                      "first-card", "first-card", "first-card", "first-card", "none"),
    "seats":         (lambda r: r.seats,
                      (1, 2, 3, 4, 5, 6, 7),
                      (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 14),
                      (1, 2, 3, 4, 5, 6, 7),
                      (1, 2, 3, 4, 5, 6, 7, 8, 9),
                      (1, 2, 3, 4, 5, 6, 7)),
    "source":        (lambda r: r.source,
                      "seed 000_12146a3e", "seed 001_cfe116c2", "seed 002_beee39cb",
                      "seed 003_c0d30843", "seed 004_a379723b"),
}
# fmt: on
CELLS = [
    pytest.param(ask, name, expected, id=f"{row}, {name}")
    for row, (ask, *cells) in TABLE.items()
    for name, expected in zip(NAMES, cells, strict=True)
]


@pytest.mark.parametrize(("ask", "name", "expected"), CELLS)
def test_a_rule_set_says_what_the_rules_of_record_say(ask, name, expected):
    actual = ask(named(name))

    assert expected == actual


def test_tie_eight_5_is_tie_eight_with_commission_at_payout():
    letter, with_5 = named("tie-eight@1"), named("tie-eight-5@1")
    differing = {
        name
        for name in HouseRules.__struct_fields__
        if getattr(letter, name) != getattr(with_5, name)
    }

    assert {"name", "source", "commission"} == differing
    assert with_5.commission == named("classic@1").commission


def test_the_five_rule_sets_of_the_seeds_are_among_those_of_the_program():
    assert set(NAMES) <= set(RULE_SETS)


def test_the_digest_of_every_rule_set_is_held():
    new = {name: named(name).digest for name in RULE_SETS if name not in DIGESTS}

    assert set(RULE_SETS) == set(DIGESTS), f"every rule set has its digest in DIGESTS here: {new}"


@pytest.mark.parametrize("name", DIGESTS)
def test_a_rule_set_is_found_under_its_own_name(name):
    assert name == named(name).name


@pytest.mark.parametrize("name", DIGESTS)
def test_a_rule_set_never_changes_under_its_name(name):
    assert DIGESTS[name] == named(name).digest


def test_what_a_rule_set_states_is_json_whose_hash_is_its_digest():
    rules = named("dragon-bonus@1")
    stated = json.loads(rules.stated)

    assert hashlib.sha256(rules.stated.encode()).hexdigest() == rules.digest
    assert stated["spots"]["tie"]["pays"] == [{"when": "tie", "pays": [8, 1]}]
    assert stated["commission"]["rate"] == [5, 100]


class LaterRules(HouseRules, frozen=True, kw_only=True):
    """House rules as a later version of the program may have them."""

    LATER = HouseRules.LATER | {"colour": "green"}
    colour: str = "green"


def test_a_field_that_comes_later_leaves_the_digests_on_record_as_they_are():
    rules = named("dragon-bonus@1")
    fields = structs.asdict(rules)

    assert LaterRules(**fields).digest == rules.digest
    assert LaterRules(**fields, colour="red").digest != rules.digest


def test_a_rule_set_on_record_is_never_dealt_otherwise_under_its_name():
    classic = named("classic@1")
    adopted = RuleSet.adopt(classic, EVENING)
    adopted.require_same(classic)

    assert (adopted.pending_events[0].content, adopted.digest) == (classic.stated, classic.digest)
    with pytest.raises(BadValue, match=r"other rules under the name classic@1"):
        adopted.require_same(structs.replace(classic, increment=2_00))


@pytest.mark.parametrize("name", DIGESTS)
def test_every_limit_is_in_steps_of_the_increment(name):
    rules = named(name)
    actual = {
        bound % rules.increment
        for spot in rules.spots
        for bound in (rules.limit(spot).minimum, rules.limit(spot).maximum)
    }

    assert {0} == actual


NEAREST = {
    "classic@2": "classic@1, no-commission@1 and golden-talons-c@1",
    "Classic@1": "classic@1, pairs@1 and electronic@1",
    "": "tiger@1, tie-nine@1 and tie-eight@1",
}


@pytest.mark.parametrize("name", NEAREST)
def test_an_unknown_rule_set_is_refused_with_the_nearest(name):
    with pytest.raises(UnknownRules) as refused:
        named(name)
    expected = (
        f"There is no rule set {name!r}. The nearest are {NEAREST[name]}; `sabot rules list` lists "
        "all."
    )

    assert expected == str(refused.value)
