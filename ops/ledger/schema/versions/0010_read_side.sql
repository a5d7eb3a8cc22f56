-- Every report is narrowed to gaming days, and finds a day without reading the month.

-- Tables whose rows had no day grow again from the ledger, with one.
DELETE FROM projections.slips;
ALTER TABLE projections.slips ADD COLUMN gaming_day date NOT NULL;
DROP TABLE projections.access;
CREATE TABLE projections.access (
    position   bigint NOT NULL PRIMARY KEY,
    at         timestamptz NOT NULL,
    gaming_day date   NOT NULL,
    staff      text   NOT NULL,                  -- '' for the house's own
    act        text   NOT NULL,
    "by"       text   NOT NULL
);
ALTER TABLE projections.access OWNER TO sabot_owner;
GRANT SELECT ON projections.access TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.access TO sabot_projector;
DELETE FROM projections.progress WHERE projection IN ('slips', 'access');
