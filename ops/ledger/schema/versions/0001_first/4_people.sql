-- What must not stand in the record, which is exported and never erased: names, and what proves
-- a PIN. Whoever is erased here stays a number there.

SET LOCAL ROLE sabot_owner;

CREATE TABLE people.staff (
    staff     text NOT NULL PRIMARY KEY,
    name      text NOT NULL,
    pin_hash  text,                       -- argon2 over PIN and pepper; NULL: not chosen yet
    code_hash text,                       -- of the one-time code with which it is chosen
    last_hash text,                       -- of the PIN before a new code: not chosen again
    tries     integer NOT NULL DEFAULT 0  -- since the last right PIN
);

CREATE TABLE people.patrons (
    patron text NOT NULL PRIMARY KEY,
    name   text NOT NULL
);

-- Who types PINs, and how often they were wrong: counted before a PIN is judged, so that several
-- that are typed at once are all counted, whatever becomes of their commands.
CREATE TABLE people.pin_places (
    place text NOT NULL PRIMARY KEY,               -- a machine and an account on it
    wrong text[] NOT NULL DEFAULT '{}',            -- the numbers of which a PIN was wrong
    until timestamptz NOT NULL DEFAULT clock_timestamp()  -- no PIN is judged before
);

-- Of the secret with which administrators are let in again when all of them are locked; it was
-- shown once, and only its SHA-256 is kept.
CREATE TABLE people.recovery (
    only_one boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (only_one),
    digest   text    NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON people.staff, people.patrons TO sabot_app;
GRANT SELECT, INSERT, UPDATE ON people.pin_places, people.recovery TO sabot_app;

-- What nobody may know before it is dealt: the orders of generated shoes, encrypted under a key
-- that is in no database. A row goes when its shoe has ended and the record tells the order.
CREATE TABLE sealed.orders (
    shoe   text  NOT NULL PRIMARY KEY,
    sealed bytea NOT NULL
);
GRANT SELECT, INSERT, DELETE ON sealed.orders TO sabot_app;
