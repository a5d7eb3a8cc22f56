"""R-COM-4 through whatever happens: random evenings under every rule set, with every accident.

After every single command the proof is zero for every patron, shoe, table and day; at the end the
tray is exact, every wager ended once, and every coup is adjudicated again as it was recorded.
"""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.rules.house_rules import RULE_SETS, Commission, named
from domain.rules.money import Rounding
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from tests.faults import times
from tests.worlds.gaming_table import DAY
from tests.worlds.random_evening import BETWEEN, RandomEvening


def _own(name, timing, **rounding):
    """A house of its own: every rounding that a rule set may state, at payout and deferred."""
    commission = Commission(timing=timing, rounding=Rounding(**rounding))
    return replace(named("dragon-bonus@1"), name=f"{name}@1", commission=commission)


_OWN = (
    _own("nearest", "deferred", mode="nearest", unit=25),
    _own("nearest-at-payout", "at-payout", mode="nearest", unit=25),
    _own("minimum", "deferred", mode="up", unit=50, minimum=1_00),
    _own("nearest-once", "deferred", mode="nearest", unit=1_00, moment="on-collection"),
    _own("exact-once", "deferred", moment="on-collection"),
)
OWN = {rules.name: rules for rules in _OWN}


@pytest.fixture(scope="module")
def house(server):
    """Nothing waits for the disk here: what survives a crash is the business of `tests/faults`."""
    with server.database() as database, pytest.MonkeyPatch.context() as patch:
        for rules in OWN.values():
            patch.setitem(RULE_SETS, rules.name, rules)
        casino = Casino(Ledger(database))
        patch.setattr(casino.ledger, "flush", lambda: None)
        patch.setattr("ops.reports.ask.flush_to_show", lambda _: None)
        with database.session("sabot_projector") as connection:
            connection.execute("SET synchronous_commit = off")
            yield Dispatcher(casino, "test"), connection
        casino.close()


@pytest.mark.parametrize("night", range(times(1, 2)))
@pytest.mark.parametrize("name", [*sorted(RULE_SETS), *OWN])
@settings(
    max_examples=times(2, 4),  # of each rule set, the first the simplest; others in every run
    derandomize=False,  # or every night would be the first again
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)
@given(data=st.data())
def test_r_com_4_the_proof_is_zero_after_every_command_of_every_evening(house, name, night, data):
    rules = RULE_SETS[name]
    table = RandomEvening(*house, rules)
    chip = max(each for each in rules.chips if table.tray % each == 0)
    opener = {str(chip): table.tray // chip}
    table.ask("table.open", rules=rules.name, opener=opener, day=DAY)
    for seat, patron in table.patrons.items():
        table.ask("table.seat", seat=seat, patron=patron)
    table.prepare()
    for _ in range(data.draw(st.integers(1, 3))):
        table.play(data)
        for accident in data.draw(st.lists(st.sampled_from(BETWEEN), max_size=3)):
            accident(table, data)
    table.end(data)
