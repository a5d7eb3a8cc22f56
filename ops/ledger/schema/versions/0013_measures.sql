-- What the business is measured by. Sums are numeric, so that nothing runs over.

-- Table days grow anew, with the moments at which they opened and closed.
DELETE FROM projections.table_wins;
DELETE FROM projections.table_shoes;
DELETE FROM projections.handles;
ALTER TABLE projections.table_wins
    ADD COLUMN opened_at timestamptz NOT NULL,
    ADD COLUMN closed_at timestamptz;            -- NULL: still open
DELETE FROM projections.progress WHERE projection = 'table_win';

-- Over all coups of a shoe, stake on one spot times stake on the other: wagers of one coup win
-- and lose together, and the variance of a win is made of these. spot <= other, as bytes.
CREATE TABLE projections.stake_products (
    shoe    text    NOT NULL,
    spot    text    NOT NULL,
    other   text    NOT NULL,
    product numeric NOT NULL,
    PRIMARY KEY (shoe, spot, other)
);

-- Wagers grow anew, with them.
DELETE FROM projections.wagers;
DELETE FROM projections.progress WHERE projection = 'wagers';

CREATE TABLE projections.stays (
    stay           text    NOT NULL PRIMARY KEY,
    patron         text    NOT NULL,             -- under the name that they had at the table
    table_code     text    NOT NULL,
    gaming_day     date    NOT NULL,
    seated_at      timestamptz NOT NULL,
    left_at        timestamptz,
    buy_in         numeric NOT NULL DEFAULT 0,
    first_position bigint  NOT NULL
);
CREATE INDEX stays_by_day ON projections.stays (gaming_day, table_code);
CREATE INDEX stays_by_patron ON projections.stays (patron);

-- Who had which chair, from when until when; one patron may have up to three.
CREATE TABLE projections.chairs (
    stay           text   NOT NULL,
    seat           int    NOT NULL,
    table_code     text   NOT NULL,
    gaming_day     date   NOT NULL,
    taken_at       timestamptz NOT NULL,
    given_up_at    timestamptz,
    first_position bigint NOT NULL PRIMARY KEY
);
CREATE INDEX chairs_by_stay ON projections.chairs (stay);
CREATE INDEX chairs_by_day ON projections.chairs (gaming_day, table_code);

-- Who dealt at a table, from when until when; a coup is whose it was opened by.
CREATE TABLE projections.stints (
    staff          text   NOT NULL,
    table_code     text   NOT NULL,
    gaming_day     date   NOT NULL,
    began_at       timestamptz NOT NULL,
    ended_at       timestamptz,
    first_position bigint NOT NULL PRIMARY KEY,
    last_position  bigint                        -- NULL: still there
);
CREATE INDEX stints_by_day ON projections.stints (gaming_day, table_code);

ALTER TABLE projections.stake_products OWNER TO sabot_owner;
ALTER TABLE projections.stays OWNER TO sabot_owner;
ALTER TABLE projections.chairs OWNER TO sabot_owner;
ALTER TABLE projections.stints OWNER TO sabot_owner;
GRANT SELECT ON projections.stake_products, projections.stays, projections.chairs,
    projections.stints TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.stake_products, projections.stays,
    projections.chairs, projections.stints TO sabot_projector;
