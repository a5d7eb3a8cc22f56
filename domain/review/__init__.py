"""Questions about the record, from events alone: replay, adjudication, audit, what if."""
