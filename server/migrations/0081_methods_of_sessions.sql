-- Sessions from before have their method, their data and their account too.
-- transaction: none
-- step
create index concurrently if not exists payment_sessions_unmoved on payment_sessions (project_id, livemode, id) where method is null;
-- step: repeat
update payment_sessions s set method = s.gateway, method_data = personal_data_of(s),
  account = (select a.channel || ':' || a.account_ref from askings a where a.project_id = s.project_id and a.livemode = s.livemode and a.id = s.asking_id)
where (s.project_id, s.livemode, s.id) in (select project_id, livemode, id from payment_sessions where method is null limit 1000);
-- step
drop index concurrently if exists payment_sessions_unmoved;
