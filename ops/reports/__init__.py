"""The read side at work: grows the projections' rows, asks them, shows and exports the answer.

`runner` feeds projections and `rebuild` grows them anew; `ask` answers a report's question at a
moment (`moments`); `table`, `paper` and `export` show it. Imports `ops.commands` and below.
"""
