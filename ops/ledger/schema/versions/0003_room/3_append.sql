-- Appends as before, and stores what is given by its forms.

SET LOCAL ROLE sabot_owner;

-- As `ledger.append` of the first version, which it replaces; events, answers and metadata are stored
-- by their forms. What is checked and hashed is what was given, so a form that does not make it again
-- is not used.
CREATE FUNCTION ledger.append_by_forms(
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
    forms         text[],    -- of each state, then of each answer, then of each metadata …
    said          text[],    -- … and what it alone says; only where both make it again
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
    wanted   text[];     -- the forms that make it again …
    numbers  smallint[]; -- … with their numbers
    briefs   text[];     -- what is stored of what each event says
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
    IF forms IS NOT NULL THEN
        SELECT array_agg(g.form ORDER BY n),
               array_agg((SELECT f.number FROM ledger.forms AS f WHERE f.form = g.form) ORDER BY n),
               array_agg(ledger.short(said[n], table_codes[n], gaming_days[n]) ORDER BY n)
                   FILTER (WHERE n <= events)
          INTO wanted, numbers, briefs
          FROM generate_series(1, events + 2 * commands) AS n,
               LATERAL (SELECT CASE WHEN ledger.whole(
                       forms[n],
                       ((length(forms[n]) - length(replace(forms[n], '%s', ''))) / 2)::smallint,
                       said[n])
                   = CASE WHEN n <= events THEN convert_from(states[n], 'UTF8')
                          WHEN n <= events + commands THEN answers[n - events]
                          ELSE metadatas[n - events - commands] END THEN forms[n] END AS form
                   OFFSET 0) AS g;
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
               SELECT FROM ledger.command_rows c WHERE c.command_id = command_ids[n] OFFSET 0) AS known)
           OR EXISTS (
               SELECT FROM generate_series(1, cardinality(streams)) AS n
                WHERE seen_at[n] <> coalesce((SELECT max(e.originator_version)
                        FROM ledger.event_rows e WHERE e.originator_id = streams[n]), 0)),
           coalesce(head.position, 0), coalesce(head.hash, decode(repeat('00', 32), 'hex')),
           greatest(clock_timestamp(), command.recorded_at),  -- never runs backwards
           coalesce(command.number, 0), coalesce(command.hash, decode(repeat('00', 32), 'hex'))
      INTO hindered, last, chained, now, last_number, last_command
      FROM (VALUES (true)) AS asked
      LEFT JOIN (SELECT e.position, e.hash
                   FROM ledger.event_rows e ORDER BY e.position DESC LIMIT 1) AS head ON true
      LEFT JOIN (SELECT c.number, c.hash, c.recorded_at
                   FROM ledger.command_rows c ORDER BY c.number DESC LIMIT 1) AS command ON true;
    IF hindered THEN
        IF "each" AND commands > 1 THEN
            SELECT array_agg(a.outcome ORDER BY a.n), array_agg(a.first_position ORDER BY a.n)
              INTO outcomes, first_positions
              FROM ledger.append_one_by_one(
                command_ids, contents, answers, actors, metadatas, seals, read_counts,
                read_ids, read_versions, event_counts, ids, versions, topics, states, gaming_days,
                table_codes, sent_at, forms, said) AS a;
            RETURN;
        END IF;
        SELECT array_agg(CASE WHEN c.content = asked.content THEN 'seen'
                              WHEN c.content IS NOT NULL THEN 'reused'
                              ELSE 'conflict' END ORDER BY asked.n)
          INTO outcomes
          FROM unnest(command_ids, contents) WITH ORDINALITY AS asked(id, content, n)
          LEFT JOIN ledger.command_rows c ON c.command_id = asked.id;
        first_positions := array_fill(NULL::bigint, ARRAY[commands]);
        RETURN;
    END IF;

    FOR n IN 1..events LOOP
        chained := ledger.leaf(
            beginnings[of[n]] || heads[n] || ledger.canonical_place(last + n, now, chained));
        hashes[n] := chained;
    END LOOP;
    IF array_position(numbers, NULL) IS NOT NULL THEN
        numbers := ledger.learned(wanted);
    END IF;
    IF events > 0 THEN
        INSERT INTO ledger.event_rows
        SELECT ids[n], versions[n], topics[n], CASE WHEN numbers[n] IS NULL THEN states[n] ELSE '' END,
               last + n, now, gaming_days[n], table_codes[n], actors[of[n]], command_ids[of[n]],
               CASE WHEN numbers[m] IS NULL THEN metadatas[of[n]] ELSE said[m] END, hashes[n],
               CASE WHEN numbers[n] IS NOT NULL THEN briefs[n] END, numbers[n], numbers[m]
          FROM generate_series(1, events) AS n,
               LATERAL (SELECT events + commands + of[n] AS m) AS its;
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
    INSERT INTO ledger.command_rows
    SELECT command_ids[n], contents[n],
           CASE WHEN numbers[events + n] IS NULL THEN answers[n] ELSE said[events + n] END, sent_at,
           seals[n], first_positions[n], first_positions[n] + event_counts[n] - 1, now,
           last_number + n, command_hashes[n], numbers[events + n]
      FROM generate_series(1, commands) AS n;
