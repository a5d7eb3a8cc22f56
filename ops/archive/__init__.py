"""The record as files that outlive the database, and a ledger of its own made from them."""
