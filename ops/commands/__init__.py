"""What may be said to the house, by whom, and the house that hears it.

One file a noun declares its commands; `vocabulary` has them by their words on the feed, and `read`
makes one of a line. `authority` asks who may, `reader` who reads; `casino` loads and saves what a
command is about. Imports `ops.ledger` and `ops.words`.
"""
