"""A house in Australian dollars, under Australia's regime."""

from tests.worlds.gaming_table import DAY, GamingTable

SYDNEY = """
name = "sydney@1"
source = "s"
based_on = "classic@1"
currency = "AUD"
increment = "5.00"
commission.rounding = {mode = "up", unit = "5.00"}
chips = ["100.00", "25.00", "5.00"]
limits.main = {minimum = "5.00", maximum = "5000.00"}
"""
# What AUSTRAC knows of it: its `austrac.toml`.
HOUSE = """
name = "Harbour Casino Pty Ltd"
number = "100123456"
address = "1 Kent St, Sydney NSW 2000"
contact = "Compliance office"
phone = "+61 2 5550 0100"
"""


def sydney(dispatcher) -> GamingTable:
    """B01, where P-10417 brought 12,000.50 at once, and 4,000 by themselves."""
    pit = GamingTable(dispatcher)
    two = {"by": "A-1", "with": "S-11"}
    pit.say("property.set", name="currency", value="AUD", **two)
    pit.say("regime.choose", file="australia", day=DAY, **two)
    pit.say("rules.approve", file=SYDNEY, **two)
    for name, dollars in (
        ("reporting_amount", 1),
        ("variance_report", 1),
        ("variance_regulator", 2),
    ):
        pit.say("property.set", name=name, value=dollars * 100_00, **two)
    pit.open("sydney@1")
    for amount in (12_000_50, 4_000_00):
        pit.say("table.buy-in", seat=3, amount=amount, confirmed=True)
    return pit
