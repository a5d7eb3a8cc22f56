-- What people read. Every row here can be dropped and grown again from the ledger: beside the live
-- rows, whose place it then takes.

SET LOCAL ROLE sabot_owner;

-- How far each projection has read, and how it is doing.
CREATE TABLE projections.progress (
    projection  text   NOT NULL PRIMARY KEY,
    position    bigint NOT NULL,
    moved_at    timestamptz,
    rate        double precision,  -- events a second, in its last large batch
    stopped_at  bigint,            -- at this position it could not go on …
    stopped_why text,              -- … for this reason
    -- Of the event at the position: when it is another one now, or there is none, the ledger is not
    -- the one that was read. NULL: nothing was read.
    hash        bytea
);
CREATE TABLE beside.progress (LIKE projections.progress INCLUDING ALL);

-- Who is growing a projection anew; a session that has ended holds nothing.
CREATE TABLE beside.rebuilding (
    projection text    NOT NULL PRIMARY KEY,
    pid        integer NOT NULL
);

-- One row a stay and shoe. Amounts are minor units.
CREATE TABLE projections.commission_owed (
    stay            text    NOT NULL,            -- who owes it: a patron's time at one table
    shoe            text    NOT NULL,            -- in which it accrued
    patron          text    NOT NULL,            -- under the name that they had at the table
    table_code      text    NOT NULL,
    gaming_day      date    NOT NULL,
    brought_forward bigint  NOT NULL DEFAULT 0,  -- owed since an earlier shoe
    accrued         numeric NOT NULL DEFAULT 0,  -- exact: 5% of an odd amount need not be whole
    charged         bigint  NOT NULL DEFAULT 0,  -- the same, rounded
    corrections     bigint  NOT NULL DEFAULT 0,  -- what voids and corrections changed of it
    collected       bigint  NOT NULL DEFAULT 0,
    waived          bigint  NOT NULL DEFAULT 0,
    walked          bigint  NOT NULL DEFAULT 0,  -- lost with a patron who left
    due_at          timestamptz,                 -- shoe's end, leaving or payout
    first_position  bigint  NOT NULL,
    PRIMARY KEY (stay, shoe)
);
CREATE INDEX commission_owed_by_table ON projections.commission_owed (table_code, gaming_day);
CREATE INDEX commission_owed_by_shoe ON projections.commission_owed (shoe);

-- Every accrual of which something is still owed; collections pay the oldest first.
CREATE TABLE projections.open_accruals (
    position bigint      NOT NULL PRIMARY KEY,
    stay     text        NOT NULL,
    shoe     text        NOT NULL,
    at       timestamptz NOT NULL,
    owed     bigint      NOT NULL CHECK (owed > 0),  -- minor units
    coup     text                                    -- NULL: owed again, of no coup's
);
CREATE INDEX open_accruals_by_stay ON projections.open_accruals (stay, shoe, position);

-- How each stay's commission is reckoned, since it sat down. Amounts are minor units.
CREATE TABLE projections.commission_terms (
    stay       text    NOT NULL PRIMARY KEY,
    patron     text    NOT NULL,  -- under the name that they had at the table
    table_code text    NOT NULL,
    gaming_day date    NOT NULL,
    rate       numeric NOT NULL,  -- 0 where the odds have it
    mode       text    NOT NULL,  -- how it is rounded: nearest, up, or to the next whole unit
    unit       bigint  NOT NULL,  -- to multiples of which
    minimum    bigint  NOT NULL,
    per_win    boolean NOT NULL   -- whether each win is rounded, or their sum on collection
);

-- Every Banker wager that has won, as it was paid first and as it is now.
CREATE TABLE projections.banker_wins (
    coup      text   NOT NULL,
    seat      int    NOT NULL,
    stay      text   NOT NULL,
    shoe      text   NOT NULL,
    period    int    NOT NULL,  -- which sum it is rounded with, on collection
    won_first bigint NOT NULL,
    won       bigint NOT NULL,
    kept_back bigint NOT NULL,  -- of stake and winnings, at payout
    charged   bigint NOT NULL,  -- as the payment tells it
    spot      text   NOT NULL,  -- on which it lies
    PRIMARY KEY (coup, seat)
);
CREATE INDEX banker_wins_by_stay ON projections.banker_wins (stay, shoe);

