"""Coups, cases and shoes rebuilt from the ledger alone, as JSON and as pages.

`story` rebuilds a coup, `coup_story` has its JSON fields; `readjudicate` judges a range of coups by
today's rules, `what_if` answers questions about another course of a coup; the modules named `page`
show these. Imports `ops.reports` and below.
"""
