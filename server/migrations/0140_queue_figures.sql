-- transaction: none
-- What operators and each scrape of the metrics count: without these, every reading went through all emails and all deliveries that ever failed.
-- step
create index concurrently emails_open on emails (created_at) where status in ('queued', 'sending', 'delivery_delayed');
-- step
create index concurrently emails_failed on emails (updated_at) where status = 'failed';
-- step
create index concurrently webhook_deliveries_failed on webhook_deliveries (updated_at) where state = 'failed';
-- step
create index concurrently sms_failed on sms (updated_at) where status = 'failed';
-- step
create index concurrently calls_failed on calls (updated_at) where status = 'failed';
