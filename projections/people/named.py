"""Of those whom a report that compares people names, one of how many is chance: the level."""

from domain.rules.protection_levels import COMPARED, ONE_OF_THE_NAMED

# An SQL expression, for a report that reads the projection `protection`.
ONE_IN = f"""coalesce((SELECT one_in FROM protection_levels
                        WHERE question = '{COMPARED}'), {ONE_OF_THE_NAMED})"""  # noqa: S608
