"""Questions about the record afterwards, from events alone: replay, adjudication, audit, what if."""
