"""The record itself: how it was verified and signed, audits of days, the programs that ran."""
