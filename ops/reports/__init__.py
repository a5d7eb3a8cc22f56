"""Reports: computes the projections' rows, answers questions from them, prints and exports them.

`runner` feeds projections and `rebuild` computes them again; `ask` answers a report's question at a
moment (`moments`); `table`, `paper` and `export` show the answer. Imports `ops.commands` and below.
"""
