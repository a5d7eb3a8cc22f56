-- Who agreed to what two people did, and how that is known: these rows are grown again.
ALTER TABLE projections.voids ADD COLUMN approved_proved text;
ALTER TABLE projections.disputes ADD COLUMN approved_proved text;
ALTER TABLE projections.inventories ADD COLUMN signed_proved text;
ALTER TABLE projections.shoes ADD COLUMN verified_proved text;
ALTER TABLE projections.slips ADD COLUMN proved jsonb NOT NULL DEFAULT '{}';

DELETE FROM projections.voids;
DELETE FROM projections.stays_owing;
DELETE FROM projections.disputes;
DELETE FROM projections.inventories;
DELETE FROM projections.shoes;
DELETE FROM projections.shoe_cards;
DELETE FROM projections.slips;
DELETE FROM projections.exceptions;
DELETE FROM projections.access;
DELETE FROM projections.progress
 WHERE projection IN ('voids', 'disputes', 'inventory', 'shoes', 'slips', 'exceptions', 'access');

-- Of the secret with which administrators are let in again when all of them are locked; it was
-- shown once, and only its SHA-256 is kept.
CREATE TABLE people.recovery (
    only_one boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (only_one),
    digest   text    NOT NULL
);
ALTER TABLE people.recovery OWNER TO sabot_owner;
GRANT SELECT, INSERT, UPDATE ON people.recovery TO sabot_app;
