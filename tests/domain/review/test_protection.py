"""What chance does not explain of the order of the cards in a shoe."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from domain.events import shoe as events
from domain.review.protection import following
from domain.review.protection.following import Gambler
from domain.review.protection.looking import AgainstChance, Look, Lookout
from domain.review.protection.new_deck import new_deck
from domain.review.protection.repeated_slug import repeated_slug
from domain.review.shoe_audit import Earlier, audit, earlier_shoe
from domain.rules.cards import DECK, RANKS
from domain.rules.protection_levels import SELDOM

DECKS = 8
NEW_DECK = [
    *(rank + suit for suit in "HC" for rank in RANKS),
    *(rank + suit for suit in "DS" for rank in reversed(RANKS)),
]


def shuffled(rng):
    cards = list(DECK) * DECKS
    rng.shuffle(cards)
    return cards


def riffled(cards, rng):
    """Cut in two by coins and riffled, as Gilbert, Shannon and Reeds have it."""
    of_top = [rng.random() < 0.5 for _ in cards]
    top, bottom = iter(cards[: sum(of_top)]), iter(cards[sum(of_top) :])
    return [next(top if from_top else bottom) for from_top in of_top]


def with_a_slug(earlier, rng, *, at=150):
    """A shuffled shoe with eighty cards of an earlier one, as they were dealt there."""
    slug = earlier[100:180]
    rest = list((Counter(earlier) - Counter(slug)).elements())
    rng.shuffle(rest)
    return rest[:at] + slug + rest[at:]


def alarm(gambler, cards):
    """The number of the card after which so much is seen that chance seldom does; None: never."""
    held = (gambler.see_all([card]).odds for card in cards)
    return next((n for n, odds in enumerate(held, 1) if odds >= SELDOM), None)


@pytest.fixture
def bold(monkeypatch):
    """A gambler who puts half of what he has on each card, and nearly all on the very next one."""
    monkeypatch.setattr(following, "BEGINS", 0.5)
    monkeypatch.setattr(following, "PATIENCE", (0.95,))


@pytest.mark.usefixtures("bold")
def test_nobody_can_expect_to_win_against_chance():
    """The mean over every order of a small shoe is at most what was staked, to the last digit."""
    small = "abcde"
    held = []
    for order in permutations(small):
        gambler = Gambler(Counter(small), {"new": small})
        for card in order:
            gambler.see(card)
        held.append(gambler.held)
    mean = sum(map(Fraction, held)) / len(held)

    assert mean <= 1
    assert max(held) > 2


@pytest.mark.usefixtures("bold")
def test_one_who_is_overpaid_wins_against_chance(monkeypatch):
    monkeypatch.setattr(following, "PATIENCE", (4.0,))

    with pytest.raises(AssertionError):
        test_nobody_can_expect_to_win_against_chance()


def test_decks_that_nobody_shuffled_are_seen_by_the_sixth_coup():
    cut = (NEW_DECK * DECKS)[37:] + (NEW_DECK * DECKS)[:37]

    assert alarm(new_deck(DECKS), cut) <= 5 * 4  # four cards at least a coup


@pytest.mark.parametrize("times", [1, 2, 3])
def test_decks_that_were_riffled_too_little_are_seen(times):
    cards, rng = NEW_DECK * DECKS, Random(times)
    for _ in range(times):
        cards = riffled(cards, rng)

    assert new_deck(DECKS).see_all(cards).odds >= SELDOM


def test_eighty_cards_that_were_kept_are_seen_in_twelve_coups():
    rng = Random(20261128)
    earlier = {f"shoe {n}": shuffled(rng) for n in range(3)}
    cards = with_a_slug(earlier["shoe 1"], rng)
    whole = repeated_slug(DECKS, earlier).see_all(cards)
    run = whole.what

    assert ("shoe 1", 101) == (run.order, run.place)
    assert (151, 230) == (run.first, run.last)
    assert repeated_slug(DECKS, earlier).see_all(cards[: 150 + 12 * 4]).odds >= SELDOM


def test_cards_that_were_kept_and_turned_over_are_seen_backwards():
    rng = Random(7)
    earlier = shuffled(rng)
    cards = with_a_slug(earlier[::-1], rng)

    seen = repeated_slug(DECKS, {"shoe 1": earlier}).see_all(cards)

    assert seen.what.order == "shoe 1 backwards"


def test_cards_that_were_burned_unseen_do_not_hide_a_slug():
    rng = Random(8)
    earlier = {"shoe 1": shuffled(rng)}
    cards = with_a_slug(earlier["shoe 1"], rng)
    cards[5] = cards[170] = None

    assert repeated_slug(DECKS, earlier).see_all(cards).odds >= SELDOM


def test_shoes_that_were_shuffled_are_let_pass():
    rng = Random(1)
    earlier = {f"shoe {n}": shuffled(rng) for n in range(2)}
    shoes = [shuffled(rng) for _ in range(25)]
    most = [new_deck(DECKS).see_all(cards).odds for cards in shoes]
    most += [repeated_slug(DECKS, earlier).see_all(cards).odds for cards in shoes[:10]]

    assert max(most) < 100


def test_nothing_is_followed_before_a_card_came():
    assert new_deck(DECKS).see_all([]) == AgainstChance(1.0, 0, None)


def test_a_look_that_goes_on_sees_what_one_from_the_beginning_sees():
    """Also when an earlier card was put right between two looks, and when it was forgotten."""
    rng, lookout = Random(4), Lookout(most=2)
    earlier = {"shoe 1": shuffled(rng)}
    cards = with_a_slug(earlier["shoe 1"], rng, at=20)
    for n in (10, 40, 41, 60, 60, 80):
        if n == 60:
            cards[30] = "9C"
        for names in (("one", "another"), ("third",)):
            shoes = [
                Look(name, cards[:n], n, lambda: {"slug": repeated_slug(DECKS, earlier)})
                for name in names
            ]
            for seen in lookout.look(shoes):
                assert seen["slug"][-1] == repeated_slug(DECKS, earlier).see_all(cards[:n])
    assert seen["slug"][-1].odds >= SELDOM


def recorded(cards):
    """The events of a shoe of which these cards were drawn."""
    loaded = events.Loaded(
        **{name: None for name in events.Loaded.__struct_fields__ if name != "decks"}, decks=DECKS
    )
    return [loaded, *(drawn(card, n) for n, card in enumerate(cards, 1))]


def drawn(card, n):
    values = dict.fromkeys(events.CardDrawn.__struct_fields__)
    return events.CardDrawn(**{**values, "card": card, "coup": 1, "n": n})


def test_the_audit_of_a_shoe_says_it():
    rng = Random(9)
    earlier = shuffled(rng)
    before = {"B01/1": Earlier(DECKS, earlier)}
    sound = {each.name: each for each in audit(recorded(shuffled(rng)), before)}
    slugged = audit(recorded(with_a_slug(earlier, rng)), before)
    again = {each.name: each for each in slugged}
    unshuffled = {each.name: each for each in audit(recorded((NEW_DECK * 8)[:30]))}

    assert (True, True) == (sound["shuffle"].ok, sound["earlier shoes"].ok)
    assert "cards 151 to 230 follow shoe B01/1; by chance less than once in 10^" in (
        again["earlier shoes"].result
    )
    assert "follow a new deck" in unshuffled["shuffle"].result
    assert sound["clumps"].ok
    assert "neighbours of a new deck come together" in unshuffled["clumps"].result
    assert earlier_shoe(recorded(earlier)) == Earlier(DECKS, earlier)


def test_the_audit_of_a_shoe_has_the_cards_that_are_missing_of_the_last_shoes():
    rng = Random(10)
    tens = [f"{rank}{suit}" for rank in "TJQK" for suit in "CDHS"]
    short = [*(Counter([*DECK] * DECKS) - Counter(tens)).elements()]
    shoes = [rng.sample(short, 386) for _ in range(4)]
    before = {f"B01/{n}": Earlier(DECKS, cards) for n, cards in enumerate(shoes[:3])}
    other = {"B01/0": Earlier(6, shoes[0])}

    checks = {each.name: each for each in audit(recorded(shoes[3]), before)}
    of_one = {each.name: each for each in audit(recorded(shoes[3]), other)}

    assert "cards in the last 4 shoes, " in checks["whole decks"].result
    assert "are tens and not about" in checks["whole decks"].result
    assert of_one["whole decks"].ok
