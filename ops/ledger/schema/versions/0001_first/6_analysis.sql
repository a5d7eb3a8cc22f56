-- What analysts read: the events, and the rows that reports are made of, under names that stay.
-- The comments are the documentation: `\d+ analysis.*` shows them, and so does `sabot db views`.
--
-- Money is bigint, in minor units; a name of somebody is not in here, only their number. A view
-- hides columns and no rows, so that a security barrier would protect nothing, and would keep
-- conditions from the indexes.
--
-- A view reads with its owner's rights, so that its readers need none on what is behind it.

SET LOCAL ROLE sabot_owner;

COMMENT ON SCHEMA analysis IS
    'What analysts read. Money is in minor units of the property''s currency.';

CREATE VIEW analysis.events AS
SELECT position, (fact ->> 'at')::timestamptz AS at, recorded_at, gaming_day, table_code, topic,
       actor, command_id, stream, version, fact, metadata
  FROM (SELECT position, recorded_at, gaming_day, table_code, topic, actor, command_id,
               originator_id AS stream, originator_version AS version,
               convert_from(state, 'UTF8')::jsonb AS fact, metadata::jsonb AS metadata
          FROM ledger.events) AS told;
COMMENT ON VIEW analysis.events IS
    'Every fact of the ledger, in the one order in which it was recorded. One row a fact.';
COMMENT ON COLUMN analysis.events.position IS 'Its place in the one order of the whole ledger, from 1, without a gap.';
COMMENT ON COLUMN analysis.events.at IS 'When it happened, as the table says.';
COMMENT ON COLUMN analysis.events.recorded_at IS 'When it was recorded; never runs backwards.';
COMMENT ON COLUMN analysis.events.gaming_day IS 'The gaming day that it belongs to.';
COMMENT ON COLUMN analysis.events.table_code IS 'The table that it belongs to; empty for the facts of the house.';
COMMENT ON COLUMN analysis.events.topic IS 'What kind of fact it is, as in coup.card-dealt.';
COMMENT ON COLUMN analysis.events.actor IS 'The number of whoever did it; empty when nobody said.';
COMMENT ON COLUMN analysis.events.command_id IS 'The command whose fact it is; one command may tell several.';
COMMENT ON COLUMN analysis.events.stream IS 'Which thing it is a fact of: a coup, a shoe, a table day, …';
COMMENT ON COLUMN analysis.events.version IS 'Its place among the facts of that thing, from 1.';
COMMENT ON COLUMN analysis.events.fact IS 'The fact as it was stored: its own fields, at, and class_version where there were older forms.';
COMMENT ON COLUMN analysis.events.metadata IS 'What else is known of the command: second person, mouth, device, late, version of the program.';

CREATE VIEW analysis.progress AS
SELECT projection, position,
       (SELECT coalesce(max(events.position), 0) FROM ledger.events) - position AS behind
  FROM projections.progress;
COMMENT ON VIEW analysis.progress IS
    'How far the rows behind the other views have read the ledger. Keep `sabot projections run` at work, or they are as old as the last report that was asked for.';
COMMENT ON COLUMN analysis.progress.projection IS 'The rows that it is about.';
COMMENT ON COLUMN analysis.progress.position IS 'The position up to which they are true.';
COMMENT ON COLUMN analysis.progress.behind IS 'How many events were recorded since.';

CREATE VIEW analysis.readings AS
SELECT n, at, gaming_day, who, login, machine, command, how, patron, table_code, shoe, coup,
       case_number, first_day, last_day, as_of, refused
  FROM ledger.readings;
COMMENT ON VIEW analysis.readings IS
    'Who read or exported what, on whom. One row a command, in no chain and in no event.';
