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

-- What each projection is, as the program declared it that upgraded last. Its tables and views are
-- made from this by the functions below, as the owner: who only grows rows makes no other ones.
CREATE TABLE projections.declared (
    projection text   NOT NULL PRIMARY KEY,
    program    text   NOT NULL,               -- the version that declared it
    shape      text   NOT NULL,               -- fingerprint of what follows; '': no more
    tables     text[] NOT NULL,
    definition text   NOT NULL,               -- the SQL that makes them
    views      jsonb  NOT NULL,               -- for analysts: name to the SQL that makes it
    grown      text[] NOT NULL DEFAULT '{}',  -- tables that are being grown beside
    live       text[] NOT NULL DEFAULT '{}',  -- tables that are read
    live_views text[] NOT NULL DEFAULT '{}',
    live_shape text                           -- of those; NULL: there are none yet
);

GRANT SELECT ON projections.progress TO sabot_app, sabot_auditor;
GRANT SELECT ON projections.declared TO sabot_projector, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.progress, beside.progress, beside.rebuilding
    TO sabot_projector;
ALTER DEFAULT PRIVILEGES IN SCHEMA beside GRANT SELECT ON TABLES TO sabot_app, sabot_auditor;
ALTER DEFAULT PRIVILEGES IN SCHEMA beside
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO sabot_projector;

-- Empty tables of a projection, beside those that are live. Refuses another shape than declared.
CREATE FUNCTION projections.make_beside(projection text, shape text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = beside, pg_temp
AS $$
DECLARE
    wanted projections.declared;
    name   text;
BEGIN
    SELECT * INTO wanted FROM projections.declared d
     WHERE d.projection = make_beside.projection AND d.shape = make_beside.shape;
    IF NOT FOUND THEN
        RAISE EXCEPTION '% is declared in another shape', projection
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    DELETE FROM beside.progress p WHERE p.projection = make_beside.projection;
    FOREACH name IN ARRAY wanted.grown LOOP
        EXECUTE format('DROP TABLE IF EXISTS beside.%I', name);
    END LOOP;
    EXECUTE wanted.definition;
    UPDATE projections.declared d SET grown = tables WHERE d.projection = wanted.projection;
END
$$;

-- What was grown beside takes the live place, all of these projections at once, and views over it,
-- which would keep to the old rows, are made anew: ours as they are declared, others as they were.
-- Whoever calls holds the lock of the live rows. Refuses other shapes than declared.
CREATE FUNCTION projections.swap_in(names text[], shapes text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    leaving     text[];
    arriving    text[];
    views       text[];
    definitions text[];
    wanted      text;
    n           int;
BEGIN
    IF EXISTS (SELECT FROM unnest(names, shapes) AS asked (projection, shape)
                 LEFT JOIN projections.declared d USING (projection)
                WHERE d.shape IS DISTINCT FROM asked.shape) THEN
        RAISE EXCEPTION '% are declared in other shapes', names
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    -- With them goes what is declared no more.
    names := names || ARRAY(SELECT d.projection FROM projections.declared d WHERE d.shape = '');
    SELECT coalesce(array_agg(was ORDER BY was), '{}') INTO leaving
      FROM projections.declared d, unnest(d.live) AS was WHERE d.projection = ANY (names);
    SELECT coalesce(array_agg(made ORDER BY made), '{}') INTO arriving
      FROM projections.declared d, unnest(d.grown) AS made WHERE d.projection = ANY (names);

    FOR wanted IN
        SELECT was FROM projections.declared d, unnest(d.live_views) AS was
         WHERE d.projection = ANY (names)
           AND NOT EXISTS (SELECT FROM projections.declared e WHERE e.views ? was)
    LOOP
        EXECUTE format('DROP VIEW analysis.%I', wanted);
    END LOOP;
    WITH ours AS (
        SELECT format('analysis.%I', each.key) AS name, each.value AS definition,
               d.projection = ANY (names) AS declared
          FROM projections.declared d, jsonb_each_text(d.views) AS each
    ), over_leaving AS (
        SELECT DISTINCT r.ev_class AS oid, r.ev_class::regclass::text AS name
          FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
         WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
           AND d.refobjid = ANY (SELECT format('projections.%I', t)::regclass
                                   FROM unnest(leaving) AS t)
           AND r.ev_class <> d.refobjid
    )
    SELECT coalesce(array_agg(name ORDER BY name), '{}'),
           array_agg(coalesce(ours.definition, format('CREATE OR REPLACE VIEW %s %s AS %s', name,
               (SELECT 'WITH (' || array_to_string(c.reloptions, ', ') || ')' FROM pg_class c
                 WHERE c.oid = o.oid), pg_get_viewdef(o.oid))) ORDER BY name)
      INTO views, definitions
      FROM ours FULL JOIN over_leaving AS o USING (name) WHERE declared OR o.oid IS NOT NULL;

    -- In the order in which whoever reads takes them: views, then tables by their names.
    FOREACH wanted IN ARRAY views LOOP
        IF to_regclass(wanted) IS NOT NULL THEN
            EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', wanted);
        END IF;
    END LOOP;
    FOREACH wanted IN ARRAY leaving LOOP
        EXECUTE format('LOCK TABLE projections.%I IN ACCESS EXCLUSIVE MODE', wanted);
    END LOOP;
    FOREACH wanted IN ARRAY leaving LOOP
        EXECUTE format('ALTER TABLE projections.%I SET SCHEMA outgoing', wanted);
    END LOOP;
    FOREACH wanted IN ARRAY arriving LOOP
        EXECUTE format('ALTER TABLE beside.%I SET SCHEMA projections', wanted);
    END LOOP;
    FOR n IN 1 .. cardinality(views) LOOP
        BEGIN
            EXECUTE definitions[n];
        EXCEPTION WHEN invalid_table_definition THEN  -- other columns than it had
            IF views[n] NOT LIKE 'analysis.%' THEN
                RAISE;
            END IF;
            EXECUTE format('DROP VIEW %s', views[n]);
            EXECUTE definitions[n];
        END;
    END LOOP;
    FOREACH wanted IN ARRAY leaving LOOP
        EXECUTE format('DROP TABLE outgoing.%I', wanted);
    END LOOP;
    DELETE FROM projections.progress p USING projections.declared d
     WHERE d.projection = p.projection AND d.shape = '';
    INSERT INTO projections.progress
    SELECT * FROM beside.progress p WHERE p.projection = ANY (names)
    ON CONFLICT ON CONSTRAINT progress_pkey DO UPDATE SET
        position = excluded.position, hash = excluded.hash, moved_at = excluded.moved_at,
        rate = excluded.rate, stopped_at = NULL, stopped_why = NULL;
    DELETE FROM beside.progress p WHERE p.projection = ANY (names);
    UPDATE projections.declared d
       SET live = d.grown, grown = '{}', live_shape = d.shape,
           live_views = ARRAY(SELECT jsonb_object_keys(d.views))
     WHERE d.projection = ANY (names);
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
