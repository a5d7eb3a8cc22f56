"""Keeps the ledger and its home elsewhere, encrypted, and brings them back."""
