"""A rule set with a meter, of one table or of the house, and what the meters stand at."""

from fractions import Fraction

from domain.events import meter_day
from ops.ledger.mapper import event_of
from ops.ledger.reading import Wanted, read_events
from ops.reports.ask import ask
from projections import REPORTS

METER = "fortune/house/USD"
SEED = 1_000_00
BY_NINE = "9C KS KH QD"  # Player wins by 9: the whole meter
NATURAL_TIE = "9C 9S KH QD"  # a tenth of the meter
ON_8 = "2C 3S 3H 3D 3C"  # Player wins 8 to 6 with three cards: 5:1


def sheet(of="house", name="riverside@1", more=""):
    """A rule file: Fortune has a meter."""
    return f"""
name = "{name}"
source = "a sheet of the tests"
based_on = "dragon-bonus@1"

[spots.fortune]
key = "fo"
pays = {{"player wins by 9" = "meter", "natural tie" = "10% of the meter", \
"player wins on 8 with three cards" = "5:1"}}

[limits]
fortune = {{minimum = "50.00", maximum = "500.00"}}

[progressives.fortune]
of = "{of}"
seed = "1000.00"
share = "15.0001%"
reserve = "25001 ppm"
{more}
"""


def rows(database):
    """The report, with amounts as they are counted."""
    return ask(database, REPORTS["progressives"]).rows


def moved(database):
    """Every movement of a meter, in order."""
    with database.session("sabot_auditor") as connection:
        wanted = Wanted((meter_day.MeterMoved.TOPIC,))
        return [event_of(each) for each in read_events(connection, 0, 100_000, wanted=wanted)]


def in_all(database):
    """Seed and contributions less payments, and what stands there with the reserve: two sums."""
    per_day = rows(database)
    first = {row["meter"]: row for row in sorted(per_day, key=lambda row: row["day"], reverse=True)}
    last = {row["meter"]: row for row in sorted(per_day, key=lambda row: row["day"])}
    came = sum(
        Fraction(str(row[name]))
        for row in per_day
        for name in ("seeded", "contributed", "to_reserve")
    ) - sum(row["paid"] for row in per_day)
    assert all(row["opening"] == row["opening_reserve"] == 0 for row in first.values())
    left = sum(Fraction(str(row[name])) for row in last.values() for name in ("closing", "reserve"))
    return came, left
