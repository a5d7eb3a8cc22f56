-- Bets after the first four cards (R-BET-8), which this version of the program records.

SET LOCAL ROLE sabot_owner;

INSERT INTO ledger.event_kinds VALUES
    ('coup.second-bets-closed'),
    ('coup.second-bets-opened');
