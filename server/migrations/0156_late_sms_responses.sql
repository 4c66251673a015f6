-- transaction: none
-- Which part of its message an early report is about, if it is the late response to that part. null: the whole message.
-- step
alter table sms_early_receipts add column if not exists place smallint;
