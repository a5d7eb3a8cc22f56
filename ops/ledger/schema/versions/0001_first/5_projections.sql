-- Projections: the rows that reports are made of. All of them can be rebuilt from the ledger, in
-- the schema `beside`, and then replace the live ones.

SET LOCAL ROLE sabot_owner;

-- How far each projection has read the ledger, and whether it works.
CREATE TABLE projections.progress (
    projection  text   NOT NULL PRIMARY KEY,
    position    bigint NOT NULL,
    moved_at    timestamptz,
    rate        double precision,  -- events per second, in its last large batch
    stopped_at  bigint,            -- the position of an event that it could not process …
    stopped_why text,              -- … and the reason
    -- The hash of the event at the position. If that event is different now, or missing, this is
    -- not the ledger that was read. NULL: nothing was read.
    hash        bytea
);
CREATE TABLE beside.progress (LIKE projections.progress INCLUDING ALL);

-- Which session is rebuilding a projection; one that has ended does not count.
CREATE TABLE beside.rebuilding (
    projection text    NOT NULL PRIMARY KEY,
    pid        integer NOT NULL
);

-- How far the slow round through the whole record has come, and what the last whole one found. One
-- row, from the first round on.
CREATE TABLE projections.rounds (
    one         boolean     NOT NULL DEFAULT true PRIMARY KEY CHECK (one),
    begun_at    timestamptz NOT NULL,
    position    bigint      NOT NULL DEFAULT 0,  -- up to here it has verified …
    head        bigint      NOT NULL DEFAULT 0,  -- … of so many events
    finished_at timestamptz,                     -- the end of the last whole round
    seconds     double precision,                -- how long it took
    faults      jsonb       NOT NULL DEFAULT '[]',
    failing_since timestamptz,                   -- since when no round could be made; NULL: they are
    failing_why   text,                          -- what the last one failed by
    readings      bigint    NOT NULL DEFAULT 0,  -- the number of the last reading then …
    readings_head bytea                          -- … and its hash
);

-- What each projection is, as declared by the program that upgraded last. The functions below make
-- its tables and views from this, as the owner: a login that only writes rows can make no others.
CREATE TABLE projections.declared (
    projection text   NOT NULL PRIMARY KEY,
    program    text   NOT NULL,               -- the version that declared it
    shape      text   NOT NULL,               -- digest of the columns below; '': removed
    tables     text[] NOT NULL,
    definition text   NOT NULL,               -- the SQL that makes the tables
    views      jsonb  NOT NULL,               -- analysts' views: each name with its SQL
    grown      text[] NOT NULL DEFAULT '{}',  -- tables being rebuilt, in `beside`
    live       text[] NOT NULL DEFAULT '{}',  -- tables that reports read
    live_views text[] NOT NULL DEFAULT '{}',
    live_shape text                           -- shape of the live tables; NULL: there are none yet
);

GRANT SELECT ON projections.progress, projections.rounds TO sabot_app, sabot_auditor;
GRANT SELECT ON projections.declared TO sabot_app, sabot_projector, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.progress, projections.rounds,
    beside.progress, beside.rebuilding TO sabot_projector;
ALTER DEFAULT PRIVILEGES IN SCHEMA beside GRANT SELECT ON TABLES TO sabot_app, sabot_auditor;
ALTER DEFAULT PRIVILEGES IN SCHEMA beside
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO sabot_projector;

-- Makes a projection's tables, empty, in `beside`. Refuses a shape that is not the declared one.
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
    FOREACH name IN ARRAY wanted.grown || wanted.tables LOOP
        EXECUTE format('DROP TABLE IF EXISTS beside.%I', name);
    END LOOP;
    EXECUTE wanted.definition;
    UPDATE projections.declared d SET grown = tables WHERE d.projection = wanted.projection;
END
$$;

