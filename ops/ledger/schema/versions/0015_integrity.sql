-- How far the chain was walked as the record grew: one row.
CREATE TABLE projections.integrity (
    one         boolean     NOT NULL DEFAULT true PRIMARY KEY CHECK (one),
    events      bigint      NOT NULL,
    head        bytea       NOT NULL,
    recorded_at timestamptz,          -- of the last event
    first_bad   bigint                -- NULL: every hash was the one it must be
);
ALTER TABLE projections.integrity OWNER TO sabot_owner;
GRANT SELECT ON projections.integrity TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.integrity TO sabot_projector;
GRANT EXECUTE ON FUNCTION ledger.field(bytea), ledger.canonical(uuid, bigint, text, bytea, bigint,
    timestamptz, date, text, text, text, text) TO sabot_projector;
