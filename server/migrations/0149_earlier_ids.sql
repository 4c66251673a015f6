-- transaction: none
-- A payment that is requested again may get another id from its provider. The earlier ones still lead to it: its buyer may pay there.
-- step
alter table gateway_payments add column if not exists earlier_ids text[];
-- step
create index concurrently if not exists gateway_payments_by_earlier on gateway_payments using gin (earlier_ids)
  where earlier_ids is not null;
