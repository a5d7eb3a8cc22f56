SET LOCAL ROLE sabot_owner;

-- The charge for an exact amount, as `domain.rules.money` rounds it (R-COM-3); now also down. It is
-- not STRICT, so that PostgreSQL puts it into a query: a call for each of many wins takes seconds.
CREATE OR REPLACE FUNCTION projections.charge(
    exact numeric, mode text, unit bigint, minimum bigint)
RETURNS numeric LANGUAGE sql IMMUTABLE
RETURN CASE
    WHEN exact IS NULL OR mode IS NULL OR unit IS NULL OR minimum IS NULL THEN NULL
    WHEN exact = 0 THEN 0
    WHEN mode = 'nearest' THEN greatest(floor(exact / unit + 0.5) * unit, minimum)
    WHEN mode = 'up' THEN greatest(ceil(exact / unit) * unit, minimum)
    WHEN mode = 'down' THEN greatest(floor(exact / unit) * unit, minimum)
    ELSE greatest(ceil(exact), minimum)
END;
