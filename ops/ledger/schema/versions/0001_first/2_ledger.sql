-- The ledger: facts, written once, by one function, and the answers to the commands that caused
-- them.

SET LOCAL ROLE sabot_owner;

CREATE TABLE ledger.events (
    originator_id      uuid        NOT NULL,
    originator_version bigint      NOT NULL CHECK (originator_version > 0),
    topic              text        NOT NULL,
    state              bytea       NOT NULL,  -- JSON
    position           bigint      NOT NULL CHECK (position > 0),
    recorded_at        timestamptz NOT NULL,
    gaming_day         date        NOT NULL,
    table_code         text        NOT NULL,  -- '' for the facts of the house
    actor              text        NOT NULL,
    command_id         text        NOT NULL,
    metadata           text        NOT NULL,  -- JSON: second person, late, mouth, version, …
    hash               bytea       NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (originator_id, originator_version)
);
CREATE UNIQUE INDEX events_position ON ledger.events (position);
-- A gaming day's events without reading the month: a few pages, as good as free to write.
CREATE INDEX events_gaming_day ON ledger.events USING brin (gaming_day)
    WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX events_of_the_house ON ledger.events (position) WHERE table_code = '';
-- Written in order and never again: vacuum only has to freeze.
ALTER TABLE ledger.events SET (autovacuum_analyze_scale_factor = 0.02);

-- What was answered to a command, kept so that the same command is answered the same again.
CREATE TABLE ledger.commands (
    command_id     text        NOT NULL PRIMARY KEY,
    content        bytea       NOT NULL CHECK (octet_length(content) = 32),
    answer         text        NOT NULL,  -- JSON, but for the position
    first_position bigint,
    last_position  bigint,               -- NULL: refused, and nothing was recorded
    recorded_at    timestamptz NOT NULL
);

GRANT SELECT ON ledger.events, ledger.commands TO sabot_app, sabot_projector, sabot_auditor;

-- Nothing is ever edited, by the owner neither.
CREATE FUNCTION ledger.refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on %.%: the ledger is written once and never changed',
        TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER written_once BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.events
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER written_once BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.commands
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.events ENABLE ALWAYS TRIGGER written_once;
ALTER TABLE ledger.commands ENABLE ALWAYS TRIGGER written_once;

-- A field of the canonical form: its length, then its bytes.
CREATE FUNCTION ledger.field(content bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT int4send(octet_length(content)) || content $$;

-- The canonical form, version 1: every column of the event but its hash.
CREATE FUNCTION ledger.canonical(
    originator_id uuid, originator_version bigint, topic text, state bytea, "position" bigint,
    recorded_at timestamptz, gaming_day date, table_code text, actor text, command_id text,
    metadata text
) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT 'sabot-event-1'::bytea
        || ledger.field(uuid_send(originator_id))
        || ledger.field(int8send(originator_version))
        || ledger.field(convert_to(topic, 'UTF8'))
        || ledger.field(state)
        || ledger.field(int8send("position"))
        || ledger.field(int8send((extract(epoch FROM recorded_at) * 1000000)::bigint))
        || ledger.field(convert_to(to_char(gaming_day, 'YYYY-MM-DD'), 'UTF8'))
        || ledger.field(convert_to(table_code, 'UTF8'))
        || ledger.field(convert_to(actor, 'UTF8'))
        || ledger.field(convert_to(command_id, 'UTF8'))
        || ledger.field(convert_to(metadata, 'UTF8'))
$$;

-- Locks that only this program can take.
--
-- An advisory lock is anybody's who can connect, so that an analyst could hold the whole house up.
-- These are locks of tables in a schema that only their owner may use; functions that run as the
-- owner take them. Privileges on the tables alone would not do: whoever may look a table up locks
-- it by preparing a statement that they may not execute.

CREATE TABLE locks.ledger ();
COMMENT ON TABLE locks.ledger IS 'Always empty: whoever appends holds its lock.';
CREATE TABLE locks.turns (table_code text NOT NULL PRIMARY KEY);
COMMENT ON TABLE locks.turns IS 'Tables at which several wrote at once: whoever decides holds the row.';

-- Every write there is. In one transaction: the lock, the command's answer if it was given
-- before, the versions that the decision rested on, gapless positions, the chain, the events,
-- the answer. Answers `done`, `seen`, `reused` or `conflict`; the last three write nothing.
--
-- The commit does not wait for the disk, so that the lock is free at once; nobody is told
-- before ledger.flush() has come back on the same connection.
CREATE FUNCTION ledger.append(
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
    -- In this mode it excludes itself and is not written to the log, reading the table (pg_dump
    -- does) does not wait for it, and it ends with the transaction.
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

-- Durable before told: a transaction of its own that writes to the log and waits for the disk.
-- The log is sequential, so everything committed before it on this connection, and everything
-- that this connection has read, is on disk too. A standby has only what was flushed.
CREATE FUNCTION ledger.flush() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF pg_is_in_recovery() THEN
        RETURN;
    END IF;
    IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    PERFORM pg_logical_emit_message(true, 'sabot', '');
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ledger FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.append, ledger.take_turn TO sabot_app;
GRANT EXECUTE ON FUNCTION ledger.flush TO sabot_app, sabot_projector, sabot_auditor;
GRANT EXECUTE ON FUNCTION ledger.field, ledger.canonical TO sabot_projector, sabot_auditor;
