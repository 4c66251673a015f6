-- transaction: none
-- Registered endpoints are found apart from the receivers of callbacks, of which a project has as many as it names origins.
-- step
create index concurrently if not exists webhook_endpoints_registered on webhook_endpoints (project_id, livemode, removed_at) where kind = 'endpoint';
-- step
alter table webhook_endpoints
  -- When its history was last looked for, if it is one that is deleted with its history.
  add column if not exists history_checked_at timestamptz;
-- step
create index concurrently if not exists webhook_endpoints_passing on webhook_endpoints (coalesce(history_checked_at, created_at))
  where kind = 'callback' or removed_at is not null;
-- step
-- What is left of a long backlog of an endpoint that was disabled, enabled, deleted, or subscribed to less. It is skipped a portion at a time.
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
