-- Coups and shoes of closed days leave the database once they are in an archive.

SET LOCAL ROLE sabot_owner;

-- Finds what left last.
CREATE INDEX events_of_archiving ON ledger.events (position)
    WHERE topic IN ('archiving.coups-left', 'archiving.coups-brought-back');

-- Up to which event coups and shoes left, as two people recorded; NULL: none did, or all came back.
CREATE FUNCTION ledger.left_until() RETURNS bigint
LANGUAGE sql STABLE
RETURN (SELECT (convert_from(e.state, 'UTF8')::jsonb ->> 'events')::bigint
          FROM ledger.events AS e
         WHERE e.topic IN ('archiving.coups-left', 'archiving.coups-brought-back')
         ORDER BY e.position DESC LIMIT 1);

-- The events that may leave, but for the last one of each stream, by which it is known. What the
-- digests in a shoe's events prove is beside the record, so those stay, too.
CREATE FUNCTION ledger.may_leave(topic text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (starts_with(topic, 'coup.') OR starts_with(topic, 'shoe.'))
   AND topic NOT IN ('shoe.shuffled', 'shoe.order-revealed', 'shoe.order-untold');

-- The leaf of an event in the tree, which is its hash; NULL while its tile is not full.
CREATE FUNCTION ledger.stored_leaf("position" bigint) RETURNS bytea
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN (SELECT substr(t.hashes, (("position" - 1) % 256)::int * 32 + 1, 32)
              FROM projections.tiles AS t
             WHERE t.level = 0 AND t.index = ("position" - 1) / 256 AND length(t.hashes) = 8192);
END
$$;

-- Nobody can delete an event that two people did not record as archived.
CREATE FUNCTION ledger.refuse_removal() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    until constant bigint := ledger.left_until();
BEGIN
    IF until IS NULL OR EXISTS (
        SELECT FROM gone AS g
         WHERE (ledger.may_leave(g.topic) AND g.position BETWEEN 1 AND until) IS NOT TRUE
            OR NOT EXISTS (SELECT FROM ledger.events AS e
                            WHERE e.originator_id = g.originator_id
                              AND e.originator_version > g.originator_version)) THEN
        RAISE EXCEPTION '% on %.%: the ledger is written once and never changed',
            TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
DROP TRIGGER written_once ON ledger.events;
CREATE TRIGGER written_once BEFORE UPDATE OR TRUNCATE ON ledger.events
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER removed_once_archived AFTER DELETE ON ledger.events
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_removal();
ALTER TABLE ledger.events ENABLE ALWAYS TRIGGER written_once;
ALTER TABLE ledger.events ENABLE ALWAYS TRIGGER removed_once_archived;

-- Removes, of these positions, what may leave; returns how many events. The event that says so names
-- a checkpoint that is on record, and the tree has the hash of each event. Only the owner may.
CREATE FUNCTION ledger.remove_archived(after bigint, upto bigint) RETURNS bigint
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
    DELETE FROM ledger.events AS e
     WHERE e.position > after AND e.position <= least(upto, until) AND ledger.may_leave(e.topic)
       AND EXISTS (SELECT FROM ledger.events AS later
                    WHERE later.originator_id = e.originator_id
                      AND later.originator_version > e.originator_version);
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
$$;

-- Puts events back that left, each only as the tree has it; returns how many. Only the owner may.
CREATE FUNCTION ledger.bring_back(
    ids uuid[], versions bigint[], topics text[], states bytea[], positions bigint[],
    recorded timestamptz[], gaming_days date[], table_codes text[], actors text[],
    command_ids text[], metadatas text[]
) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    brought bigint;
BEGIN
    INSERT INTO ledger.events
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

REVOKE ALL ON FUNCTION ledger.left_until, ledger.may_leave, ledger.stored_leaf,
    ledger.refuse_removal, ledger.remove_archived, ledger.bring_back FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.may_leave, ledger.stored_leaf
    TO sabot_app, sabot_projector, sabot_auditor;
