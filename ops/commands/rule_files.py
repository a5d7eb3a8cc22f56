"""A house's own rule set, read from a TOML file.

    name = "riverside@1"
    source = "Riverside Casino, table sheet of 2026-10-01"
    based_on = "dragon-bonus@1"          # the file states only what differs
    increment = "5.00"                   # amounts in major units, in quotes

    [limits]
    main = {minimum = "50.00", maximum = "20000.00"}

    [spots]
    dragon-banker = "none"               # not offered
    tie.pays = {"tie" = "9:1"}           # read from the top; "push" returns the stake

    [commission]
    rate = "4%"
    rounding = {mode = "up", unit = "1.00"}

An unknown word is refused.
"""

import tomllib
from collections.abc import Callable, Collection, Iterator
from typing import get_args, get_type_hints

from msgspec import UNSET
from msgspec.structs import replace

from domain.rules.choices import OF_RULE_FILES, one_of
from domain.rules.house_rules import (
    RULE_SETS,
    Clock,
    Commission,
    HouseRules,
    Limit,
    Offer,
    Pace,
)
from domain.rules.house_rules.sensible import require_sensible
from domain.rules.money import Rounding, is_currency, minor
from domain.rules.refusals import BadValue, MissingField
from domain.rules.spots import THE_TRADES, OwnSpot, in_order
from domain.rules.wording import Words, listed
from ops.commands.rule_file_coupons import coupons
from ops.commands.rule_file_meters import meters
from ops.commands.rule_file_odds import pays, rate_of
from ops.commands.rule_file_tables import (
    HOW_TO_WRITE,
    ClockTable,
    CommissionTable,
    LimitTable,
    PaceTable,
    RoundingTable,
    RuleFile,
    SpotTable,
    Stated,
    Toml,
    quoted,
    stated_in,
    table,
)
from ops.commands.rule_file_terms import free_hands, spot_terms

Known = Callable[[str], HouseRules]  # the rule set of a name; refuses UnknownRules


def read(text: bytes, known: Known) -> HouseRules:
    """The rule set that a file states, checked for sense.

    Refuses: BadValue, UnknownField, MissingField, UnknownRules.
    """
    rules = understood(text, known)
    require_sensible(rules)
    if rules.name in RULE_SETS:
        raise BadValue(
            message=Words(
                "The program has a rule set {name} of its own. Give this one another name.",
                name=rules.name,
            )
        )
    return rules


def understood(text: bytes, known: Known) -> HouseRules:
    """The rule set that a file states, whether it makes sense or not. Refuses: as `read`."""
    try:
        stated = tomllib.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadValue(field="file", value="read", why="it is not UTF-8") from None
    except RecursionError:
        raise BadValue(field="file", value="read", why="it is nested too deeply") from None
    except ValueError as error:  # a TOMLDecodeError, or a number that is too long
        raise BadValue(field="file", value="read", why=f"it is not TOML: {error}") from None
    written = table(stated, RuleFile, "")
    base = None if written.based_on is UNSET else known(written.based_on)
    return _Reader(written, base).rules()


