-- The ledger: events, each written once, by one function, and the answers to their commands.

SET LOCAL ROLE sabot_owner;

-- CHECK constraints would be read and compiled again at every append, so ledger.append has them.
CREATE TABLE ledger.events (
    originator_id      uuid        NOT NULL,
    originator_version bigint      NOT NULL,
    topic              text        NOT NULL,
    state              bytea       NOT NULL,  -- JSON
    position           bigint      NOT NULL,
    recorded_at        timestamptz NOT NULL,
    gaming_day         date        NOT NULL,
    table_code         text        NOT NULL,  -- '' for the events of the house
    actor              text        NOT NULL,
    command_id         text        NOT NULL,
    metadata           text        NOT NULL,  -- JSON: with, late, mouth (the channel), app, …
    hash               bytea       NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
);
CREATE UNIQUE INDEX events_position ON ledger.events (position);
-- Finds a gaming day's events without reading the month; a small index that costs little to write.
CREATE INDEX events_gaming_day ON ledger.events USING brin (gaming_day)
    WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX events_of_the_house ON ledger.events (position) WHERE table_code = '';
-- Finds the names of patrons that are not in the projection `patrons` yet.
CREATE INDEX events_naming_patrons ON ledger.events (position)
    WHERE topic IN ('table-day.patron-seated', 'patron.known', 'patron.identified');
-- Finds the events that have a digest of what is stored beside the record, or end it.
CREATE INDEX events_with_digests ON ledger.events (position)
    WHERE topic IN (
        'staff-member.enrolled', 'staff-member.code-issued', 'staff-member.key-registered',
        'staff-member.pin-chosen', 'property.recovery-secret-issued', 'shoe.shuffled',
        'shoe.order-revealed', 'shoe.order-untold');
-- Rows are never updated, so vacuum only has to freeze them.
ALTER TABLE ledger.events SET (autovacuum_analyze_scale_factor = 0.02);

-- The answer to each command, stored so that the same command gets the same answer again. The
-- commands are chained like the events.
CREATE TABLE ledger.commands (
    command_id     text        NOT NULL PRIMARY KEY,
    content        bytea       NOT NULL,
    answer         text        NOT NULL,  -- JSON; what the line and its events say is not in it again
    sent_at        timestamptz NOT NULL,  -- by the clock of the machine that decided it
    seal           bytea       NOT NULL,
    first_position bigint,
    last_position  bigint,               -- NULL: refused, without events
    recorded_at    timestamptz NOT NULL,
    number         bigint      NOT NULL,  -- 1, 2, 3, … in the order of recording
    hash           bytea       NOT NULL
);
CREATE UNIQUE INDEX commands_number ON ledger.commands (number);

GRANT SELECT ON ledger.events, ledger.commands TO sabot_app, sabot_projector, sabot_auditor;

-- Nobody can change a row, not even the owner.
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

-- The canonical form of an event, version 1: every column but its hash, as this server sends it in
-- binary, behind its length; and the hash of the event before. What is known before the event is
-- recorded comes first.
--
-- The functions have RETURN bodies, whose names are resolved when they are made: so they need no
-- search_path of their own, and the planner can inline them.
--
-- What an expression costs here is mostly to prepare it, at every append: so much for each call of a
-- function. So all fields are written by one call.

-- Each field behind its length, which is -1 for NULL: as an array is sent, after 20 bytes about it.
CREATE FUNCTION ledger.fields(VARIADIC contents bytea[]) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN substr(array_send(contents), 21);

-- What all events of a command have in common.
CREATE FUNCTION ledger.canonical_beginning(command_id text, actor text, metadata text) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN 'sabot-event-1'::bytea || ledger.fields(
    convert_to(command_id, 'UTF8'), convert_to(actor, 'UTF8'), convert_to(metadata, 'UTF8'));

-- What else is known before the event's position is.
CREATE FUNCTION ledger.canonical_head(
    gaming_day date, table_code text, originator_id uuid, originator_version bigint, topic text,
    state bytea
) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN ledger.fields(
    date_send(gaming_day), convert_to(table_code, 'UTF8'), uuid_send(originator_id),
    int8send(originator_version), convert_to(topic, 'UTF8'), state);

-- The place of an event: its position, its moment, and the hash of the event before.
CREATE FUNCTION ledger.canonical_place(
    "position" bigint, recorded_at timestamptz, previous bytea
) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN ledger.fields(int8send("position"), timestamptz_send(recorded_at), previous);

