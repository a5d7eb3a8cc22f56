"""What may be said to the house, by whom, and the house that hears it.

`vocabulary` is every command with its fields; `authority` asks who may, `reader` who reads;
`casino` loads and saves what a command is about. Imports `ops.ledger` and `ops.words`.
"""
