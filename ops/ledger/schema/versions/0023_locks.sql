-- Locks that only this program can take, and what projections know of the ledger that they read.
--
-- An advisory lock is anybody's who can connect, so that an analyst could hold the whole house up.
-- These are locks of tables in a schema that only their owner may use; functions that run as the
-- owner take them. Privileges on the tables alone would not do: whoever may look a table up locks
-- it by preparing a statement that they may not execute.

CREATE SCHEMA locks AUTHORIZATION sabot_owner;
CREATE TABLE locks.ledger ();
COMMENT ON TABLE locks.ledger IS 'Always empty: whoever appends holds its lock.';
CREATE TABLE locks.turns (table_code text NOT NULL PRIMARY KEY);
COMMENT ON TABLE locks.turns IS 'Tables at which several wrote at once: whoever decides holds the row.';
ALTER TABLE locks.ledger OWNER TO sabot_owner;
ALTER TABLE locks.turns OWNER TO sabot_owner;

-- As in 0001, but for the lock. In this mode it excludes itself and is not written to the log,
-- reading the table (pg_dump does) does not wait for it, and it ends with the transaction.
CREATE OR REPLACE FUNCTION ledger.append(
    command_id   text,
    content      bytea,
    answer       text,
    actor        text,
    metadata     text,
    read_ids     uuid[],    -- the streams that the decision rested on …
    read_versions bigint[], -- … and the version at which it saw each; 0: it was not there
    ids          uuid[],
    versions     bigint[],
    topics       text[],
    states       bytea[],
    gaming_days  date[],
    table_codes  text[],
    OUT outcome text, OUT first_position bigint, OUT last_position bigint
)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
AS $$
DECLARE
    seen      ledger.commands;
    head      ledger.events;
    now       timestamptz;
    expected  bigint;
    event     record;
    chained   bytea;
    next      bigint;
BEGIN
    -- Inside the body: as a SET clause it would end with the function, before the commit.
    PERFORM set_config('synchronous_commit', 'off', true);
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'ledger.append runs in READ COMMITTED only';
    END IF;
    LOCK TABLE locks.ledger IN SHARE UPDATE EXCLUSIVE MODE;

    SELECT * INTO seen FROM ledger.commands c WHERE c.command_id = append.command_id;
    IF FOUND THEN
        outcome := CASE WHEN seen.content = append.content THEN 'seen' ELSE 'reused' END;
        RETURN;
    END IF;

    FOR event IN SELECT * FROM unnest(read_ids, read_versions) AS r(id, version) LOOP
        SELECT coalesce(max(e.originator_version), 0) INTO expected
          FROM ledger.events e WHERE e.originator_id = event.id;
        IF expected <> event.version THEN
            outcome := 'conflict';
            RETURN;
        END IF;
    END LOOP;

    -- The head is the last event, so that nothing is ever updated.
    SELECT * INTO head FROM ledger.events e ORDER BY e.position DESC LIMIT 1;
    next := coalesce(head.position, 0);
    chained := coalesce(head.hash, decode(repeat('00', 32), 'hex'));
    now := greatest(clock_timestamp(), head.recorded_at);  -- never runs backwards

    FOR event IN
        SELECT * FROM unnest(ids, versions, topics, states, gaming_days, table_codes)
            WITH ORDINALITY AS n(id, version, topic, state, gaming_day, table_code, n)
            ORDER BY n
    LOOP
        SELECT coalesce(max(e.originator_version), 0) + 1 INTO expected
          FROM ledger.events e WHERE e.originator_id = event.id;
        IF expected <> event.version THEN
            -- By now events may have been inserted: take them back, and say so.
            RAISE EXCEPTION 'stream % goes on with version %, not %',
                event.id, expected, event.version USING ERRCODE = 'serialization_failure';
        END IF;
        next := next + 1;
        chained := sha256('\x02'::bytea || chained || ledger.canonical(
            event.id, event.version, event.topic, event.state, next, now, event.gaming_day,
            event.table_code, actor, command_id, metadata));
        INSERT INTO ledger.events VALUES (
            event.id, event.version, event.topic, event.state, next, now, event.gaming_day,
            event.table_code, actor, command_id, metadata, chained);
        first_position := coalesce(first_position, next);
    END LOOP;
    last_position := CASE WHEN first_position IS NOT NULL THEN next END;

    INSERT INTO ledger.commands VALUES (
        command_id, content, answer, first_position, last_position, now);
    IF first_position IS NOT NULL THEN
        PERFORM pg_notify('sabot_ledger', last_position::text);
    END IF;
    outcome := 'done';
END
$$;

-- Whoever was overtaken at a table decides in turn with the others who were. A courtesy, which
-- nothing rests on: after a while one goes on without it. It lasts until the transaction ends.
CREATE FUNCTION ledger.take_turn(table_code text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);  -- nobody waits for the disk for it
    INSERT INTO locks.turns VALUES (take_turn.table_code) ON CONFLICT DO NOTHING;
    PERFORM FROM locks.turns t WHERE t.table_code = take_turn.table_code FOR UPDATE;
END
$$;
ALTER FUNCTION ledger.take_turn(text) OWNER TO sabot_owner;
REVOKE ALL ON FUNCTION ledger.take_turn(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.take_turn(text) TO sabot_app;

-- Who is growing a projection anew; a session that has ended holds nothing.
CREATE TABLE beside.rebuilding (
    projection text    NOT NULL PRIMARY KEY,
    pid        integer NOT NULL
);
ALTER TABLE beside.rebuilding OWNER TO sabot_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON beside.rebuilding TO sabot_projector;

-- Of the event at the position: when it is another one now, or there is none, the ledger is not the
-- one that was read. NULL: nothing was read, or before this was kept.
ALTER TABLE projections.progress ADD COLUMN hash bytea;
ALTER TABLE beside.progress ADD COLUMN hash bytea;

-- As in 0011, with the hash.
CREATE OR REPLACE FUNCTION projections.swap_in(projection text, tables text[]) RETURNS void
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
        rate = excluded.rate,
        stopped_at = NULL, stopped_why = NULL;
    DELETE FROM beside.progress p WHERE p.projection = swap_in.projection;
END
$$;

-- A machine whose clock is ahead is told of once a command too.
DROP INDEX projections.exceptions_of_a_command;
CREATE UNIQUE INDEX exceptions_of_a_command ON projections.exceptions (command_id, kind)
    WHERE kind IN ('late entry', 'clock behind', 'clock ahead');
