"""Views for analysts, who may read them and nothing else."""

from ops.ledger.schema import run_sql

revision = "0014_analysis"
down_revision = "0013_measures"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
