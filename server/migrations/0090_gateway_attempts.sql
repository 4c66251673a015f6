-- Every try of a call to a payment provider that asked it something, without its secrets. Kept for some weeks.
create table gateway_attempts (
  project_id text collate "C" not null,
  livemode boolean not null,
  credential_id text collate "C" not null,
  id text collate "C" not null,
  gateway text not null,
  verb text not null,
  reference text,
  try int not null,
  outcome text not null,
  code text,
  message text,
  provider_request_id text,
  duration_ms int not null,
  -- Each request of the try: method, address without its query, status.
  exchanges jsonb not null,
  request_id text,
  created_at timestamptz not null,
  primary key (project_id, livemode, credential_id, id)
);
create index gateway_attempts_age on gateway_attempts (created_at);