CREATE FUNCTION ledger.canonical(
    originator_id uuid, originator_version bigint, topic text, state bytea, "position" bigint,
    recorded_at timestamptz, gaming_day date, table_code text, actor text, command_id text,
    metadata text, previous bytea
) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN ledger.canonical_beginning(command_id, actor, metadata)
    || ledger.canonical_head(
           gaming_day, table_code, originator_id, originator_version, topic, state)
    || ledger.canonical_place("position", recorded_at, previous);

-- The hash of an event, which is a leaf of the tree, too.
CREATE FUNCTION ledger.leaf(form bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256('\x00'::bytea || form);

-- The part of a command's form that is known before its events' positions are.
CREATE FUNCTION ledger.canonical_decision(
    command_id text, content bytea, answer text, sent_at timestamptz, seal bytea
) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN 'sabot-command-1'::bytea || ledger.fields(
    convert_to(command_id, 'UTF8'), content, convert_to(answer, 'UTF8'),
    timestamptz_send(sent_at), seal);

-- The place of a command: the positions of its events, NULL without any, its moment, and the hash of
-- the command before.
CREATE FUNCTION ledger.canonical_span(
    first_position bigint, last_position bigint, recorded_at timestamptz, previous bytea
) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN ledger.fields(
    int8send(first_position), int8send(last_position), timestamptz_send(recorded_at), previous);

-- The canonical form of a command with its answer, version 1: every column but its number, which is
-- its place in the chain, and its hash; and the hash of the command before. The hash of the command
-- is SHA-256 over the form.
CREATE FUNCTION ledger.canonical_command(
    command_id text, content bytea, answer text, sent_at timestamptz, seal bytea,
    first_position bigint, last_position bigint, recorded_at timestamptz, previous bytea
) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN ledger.canonical_decision(command_id, content, answer, sent_at, seal)
    || ledger.canonical_span(first_position, last_position, recorded_at, previous);

-- Locks that only this program can take.
--
-- Anybody who can connect may take an advisory lock, so an analyst could block the whole house.
-- These locks are of tables in a schema that only the owner may use; functions that run as the
-- owner take them. Privileges on the tables would not be enough: preparing a statement locks the
-- table, even if the login may not execute the statement.

CREATE TABLE locks.ledger ();
COMMENT ON TABLE locks.ledger IS 'Always empty. Whoever appends events holds this table''s lock.';
CREATE TABLE locks.turns (table_code text NOT NULL PRIMARY KEY);
COMMENT ON TABLE locks.turns IS 'Gaming tables at which several processes wrote at once. The process whose turn it is holds the row''s lock.';

-- The kinds of events that there are. A later version of the schema adds its own.
CREATE TABLE ledger.event_kinds (topic text NOT NULL PRIMARY KEY);
GRANT SELECT ON ledger.event_kinds TO sabot_auditor;

-- The only way to write: appends one or several decided commands, with their answers and events.
--
-- In one transaction it takes the lock, looks for answers given before, checks the versions of the
-- streams that the decisions read, and writes the answers, and events with gapless positions and
-- chained hashes. What can be computed without the lock is computed before.
--
-- The outcome of each command is `done`, `seen` (the same command was answered before), `reused`
-- (another command had its id) or `conflict` (somebody else wrote to a stream that it read). Unless
-- all are done, nothing is written; with `each`, as many as possible are, as if each came in a call
-- of its own. A command that depends on an earlier one of the same call does not list that one's
-- streams: the two can only be written together, without `each`.
--
-- Whoever has the application's login can write senseless events, but only of listed kinds and as
-- JSON, so that every reader can name them; `sabot manual threats` says what finds them.
--
-- The commit does not wait for the disk, so that the lock is free at once. Nobody may see the
-- answer before ledger.flush() has returned on the same connection.
CREATE FUNCTION ledger.append(
    command_ids   text[],
    contents      bytea[],   -- digests, by which the same command is recognised
    answers       text[],
    actors        text[],
    metadatas     text[],
    seals         bytea[],   -- made with a key that is not in the database
    read_counts   int[],     -- how many of the following streams each command read …
    read_ids      uuid[],
    read_versions bigint[],  -- … and the version of each then; 0: it did not exist
    event_counts  int[],     -- how many of the following events belong to each command
    ids           uuid[],
    versions      bigint[],
    topics        text[],
    states        bytea[],
    gaming_days   date[],
    table_codes   text[],
    sent_at       timestamptz,  -- by the caller's clock
    "each"        boolean,
    OUT outcomes text[], OUT first_positions bigint[]
)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
SET plan_cache_mode = 'force_generic_plan'  -- or some statements would be planned at every call
AS $$
DECLARE
    commands constant int := cardinality(command_ids);
    events   constant int := cardinality(ids);
    of       constant int[] := CASE commands WHEN 1 THEN array_fill(1, event_counts)
        ELSE ledger.numbered(event_counts) END;  -- the command of each event
    streams  uuid[];    -- every stream that was read or is written …
    seen_at  bigint[];  -- … and the version that it must have
    at_odds  boolean;   -- the commands of this call contradict one another
    hindered boolean;   -- something cannot be written
    unlisted text;      -- a kind of event that is not listed
    objects  boolean := true;  -- what has to be a JSON object is one
    digests  boolean := true;  -- what has to be of 32 bytes is
    beginnings bytea[]; -- of each command's events' forms, what they have in common …
    heads    bytea[];   -- … and of each event's form, what comes then
    decisions bytea[];  -- of each command's form, what is known before the lock is taken
    last     bigint;    -- the position of the last event
    chained  bytea;     -- the hash of the last event
    hashes   bytea[];
    now      timestamptz;  -- the moment of recording
    last_number    bigint;  -- the number of the last command
    last_command   bytea;   -- the hash of the last command
    command_hashes bytea[];
BEGIN
    -- Set here, because a SET clause of the function would end before the commit.
    IF set_config('synchronous_commit', 'off', true) = 'off'
       AND current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'ledger.append runs in READ COMMITTED only';
    END IF;
    IF (0 <= ALL (event_counts || read_counts) AND cardinality(of) = events) IS NOT TRUE THEN
        RAISE EXCEPTION 'ledger.append takes counts of 0 or more for each command, of all events';
    END IF;
    -- jsonb has no NUL character, which an answer may repeat from what was typed.
    FOR n IN 1..commands LOOP
        objects := objects AND jsonb_typeof(metadatas[n]::jsonb) = 'object'
            AND json_typeof(answers[n]::json) = 'object';
        digests := digests AND octet_length(contents[n]) = 32 AND octet_length(seals[n]) = 32;
        beginnings[n] := ledger.canonical_beginning(command_ids[n], actors[n], metadatas[n]);
        decisions[n] := ledger.canonical_decision(
            command_ids[n], contents[n], answers[n], sent_at, seals[n]);
    END LOOP;
    -- Here and below the arrays are read by number: unnest would store each of them row by row.
    SELECT array_agg(ledger.canonical_head(
               gaming_days[n], table_codes[n], ids[n], versions[n], topics[n], states[n])),
           min(topics[n]) FILTER (WHERE NOT EXISTS (
               SELECT FROM ledger.event_kinds k WHERE k.topic = topics[n])),
           objects AND coalesce(
               bool_and(jsonb_typeof(convert_from(states[n], 'UTF8')::jsonb) = 'object'), true)
      INTO heads, unlisted, objects
      FROM generate_series(1, events) AS n;
    IF unlisted IS NOT NULL OR (objects AND digests) IS NOT TRUE THEN
        IF unlisted IS NOT NULL THEN
            RAISE EXCEPTION 'ledger.append takes no event of the kind %', unlisted
                USING HINT = 'ledger.event_kinds lists those that it takes.';
        ELSIF objects IS NOT TRUE THEN
            RAISE EXCEPTION 'ledger.append takes states, metadata and answers that are JSON objects';
        END IF;
        RAISE EXCEPTION 'ledger.append takes digests and seals of 32 bytes';
    END IF;

    IF events = 1 AND commands = 1 THEN
        streams := read_ids || ids;
        seen_at := read_versions || (versions[1] - 1);
        at_odds := false;
    ELSE
        SELECT read_ids || array_agg(s.id), read_versions || array_agg(s.version),
               coalesce(bool_or(s.broken), false)
               OR commands > 1
               AND ledger.at_odds(command_ids, ledger.numbered(read_counts), read_ids, of, ids)
          INTO streams, seen_at, at_odds
          FROM (SELECT w.id, min(w.before) AS version,
                       min(w.before) <> max(w.before) AS broken  -- a hole, or a repeat
                  FROM (SELECT ids[n] AS id, versions[n]
                               - row_number() OVER (PARTITION BY ids[n] ORDER BY n) AS before
                          FROM generate_series(1, events) AS n) AS w
                 GROUP BY w.id) AS s;
    END IF;

    -- This mode excludes itself, is not written to the log, lets others read the table (pg_dump
    -- does), and ends with the transaction.
    LOCK TABLE locks.ledger IN SHARE UPDATE EXCLUSIVE MODE;

    SELECT at_odds
           -- OFFSET 0: each id is looked up in the index, also while the table has no statistics.
           OR EXISTS (SELECT FROM generate_series(1, commands) AS n, LATERAL (
               SELECT FROM ledger.commands c WHERE c.command_id = command_ids[n] OFFSET 0) AS known)
           OR EXISTS (
               SELECT FROM generate_series(1, cardinality(streams)) AS n
                WHERE seen_at[n] <> coalesce((SELECT max(e.originator_version)
                        FROM ledger.events e WHERE e.originator_id = streams[n]), 0)),
           coalesce(head.position, 0), coalesce(head.hash, decode(repeat('00', 32), 'hex')),
           greatest(clock_timestamp(), command.recorded_at),  -- never runs backwards
           coalesce(command.number, 0), coalesce(command.hash, decode(repeat('00', 32), 'hex'))
      INTO hindered, last, chained, now, last_number, last_command
      FROM (VALUES (true)) AS asked
      LEFT JOIN (SELECT e.position, e.hash
                   FROM ledger.events e ORDER BY e.position DESC LIMIT 1) AS head ON true
      LEFT JOIN (SELECT c.number, c.hash, c.recorded_at
                   FROM ledger.commands c ORDER BY c.number DESC LIMIT 1) AS command ON true;
    IF hindered THEN
        IF "each" AND commands > 1 THEN
            SELECT array_agg(a.outcome ORDER BY a.n), array_agg(a.first_position ORDER BY a.n)
              INTO outcomes, first_positions
              FROM ledger.append_one_by_one(
                command_ids, contents, answers, actors, metadatas, seals, read_counts,
                read_ids, read_versions, event_counts, ids, versions, topics, states, gaming_days,
                table_codes, sent_at) AS a;
            RETURN;
        END IF;
        SELECT array_agg(CASE WHEN c.content = asked.content THEN 'seen'
                              WHEN c.content IS NOT NULL THEN 'reused'
                              ELSE 'conflict' END ORDER BY asked.n)
          INTO outcomes
          FROM unnest(command_ids, contents) WITH ORDINALITY AS asked(id, content, n)
          LEFT JOIN ledger.commands c ON c.command_id = asked.id;
        first_positions := array_fill(NULL::bigint, ARRAY[commands]);
        RETURN;
    END IF;

    FOR n IN 1..events LOOP
        chained := ledger.leaf(
            beginnings[of[n]] || heads[n] || ledger.canonical_place(last + n, now, chained));
        hashes[n] := chained;
    END LOOP;
    IF events > 0 THEN
        INSERT INTO ledger.events
        SELECT ids[n], versions[n], topics[n], states[n], last + n, now, gaming_days[n],
               table_codes[n], actors[of[n]], command_ids[of[n]], metadatas[of[n]], hashes[n]
          FROM generate_series(1, events) AS n;
        PERFORM pg_notify('sabot_ledger', (last + events)::text);
    END IF;
    outcomes := array_fill('done'::text, ARRAY[commands]);
    FOR n IN 1..commands LOOP
        first_positions[n] := CASE WHEN event_counts[n] > 0 THEN last + 1 END;
        last := last + event_counts[n];
        last_command := sha256(decisions[n] || ledger.canonical_span(
            first_positions[n], CASE WHEN event_counts[n] > 0 THEN last END, now, last_command));
        command_hashes[n] := last_command;
    END LOOP;
    INSERT INTO ledger.commands
    SELECT command_ids[n], contents[n], answers[n], sent_at, seals[n], first_positions[n],
           first_positions[n] + event_counts[n] - 1, now, last_number + n, command_hashes[n]
      FROM generate_series(1, commands) AS n;
END
$$;

-- The number of the command that each item belongs to: {2,0,1} makes {1,1,3}.
CREATE FUNCTION ledger.numbered(counts int[]) RETURNS int[]
LANGUAGE sql IMMUTABLE
RETURN ARRAY(SELECT c.n::int FROM unnest(counts) WITH ORDINALITY AS c(many, n),
                    generate_series(1, c.many) ORDER BY c.n);

-- Whether the commands of one call contradict one another: two have the same id, or one writes to a
-- stream that a later one had read before.
CREATE FUNCTION ledger.at_odds(
    command_ids text[], read_by int[], read_ids uuid[], written_by int[], written_ids uuid[]
) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN EXISTS (SELECT FROM unnest(command_ids) AS c(id) GROUP BY c.id HAVING count(*) > 1)
    OR EXISTS (SELECT FROM unnest(read_ids, read_by) AS r(id, command)
                 JOIN unnest(written_ids, written_by) AS w(id, command)
                   ON w.id = r.id AND w.command < r.command);

-- Appends each command as if it came in a call of its own, one after the other, under the lock.
CREATE FUNCTION ledger.append_one_by_one(
    command_ids text[], contents bytea[], answers text[], actors text[], metadatas text[],
    seals bytea[], read_counts int[], read_ids uuid[], read_versions bigint[],
    event_counts int[], ids uuid[], versions bigint[], topics text[], states bytea[],
    gaming_days date[], table_codes text[], sent_at timestamptz
) RETURNS TABLE (n int, outcome text, first_position bigint)
LANGUAGE plpgsql
AS $$
DECLARE
    r int := 0;  -- how many reads and events are done
    e int := 0;
    reads int;
    events int;
BEGIN
    FOR n IN 1..cardinality(command_ids) LOOP
        reads := r + read_counts[n];
        events := e + event_counts[n];
        RETURN QUERY SELECT n, a.outcomes[1], a.first_positions[1] FROM ledger.append(
            command_ids[n:n], contents[n:n], answers[n:n], actors[n:n], metadatas[n:n],
            seals[n:n], read_counts[n:n], read_ids[r + 1:reads], read_versions[r + 1:reads],
            event_counts[n:n], ids[e + 1:events], versions[e + 1:events], topics[e + 1:events],
            states[e + 1:events], gaming_days[e + 1:events], table_codes[e + 1:events],
            sent_at, false) AS a;
        r := reads;
        e := events;
    END LOOP;
END
$$;

-- Processes that were overtaken at a table take turns there. Turns only save retries: a process
-- that waits too long goes on without one. A turn lasts until the transaction ends.
CREATE FUNCTION ledger.take_turn(table_code text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);  -- a turn need not be on disk
    INSERT INTO locks.turns VALUES (take_turn.table_code) ON CONFLICT DO NOTHING;
    PERFORM FROM locks.turns t WHERE t.table_code = take_turn.table_code FOR UPDATE;
END
$$;

-- Waits until everything that this connection has committed or read is on disk. It is a transaction
-- of its own that writes to the log and waits for the disk: the log is sequential, so everything
-- before it is on disk too. A standby has only what was flushed, and waits for nothing.
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

-- Appends, commits, and returns when everything is on disk. It runs with the caller's rights,
-- outside a transaction. `at`: the server's clock.
CREATE PROCEDURE ledger.append_and_flush(
    command_ids text[], contents bytea[], answers text[], actors text[], metadatas text[],
    seals bytea[], read_counts int[], read_ids uuid[], read_versions bigint[],
    event_counts int[], ids uuid[], versions bigint[], topics text[], states bytea[],
    gaming_days date[], table_codes text[], sent_at timestamptz, "each" boolean,
    OUT outcomes text[], OUT first_positions bigint[], OUT at timestamptz
)
LANGUAGE plpgsql
AS $$
BEGIN
    SELECT a.outcomes, a.first_positions INTO outcomes, first_positions
      FROM ledger.append(
        command_ids, contents, answers, actors, metadatas, seals, read_counts, read_ids,
        read_versions, event_counts, ids, versions, topics, states, gaming_days, table_codes,
        sent_at, "each") AS a;
    COMMIT;
    IF 'done' = ANY (outcomes) THEN
        PERFORM ledger.flush();
    END IF;
    at := clock_timestamp();
END
$$;

REVOKE ALL ON ALL ROUTINES IN SCHEMA ledger FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.append, ledger.take_turn TO sabot_app;
GRANT EXECUTE ON PROCEDURE ledger.append_and_flush TO sabot_app;
GRANT EXECUTE ON FUNCTION ledger.flush TO sabot_app, sabot_projector, sabot_auditor;
GRANT EXECUTE ON FUNCTION ledger.fields, ledger.leaf, ledger.canonical,
    ledger.canonical_beginning, ledger.canonical_head, ledger.canonical_place,
    ledger.canonical_command, ledger.canonical_decision, ledger.canonical_span
    TO sabot_projector, sabot_auditor;
