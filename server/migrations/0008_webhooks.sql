-- Endpoints of merchants, what each of them is owed, and every attempt to deliver it.

-- The order in which events became visible: one row, locked by whoever numbers events, until that commits.
create table event_sequence (
  one boolean primary key default true check (one),
  last bigint not null default 0
);
insert into event_sequence default values;

create index events_in_order on events (project_id, livemode, sequence) where sequence is not null;
alter table events set (autovacuum_vacuum_scale_factor = 0.02);

create table webhook_endpoints (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  url text not null,
  events text[] not null,
  description text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text,
  -- Sealed. During a roll the next secret signs beside the current one; the previous one stays for a day.
  secret text not null,
  secret_last4 text not null,
  next_secret text,
  next_secret_last4 text,
  rolled_at timestamptz,
  previous_secret text,
  previous_until timestamptz,
  api_version text not null,
  -- How it fares: the failures since the last success, and until when nothing is sent.
  consecutive_failures int not null default 0,
  failing_since timestamptz,
  -- How often its merchant was told of this failing: after a day, after three.
  warnings int not null default 0,
  last_success_at timestamptz,
  breaker_until timestamptz,
  breaker_trips int not null default 0,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz,
  primary key (project_id, livemode, id)
) with (fillfactor = 70);
create index webhook_endpoints_failing on webhook_endpoints (failing_since) where failing_since is not null and status = 'enabled' and removed_at is null;

create table webhook_deliveries (
  project_id text collate "C" not null,
  livemode boolean not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  sequence bigint not null,
  state text not null check (state in ('due', 'leased', 'succeeded', 'failed', 'skipped')),
  -- Place in the schedule: how many automatic attempts have failed.
  step int not null default 0,
  attempts int not null default 0,
  due_at timestamptz not null,
  -- A claim: whose, until when, and the state to go back to when it was made by hand and comes to nothing.
  lease text,
  lease_until timestamptz,
  back_to text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, endpoint_id, event_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
create index webhook_deliveries_due on webhook_deliveries (project_id, livemode, endpoint_id, due_at) where state = 'due';
create index webhook_deliveries_leased on webhook_deliveries (project_id, livemode, endpoint_id) where state = 'leased';
create index webhook_deliveries_open on webhook_deliveries (project_id, livemode, sequence) where state <> 'succeeded';
create index webhook_deliveries_age on webhook_deliveries using brin (created_at);

create table webhook_attempts (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  event text not null,
  attempt int not null,
  trigger text not null check (trigger in ('automatic', 'manual', 'test')),
  status text not null default 'started' check (status in ('started', 'succeeded', 'failed')),
  url text not null,
  response_status int,
  response_headers jsonb,
  response_body text,
  response_truncated boolean,
  error_code text,
  duration_ms int,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (project_id, livemode, endpoint_id, id)
) with (fillfactor = 70);
create unique index webhook_attempts_numbered on webhook_attempts (project_id, livemode, endpoint_id, event_id, attempt);
create index webhook_attempts_age on webhook_attempts using brin (created_at);
