-- The file of each patron: identity documents, address, risk. It is personal, so it is in no event,
-- and is erased here; the event of a change has the seal of the row. So are the texts of cases of
-- money laundering.

SET LOCAL ROLE sabot_owner;

CREATE TABLE people.patron_files (
    patron  text  NOT NULL PRIMARY KEY,
    content text  NOT NULL,  -- JSON: see domain/rules/patron_files.py
    salt    text  NOT NULL,  -- so that a digest of the file tells nothing
    seal    bytea NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON people.patron_files TO sabot_app;

CREATE TABLE people.aml_texts (
    name    text  NOT NULL PRIMARY KEY,  -- the case and its number there, as in AML-2026-0001/2
    content text  NOT NULL,
    salt    text  NOT NULL,
    seal    bytea NOT NULL
);
GRANT SELECT, INSERT ON people.aml_texts TO sabot_app;

-- Finds the events that have a digest of a file or of a text, or end it.
CREATE INDEX events_of_patron_files ON ledger.events (position)
    WHERE topic IN ('patron-file.file-changed', 'patron-file.file-erased', 'aml-case.text-written');

-- What is due about each file on the newest gaming day, for the report of it; nothing of what the
-- file says but days and risk.
CREATE FUNCTION people.files_due(
    OUT patron text, OUT documents bigint, OUT document_until text, OUT risk text,
    OUT review_by text, OUT exposed boolean, OUT has_source boolean, OUT day text
) RETURNS SETOF record
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT f.patron, of_file.documents, of_file.document_until, coalesce(c.content ->> 'risk', ''),
           coalesce(c.content ->> 'review_by', ''), coalesce((c.content ->> 'exposed')::boolean, false),
           coalesce(c.content ->> 'source_of_funds', '') <> '', newest.day
      FROM people.patron_files f
     CROSS JOIN (SELECT e.gaming_day::text AS day FROM ledger.events e
                  ORDER BY e.position DESC LIMIT 1) newest
     CROSS JOIN LATERAL (SELECT f.content::jsonb AS content) c
     CROSS JOIN LATERAL (
           SELECT count(*) AS documents,
                  coalesce(max(CASE d ->> 'expires' WHEN '' THEN '9999-12-31'
                               ELSE d ->> 'expires' END), '') AS document_until
             FROM jsonb_array_elements(coalesce(c.content -> 'documents', '[]')) d) of_file
$$;

-- The digests and the seals of the first version, and those of patrons' files and of texts.
ALTER FUNCTION people.digests() RENAME TO digests_of_first;
ALTER FUNCTION people.sealed_rows() RENAME TO sealed_rows_of_first;

CREATE FUNCTION people.digests(OUT what text, OUT whose text, OUT digest text) RETURNS SETOF record
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT * FROM people.digests_of_first()
    UNION ALL
    SELECT 'file of a patron', f.patron, encode(f.seal, 'hex') FROM people.patron_files f
    UNION ALL
    SELECT 'text of a case of money laundering', t.name, encode(t.seal, 'hex')
      FROM people.aml_texts t
$$;
CREATE FUNCTION people.sealed_rows(
    OUT what text, OUT whose text, OUT content text[], OUT seal bytea, OUT used timestamptz
) RETURNS SETOF record
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT * FROM people.sealed_rows_of_first()
    UNION ALL
    SELECT 'file of a patron', f.patron,
           ARRAY[encode(sha256(convert_to(f.salt || f.content, 'UTF8')), 'hex')], f.seal, NULL
      FROM people.patron_files f
    UNION ALL
    SELECT 'text of a case of money laundering', t.name,
           ARRAY[encode(sha256(convert_to(t.salt || t.content, 'UTF8')), 'hex')], t.seal, NULL
      FROM people.aml_texts t
$$;

REVOKE ALL ON FUNCTION people.digests_of_first, people.sealed_rows_of_first FROM sabot_auditor;
REVOKE ALL ON FUNCTION people.digests, people.sealed_rows, people.files_due FROM PUBLIC;
GRANT EXECUTE ON FUNCTION people.digests, people.sealed_rows TO sabot_auditor;
GRANT USAGE ON SCHEMA people TO sabot_projector;
GRANT EXECUTE ON FUNCTION people.files_due TO sabot_auditor, sabot_projector;
