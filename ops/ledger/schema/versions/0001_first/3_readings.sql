-- Who read or exported what, and about whom: one row for each command, written once. The rows are
-- not events, so that reading costs the ledger nothing. They are a chain of their own.

SET LOCAL ROLE sabot_owner;

CREATE TABLE ledger.readings (
    n          bigint      NOT NULL PRIMARY KEY,  -- 1, 2, 3, …
    at         timestamptz NOT NULL,
    gaming_day date        NOT NULL,
    who        text        NOT NULL,  -- staff number, or database login; '': no name, open house
    login      text        NOT NULL,  -- of the database
    machine    text        NOT NULL,
    command    text        NOT NULL,  -- as in `report wagers`
    how        text        NOT NULL CHECK (how IN ('screen', 'json', 'csv', 'pdf', 'export')),
    -- What it was narrowed to; NULL: it was not.
    patron     text,
    table_code text,
    shoe       text,
    coup       text,
    case_number text,
    first_day  text,
    last_day   text,
    as_of      text,
    refused    text,                  -- the refusal's name; NULL: it was not refused
    hash       bytea       NOT NULL CHECK (octet_length(hash) = 32)
);
CREATE TABLE locks.readings ();
COMMENT ON TABLE locks.readings IS 'Always empty. Whoever notes a reading holds this table''s lock.';

-- What the hash of a reading is over, but for the hash before: every other column.
CREATE FUNCTION ledger.canonical_reading(reading ledger.readings) RETURNS text
LANGUAGE sql STABLE
RETURN ((to_jsonb(reading) - 'hash' - 'at')
        || jsonb_build_object('at', trunc(extract(epoch FROM reading.at) * 1000000)))::text;
CREATE INDEX readings_of_a_patron ON ledger.readings (patron) WHERE patron IS NOT NULL;
CREATE INDEX readings_of_a_login ON ledger.readings (login, n);
CREATE INDEX readings_gaming_day ON ledger.readings USING brin (gaming_day);
GRANT SELECT ON ledger.readings TO sabot_projector, sabot_auditor;

CREATE TRIGGER written_once BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.readings
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.readings ENABLE ALWAYS TRIGGER written_once;

-- Records a reading, without waiting for the disk: the reader waits in ledger.flush(). A login that
-- is not the application's is recorded under its own name, whatever `who` is, and at most 120 times
-- a minute, or it could fill the disk. A standby records nothing.
CREATE FUNCTION ledger.note_reading(
    gaming_day date, who text, machine text, command text, how text, about jsonb, refused text
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
AS $$
DECLARE
    made       ledger.readings;
    before     bytea;
    of_its_own boolean := NOT pg_has_role(session_user, 'sabot_app', 'MEMBER');
    earlier    timestamptz;
BEGIN
    IF pg_is_in_recovery() THEN
        RETURN;
    END IF;
    IF of_its_own THEN
        SELECT r.at INTO earlier FROM ledger.readings r WHERE r.login = session_user
         ORDER BY r.n DESC OFFSET 119 LIMIT 1;
        IF earlier > clock_timestamp() - interval '1 minute' THEN
            RAISE EXCEPTION '% has read 120 times within a minute: wait a moment', session_user
                USING ERRCODE = 'configuration_limit_exceeded';
        END IF;
    END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    LOCK TABLE locks.readings IN SHARE UPDATE EXCLUSIVE MODE;
    SELECT r.n, r.hash INTO made.n, before FROM ledger.readings r ORDER BY r.n DESC LIMIT 1;
    made.n := coalesce(made.n, 0) + 1;
    made.at := clock_timestamp();
    made.gaming_day := gaming_day;
    made.who := CASE WHEN of_its_own THEN session_user::text ELSE left(who, 200) END;
    made.login := session_user;
    made.machine := left(machine, 200);
    made.command := left(command, 200);
    made.how := how;
    made.patron := left(about ->> 'patron', 200);
    made.table_code := left(about ->> 'table', 200);
    made.shoe := left(about ->> 'shoe', 200);
    made.coup := left(about ->> 'coup', 200);
    made.case_number := left(about ->> 'case', 200);
    made.first_day := left(about ->> 'from', 200);
    made.last_day := left(about ->> 'to', 200);
    made.as_of := left(about ->> 'as_of', 200);
    made.refused := left(refused, 200);
    made.hash := sha256('\x04'::bytea || coalesce(before, decode(repeat('00', 32), 'hex'))
        || convert_to(ledger.canonical_reading(made), 'UTF8'));
    INSERT INTO ledger.readings SELECT made.*;
END
$$;
REVOKE ALL ON FUNCTION ledger.note_reading, ledger.canonical_reading FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.note_reading, ledger.canonical_reading TO sabot_auditor;
