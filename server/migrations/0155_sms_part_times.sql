-- transaction: none
-- When a part was delivered or not, as its carrier says; `reported_at` is when its report arrived.
-- step
alter table sms_parts add column if not exists occurred_at timestamptz;