COMMENT ON COLUMN analysis.readings.n IS 'Its number, in the order in which they were recorded.';
COMMENT ON COLUMN analysis.readings.at IS 'When it was read, by the server''s clock; a live screen when it was opened.';
COMMENT ON COLUMN analysis.readings.gaming_day IS 'The gaming day on which it was read.';
COMMENT ON COLUMN analysis.readings.who IS 'The staff number, or the database login that read as itself; empty when nobody was signed on in open house.';
COMMENT ON COLUMN analysis.readings.login IS 'The database login.';
COMMENT ON COLUMN analysis.readings.machine IS 'The machine on which it was asked for.';
COMMENT ON COLUMN analysis.readings.command IS 'The command, as in report wagers.';
COMMENT ON COLUMN analysis.readings.how IS 'screen, json, csv, pdf, or export for files with a manifest, and for packs.';
COMMENT ON COLUMN analysis.readings.patron IS 'The patron to whom it was narrowed; null for none.';
COMMENT ON COLUMN analysis.readings.table_code IS 'The table to which it was narrowed; null for none.';
COMMENT ON COLUMN analysis.readings.shoe IS 'The shoe to which it was narrowed; null for none.';
COMMENT ON COLUMN analysis.readings.coup IS 'The coup that was read; null for none.';
COMMENT ON COLUMN analysis.readings.case_number IS 'The case that was read; null for none.';
COMMENT ON COLUMN analysis.readings.first_day IS 'The first gaming day that was asked for; null for all.';
COMMENT ON COLUMN analysis.readings.last_day IS 'The last gaming day that was asked for; null for all.';
COMMENT ON COLUMN analysis.readings.as_of IS 'The moment whose record was asked for; null for now.';
COMMENT ON COLUMN analysis.readings.refused IS 'Why nothing was read, as in NotPermitted; null when it was.';

CREATE VIEW analysis.patrons AS
SELECT alias, patron FROM projections.patron_identities;
COMMENT ON VIEW analysis.patrons IS
    'Who an alias turned out to be. The other views tell the patron that it stands for by now.';
COMMENT ON COLUMN analysis.patrons.alias IS 'The name that somebody had at a table.';
COMMENT ON COLUMN analysis.patrons.patron IS 'The patron that it is.';

CREATE VIEW analysis.commission AS
SELECT owed.stay, owed.shoe, coalesce(known.patron, owed.patron) AS patron,
       owed.patron AS patron_at_table, owed.table_code, owed.gaming_day, owed.brought_forward,
       owed.accrued, owed.charged, owed.corrections, owed.collected, owed.waived, owed.walked,
       owed.brought_forward + owed.charged + owed.corrections - owed.collected - owed.waived
           - owed.walked AS outstanding,
       (SELECT min(accrual.at) FROM projections.open_accruals AS accrual
         WHERE accrual.stay = owed.stay AND accrual.shoe = owed.shoe) AS oldest_accrual,
       owed.due_at, owed.first_position AS position
  FROM projections.commission_owed AS owed
  LEFT JOIN projections.patron_identities AS known ON known.alias = owed.patron;
COMMENT ON VIEW analysis.commission IS
    'Commission on Banker winnings (R-COM-1 to 5). One row a stay and shoe.';
COMMENT ON COLUMN analysis.commission.stay IS 'The patron''s time at one table that owes it.';
COMMENT ON COLUMN analysis.commission.shoe IS 'The shoe in which it accrued.';
COMMENT ON COLUMN analysis.commission.patron IS 'Who owes it, as they are known by now.';
COMMENT ON COLUMN analysis.commission.patron_at_table IS 'The name that they had at the table.';
COMMENT ON COLUMN analysis.commission.table_code IS 'The table.';
COMMENT ON COLUMN analysis.commission.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.commission.brought_forward IS 'What was owed before the shoe, in minor units.';
COMMENT ON COLUMN analysis.commission.accrued IS 'The exact commission in minor units, which need not be whole.';
COMMENT ON COLUMN analysis.commission.charged IS 'The commission as it was rounded and charged, in minor units.';
COMMENT ON COLUMN analysis.commission.corrections IS 'What voids and corrections changed of it, in minor units.';
COMMENT ON COLUMN analysis.commission.collected IS 'What was paid of it, in minor units.';
COMMENT ON COLUMN analysis.commission.waived IS 'What was let off, in minor units.';
COMMENT ON COLUMN analysis.commission.walked IS 'What was lost with a patron who left, in minor units.';
COMMENT ON COLUMN analysis.commission.outstanding IS 'What is still owed, in minor units.';
COMMENT ON COLUMN analysis.commission.oldest_accrual IS 'Since when something of it is owed; null when nothing is.';
COMMENT ON COLUMN analysis.commission.due_at IS 'When it fell due; null when it has not.';
COMMENT ON COLUMN analysis.commission.position IS 'Where in the ledger the row begins.';