END
$$;

DROP FUNCTION ledger.append_one_by_one;
-- Appends each command as if it came in a call of its own, one after the other, under the lock.
CREATE FUNCTION ledger.append_one_by_one(
    command_ids text[], contents bytea[], answers text[], actors text[], metadatas text[],
    seals bytea[], read_counts int[], read_ids uuid[], read_versions bigint[],
    event_counts int[], ids uuid[], versions bigint[], topics text[], states bytea[],
    gaming_days date[], table_codes text[], sent_at timestamptz, forms text[], said text[]
) RETURNS TABLE (n int, outcome text, first_position bigint)
LANGUAGE plpgsql
AS $$
DECLARE
    commands constant int := cardinality(command_ids);
    others   constant int := cardinality(ids);  -- where the answers' forms are
    r int := 0;  -- how many reads and events are done
    e int := 0;
    reads int;
    events int;
BEGIN
    FOR n IN 1..commands LOOP
        reads := r + read_counts[n];
        events := e + event_counts[n];
        RETURN QUERY SELECT n, a.outcomes[1], a.first_positions[1] FROM ledger.append_by_forms(
            command_ids[n:n], contents[n:n], answers[n:n], actors[n:n], metadatas[n:n],
            seals[n:n], read_counts[n:n], read_ids[r + 1:reads], read_versions[r + 1:reads],
            event_counts[n:n], ids[e + 1:events], versions[e + 1:events], topics[e + 1:events],
            states[e + 1:events], gaming_days[e + 1:events], table_codes[e + 1:events],
            sent_at, false,
            forms[e + 1:events] || forms[others + n] || forms[others + commands + n],
            said[e + 1:events] || said[others + n] || said[others + commands + n]) AS a;
        r := reads;
        e := events;
    END LOOP;
END
$$;

-- Appends, commits, and returns when everything is on disk. It runs with the caller's rights,
-- outside a transaction. `at`: the server's clock.
CREATE PROCEDURE ledger.append_by_forms_and_flush(
    command_ids text[], contents bytea[], answers text[], actors text[], metadatas text[],
    seals bytea[], read_counts int[], read_ids uuid[], read_versions bigint[],
    event_counts int[], ids uuid[], versions bigint[], topics text[], states bytea[],
    gaming_days date[], table_codes text[], sent_at timestamptz, "each" boolean,
    forms text[], said text[],
    OUT outcomes text[], OUT first_positions bigint[], OUT at timestamptz
)
LANGUAGE plpgsql
AS $$
BEGIN
    SELECT a.outcomes, a.first_positions INTO outcomes, first_positions
      FROM ledger.append_by_forms(
        command_ids, contents, answers, actors, metadatas, seals, read_counts, read_ids,
        read_versions, event_counts, ids, versions, topics, states, gaming_days, table_codes,
        sent_at, "each", forms, said) AS a;
    COMMIT;
    IF 'done' = ANY (outcomes) THEN
        PERFORM ledger.flush();
    END IF;
    at := clock_timestamp();
END
$$;

-- For programs of the first version: everything is stored in the row itself.
CREATE OR REPLACE FUNCTION ledger.append(
    command_ids text[], contents bytea[], answers text[], actors text[], metadatas text[],
    seals bytea[], read_counts int[], read_ids uuid[], read_versions bigint[],
    event_counts int[], ids uuid[], versions bigint[], topics text[], states bytea[],
    gaming_days date[], table_codes text[], sent_at timestamptz, "each" boolean,
    OUT outcomes text[], OUT first_positions bigint[]
)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    SELECT a.outcomes, a.first_positions INTO outcomes, first_positions
      FROM ledger.append_by_forms(
        command_ids, contents, answers, actors, metadatas, seals, read_counts, read_ids,
        read_versions, event_counts, ids, versions, topics, states, gaming_days, table_codes,
        sent_at, "each", NULL, NULL) AS a;
END
$$;

REVOKE ALL ON ROUTINE ledger.append_by_forms, ledger.append_by_forms_and_flush,
    ledger.append_one_by_one FROM PUBLIC;
GRANT EXECUTE ON ROUTINE ledger.append_by_forms, ledger.append_by_forms_and_flush TO sabot_app;
