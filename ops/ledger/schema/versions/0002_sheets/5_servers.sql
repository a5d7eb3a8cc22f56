-- Which server has the ledger. A dump that is restored on another server brings the row of the first
-- one along, and so is known as a copy: the house may go on recording where it came from.

SET LOCAL ROLE sabot_owner;

-- The last row holds.
CREATE TABLE ledger.servers (
    number     int         PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    identifier text        NOT NULL,  -- the system identifier, which pg_control_system() has
    since      timestamptz NOT NULL DEFAULT now(),
    by_login   text        NOT NULL DEFAULT session_user
);

-- The identifier of this server; NULL where nobody may ask for it.
CREATE FUNCTION ledger.this_server() RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN (SELECT system_identifier FROM pg_control_system());
EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN
    RETURN NULL;
END
$$;

-- The server whose ledger this is a copy of; NULL: it is no copy.
CREATE FUNCTION ledger.copied_from() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN (SELECT s.identifier FROM ledger.servers AS s
             WHERE s.number = (SELECT max(number) FROM ledger.servers)
               AND s.identifier <> ledger.this_server());
END
$$;

INSERT INTO ledger.servers (identifier)
SELECT ledger.this_server() WHERE ledger.this_server() IS NOT NULL;

REVOKE ALL ON FUNCTION ledger.this_server, ledger.copied_from FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.copied_from TO sabot_app, sabot_projector, sabot_auditor;
