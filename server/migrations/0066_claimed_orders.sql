-- The dashboard counts the canceled orders whose buyers say that they paid.
-- transaction: none
-- step
create index concurrently if not exists orders_claimed on orders (project_id, livemode, claimed_at) where claimed_at is not null;
