-- What the floor reports. Sums are numeric: however much is added up, nothing runs over.

-- Who an alias turned out to be. An alias of an alias leads straight to the last patron.
CREATE TABLE projections.patron_identities (
    alias  text NOT NULL PRIMARY KEY,
    patron text NOT NULL CHECK (patron <> alias)
);
CREATE INDEX patron_identities_by_patron ON projections.patron_identities (patron);

CREATE TABLE projections.table_wins (
    table_code     text    NOT NULL,
    gaming_day     date    NOT NULL,
    rules          text    NOT NULL,
    opener         bigint  NOT NULL,
    fills          numeric NOT NULL DEFAULT 0,
    credits        numeric NOT NULL DEFAULT 0,
    cash_out       numeric NOT NULL DEFAULT 0,
    drop_counted   bigint,                     -- NULL: the box was not counted yet
    closer         bigint,                     -- NULL: still open
    first_position bigint  NOT NULL,
    PRIMARY KEY (table_code, gaming_day)
);

-- How many decks each shoe has, on which the odds depend.
CREATE TABLE projections.table_shoes (
    shoe       text NOT NULL PRIMARY KEY,
    table_code text NOT NULL,
    gaming_day date NOT NULL,
    decks      int  NOT NULL
);
CREATE INDEX table_shoes_by_table ON projections.table_shoes (table_code, gaming_day);

-- What was staked and settled, by shoe and spot.
CREATE TABLE projections.handles (
    shoe   text    NOT NULL,
    spot   text    NOT NULL,
    handle numeric NOT NULL,
    PRIMARY KEY (shoe, spot)
);

CREATE TABLE projections.inventories (
    table_code     text   NOT NULL,
    gaming_day     date   NOT NULL,
    moment         text   NOT NULL CHECK (moment IN ('opener', 'closer')),
    chips          jsonb  NOT NULL,            -- denomination to how many
    total          bigint NOT NULL,
    counted_by     text   NOT NULL,
    signed_by      text   NOT NULL,
    variance       bigint,
    level          text   NOT NULL,
    first_position bigint NOT NULL,
    PRIMARY KEY (table_code, gaming_day, moment)
);

CREATE TABLE projections.slips (
    slip           text   NOT NULL PRIMARY KEY,
    kind           text   NOT NULL,
    requested_at   timestamptz NOT NULL,
    table_code     text   NOT NULL,
    chips          jsonb  NOT NULL,
    total          bigint NOT NULL,
    requested_by   text   NOT NULL,
    cashier        text,
    runner         text,
    dealer         text,
    supervisor     text,
    status         text   NOT NULL,
    reason         text,                       -- why it was voided
    first_position bigint NOT NULL
);

-- Every buy-in and cash-out, under the name that the patron had at the table.
CREATE TABLE projections.cash (
    position   bigint NOT NULL PRIMARY KEY,
    at         timestamptz NOT NULL,
    table_code text   NOT NULL,
    gaming_day date   NOT NULL,
    patron     text   NOT NULL,
    direction  text   NOT NULL CHECK (direction IN ('in', 'out')),
    kind       text   NOT NULL,
    amount     bigint NOT NULL
);
CREATE INDEX cash_by_day ON projections.cash (gaming_day, patron);

-- Cash in one gaming day over this is reported; the last one holds.
CREATE TABLE projections.reporting_amounts (
    position bigint NOT NULL PRIMARY KEY,
    amount   bigint NOT NULL
);

CREATE TABLE projections.access (
    position bigint NOT NULL PRIMARY KEY,
    at       timestamptz NOT NULL,
    staff    text   NOT NULL,                  -- '' for the house's own
    act      text   NOT NULL,
    "by"     text   NOT NULL
);

ALTER TABLE projections.patron_identities OWNER TO sabot_owner;
ALTER TABLE projections.table_wins OWNER TO sabot_owner;
ALTER TABLE projections.table_shoes OWNER TO sabot_owner;
ALTER TABLE projections.handles OWNER TO sabot_owner;
ALTER TABLE projections.inventories OWNER TO sabot_owner;
ALTER TABLE projections.slips OWNER TO sabot_owner;
ALTER TABLE projections.cash OWNER TO sabot_owner;
ALTER TABLE projections.reporting_amounts OWNER TO sabot_owner;
ALTER TABLE projections.access OWNER TO sabot_owner;
GRANT SELECT ON projections.patron_identities, projections.table_wins, projections.table_shoes,
    projections.handles, projections.inventories, projections.slips, projections.cash,
    projections.reporting_amounts, projections.access TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.patron_identities, projections.table_wins,
    projections.table_shoes, projections.handles, projections.inventories, projections.slips,
    projections.cash, projections.reporting_amounts, projections.access TO sabot_projector;
