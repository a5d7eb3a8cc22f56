"""PINs: which are too weak, and how many wrong ones a number or a place may type.

>>> weakness("471108", "D-204", least=6), weakness("0815", "D-204", least=4)
(None, None)
>>> weakness("0815", "S-11", least=6)
'shorter than 6 digits'
>>> weakness("471234", "S-11", least=6)
'easy to guess, because of 1234'
"""

from itertools import pairwise

from domain.rules.wording import Words

WRONG_PINS = 10  # in a row at all places; then an administrator must enrol the number again
WRONG_HERE = 3  # at one place, which then has to wait
SHORTEST_PIN = 4
LONGEST_PIN = 32
LONG_PINS = 6  # default of the setting `pin_digits`, for roles that decide about money or rights
HOW_LONG = Words(
    "{long} digits or more; dealers and security {short} or more",
    long=LONG_PINS,
    short=SHORTEST_PIN,
)
_SHORT_IS_ENOUGH = ("dealer", "security")
_WAIT, _LONGEST_WAIT = 30, 15 * 60  # seconds


def least_digits(role: str, long: int) -> int:
    """The fewest digits of a PIN in this role; `long` is the house's setting."""
    return SHORTEST_PIN if role in _SHORT_IS_ENOUGH else long


def seconds_to_wait(wrong: int) -> int:
    """The seconds that a place waits after so many wrong PINs; each one more doubles them.

    >>> [seconds_to_wait(wrong) for wrong in (0, 2, 3, 4, 5, 99)]
    [0, 0, 30, 60, 120, 900]
    """
    if wrong < WRONG_HERE:
        return 0
    return min(_WAIT << min(wrong - WRONG_HERE, 10), _LONGEST_WAIT)


def is_pin(typed: str) -> bool:
    """Whether the text has only digits, as many as a PIN may have."""
    return typed.isascii() and typed.isdecimal() and SHORTEST_PIN <= len(typed) <= LONGEST_PIN


def may_be_pin(typed: str) -> bool:
    """Whether a text is as many digits alone as a PIN may have; no line of a table is.

    >>> may_be_pin("4711"), may_be_pin("3 b 500"), may_be_pin("471")
    (True, False, False)
    """
    return is_pin(typed.strip())


def weakness(pin: str, staff: str, least: int) -> Words | None:
    """Why a staff number may not choose this PIN, or None if it may."""
    if not is_pin(pin):
        return Words("not {least} to {most} digits", least=SHORTEST_PIN, most=LONGEST_PIN)
    if len(pin) < least:
        return Words("shorter than {least} digits", least=least)
    return _easy(pin) or _in_number(pin, staff)


def _easy(pin: str) -> Words | None:
    """Why a PIN is easy to guess, or None: a run of four digits, or a few digits repeated."""
    for begins in range(len(pin) - 3):
        four = pin[begins : begins + 4]
        steps = {(int(b) - int(a)) % 10 for a, b in pairwise(four)}
        if steps in ({0}, {1}, {9}):
            return Words("easy to guess, because of {digits}", digits=four)
    if any(pin == pin[:size] * (len(pin) // size) for size in range(1, len(pin) // 2 + 1)):
        return Words("easy to guess, because it repeats itself")
    return None


def _in_number(pin: str, staff: str) -> Words | None:
    """Why a PIN is too close to the staff number, or None."""
    digits = "".join(each for each in staff if each.isascii() and each.isdecimal())
    if not digits:
        return None
    same = pin.lstrip("0") == digits.lstrip("0")
    of_it = same or (len(digits) > 2 and digits in pin)
    return Words("made of the staff number") if of_it else None
