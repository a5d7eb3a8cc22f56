"""Why a report has no total, in words that stand where the total would."""

from domain.rules.wording import N_

MIXED = N_("No total: its amounts are not of one kind.")
AGAIN = N_("No total: the same money is in several rows.")
AVERAGES = N_("No total: averages and bounds do not add up.")
BOTH_WAYS = N_("No total: what comes in and what goes out is not set off.")
