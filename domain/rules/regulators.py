"""What each regulator requires in a patron's dispute, with the sources.

| Name | The house notifies the regulator | The patron may appeal to it |
|---|---|---|
| `nevada` | at once, from 500.00 on; below, it tells the patron of the right to an investigation | no limit is kept here |
| `singapore` | at once, of any amount | within 7 days of being told |
| `none` | never | |

Nevada: NRS 463.362, subsection 1, which Mississippi's section 75-76-159 repeats with the same
amount. Singapore: Casino Control Act 2006, section 111, subsections 1 and 2. Neither says how long
"at once" is; 30 minutes are time to look at a camera and to telephone.
"""  # noqa: E501

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import asdict


class Regime(Struct, frozen=True):
    """The settings of the house that a regulator sets."""

    dispute_notice_from: int  # minor units: disputes from this amount on are notified; 0: none
    dispute_notice_minutes: int = 30  # time to notify
    dispute_patron_days: int = 0  # days to appeal; 0: no limit is kept

    @property
    def settings(self) -> Mapping[str, int]:
        """The settings and their values."""
        return asdict(self)


REGIMES: Mapping[str, Regime] = {
    "nevada": Regime(dispute_notice_from=500_00),
    "singapore": Regime(dispute_notice_from=1, dispute_patron_days=7),
    "none": Regime(dispute_notice_from=0),
}
