-- Names, and hashes of PINs: they must not be in events, which are exported and never erased. A
-- patron whose name is deleted here keeps a number there.

SET LOCAL ROLE sabot_owner;

CREATE TABLE people.staff (
    staff     text NOT NULL PRIMARY KEY,
    name      text NOT NULL,
    pin_hash  text,                       -- argon2 over PIN and pepper; NULL: no PIN yet
    code_hash text,                       -- of the one-time code, with which a PIN is chosen
    last_hash text,                       -- of the PIN before a new code; it cannot be reused
    tries     integer NOT NULL DEFAULT 0  -- PINs typed since the last right one
);

CREATE TABLE people.patrons (
    patron text NOT NULL PRIMARY KEY,
    name   text NOT NULL
);

-- How many wrong PINs were typed on which machine. A PIN is counted before it is checked, so that
-- several typed at the same time all count, whatever happens to their commands.
CREATE TABLE people.pin_places (
    place text NOT NULL PRIMARY KEY,               -- a machine and an account on it
    wrong text[] NOT NULL DEFAULT '{}',            -- the staff numbers of the wrong PINs
    until timestamptz NOT NULL DEFAULT clock_timestamp()  -- no PIN is checked before this
);

-- The recovery secret, with which an administrator is enrolled again when all of them are locked.
-- It was shown once; only its SHA-256 is stored.
CREATE TABLE people.recovery (
    only_one boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (only_one),
    digest   text    NOT NULL
);

-- When each sign-on through the house server was used last: one that is idle for too long ends.
CREATE TABLE people.sessions (
    session text        NOT NULL PRIMARY KEY,  -- SHA-256 of its token, in hex
    place   text        NOT NULL,              -- the only one where it works
    used    timestamptz NOT NULL DEFAULT clock_timestamp()
);

GRANT SELECT, INSERT, UPDATE, DELETE ON people.staff, people.patrons, people.sessions TO sabot_app;
GRANT SELECT, INSERT, UPDATE ON people.pin_places, people.recovery TO sabot_app;

-- The card orders of generated shoes, which nobody may know before they are dealt: encrypted with a
-- key that is not in the database. A row is deleted when its shoe has ended and is revealed.
CREATE TABLE sealed.orders (
    shoe   text  NOT NULL PRIMARY KEY,
    sealed bytea NOT NULL
);
GRANT SELECT, INSERT, DELETE ON sealed.orders TO sabot_app;

-- Digests of what is stored here, as the events have them: so the auditor can compare the two, and
-- reads no hash of a PIN and no order.
CREATE FUNCTION people.digests(OUT what text, OUT whose text, OUT digest text) RETURNS SETOF record
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT 'PIN', s.staff, encode(sha256(convert_to(s.pin_hash, 'UTF8')), 'hex')
      FROM people.staff s WHERE s.pin_hash IS NOT NULL
    UNION ALL
    SELECT 'one-time code', s.staff, encode(sha256(convert_to(s.code_hash, 'UTF8')), 'hex')
      FROM people.staff s WHERE s.code_hash IS NOT NULL
    UNION ALL
    SELECT 'recovery secret', '', encode(sha256(convert_to(r.digest, 'UTF8')), 'hex')
      FROM people.recovery r
    UNION ALL
    SELECT 'sealed order', o.shoe, encode(sha256(o.sealed), 'hex') FROM sealed.orders o
$$;
REVOKE ALL ON FUNCTION people.digests FROM PUBLIC;
GRANT USAGE ON SCHEMA people TO sabot_auditor;
GRANT EXECUTE ON FUNCTION people.digests TO sabot_auditor;
