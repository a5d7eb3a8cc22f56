-- Smaller indexes: a command's id is found by a hash of four bytes, however long it is, and is still
-- there once only; what is numbered as it comes fills its pages.

SET LOCAL ROLE sabot_owner;

ALTER TABLE ledger.command_rows REPLICA IDENTITY USING INDEX commands_number;
ALTER TABLE ledger.command_rows
    DROP CONSTRAINT commands_pkey,
    ADD CONSTRAINT commands_ids EXCLUDE USING hash (command_id WITH =);
ALTER INDEX ledger.events_position SET (fillfactor = 100);
ALTER INDEX ledger.commands_number SET (fillfactor = 100);
