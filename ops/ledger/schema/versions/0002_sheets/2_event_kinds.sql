-- Meters of spots (R-PROG-1) and cards burned between coups (R-SHOE-6).

SET LOCAL ROLE sabot_owner;

INSERT INTO ledger.event_kinds VALUES
    ('coup.meter-followed'),
    ('form-book.jackpot-form-issued'),
    ('meter-day.meter-moved'),
    ('meter-day.opened'),
    ('meter.day-begun'),
    ('meter.placed'),
    ('shoe.burn-left-out'),
    ('shoe.burned-between');