-- What was paid in chips, let off, or lost, as the accounts tell it; a sum ends when nothing is owed.
CREATE TABLE projections.commission_paid (
    stay      text    NOT NULL,
    shoe      text    NOT NULL,
    owed      bigint  NOT NULL DEFAULT 0,
    period    int     NOT NULL DEFAULT 0,  -- how many sums have ended
    collected numeric NOT NULL DEFAULT 0,
    waived    numeric NOT NULL DEFAULT 0,
    walked    numeric NOT NULL DEFAULT 0,
    PRIMARY KEY (stay, shoe)
);

-- One row a coup that was opened.
CREATE TABLE projections.coups (
    coup           text   NOT NULL PRIMARY KEY,  -- its address: table, gaming day, shoe, number
    table_code     text   NOT NULL,
    gaming_day     date   NOT NULL,
    shoe           text   NOT NULL,
    number         int    NOT NULL,              -- in the shoe, from 1
    opened_at      timestamptz NOT NULL,
    closed_at      timestamptz,                  -- to bets
    first_card_at  timestamptz,
    resulted_at    timestamptz,                  -- when its outcome was known
    settled_at     timestamptz,                  -- when every wager was paid or taken
    cards          jsonb  NOT NULL DEFAULT '[]', -- each with its hand and the rule it was due by
    player_total   int,
    banker_total   int,
    outcome        text,                         -- player, banker or tie
    "natural"      boolean,                      -- whether a hand had 8 or 9 on two cards
    phase          text   NOT NULL,              -- betting, dealing, resulted, settled or voided
    dealer         text   NOT NULL,
    supervisor     text   NOT NULL,
    exceptions     jsonb  NOT NULL DEFAULT '[]', -- what went wrong at it
    first_position bigint NOT NULL
);
CREATE INDEX coups_by_table ON projections.coups (table_code, gaming_day);
CREATE INDEX coups_by_shoe ON projections.coups (shoe, number);

-- One row a coup, seat and spot. Amounts are minor units.
CREATE TABLE projections.wagers (
    coup               text   NOT NULL,
    seat               int    NOT NULL,
    spot               text   NOT NULL,
    patron             text   NOT NULL,  -- under the name that they had at the table
    stay               text   NOT NULL,
    table_code         text   NOT NULL,
    gaming_day         date   NOT NULL,
    shoe               text   NOT NULL,
    stake              bigint NOT NULL,
    odds               text,             -- as in 1:1; NULL: it did not win
    result             text,             -- NULL: the coup is not settled yet
    paid               bigint,           -- the stake in it
    paid_before        bigint,           -- before the coup was void; NULL: nothing
    commission_exact   text,             -- a decimal: it need not be whole
    commission_charged bigint,
    commission_due     text,             -- at-payout or deferred
    first_position     bigint NOT NULL,
    PRIMARY KEY (coup, seat, spot)
);
CREATE INDEX wagers_by_table ON projections.wagers (table_code, gaming_day);
CREATE INDEX wagers_by_patron ON projections.wagers (patron);

-- Over all coups of a shoe, stake on one spot times stake on the other; spot <= other, as bytes.
CREATE TABLE projections.stake_products (
    shoe    text    NOT NULL,
    spot    text    NOT NULL,
    other   text    NOT NULL,
    product numeric NOT NULL,            -- minor units, squared
    PRIMARY KEY (shoe, spot, other)
);

