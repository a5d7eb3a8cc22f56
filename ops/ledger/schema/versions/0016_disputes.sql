-- One row a case. What is done again is told as it was the last time; what several decisions came
-- to adds up.
CREATE TABLE projections.disputes (
    case_number           text    NOT NULL PRIMARY KEY,
    position              bigint  NOT NULL,      -- at which it was opened
    coup                  text    NOT NULL,
    table_code            text    NOT NULL,      -- of the coup, as the gaming day is
    gaming_day            date    NOT NULL,
    patron                text    NOT NULL,
    complaint             text    NOT NULL,
    amount                bigint,                -- in dispute; NULL: nobody knows
    opened_at             timestamptz NOT NULL,
    opened_by             text    NOT NULL,
    frozen_at             bigint  NOT NULL,      -- the ledger's last position then
    disagreements         jsonb   NOT NULL,      -- as the replay said then; none: it agreed
    holds                 boolean NOT NULL,      -- no further coup at the table
    notes                 int     NOT NULL DEFAULT 0,
    decision              text,
    decided_position      bigint,
    decided_at            timestamptz,
    decided_by            text,
    approved_by           text,
    reason                text,
    effect                text,
    changes_hands         bigint,
    patron_told_at        timestamptz,           -- of this decision
    patron_until          timestamptz,           -- they may turn to the regulator
    regulator_notified_at timestamptz,           -- the first time
    reference             text,
    notify_by             timestamptz,           -- NULL: it need not be
    tell_by               timestamptz,
    closed_at             timestamptz
);
CREATE INDEX disputes_by_day ON projections.disputes (gaming_day, table_code);
CREATE INDEX disputes_open ON projections.disputes (position) WHERE closed_at IS NULL;

-- The cases that hold a table, the first one first.
ALTER TABLE projections.tables_now ADD COLUMN held_by text[] NOT NULL DEFAULT '{}';

ALTER TABLE projections.disputes OWNER TO sabot_owner;
GRANT SELECT ON projections.disputes TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.disputes TO sabot_projector;
