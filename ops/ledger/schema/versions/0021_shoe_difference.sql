-- How many cards a shoe lacked when it was counted, and that this is an exception.
ALTER TABLE projections.shoes ADD COLUMN difference bigint;  -- NULL: not counted; below 0: too many
CREATE OR REPLACE VIEW analysis.shoes AS
SELECT shoe, table_code, gaming_day, decks, serials, batch, colour, inspected_by, verified_by,
       shuffle_method, shuffle_device, cut_by, cut_card, burn_card, burned, first_coup, last_coup,
       coups, drawn, discarded, remaining, ended_why, first_position AS position, difference
  FROM projections.shoes;
COMMENT ON COLUMN analysis.shoes.difference IS
    'How many cards were missing when it was counted; less than 0: too many; null: not counted.';
DELETE FROM projections.shoes;
DELETE FROM projections.shoe_cards;
DELETE FROM projections.exceptions;
DELETE FROM projections.alerts;
DELETE FROM projections.alert_places;
DELETE FROM projections.progress WHERE projection IN ('shoes', 'exceptions', 'alerts');
