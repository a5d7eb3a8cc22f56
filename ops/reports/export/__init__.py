"""Rows as files for other programs, with a manifest: a report's rows, or the ledger's events."""
