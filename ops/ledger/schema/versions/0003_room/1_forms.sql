-- Events and answers take half the room. What many of them say alike is stored once, as a form; each
-- has the number of its form, and what it alone says. The views `ledger.events` and `ledger.commands`
-- have every event and every command whole, byte by byte as its hash covers it: so whatever reads them
-- reads what it read before, programs of older versions included.
--
-- Older rows are as they were: without the number of a form, everything is in the row itself.

SET LOCAL ROLE sabot_owner;

-- Nobody is in the middle of an append.
LOCK TABLE locks.ledger IN SHARE UPDATE EXCLUSIVE MODE;

-- The forms, which appending learns. In each of its places, which are %s, belongs what a row says;
-- %% is a %. Few rows to a page, so that one is looked up by its number and not searched for.
CREATE TABLE ledger.forms (
    number smallint NOT NULL PRIMARY KEY,
    places smallint NOT NULL,
    form   text     NOT NULL UNIQUE,
    -- Whatever a row says, it can be read.
    CONSTRAINT forms_readable CHECK (
        replace(replace(form, '%%', ''), '%s', '') !~ '%'
        AND 2 * places = length(replace(form, '%%', '')) - length(replace(replace(form, '%%', ''), '%s', '')))
) WITH (fillfactor = 10);
CREATE TRIGGER written_once BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.forms
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.forms ENABLE ALWAYS TRIGGER written_once;

ALTER TABLE ledger.events RENAME TO event_rows;
ALTER TABLE ledger.event_rows
    ADD COLUMN brief         text,      -- what the event alone says; `state` is empty then
    ADD COLUMN form          smallint,  -- the form of its state; NULL: `state` is all of it
    ADD COLUMN metadata_form smallint;  -- NULL: `metadata` is all of it, else what it alone says
ALTER TABLE ledger.commands RENAME TO command_rows;
ALTER TABLE ledger.command_rows
    ADD COLUMN form smallint;           -- NULL: `answer` is all of it, else what it alone says

-- A form with what a row says, which is nothing that was recorded if it says too little.
CREATE FUNCTION ledger.whole(form text, places smallint, said text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN places = cardinality(string_to_array(said, chr(31)))
            THEN format(form, VARIADIC string_to_array(said, chr(31))) ELSE '' END;

-- What an event says, shorter by what its other columns say: one character is instead of its table
-- and its day in an address, and of its day, or the day after it, in a moment. JSON has none of them.
CREATE FUNCTION ledger.short(said text, table_code text, gaming_day date) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN replace(replace(replace(said,
    table_code || '/' || to_char(gaming_day, 'YYYY-MM-DD') || '/', chr(1)),
    to_char(gaming_day, 'YYYY-MM-DD"T"'), chr(2)),
    to_char(gaming_day + 1, 'YYYY-MM-DD"T"'), chr(3));
CREATE FUNCTION ledger.long(brief text, table_code text, gaming_day date) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN replace(replace(replace(brief,
    chr(3), to_char(gaming_day + 1, 'YYYY-MM-DD"T"')),
    chr(2), to_char(gaming_day, 'YYYY-MM-DD"T"')),
    chr(1), table_code || '/' || to_char(gaming_day, 'YYYY-MM-DD') || '/');

-- The numbers of forms; those that are not known are learned, up to 30000. Under the lock.
CREATE FUNCTION ledger.learned(wanted text[]) RETURNS smallint[]
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO ledger.forms
    SELECT known.last + row_number() OVER (),
           (length(fresh.simple) - length(replace(fresh.simple, '%s', ''))) / 2, fresh.form
      FROM (SELECT DISTINCT w.form, replace(w.form, '%%', '') AS simple FROM unnest(wanted) AS w(form)
             WHERE NOT EXISTS (SELECT FROM ledger.forms AS f WHERE f.form = w.form)
               AND octet_length(w.form) <= 2000) AS fresh,
           (SELECT coalesce(max(f.number), 0) AS last FROM ledger.forms AS f) AS known
     LIMIT (SELECT greatest(30000 - coalesce(max(f.number), 0), 0) FROM ledger.forms AS f);
    RETURN ARRAY(SELECT f.number FROM unnest(wanted) WITH ORDINALITY AS w(form, n)
                   LEFT JOIN ledger.forms AS f USING (form) ORDER BY w.n);
END
$$;
