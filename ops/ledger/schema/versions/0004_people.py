"""Names and PINs, beside the record and never in it."""

from ops.ledger.schema import run_sql

revision = "0004_people"
down_revision = "0003_readers"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