CREATE VIEW analysis.coups AS
SELECT coup, table_code, gaming_day, shoe, number, opened_at, closed_at, first_card_at,
       resulted_at, settled_at, jsonb_array_length(cards) AS cards, player_total, banker_total,
       outcome, "natural" AS is_natural, phase, dealer, supervisor,
       jsonb_array_length(exceptions) AS exceptions, first_position AS position
  FROM projections.coups;
COMMENT ON VIEW analysis.coups IS 'Every coup that was opened. One row a coup.';
COMMENT ON COLUMN analysis.coups.coup IS 'Its address: table, gaming day, shoe, number.';
COMMENT ON COLUMN analysis.coups.table_code IS 'The table.';
COMMENT ON COLUMN analysis.coups.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.coups.shoe IS 'The shoe that it was dealt from.';
COMMENT ON COLUMN analysis.coups.number IS 'Its number in the shoe, from 1.';
COMMENT ON COLUMN analysis.coups.opened_at IS 'When it was opened for bets.';
COMMENT ON COLUMN analysis.coups.closed_at IS 'When betting closed; null when it has not.';
COMMENT ON COLUMN analysis.coups.first_card_at IS 'When the first card came; null when none has.';
COMMENT ON COLUMN analysis.coups.resulted_at IS 'When its outcome was known; null when it is not.';
COMMENT ON COLUMN analysis.coups.settled_at IS 'When every wager was paid or taken; null when they are not.';
COMMENT ON COLUMN analysis.coups.cards IS 'How many cards were dealt; analysis.cards has them.';
COMMENT ON COLUMN analysis.coups.player_total IS 'The Player hand''s total at the end, 0 to 9.';
COMMENT ON COLUMN analysis.coups.banker_total IS 'The Banker hand''s total at the end, 0 to 9.';
COMMENT ON COLUMN analysis.coups.outcome IS 'player, banker or tie; null when it is not known yet.';
COMMENT ON COLUMN analysis.coups.is_natural IS 'Whether a hand had 8 or 9 on two cards.';
COMMENT ON COLUMN analysis.coups.phase IS 'betting, dealing, resulted, settled or voided.';
COMMENT ON COLUMN analysis.coups.dealer IS 'The number of who dealt.';
COMMENT ON COLUMN analysis.coups.supervisor IS 'The number of who supervised.';
COMMENT ON COLUMN analysis.coups.exceptions IS 'How much went wrong at it; analysis.exceptions tells what.';
COMMENT ON COLUMN analysis.coups.position IS 'Where in the ledger it begins.';

CREATE VIEW analysis.cards AS
SELECT coups.coup, dealt.n::int AS n, dealt.card ->> 'card' AS card, dealt.card ->> 'hand' AS hand,
       dealt.card ->> 'rule' AS rule, coups.table_code, coups.gaming_day, coups.shoe
  FROM projections.coups
 CROSS JOIN LATERAL jsonb_array_elements(coups.cards) WITH ORDINALITY AS dealt (card, n);
COMMENT ON VIEW analysis.cards IS 'Every card of every coup. One row a card dealt.';
COMMENT ON COLUMN analysis.cards.coup IS 'The coup.';
COMMENT ON COLUMN analysis.cards.n IS 'Its place in the coup, from 1.';
COMMENT ON COLUMN analysis.cards.card IS 'Rank and suit, as in 9C or TH.';
COMMENT ON COLUMN analysis.cards.hand IS 'player or banker: the hand that it was dealt to.';
COMMENT ON COLUMN analysis.cards.rule IS 'The rule by which it was due there.';
COMMENT ON COLUMN analysis.cards.table_code IS 'The table.';
COMMENT ON COLUMN analysis.cards.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.cards.shoe IS 'The shoe that it came from.';

