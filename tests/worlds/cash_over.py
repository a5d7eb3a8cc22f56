"""Cash above the amount that the United States want reported."""

from tests.worlds.gaming_table import DAY, GamingTable


def over_the_amount(dispatcher):
    """A table at which P-10417 brought 6,000 and 5,000 under that regime."""
    pit = GamingTable(dispatcher)
    pit.say("regime.choose", file="united-states", day=DAY, **{"with": "S-12"})
    pit.open()
    for amount in (6_000_00, 5_000_00):
        pit.say("table.buy-in", seat=3, amount=amount, confirmed=True)
    return pit
