"""PINs: which are too weak, and how many wrong ones a number or a place may type.

>>> weakness("471108", "D-204", least=6), weakness("0815", "D-204", least=4)
(None, None)
>>> weakness("0815", "S-11", least=6)
'shorter than 6 digits'
>>> weakness("471234", "S-11", least=6)
'easy to guess, because 1234 goes on by equal steps'
"""

from itertools import pairwise

from domain.rules.wording import N_, Words

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
# Four digits that are counted on beyond 9, or down from 0.
_COUNTED = ("7890", "8901", "9012", "0987", "1098", "2109")
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
    return _in_number(pin, staff) or _easy(pin)


def _easy(pin: str) -> Words | None:
    """Why a PIN is easy to guess, or None: a repetition, or four digits of it that many choose."""
    if any(pin == pin[:size] * (len(pin) // size) for size in range(2, len(pin) // 2 + 1)):
        return Words("easy to guess, because it repeats itself")
    for begins in range(len(pin) - 3):
        if template := _much_used(four := pin[begins : begins + 4]):
            return Words(template, digits=four)
    return None


def _much_used(four: str) -> str:
    """Why four digits are easy to guess, or '': each as far from the last, or as they are typed.

    >>> [four for four in ("1357", "2580", "1478", "9731", "1122", "1221", "1984", "7890", "0741")
    ...  if not _much_used(four)]
    ['0741']
    """
    numbers = [int(each) for each in four]
    one, two, three, last = numbers
    if len({b - a for a, b in pairwise(numbers)}) == 1 or four in _COUNTED:
        return N_("easy to guess, because {digits} goes on by equal steps")
    if all(_side_by_side(a, b) for a, b in pairwise(numbers)):
        return N_("easy to guess, because the keys of {digits} are side by side")
    if set(numbers) == {1, 3, 7, 9}:
        return N_("easy to guess, because {digits} are the corners of the keys")
    if (one == two and three == last) or (one == last and two == three):
        return N_("easy to guess, because of the pairs in {digits}")
    return N_("easy to guess, because {digits} is a year") if four[:2] in ("19", "20") else ""


def _side_by_side(digit: int, other: int) -> bool:
    """Whether two keys of a keypad are next to each other; 0 is below 8."""
    places = [divmod(each - 1, 3) if each else (3, 1) for each in (digit, other)]
    (row, column), (other_row, other_column) = places
    return abs(row - other_row) + abs(column - other_column) == 1


def _in_number(pin: str, staff: str) -> Words | None:
    """Why a PIN is too close to the staff number, or None."""
    digits = "".join(each for each in staff if each.isascii() and each.isdecimal())
    if not digits:
        return None
    same = pin.lstrip("0") == digits.lstrip("0")
    of_it = same or (len(digits) > 2 and digits in pin)
    return Words("made of the staff number") if of_it else None
