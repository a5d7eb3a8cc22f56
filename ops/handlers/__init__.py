"""From a line to its answer: `dispatcher` hears a line, and a handler says what it means.

Each command has one function, which `@handles` it, in one file a noun. A function gets the
`desk`, which finds what the command is about; the aggregates decide, and refuse or state events;
the dispatcher saves them together with the answer. Imports `ops.pack` and below.
"""
