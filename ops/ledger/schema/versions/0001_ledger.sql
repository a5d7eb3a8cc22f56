-- The ledger: facts, written once, by one function, and the answers to the commands that
-- caused them. Who may do what is settled here too, and not by the application.

-- Roles belong to the server and not to one database, so they may be there already.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['sabot_owner', 'sabot_app', 'sabot_projector', 'sabot_auditor']
    LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL;  -- another database of this server was quicker
            END;
        END IF;
        IF NOT pg_has_role(current_user, wanted, 'USAGE') THEN
            EXECUTE format('GRANT %I TO %I', wanted, current_user);
        END IF;
    END LOOP;
END
$$;

CREATE SCHEMA ledger AUTHORIZATION sabot_owner;
GRANT USAGE ON SCHEMA ledger TO sabot_app, sabot_projector, sabot_auditor;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT SELECT ON public.schema_version TO PUBLIC;

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

ALTER TABLE ledger.events OWNER TO sabot_owner;
ALTER TABLE ledger.commands OWNER TO sabot_owner;
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
    PERFORM pg_advisory_xact_lock(hashtextextended('sabot.ledger', 0));

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

-- Durable before told: a transaction of its own that writes to the log and waits for the disk.
-- The log is sequential, so everything committed before it on this connection is on disk too.
CREATE FUNCTION ledger.flush() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'on', true);
    PERFORM pg_logical_emit_message(true, 'sabot', '');
END
$$;

ALTER FUNCTION ledger.field(bytea) OWNER TO sabot_owner;
ALTER FUNCTION ledger.refuse_change() OWNER TO sabot_owner;
ALTER FUNCTION ledger.canonical(uuid, bigint, text, bytea, bigint, timestamptz, date, text, text,
    text, text) OWNER TO sabot_owner;
ALTER FUNCTION ledger.append(text, bytea, text, text, text, uuid[], bigint[], uuid[], bigint[],
    text[], bytea[], date[], text[]) OWNER TO sabot_owner;
ALTER FUNCTION ledger.flush() OWNER TO sabot_owner;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ledger FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.append(text, bytea, text, text, text, uuid[], bigint[], uuid[],
    bigint[], text[], bytea[], date[], text[]) TO sabot_app;
GRANT EXECUTE ON FUNCTION ledger.flush() TO sabot_app;
GRANT EXECUTE ON FUNCTION ledger.field(bytea) TO sabot_auditor;
GRANT EXECUTE ON FUNCTION ledger.canonical(uuid, bigint, text, bytea, bigint, timestamptz, date,
    text, text, text, text) TO sabot_auditor;