CREATE VIEW analysis.wagers AS
SELECT wagers.coup, wagers.seat, wagers.spot, coalesce(known.patron, wagers.patron) AS patron,
       wagers.patron AS patron_at_table, wagers.stay, wagers.table_code, wagers.gaming_day,
       wagers.shoe, wagers.stake, wagers.odds, wagers.result, wagers.paid,
       wagers.commission_exact::numeric AS commission_exact, wagers.commission_charged,
       wagers.commission_due, wagers.first_position AS position
  FROM projections.wagers
  LEFT JOIN projections.patron_identities AS known ON known.alias = wagers.patron;
COMMENT ON VIEW analysis.wagers IS
    'Every wager, as it was corrected last. One row a coup, seat and spot. The house won stake - paid, and the commission that is deferred.';
COMMENT ON COLUMN analysis.wagers.coup IS 'The coup that it was on.';
COMMENT ON COLUMN analysis.wagers.seat IS 'The seat that it was made from.';
COMMENT ON COLUMN analysis.wagers.spot IS 'What was bet on: player, banker, tie, dragon-banker, …';
COMMENT ON COLUMN analysis.wagers.patron IS 'Whose it is, as they are known by now.';
COMMENT ON COLUMN analysis.wagers.patron_at_table IS 'The name that they had at the table.';
COMMENT ON COLUMN analysis.wagers.stay IS 'The patron''s time at the table.';
COMMENT ON COLUMN analysis.wagers.table_code IS 'The table.';
COMMENT ON COLUMN analysis.wagers.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.wagers.shoe IS 'The shoe.';
COMMENT ON COLUMN analysis.wagers.stake IS 'What was staked, in minor units.';
COMMENT ON COLUMN analysis.wagers.odds IS 'What it won at, as in 1:1; null when it did not win, or was decided otherwise.';
COMMENT ON COLUMN analysis.wagers.result IS 'win, lose, push or void; null when the coup is not settled.';
COMMENT ON COLUMN analysis.wagers.paid IS 'What was paid for it in chips, the stake in it, in minor units; null when the coup is not settled.';
COMMENT ON COLUMN analysis.wagers.commission_exact IS 'The exact commission on it in minor units, which need not be whole.';
COMMENT ON COLUMN analysis.wagers.commission_charged IS 'The commission as it was charged, in minor units.';
COMMENT ON COLUMN analysis.wagers.commission_due IS 'When it is collected: at-payout or deferred; null when there is none.';
COMMENT ON COLUMN analysis.wagers.position IS 'Where in the ledger it begins.';

CREATE VIEW analysis.stays AS
SELECT terms.stay, coalesce(known.patron, terms.patron) AS patron,
       terms.patron AS patron_at_table, terms.table_code, terms.gaming_day,
       terms.rate AS commission_rate, coalesce(owed.charged, 0)::bigint AS commission_charged,
       coalesce(owed.outstanding, 0)::bigint AS commission_outstanding,
       coalesce(played.wagers, 0) AS wagers, coalesce(played.staked, 0)::bigint AS staked,
       coalesce(played.paid, 0)::bigint AS paid
  FROM projections.commission_terms AS terms
  LEFT JOIN projections.patron_identities AS known ON known.alias = terms.patron
  LEFT JOIN (SELECT stay, sum(charged + corrections) AS charged,
                    sum(brought_forward + charged + corrections - collected - waived - walked)
                        AS outstanding
               FROM projections.commission_owed GROUP BY stay) AS owed USING (stay)
  LEFT JOIN (SELECT stay, count(*) AS wagers, sum(stake) AS staked, sum(paid) AS paid
               FROM projections.wagers WHERE result <> 'void' GROUP BY stay) AS played
       USING (stay);
COMMENT ON VIEW analysis.stays IS
    'A patron''s time at one table, whichever chair. One row a stay.';
