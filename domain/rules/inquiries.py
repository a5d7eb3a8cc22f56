"""Inquiries of surveillance: what one may be about, what belongs to it, and what may come of it."""

ABOUT = ("coup", "shoe", "patron", "dealer")
ATTACHED = ("coup", "shoe", "patron")
OUTCOMES = ("unfounded", "unproven", "corrected", "barred", "reported")