-- One row an exception: what somebody should look at.
CREATE TABLE projections.exceptions (
    position          bigint NOT NULL,
    kind              text   NOT NULL,  -- late bet, undue card, coup voided, …
    at                timestamptz NOT NULL,
    table_code        text   NOT NULL,  -- '' for the house's own
    gaming_day        date   NOT NULL,
    shoe              text,
    coup              text,
    patron            text,             -- under the name that they had at the table
    "by"              text   NOT NULL,  -- who did it, and the second person
    detail            jsonb  NOT NULL,  -- all that the fact tells
    command_id        text   NOT NULL,
    acknowledged_by   text,
    acknowledged_at   timestamptz,
    acknowledged_text text,
    PRIMARY KEY (position, kind)
);
CREATE INDEX exceptions_by_table ON projections.exceptions (table_code, gaming_day);
-- However many facts a command told, it came late once.
CREATE UNIQUE INDEX exceptions_of_a_command ON projections.exceptions (command_id, kind)
    WHERE kind IN ('late entry', 'clock behind', 'clock ahead');
CREATE INDEX exceptions_open ON projections.exceptions (position) WHERE acknowledged_at IS NULL;

-- One row an act of two people. Sums are numeric, so that nothing runs over; minor units.
CREATE TABLE projections.voids (
    position        bigint NOT NULL PRIMARY KEY,
    kind            text   NOT NULL,  -- coup voided, payment corrected, slip voided, …
    original        text   NOT NULL,  -- the coup, the wager, the stay, the slip
    reason          text   NOT NULL,
    requested_by    text   NOT NULL,
    approved_by     text   NOT NULL,
    table_code      text   NOT NULL,
    gaming_day      date   NOT NULL,
    shoe            text,
    before          numeric,          -- NULL: its wagers, or its slip, tell
    after           numeric,
    approved_proved text              -- how who approved was known
);

-- What each stay owes now: a waiver only tells how much it let go.
CREATE TABLE projections.stays_owing (
    stay text    NOT NULL PRIMARY KEY,
    owed numeric NOT NULL
);

