"""Trainees who type what they were taught, or not, at whatever a course tells them."""

from ops.terminal.training.moments import Betting, Collecting, Dealing, Leaving, Paying, Step
from ops.typed.acts import key_of


def never(_moment):
    """Lets everything pass."""
    return False


def always(_moment):
    """Takes nothing as right."""
    return True


def rightly(moment):
    """Knows every mistake."""
    return moment.fault is not None


def wagers_line(wagers):
    """All of them in one line."""
    return " ".join(f"{each.seat} {key_of(each.spot)} {each.stake / 100:g}" for each in wagers)


STEPS = {"inspected": "inspect", "shuffled": "shuffle machine", "cut": "cut"}


def lines_at(moment, now=None):
    """What is due at this moment, as it should be typed; `now` where commission may be owed."""
    lines = []
    match moment:
        case Step(step=step, decks=decks, card=card):
            last = f"burn {card.lower()}" if card else f"load {decks}"
            lines = [STEPS.get(step, last)]
        case Betting(wagers=wagers):
            lines = [wagers_line(wagers), "n"]
        case Dealing(cards=cards, new=new):
            lines = ["".join(cards[-new:]).lower()]
        case Paying():
            lines = ["s"]
        case Leaving(seat=number):
            owed = now.seat(number).owed
            lines = [*([f"c {number}"] if owed else []), f"leave {number}"]
        case Collecting():
            lines = [f"c {seat.seat}" for seat in now.seats if seat.owed]
    return lines


def attend(session, objects=rightly, until=None):
    """Goes through the course; answers what each line was told, and stops before `until`."""
    heard = []
    course = session.course
    while not course.over and (until is None or not until(course.moment)):
        moment = course.moment
        typed = ["!"] if objects(moment) else []
        for line in [*typed, *lines_at(moment, session.now)]:
            heard.append((line, session.say(line)))
        assert course.over or course.moment is not moment, heard[-3:]
    return heard
