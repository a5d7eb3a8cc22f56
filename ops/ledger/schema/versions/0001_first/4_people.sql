-- Names, and hashes of PINs: they must not be in events, which are exported and never erased. A
-- patron whose name is deleted here keeps a number there.

SET LOCAL ROLE sabot_owner;

CREATE TABLE people.staff (
    staff     text NOT NULL PRIMARY KEY,
    name      text NOT NULL,
    pin_hash  text,                       -- argon2 over PIN and pepper; NULL: no PIN yet
    code_hash text,                       -- of the one-time code, with which a PIN is chosen
    last_hash text,                       -- of the PIN before a new code; it cannot be reused
    tries     integer NOT NULL DEFAULT 0, -- PINs typed since the last right one
    salt       text NOT NULL DEFAULT '',  -- so that a digest of the name tells nothing
    name_seal  bytea,                     -- seals, here and below: see ops/ledger/row_seals.py
    tries_seal bytea
);

CREATE TABLE people.patrons (
    patron text  NOT NULL PRIMARY KEY,
    name   text  NOT NULL,
    salt   text  NOT NULL DEFAULT '',
    seal   bytea
);

-- How many wrong PINs were typed on which machine. A PIN is counted before it is checked, so that
-- several typed at the same time all count, whatever happens to their commands.
CREATE TABLE people.pin_places (
    place text NOT NULL PRIMARY KEY,               -- a machine and an account on it
    wrong text[] NOT NULL DEFAULT '{}',            -- the staff numbers of the wrong PINs
    until timestamptz NOT NULL DEFAULT clock_timestamp(), -- no PIN is checked before this
    seal  bytea
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
    used    timestamptz NOT NULL DEFAULT clock_timestamp(),
    seal    bytea                              -- of all but `used`, which every request moves
);

-- The last number of each device's lines, and the lines that came last: if they come again, because
-- their answers were lost, they are taken again.
CREATE TABLE people.device_lines (
    device text   NOT NULL,
    key    text   NOT NULL,             -- a new key begins with 1 again
    last   bigint NOT NULL DEFAULT 0,
    since  bigint NOT NULL DEFAULT 0,   -- the last number before the lines that came last
    lines  text   NOT NULL DEFAULT '',  -- the SHA-256 of those, in hex
    seal   bytea,
    PRIMARY KEY (device, key)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON people.staff, people.patrons, people.sessions TO sabot_app;
GRANT SELECT, INSERT, UPDATE ON people.pin_places, people.recovery, people.device_lines TO sabot_app;

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
    SELECT 'staff row', s.staff, '' FROM people.staff s
    UNION ALL
    SELECT 'PIN before', s.staff, encode(sha256(convert_to(s.last_hash, 'UTF8')), 'hex')
      FROM people.staff s WHERE s.last_hash IS NOT NULL
    UNION ALL
    SELECT 'recovery secret', '', encode(sha256(convert_to(r.digest, 'UTF8')), 'hex')
      FROM people.recovery r
    UNION ALL
    SELECT 'sealed order', o.shoe, encode(sha256(o.sealed), 'hex') FROM sealed.orders o
$$;
-- What has a seal, with a salted digest of a name in place of the name. `whose`: a number, a machine or a
-- device; `content`: what the seal is over, but for `what` and `whose`. `used` is of sign-ons only.
CREATE FUNCTION people.sealed_rows(
    OUT what text, OUT whose text, OUT content text[], OUT seal bytea, OUT used timestamptz
) RETURNS SETOF record
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT 'name of a staff number', s.staff,
           ARRAY[encode(sha256(convert_to(s.salt || s.name, 'UTF8')), 'hex')], s.name_seal, NULL::timestamptz
      FROM people.staff s
    UNION ALL
    SELECT 'count of wrong PINs', s.staff, ARRAY[s.tries::text], s.tries_seal, NULL FROM people.staff s
    UNION ALL
    SELECT 'name of a patron', p.patron,
           ARRAY[encode(sha256(convert_to(p.salt || p.name, 'UTF8')), 'hex')], p.seal, NULL
      FROM people.patrons p
    UNION ALL
    SELECT 'count of wrong PINs of a machine', p.place,
           ARRAY[array_to_string(p.wrong, E'\n'), trunc(extract(epoch FROM p.until) * 1000000)::text],
           p.seal, NULL
      FROM people.pin_places p
    UNION ALL
    SELECT 'place of a sign-on', s.session, ARRAY[s.place], s.seal, s.used FROM people.sessions s
    UNION ALL
    SELECT 'number of a device''s lines', d.device,
           ARRAY[d.key, d.last::text, d.since::text, d.lines], d.seal, NULL
      FROM people.device_lines d
$$;
-- The fingerprints of the house's peppers, the newest last: a home with another pepper is refused.
CREATE TABLE people.peppers (
    number      integer     NOT NULL PRIMARY KEY,
    fingerprint bytea       NOT NULL,
    since       timestamptz NOT NULL DEFAULT now()
);

-- The fingerprint of the house's pepper; the first one that is given is it.
CREATE FUNCTION people.house_pepper(given bytea) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF given IS NOT NULL AND NOT EXISTS (SELECT FROM people.peppers) THEN
        INSERT INTO people.peppers (number, fingerprint) VALUES (1, given) ON CONFLICT DO NOTHING;
    END IF;
    RETURN (SELECT p.fingerprint FROM people.peppers p ORDER BY p.number DESC LIMIT 1);
END
$$;

REVOKE ALL ON FUNCTION people.digests, people.sealed_rows, people.house_pepper FROM PUBLIC;
GRANT EXECUTE ON FUNCTION people.house_pepper TO sabot_app;
GRANT USAGE ON SCHEMA people TO sabot_auditor;
GRANT EXECUTE ON FUNCTION people.digests, people.sealed_rows TO sabot_auditor;
