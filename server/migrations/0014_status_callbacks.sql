-- Status callbacks: an object may name an address for its own events. What such an address is owed lies among the deliveries; one receiver stands
-- for all addresses of one origin, so that they share a schedule, a lease and a breaker as an endpoint's deliveries do.

alter table events add column callback_url text;

alter table webhook_endpoints add column kind text not null default 'endpoint' check (kind in ('endpoint', 'callback')),
  alter column secret drop not null,
  alter column secret_last4 drop not null,
  -- A receiver of callbacks has its origin as its address and signs with the secret of its project.
  add check ((kind = 'endpoint') = (secret is not null));
create unique index webhook_callback_origins on webhook_endpoints (project_id, livemode, url) where kind = 'callback';

alter table webhook_deliveries add column callback boolean not null default false;
drop index webhook_deliveries_open;
create index webhook_deliveries_open on webhook_deliveries (project_id, livemode, sequence) where state <> 'succeeded' and not callback;
create index webhook_deliveries_of_callbacks on webhook_deliveries (project_id, livemode, event_id) where callback;

-- What signs the callbacks of a project in one environment; made when the first is due. Sealed, and rolled as an endpoint's secret is.
create table callback_secrets (
  project_id text collate "C" not null,
  livemode boolean not null,
  secret text not null,
  secret_last4 text not null,
  next_secret text,
  next_secret_last4 text,
  rolled_at timestamptz,
  previous_secret text,
  previous_until timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode)
);
