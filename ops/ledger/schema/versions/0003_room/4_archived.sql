-- Events leave and come back as rows. Those that come back have everything in the row itself.

SET LOCAL ROLE sabot_owner;

-- Removes, of these positions, what may leave; returns how many events. The event that says so names
-- a checkpoint that is on record, and the tree has the hash of each event. Only the owner may.
CREATE OR REPLACE FUNCTION ledger.remove_archived(after bigint, upto bigint) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    until   constant bigint := ledger.left_until();
    removed bigint;
BEGIN
    IF until IS NULL OR ledger.stored_leaf(until) IS NULL OR NOT EXISTS (
        SELECT FROM ledger.events AS e,
               LATERAL (SELECT convert_from(e.state, 'UTF8')::jsonb AS signed) AS checkpoint,
               LATERAL (SELECT convert_from(l.state, 'UTF8')::jsonb ->> 'root' AS root
                          FROM ledger.events AS l WHERE l.topic = 'archiving.coups-left'
                         ORDER BY l.position DESC LIMIT 1) AS archived
         WHERE e.topic = 'checkpoint.signed' AND e.table_code = ''
           AND signed ->> 'size' = until::text AND signed ->> 'root' = archived.root) THEN
        RAISE EXCEPTION 'no event says which checkpoint was archived'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM ledger.event_rows AS e
     WHERE e.position > after AND e.position <= least(upto, until) AND ledger.may_leave(e.topic)
       AND EXISTS (SELECT FROM ledger.event_rows AS later
                    WHERE later.originator_id = e.originator_id
                      AND later.originator_version > e.originator_version);
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
$$;

-- Puts events back that left, each only as the tree has it; returns how many. Only the owner may.
CREATE OR REPLACE FUNCTION ledger.bring_back(
    ids uuid[], versions bigint[], topics text[], states bytea[], positions bigint[],
    recorded timestamptz[], gaming_days date[], table_codes text[], actors text[],
    command_ids text[], metadatas text[]
) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    brought bigint;
BEGIN
    INSERT INTO ledger.event_rows
    SELECT given.*, ledger.leaf(ledger.canonical(
               id, version, topic, state, place, at, day, table_code, actor, command_id, metadata,
               CASE place WHEN 1 THEN decode(repeat('00', 32), 'hex')
                          ELSE ledger.stored_leaf(place - 1) END))
      FROM unnest(ids, versions, topics, states, positions, recorded, gaming_days, table_codes,
                  actors, command_ids, metadatas)
               AS given (id, version, topic, state, place, at, day, table_code, actor, command_id,
                         metadata)
     WHERE place <= ledger.left_until() AND ledger.may_leave(topic)
        ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS brought = ROW_COUNT;
    IF EXISTS (SELECT FROM ledger.events AS e WHERE e.position = ANY (positions)
                  AND e.hash IS DISTINCT FROM ledger.stored_leaf(e.position)) THEN
        RAISE EXCEPTION 'an event that was given is not the one that the tree has'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN brought;
END
$$;
