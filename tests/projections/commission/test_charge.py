"""R-COM-3: the database rounds commission as rule sets do."""

from decimal import Decimal
from fractions import Fraction
from typing import get_args, get_type_hints

from domain.rules.money import Rounding

MODES = get_args(get_type_hints(Rounding)["mode"])
EXACT = ["0", "0.01", "0.5", "1", "5.05", "124.95", "125", "149.95", "150", "99999.5"]
CASES = [
    (exact, mode, unit, minimum)
    for mode in MODES
    for exact in EXACT
    for unit in ((1,) if mode == "exact" else (1, 5, 25, 1_00))
    for minimum in (0, 50)
]


def test_r_com_3_the_database_and_a_rule_set_charge_the_same(database):
    exact, modes, units, minimums = zip(*CASES, strict=True)
    with database.session("sabot_auditor") as connection:
        rows = connection.execute(
            "SELECT projections.charge(exact, mode, unit, minimum) "
            "FROM unnest(%s::numeric[], %s::text[], %s::bigint[], %s::bigint[]) "
            "WITH ORDINALITY AS each (exact, mode, unit, minimum, n) ORDER BY n",
            ([*map(Decimal, exact)], [*modes], [*units], [*minimums]),
        ).fetchall()
    expected = [
        Rounding(mode=mode, unit=unit, minimum=minimum).charge(Fraction(exact))
        for exact, mode, unit, minimum in CASES
    ]

    assert expected == [int(charge) for (charge,) in rows]


def test_a_charge_is_part_of_its_query_and_no_call_for_each_win(database):
    """A call for each of a night's wins takes seconds."""
    asked = """
        SELECT projections.charge(sum(won * rate), mode, unit, 0)
          FROM (VALUES (500, 0.05, 'up', 25::bigint), (100, 0.05, 'up', 25))
               AS win (won, rate, mode, unit)
         GROUP BY mode, unit
    """
    with database.session("sabot_auditor") as connection:
        charged = connection.execute(asked).fetchall()
        plan = str(connection.execute("EXPLAIN VERBOSE" + asked).fetchall())
        missing = connection.execute("SELECT projections.charge(1, 'up', NULL, 0)").fetchone()

    assert [(50,)] == charged
    assert "CASE" in plan
    assert "charge(" not in plan
    assert missing == (None,)
