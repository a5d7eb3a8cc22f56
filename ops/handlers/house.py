"""The house: its settings and its rule sets."""

import hashlib

from domain.aggregates.property import Property
from domain.aggregates.protection import PROTECTION_STREAM, Protection
from domain.aggregates.rule_set import RuleSet
from domain.rules.house_rules import RULE_SETS, HouseRules, named
from domain.rules.refusals import BadValue, SecondPersonNeeded
from domain.rules.roles import one_of_roles
from domain.rules.spots import spot_label
from domain.rules.wording import Words
from ops.commands import house as commands
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.regimes import require_no_regime


@handles(commands.PropertySet)
def set_property(desk: Desk, command: commands.PropertySet) -> None:
    """Changes a setting from now on; earlier events keep the settings of their time.

    The currency cannot change after the first table: amounts in two currencies do not add up.
    """
    house = desk.house()
    names = (*sorted(RULE_SETS), *house.own_rules)
    dealt = (desk.casino.find(RuleSet, RuleSet.stream(name)) for name in names)
    if command.name == "currency" and any(dealt):
        raise BadValue(
            message=Words(
                "The currency cannot be changed: tables were already dealt in {currency}.",
                currency=house.currency,
            )
        )
    if command.name in ("reporting_amount", "currency") and command.name not in house.to_give:
        require_no_regime(desk)
    house.set(command.name, command.value)


@handles(commands.PropertyLevel)
def set_level(desk: Desk, command: commands.PropertyLevel) -> None:
    """Changes a level of game protection from now on; rows that are there keep theirs."""
    if not (desk.casino.actor and desk.second(command)):
        who = one_of_roles(command.permission.second)
        raise SecondPersonNeeded(act=Words("Changing a level of game protection"), who=who)
    desk.house()  # every ledger names its house first
    casino = desk.casino
    levels = casino.find(Protection, PROTECTION_STREAM) or casino.make(
        Protection.begin_levels(casino.moment)
    )
    levels.set_level(command.question, command.level, command.second or "")


@handles(commands.RulesApprove)
def approve_rules(desk: Desk, command: commands.RulesApprove) -> None:
    """Approves a rule set; tables may open with it, and it never changes under this name."""
    from ops.commands import (  # takes 12 ms, which opening a table need not pay
        rule_file_text,
        rule_files,
    )

    desk.require_two(Words("Approving a rule set"), command)
    content = rule_file_text.contents(command.file)
    basis: list[HouseRules] = []

    def known(name: str) -> HouseRules:
        basis.append(rules_named(desk, name))
        return basis[-1]

    rules = rule_files.read(content, known)
    require_currency(desk.house(), rules)
    _require_one_meaning(desk, rules)
    people = [who for who in (desk.casino.actor, command.second) if who]
    rules_on_record(desk, rules).approve(
        rules,
        people,
        hashlib.sha256(content).hexdigest(),
        {each.name: each for each in (*_version_before(desk, rules), *basis)}.values(),
        confirmed=command.confirmed,
    )
    desk.house().adopt_rules(rules.name)


def _require_one_meaning(desk: Desk, rules: HouseRules) -> None:
    """Refuses a spot, or a key of one, that means another bet in another rule set: BadValue."""
    for name in desk.house().own_rules if rules.own_spots else ():
        others = rules_named(desk, name).own_spots
        by_key = {own.key: spot for spot, own in others.items()}
        for spot, own in rules.own_spots.items():
            key = others[spot].key if spot in others else own.key
            if (key, by_key.get(own.key, spot)) != (own.key, spot):
                raise BadValue(
                    message=Words(
                        "In {rules} the key {key} is that of {spot}. A dealer types one key for "
                        "one bet: give this one the same, or another name and key.",
                        rules=name,
                        key=key,
                        spot=spot_label(by_key.get(own.key, spot)),
                    )
                )


def _version_before(desk: Desk, rules: HouseRules) -> list[HouseRules]:
    """The newest earlier version of the rule set, or nothing."""
    word, _, version = rules.name.rpartition("@")
    known = (each.rpartition("@") for each in (*RULE_SETS, *desk.house().own_rules))
    earlier = [int(n) for name, _, n in known if name == word and int(n) < int(version)]
    return [rules_named(desk, f"{word}@{max(earlier)}")] if earlier else []


def rules_named(desk: Desk, name: str) -> HouseRules:
    """The rule set that a table opens with under that name. Refuses: UnknownRules.

    The house's own approved one, else the program's.
    """
    recorded = desk.casino.find(RuleSet, RuleSet.stream(name))
    if recorded and recorded.approved:
        return recorded.learn()
    return named(name, desk.house().own_rules)


def rules_on_record(desk: Desk, rules: HouseRules) -> RuleSet:
    """The recorded rule set of that name; recorded now if there is none."""
    recorded = desk.casino.find(RuleSet, RuleSet.stream(rules.name))
    return recorded or desk.casino.make(RuleSet.adopt(rules, desk.casino.moment))


def require_currency(house: Property, rules: HouseRules) -> None:
    """Refuses rules in another currency than the house's: BadValue."""
    if rules.currency != house.currency:
        raise BadValue(
            message=Words(
                "{rules} is in {currency}, and the house counts in {ours}. Approve a rule set "
                "based on it with amounts in {ours}.",
                rules=rules.name,
                currency=rules.currency,
                ours=house.currency,
            )
        )
