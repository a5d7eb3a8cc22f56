"""Sentences for the events of the house: its settings and rule sets, staff, patrons by name."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from domain.rules.acts import act_called
from domain.rules.regulators import REGIMES
from domain.rules.wording import N_, Amount, Figure, Moment, Words, counted
from ops.words.event_values import Event, Values, Wording, run_on, separated, worded_with
from ops.words.language import LANGUAGES
from ops.words.rule_terms import term_words, value_words
from ops.words.terms import (
    barring_called,
    prohibition_called,
    recovery_called,
    recovery_refusal_called,
    role_called,
    sign_on_refusal_called,
    spot_called,
)

_DIGITS = 12  # of the digest of a program's files
_AMOUNTS_SET = ("reporting_amount", "variance_report", "variance_regulator", "dispute_notice_from")


SHOWN_AS_AMOUNTS = (*_AMOUNTS_SET, "adjustment_report")


def _setting_changed(event: Event, values: Values) -> Words:
    if event["name"] == "regulator":
        return _regulator_changed(event, values)
    changed = worded_with(N_("{name} is now {value}; it was {before}."), _as_amounts(event, values))
    if event["name"] != "currency":
        return changed
    anew = Words(
        "Tables open again when these amounts are set in it: {names}.",
        names=", ".join(_AMOUNTS_SET),
    )
    return run_on([changed, anew, Words("Leave out dispute_notice_from where it is 0.")])


def _as_amounts(event: Event, values: Values) -> Values:
    """The two values of a setting, with amounts in currency form."""
    if event["name"] not in SHOWN_AS_AMOUNTS:
        return values
    currency = str(values["currency"])
    return {
        **values,
        **{name: Amount(int(event[name]), currency) for name in ("value", "before")},
    }


def _regulator_changed(event: Event, values: Values) -> Words:
    """The sentence for the house's duties to a regulator in a dispute."""
    terms = REGIMES[event["value"]]
    begins = terms.dispute_notice_from
    return run_on(
        [
            worded_with(N_("The regulator is now {value}; it was {before}."), values),
            _notice_words(begins, terms.dispute_notice_minutes, str(values["currency"])),
            counted(
                terms.dispute_patron_days,
                "Patrons may appeal to it for {n} day.",
                "Patrons may appeal to it for {n} days.",
            )
            if terms.dispute_patron_days
            else "",
            Words("Open cases keep their terms."),
        ]
    )


def _notice_words(begins: int, minutes: int, currency: str) -> Words:
    if not begins:
        return Words("It is notified of no dispute.")
    if begins == 1:
        return counted(
            minutes,
            "It is notified of every dispute within {n} minute.",
            "It is notified of every dispute within {n} minutes.",
        )
    return counted(
        minutes,
        "It is notified of disputes from {amount} within {n} minute.",
        "It is notified of disputes from {amount} within {n} minutes.",
        amount=Amount(begins, currency),
    )


def _program_started(event: Event, values: Values) -> Words:
    template = (
        N_("{part} was started at {table} on {machine}: version {version}, files {short}.")
        if event["table"]
        else N_("{part} was started on {machine}: version {version}, files {short}.")
    )
    return worded_with(template, values, short=event["digest"][:_DIGITS])


def _lines_missing(event: Event, values: Values) -> Words:
    template = (
        N_("Line {first} of device {staff} did not arrive.")
        if event["first"] == event["last"]
        else N_("Lines {first} to {last} of device {staff} did not arrive.")
    )
    return worded_with(template, values)


def _signed_off(event: Event, values: Values) -> Words:
    """The sentence for a sign-off, by oneself or by somebody else."""
    templates = {
        "replaced": N_("{staff} was signed off here."),
        "signed-on-again": N_("{staff} was signed off at the place before."),
        "ended": N_("{staff} was signed off: the session was over."),
        "idle": N_("{staff} was signed off: nothing was asked there for too long."),
        "locked": N_("{staff} was signed off."),
    }
    return worded_with(templates.get(event["why"], N_("{staff} is signed off.")), values)


def _enrolled(event: Event, values: Values) -> Words:
    role = role_called(event["role"])
    return worded_with(N_("{staff} is enrolled as {role}."), values, role=role)


def _role_changed(event: Event, values: Values) -> Words:
    return worded_with(N_("{staff} is now {role}."), values, role=role_called(event["role"]))


def _sign_on_refused(event: Event, values: Values) -> Words:
    why = sign_on_refusal_called(event["why"])
    return worded_with(N_("The sign-on of {staff} was refused: {why}."), values, why=why)


def _locked(event: Event, values: Values) -> Words:
    return counted(
        event["wrong"],
        "{staff} is locked after {n} wrong PIN. An administrator can enrol them again.",
        "{staff} is locked after {n} wrong PINs. An administrator can enrol them again.",
        staff=values["staff"],
    )


def _act_refused(event: Event, values: Values) -> Words:
    why = prohibition_called(event["why"])
    act = act_called(event["command"])
    return Words("{who} may not {act}: {why}.", who=event["staff"], act=act, why=why)


