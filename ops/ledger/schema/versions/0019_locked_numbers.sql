-- Numbers that are locked already are alerts too: these rows are grown again.
DELETE FROM projections.alerts;
DELETE FROM projections.alert_places;
DELETE FROM projections.progress WHERE projection = 'alerts';
