"""The words of a dispute's page."""

from collections.abc import Mapping

from domain.rules.wording import N_, worded

# What is next with a case, by the command that does it.
NEXT: Mapping[str, str] = {
    "decide": N_("Next, {who} decides it and another one signs; neither of them dealt the coup."),
    "tell": N_("Next, {who} informs the patron of the decision."),
    "notify": N_("Next, {who} notifies the regulator."),
    "close": N_("Next, {who} closes it."),
}
DECIDE = worded("heading and button: decides a case", "Decide")
DECISION = worded("field", "Decision")
DECISIONS: Mapping[str, str] = {
    "stand": N_("the payments stay as they are"),
    "correct": N_("a wager is paid another amount"),
    "void": N_("every wager is returned"),
}
ASK_WHAT_IF = worded(
    "field: of a note, what else the cards could have been", "What if: another card or bet"
)
TO_CORRECT = worded("field: a wager that a decision corrects", "To correct: which wager")
REAL_STAKE = worded("field: of a wager that was typed wrong", "Stake that really lay there")
PAY_TO = worded("field: what a wager is to be paid in all", "Paid in all, stake included")
PATRON_INFORMED = worded("button: on a case", "The patron was informed")
NOTIFY = worded("button: on a case", "The regulator was notified")
REFERENCE = worded("field: the number that the regulator gave", "Reference")
HOLD = worded("button: on a case", "Hold the table")
RELEASE = worded("button: on a case", "Release the table")
CLOSE_CASE = worded("button: on a case", "Close the case")
FILE_OF_CASE = worded("button: makes the file of a case for the regulator", "Case file")
CASE_CLOSED = worded("page", "The case is closed: nothing is added any longer.")
IN_WORDS = worded("field: in which words a patron was informed", "In which words")
PAY_AS = worded("field: a wager is paid as if it had been there", "Paid as on another spot")
ANSWER = worded("link: to the coup as a note asks that it had been", "what would have been")
PAID_NOW = worded("label: the wagers of a case with what they are paid after it", "Paid now")
NOT_SETTLED = worded("label: of a case, what is owed to its patron, or by them", "Not settled yet")
