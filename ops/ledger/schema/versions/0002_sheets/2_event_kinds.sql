-- Meters of spots (R-PROG-1), which this version of the program records.

SET LOCAL ROLE sabot_owner;

INSERT INTO ledger.event_kinds VALUES
    ('coup.meter-followed'),
    ('meter-day.meter-moved'),
    ('meter-day.opened'),
    ('meter.day-begun'),
    ('meter.placed');
