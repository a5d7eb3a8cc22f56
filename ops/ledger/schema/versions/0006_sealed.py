"""The orders of generated shoes, sealed until the record tells them."""

from ops.ledger.schema import run_sql

revision = "0006_sealed"
down_revision = "0005_floor"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
