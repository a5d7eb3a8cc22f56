"""Levels of game protection: how seldom chance must do as much before a question makes a row.

The house may set each anew, by two people (`property level`). A level of 10,000: by chance alone a
row comes in at most one of 10,000 shoes, patrons, or dealers.
"""

NEW_DECK, EARLIER_SHOE = "new deck", "earlier shoe"
CLUMP, NOT_WHOLE = "cards clump", "not whole decks"
RIGHT, COUNTS, FIRST_CARD = "patron right", "patron counts", "first card"
LATE_BETS, LATE_WINS = "late bets", "late wins"
TOGETHER = "patrons together"
TRAY_SHORT, DEALER_LOSES, WINS_WITH = "tray short", "dealer loses", "wins with dealer"
OF_CARDS = (NEW_DECK, EARLIER_SHOE, CLUMP, NOT_WHOLE)
OF_PATRONS = (RIGHT, COUNTS, FIRST_CARD, LATE_BETS, LATE_WINS, TOGETHER)
OF_DEALERS = (TRAY_SHORT, DEALER_LOSES, WINS_WITH)
QUESTIONS = (*OF_CARDS, *OF_PATRONS, *OF_DEALERS)
SELDOM = 10_000  # of a house that set no level
# Of those whom the reports name that compare people, one of so many is chance.
COMPARED, ONE_OF_THE_NAMED = "compared", 100
LEAST, MOST = 100, 10**12
