-- Projections can be grown anew beside the live ones, and take their place.

-- How each is doing, for whoever asks.
ALTER TABLE projections.progress
    ADD COLUMN moved_at    timestamptz,
    ADD COLUMN rate        double precision,  -- events a second, in its last large batch
    ADD COLUMN stopped_at  bigint,            -- at this position it could not go on …
    ADD COLUMN stopped_why text;              -- … for this reason

CREATE SCHEMA beside AUTHORIZATION sabot_owner;    -- where projections are grown anew
CREATE SCHEMA outgoing AUTHORIZATION sabot_owner;  -- what was replaced, for a moment
GRANT USAGE ON SCHEMA beside TO sabot_projector;

CREATE TABLE beside.progress (LIKE projections.progress INCLUDING ALL);
ALTER TABLE beside.progress OWNER TO sabot_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON beside.progress TO sabot_projector;

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
        position = excluded.position, moved_at = excluded.moved_at, rate = excluded.rate,
        stopped_at = NULL, stopped_why = NULL;
    DELETE FROM beside.progress p WHERE p.projection = swap_in.projection;
END
$$;

ALTER FUNCTION projections.make_beside(text, text[]) OWNER TO sabot_owner;
ALTER FUNCTION projections.swap_in(text, text[]) OWNER TO sabot_owner;
REVOKE ALL ON FUNCTION projections.make_beside(text, text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION projections.swap_in(text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION projections.make_beside(text, text[]) TO sabot_projector;
GRANT EXECUTE ON FUNCTION projections.swap_in(text, text[]) TO sabot_projector;

-- A gaming day's events without reading the month: a few pages, as good as free to write.
CREATE INDEX events_gaming_day ON ledger.events USING brin (gaming_day)
    WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX events_of_the_house ON ledger.events (position) WHERE table_code = '';
