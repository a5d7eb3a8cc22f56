"""From a line to its answer: `dispatcher` hears a line, and a handler says what it means.

A handler finds the aggregates that a command is about, lets them decide, and saves their events
together. Imports `ops.replay` and below.
"""