COMMENT ON COLUMN analysis.stays.stay IS 'Its address: table, gaming day, number.';
COMMENT ON COLUMN analysis.stays.patron IS 'Whose it is, as they are known by now.';
COMMENT ON COLUMN analysis.stays.patron_at_table IS 'The name that they had at the table.';
COMMENT ON COLUMN analysis.stays.table_code IS 'The table.';
COMMENT ON COLUMN analysis.stays.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.stays.commission_rate IS 'The rate of commission, as in 0.05; 0 where the odds have it.';
COMMENT ON COLUMN analysis.stays.commission_charged IS 'Commission charged, corrections in it, in minor units.';
COMMENT ON COLUMN analysis.stays.commission_outstanding IS 'What is still owed of it, in minor units.';
COMMENT ON COLUMN analysis.stays.wagers IS 'How many wagers of it were settled.';
COMMENT ON COLUMN analysis.stays.staked IS 'What was staked on those, in minor units.';
COMMENT ON COLUMN analysis.stays.paid IS 'What was paid for those in chips, the stakes in it, in minor units.';

CREATE VIEW analysis.table_days AS
SELECT wins.table_code, wins.gaming_day, wins.rules, wins.opener, wins.fills::bigint AS fills,
       wins.credits::bigint AS credits, wins.closer, wins.drop_counted,
       wins.cash_out::bigint AS cash_out,
       (wins.drop_counted + wins.closer + wins.credits - wins.opener - wins.fills
           - wins.cash_out)::bigint AS win,
       coalesce((SELECT sum(handles.handle) FROM projections.table_shoes AS shoes
                   JOIN projections.handles USING (shoe)
                  WHERE shoes.table_code = wins.table_code
                    AND shoes.gaming_day = wins.gaming_day), 0)::bigint AS handle,
       wins.first_position AS position
  FROM projections.table_wins AS wins;
COMMENT ON VIEW analysis.table_days IS
    'One table for one gaming day, from its opener to its closer. One row a table day.';
COMMENT ON COLUMN analysis.table_days.table_code IS 'The table.';
COMMENT ON COLUMN analysis.table_days.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.table_days.rules IS 'The rule set that it was dealt under.';
COMMENT ON COLUMN analysis.table_days.opener IS 'Chips in the tray when it opened, in minor units.';
COMMENT ON COLUMN analysis.table_days.fills IS 'Chips that came from the cage, in minor units.';
COMMENT ON COLUMN analysis.table_days.credits IS 'Chips that went to the cage, in minor units.';
COMMENT ON COLUMN analysis.table_days.closer IS 'Chips in the tray when it closed, in minor units; null while it is open.';
COMMENT ON COLUMN analysis.table_days.drop_counted IS 'The drop, in minor units; null until the box was counted.';
COMMENT ON COLUMN analysis.table_days.cash_out IS 'Cash paid out at the table, in minor units.';
COMMENT ON COLUMN analysis.table_days.win IS 'drop + closer + credits - opener - fills - cash out, in minor units; null until all are known.';
COMMENT ON COLUMN analysis.table_days.handle IS 'What was staked and settled, in minor units.';
COMMENT ON COLUMN analysis.table_days.position IS 'Where in the ledger it begins.';

CREATE VIEW analysis.handles AS
SELECT handles.shoe, handles.spot, handles.handle::bigint AS handle, shoes.decks,
       shoes.table_code, shoes.gaming_day
  FROM projections.handles
  JOIN projections.table_shoes AS shoes USING (shoe);
COMMENT ON VIEW analysis.handles IS 'What was staked and settled. One row a shoe and spot.';
COMMENT ON COLUMN analysis.handles.shoe IS 'The shoe.';
COMMENT ON COLUMN analysis.handles.spot IS 'What was bet on.';
COMMENT ON COLUMN analysis.handles.handle IS 'What was staked and settled, in minor units.';
COMMENT ON COLUMN analysis.handles.decks IS 'How many decks the shoe has, on which the odds depend.';
COMMENT ON COLUMN analysis.handles.table_code IS 'The table.';
COMMENT ON COLUMN analysis.handles.gaming_day IS 'The gaming day.';

CREATE VIEW analysis.inventories AS
SELECT table_code, gaming_day, moment, chips, total, counted_by, signed_by,
       variance::bigint AS variance, level, first_position AS position
  FROM projections.inventories;
COMMENT ON VIEW analysis.inventories IS
    'What was in the tray when a table opened and closed. One row a count.';
