-- The review queue is read oldest report first, a page at a time.
-- transaction: none
-- step
create index concurrently if not exists payment_sessions_waiting on payment_sessions (project_id, livemode, reported_at, order_id) where status = 'pending_verify';
