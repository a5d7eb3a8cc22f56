-- What is read of shoes: the life of each, and every card of it.

CREATE TABLE projections.shoes (
    shoe           text    NOT NULL PRIMARY KEY,
    table_code     text    NOT NULL,
    gaming_day     date    NOT NULL,
    decks          int     NOT NULL,
    serials        jsonb   NOT NULL,
    batch          text,
    colour         text,
    inspected_by   text,
    verified_by    text,
    shuffle_method text,
    shuffle_device text,
    cut_by         text,
    cut_card       int,
    burn_card      text,
    face_down      int     NOT NULL DEFAULT 0,     -- burned and not shown
    burned         int     NOT NULL DEFAULT 0,     -- all that was, those among them
    first_coup     text,
    last_coup      text,
    coups          int     NOT NULL DEFAULT 0,
    drawn          int     NOT NULL DEFAULT 0,     -- carried ones too, when they left the shoe
    discarded      int     NOT NULL DEFAULT 0,     -- foreign ones were never the shoe's
    remaining      int,                            -- NULL: not ended; then as counted
    ended_why      text,
    rest_named     boolean NOT NULL DEFAULT false, -- whether the remaining cards are known
    burns_named    boolean NOT NULL DEFAULT true,  -- whether those burned face down are
    first_position bigint  NOT NULL
);

CREATE TABLE projections.shoe_cards (
    shoe      text NOT NULL,
    card      text NOT NULL,
    place     int  NOT NULL,                       -- in a new deck
    drawn     int  NOT NULL DEFAULT 0,
    burned    int  NOT NULL DEFAULT 0,
    discarded int  NOT NULL DEFAULT 0,
    remaining int  NOT NULL DEFAULT 0,
    PRIMARY KEY (shoe, card)
);

ALTER TABLE projections.shoes OWNER TO sabot_owner;
ALTER TABLE projections.shoe_cards OWNER TO sabot_owner;
GRANT SELECT ON projections.shoes, projections.shoe_cards TO sabot_app, sabot_auditor;
GRANT SELECT, INSERT, UPDATE, DELETE ON projections.shoes, projections.shoe_cards
    TO sabot_projector;
