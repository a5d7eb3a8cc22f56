-- How every table stands now, and what needs a person until somebody acknowledges it.

-- Nobody could acknowledge an exception before, so that the rows that are there stay as they are.
ALTER TABLE projections.exceptions
    ADD COLUMN acknowledged_by   text,
    ADD COLUMN acknowledged_at   timestamptz,
    ADD COLUMN acknowledged_text text;
CREATE INDEX exceptions_open ON projections.exceptions (position) WHERE acknowledged_at IS NULL;

CREATE TABLE projections.alerts (
    position          bigint NOT NULL,
    kind              text   NOT NULL,
    at                timestamptz NOT NULL,
    table_code        text   NOT NULL,
    gaming_day        date   NOT NULL,
    shoe              text,
    coup              text,
    patron            text,
    detail            jsonb  NOT NULL,
    ended_at          timestamptz,             -- when it said nothing any more
    acknowledged_by   text,
    acknowledged_at   timestamptz,
    acknowledged_text text,
    PRIMARY KEY (position, kind)
);
CREATE INDEX alerts_by_day ON projections.alerts (gaming_day, table_code);
CREATE INDEX alerts_of_a_patron ON projections.alerts (patron, gaming_day);
CREATE INDEX alerts_open ON projections.alerts (position)
    WHERE acknowledged_at IS NULL AND ended_at IS NULL;

-- At which table a patron's cash of a day moved last.
CREATE TABLE projections.alert_places (
    patron     text NOT NULL,
    gaming_day date NOT NULL,
    table_code text NOT NULL,
    PRIMARY KEY (patron, gaming_day)
);

-- One row a table: the gaming day that was opened last at it. Changed by every card, so with
-- room on its pages for the next version of a row.
CREATE TABLE projections.tables_now (
    table_code        text   NOT NULL PRIMARY KEY,
    gaming_day        date   NOT NULL,
    opened_at         timestamptz NOT NULL,
    closed_at         timestamptz,
    rules             text   NOT NULL,
    rules_digest      text   NOT NULL,
    limits            jsonb  NOT NULL,
    differential      bigint,
    dealer            text   NOT NULL,
    supervisor        text   NOT NULL,
    shoe              text,                    -- in play; NULL: none
    cards_left        int,
    cut_card          int,                     -- cards from the back
    cut_card_position bigint,                  -- at which it showed; NULL: it has not
    cut_card_at       timestamptz,
    last_coup         int,                     -- that it allows
    coup              text,                    -- of that shoe, the last one opened
    phase             text,
    last_coup_at      timestamptz,             -- begun or settled
    idle_position     bigint NOT NULL,         -- the last coup went on, or the table opened
    idle_at           timestamptz NOT NULL,
    cash_in           numeric NOT NULL DEFAULT 0,
    drop_counted      bigint,                  -- NULL: the box was not counted yet
    wagers_won        numeric NOT NULL DEFAULT 0,
    commission_kept   numeric NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE projections.seats_now (
    table_code text NOT NULL,
    seat       int  NOT NULL,
    patron     text NOT NULL,
    stay       text NOT NULL,
    PRIMARY KEY (table_code, seat)
);

-- What every stay of that day owes, here or gone.
CREATE TABLE projections.stays_now (
    stay       text    NOT NULL PRIMARY KEY,
    table_code text    NOT NULL,
    patron     text    NOT NULL,
    owed       numeric NOT NULL
);
CREATE INDEX stays_now_by_table ON projections.stays_now (table_code);

-- The coups that were settled in the last hour of play.
CREATE TABLE projections.coups_now (
    position   bigint NOT NULL PRIMARY KEY,
    table_code text   NOT NULL,
    settled_at timestamptz NOT NULL
);
CREATE INDEX coups_now_by_table ON projections.coups_now (table_code, settled_at);

ALTER TABLE projections.alerts OWNER TO sabot_owner;
ALTER TABLE projections.alert_places OWNER TO sabot_owner;
ALTER TABLE projections.tables_now OWNER TO sabot_owner;
ALTER TABLE projections.seats_now OWNER TO sabot_owner;
ALTER TABLE projections.stays_now OWNER TO sabot_owner;
ALTER TABLE projections.coups_now OWNER TO sabot_owner;
GRANT SELECT ON projections.alerts, projections.alert_places, projections.tables_now,
    projections.seats_now, projections.stays_now, projections.coups_now TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.alerts, projections.alert_places,
    projections.tables_now, projections.seats_now, projections.stays_now, projections.coups_now
    TO sabot_projector;
