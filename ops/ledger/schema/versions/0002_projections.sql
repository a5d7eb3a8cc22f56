-- What people read. Every row here can be dropped and grown again from the ledger.

CREATE SCHEMA projections AUTHORIZATION sabot_owner;
GRANT USAGE ON SCHEMA projections TO sabot_app, sabot_projector, sabot_auditor;

-- How far each projection has read.
CREATE TABLE projections.progress (
    projection text   NOT NULL PRIMARY KEY,
    position   bigint NOT NULL
);

CREATE TABLE projections.commission_owed (
    stay            text    NOT NULL,
    shoe            text    NOT NULL,
    patron          text    NOT NULL,
    table_code      text    NOT NULL,
    gaming_day      date    NOT NULL,
    brought_forward bigint  NOT NULL DEFAULT 0,
    accrued         numeric NOT NULL DEFAULT 0,  -- exact: 5% of an odd amount need not be whole
    charged         bigint  NOT NULL DEFAULT 0,
    corrections     bigint  NOT NULL DEFAULT 0,
    collected       bigint  NOT NULL DEFAULT 0,
    waived          bigint  NOT NULL DEFAULT 0,
    walked          bigint  NOT NULL DEFAULT 0,
    oldest_accrual  timestamptz,                 -- since when something has been owed
    due_at          timestamptz,                 -- shoe's end, leaving or payout
    first_position  bigint  NOT NULL,
    PRIMARY KEY (stay, shoe)
);
CREATE INDEX commission_owed_by_table ON projections.commission_owed (table_code, gaming_day);
CREATE INDEX commission_owed_by_shoe ON projections.commission_owed (shoe);

CREATE TABLE projections.coups (
    coup           text   NOT NULL PRIMARY KEY,
    table_code     text   NOT NULL,
    gaming_day     date   NOT NULL,
    shoe           text   NOT NULL,
    number         int    NOT NULL,
    opened_at      timestamptz NOT NULL,
    closed_at      timestamptz,
    first_card_at  timestamptz,
    resulted_at    timestamptz,
    settled_at     timestamptz,
    cards          jsonb  NOT NULL DEFAULT '[]',
    player_total   int,
    banker_total   int,
    outcome        text,
    "natural"      boolean,
    phase          text   NOT NULL,
    dealer         text   NOT NULL,
    supervisor     text   NOT NULL,
    exceptions     jsonb  NOT NULL DEFAULT '[]',
    first_position bigint NOT NULL
);
CREATE INDEX coups_by_table ON projections.coups (table_code, gaming_day);
CREATE INDEX coups_by_shoe ON projections.coups (shoe, number);

ALTER TABLE projections.progress OWNER TO sabot_owner;
ALTER TABLE projections.commission_owed OWNER TO sabot_owner;
ALTER TABLE projections.coups OWNER TO sabot_owner;
GRANT SELECT ON ALL TABLES IN SCHEMA projections TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA projections TO sabot_projector;