COMMENT ON COLUMN analysis.inventories.table_code IS 'The table.';
COMMENT ON COLUMN analysis.inventories.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.inventories.moment IS 'opener or closer.';
COMMENT ON COLUMN analysis.inventories.chips IS 'Denomination in minor units to how many.';
COMMENT ON COLUMN analysis.inventories.total IS 'What they come to, in minor units.';
COMMENT ON COLUMN analysis.inventories.counted_by IS 'The number of who counted.';
COMMENT ON COLUMN analysis.inventories.signed_by IS 'The number of who signed.';
COMMENT ON COLUMN analysis.inventories.variance IS 'By how much the tray is off, in minor units; null for an opener.';
COMMENT ON COLUMN analysis.inventories.level IS 'Who is told of it: none, report or regulator.';
COMMENT ON COLUMN analysis.inventories.position IS 'Where in the ledger it stands.';

CREATE VIEW analysis.slips AS
SELECT slip, kind, requested_at, table_code, gaming_day, chips, total, requested_by, cashier,
       runner, dealer, supervisor, status, reason, first_position AS position
  FROM projections.slips;
COMMENT ON VIEW analysis.slips IS 'Every fill and credit, by its number. One row a slip.';
COMMENT ON COLUMN analysis.slips.slip IS 'Its number, without a gap in its year.';
COMMENT ON COLUMN analysis.slips.kind IS 'fill, from the cage to the tray, or credit, back.';
COMMENT ON COLUMN analysis.slips.requested_at IS 'When it was asked for.';
COMMENT ON COLUMN analysis.slips.table_code IS 'The table.';
COMMENT ON COLUMN analysis.slips.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.slips.chips IS 'Denomination in minor units to how many.';
COMMENT ON COLUMN analysis.slips.total IS 'What they come to, in minor units.';
COMMENT ON COLUMN analysis.slips.requested_by IS 'The number of who asked for it.';
COMMENT ON COLUMN analysis.slips.cashier IS 'The number of who issued it.';
COMMENT ON COLUMN analysis.slips.runner IS 'The number of who carried it.';
COMMENT ON COLUMN analysis.slips.dealer IS 'The number of the dealer who received it.';
COMMENT ON COLUMN analysis.slips.supervisor IS 'The number of the supervisor who did.';
COMMENT ON COLUMN analysis.slips.status IS 'requested, issued, carried, received or voided.';
COMMENT ON COLUMN analysis.slips.reason IS 'Why it was voided.';
COMMENT ON COLUMN analysis.slips.position IS 'Where in the ledger it begins.';

CREATE VIEW analysis.cash AS
SELECT cash.position, cash.at, cash.table_code, cash.gaming_day,
       coalesce(known.patron, cash.patron) AS patron, cash.patron AS patron_at_table,
       cash.direction, cash.kind, cash.amount
  FROM projections.cash
  LEFT JOIN projections.patron_identities AS known ON known.alias = cash.patron;
COMMENT ON VIEW analysis.cash IS
    'Cash in and out, never netted. One row a buy-in or cash-out.';
COMMENT ON COLUMN analysis.cash.position IS 'Where in the ledger it stands.';
COMMENT ON COLUMN analysis.cash.at IS 'When it changed hands.';
COMMENT ON COLUMN analysis.cash.table_code IS 'The table.';
COMMENT ON COLUMN analysis.cash.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.cash.patron IS 'Who brought or took it, as they are known by now.';
COMMENT ON COLUMN analysis.cash.patron_at_table IS 'The name that they had at the table.';
COMMENT ON COLUMN analysis.cash.direction IS 'in or out, as the house sees it.';
COMMENT ON COLUMN analysis.cash.kind IS 'buy-in or cash-out.';
COMMENT ON COLUMN analysis.cash.amount IS 'How much, in minor units.';

CREATE VIEW analysis.shoes AS
SELECT shoe, table_code, gaming_day, decks, serials, batch, colour, inspected_by, verified_by,
       shuffle_method, shuffle_device, cut_by, cut_card, burn_card, burned, first_coup, last_coup,
       coups, drawn, discarded, remaining, ended_why, first_position AS position, difference
  FROM projections.shoes;
