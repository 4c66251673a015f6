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
