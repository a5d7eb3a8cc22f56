"""Runs a command and makes its answer: `dispatcher` reads a line and calls its handler.

Each command has one function, marked with `@handles`, in its noun's file. The function gets a
`desk`, which loads what the command is about. The aggregates decide: they refuse, or record
events, which the dispatcher saves together with the answer.
"""
