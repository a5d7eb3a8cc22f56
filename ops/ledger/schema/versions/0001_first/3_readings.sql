-- Who read or exported what, and about whom: one row for each command, written once. The rows are
-- neither events nor in the chain, so that reading costs the ledger nothing.

SET LOCAL ROLE sabot_owner;

CREATE TABLE ledger.readings (
    n          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
    refused    text                   -- the refusal's name; NULL: it was not refused
);
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
AS $$
DECLARE
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
    INSERT INTO ledger.readings (at, gaming_day, who, login, machine, command, how, patron,
                                 table_code, shoe, coup, case_number, first_day, last_day, as_of,
                                 refused)
    VALUES (clock_timestamp(), gaming_day,
            CASE WHEN of_its_own THEN session_user::text ELSE left(who, 200) END, session_user,
            left(machine, 200), left(command, 200), how, left(about ->> 'patron', 200),
            left(about ->> 'table', 200), left(about ->> 'shoe', 200), left(about ->> 'coup', 200),
            left(about ->> 'case', 200), left(about ->> 'from', 200), left(about ->> 'to', 200),
            left(about ->> 'as_of', 200), left(refused, 200));
END
$$;
REVOKE ALL ON FUNCTION ledger.note_reading FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.note_reading TO sabot_auditor;
