-- What is looked through to be forgotten: batches that still have their details, and the days of usage.
create index batches_to_forget on batches (created_at) where items <> '[]'::jsonb or errors <> '[]'::jsonb;
create index usage_counters_by_day on usage_counters (day);
