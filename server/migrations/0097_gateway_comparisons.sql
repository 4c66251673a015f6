-- Once a day what a provider says that it settled is held against what is here. A row for each account says how far it was compared, and what came of it.
-- transaction: none
-- step
create table if not exists gateway_comparisons (
  project_id text collate "C" not null,
  livemode boolean not null,
  credential_id text collate "C" not null,
  gateway text not null,
  -- From when on, and until when, the provider's list was compared; null before the first time.
  begun_at timestamptz,
  compared_until timestamptz,
  -- What came of the newest comparison. `unlisted`: the provider has no list.
  status text check (status in ('equal', 'different', 'failed', 'unlisted')),
  ran_at timestamptz,
  -- Of the newest one that did not fail: lines that the provider listed, and what did not fit.
  lines integer not null default 0,
  differences integer not null default 0,
  error jsonb,
  state text not null default 'due' check (state in ('due', 'leased', 'set_aside', 'done')),
  due_at timestamptz not null,
  lease text,
  lease_until timestamptz,
  attempts integer not null default 0,
  deaths smallint not null default 0,
  created_at timestamptz not null,
  primary key (project_id, livemode, credential_id)
);
create index if not exists gateway_comparisons_due on gateway_comparisons (due_at) where state = 'due';
create index if not exists gateway_comparisons_leased on gateway_comparisons (lease_until) where state = 'leased';
create index if not exists gateway_comparisons_suspect on gateway_comparisons (due_at) where deaths > 1 and state in ('due', 'set_aside');
-- step
create or replace trigger gateway_comparisons_state_moves after update of state on gateway_comparisons for each row
  when (old.state <> new.state and old.state || '>' || new.state <> all (array[
    'due>leased', 'due>done',
    'leased>due', 'leased>set_aside', 'leased>done',
    'set_aside>due', 'set_aside>done']))
  execute function refuse_illegal_move('state');
-- Every account is compared, whichever version of the program adds it.
-- step
create or replace function compare_credential() returns trigger language plpgsql as $$
begin
  insert into gateway_comparisons (project_id, livemode, credential_id, gateway, due_at, created_at)
  values (new.project_id, new.livemode, new.id, new.gateway, app_now(), app_now())
  on conflict do nothing;
  return null;
end $$;
-- step
create or replace trigger gateway_credentials_compared after insert on gateway_credentials for each row execute function compare_credential();
-- step
insert into gateway_comparisons (project_id, livemode, credential_id, gateway, due_at, created_at)
select project_id, livemode, id, gateway, app_now(), app_now() from gateway_credentials where removed_at is null
on conflict do nothing;
-- What a comparison found and a person was told of, so that nobody is told twice.
-- step
create table if not exists gateway_differences (
  project_id text collate "C" not null,
  livemode boolean not null,
  credential_id text collate "C" not null,
  key text collate "C" not null,
  found_at timestamptz not null,
  primary key (project_id, livemode, credential_id, key)
);
-- When the provider's list named a payment or a refund of ours.
-- step
alter table gateway_payments add column if not exists listed_at timestamptz;
-- step
alter table refunds add column if not exists listed_at timestamptz;
-- step
create index concurrently if not exists refunds_by_gateway_refund on refunds (project_id, livemode, gateway_refund_id) where gateway_refund_id is not null;
-- step
create index concurrently if not exists gateway_payments_unlisted on gateway_payments (project_id, livemode, credential_id, (coalesce(paid_at, created_at)))
  where settled_id is not null and listed_at is null;
