-- Jobs that go alone or are set aside are few, and are found without reading the others.
-- transaction: none
-- step
create index concurrently if not exists webhook_deliveries_suspect on webhook_deliveries (due_at) where deaths > 1 and state in ('due', 'set_aside');
-- step
create index concurrently if not exists email_recipients_suspect on email_recipients (due_at) where deaths > 1 and state in ('due', 'set_aside');
-- step
create index concurrently if not exists notices_leased on notices (lease_until) where state = 'leased';
-- step
create index concurrently if not exists notices_suspect on notices (due_at) where deaths > 1 and state in ('due', 'set_aside');
-- step
alter table webhook_deliveries validate constraint webhook_deliveries_state_check;
-- step
alter table email_recipients validate constraint email_recipients_state_check;
-- step
alter table notices validate constraint notices_state_check;
-- step
alter table notices validate constraint notices_end_check;
