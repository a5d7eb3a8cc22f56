"""What a regulator asks of a house with a patron's dispute: values, and where they stand.

| Name | The regulator is notified | The patron may turn to it |
|---|---|---|
| `nevada` | of 500.00 and more, at once; of less the patron is told of the right to an investigation | no days are counted here |
| `singapore` | of whatever amount, at once | within 7 days of being told so |
| `none` | never | |

Nevada: NRS 463.362, subsection 1, which Mississippi's section 75-76-159 repeats with the same
amount. Singapore: Casino Control Act 2006, section 111, subsections 1 and 2. What "at once" may
take neither says; half an hour is what a pit needs to look at a camera and find a telephone.
"""  # noqa: E501

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import asdict


class Regime(Struct, frozen=True):
    """Settings of the house, under their own names."""

    dispute_notice_from: int  # minor units: of this and more the regulator hears; 0: of nothing
    dispute_notice_minutes: int = 30  # what "at once" may take
    dispute_patron_days: int = 0  # that the patron has; 0: nobody counts them

    @property
    def settings(self) -> Mapping[str, int]:
        """What a house sets that is under it."""
        return asdict(self)


REGIMES: Mapping[str, Regime] = {
    "nevada": Regime(dispute_notice_from=500_00),
    "singapore": Regime(dispute_notice_from=1, dispute_patron_days=7),
    "none": Regime(dispute_notice_from=0),
}
