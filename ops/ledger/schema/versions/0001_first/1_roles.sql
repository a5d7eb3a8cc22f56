-- Who may do what is settled in the database, and not by the application: the roles under which
-- Sabot works, and the schemas that their owner alone may change.

-- Roles belong to the server and not to one database, so they may be there already.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY[
        'sabot_owner', 'sabot_app', 'sabot_projector', 'sabot_auditor', 'sabot_analyst']
    LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL;  -- another database of this server was quicker
            END;
        END IF;
        IF NOT pg_has_role(current_user, wanted, 'USAGE') THEN
            EXECUTE format('GRANT %I TO %I', wanted, current_user);
        END IF;
    END LOOP;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT SELECT ON public.schema_version TO PUBLIC;

CREATE SCHEMA ledger AUTHORIZATION sabot_owner;       -- what was recorded
CREATE SCHEMA locks AUTHORIZATION sabot_owner;        -- what the owner's functions lock
CREATE SCHEMA people AUTHORIZATION sabot_owner;       -- names, and what proves a PIN
CREATE SCHEMA sealed AUTHORIZATION sabot_owner;       -- orders of generated shoes
CREATE SCHEMA projections AUTHORIZATION sabot_owner;  -- what people read
CREATE SCHEMA beside AUTHORIZATION sabot_owner;       -- where that is grown anew
CREATE SCHEMA outgoing AUTHORIZATION sabot_owner;     -- what was replaced, for a moment
CREATE SCHEMA analysis AUTHORIZATION sabot_owner;     -- what analysts read

SET LOCAL ROLE sabot_owner;
GRANT USAGE ON SCHEMA ledger, projections TO sabot_app, sabot_projector, sabot_auditor;
GRANT USAGE ON SCHEMA people, sealed TO sabot_app;
GRANT USAGE ON SCHEMA beside TO sabot_projector;
GRANT USAGE ON SCHEMA analysis TO sabot_auditor, sabot_analyst;
