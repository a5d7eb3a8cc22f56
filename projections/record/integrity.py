"""Integrity: how far the chain of hashes was verified as the record grew, with the result.

The server computes every hash again, batch by batch, from the events themselves. An event altered
after its batch was verified is found by `sabot audit verify` and by `sabot projections check
integrity`.
"""

from projections.model import Projection, Report

_TABLES = """
-- One row: how far the chain was verified as the record grew.
CREATE TABLE integrity (
    one         boolean     NOT NULL DEFAULT true PRIMARY KEY CHECK (one),
    events      bigint      NOT NULL,
    head        bytea       NOT NULL,  -- the last hash
    recorded_at timestamptz,           -- of the last event
    first_bad   bigint                 -- NULL: every hash was right
);
"""

_WALKED = r"""
WITH before AS (
    SELECT coalesce((SELECT hash FROM ledger.events WHERE position = %(after)s),
                    decode(repeat('00', 32), 'hex')) AS head
), walked AS (
    SELECT position, hash, recorded_at, row_number() OVER in_order + %(after)s AS expected,
           hash = ledger.leaf(ledger.canonical(
               originator_id, originator_version, topic, state, position, recorded_at, gaming_day,
               table_code, actor, command_id, metadata,
               coalesce(lag(hash) OVER in_order, before.head))) AS good
      FROM ledger.events, before WHERE position > %(after)s AND position <= %(last)s
    WINDOW in_order AS (ORDER BY position)
)
INSERT INTO integrity AS known (events, head, recorded_at, first_bad)
SELECT count(*), coalesce((array_agg(hash ORDER BY position DESC))[1], (SELECT head FROM before)),
       max(recorded_at),
       coalesce(min(expected) FILTER (WHERE NOT good OR position <> expected),
                nullif(%(after)s + count(*), %(last)s) + 1)
  FROM walked
ON CONFLICT (one) DO UPDATE SET
    events = known.events + excluded.events, head = excluded.head,
    recorded_at = greatest(known.recorded_at, excluded.recorded_at),
    first_bad = coalesce(known.first_bad, excluded.first_bad)
"""

PROJECTION = Projection(name="integrity", schema=_TABLES, changes={}, over=_WALKED)

# Without a signed checkpoint its columns are null.
REPORT = Report(
    name="integrity",
    title="Integrity",
    about="how much of the record is verified, and the result",
    read_by=None,
    projections=("integrity", "checkpoints", "tree"),
    columns=(
        *("events", "head", "checkpoint_size", "checkpoint_root", "signed_by", "verified_at"),
        "result",
    ),
    sql=r"""
SELECT events, encode(head, 'hex') AS head, newest.size AS checkpoint_size,
       newest.root AS checkpoint_root,
       regexp_replace(newest.key, '\+[^+]*$', '') AS signed_by, recorded_at AS verified_at,
       CASE WHEN first_bad IS NULL THEN 'good' ELSE 'bad from position ' || first_bad END AS result
  FROM integrity
  LEFT JOIN (SELECT * FROM checkpoints ORDER BY size DESC LIMIT 1) AS newest ON true
""",
    money=(),
    narrowings=(),
    shown=("events", "head", "verified_at", "result"),
    dropped_first=("head",),
    days_independent=False,
    words={
        "events": ("events", "how many events are in the ledger"),
        "head": ("head", "the last hash of the chain"),
        "checkpoint_size": ("checkpoint size", "how many events the last signed checkpoint covers"),
        "checkpoint_root": ("checkpoint root", "the root hash of the last signed checkpoint"),
        "signed_by": ("signed by", "who signed the last checkpoint"),
        "verified_at": ("verified at", "when the last verified event was recorded"),
        "result": ("result", "good, or the number of the first event that is bad"),
    },
)
