-- Orders and all that must change with them in one transaction.
create table orders (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  reference text not null,
  status text not null default 'unpaid' check (status in ('unpaid', 'pending_verify', 'paid', 'failed', 'expired', 'canceled')),
  flags text[] not null default '{}',
  version int not null default 1,
  amount_minor bigint not null check (amount_minor between 1 and 99999999999),
  currency text not null,
  exponent smallint not null,
  amount_received_minor bigint not null default 0 check (amount_received_minor >= 0),
  amount_refunded_minor bigint not null default 0 check (amount_refunded_minor between 0 and amount_received_minor),
  description text,
  metadata jsonb not null default '{}',
  customer jsonb not null default '{}',
  return_url text,
  locale text not null default 'auto',
  failure_code text,
  -- What the buyer is told of the last rejected proof: {reason_code, note, at}.
  rejection jsonb,
  expires_at timestamptz not null,
  paid_at timestamptz,
  failed_at timestamptz,
  canceled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  check ((status = 'paid') = (paid_at is not null))
) with (fillfactor = 90);
create unique index orders_reference on orders (project_id, livemode, reference) where status not in ('failed', 'expired', 'canceled');
create index orders_by_reference on orders (project_id, livemode, reference text_pattern_ops);
create index orders_by_status on orders (project_id, livemode, status, id);
create index orders_by_time on orders (project_id, livemode, created_at);
create index orders_by_email on orders (project_id, livemode, lower(customer ->> 'email') text_pattern_ops) where customer ->> 'email' is not null;
create index orders_due on orders (expires_at) where status = 'unpaid';

create function refuse_illegal_order_move() returns trigger language plpgsql as $$
begin
  if old.status = new.status then return new; end if;
  if (old.status, new.status) in (
    ('unpaid', 'pending_verify'), ('unpaid', 'paid'), ('unpaid', 'failed'), ('unpaid', 'expired'), ('unpaid', 'canceled'),
    ('pending_verify', 'paid'), ('pending_verify', 'unpaid'), ('pending_verify', 'failed'),
    ('expired', 'unpaid'), ('expired', 'pending_verify'), ('expired', 'paid'),
    ('failed', 'pending_verify'), ('failed', 'paid'))
  then return new; end if;
  raise exception 'an order does not move from % to %', old.status, new.status using errcode = '23514', constraint = 'orders_moves';
end $$;
create trigger orders_moves before update of status on orders for each row execute function refuse_illegal_order_move();

create table payment_links (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  token text collate "C" not null unique,
  revoked_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, livemode, id),
  foreign key (project_id, livemode, order_id) references orders (project_id, livemode, id)
);
create index payment_links_of_order on payment_links (project_id, livemode, order_id, id);

create table payment_sessions (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  gateway text not null,
  channel text not null,
  status text not null check (status in ('pending', 'processing', 'pending_verify', 'succeeded', 'failed', 'expired', 'canceled')),
  amount_minor bigint not null check (amount_minor > 0),
  payable_amount_minor bigint not null check (payable_amount_minor > 0),
  currency text not null,
  -- The profile as it stood when the session opened: a later change does not reach a buyer who is already paying.
  profile_id text collate "C",
  qr_payload text,
  qr_asset_id text collate "C",
  payee_name text,
  instructions jsonb not null default '{}',
  matching_mode text not null default 'exact' check (matching_mode in ('exact', 'remark', 'unique_amount')),
  remark_code text,
  expires_at timestamptz not null,
  reported_at timestamptz,
  verified_at timestamptz,
  reviewed_by text,
  failure_code text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  foreign key (project_id, livemode, order_id) references orders (project_id, livemode, id)
);
create unique index payment_sessions_open on payment_sessions (project_id, livemode, order_id) where status in ('pending', 'processing', 'pending_verify');
create unique index payment_sessions_remark on payment_sessions (project_id, livemode, channel, remark_code) where remark_code is not null and status in ('pending', 'processing', 'pending_verify');
create index payment_sessions_of_order on payment_sessions (project_id, livemode, order_id, id);
create index payment_sessions_by_amount on payment_sessions (project_id, livemode, channel, payable_amount_minor, id);
create index payment_sessions_due on payment_sessions (expires_at) where status = 'pending';

create table vouchers (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  payment_session_id text collate "C" not null,
  status text not null check (status in ('submitted', 'approved', 'rejected', 'superseded')),
  asset_id text collate "C",
  transaction_reference text,
  payer_name text,
  paid_at timestamptz,
  amount_minor bigint,
  note text,
  sha256 text,
  risk_flags text[] not null default '{}',
  reviewed_by text,
  reviewed_at timestamptz,
  rejection_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  foreign key (project_id, livemode, order_id) references orders (project_id, livemode, id)
);
create unique index vouchers_open on vouchers (project_id, livemode, order_id) where status = 'submitted';
create index vouchers_of_order on vouchers (project_id, livemode, order_id, id);
create index vouchers_by_image on vouchers (project_id, livemode, sha256) where sha256 is not null;
create index vouchers_by_asset on vouchers (project_id, livemode, asset_id) where asset_id is not null;
create index vouchers_by_reference on vouchers (project_id, livemode, transaction_reference) where transaction_reference is not null;

-- Every piece of money that was seen, once: a repeat of the same external id finds the first one's outcome.
create table received_payments (
  project_id text collate "C" not null,
  livemode boolean not null,
  gateway text not null,
  external_id text collate "C" not null,
  order_id text collate "C",
  payment_session_id text collate "C",
  source text not null,
  outcome text not null check (outcome in ('paid', 'underpaid', 'exception')),
  exception_id text collate "C",
  -- The statement or listener receipt that shows the same transfer, once one was found.
  receipt_id text collate "C",
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  primary key (project_id, livemode, gateway, external_id)
);
create index received_payments_of_session on received_payments (project_id, livemode, payment_session_id);
create index received_payments_of_order on received_payments (project_id, livemode, order_id);
create unique index received_payments_receipt on received_payments (project_id, livemode, receipt_id) where receipt_id is not null;
create index received_payments_by_amount on received_payments (project_id, livemode, gateway, amount_minor, occurred_at);

create table payment_exceptions (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  kind text not null check (kind in ('late', 'duplicate', 'underpaid', 'overpaid', 'unmatched', 'mismatch')),
  status text not null default 'open' check (status in ('open', 'resolved')),
  order_id text collate "C",
  payment_session_id text collate "C",
  receipt_id text collate "C",
  gateway text not null,
  external_id text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  -- The transfer that holds the money. Releasing it reverses that transfer.
  transaction_id text collate "C" not null,
  detail jsonb not null default '{}',
  resolution text check (resolution in ('accept', 'refund', 'ignore', 'applied')),
  resolution_note text,
  resolved_order_id text collate "C",
  resolved_by text,
  resolved_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  unique (project_id, livemode, transaction_id),
  foreign key (project_id, livemode, transaction_id) references ledger_transfers (project_id, livemode, id)
);
create index payment_exceptions_of_order on payment_exceptions (project_id, livemode, order_id) where order_id is not null;
create index payment_exceptions_by_status on payment_exceptions (project_id, livemode, status, id);
