"""The result of a coup if something had been different.

`parse` reads the `changes` that are asked about; `question` answers, with other `wagers`, cards
dealt again (`redeal`, `misdraw`) and the `later` coups of the shoe; `notes` explains the answer.
"""
