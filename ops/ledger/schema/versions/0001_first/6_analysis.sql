-- What analysts read, under names that stay: here the events, how far rows have read them, and who
-- read what. The rows that reports are made of are in views that projections declare beside their
-- tables.
--
-- The comments are the documentation: `\d+ analysis.*` shows them, and so does `sabot db views`.
--
-- Money is bigint, in minor units; a name of somebody is not in here, only their number. A view
-- hides columns and no rows, so that a security barrier would protect nothing, and would keep
-- conditions from the indexes.
--
-- A view reads with its owner's rights, so that its readers need none on what is behind it.

SET LOCAL ROLE sabot_owner;

COMMENT ON SCHEMA analysis IS
    'What analysts read. Money is in minor units of the property''s currency.';

CREATE VIEW analysis.events AS
SELECT position, (event ->> 'at')::timestamptz AS at, recorded_at, gaming_day, table_code, topic,
       actor, command_id, stream, version, event, metadata
  FROM (SELECT position, recorded_at, gaming_day, table_code, topic, actor, command_id,
               originator_id AS stream, originator_version AS version,
               convert_from(state, 'UTF8')::jsonb AS event, metadata::jsonb AS metadata
          FROM ledger.events) AS told;
COMMENT ON VIEW analysis.events IS
    'Every event of the ledger, in the one order in which it was recorded. One row an event.';
COMMENT ON COLUMN analysis.events.position IS 'Its place in the one order of the whole ledger, from 1, without a gap.';
COMMENT ON COLUMN analysis.events.at IS 'When it happened, as the table says.';
COMMENT ON COLUMN analysis.events.recorded_at IS 'When it was recorded; never runs backwards.';
COMMENT ON COLUMN analysis.events.gaming_day IS 'The gaming day that it belongs to.';
COMMENT ON COLUMN analysis.events.table_code IS 'The table that it belongs to; empty for the events of the house.';
COMMENT ON COLUMN analysis.events.topic IS 'What kind of event it is, as in coup.card-dealt.';
COMMENT ON COLUMN analysis.events.actor IS 'The number of whoever did it; empty when nobody said.';
COMMENT ON COLUMN analysis.events.command_id IS 'The command whose event it is; one command may tell several.';
COMMENT ON COLUMN analysis.events.stream IS 'Which thing it is an event of: a coup, a shoe, a table day, …';
COMMENT ON COLUMN analysis.events.version IS 'Its place among the events of that thing, from 1.';
COMMENT ON COLUMN analysis.events.event IS 'The event as it was stored: its own fields, at, and class_version where there were older forms.';
COMMENT ON COLUMN analysis.events.metadata IS 'What else is known of the command: second person, mouth, device, late, version of the program.';

CREATE VIEW analysis.progress AS
SELECT projection, position,
       (SELECT coalesce(max(events.position), 0) FROM ledger.events) - position AS behind
  FROM projections.progress;
COMMENT ON VIEW analysis.progress IS
    'How far the rows behind the other views have read the ledger. Keep `sabot projections run` at work, or they are as old as the last report that was asked for.';
COMMENT ON COLUMN analysis.progress.projection IS 'The rows that it is about.';
COMMENT ON COLUMN analysis.progress.position IS 'The position up to which they are true.';
COMMENT ON COLUMN analysis.progress.behind IS 'How many events were recorded since.';

CREATE VIEW analysis.readings AS
SELECT n, at, gaming_day, who, login, machine, command, how, patron, table_code, shoe, coup,
       case_number, first_day, last_day, as_of, refused
  FROM ledger.readings;
COMMENT ON VIEW analysis.readings IS
    'Who read or exported what, on whom. One row a command, in no chain and in no event.';
COMMENT ON COLUMN analysis.readings.n IS 'Its number, in the order in which they were recorded.';
COMMENT ON COLUMN analysis.readings.at IS 'When it was read, by the server''s clock; a live screen when it was opened.';
COMMENT ON COLUMN analysis.readings.gaming_day IS 'The gaming day on which it was read.';
COMMENT ON COLUMN analysis.readings.who IS 'The staff number, or the database login that read as itself; empty when nobody was signed on in open house.';
COMMENT ON COLUMN analysis.readings.login IS 'The database login.';
COMMENT ON COLUMN analysis.readings.machine IS 'The machine on which it was asked for.';
COMMENT ON COLUMN analysis.readings.command IS 'The command, as in report wagers.';
COMMENT ON COLUMN analysis.readings.how IS 'screen, json, csv, pdf, or export for files with a manifest, and for packs.';
COMMENT ON COLUMN analysis.readings.patron IS 'The patron to whom it was narrowed; null for none.';
COMMENT ON COLUMN analysis.readings.table_code IS 'The table to which it was narrowed; null for none.';
COMMENT ON COLUMN analysis.readings.shoe IS 'The shoe to which it was narrowed; null for none.';
COMMENT ON COLUMN analysis.readings.coup IS 'The coup that was read; null for none.';
COMMENT ON COLUMN analysis.readings.case_number IS 'The case that was read; null for none.';
COMMENT ON COLUMN analysis.readings.first_day IS 'The first gaming day that was asked for; null for all.';
COMMENT ON COLUMN analysis.readings.last_day IS 'The last gaming day that was asked for; null for all.';
COMMENT ON COLUMN analysis.readings.as_of IS 'The moment whose record was asked for; null for now.';
COMMENT ON COLUMN analysis.readings.refused IS 'Why nothing was read, as in NotPermitted; null when it was.';

GRANT SELECT ON ALL TABLES IN SCHEMA analysis TO sabot_auditor, sabot_analyst;
ALTER DEFAULT PRIVILEGES IN SCHEMA analysis
    GRANT SELECT ON TABLES TO sabot_auditor, sabot_analyst;
