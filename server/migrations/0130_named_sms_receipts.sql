-- Reports that name their message by what we called it: they also decide about one whose answer was lost, and with it the carrier's id.
alter table sms_early_receipts add column project_id text collate "C";
alter table sms_early_receipts add column livemode boolean;
alter table sms_early_receipts add column sms_id text collate "C";
