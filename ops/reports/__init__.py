"""Computes the rows of projections, answers a report's question, prints and exports the answer.

`runner` feeds projections and `rebuild` computes rows again; `ask` answers a report's question at a
moment (`moments`); `table`, `paper` and `export` show it.
"""
