-- How many scheduled polls of a payment in a row its provider didn't answer; null: none.
alter table gateway_payments add column silent_asks smallint;
