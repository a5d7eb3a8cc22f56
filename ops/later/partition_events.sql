-- How ledger.events is partitioned by month, should a measurement ever ask for it. No upgrade runs
-- this: whoever administers the server does, with `psql -f`, after a trial on a copy. A test runs it.
--
-- Streams sort by their gaming day, so that what is there already becomes the first partition as it
-- lies, with its primary key; those of the house, which have no day, sort before every day and stay
-- in it. The next twelve months get a partition each ahead of time, and behind them stands a default
-- one. Run it again each year: months that are there already are left alone.
--
-- Writers wait only while names are changed; the one long step, looking through every event, comes
-- first and stops nobody. Should it be broken off behind that step, either run it again soon, or say
-- `ALTER TABLE ledger.events DROP CONSTRAINT first_ends`, which would stop the floor from opening a
-- table two months from now. Positions are unique in each partition, and across them because one
-- function alone gives them, in order, under its lock.

-- The lowest stream that a gaming day can have.
CREATE OR REPLACE FUNCTION ledger.first_stream(day date) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT rpad(lpad(to_hex(extract(epoch FROM day)::bigint * 1000), 12, '0'), 32, '0')::uuid $$;

DO $$
BEGIN
    IF (SELECT relkind FROM pg_class WHERE oid = 'ledger.events'::regclass) = 'r' THEN
        EXECUTE format(
            'ALTER TABLE ledger.events ADD CONSTRAINT first_ends CHECK (originator_id < %L) NOT VALID',
            ledger.first_stream((date_trunc('month', greatest(current_date, (
                SELECT max(gaming_day) FROM ledger.events))) + interval '2 months')::date));
    END IF;
END
$$;
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'first_ends' AND NOT convalidated) THEN
        ALTER TABLE ledger.events VALIDATE CONSTRAINT first_ends;
    END IF;
END
$$;

DO $$
DECLARE
    ends   uuid;
    month  date;
    part   text;
    views  text[];
    seen   text;
BEGIN
    LOCK TABLE locks.ledger IN SHARE UPDATE EXCLUSIVE MODE;
    IF (SELECT relkind FROM pg_class WHERE oid = 'ledger.events'::regclass) = 'r' THEN
        LOCK TABLE ledger.events IN ACCESS EXCLUSIVE MODE;
        SELECT array_agg(DISTINCT format('CREATE OR REPLACE VIEW %s %s AS %s', c.oid::regclass,
                                         'WITH (' || array_to_string(c.reloptions, ', ') || ')',
                                         pg_get_viewdef(c.oid)))
          INTO views
          FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class c ON c.oid = r.ev_class
         WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid = 'ledger.events'::regclass
           AND d.refclassid = 'pg_class'::regclass;
        ends := substring(pg_get_constraintdef(oid) FROM '''([0-9a-f-]{36})''')
           FROM pg_constraint
          WHERE conname = 'first_ends' AND conrelid = 'ledger.events'::regclass;

        ALTER TABLE ledger.events RENAME TO events_first;
        ALTER TABLE ledger.events_first RENAME CONSTRAINT events_pkey TO events_first_pkey;
        ALTER INDEX ledger.events_position RENAME TO events_first_position;
        ALTER INDEX ledger.events_gaming_day RENAME TO events_first_gaming_day;
        ALTER INDEX ledger.events_of_the_house RENAME TO events_first_of_the_house;

        CREATE TABLE ledger.events (LIKE ledger.events_first INCLUDING CONSTRAINTS)
            PARTITION BY RANGE (originator_id);
        ALTER TABLE ledger.events DROP CONSTRAINT first_ends;
        ALTER TABLE ledger.events ADD CONSTRAINT events_pkey
            PRIMARY KEY (originator_id, originator_version);
        ALTER TABLE ledger.events OWNER TO sabot_owner;
        GRANT SELECT ON ledger.events TO sabot_app, sabot_projector, sabot_auditor;
        CREATE TRIGGER written_once BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.events
            FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
        ALTER TABLE ledger.events ENABLE ALWAYS TRIGGER written_once;
        EXECUTE format('ALTER TABLE ledger.events ATTACH PARTITION ledger.events_first '
                       'FOR VALUES FROM (MINVALUE) TO (%L)', ends);
        ALTER TABLE ledger.events_first DROP CONSTRAINT first_ends;
        CREATE TABLE ledger.events_default PARTITION OF ledger.events DEFAULT;
        FOREACH seen IN ARRAY coalesce(views, '{}') LOOP
            EXECUTE seen;
        END LOOP;
    END IF;

    FOR n IN 2..13 LOOP
        month := date_trunc('month', greatest(current_date, (
            SELECT max(gaming_day) FROM ledger.events))) + n * interval '1 month';
        part := 'events_' || to_char(month, 'YYYY_MM');
        CONTINUE WHEN to_regclass('ledger.' || part) IS NOT NULL;
        EXECUTE format('CREATE TABLE ledger.%I PARTITION OF ledger.events '
                       'FOR VALUES FROM (%L) TO (%L)', part, ledger.first_stream(month),
                       ledger.first_stream((month + interval '1 month')::date));
    END LOOP;

    -- What the first partition has from before, the others have too.
    FOR part IN
        SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid
         WHERE inhparent = 'ledger.events'::regclass AND relname <> 'events_first'
           AND to_regclass('ledger.' || relname || '_position') IS NULL
    LOOP
        EXECUTE format('ALTER TABLE ledger.%I OWNER TO sabot_owner', part);
        EXECUTE format('CREATE UNIQUE INDEX %I ON ledger.%I (position)', part || '_position', part);
        EXECUTE format('CREATE INDEX ON ledger.%I USING brin (gaming_day) '
                       'WITH (pages_per_range = 32, autosummarize = on)', part);
        EXECUTE format('CREATE INDEX ON ledger.%I (position) WHERE table_code = %L', part, '');
        EXECUTE format('CREATE TRIGGER written_once BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.%I '
                       'FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change()', part);
        EXECUTE format('ALTER TABLE ledger.%I ENABLE ALWAYS TRIGGER written_once', part);
    END LOOP;
END
$$;
