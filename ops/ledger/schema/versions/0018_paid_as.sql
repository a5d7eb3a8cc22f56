-- The spot on which it lies; until now no other wager was paid as Banker.
ALTER TABLE projections.banker_wins ADD COLUMN spot text NOT NULL DEFAULT 'banker';
ALTER TABLE projections.banker_wins ALTER COLUMN spot DROP DEFAULT;
COMMENT ON COLUMN analysis.voids.original IS 'The coup, the wager (and as what it was paid), the stay or the slip.';