COMMENT ON VIEW analysis.shoes IS 'The life of every shoe, from loaded to counted. One row a shoe.';
COMMENT ON COLUMN analysis.shoes.shoe IS 'Its address: table, gaming day, number.';
COMMENT ON COLUMN analysis.shoes.table_code IS 'The table.';
COMMENT ON COLUMN analysis.shoes.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.shoes.decks IS 'How many decks were loaded.';
COMMENT ON COLUMN analysis.shoes.serials IS 'The serials of the decks.';
COMMENT ON COLUMN analysis.shoes.batch IS 'The batch of pre-shuffled cards; null for none.';
COMMENT ON COLUMN analysis.shoes.colour IS 'The colour of the backs.';
COMMENT ON COLUMN analysis.shoes.inspected_by IS 'The number of who inspected it.';
COMMENT ON COLUMN analysis.shoes.verified_by IS 'The number of the second person.';
COMMENT ON COLUMN analysis.shoes.shuffle_method IS 'How it was shuffled: by hand, machine, generated, …';
COMMENT ON COLUMN analysis.shoes.shuffle_device IS 'The machine.';
COMMENT ON COLUMN analysis.shoes.cut_by IS 'Who cut it.';
COMMENT ON COLUMN analysis.shoes.cut_card IS 'How many cards lay behind the cut card.';
COMMENT ON COLUMN analysis.shoes.burn_card IS 'The card that was burned face up.';
COMMENT ON COLUMN analysis.shoes.burned IS 'How many cards were burned in all.';
COMMENT ON COLUMN analysis.shoes.first_coup IS 'The first coup dealt from it.';
COMMENT ON COLUMN analysis.shoes.last_coup IS 'The last one so far.';
COMMENT ON COLUMN analysis.shoes.coups IS 'How many coups.';
COMMENT ON COLUMN analysis.shoes.drawn IS 'How many cards were drawn from it.';
COMMENT ON COLUMN analysis.shoes.discarded IS 'How many cards were taken out of it.';
COMMENT ON COLUMN analysis.shoes.remaining IS 'How many were left; null until it has ended.';
COMMENT ON COLUMN analysis.shoes.ended_why IS 'Why it ended; null until it has.';
COMMENT ON COLUMN analysis.shoes.position IS 'Where in the ledger it begins.';
COMMENT ON COLUMN analysis.shoes.difference IS
    'How many cards were missing when it was counted; less than 0: too many; null: not counted.';

CREATE VIEW analysis.shoe_cards AS
SELECT cards.shoe, cards.card, shoes.decks AS expected, cards.drawn, cards.burned,
       cards.discarded, CASE WHEN shoes.rest_named THEN cards.remaining END AS remaining,
       shoes.table_code, shoes.gaming_day
  FROM projections.shoe_cards AS cards
  JOIN projections.shoes USING (shoe);
COMMENT ON VIEW analysis.shoe_cards IS
    'How each of the 52 cards left each shoe. One row a shoe and card.';
COMMENT ON COLUMN analysis.shoe_cards.shoe IS 'The shoe.';
COMMENT ON COLUMN analysis.shoe_cards.card IS 'Rank and suit, as in 9C or TH.';
COMMENT ON COLUMN analysis.shoe_cards.expected IS 'How many of it were loaded: one a deck.';
COMMENT ON COLUMN analysis.shoe_cards.drawn IS 'How many were drawn.';
COMMENT ON COLUMN analysis.shoe_cards.burned IS 'How many are known to be burned.';
COMMENT ON COLUMN analysis.shoe_cards.discarded IS 'How many were taken out.';
COMMENT ON COLUMN analysis.shoe_cards.remaining IS 'How many were left; null when those were not named.';
COMMENT ON COLUMN analysis.shoe_cards.table_code IS 'The table.';
COMMENT ON COLUMN analysis.shoe_cards.gaming_day IS 'The gaming day.';

CREATE VIEW analysis.exceptions AS
SELECT noted.position, noted.kind, noted.at, noted.table_code, noted.gaming_day, noted.shoe,
       noted.coup, coalesce(known.patron, noted.patron) AS patron,
       noted.patron AS patron_at_table, noted."by" AS done_by, noted.detail, noted.command_id
  FROM projections.exceptions AS noted
  LEFT JOIN projections.patron_identities AS known ON known.alias = noted.patron;
