"""Named, versioned rule sets as data, one file each, with their sources.

A rule set never changes under its name; a change is a new version. The `digest` is the hash of its
terms. A table day, a shoe and a coup record name and digest, and are dealt by the rule set of that
digest (`of`): the program's, or one loaded from the record.

>>> named("dragon-bonus@1").decks
8
>>> named("dragon@9")
Traceback (most recent call last):
    ...
domain.rules.refusals.UnknownRules: There is no rule set 'dragon@9'. The nearest are \
dragon-bonus@1, electronic@1 and golden-talons-e@1; `sabot rules list` lists all.
"""

import difflib
import hashlib
from collections.abc import Iterable, Iterator, MutableMapping
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules

from domain.rules.house_rules.model import (
    Clock,
    Commission,
    CouponTerms,
    FreeHands,
    HouseRules,
    Limit,
    Offer,
    Pace,
    Progressive,
    SpotTerms,
    restated,
)
from domain.rules.refusals import UnknownRules
from domain.rules.wording import Words, listed

__all__ = [
    "RULE_SETS",
    "Clock",
    "Commission",
    "CouponTerms",
    "FreeHands",
    "HouseRules",
    "Limit",
    "Offer",
    "Pace",
    "Progressive",
    "SpotTerms",
    "known",
    "learn",
    "named",
    "of",
]

_NO_RULE_SETS = (
    "model",
    "sensible",
    "sensible_after_four",
    "sensible_coupons",
    "sensible_meters",
)  # of the modules here


class _Shelf(MutableMapping[str, HouseRules]):
    """The program's rule sets by name, each imported when it is first asked for.

    A command needs one of them, and importing all is slow. A rule set is found soonest in
    a module that has its name, or the beginning of it.
    """

    def __init__(self) -> None:
        self._taken: dict[str, HouseRules] = {}
        self._modules = [
            each.name for each in iter_modules(__path__) if each.name not in _NO_RULE_SETS
        ]

    def _take(self, begins: str | None = None) -> dict[str, HouseRules]:
        """Imports the rule sets of all modules, or of those that a name may come from.

        Several threads may do so at once: a module is off the list only when its sets are there.
        """
        for module in [each for each in self._modules if begins is None or begins.startswith(each)]:
            for each in vars(import_module(f"{__name__}.{module}")).values():
                if isinstance(each, HouseRules):
                    self._taken.setdefault(each.name, each)
            with suppress(ValueError):  # another thread was first
                self._modules.remove(module)
        return self._taken

    def __getitem__(self, name: str) -> HouseRules:
        if name not in self._taken:
            begins = name.partition("@")[0].replace("-", "_")
            if name not in self._take(begins):
                self._take()
        return self._taken[name]

    def __setitem__(self, name: str, rules: HouseRules) -> None:
        self._taken[name] = rules

    def __delitem__(self, name: str) -> None:
        del self._taken[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._take()))

    def __len__(self) -> int:
        return len(self._take())


RULE_SETS: MutableMapping[str, HouseRules] = _Shelf()
_LEARNED: dict[str, HouseRules] = {}  # from the record, by digest


def named(name: str, others: Iterable[str] = ()) -> HouseRules:
    """The program's rule set of that name and version.

    Refuses: UnknownRules, which also lists `others`, the house's own.
    """
    try:
        return RULE_SETS[name]
    except KeyError:
        raise _unknown(name, others) from None


def learn(stated: str) -> HouseRules:
    """Loads a rule set from its JSON on record, for this process.

    Refuses: UnknownRules, if it has terms that this program does not know.
    """
    digest = hashlib.sha256(stated.encode()).hexdigest()
    if digest not in _LEARNED:
        try:
            _LEARNED[digest] = restated(stated)
        except ValueError:
            raise UnknownRules(
                message=Words(
                    "A rule set on record has terms that this program does not know. "
                    "Upgrade this program."
                )
            ) from None
    return _LEARNED[digest]


def of(name: str, digest: str) -> HouseRules:
    """The rule set of this name and digest: the program's, or one loaded from the record.

    Refuses: UnknownRules.
    """
    rules = _by_digest(name, digest)
    if rules is None:
        raise UnknownRules(
            message=Words(
                "This program's rule set {rules} is not the one on record ({digest}). Upgrade "
                "this program.",
                rules=name,
                digest=digest[:12],
            )
        )
    return rules


def known(name: str, digest: str) -> bool:
    """Whether `of` has this rule set; otherwise it must be loaded from the record first."""
    return _by_digest(name, digest) is not None


def _by_digest(name: str, digest: str) -> HouseRules | None:
    learned = _LEARNED.get(digest)
    if learned is not None and learned.name == name:
        return learned
    own = RULE_SETS.get(name)
    return own if own is not None and own.digest == digest else None


def _unknown(name: str, others: Iterable[str] = ()) -> UnknownRules:
    known = sorted({*RULE_SETS, *others})
    near = difflib.get_close_matches(name, known, n=3, cutoff=0) or known[:3]
    return UnknownRules(rules=name, near=listed(near))
