-- The commission ledger proves itself: what the wagers should have come to stands beside what the
-- accounts say. The two share no row, so that either can show the other to be wrong.

-- How each stay's commission is reckoned, since it sat down.
CREATE TABLE projections.commission_terms (
    stay       text    NOT NULL PRIMARY KEY,
    patron     text    NOT NULL,
    table_code text    NOT NULL,
    gaming_day date    NOT NULL,
    rate       numeric NOT NULL,  -- 0 where the odds have it
    mode       text    NOT NULL,
    unit       bigint  NOT NULL,
    minimum    bigint  NOT NULL,
    per_win    boolean NOT NULL
);

-- Every Banker wager that has won, as it was paid first and as it is now.
CREATE TABLE projections.banker_wins (
    coup        text   NOT NULL,
    seat        int    NOT NULL,
    stay        text   NOT NULL,
    shoe        text   NOT NULL,
    period      int    NOT NULL,           -- which sum it is rounded with, on collection
    won_first   bigint NOT NULL,
    won         bigint NOT NULL,
    kept_back   bigint NOT NULL,           -- of stake and winnings, at payout
    charged     bigint NOT NULL,           -- as the payment tells it
    PRIMARY KEY (coup, seat)
);
CREATE INDEX banker_wins_by_stay ON projections.banker_wins (stay, shoe);

-- What was paid in chips, let off, or lost, as the accounts tell it; a sum ends when nothing is owed.
CREATE TABLE projections.commission_paid (
    stay      text    NOT NULL,
    shoe      text    NOT NULL,
    owed      bigint  NOT NULL DEFAULT 0,
    period    int     NOT NULL DEFAULT 0,
    collected numeric NOT NULL DEFAULT 0,
    waived    numeric NOT NULL DEFAULT 0,
    walked    numeric NOT NULL DEFAULT 0,
    PRIMARY KEY (stay, shoe)
);

-- Grown again from the ledger: corrections, refunds, waivers and what was lost are told by now.
DELETE FROM projections.commission_owed;
DELETE FROM projections.open_accruals;
ALTER TABLE projections.open_accruals ADD COLUMN coup text;  -- NULL: owed again, of no coup's
DELETE FROM projections.progress WHERE projection = 'commission_owed';

-- The charge for an exact amount (R-COM-3), as the rule sets' own code makes it, in SQL.
CREATE FUNCTION projections.charge(exact numeric, mode text, unit bigint, minimum bigint)
RETURNS numeric LANGUAGE sql IMMUTABLE STRICT
RETURN CASE
    WHEN exact = 0 THEN 0
    WHEN mode = 'nearest' THEN greatest(floor(exact / unit + 0.5) * unit, minimum)
    WHEN mode = 'up' THEN greatest(ceil(exact / unit) * unit, minimum)
    ELSE greatest(ceil(exact), minimum)
END;

ALTER TABLE projections.commission_terms OWNER TO sabot_owner;
ALTER TABLE projections.banker_wins OWNER TO sabot_owner;
ALTER TABLE projections.commission_paid OWNER TO sabot_owner;
ALTER FUNCTION projections.charge(numeric, text, bigint, bigint) OWNER TO sabot_owner;
REVOKE ALL ON FUNCTION projections.charge(numeric, text, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION projections.charge(numeric, text, bigint, bigint)
    TO sabot_app, sabot_projector, sabot_auditor;
GRANT SELECT ON projections.commission_terms, projections.banker_wins, projections.commission_paid
    TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.commission_terms, projections.banker_wins,
    projections.commission_paid TO sabot_projector;
