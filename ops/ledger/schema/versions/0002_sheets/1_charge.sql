SET LOCAL ROLE sabot_owner;

-- The charge for an exact amount, as `domain.rules.money` rounds it (R-COM-3); now also down.
CREATE OR REPLACE FUNCTION projections.charge(
    exact numeric, mode text, unit bigint, minimum bigint)
RETURNS numeric LANGUAGE sql IMMUTABLE STRICT
RETURN CASE
    WHEN exact = 0 THEN 0
    WHEN mode = 'nearest' THEN greatest(floor(exact / unit + 0.5) * unit, minimum)
    WHEN mode = 'up' THEN greatest(ceil(exact / unit) * unit, minimum)
    WHEN mode = 'down' THEN greatest(floor(exact / unit) * unit, minimum)
    ELSE greatest(ceil(exact), minimum)
END;
