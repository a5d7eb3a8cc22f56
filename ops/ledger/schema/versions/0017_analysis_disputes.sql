-- Cases, under names that stay; as with the other views, what the comments say is documentation.
CREATE VIEW analysis.disputes AS
SELECT disputes.case_number, disputes.coup, disputes.table_code, disputes.gaming_day,
       coalesce(known.patron, disputes.patron) AS patron, disputes.patron AS patron_at_table,
       disputes.complaint, disputes.amount, disputes.opened_at, disputes.opened_by,
       disputes.frozen_at, disputes.disagreements = '[]' AS agreed, disputes.disagreements,
       disputes.holds, disputes.notes, disputes.decision, disputes.decided_at, disputes.decided_by,
       disputes.approved_by, disputes.reason, disputes.effect, disputes.changes_hands,
       disputes.tell_by, disputes.patron_told_at, disputes.patron_until, disputes.notify_by,
       disputes.regulator_notified_at, disputes.reference, disputes.closed_at, disputes.position
  FROM projections.disputes
  LEFT JOIN projections.patron_identities AS known ON known.alias = disputes.patron;
COMMENT ON VIEW analysis.disputes IS
    'What patrons say of their coups, and how it was settled (R-IRR-5). One row a case; what is done again is told as it was the last time.';
COMMENT ON COLUMN analysis.disputes.case_number IS 'Its number, as in C-2026-0001.';
COMMENT ON COLUMN analysis.disputes.coup IS 'The coup that it is about.';
COMMENT ON COLUMN analysis.disputes.table_code IS 'The table of the coup.';
COMMENT ON COLUMN analysis.disputes.gaming_day IS 'The gaming day of the coup.';
COMMENT ON COLUMN analysis.disputes.patron IS 'Who says it, as they are known by now.';
COMMENT ON COLUMN analysis.disputes.patron_at_table IS 'The name by which the case was opened.';
COMMENT ON COLUMN analysis.disputes.complaint IS 'What they say.';
COMMENT ON COLUMN analysis.disputes.amount IS 'What is in dispute, in minor units; null when nobody knows.';
COMMENT ON COLUMN analysis.disputes.opened_at IS 'When the case was opened.';
COMMENT ON COLUMN analysis.disputes.opened_by IS 'The number of who opened it.';
COMMENT ON COLUMN analysis.disputes.frozen_at IS 'The ledger''s last position then.';
COMMENT ON COLUMN analysis.disputes.agreed IS 'Whether the replay then said what the record said.';
COMMENT ON COLUMN analysis.disputes.disagreements IS 'The lines in which it did not.';
COMMENT ON COLUMN analysis.disputes.holds IS 'Whether no further coup is dealt for its sake.';
COMMENT ON COLUMN analysis.disputes.notes IS 'How many notes were added.';
COMMENT ON COLUMN analysis.disputes.decision IS 'The last one: stand, correct or void; null until it is decided.';
COMMENT ON COLUMN analysis.disputes.decided_at IS 'When that was decided.';
COMMENT ON COLUMN analysis.disputes.decided_by IS 'The number of who decided it.';
COMMENT ON COLUMN analysis.disputes.approved_by IS 'The number of the second person.';
COMMENT ON COLUMN analysis.disputes.reason IS 'Why, in their words.';
COMMENT ON COLUMN analysis.disputes.effect IS 'What each decision came to, in words and in their order.';
COMMENT ON COLUMN analysis.disputes.changes_hands IS 'What went to patrons by all decisions, in minor units; less than 0: from them.';
COMMENT ON COLUMN analysis.disputes.tell_by IS 'Until when the patron must hear it.';
COMMENT ON COLUMN analysis.disputes.patron_told_at IS 'When they heard it; null when they have not.';
COMMENT ON COLUMN analysis.disputes.patron_until IS 'Until when they may turn to the regulator; null when nobody counts the days.';
COMMENT ON COLUMN analysis.disputes.notify_by IS 'Until when the regulator must hear of it; null when it need not.';
COMMENT ON COLUMN analysis.disputes.regulator_notified_at IS 'When it heard the first time; null when it has not.';
COMMENT ON COLUMN analysis.disputes.reference IS 'The regulator''s own; null for none.';
COMMENT ON COLUMN analysis.disputes.closed_at IS 'When the case was closed; null when it is not.';
COMMENT ON COLUMN analysis.disputes.position IS 'Where in the ledger it was opened.';

-- It reads with its owner's rights, so that its readers need none on what is behind it.
ALTER VIEW analysis.disputes OWNER TO sabot_owner;
GRANT SELECT ON analysis.disputes TO sabot_auditor, sabot_analyst;
