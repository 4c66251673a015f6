-- Incoming money of the personal channels as a statement, a listener or a person shows it.
create table receipts (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null check (channel in ('wechat', 'alipay')),
  currency text not null,
  amount_minor bigint not null check (amount_minor between 1 and 99999999999),
  occurred_at timestamptz not null,
  -- The wallet's own number, or a hash of the content where the source has none: seen once, taken once.
  external_id text collate "C" not null,
  remark text,
  payer_hint text,
  source text not null check (source in ('listener', 'statement', 'manual')),
  status text not null default 'unmatched' check (status in ('unmatched', 'matched', 'linked', 'ignored')),
  payment_session_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id)
);
create unique index receipts_seen on receipts (project_id, livemode, channel, external_id);
create index receipts_by_amount on receipts (project_id, livemode, channel, amount_minor, occurred_at);
create index receipts_waiting on receipts (created_at) where status = 'unmatched';
