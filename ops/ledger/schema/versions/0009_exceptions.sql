-- However much a house has staked, its closers can be told.
ALTER TABLE projections.inventories ALTER COLUMN variance TYPE numeric;

-- What went wrong and what was done about it. Sums are numeric, so that nothing runs over.

CREATE TABLE projections.exceptions (
    position   bigint NOT NULL,
    kind       text   NOT NULL,
    at         timestamptz NOT NULL,
    table_code text   NOT NULL,                -- '' for the house's own
    gaming_day date   NOT NULL,
    shoe       text,
    coup       text,
    patron     text,                           -- under the name that they had at the table
    "by"       text   NOT NULL,                -- who did it, and the second person
    detail     jsonb  NOT NULL,
    command_id text   NOT NULL,
    PRIMARY KEY (position, kind)
);
CREATE INDEX exceptions_by_table ON projections.exceptions (table_code, gaming_day);
-- However many facts a command told, it came late once.
CREATE UNIQUE INDEX exceptions_of_a_command ON projections.exceptions (command_id, kind)
    WHERE kind IN ('late entry', 'clock behind');

CREATE TABLE projections.voids (
    position     bigint NOT NULL PRIMARY KEY,
    kind         text   NOT NULL,
    original     text   NOT NULL,              -- the coup, the wager, the stay, the slip
    reason       text   NOT NULL,
    requested_by text   NOT NULL,
    approved_by  text   NOT NULL,
    table_code   text   NOT NULL,
    gaming_day   date   NOT NULL,
    shoe         text,
    before       numeric,                      -- NULL: its wagers, or its slip, tell
    after        numeric
);

-- What each stay owes now: a waiver only tells how much it let go.
CREATE TABLE projections.stays_owing (
    stay text    NOT NULL PRIMARY KEY,
    owed numeric NOT NULL
);

CREATE TABLE projections.wagers (
    coup               text   NOT NULL,
    seat               int    NOT NULL,
    spot               text   NOT NULL,
    patron             text   NOT NULL,
    stay               text   NOT NULL,
    table_code         text   NOT NULL,
    gaming_day         date   NOT NULL,
    shoe               text   NOT NULL,
    stake              bigint NOT NULL,
    odds               text,
    result             text,                   -- NULL: the coup is not settled yet
    paid               bigint,
    paid_before        bigint,                 -- before the coup was void; NULL: nothing
    commission_exact   text,                   -- a decimal: it need not be whole
    commission_charged bigint,
    commission_due     text,
    first_position     bigint NOT NULL,
    PRIMARY KEY (coup, seat, spot)
);
CREATE INDEX wagers_by_table ON projections.wagers (table_code, gaming_day);
CREATE INDEX wagers_by_patron ON projections.wagers (patron);

ALTER TABLE projections.exceptions OWNER TO sabot_owner;
ALTER TABLE projections.voids OWNER TO sabot_owner;
ALTER TABLE projections.stays_owing OWNER TO sabot_owner;
ALTER TABLE projections.wagers OWNER TO sabot_owner;
GRANT SELECT ON projections.exceptions, projections.voids, projections.stays_owing,
    projections.wagers TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.exceptions, projections.voids,
    projections.stays_owing, projections.wagers TO sabot_projector;

-- Coups grow anew: what was voided, corrected, found or moved in them is told from now on.
DELETE FROM projections.coups;
DELETE FROM projections.progress WHERE projection = 'coups';
