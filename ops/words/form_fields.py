"""The labels of forms that are made from the fields of their commands."""

from collections.abc import Mapping

from domain.rules.wording import worded

FORM_FIELDS: Mapping[str, str] = {
    "kind": worded("field: fill or credit", "Kind"),
    "chips": worded("field: how many chips of each worth", "Chips"),
    "shift": worded("field: the shift that ends; empty for the one that ends now", "Shift"),
    "reason": worded("field", "Reason"),
    "confirmed": worded("field: of a form that was refused", "Checked after a refusal, and right"),
    "with": worded("field", "Second person"),
    "how": worded("field: how money that was left open is settled", "How"),
    "amount": worded("field: empty for all that is open", "Amount, if not all of it"),
    "place": worded("field: where money is paid", "Where"),
}