-- Replaces the live tables of these projections, all at once, by those in `beside`. Views over
-- them would still read the old tables, so they are made again: Sabot's as declared, others as
-- they were.
-- The caller holds the lock of the live rows. Refuses shapes that are not the declared ones.
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
    -- Projections that are not declared any more are dropped too.
    names := names || ARRAY(SELECT d.projection FROM projections.declared d WHERE d.shape = '');
    SELECT coalesce(array_agg(DISTINCT was ORDER BY was), '{}') INTO leaving
      FROM projections.declared d, unnest(d.live || d.grown) AS was
     WHERE d.projection = ANY (names)
       AND to_regclass(format('projections.%I', was)) IS NOT NULL;  -- whatever the row says
    SELECT coalesce(array_agg(made ORDER BY made), '{}') INTO arriving
      FROM projections.declared d, unnest(d.grown) AS made WHERE d.projection = ANY (names);

    FOR wanted IN
        SELECT was FROM projections.declared d, unnest(d.live_views) AS was
         WHERE d.projection = ANY (names)
           AND NOT EXISTS (SELECT FROM projections.declared e WHERE e.views ? was)
    LOOP
        EXECUTE format('DROP VIEW IF EXISTS analysis.%I', wanted);
    END LOOP;
    WITH ours AS (
        SELECT format('analysis.%I', each.key) AS name, each.value AS definition,
               d.projection = ANY (names) AS declared
          FROM projections.declared d, jsonb_each_text(  -- whatever the row says
               CASE jsonb_typeof(d.views) WHEN 'object' THEN d.views ELSE '{}' END) AS each
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

    -- Locks in the order in which readers take them: views, then tables by name.
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
        EXCEPTION WHEN invalid_table_definition THEN  -- its columns have changed
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
           live_views = ARRAY(SELECT jsonb_object_keys(
               CASE jsonb_typeof(d.views) WHEN 'object' THEN d.views ELSE '{}' END))
     WHERE d.projection = ANY (names);
END
$$;

-- The commission charged for an exact amount (R-COM-3); the same as the Python code of rule sets.
CREATE FUNCTION projections.charge(exact numeric, mode text, unit bigint, minimum bigint)
RETURNS numeric LANGUAGE sql IMMUTABLE STRICT
RETURN CASE
    WHEN exact = 0 THEN 0
    WHEN mode = 'nearest' THEN greatest(floor(exact / unit + 0.5) * unit, minimum)
    WHEN mode = 'up' THEN greatest(ceil(exact / unit) * unit, minimum)
    ELSE greatest(ceil(exact), minimum)
END;

-- The root of a whole tile of the tree over the events (RFC 9162); the same as in `ops.proof.tree`.
CREATE FUNCTION projections.tile_root(hashes bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WHILE length(hashes) > 32 LOOP
        SELECT string_agg(sha256('\x01'::bytea || substr(hashes, 64 * n + 1, 64)), ''::bytea
                          ORDER BY n)
          INTO hashes FROM generate_series(0, length(hashes) / 64 - 1) AS n;
    END LOOP;
    RETURN hashes;
END
$$;

-- Adds the tiles that the events up to a position fill, to the `tiles` of the search path: the live
-- ones, or a copy. Level 0 has whole tiles only, and each whole tile adds a hash to the level above.
CREATE FUNCTION projections.grow_tree(last bigint) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    of     smallint := 0;
    first  bigint;  -- the index of the first new tile …
    after  bigint;  -- … and of the one after the last
    fresh  bytea := '';
    held   bytea;
    above  bytea;
BEGIN
    SELECT coalesce(max(t.index) + 1, 0) INTO first FROM tiles AS t WHERE t.level = 0;
    after := last / 256;
    IF first >= after THEN
        RETURN;
    END IF;
    WITH leaves AS (
        SELECT (e.position - 1) / 256 AS tile, e.position,
               ledger.leaf(ledger.canonical(
                   e.originator_id, e.originator_version, e.topic, e.state, e.position,
                   e.recorded_at, e.gaming_day, e.table_code, e.actor, e.command_id, e.metadata,
                   coalesce(lag(e.hash) OVER (ORDER BY e.position),
                            decode(repeat('00', 32), 'hex')))) AS hash
          FROM ledger.events AS e
         WHERE e.position >= first * 256 AND e.position <= after * 256
    ), whole AS (
        INSERT INTO tiles AS t (level, index, hashes)
        SELECT 0, l.tile, string_agg(l.hash, ''::bytea ORDER BY l.position)
          FROM leaves AS l WHERE l.position > first * 256 GROUP BY l.tile
        RETURNING t.index, t.hashes
    )
    SELECT string_agg(projections.tile_root(w.hashes), ''::bytea ORDER BY w.index)
      INTO fresh FROM whole AS w;
    WHILE length(fresh) > 0 LOOP
        of := of + 1;
        held := coalesce((SELECT t.hashes FROM tiles AS t
                           WHERE t.level = of AND t.index = first / 256), '');
        IF length(held) = 8192 THEN
            RAISE EXCEPTION 'tile % of level % is whole already', first / 256, of;
        END IF;
        fresh := held || fresh;
        first := first / 256;
        above := '';
        FOR n IN 0 .. (length(fresh) - 1) / 8192 LOOP
            held := substr(fresh, 8192 * n + 1, 8192);
            INSERT INTO tiles AS t (level, index, hashes) VALUES (of, first + n, held)
                ON CONFLICT ON CONSTRAINT tiles_pkey DO UPDATE SET hashes = excluded.hashes;
            IF length(held) = 8192 THEN
                above := above || projections.tile_root(held);
            END IF;
        END LOOP;
        fresh := above;
    END LOOP;
END
$$;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA projections FROM PUBLIC;
GRANT EXECUTE ON FUNCTION projections.make_beside, projections.swap_in TO sabot_projector;
GRANT EXECUTE ON FUNCTION projections.charge TO sabot_app, sabot_projector, sabot_auditor;
GRANT EXECUTE ON FUNCTION projections.tile_root, projections.grow_tree TO sabot_projector;