def _language_chosen(event: Event, values: Values) -> Words:
    language = LANGUAGES.get(event["language"], event["language"])
    return worded_with(N_("{staff} reads {language}."), values, language=language)


def _licensed(event: Event, values: Values) -> Words:
    if event["until"]:
        return worded_with(N_("{staff} has licence {licence}, up to {until}."), values)
    return worded_with(N_("{staff} has licence {licence}, without an end."), values)


def _retired(event: Event, values: Values) -> Words:
    if event.get("left_at"):
        left_at = Moment(datetime.fromisoformat(event["left_at"]))
        template = N_("{staff} is retired, and left the house at {left_at}.")
        return worded_with(template, values, left_at=left_at)
    return worded_with(N_("{staff} is retired."), values)


def _recovered(event: Event, values: Values) -> Words:
    how = recovery_called(event["how"])
    return worded_with(N_("Administrator {staff} was let in again {how}."), values, how=how)


def _recovery_refused(event: Event, values: Values) -> Words:
    why = recovery_refusal_called(event["why"])
    return worded_with(N_("{staff} was not let in again: {why}."), values, why=why)


def _barred(event: Event, values: Values) -> Words:
    kind = barring_called(event["kind"])
    return worded_with(N_("{patron} may not play: {kind}."), values, kind=kind)


def _approved(event: Event, values: Values) -> Words:
    """The sentence for an approved rule set: every spot's edge, and what is other than before."""
    approved = worded_with(N_("{rules} is approved: tables may open under it."), values)
    edges = (_edge(spot, Fraction(edge)) for spot, edge in event["edges"].items())
    currency = str(values["currency"])
    compared = (_differs(name, terms, currency) for name, terms in event["compared"].items())
    return run_on([approved, *edges, *compared])


def _edge(spot: str, edge: Fraction) -> Words:
    percent = Figure(f"{float(abs(edge)):.4%}")
    if edge < 0:
        template = N_("{spot} favours the patron: the house loses {edge} of all wagers.")
    else:
        template = N_("{spot}: the house keeps {edge} of all wagers.")
    return Words(template, spot=spot_called(spot), edge=percent)


def _differs(name: str, terms: Sequence[Sequence[str]], currency: str) -> Words:
    """How a rule set differs from another one."""
    if not terms:
        return Words("It has the same terms as {rules}.", rules=name)
    each = separated(
        Words(
            "{term}: {now}, not {before}",
            term=term_words(term),
            now=value_words(term, now, currency),
            before=value_words(term, before, currency),
        )
        for term, before, now in terms
    )
    return Words("What is not as in {rules}: {terms}.", rules=name, terms=each)


def _unbarred(event: Event, values: Values) -> Words:
    was = barring_called(event["was"])
    return worded_with(N_("{patron} may play again, until now: {was}."), values, was=was)


HOUSE: Mapping[str, Wording] = {
    "PropertyFounded": N_(
        "The house {name} is founded: {currency}, {zone}, day starts {day_start}."
    ),
    "SettingChanged": _setting_changed,
    "HouseClosed": N_("From now on only staff who are signed on can enter anything."),
    "AdministratorsChanged": None,
    "RecoverySecretIssued": N_("A new recovery secret is issued. Any earlier one no longer works."),
    "AdministratorRecovered": _recovered,
    "RecoveryRefused": _recovery_refused,
    "RuleSetAdopted": N_("Rule set {rules} is on record."),
    "Approved": _approved,
    "RulesApproved": None,
    "DayAuditBegun": None,
    "ProgramDayBegun": None,
    "ProgramStarted": _program_started,
    "MasterAudited": N_("{day} is audited, as of position {position}."),
}
STAFF: Mapping[str, Wording] = {
    "StaffMemberEnrolled": _enrolled,
    "RoleChanged": _role_changed,
    "ForTwoChanged": None,
    "CodeIssued": None,
    "KeyRegistered": N_("{staff} has a key."),
    "LinesMissing": _lines_missing,
    "PinChosen": N_("{staff} has chosen a PIN."),
    "PinProved": N_("{staff} has typed the right PIN."),
    "SignedOn": N_("{staff} is signed on."),
    "SignedOff": _signed_off,
    "SignOnRefused": _sign_on_refused,
    "Locked": _locked,
    "ActRefused": _act_refused,
    "LanguageChosen": _language_chosen,
    "LicenceRecorded": _licensed,
    "Retired": _retired,
    "TerminalApproved": N_("Terminal {terminal}, {name}, is approved."),
    "TerminalRetired": N_("Terminal {terminal}, {name}, is retired."),
}


def _plays_for(event: Event, values: Values) -> Words:
    template = (
        N_("{patron} plays for {principal} from {from_day} on.")
        if event["principal"]
        else N_("{patron} plays for nobody else from {from_day} on.")
    )
    return worded_with(template, values)


PATRONS: Mapping[str, Wording] = {
    "PatronKnown": None,
    "Identified": N_("{patron} is {patron_is}."),
    "Separated": N_("{patron} is not {was}: {reason}."),
    "ToldApart": N_("{patron} is somebody else than {other}."),
    "Barred": _barred,
    "Unbarred": _unbarred,
    "PlaysFor": _plays_for,
    "AgentNamed": None,
}
