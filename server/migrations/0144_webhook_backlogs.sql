-- transaction: none
-- Registered endpoints are found apart from the receivers of callbacks, of which a project has as many as it names origins.
-- step
create index concurrently if not exists webhook_endpoints_registered on webhook_endpoints (project_id, livemode, removed_at)
  where kind = 'endpoint';
-- step
alter table webhook_endpoints
  -- When its history was last looked for, if it is one that is deleted with its history.
  add column if not exists history_checked_at timestamptz;
-- step
create index concurrently if not exists webhook_endpoints_passing on webhook_endpoints (coalesce(history_checked_at, created_at))
  where kind = 'callback' or removed_at is not null;
-- step
-- What is left of a long backlog of an endpoint that was disabled, enabled, deleted, or subscribed to less. It is skipped in portions.
create table if not exists webhook_skips (
  project_id text collate "C" not null,
  livemode boolean not null,
  endpoint_id text collate "C" not null,
  id bigint generated always as identity,
  -- What became due later isn't skipped.
  due_before timestamptz not null,
  -- Names and families that are not skipped; null: everything is.
  kept_events text[],
  primary key (project_id, livemode, endpoint_id, id)
);
-- step
create index concurrently if not exists webhook_deliveries_callbacks_due on webhook_deliveries (created_at)
  where callback and state = 'due';
-- step
alter table callback_secrets
  -- When the merchant was last told that callbacks of this project fail.
  add column if not exists failing_told_at timestamptz;
-- step
-- A callback also fails while it waits, once it is too old to be sent.
create or replace trigger webhook_deliveries_state_moves after update of state on webhook_deliveries for each row
  when (old.state <> new.state and old.state || '>' || new.state <> all (array[
    'due>leased', 'due>skipped', 'due>failed',
    'leased>due', 'leased>set_aside', 'leased>succeeded', 'leased>failed', 'leased>skipped',
    'set_aside>due', 'set_aside>leased',
    'succeeded>due', 'succeeded>leased',
    'failed>due', 'failed>leased',
    'skipped>due', 'skipped>leased']))
  execute function refuse_illegal_move('state');
