-- A copy: a database whose ledger comes from another one, by a subscription. An event that was
-- recorded there would not be on record in the house, and would end the subscription.

SET LOCAL ROLE sabot_owner;

-- The subscription that fills a table; NULL: none does. What it applies fires no trigger below.
CREATE FUNCTION ledger.copied_by(copied regclass) RETURNS name
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
RETURN (SELECT s.subname FROM pg_subscription_rel r JOIN pg_subscription s ON s.oid = r.srsubid
         WHERE r.srrelid = copied ORDER BY s.subname LIMIT 1);

CREATE FUNCTION ledger.refuse_on_copy() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF ledger.copied_by(TG_RELID) IS NOT NULL THEN
        RAISE read_only_sql_transaction USING
            MESSAGE = 'this database is a copy, from which you can only read';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER not_on_a_copy BEFORE INSERT ON ledger.events
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_on_copy();
CREATE TRIGGER not_on_a_copy BEFORE INSERT ON ledger.commands
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_on_copy();

-- A copy notes no reading among those of the house, as a standby notes none.
CREATE FUNCTION ledger.omit_on_copy() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN CASE WHEN ledger.copied_by(TG_RELID) IS NULL THEN NEW END;
END
$$;
CREATE TRIGGER not_on_a_copy BEFORE INSERT ON ledger.readings
    FOR EACH ROW EXECUTE FUNCTION ledger.omit_on_copy();

REVOKE ALL ON FUNCTION ledger.copied_by, ledger.refuse_on_copy, ledger.omit_on_copy FROM PUBLIC;
