"""Inquiries of surveillance: what one may be about, what belongs to it, and what may come of it.

>>> is_secret("inquiry.opened"), is_secret("aml-case.opened"), is_secret("dispute.opened")
(True, True, False)
"""

ABOUT = ("coup", "shoe", "patron", "dealer")
OUTCOMES = ("unfounded", "unproven", "corrected", "barred", "reported")


def is_secret(topic: str) -> bool:
    """Whether only surveillance and auditors may learn that there is an event of this topic."""
    return topic.partition(".")[0] in ("inquiry", "inquiry-book", "aml-case", "aml-book")
