-- What LIVE messages and calls of a project have taken in a day and a month (UTC), what was reserved for them included.
create table message_spending (
  project_id text collate "C" not null,
  livemode boolean not null,
  -- Money by the price table; segments and minutes where it has no prices.
  measure text collate "C" not null check (measure in ('spend_micros', 'segments', 'minutes')),
  -- `2026-11-24` or `2026-11`.
  period text collate "C" not null,
  used bigint not null check (used >= 0),
  -- The part of its cap, in percent, whose reaching was told.
  told smallint not null default 0,
  primary key (project_id, livemode, measure, period)
) with (fillfactor = 50);
create index message_spending_old on message_spending (period);

-- What one LIVE message or call costs, and where it went: reserved when it is accepted, corrected when it comes to less.
create table message_charges (
  project_id text collate "C" not null,
  livemode boolean not null,
  message_id text collate "C" not null,
  channel text not null check (channel in ('sms', 'call')),
  recipient text collate "C" not null,
  -- The range that the number is in: its country's calling code and three more digits.
  prefix text collate "C" not null,
  measure text not null,
  -- The day that it counts in, and its month.
  day date not null,
  -- Of a segment or a minute.
  unit_amount bigint not null,
  reserved bigint not null,
  amount bigint not null,
  settled boolean not null default false,
  created_at timestamptz not null,
  primary key (project_id, livemode, message_id)
);
create index message_charges_by_range on message_charges (project_id, livemode, channel, prefix, created_at);
create index message_charges_old on message_charges (created_at);

-- How many LIVE messages or calls a number has had of late, in a short and a long window.
create table recipient_windows (
  project_id text collate "C" not null,
  livemode boolean not null,
  channel text collate "C" not null,
  recipient text collate "C" not null,
  short_used int not null,
  short_ends timestamptz not null,
  long_used int not null,
  long_ends timestamptz not null,
  primary key (project_id, livemode, channel, recipient)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index recipient_windows_ended on recipient_windows (long_ends);

-- LIVE messages and calls by range of numbers and ten minutes: what traffic is judged by.
create table traffic_counts (
  project_id text collate "C" not null,
  livemode boolean not null,
  channel text collate "C" not null,
  prefix text collate "C" not null,
  slot timestamptz not null,
  messages int not null default 0,
  -- Of them, codes of verifications; and codes that came back.
  codes int not null default 0,
  approved int not null default 0,
  primary key (project_id, livemode, channel, prefix, slot)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
create index traffic_counts_by_time on traffic_counts (slot);

-- Ranges of numbers that a project's LIVE messages or calls are kept from, because what went there looked like abuse.
create table messaging_pauses (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null unique,
  channel text not null check (channel in ('sms', 'call')),
  prefix text collate "C" not null,
  cause text not null check (cause in ('sequential_numbers', 'dominant_prefix', 'no_conversions')),
  -- What was counted: {messages, codes, approved, share_percent, sequential_percent}.
  figures jsonb not null,
  status text not null check (status in ('active', 'released')),
  paused_at timestamptz not null,
  released_at timestamptz,
  primary key (project_id, livemode, id),
  constraint messaging_pauses_released check ((status = 'released') = (released_at is not null))
);
create unique index messaging_pauses_active on messaging_pauses (project_id, livemode, channel, prefix) where status = 'active';
create index messaging_pauses_by_status on messaging_pauses (status, id);
create trigger messaging_pauses_status_moves after update of status on messaging_pauses for each row
  when (old.status <> new.status and old.status || '>' || new.status <> 'active>released')
  execute function refuse_illegal_move('status');
