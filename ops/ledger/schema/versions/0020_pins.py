"""Wrong PINs are counted before they are judged, by place and by number."""

from ops.ledger.schema import run_sql

revision = "0020_pins"
down_revision = "0019_locked_numbers"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
