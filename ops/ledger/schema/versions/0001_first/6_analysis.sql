-- The views for analysts, whose names and columns do not change: here events, progress and
-- readings. The views of reports' rows are declared by the projections, beside their tables.
--
-- The comments are the documentation: `\d+ analysis.*` and `sabot db views` show them.
--
-- Money is bigint, in minor units. No person's name is in here, only numbers. A view hides columns,
-- not rows, so a security barrier would protect nothing and would keep conditions from the indexes.
--
-- A view reads with its owner's rights, so that its readers need no rights on the tables.

SET LOCAL ROLE sabot_owner;

COMMENT ON SCHEMA analysis IS
    'Views for analysts. Money is in minor units of the property''s currency.';

CREATE VIEW analysis.events AS
SELECT position, (event ->> 'at')::timestamptz AS at, recorded_at, gaming_day, table_code, topic,
       actor, command_id, stream, version, event, metadata
  FROM (SELECT position, recorded_at, gaming_day, table_code, topic, actor, command_id,
               originator_id AS stream, originator_version AS version,
               convert_from(state, 'UTF8')::jsonb AS event, metadata::jsonb AS metadata
          FROM ledger.events) AS decoded;
COMMENT ON VIEW analysis.events IS
    'Every event of the ledger, in the order in which it was recorded. One row for each event.';
COMMENT ON COLUMN analysis.events.position IS 'The event''s place in the whole ledger, from 1, without gaps.';
COMMENT ON COLUMN analysis.events.at IS 'When it happened.';
COMMENT ON COLUMN analysis.events.recorded_at IS 'When it was recorded, by the server''s clock; never earlier than the event before.';
COMMENT ON COLUMN analysis.events.gaming_day IS 'The gaming day that it belongs to.';
COMMENT ON COLUMN analysis.events.table_code IS 'The table that it belongs to; empty for events of the house.';
COMMENT ON COLUMN analysis.events.topic IS 'The type of event, as in coup.card-dealt.';
COMMENT ON COLUMN analysis.events.actor IS 'The staff number of whoever gave the command; empty if none was given.';
COMMENT ON COLUMN analysis.events.command_id IS 'The id of its command; one command may have several events.';
COMMENT ON COLUMN analysis.events.stream IS 'The id of the coup, shoe, table day, … that it is an event of.';
COMMENT ON COLUMN analysis.events.version IS 'Its place among the events of that stream, from 1.';
COMMENT ON COLUMN analysis.events.event IS 'The event as it was stored, in JSON: its fields, at, and class_version if there are older versions.';
COMMENT ON COLUMN analysis.events.metadata IS 'More about the command, in JSON: second person (with), channel (mouth), device, late, program version (app).';

CREATE VIEW analysis.progress AS
SELECT projection, position,
       (SELECT coalesce(max(events.position), 0) FROM ledger.events) - position AS behind
  FROM projections.progress;
COMMENT ON VIEW analysis.progress IS
    'How far the projections behind the other views have read the ledger. They are as current as the last report, unless `sabot projections run` keeps them up to date. One row for each projection.';
COMMENT ON COLUMN analysis.progress.projection IS 'The projection.';
COMMENT ON COLUMN analysis.progress.position IS 'The position of the last event that it has read.';
COMMENT ON COLUMN analysis.progress.behind IS 'How many events it has not read yet.';

CREATE VIEW analysis.readings AS
SELECT n, at, gaming_day, who, login, machine, command, how, patron, table_code, shoe, coup,
       case_number, first_day, last_day, as_of, refused
  FROM ledger.readings;
COMMENT ON VIEW analysis.readings IS
    'Who read or exported what, and about whom. One row for each command; these rows are not events and not in the chain of hashes.';
COMMENT ON COLUMN analysis.readings.n IS 'The row''s number, in the order of recording.';
COMMENT ON COLUMN analysis.readings.at IS 'When it was read, by the server''s clock; for a live screen, when it was opened.';
COMMENT ON COLUMN analysis.readings.gaming_day IS 'The gaming day on which it was read.';
COMMENT ON COLUMN analysis.readings.who IS 'The staff number, or the name of a database login of its own; empty if nobody was signed on in open house.';
COMMENT ON COLUMN analysis.readings.login IS 'The database login.';
COMMENT ON COLUMN analysis.readings.machine IS 'The machine on which the command was given.';
COMMENT ON COLUMN analysis.readings.command IS 'The command, as in report wagers.';
COMMENT ON COLUMN analysis.readings.how IS 'The form: screen, json, csv or pdf; export for files with a manifest and for packs.';
COMMENT ON COLUMN analysis.readings.patron IS 'The patron it was limited to; null for none.';
COMMENT ON COLUMN analysis.readings.table_code IS 'The table it was limited to; null for none.';
COMMENT ON COLUMN analysis.readings.shoe IS 'The shoe it was limited to; null for none.';
COMMENT ON COLUMN analysis.readings.coup IS 'The coup that was read; null for none.';
COMMENT ON COLUMN analysis.readings.case_number IS 'The case that was read; null for none.';
COMMENT ON COLUMN analysis.readings.first_day IS 'The first gaming day that was asked for; null for no limit.';
COMMENT ON COLUMN analysis.readings.last_day IS 'The last gaming day that was asked for; null for no limit.';
COMMENT ON COLUMN analysis.readings.as_of IS 'The moment for which the record was asked; null for now.';
COMMENT ON COLUMN analysis.readings.refused IS 'The name of the refusal, as in NotPermitted; null if it was not refused.';

GRANT SELECT ON ALL TABLES IN SCHEMA analysis TO sabot_auditor, sabot_analyst;
ALTER DEFAULT PRIVILEGES IN SCHEMA analysis
    GRANT SELECT ON TABLES TO sabot_auditor, sabot_analyst;
