-- The roles with which Sabot works, and the schemas, which only their owner may change. The
-- database itself decides who may do what, not the application.

-- Roles belong to the server, not to one database, so they may exist already.
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
                NULL;  -- another database of this server made it at the same time
            END;
        END IF;
        IF NOT pg_has_role(current_user, wanted, 'USAGE') THEN
            EXECUTE format('GRANT %I TO %I', wanted, current_user);
        END IF;
    END LOOP;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
-- What the upgrade made, object by object; `sabot db status` compares what is there now.
CREATE TABLE public.schema_objects (
    kind       text NOT NULL,
    name       text NOT NULL,
    definition text NOT NULL,
    PRIMARY KEY (kind, name)
);
GRANT SELECT ON public.schema_version, public.schema_objects TO PUBLIC;
-- Whoever owns the schema may upgrade it, whoever made it.
GRANT ALL ON public.schema_version, public.schema_objects TO sabot_owner;

CREATE SCHEMA ledger AUTHORIZATION sabot_owner;       -- events, and the answers to commands
CREATE SCHEMA locks AUTHORIZATION sabot_owner;        -- tables that exist to be locked
CREATE SCHEMA people AUTHORIZATION sabot_owner;       -- names, and hashes of PINs
CREATE SCHEMA sealed AUTHORIZATION sabot_owner;       -- card orders of generated shoes
CREATE SCHEMA projections AUTHORIZATION sabot_owner;  -- rows that reports are made of
CREATE SCHEMA beside AUTHORIZATION sabot_owner;       -- rows being rebuilt
CREATE SCHEMA outgoing AUTHORIZATION sabot_owner;     -- rows just replaced, before they are dropped
CREATE SCHEMA analysis AUTHORIZATION sabot_owner;     -- views for analysts

SET LOCAL ROLE sabot_owner;
GRANT USAGE ON SCHEMA ledger, projections TO sabot_app, sabot_projector, sabot_auditor;
GRANT USAGE ON SCHEMA people, sealed TO sabot_app;
GRANT USAGE ON SCHEMA beside TO sabot_projector;
GRANT USAGE ON SCHEMA analysis TO sabot_auditor, sabot_analyst;
