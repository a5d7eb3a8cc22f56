-- Every event and every command whole. Where a row should have nothing, what somebody put there belongs
-- to what is read, so that its hash finds it.

SET LOCAL ROLE sabot_owner;

CREATE VIEW ledger.events AS
SELECT e.originator_id, e.originator_version, e.topic,
       e.state || CASE WHEN e.form IS NULL THEN convert_to(coalesce(e.brief, ''), 'UTF8')
           ELSE coalesce((
               SELECT convert_to(ledger.whole(f.form, f.places,
                          ledger.long(e.brief, e.table_code, e.gaming_day)), 'UTF8')
                 FROM ledger.forms AS f WHERE f.number = e.form), '') END AS state,
       e.position, e.recorded_at, e.gaming_day, e.table_code, e.actor, e.command_id,
       CASE WHEN e.metadata_form IS NULL THEN e.metadata ELSE coalesce((
           SELECT ledger.whole(f.form, f.places, e.metadata)
             FROM ledger.forms AS f WHERE f.number = e.metadata_form), '') END AS metadata,
       e.hash
  FROM ledger.event_rows AS e;

CREATE VIEW ledger.commands AS
SELECT c.command_id, c.content,
       CASE WHEN c.form IS NULL THEN c.answer ELSE coalesce((
           SELECT ledger.whole(f.form, f.places, c.answer)
             FROM ledger.forms AS f WHERE f.number = c.form), '') END AS answer,
       c.sent_at, c.seal, c.first_position, c.last_position, c.recorded_at, c.number, c.hash
  FROM ledger.command_rows AS c;

-- Whoever changes what a view has changes the rows, which refuse it; its own rights are asked there.
CREATE FUNCTION ledger.change_event() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO ledger.event_rows
        VALUES (NEW.originator_id, NEW.originator_version, NEW.topic, NEW.state, NEW.position,
                NEW.recorded_at, NEW.gaming_day, NEW.table_code, NEW.actor, NEW.command_id,
                NEW.metadata, NEW.hash);
        RETURN NEW;
    ELSIF TG_OP = 'UPDATE' THEN
        UPDATE ledger.event_rows AS e
           SET originator_id = NEW.originator_id, originator_version = NEW.originator_version,
               topic = NEW.topic, state = NEW.state, position = NEW.position,
               recorded_at = NEW.recorded_at, gaming_day = NEW.gaming_day,
               table_code = NEW.table_code, actor = NEW.actor, command_id = NEW.command_id,
               metadata = NEW.metadata, hash = NEW.hash,
               brief = NULL, form = NULL, metadata_form = NULL
         WHERE e.originator_id = OLD.originator_id
           AND e.originator_version = OLD.originator_version;
        RETURN NEW;
    END IF;
    DELETE FROM ledger.event_rows AS e
     WHERE e.originator_id = OLD.originator_id AND e.originator_version = OLD.originator_version;
    RETURN OLD;
END
$$;
CREATE TRIGGER changes_rows INSTEAD OF INSERT OR UPDATE OR DELETE ON ledger.events
    FOR EACH ROW EXECUTE FUNCTION ledger.change_event();

CREATE FUNCTION ledger.change_command() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO ledger.command_rows
        VALUES (NEW.command_id, NEW.content, NEW.answer, NEW.sent_at, NEW.seal, NEW.first_position,
                NEW.last_position, NEW.recorded_at, NEW.number, NEW.hash);
        RETURN NEW;
    ELSIF TG_OP = 'UPDATE' THEN
        UPDATE ledger.command_rows AS c
           SET command_id = NEW.command_id, content = NEW.content, answer = NEW.answer,
               sent_at = NEW.sent_at, seal = NEW.seal, first_position = NEW.first_position,
               last_position = NEW.last_position, recorded_at = NEW.recorded_at,
               number = NEW.number, hash = NEW.hash, form = NULL
         WHERE c.command_id = OLD.command_id;
        RETURN NEW;
    END IF;
    DELETE FROM ledger.command_rows AS c WHERE c.command_id = OLD.command_id;
    RETURN OLD;
END
$$;
CREATE TRIGGER changes_rows INSTEAD OF INSERT OR UPDATE OR DELETE ON ledger.commands
    FOR EACH ROW EXECUTE FUNCTION ledger.change_command();

GRANT SELECT ON ledger.events, ledger.commands, ledger.forms
    TO sabot_app, sabot_projector, sabot_auditor;

-- What was made for the tables and reads what is whole only in the views.
CREATE OR REPLACE FUNCTION ledger.left_until() RETURNS bigint
LANGUAGE sql STABLE
RETURN (SELECT (convert_from(e.state, 'UTF8')::jsonb ->> 'events')::bigint
          FROM ledger.events AS e
         WHERE e.topic IN ('archiving.coups-left', 'archiving.coups-brought-back')
         ORDER BY e.position DESC LIMIT 1);

CREATE OR REPLACE VIEW analysis.events AS
SELECT position, (event ->> 'at')::timestamptz AS at, recorded_at, gaming_day, table_code, topic,
       actor, command_id, stream, version, event, metadata
  FROM (SELECT position, recorded_at, gaming_day, table_code, topic, actor, command_id,
               originator_id AS stream, originator_version AS version,
               convert_from(state, 'UTF8')::jsonb AS event, metadata::jsonb AS metadata
          FROM ledger.events) AS decoded;

REVOKE ALL ON FUNCTION ledger.learned, ledger.short, ledger.whole, ledger.long,
    ledger.change_event, ledger.change_command FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.whole, ledger.long
    TO sabot_app, sabot_projector, sabot_auditor, sabot_analyst;
