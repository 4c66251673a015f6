-- Payments through a provider: what is known of each there, and when it is asked next. The session's id is the payment's reference at the provider.
create table gateway_payments (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  payment_session_id text collate "C" not null,
  order_id text collate "C" not null,
  gateway text not null,
  -- The account that it is paid to: a credential of the gateway's.
  credential_id text collate "C" not null,
  -- `creating`: asked for, and no answer has been written down. `unknown`: the answer was lost. `done`: nothing more is expected of the provider.
  status text not null default 'creating' check (status in ('creating', 'open', 'unknown', 'done')),
  provider_id text collate "C",
  capture_id text collate "C",
  -- The provider's own word for the state.
  provider_state text,
  -- The number that its money has in the books, from the moment on when it was settled. A later answer that names the money otherwise is still the same money.
  settled_id text collate "C",
  paid_minor bigint,
  paid_currency text,
  paid_at timestamptz,
  -- What the provider keeps. Booked nowhere: only some providers tell it, and in a currency of their own.
  fee_minor bigint,
  fee_currency text,
  failure_code text,
  failure_message text,
  -- The case for a person that was opened because its outcome never became known, or because it fits nothing.
  exception_id text collate "C",
  -- When the buyer was first given a way to pay it, and until when that works where it ends before the session.
  opened_at timestamptz,
  action_expires_at timestamptz,
  -- Questions by the calendar, and those since somebody began to watch the page.
  asks smallint not null default 0,
  looks smallint not null default 0,
  watched_until timestamptz,
  state text not null default 'due' check (state in ('due', 'leased', 'set_aside', 'done')),
  due_at timestamptz not null,
  lease text,
  lease_until timestamptz,
  attempts integer not null default 0,
  deaths smallint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  unique (project_id, livemode, payment_session_id),
  foreign key (project_id, livemode, payment_session_id) references payment_sessions (project_id, livemode, id),
  constraint gateway_payments_done_check check ((status = 'done') = (state = 'done'))
);
create index gateway_payments_due on gateway_payments (due_at) where state = 'due';
create index gateway_payments_leased on gateway_payments (lease_until) where state = 'leased';
create index gateway_payments_suspect on gateway_payments (due_at) where deaths > 1 and state in ('due', 'set_aside');
create index gateway_payments_open on gateway_payments (project_id, livemode, order_id) where status <> 'done';
create index gateway_payments_by_session on gateway_payments (payment_session_id);
create index gateway_payments_by_provider on gateway_payments (provider_id) where provider_id is not null;

create trigger gateway_payments_status_moves after update of status on gateway_payments for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'creating>open', 'creating>unknown', 'creating>done',
    'open>done',
    'unknown>open', 'unknown>done']))
  execute function refuse_illegal_move('status');
create trigger gateway_payments_state_moves after update of state on gateway_payments for each row
  when (old.state <> new.state and old.state || '>' || new.state <> all (array[
    'due>leased', 'due>done',
    'leased>due', 'leased>set_aside', 'leased>done',
    'set_aside>due', 'set_aside>done']))
  execute function refuse_illegal_move('state');

-- What providers told us, verified and not yet applied, or applied. A provider tells each event many times.
create table gateway_callbacks (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  gateway text not null,
  credential_id text collate "C" not null,
  dedupe_key text collate "C" not null,
  event text not null,
  told jsonb not null,
  -- What applying it came to.
  outcome text check (outcome in ('applied', 'nothing', 'not_ours')),
  state text not null default 'due' check (state in ('due', 'leased', 'set_aside', 'done')),
  due_at timestamptz not null,
  lease text,
  lease_until timestamptz,
  attempts integer not null default 0,
  deaths smallint not null default 0,
  received_at timestamptz not null,
  applied_at timestamptz,
  primary key (project_id, livemode, id),
  unique (project_id, livemode, credential_id, dedupe_key)
);
create index gateway_callbacks_due on gateway_callbacks (due_at) where state = 'due';
create index gateway_callbacks_leased on gateway_callbacks (lease_until) where state = 'leased';
create index gateway_callbacks_suspect on gateway_callbacks (due_at) where deaths > 1 and state in ('due', 'set_aside');
create index gateway_callbacks_unapplied on gateway_callbacks (received_at) where state <> 'done';
create index gateway_callbacks_applied on gateway_callbacks (applied_at) where state = 'done';

create trigger gateway_callbacks_state_moves after update of state on gateway_callbacks for each row
  when (old.state <> new.state and old.state || '>' || new.state <> all (array[
    'due>leased', 'due>done',
    'leased>due', 'leased>set_aside', 'leased>done',
    'set_aside>due', 'set_aside>done']))
  execute function refuse_illegal_move('state');

-- Callbacks that were not believed, or are nobody's: for a person who looks for a fault in a set-up. Few are kept, and not for long.
create table gateway_strays (
  id text collate "C" primary key,
  gateway text not null,
  credential_id text collate "C",
  reason text not null,
  path text not null,
  headers jsonb not null,
  body bytea not null,
  received_at timestamptz not null
);
create index gateway_strays_by_age on gateway_strays (received_at, id);
