-- Who types PINs, and how often they were wrong: counted before a PIN is judged, so that several
-- that are typed at once are all counted, whatever becomes of their commands.

ALTER TABLE people.staff
    ADD COLUMN last_hash text,                     -- of the PIN before a new code: not chosen again
    ADD COLUMN tries integer NOT NULL DEFAULT 0;   -- since the last right PIN

CREATE TABLE people.pin_places (
    place text NOT NULL PRIMARY KEY,               -- a machine and an account on it
    wrong text[] NOT NULL DEFAULT '{}',            -- the numbers of which a PIN was wrong
    until timestamptz NOT NULL DEFAULT clock_timestamp()  -- no PIN is judged before
);

ALTER TABLE people.pin_places OWNER TO sabot_owner;
GRANT SELECT, INSERT, UPDATE ON people.pin_places TO sabot_app;

-- Where somebody signed on is told: these rows are grown again.
DELETE FROM projections.access;
DELETE FROM projections.progress WHERE projection = 'access';
