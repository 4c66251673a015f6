-- transaction: none
-- Due calls in one order, also those that are due at the same time: a page of them begins behind a certain call.
-- step
create index concurrently if not exists calls_next on calls (livemode, project_id, country, due_at, id) where state = 'due';
-- step
drop index concurrently if exists calls_due;
