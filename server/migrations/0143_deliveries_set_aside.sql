-- transaction: none
-- Earlier versions lost sight of a delivery that was set aside and then failed when resent manually: nothing listed or released it.
-- step
create index concurrently if not exists webhook_deliveries_lost_sight on webhook_deliveries (project_id, livemode, endpoint_id, event_id)
  where state = 'set_aside' and deaths < 2;
-- step: repeat
update webhook_deliveries set deaths = 2
where (project_id, livemode, endpoint_id, event_id) in (
  select project_id, livemode, endpoint_id, event_id from webhook_deliveries where state = 'set_aside' and deaths < 2 limit 1000);
-- step
drop index concurrently if exists webhook_deliveries_lost_sight;
