-- The fingerprint of the house's pepper for whoever reads too: with another one no seal can be checked.

SET LOCAL ROLE sabot_owner;

CREATE FUNCTION people.known_pepper() RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT p.fingerprint FROM people.peppers p ORDER BY p.number DESC LIMIT 1
$$;

REVOKE ALL ON FUNCTION people.known_pepper FROM PUBLIC;
GRANT EXECUTE ON FUNCTION people.known_pepper TO sabot_app, sabot_auditor;