COMMENT ON VIEW analysis.exceptions IS
    'What somebody should look at. One row an exception.';
COMMENT ON COLUMN analysis.exceptions.position IS 'Where in the ledger it stands.';
COMMENT ON COLUMN analysis.exceptions.kind IS 'What it is: late bet, undue card, coup voided, …';
COMMENT ON COLUMN analysis.exceptions.at IS 'When it happened.';
COMMENT ON COLUMN analysis.exceptions.table_code IS 'The table; empty for the house''s own.';
COMMENT ON COLUMN analysis.exceptions.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.exceptions.shoe IS 'The shoe; null for none.';
COMMENT ON COLUMN analysis.exceptions.coup IS 'The coup; null for none.';
COMMENT ON COLUMN analysis.exceptions.patron IS 'The patron, as they are known by now; null for none.';
COMMENT ON COLUMN analysis.exceptions.patron_at_table IS 'The name that they had at the table.';
COMMENT ON COLUMN analysis.exceptions.done_by IS 'The numbers of who did it, and of the second person.';
COMMENT ON COLUMN analysis.exceptions.detail IS 'All that the fact tells; amounts are minor units.';
COMMENT ON COLUMN analysis.exceptions.command_id IS 'The command that told it.';

CREATE VIEW analysis.voids AS
SELECT voids.position, voids.kind, voids.original, voids.reason, voids.requested_by,
       voids.approved_by, voids.table_code, voids.gaming_day, voids.shoe,
       (CASE voids.kind WHEN 'coup voided' THEN returned.before
                        WHEN 'slip voided' THEN slips.total ELSE voids.before END)::bigint AS before,
       (CASE voids.kind WHEN 'coup voided' THEN returned.after ELSE voids.after END)::bigint
           AS after
  FROM projections.voids
  LEFT JOIN projections.slips ON slips.slip = voids.original
 CROSS JOIN LATERAL (SELECT sum(wagers.paid_before) AS before,
                            coalesce(sum(wagers.paid), 0) AS after
                       FROM projections.wagers WHERE wagers.coup = voids.original) AS returned;
COMMENT ON VIEW analysis.voids IS
    'What two people took back, put right or let go. One row an act.';
COMMENT ON COLUMN analysis.voids.position IS 'Where in the ledger it stands.';
COMMENT ON COLUMN analysis.voids.kind IS 'coup voided, payment corrected, commission waived or walked, slip voided.';
COMMENT ON COLUMN analysis.voids.original IS 'The coup, the wager (and as what it was paid), the stay or the slip.';
COMMENT ON COLUMN analysis.voids.reason IS 'Why, in the words of who asked for it.';
COMMENT ON COLUMN analysis.voids.requested_by IS 'The number of who asked for it.';
COMMENT ON COLUMN analysis.voids.approved_by IS 'The number of who approved it.';
COMMENT ON COLUMN analysis.voids.table_code IS 'The table.';
COMMENT ON COLUMN analysis.voids.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.voids.shoe IS 'The shoe; null for none.';
COMMENT ON COLUMN analysis.voids.before IS 'What was paid or owed, or what the slip came to, in minor units.';
COMMENT ON COLUMN analysis.voids.after IS 'The same afterwards, in minor units.';

CREATE VIEW analysis.access AS
SELECT position, at, gaming_day, staff, act, "by" AS done_by FROM projections.access;
COMMENT ON VIEW analysis.access IS
    'Who came and went, was turned away, and what changed about who may do what. One row an act.';
COMMENT ON COLUMN analysis.access.position IS 'Where in the ledger it stands.';
COMMENT ON COLUMN analysis.access.at IS 'When it happened.';
COMMENT ON COLUMN analysis.access.gaming_day IS 'The gaming day.';
COMMENT ON COLUMN analysis.access.staff IS 'The number of whom it is about; empty for the house''s own.';
COMMENT ON COLUMN analysis.access.act IS 'What happened, in words.';
COMMENT ON COLUMN analysis.access.done_by IS 'The number of who did it.';

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

GRANT SELECT ON ALL TABLES IN SCHEMA analysis TO sabot_auditor, sabot_analyst;
