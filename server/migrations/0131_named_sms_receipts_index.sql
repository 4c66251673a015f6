-- transaction: none
-- step
create index concurrently sms_early_receipts_by_message on sms_early_receipts (project_id, livemode, sms_id) where sms_id is not null;
