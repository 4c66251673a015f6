-- Codes that prove who reads a number or an address. What a code is stands nowhere: only what a given one is compared with, and that goes with the verification's end.
create table verifications (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  status text not null check (status in ('pending', 'approved', 'failed', 'expired', 'canceled')),
  version int not null default 1,
  -- How many events it has had; the last of them.
  sequence int not null default 0,
  last_event text,
  -- A telephone number, or an address of e-mail in its canonical form.
  recipient text collate "C" not null,
  -- ISO 3166 of a number; null for an address.
  country text collate "C",
  -- In the order in which they are tried; the one that the last code went by.
  channels text[] not null check (cardinality(channels) > 0),
  channel text not null,
  sender text,
  locale text,
  template text not null,
  -- The host that the last line of an SMS names.
  origin text,
  code_length smallint not null check (code_length between 4 and 10),
  -- HMAC of the code, and the number of the master key that its key comes from.
  code_mac text,
  key_number int not null,
  checks_left smallint not null check (checks_left >= 0),
  sends_left smallint not null check (sends_left >= 0),
  -- {channel, message_id, cause, created_at} of each code that was sent, the first one first.
  sends jsonb not null default '[]',
  -- Seconds after which the next channel is tried, and when that is.
  fallback_s int,
  fallback_at timestamptz,
  -- Why the last message came to nothing.
  error jsonb,
  -- What its messages are counted by.
  tier text not null,
  metadata jsonb not null default '{}',
  -- When a worker looks at it: how its message fares, whether its time is up.
  due_at timestamptz not null,
  looks int not null default 0,
  expires_at timestamptz not null,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  constraint verifications_code check ((status = 'pending') = (code_mac is not null)),
  constraint verifications_ended check ((status = 'pending') = (ended_at is null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index verifications_by_status on verifications (project_id, livemode, status, id);
create index verifications_by_recipient on verifications (project_id, livemode, recipient, id);
create index verifications_by_time on verifications (project_id, livemode, created_at);
create index verifications_due on verifications (due_at) where status = 'pending';
create trigger verifications_status_moves after update of status on verifications for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'pending>approved', 'pending>failed', 'pending>expired', 'pending>canceled']))
  execute function refuse_illegal_move('status');

-- How many codes were sent of late: to one recipient, and by one project.
create table verification_windows (
  project_id text collate "C" not null,
  livemode boolean not null,
  subject text collate "C" not null,
  used int not null,
  ends_at timestamptz not null,
  primary key (project_id, livemode, subject)
);
create index verification_windows_ended on verification_windows (ends_at);
