"""What a coup would have come to if one thing had been otherwise.

`parse` reads what is asked (`changes`); `question` answers it, with `wagers` that lie otherwise,
cards that are dealt again (`redeal`, `misdraw`) and the `later` coups of the shoe; `notes` says
what is to be said beside the answer.
"""
