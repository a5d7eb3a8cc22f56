"""What can be asked over the houses of a group: SQL over their rows, which are sums of facts.

What is computed from a row is the same SQL that the house's own report has.
"""

from collections.abc import Sequence

from msgspec import Struct

from domain.rules.refusals import BadValue
from domain.rules.wording import N_, Words, listed, worded
from ops.group.facts import BARRED, CASH, DAY, IDENTIFIED, OWED, SEATED, WINS, Kind
from projections.commission.owed import OWED as OUTSTANDING
from projections.money.table_win import WIN


class GroupReport(Struct, frozen=True):
    """A question over the houses of a group.

    `kinds`: the rows that it reads, and `rows`: the SQL for those that it adds up. `per`: by what
    they may be divided, `usually` by which. `columns`: of an answer's row, each with its SQL; those
    in `shown` are on a screen. `counts` and `days` are no money, and no day is added up.
    `narrowings`: to what it is narrowed.
    """

    name: str
    title: Words
    about: str
    more: str
    kinds: tuple[Kind, ...]
    rows: str
    per: dict[str, str]
    columns: dict[str, str]
    shown: tuple[str, ...]
    usually: tuple[str, ...] = ("property",)
    counts: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    narrowings: tuple[str, ...] = ("table", "day", "from", "to")

    def required_per(self, typed: Sequence[str]) -> tuple[str, ...]:
        """By what the rows are to be divided, each once. Refuses: BadValue."""
        for each in typed:
            if each not in self.per:
                why = Words("it is divided by {names}", names=listed(self.per))
                raise BadValue(field="--per", value=repr(each), why=why)
        return tuple(dict.fromkeys(typed))

    def reading(self, per: Sequence[str]) -> str:
        """By which reading somebody may see it, in `READINGS`; patrons are seen by that of theirs.

        >>> REPORTS["owed"].reading(["table"]), REPORTS["owed"].reading(["patron"])
        ('group report owed', 'group report patrons')
        """
        name = _PATRONS.name if "patron" in per and self.name == _OWED.name else self.name
        return f"group report {name}"


def _identified(rows: str) -> str:
    """The rows of a table, each with the patron that its name stands for at that house."""
    return f"""(
        SELECT {rows}.* REPLACE (coalesce(known.patron, {rows}.patron) AS patron)
          FROM {rows} LEFT JOIN patron_identities AS known
            ON (known.property, known.alias) = ({rows}.property, {rows}.patron))"""  # noqa: S608


_WIN = GroupReport(
    name="win",
    title=worded("report", "Win of the group"),
    about=N_("Win of all houses, as each one's `report table-win` has it."),
    more=N_(
        "Drop, chips and cash of the tables beside it. A table day has no win until its table is "
        "closed and its box counted; those are counted apart."
    ),
    kinds=(WINS,),
    rows="table_wins",
    per={"property": "property", "table": "table_code", "day": DAY},
    columns={
        "table_days": "count(*)",
        "not_counted": f"count(*) FILTER (WHERE {WIN} IS NULL)",
        **{name: f"sum({name})" for name in ("opener", "fills", "credits", "closer")},
        "drop": "sum(drop_counted)",
        "cash_out": "sum(cash_out)",
        "win": f"sum({WIN})",
        "win_by_wagers": "sum(win_by_wagers)",
    },
    shown=("table_days", "not_counted", "drop", "win"),
    counts=("table_days", "not_counted"),
)
_OWED = GroupReport(
    name="owed",
    title=worded("report", "Commission owed to the group"),
    about=N_("Commission owed and paid, as `report commission` has it."),
    more="",
    kinds=(OWED, IDENTIFIED),
    rows=_identified("commission_owed"),
    per={"property": "property", "table": "table_code", "day": DAY, "patron": "patron"},
    columns={
        "stays": "count(DISTINCT (property, stay))",
        **{name: f"sum({name})" for name in OWED.sums},
        "outstanding": f"sum({OUTSTANDING})",
    },
    shown=("stays", "charged", "collected", "outstanding"),
    counts=("stays",),
)
_PATRONS = GroupReport(
    name="patrons",
    title=worded("report", "Patrons of the group"),
    about=N_("Each patron over all houses: stays, cash in and out, commission owed."),
    more=N_(
        "Divided by patron and day, the cash of one gaming day at all houses together, in and out "
        "apart, never netted."
    ),
    kinds=(SEATED, CASH, OWED, IDENTIFIED),
    rows=f"""(
        SELECT property, currency, {DAY}, table_code, patron, 1 AS stays, buy_in,
               0 AS cash_in, 0 AS cash_out, 0 AS outstanding FROM {_identified("stays")}
         UNION ALL
        SELECT property, currency, {DAY}, table_code, patron, 0, 0,
               CASE direction WHEN 'in' THEN amount ELSE 0 END,
               CASE direction WHEN 'out' THEN amount ELSE 0 END, 0 FROM {_identified("cash")}
         UNION ALL
        SELECT property, currency, {DAY}, table_code, patron, 0, 0, 0, 0, {OUTSTANDING}
          FROM {_identified("commission_owed")})""",  # noqa: S608
    per={"patron": "patron", "property": "property", "day": DAY},
    columns={
        "houses": "count(DISTINCT property)",
        "stays": "sum(stays)",
        "last_day": f"max({DAY})",
        "buy_in": "sum(buy_in)",
        "cash_in": "sum(cash_in)",
        "cash_out": "sum(cash_out)",
        "outstanding": "sum(outstanding)",
    },
    shown=("houses", "stays", "last_day", "cash_in", "cash_out", "outstanding"),
    usually=("patron",),
    counts=("houses", "stays"),
    days=("last_day",),
)
_PROTECTION = GroupReport(
    name="protection",
    title=worded("report", "Barred at one house, seated at another"),
    about=N_("Patrons who may not play at one house and sat down at another."),
    more=N_("Barred by the house, or excluded by their own wish, as it is now or was at a moment."),
    kinds=(SEATED, BARRED, IDENTIFIED),
    rows=f"""(
        SELECT seated.*, barred.property AS barred_at, barred.kind
          FROM {_identified("stays")} AS seated JOIN {_identified("barrings")} AS barred
            ON seated.patron = barred.patron AND seated.property <> barred.property)""",  # noqa: S608
    per={"patron": "patron", "barred_at": "barred_at", "kind": "kind", "property": "property"},
    columns={"stays": "count(*)", "last_day": f"max({DAY})", "buy_in": "sum(buy_in)"},
    shown=("stays", "last_day", "buy_in"),
    usually=("patron", "barred_at", "kind", "property"),
    counts=("stays",),
    days=("last_day",),
)
_EXCLUSIONS = GroupReport(
    name="exclusions",
    title=worded("report", "Barred in the group"),
    about=N_("Who may not play at a house, and at how many houses."),
    more=N_(
        "Barred by the house, or excluded by their own wish, as it is now or was at a moment. "
        "Nobody's name is in it: patrons have the number or alias of that house's record."
    ),
    kinds=(BARRED, IDENTIFIED),
    rows=_identified("barrings"),
    per={"patron": "patron", "kind": "kind", "property": "property"},
    columns={"houses": "count(DISTINCT property)"},
    shown=("houses",),
    usually=("patron", "kind", "property"),
    counts=("houses",),
    narrowings=(),
)
REPORTS = {each.name: each for each in (_WIN, _OWED, _PATRONS, _PROTECTION, _EXCLUSIONS)}
