"""From a line to its answer: `dispatcher` takes a line and calls the handler of its command.

Each command has one function, marked with `@handles`, in its noun's file. The function gets a
`desk`, which loads what the command is about. The aggregates decide: they refuse, or record
events, which the dispatcher saves together with the answer. Imports `ops.pack` and below.
"""
