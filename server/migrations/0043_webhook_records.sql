-- Test events belong to one endpoint and appear in no list and no stream; attempts are listed from the moment they are sent.

alter table events add column test boolean not null default false;
update events e set test = true
from webhook_attempts a
where a.trigger = 'test' and e.project_id = a.project_id and e.livemode = a.livemode and e.id = a.event_id;

-- Whether a replay scheduled this delivery: its attempts say so.
alter table webhook_deliveries add column replay boolean not null default false;

-- When the request began. Null while the attempt is only claimed, and on attempts that were written before this column came and have ended.
alter table webhook_attempts add column sent_at timestamptz;
alter table webhook_attempts drop constraint webhook_attempts_trigger_check;
-- Not validated: every earlier row passed the narrower rule, and reading them all would hold up deliveries.
alter table webhook_attempts add constraint webhook_attempts_trigger_check check (trigger in ('automatic', 'manual', 'test', 'replay')) not valid;