-- One row a table and gaming day. Sums are numeric, so that nothing runs over; minor units.
CREATE TABLE projections.table_wins (
    table_code     text    NOT NULL,
    gaming_day     date    NOT NULL,
    rules          text    NOT NULL,            -- the rule set that it was dealt under
    opener         bigint  NOT NULL,            -- chips in the tray when it opened
    fills          numeric NOT NULL DEFAULT 0,
    credits        numeric NOT NULL DEFAULT 0,
    cash_out       numeric NOT NULL DEFAULT 0,
    drop_counted   bigint,                      -- NULL: the box was not counted yet
    closer         bigint,                      -- NULL: still open
    first_position bigint  NOT NULL,
    opened_at      timestamptz NOT NULL,
    closed_at      timestamptz,                 -- NULL: still open
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

-- One row a count of the tray. Amounts are minor units.
CREATE TABLE projections.inventories (
    table_code     text   NOT NULL,
    gaming_day     date   NOT NULL,
    moment         text   NOT NULL CHECK (moment IN ('opener', 'closer')),
    chips          jsonb  NOT NULL,  -- denomination to how many
    total          bigint NOT NULL,
    counted_by     text   NOT NULL,
    signed_by      text   NOT NULL,
    variance       numeric,          -- by how much a closer is off, however much was staked
    level          text   NOT NULL,  -- who is told of it: none, report or regulator
    first_position bigint NOT NULL,
    signed_proved  text,             -- how who signed was known
    PRIMARY KEY (table_code, gaming_day, moment)
);

-- One row a fill or credit.
CREATE TABLE projections.slips (
    slip           text   NOT NULL PRIMARY KEY,  -- its number, without a gap in its year
    kind           text   NOT NULL,              -- fill or credit
    requested_at   timestamptz NOT NULL,
    table_code     text   NOT NULL,
    chips          jsonb  NOT NULL,              -- denomination to how many
    total          bigint NOT NULL,              -- minor units
    requested_by   text   NOT NULL,
    cashier        text,
    runner         text,
    dealer         text,
    supervisor     text,
    status         text   NOT NULL,              -- requested, issued, carried, received or voided
    reason         text,                         -- why it was voided
    first_position bigint NOT NULL,
    gaming_day     date   NOT NULL,
    proved         jsonb  NOT NULL DEFAULT '{}'  -- how each of those who signed was known
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
    amount     bigint NOT NULL   -- minor units
);
CREATE INDEX cash_by_day ON projections.cash (gaming_day, patron);

-- Cash in one gaming day over this is reported; the last one holds.
CREATE TABLE projections.reporting_amounts (
    position bigint NOT NULL PRIMARY KEY,
    amount   bigint NOT NULL     -- minor units
);

-- One row an act: who came and went, was turned away, and what changed about who may do what.
CREATE TABLE projections.access (
    position   bigint NOT NULL PRIMARY KEY,
    at         timestamptz NOT NULL,
    gaming_day date   NOT NULL,
    staff      text   NOT NULL,  -- whom it is about; '' for the house's own
    act        text   NOT NULL,  -- in words
    "by"       text   NOT NULL   -- who did it
);

-- One row a shoe.
CREATE TABLE projections.shoes (
    shoe            text    NOT NULL PRIMARY KEY,
    table_code      text    NOT NULL,
    gaming_day      date    NOT NULL,
    decks           int     NOT NULL,
    serials         jsonb   NOT NULL,                -- of the decks
    batch           text,                            -- of pre-shuffled cards
    colour          text,                            -- of the backs
    inspected_by    text,
    verified_by     text,                            -- the second person
    shuffle_method  text,
    shuffle_device  text,
    cut_by          text,
    cut_card        int,                             -- how many cards lay behind it
    burn_card       text,                            -- the one that was burned face up
    face_down       int     NOT NULL DEFAULT 0,      -- burned and not shown
    burned          int     NOT NULL DEFAULT 0,      -- all that was, those among them
    first_coup      text,
    last_coup       text,
    coups           int     NOT NULL DEFAULT 0,
    drawn           int     NOT NULL DEFAULT 0,      -- carried ones too, when they left the shoe
    discarded       int     NOT NULL DEFAULT 0,      -- foreign ones were never the shoe's
    remaining       int,                             -- NULL: not ended; then as counted
    ended_why       text,
    rest_named      boolean NOT NULL DEFAULT false,  -- whether the remaining cards are known
    burns_named     boolean NOT NULL DEFAULT true,   -- whether those burned face down are
    first_position  bigint  NOT NULL,
    difference      bigint,                          -- how many it lacked; NULL: not counted
    verified_proved text                             -- how the second person was known
);

-- How each of the 52 cards left it.
CREATE TABLE projections.shoe_cards (
    shoe      text NOT NULL,
    card      text NOT NULL,
    place     int  NOT NULL,                         -- in a new deck
    drawn     int  NOT NULL DEFAULT 0,
    burned    int  NOT NULL DEFAULT 0,
    discarded int  NOT NULL DEFAULT 0,
    remaining int  NOT NULL DEFAULT 0,
    PRIMARY KEY (shoe, card)
);

-- One row: how far the chain was walked as the record grew.
CREATE TABLE projections.integrity (
    one         boolean     NOT NULL DEFAULT true PRIMARY KEY CHECK (one),
    events      bigint      NOT NULL,
    head        bytea       NOT NULL,  -- the last hash
    recorded_at timestamptz,           -- of the last event
    first_bad   bigint                 -- NULL: every hash was the one it must be
);

-- One row an alert: what needs a person until somebody acknowledges it.
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
    ended_at          timestamptz,  -- when it said nothing any more
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

-- One row a stay: a patron's time at one table.
CREATE TABLE projections.stays (
    stay           text    NOT NULL PRIMARY KEY,
    patron         text    NOT NULL,             -- under the name that they had at the table
    table_code     text    NOT NULL,
    gaming_day     date    NOT NULL,
    seated_at      timestamptz NOT NULL,
    left_at        timestamptz,                  -- NULL: still there
    buy_in         numeric NOT NULL DEFAULT 0,   -- minor units
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
    given_up_at    timestamptz,                  -- NULL: still theirs
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
    ended_at       timestamptz,                  -- NULL: still there
    first_position bigint NOT NULL PRIMARY KEY,
    last_position  bigint                        -- NULL: still there
);
CREATE INDEX stints_by_day ON projections.stints (gaming_day, table_code);

-- One row a case. What is done again is told as it was the last time; what several decisions came
-- to adds up. Amounts are minor units.
CREATE TABLE projections.disputes (
    case_number           text    NOT NULL PRIMARY KEY,
    position              bigint  NOT NULL,      -- at which it was opened
    coup                  text    NOT NULL,
    table_code            text    NOT NULL,      -- of the coup, as the gaming day is
    gaming_day            date    NOT NULL,
    patron                text    NOT NULL,      -- the name by which the case was opened
    complaint             text    NOT NULL,
    amount                bigint,                -- in dispute; NULL: nobody knows
    opened_at             timestamptz NOT NULL,
    opened_by             text    NOT NULL,
    frozen_at             bigint  NOT NULL,      -- the ledger's last position then
    disagreements         jsonb   NOT NULL,      -- as the replay said then; none: it agreed
    holds                 boolean NOT NULL,      -- no further coup at the table
    notes                 int     NOT NULL DEFAULT 0,
    decision              text,                  -- stand, correct or void
    decided_position      bigint,
    decided_at            timestamptz,
    decided_by            text,
    approved_by           text,
    reason                text,
    effect                text,                  -- what each decision came to, in words
    changes_hands         bigint,                -- went to patrons by all; below 0: from them
    patron_told_at        timestamptz,           -- of this decision
    patron_until          timestamptz,           -- they may turn to the regulator
    regulator_notified_at timestamptz,           -- the first time
    reference             text,                  -- the regulator's own
    notify_by             timestamptz,           -- NULL: it need not be
    tell_by               timestamptz,           -- until when the patron must hear it
    closed_at             timestamptz,
    approved_proved       text                   -- how who approved was known
);
CREATE INDEX disputes_by_day ON projections.disputes (gaming_day, table_code);
CREATE INDEX disputes_open ON projections.disputes (position) WHERE closed_at IS NULL;

-- An alias of an alias leads straight to the last patron.
CREATE TABLE projections.patron_identities (
    alias  text NOT NULL PRIMARY KEY,                  -- the name that somebody had at a table
    patron text NOT NULL CHECK (patron <> alias)       -- who it turned out to be
);
CREATE INDEX patron_identities_by_patron ON projections.patron_identities (patron);

-- One row a table: the gaming day that was opened last at it. Changed by every card, so with
-- room on its pages for the next version of a row. Amounts are minor units.
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
    shoe              text,                         -- in play; NULL: none
    cards_left        int,
    cut_card          int,                          -- cards from the back
    cut_card_position bigint,                       -- at which it showed; NULL: it has not
    cut_card_at       timestamptz,
    last_coup         int,                          -- that it allows
    coup              text,                         -- of that shoe, the last one opened
    phase             text,
    last_coup_at      timestamptz,                  -- begun or settled
    idle_position     bigint NOT NULL,              -- the last coup went on, or the table opened
    idle_at           timestamptz NOT NULL,
    cash_in           numeric NOT NULL DEFAULT 0,
    drop_counted      bigint,                       -- NULL: the box was not counted yet
    wagers_won        numeric NOT NULL DEFAULT 0,   -- by the house
    commission_kept   numeric NOT NULL DEFAULT 0,
    held_by           text[]  NOT NULL DEFAULT '{}' -- the cases that hold it, the first one first
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

GRANT SELECT ON ALL TABLES IN SCHEMA projections TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA projections, beside
    TO sabot_projector;

-- An empty table beside a live one: the same columns, defaults, checks and indexes by the same
-- names, so that later versions of the schema find them.
CREATE FUNCTION projections.make_beside(projection text, tables text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    wanted text;
    made   record;
BEGIN
    DELETE FROM beside.progress p WHERE p.projection = make_beside.projection;
    FOREACH wanted IN ARRAY tables LOOP
        EXECUTE format('DROP TABLE IF EXISTS beside.%I', wanted);
        EXECUTE format('CREATE TABLE beside.%1$I (LIKE projections.%1$I INCLUDING ALL '
                       'EXCLUDING INDEXES) %2$s', wanted,
                       (SELECT 'WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class
                         WHERE oid = format('projections.%I', wanted)::regclass));
        FOR made IN
            SELECT c.conname AS name, pg_get_constraintdef(c.oid) AS def FROM pg_constraint c
             WHERE c.conrelid = format('projections.%I', wanted)::regclass
               AND c.contype IN ('p', 'u')
        LOOP
            EXECUTE format('ALTER TABLE beside.%I ADD CONSTRAINT %I %s',
                           wanted, made.name, made.def);
        END LOOP;
        FOR made IN
            SELECT pg_get_indexdef(i.indexrelid) AS def FROM pg_index i
             WHERE i.indrelid = format('projections.%I', wanted)::regclass
               AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
        LOOP
            EXECUTE replace(made.def, ' ON projections.', ' ON beside.');
        END LOOP;
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON beside.%I TO sabot_projector',
                       wanted);
        EXECUTE format('GRANT SELECT ON beside.%I TO sabot_app, sabot_auditor', wanted);
    END LOOP;
END
$$;

-- What was grown beside takes the live place, and views over it, which would keep to the old rows,
-- are told anew. Whoever calls holds the lock of the live rows.
CREATE FUNCTION projections.swap_in(projection text, tables text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    wanted text;
    views  text[];
    held   text;
    seen   text;
BEGIN
    SELECT array_agg(DISTINCT format('CREATE OR REPLACE VIEW %s %s AS %s', c.oid::regclass,
                                     'WITH (' || array_to_string(c.reloptions, ', ') || ')',
                                     pg_get_viewdef(c.oid))),
           string_agg(DISTINCT c.oid::regclass::text, ', ')
      INTO views, held
      FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class c ON c.oid = r.ev_class
     WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
       AND d.refobjid = ANY (SELECT format('projections.%I', t)::regclass FROM unnest(tables) t)
       AND c.oid <> d.refobjid;
    -- In the order in which whoever reads takes them: views, then tables by their names.
    IF held IS NOT NULL THEN
        EXECUTE 'LOCK TABLE ' || held || ' IN ACCESS EXCLUSIVE MODE';
    END IF;
    FOREACH wanted IN ARRAY tables LOOP
        EXECUTE format('LOCK TABLE projections.%I IN ACCESS EXCLUSIVE MODE', wanted);
    END LOOP;
    FOREACH wanted IN ARRAY tables LOOP
        EXECUTE format('ALTER TABLE projections.%I SET SCHEMA outgoing', wanted);
        EXECUTE format('ALTER TABLE beside.%I SET SCHEMA projections', wanted);
    END LOOP;
    FOREACH seen IN ARRAY coalesce(views, '{}') LOOP
        EXECUTE seen;
    END LOOP;
    FOREACH wanted IN ARRAY tables LOOP
        EXECUTE format('DROP TABLE outgoing.%I', wanted);
    END LOOP;
    INSERT INTO projections.progress
    SELECT * FROM beside.progress p WHERE p.projection = swap_in.projection
    ON CONFLICT ON CONSTRAINT progress_pkey DO UPDATE SET
        position = excluded.position, hash = excluded.hash, moved_at = excluded.moved_at,
        rate = excluded.rate, stopped_at = NULL, stopped_why = NULL;
    DELETE FROM beside.progress p WHERE p.projection = swap_in.projection;
END
$$;

-- The charge for an exact amount (R-COM-3), as the rule sets' own code makes it, in SQL.
CREATE FUNCTION projections.charge(exact numeric, mode text, unit bigint, minimum bigint)
RETURNS numeric LANGUAGE sql IMMUTABLE STRICT
RETURN CASE
    WHEN exact = 0 THEN 0
    WHEN mode = 'nearest' THEN greatest(floor(exact / unit + 0.5) * unit, minimum)
    WHEN mode = 'up' THEN greatest(ceil(exact / unit) * unit, minimum)
    ELSE greatest(ceil(exact), minimum)
END;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA projections FROM PUBLIC;
GRANT EXECUTE ON FUNCTION projections.make_beside, projections.swap_in TO sabot_projector;
GRANT EXECUTE ON FUNCTION projections.charge TO sabot_app, sabot_projector, sabot_auditor;
