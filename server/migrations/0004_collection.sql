-- Personal receiving codes, the amounts they were asked for, and the receipts that came in on them.
create table collection_profiles (
  project_id text collate "C" not null references projects,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null check (channel in ('wechat', 'alipay')),
  enabled boolean not null,
  -- The code's text exactly as decoded; null when only a picture of it is kept.
  qr_payload text,
  qr_asset_id text collate "C",
  payee_name text,
  instructions jsonb not null default '{}',
  matching jsonb not null,
  session_minutes int not null check (session_minutes between 5 and 1440),
  limits jsonb not null default '{}',
  version int not null default 1,
  -- When takings last began to go elsewhere.
  code_changed_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (project_id, livemode, id),
  constraint collection_profiles_channel unique (project_id, livemode, channel),
  foreign key (project_id, livemode, qr_asset_id) references assets (project_id, livemode, id),
  check (qr_payload is not null or qr_asset_id is not null)
);

-- Amounts that buyers were asked for. One belongs to one session until `held_until`, a day after that session's end:
-- a late transfer must not pay for the next order.
create table amount_locks (
  project_id text collate "C" not null,
  livemode boolean not null,
  profile_id text collate "C" not null,
  payable_amount_minor bigint not null check (payable_amount_minor > 0),
  session_id text collate "C" not null,
  held_until timestamptz not null,
  primary key (project_id, livemode, profile_id, payable_amount_minor),
  foreign key (project_id, livemode, profile_id) references collection_profiles (project_id, livemode, id)
);

create table receipts (
  project_id text collate "C" not null references projects,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null check (channel in ('wechat', 'alipay')),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  occurred_at timestamptz not null,
  external_id text collate "C",
  -- Stands in for the number of the transfer where the source gave none.
  content_hash text,
  remark text,
  payer_hint text,
  source text not null check (source in ('listener', 'statement', 'manual')),
  status text not null default 'unmatched' check (status in ('unmatched', 'matched', 'linked', 'ignored')),
  payment_session_id text collate "C",
  -- The receipt of another source that shows the same transfer; each is the twin of one receipt a source at most.
  twin_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  check ((external_id is null) = (content_hash is not null))
);
create unique index receipts_external on receipts (project_id, livemode, channel, external_id) where external_id is not null;
create unique index receipts_content on receipts (project_id, livemode, channel, content_hash) where content_hash is not null;
create unique index receipts_twin on receipts (project_id, livemode, twin_id, source) where twin_id is not null;
create index receipts_by_amount on receipts (project_id, livemode, channel, amount_minor, occurred_at);
create index receipts_waiting on receipts (created_at) where status = 'unmatched';
