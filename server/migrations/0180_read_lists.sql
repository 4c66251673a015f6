-- How often the present day's list was read although its comparison failed: a line that the provider doesn't explain in several of these
-- attempts no longer keeps the day open. Attempts whose list failed don't count.
alter table gateway_comparisons add column read_attempts integer not null default 0;
