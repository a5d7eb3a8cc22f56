-- Readers flush too: what leaves the database waits for the disk. And commission is owed since
-- the oldest accrual that is still open, which a row a shoe cannot tell.

-- Durable before told: a transaction of its own that writes to the log and waits for the disk.
-- The log is sequential, so everything committed before it on this connection, and everything
-- that this connection has read, is on disk too. A standby has only what was flushed.
CREATE OR REPLACE FUNCTION ledger.flush() RETURNS void
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
GRANT EXECUTE ON FUNCTION ledger.flush() TO sabot_projector, sabot_auditor;

-- Every accrual of which something is still owed; collections pay the oldest first.
CREATE TABLE projections.open_accruals (
    position bigint      NOT NULL PRIMARY KEY,
    stay     text        NOT NULL,
    shoe     text        NOT NULL,
    at       timestamptz NOT NULL,
    owed     bigint      NOT NULL CHECK (owed > 0)  -- minor units
);
CREATE INDEX open_accruals_by_stay ON projections.open_accruals (stay, shoe, position);
ALTER TABLE projections.open_accruals OWNER TO sabot_owner;
GRANT SELECT ON projections.open_accruals TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.open_accruals TO sabot_projector;

-- Grown again from the ledger when a report next asks; coups too, whose exceptions are read as
-- the newest version of their facts tells them.
ALTER TABLE projections.commission_owed DROP COLUMN oldest_accrual;
DELETE FROM projections.commission_owed;
DELETE FROM projections.coups;
DELETE FROM projections.progress;
