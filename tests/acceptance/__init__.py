"""Sabot from the outside: lines and words in, answers, reports and replays out."""
