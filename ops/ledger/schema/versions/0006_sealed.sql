-- What nobody may know before it is dealt: the orders of generated shoes, encrypted under a key
-- that is in no database. A row goes when its shoe has ended and the record tells the order.

CREATE SCHEMA sealed AUTHORIZATION sabot_owner;
GRANT USAGE ON SCHEMA sealed TO sabot_app;

CREATE TABLE sealed.orders (
    shoe   text  NOT NULL PRIMARY KEY,
    sealed bytea NOT NULL
);

ALTER TABLE sealed.orders OWNER TO sabot_owner;
GRANT SELECT, INSERT, DELETE ON sealed.orders TO sabot_app;
