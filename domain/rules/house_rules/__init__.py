"""Named, versioned rule sets as data, one file each, with their sources.

A rule set never changes under its name; a change is a new version. The `digest` is the hash of its
terms. A table day, a shoe and a coup record name and digest, and are dealt by the rule set of that
digest (`of`): the program's, or one loaded from the record.

>>> named("dragon-bonus@1").decks
8
>>> named("dragon@9")
Traceback (most recent call last):
    ...
domain.rules.refusals.UnknownRules: There is no rule set 'dragon@9'; there are big-table@1, \
classic@1, collected-up@1, dollar-up@1, dragon-bonus@1, electronic@1, ez@1, four-percent@1, \
golden-talons-a@1, golden-talons-b@1, golden-talons-c@1, golden-talons-d@1, golden-talons-e@1, \
lucky-6@1, no-commission@1, pairs@1, tie-eight-5@1, tie-eight@1, tie-nine@1, \
tiger@1.
"""

import hashlib
from collections.abc import Iterable, Iterator, MutableMapping
from importlib import import_module
from pkgutil import iter_modules

from domain.rules.house_rules.model import Commission, HouseRules, Limit, Offer, restated
from domain.rules.refusals import UnknownRules

__all__ = [
    "RULE_SETS",
    "Commission",
    "HouseRules",
    "Limit",
    "Offer",
    "known",
    "learn",
    "named",
    "of",
]

_NO_RULE_SETS = ("model", "sensible")  # of the modules here


class _Shelf(MutableMapping[str, HouseRules]):
    """The program's rule sets by name, each imported when it is first asked for.

    A command needs one of them, and importing all is slow. A module has the name of its rule set,
    or the beginning that the names of its rule sets share.
    """

    def __init__(self) -> None:
        self._taken: dict[str, HouseRules] = {}
        self._modules = [
            each.name for each in iter_modules(__path__) if each.name not in _NO_RULE_SETS
        ]

    def _take(self, begins: str | None = None) -> dict[str, HouseRules]:
        """Imports the rule sets of all modules, or of those that a name may come from."""
        for module in [each for each in self._modules if begins is None or begins.startswith(each)]:
            self._modules.remove(module)
            for each in vars(import_module(f"{__name__}.{module}")).values():
                if isinstance(each, HouseRules):
                    self._taken.setdefault(each.name, each)
        return self._taken

    def __getitem__(self, name: str) -> HouseRules:
        begins = name.partition("@")[0].replace("-", "_")
        return self._taken[name] if name in self._taken else self._take(begins)[name]

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
            raise _unknown(f"on record under {digest[:12]}") from None
    return _LEARNED[digest]


def of(name: str, digest: str) -> HouseRules:
    """The rule set of this name and digest: the program's, or one loaded from the record.

    Refuses: UnknownRules.
    """
    rules = _by_digest(name, digest)
    if rules is None:
        raise _unknown(f"{name} of {digest[:12]}")
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
    return UnknownRules(rules=name, known=", ".join(sorted({*RULE_SETS, *others})))
