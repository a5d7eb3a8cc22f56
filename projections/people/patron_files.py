"""Patrons' files: what is due about each. Not a projection: files are stored beside the record."""

from domain.rules.permissions import OF_FILES, Reading
from projections.model import Report

# Days are compared with the newest gaming day on record.
REPORT = Report(
    name="patron-files",
    title="Patron files",
    about="whose ID is missing or has expired, whose review is overdue, who is politically exposed",
    read_by=Reading((*OF_FILES, "auditor")),
    projections=(),
    columns=(
        "patron",
        "document",
        "document_until",
        "risk",
        "review_by",
        "review",
        "exposed",
        "source",
    ),
    sql="""
SELECT patron, document, document_until, risk, review_by, review, exposed, source
  FROM (SELECT patron,
               CASE WHEN documents = 0 THEN 'no-document'
                    WHEN document_until < day THEN 'document-expired'
                    ELSE 'document-valid' END AS document,
               nullif(nullif(document_until, ''), '9999-12-31')::date AS document_until,
               nullif(risk, '') AS risk, nullif(review_by, '')::date AS review_by,
               CASE WHEN review_by = '' THEN NULL WHEN review_by < day
                    THEN 'review-overdue' ELSE 'in-time' END AS review,
               CASE WHEN exposed THEN 'exposed' END AS exposed,
               CASE WHEN has_source THEN 'on-file'
                    WHEN exposed OR risk = 'high' THEN 'no-source' END AS source
          FROM people.files_due()) AS files
 WHERE %(patron)s::text IS NULL OR patron = %(patron)s
 ORDER BY (document = 'document-valid')::int + (review IS DISTINCT FROM 'review-overdue')::int
            + (source IS DISTINCT FROM 'no-source')::int,
          patron
""",
    money=(),
    narrowings=("patron",),
    shown=(
        "patron",
        "document",
        "document_until",
        "risk",
        "review_by",
        "review",
        "exposed",
        "source",
    ),
    newest_first=False,
    words={
        "document": ("document", "whether an identity document is on file that has not expired"),
        "document_until": (
            "document until",
            "the last day of the one that holds longest; empty if it has no end",
        ),
        "risk": ("risk", "how high somebody rated it; empty if nobody did"),
        "review_by": ("review by", "the day by which somebody looks at the risk again"),
        "review": ("review", "whether that day is over"),
        "exposed": ("exposed", "whether they are politically exposed, or somebody near to them"),
        "source": (
            "source of funds",
            "whether it is on file; asked for of who is politically exposed, or a high risk",
        ),
    },
    codes={
        "document": {
            "no-document": "none on file",
            "document-expired": "expired",
            "document-valid": "valid",
        },
        "risk": {"low": "low", "medium": "medium", "high": "high"},
        "review": {"review-overdue": "overdue", "in-time": "in time"},
        "exposed": {"exposed": "politically exposed"},
        "source": {"no-source": "none on file", "on-file": "on file"},
    },
)
