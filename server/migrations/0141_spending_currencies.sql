-- The currency that money was counted in, so that a new price table in another one starts from nought. null: segments and minutes, and
-- money that was counted before this column or by an older program, which is in the currency of the price table.
alter table message_charges add column currency text;
alter table message_spending add column currency text;
-- What was used of the same period in other currencies, in millionths, by currency.
alter table message_spending add column other_currencies jsonb not null default '{}';
