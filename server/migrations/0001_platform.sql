-- What every room stands on: idempotency keys, the outbox of events, notices to people.
create table idempotency_keys (
  project_id text collate "C" not null,
  livemode boolean not null,
  method text not null,
  path text not null,
  key text not null,
  fingerprint text not null,
  result text,
  created_at timestamptz not null,
  primary key (project_id, livemode, method, path, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table events (
  id text collate "C" not null,
  project_id text collate "C" not null,
  livemode boolean not null,
  event text not null,
  object_id text collate "C",
  -- The exact bytes that are signed and sent, at every attempt.
  body bytea not null,
  -- Stamped by the fan-out in commit-safe order; null until then.
  sequence bigint,
  created_at timestamptz not null,
  primary key (project_id, livemode, id)
);
create index events_of_object on events (project_id, livemode, object_id, id);
create index events_not_fanned_out on events (id) where sequence is null;

create table notices (
  id text collate "C" primary key,
  kind text not null,
  recipient text not null,
  -- Sealed: a notice may carry an address or a one-time code.
  params text not null,
  state text not null default 'due' check (state in ('due', 'sent', 'failed')),
  attempts int not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null
);
create index notices_due on notices (due_at) where state = 'due';