class _Reader:
    """Makes a rule set from a file and the rule set that it is based on."""

    def __init__(self, written: RuleFile, base: HouseRules | None) -> None:
        self.written = written
        self.base = base
        self.currency = self._currency()

    def rules(self) -> HouseRules:
        """The rule set. Refuses: BadValue, MissingField."""
        stated: Stated = {"name": self.written.name, "source": self.written.source}
        spots = self._spots()
        stated |= {"currency": self.currency, "spots": spots, "own_spots": self._own_spots(spots)}
        stated |= {"commission": self._commission()}
        stated |= self._plain("decks", "cut_card", "burn_face_down", "accounts")
        stated |= self._choices(
            "dealing", "squeeze", "burn", "burn_between", "misdraw", "outside_limits"
        )
        stated |= self._choices("both_sides")
        if self.written.free_hands is not UNSET:
            stated["free_hands"] = free_hands(self.written.free_hands)
        stated |= {"terms": spot_terms(self.written.terms, self.base, spots, self._amount)}
        stated["progressives"] = meters(self.written.progressives, self.base, spots, self._amount)
        stated["coupons"] = coupons(self.written.coupons, self.base, spots)
        stated |= self._numbers("decks_allowed", "seats")
        stated |= self._amounts() | self._clock() | self._pace()
        if self.base is not None:
            return replace(self.base, **stated)
        if "decks" in stated:
            stated.setdefault("decks_allowed", (stated["decks"],))
        for name in ("increment", "chips", "main"):
            if name not in stated:
                raise _missing("limits.main" if name == "main" else name)
        return HouseRules(**stated)

    def _clock(self) -> Stated:
        if self.written.clock is UNSET:
            return {}
        written = table(self.written.clock, ClockTable, "clock.")
        base = (self.base and self.base.clock) or Clock()
        return {"clock": replace(base, **stated_in(written, *ClockTable.__struct_fields__))}

    def _pace(self) -> Stated:
        stated = self.written.pace
        if stated is UNSET:
            return {}
        if stated == "none":
            return {"pace": None}
        if isinstance(stated, str):
            raise BadValue(field="pace", value=quoted(stated), why=HOW_TO_WRITE["pace"])
        written = table(stated, PaceTable, "pace.")
        return {"pace": Pace(slowest=written.slowest, fastest=written.fastest)}

    def _amounts(self) -> Stated:
        written = self.written
        stated: Stated = {}
        if written.increment is not UNSET:
            stated["increment"] = self._amount("increment", written.increment)
        if written.chips is not UNSET:
            stated["chips"] = tuple(self._amount("chips", chip) for chip in written.chips)
        if written.differential == "none":
            stated["differential"] = None
        elif written.differential is not UNSET:
            stated["differential"] = self._amount("differential", written.differential)
        main = self._main()
        return stated | ({"main": main} if main else {})

    def _numbers(self, *names: str) -> Stated:
        return {name: tuple(numbers) for name, numbers in self._plain(*names).items()}

    def _currency(self) -> str:
        written, base = self.written.currency, self.base
        if written is UNSET:
            return base.currency if base else HouseRules.currency
        if not is_currency(written):
            why = "there is no such currency; write three letters of ISO 4217, as in USD"
            raise BadValue(field="currency", value=quoted(written), why=why)
        if base and base.currency != written and (unstated := list(self._unstated(base))):
            raise BadValue(
                message=Words(
                    "{base} is in {currency}, so its amounts cannot be used here. State {amounts} "
                    "too.",
                    base=base.name,
                    currency=base.currency,
                    amounts=listed(unstated),
                )
            )
        return written

    def _unstated(self, base: HouseRules) -> Iterator[str]:
        """The amounts of the base that the file does not replace."""
        written = self.written
        for name in ("increment", "chips"):
            if getattr(written, name) is UNSET:
                yield name
        if base.differential is not None and written.differential is UNSET:
            yield "differential"
        limited = [
            spot
            for spot, each in base.spots.items()
            if each.limit and written.spots.get(spot) != "none"
        ]
        for spot in ("main", *limited):
            for bound in ("minimum", "maximum"):
                if bound not in written.limits.get(spot, {}):
                    yield f"limits.{spot}.{bound}"
        yield from self._unstated_of_spots(base)
        yield from self._unstated_rounding(base.commission.rounding)

    def _unstated_of_spots(self, base: HouseRules) -> Iterator[str]:
        written = self.written
        for spot, terms in base.terms.items():
            if terms.most_won is not None and spot not in written.terms:
                yield f"terms.{spot}.most_won"
        for spot in base.progressives:
            if spot not in written.progressives and written.spots.get(spot) != "none":
                yield f"progressives.{spot}"

    def _unstated_rounding(self, base: Rounding) -> Iterator[str]:
        written = self.written.commission.get("rounding")
        stated = written if isinstance(written, dict) else {}
        if base.mode != "exact" and "unit" not in stated and stated.get("mode") != "exact":
            yield "commission.rounding.unit"
        if base.minimum and "minimum" not in stated:
            yield "commission.rounding.minimum"

    def _amount(self, field: str, text: str) -> int:
        try:
            return minor(text, self.currency)
        except ValueError:
            why = f'write an amount of {self.currency} in quotes, as in "25.00"'
            raise BadValue(field=field, value=quoted(text), why=why) from None

    def _plain(self, *names: str) -> Stated:
        return stated_in(self.written, *names)

    def _choices(self, *names: str) -> dict[str, str]:
        stated = self._plain(*names)
        for name, value in stated.items():
            _require_choice(HouseRules, name, name, value)
        return stated

    def _spots(self) -> dict[str, Offer]:
        written, limits = self.written.spots, self.written.limits
        if not written and self.base is None:
            raise _missing("spots")
        spots = dict(self.base.spots) if self.base else {}
        for spot, stated in written.items():
            self._require_known(spot, stated)
            if stated == "none":
                spots.pop(spot, None)
            elif isinstance(stated, str):
                raise BadValue(
                    field=f"spots.{spot}", value=quoted(stated), why=HOW_TO_WRITE["spots"]
                )
            else:
                limit = spots[spot].limit if spot in spots else None
                spots[spot] = Offer(pays=pays(spot, stated), limit=limit)
        for spot in limits:
            if spot != "main" and spot not in spots:
                raise BadValue(
                    message=Words(
                        "There are no limits of {spot} in this rule set. Limits are of {spots}.",
                        spot=quoted(spot),
                        spots=listed(("main", *spots)),
                    )
                )
        return {
            spot: replace(spots[spot], limit=self._limit(spot, spots[spot].limit))
            for spot in sorted(spots, key=in_order)
        }

    def _require_known(self, spot: str, stated: Toml | str) -> None:
        """Refuses a word that is no spot: BadValue."""
        own = self.base.own_spots if self.base else {}
        if spot in THE_TRADES or spot in own or (isinstance(stated, dict) and "key" in stated):
            return
        raise BadValue(
            message=Words(
                "There is no spot {spot}; {spots}. If it is a bet of your own, state its key too: "
                "what a dealer types for it.",
                spot=quoted(spot),
                spots=one_of((*THE_TRADES, *own), spot, OF_RULE_FILES),
            )
        )

    def _own_spots(self, offered: Collection[str]) -> dict[str, OwnSpot]:
        """The spots that the file or its base names itself, of those that are offered."""
        own = dict(self.base.own_spots) if self.base else {}
        for spot, stated in self.written.spots.items():
            if isinstance(stated, dict):
                written = table(stated, SpotTable, f"spots.{spot}.")
                stated_here = stated_in(written, *OwnSpot.__struct_fields__)
                if "key" in stated_here or (stated_here and spot in own):
                    own[spot] = replace(own.get(spot, OwnSpot(key="")), **stated_here)
        return {spot: own[spot] for spot in sorted(own, key=in_order) if spot in offered}

    def _main(self) -> Limit | None:
        return self._limit("main", self.base.main if self.base else None)

    def _limit(self, spot: str, before: Limit | None) -> Limit | None:
        """The limit as written; a bound that is left out comes from the base, or from main."""
        limits = self.written.limits
        if spot not in limits:
            return before
        if before is None and spot != "main":
            before = self._main()
        where = f"limits.{spot}"
        stated = table(limits[spot], LimitTable, f"{where}.")
        bounds = []
        for bound in ("minimum", "maximum"):
            text = getattr(stated, bound)
            if text is not UNSET:
                bounds.append(self._amount(f"{where}.{bound}", text))
            elif before is not None:
                bounds.append(getattr(before, bound))
            else:
                raise MissingField(command=where, field=bound)
        return Limit(*bounds)

    def _commission(self) -> Commission:
        before = self.base.commission if self.base else Commission()
        written = table(self.written.commission, CommissionTable, "commission.")
        stated: Stated = {}
        if written.rate is not UNSET:
            stated["rate"] = rate_of(written.rate)
        if written.timing is not UNSET:
            _require_choice(Commission, "timing", "commission.timing", written.timing)
            stated["timing"] = written.timing
        if written.rounding is not UNSET:
            stated["rounding"] = self._rounding(written.rounding, before.rounding)
        return replace(before, **stated)

    def _rounding(self, toml: Toml, before: Rounding) -> Rounding:
        where = "commission.rounding."
        written = table(toml, RoundingTable, where)
        stated: Stated = {}
        for name in ("mode", "moment"):
            if (choice := getattr(written, name)) is not UNSET:
                _require_choice(Rounding, name, where + name, choice)
                stated[name] = choice
        for name in ("unit", "minimum"):
            if (amount := getattr(written, name)) is not UNSET:
                stated[name] = self._amount(where + name, amount)
        return replace(before, **stated)


def _missing(field: str) -> MissingField:
    return MissingField(
        message=Words(
            "A rule set needs '{field}'. State it, or name a rule set that has it as 'based_on'.",
            field=field,
        )
    )


def _require_choice(owner: type, name: str, field: str, value: str) -> None:
    """Refuses a word that the field does not take. Refuses: BadValue."""
    choices = get_args(get_type_hints(owner)[name])
    if value not in choices:
        why = one_of(choices, value, OF_RULE_FILES)
        raise BadValue(field=field, value=quoted(value), why=why)
