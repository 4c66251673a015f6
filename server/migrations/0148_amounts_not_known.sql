-- transaction: none
-- An exception may be about something at a provider whose amount isn't known: a line of its list that can't be read, days without a
-- comparison. Its amount is 0. The constraint that required more is replaced.
-- step
alter table payment_exceptions drop constraint if exists payment_exceptions_amount;
alter table payment_exceptions add constraint payment_exceptions_amount check (amount_minor >= 0) not valid;
-- step
alter table payment_exceptions validate constraint payment_exceptions_amount;
-- step
alter table payment_exceptions drop constraint if exists payment_exceptions_amount_minor_check;
