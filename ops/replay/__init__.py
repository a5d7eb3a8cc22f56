"""Coups, cases and shoes rebuilt from the ledger alone, as JSON and as pages.

`story` rebuilds a coup, `coup_story` has its fields as `--json` prints them; `readjudicate` judges
a range of them by today's rules, `what_if` answers what would have been; the modules named `page`
show them.
"""
