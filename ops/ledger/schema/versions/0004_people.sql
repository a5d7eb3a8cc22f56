-- What must not stand in the record, which is exported and never erased: names, and what proves
-- a PIN. Whoever is erased here stays a number there.

CREATE SCHEMA people AUTHORIZATION sabot_owner;
GRANT USAGE ON SCHEMA people TO sabot_app;

CREATE TABLE people.staff (
    staff     text NOT NULL PRIMARY KEY,
    name      text NOT NULL,
    pin_hash  text,           -- argon2 over the PIN and the pepper; NULL: not chosen yet
    code_hash text            -- of the one-time code with which it is chosen
);

CREATE TABLE people.patrons (
    patron text NOT NULL PRIMARY KEY,
    name   text NOT NULL
);

ALTER TABLE people.staff OWNER TO sabot_owner;
ALTER TABLE people.patrons OWNER TO sabot_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON people.staff, people.patrons TO sabot_app;
