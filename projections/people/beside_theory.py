"""What patrons won from the house, by spot, for the reports that compare dealers and patrons."""

# What a wager won for the patron after commission, less what it lost; commission that is rounded
# when it is collected counts exactly.
WON = """paid - stake - CASE WHEN commission_due = 'deferred'
            THEN coalesce(commission_exact::numeric, 0) ELSE 0 END"""

DECKS = "(SELECT shoe, decks FROM protected_shoes) AS packs"


def results_by(*whose: str) -> str:
    """Common table expressions: `results` has `summed` of each person, or pair of them.

    They read `made`: of each settled wager whose it is, coup, rules, decks, spot, stake and won.
    """
    keys = ", ".join(whose)
    dealt = "rules, decks"
    return f"""on_spots AS (
    SELECT {keys}, coup, {dealt}, spot, sum(stake) AS stake, sum(won) AS won
      FROM made GROUP BY {keys}, coup, {dealt}, spot
), by_spot AS (
    SELECT {keys}, {dealt}, spot, sum(stake) AS handle, sum(won) AS won, max(stake) AS largest
      FROM on_spots GROUP BY {keys}, {dealt}, spot
), on_coups AS (
    SELECT {keys}, {dealt}, array_agg(spot) AS those, array_agg(stake) AS stakes
      FROM on_spots GROUP BY {keys}, coup, {dealt}
), by_pair AS (  -- not joined by coup: without statistics that would be each row with all others
    SELECT {keys}, {dealt}, one.spot, two.spot AS other, sum(one.stake * two.stake) AS product
      FROM on_coups, unnest(those, stakes) AS one (spot, stake),
           unnest(those, stakes) AS two (spot, stake)
     WHERE one.spot COLLATE "C" <= two.spot COLLATE "C"
     GROUP BY {keys}, {dealt}, one.spot, two.spot
), spots AS (
    SELECT {keys}, jsonb_agg(jsonb_build_object(
               'rules', rules, 'decks', decks, 'spot', spot, 'handle', handle,
               'won', won::text, 'largest', largest)
               ORDER BY rules COLLATE "C", decks, spot COLLATE "C") AS spots
      FROM by_spot GROUP BY {keys}
), products AS (
    SELECT {keys}, jsonb_agg(jsonb_build_object(
               'rules', rules, 'decks', decks, 'spot', spot, 'other', other, 'product', product)
               ORDER BY rules COLLATE "C", decks, spot COLLATE "C", other COLLATE "C") AS products
      FROM by_pair GROUP BY {keys}
), results AS (
    SELECT {keys}, jsonb_build_object('spots', spots, 'stakes', products) AS summed
      FROM spots JOIN products USING ({keys})
)"""  # noqa: S608
