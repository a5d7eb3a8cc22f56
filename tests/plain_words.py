"""Words that make a reader stop: what is written for people does without them.

One list for every text: messages, help, columns, the manual. A word is here because it was read as
a riddle; where the trade uses it in its own sense, that sense is among the exceptions.

>>> riddles("What was told stands as it is kept."), riddles("Player stands on 6 and 7.")
(['told', 'stands'], [])
>>> riddles("`dispute tell` records it."), sentences("No more bets. Next: `s` settles.")
([], 2)
"""

import re

RIDDLES = (
    # verbs without their subject or their object
    *("told", "tells", "untold", "said", "unsaid", "says nothing", "stands", "lies"),
    *("kept", "keeps to", "hears", "heard", "found", "mended", "mends", "mend", "reckoned"),
    *("reckons", "reckon", "let off", "let go", "lets go", "goes along", "is gone", "are gone"),
    "tell the patron",  # inform, wherever it is meant
    *("stays untold", "is due to hear", "may stand", "may lie", "would lie", "turn to the"),
    # words for people and things that are somebody or something else
    *("mouth", "mouths", "nobody's word", "whoever says", "who says this", "a mouth"),
    # turns of phrase
    *("in earnest", "otherwise", "after all", "so far as", "as far as", "as it stands"),
    *("as they stand", "as it lies", "as they lie", "by now", "no more", "any more", "of old"),
    *("what became of", "what has become of", "for its sake", "for want of", "what lay"),
    *("ought", "hence", "thereof", "nought", "nay", "unheard", "shall"),
)
# Senses that the floor, or plain English, has for one of them.
PLAIN = (
    r"(?:Player|Banker|both hands|hand|it|and|or) stands?\b(?= on| with|,|\.|$)",
    r"stands on \d",
    r"\bno more (?:bets?|coups?|cards?|than)\b",
    r"\b(?:not|be|is|are|was|were|wager|card) found\b",
    r"\b(?:is|are|be|must be) kept\b",
    r"\bno more$",  # a key of the dealer's terminal
    r"\btold apart\b",  # of two names that look the same
    r"\border untold\b",  # a kind of exception, as the record has it
    r"\bdraws or stands\b",
    r"\bS stands\b",  # in the tableau
    r"\bthe payment stands\b",  # an effect, as the record has it
    r"\bfound (?:face up|after|at|during)\b",
    r"\bkept beside\b",
    r"-found-",
    r"\bany more (?:cards?|coups?|bets?)\b",
)
_RIDDLE = re.compile(
    rf"\b(?:{'|'.join(map(re.escape, sorted(RIDDLES, key=len, reverse=True)))})\b", re.I
)
_PLAIN = re.compile("|".join(PLAIN), re.I)
_TYPED = re.compile(r"`[^`]*`|```.*?```", re.S)
# A full stop that ends no sentence: in an abbreviation, a number, or a name.
_ENDS = re.compile(r"[.?!](?=\s+[A-Z{`\"'(]|$)")
_ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|No|vs|etc)\.")


def riddles(text: str) -> list[str]:
    """The words of a text that make a reader stop; what is typed is not read."""
    read = _PLAIN.sub(" ", _TYPED.sub(" ", text))
    return [each.lower() for each in _RIDDLE.findall(read)]


def sentences(text: str) -> int:
    """How many sentences a text has."""
    read = _ABBREVIATIONS.sub("", _TYPED.sub("`x`", text)).strip()
    return max(1, len(_ENDS.findall(read)) + (not read.endswith((".", "?", "!"))))
