"""The board: the state of every open table and the alerts, as rows, lines and words."""
