-- Refunds that a provider makes: what is known of each there, and when the provider is asked about it next. The refund's id is its reference at the provider.
-- transaction: none
-- step
create table if not exists gateway_refunds (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  -- The payment at the provider whose money goes back.
  payment_session_id text collate "C" not null,
  gateway text not null,
  credential_id text collate "C" not null,
  provider_refund_id text collate "C",
  -- The provider's own word for the state.
  provider_state text,
  -- When the provider last told of it; null while nobody knows whether the provider has it.
  told_at timestamptz,
  -- The request that asked for it, so that its repeat under the same Idempotency-Key finds it.
  request_key text collate "C",
  -- The case for a person that was opened because the provider never said what became of it.
  exception_id text collate "C",
  asks smallint not null default 0,
  -- `leased` from the start: whoever wrote it down is asking.
  state text not null check (state in ('due', 'leased', 'set_aside', 'done')),
  due_at timestamptz not null,
  lease text,
  lease_until timestamptz,
  attempts integer not null default 0,
  deaths smallint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  foreign key (project_id, livemode, id) references refunds (project_id, livemode, id)
);
-- step
create index if not exists gateway_refunds_due on gateway_refunds (due_at) where state = 'due';
-- step
create index if not exists gateway_refunds_leased on gateway_refunds (lease_until) where state = 'leased';
-- step
create index if not exists gateway_refunds_suspect on gateway_refunds (due_at) where deaths > 1 and state in ('due', 'set_aside');
-- step
create index if not exists gateway_refunds_of_payment on gateway_refunds (project_id, livemode, payment_session_id);
-- step
create index if not exists gateway_refunds_of_request on gateway_refunds (project_id, livemode, request_key) where request_key is not null;
-- step
create unique index if not exists gateway_refunds_at_provider on gateway_refunds (project_id, livemode, credential_id, provider_refund_id)
  where provider_refund_id is not null;
-- step
create or replace trigger gateway_refunds_state_moves after update of state on gateway_refunds for each row
  when (old.state <> new.state and old.state || '>' || new.state <> all (array[
    'due>leased', 'due>done',
    'leased>due', 'leased>set_aside', 'leased>done',
    'set_aside>due', 'set_aside>done',
    'done>due']))
  execute function refuse_illegal_move('state');
-- step
create index concurrently if not exists gateway_payments_by_capture on gateway_payments (project_id, livemode, credential_id, capture_id) where capture_id is not null;
-- step
create index concurrently if not exists gateway_payments_by_number on gateway_payments (project_id, livemode, gateway, settled_id) where settled_id is not null;
