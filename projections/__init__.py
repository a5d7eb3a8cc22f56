"""What people read: one file a projection, with its SQL, its changes and its report.

Pure: a fact in, SQL statements with their parameters out; `ops.runner` executes them. Imports
the domain's facts and nothing else of it. Every row can be dropped and grown again.
"""

from projections import commission_owed, coups
from projections.model import Fact, Projection, Report, Statement

__all__ = ["PROJECTIONS", "REPORTS", "Fact", "Projection", "Report", "Statement"]

PROJECTIONS: dict[str, Projection] = {
    each.name: each for each in (commission_owed.PROJECTION, coups.PROJECTION)
}
REPORTS: dict[str, Report] = {each.name: each for each in (commission_owed.REPORT, coups.REPORT)}
