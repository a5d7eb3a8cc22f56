"""A rule file while its questions are answered: a whole rule set at each moment, by its base."""

import tomllib
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from domain.rules.house_rules import RULE_SETS, HouseRules, Offer
from domain.rules.house_rules.sensible import faults
from domain.rules.refusals import BadValue, Refusal
from domain.rules.spots import THE_TRADES
from ops.cli.odds import pays
from ops.commands import rule_files
from ops.commands.rule_file_tables import Toml
from ops.commands.rule_file_written import written
from ops.manual.shelf import shelf

BASE = "tie-eight-5@1"  # Tie at 8 to 1, 5% of what Banker wins, eight decks
UNNAMED: Toml = {"name": "unnamed@1", "source": "not said yet"}


class Draft:
    """What the answers state so far; each is taken only if the whole makes sense."""

    def __init__(self, known: Callable[[str], HouseRules]) -> None:
        self._known = known
        self.stated: Toml = {**UNNAMED, "based_on": BASE}
        self.rules = self._read(self.stated)

    @property
    def base(self) -> HouseRules:
        """The rule set that has what the file does not state."""
        return self._known(str(self.stated["based_on"]))

    @property
    def text(self) -> str:
        """The file as it would be written now."""
        return written(self.stated)

    def take(self, more: Toml, later: str = "") -> None:
        """Takes these terms too. Refuses: as `rule_files.read`, and nothing is taken.

        `later`: a table of which the questions follow, so that its faults wait.
        """
        stated = _merged(self.stated, more)
        self.rules = self._read(stated, later)
        self.stated = stated

    def take_away(self, spot: str) -> None:
        """Takes a bet out; of one that only this file has, every term goes too."""
        stated = dict(self.stated)
        for name in ("spots", "limits"):
            terms = stated.get(name)
            if isinstance(terms, dict):
                stated[name] = {each: of for each, of in terms.items() if each != spot}
        if spot in self.base.spots:
            stated = _merged(stated, {"spots": {spot: "none"}})
        self.rules = self._read(stated)
        self.stated = stated

    def take_line(self, line: str) -> None:
        """Takes a line of a rule file. Refuses: BadValue, and as `take`."""
        try:
            more = tomllib.loads(line)
        except ValueError as error:
            why = f"it is no line of a rule file: {error}"
            raise BadValue(field="the line", value=repr(line), why=why) from None
        self.take(more)

    def shorten(self) -> None:
        """Leaves out what the base says as well, but for limits and bets."""
        always = (*UNNAMED, "based_on", "limits", "spots")
        for name in [each for each in self.stated if each not in always]:
            less = {each: terms for each, terms in self.stated.items() if each != name}
            with suppress(Refusal):
                if self._read(less) == self.rules:
                    self.stated = less

    def is_new(self, spot: str) -> bool:
        """Whether it is a spot that neither the trade nor the rule set has."""
        return spot not in THE_TRADES and spot not in self.rules.own_spots

    def _read(self, stated: Toml, later: str = "") -> HouseRules:
        text = written(stated).encode()
        if not later:
            return rule_files.read(text, self._known)
        rules = rule_files.understood(text, self._known)
        for fault in faults(rules):
            if not str(fault.words.values.get("field")).startswith(later):
                raise fault
        return rules


def _merged(stated: Toml, more: Toml) -> Toml:
    """The terms together; of a table each term for itself, but a pay table as a whole."""
    both = dict(stated)
    for name, new in more.items():
        old = both.get(name)
        tables = isinstance(old, dict) and isinstance(new, dict) and name != "pays"
        both[name] = _merged(old, new) if tables else new  # type: ignore[arg-type]
    return both


def usual(spot: str) -> tuple[str, Toml] | None:
    """A rule set or a sheet that offers the spot, and what it states of it; None: nobody does."""
    for name, rules in sorted(RULE_SETS.items()):
        if spot in rules.spots:
            return name, {"pays": lines_of(rules.spots[spot])}
    return on_shelf().get(spot)


@cache
def on_shelf() -> dict[str, tuple[str, Toml]]:
    """By bet: the first sheet of the shelf that states it, and how; `over`: on which coups."""
    spots: dict[str, tuple[str, Toml]] = {}
    for name, sheet in shelf().items():
        stated = tomllib.loads(sheet.text)
        for spot, terms in stated["spots"].items():
            if terms != "none":
                over = stated.get("terms", {}).get(spot, {}).get("over")
                spots.setdefault(spot, (name, {**terms, "over": over} if over else terms))
    return spots


def lines_of(offer: Offer) -> dict[str, str]:
    """A pay table as a rule file states it."""
    return {line.when: pays(line) for line in offer.pays}
