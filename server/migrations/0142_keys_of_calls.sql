-- transaction: none
-- Earlier versions kept the keys pressed in a call after its texts were deleted, and those typed after a secret text.
-- step
create index concurrently if not exists calls_keys_left on calls (project_id, livemode, id)
  where said is null and (digits <> '' or gathered <> '{}');
-- step: repeat
update calls set gathered = '{}', digits = ''
where (project_id, livemode, id) in (
  select project_id, livemode, id from calls where said is null and state = 'done' and (digits <> '' or gathered <> '{}') limit 1000);
-- step
drop index concurrently if exists calls_keys_left;
