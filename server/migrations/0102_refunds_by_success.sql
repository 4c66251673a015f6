-- Figures count what went back to buyers by the day on which it did.
-- transaction: none
-- step
create index concurrently if not exists refunds_by_success on refunds (project_id, livemode, succeeded_at) where status = 'succeeded' and order_id is not null and exception_id is null;
