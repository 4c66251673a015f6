-- E-mail as merchants see it, what each recipient is owed, and every attempt to deliver it.
create table emails (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  -- What its recipients' states come to.
  status text not null check (status in ('scheduled', 'queued', 'sending', 'sent', 'delivery_delayed', 'delivered', 'bounced', 'complained', 'failed', 'suppressed', 'canceled')),
  version int not null default 1,
  -- How many events it has had; the last of them.
  sequence int not null default 0,
  last_event text,
  -- The sender's bare address, lower case, and as it was written.
  from_address text collate "C" not null,
  from_text text not null,
  -- {to, cc, bcc, reply_to} in the shape that they were sent in.
  addressees jsonb not null,
  subject text not null,
  category text not null check (category in ('transactional', 'marketing')),
  tags jsonb not null default '[]',
  metadata jsonb not null default '{}',
  -- {opens, clicks, unsubscribe}
  features jsonb not null default '{}',
  message_id text not null,
  status_callback text,
  batch_id text collate "C",
  -- Bytes of texts and attachments, decoded.
  size_bytes int not null,
  recipients int not null,
  -- Whether its delay was told.
  delay_told boolean not null default false,
  opens int not null default 0,
  clicks int not null default 0,
  error jsonb,
  provider text,
  scheduled_at timestamptz,
  expires_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index emails_by_status on emails (project_id, livemode, status, id);
create index emails_by_time on emails (project_id, livemode, created_at);
create index emails_by_sender on emails (project_id, livemode, from_address, id);
create index emails_of_batch on emails (project_id, livemode, batch_id, id) where batch_id is not null;
create index emails_by_tag on emails using gin (tags jsonb_path_ops) where tags <> '[]';
create index emails_by_message_id on emails (message_id);

create function refuse_illegal_email_move() returns trigger language plpgsql as $$
begin
  if old.status = new.status then return new; end if;
  if old.status not in ('bounced', 'complained', 'failed', 'suppressed', 'canceled', 'delivered')
    or (old.status = 'delivered' and new.status in ('bounced', 'complained'))
  then return new; end if;
  raise exception 'an e-mail does not move from % to %', old.status, new.status using errcode = '23514', constraint = 'emails_moves';
end $$;
create trigger emails_moves before update of status on emails for each row when (old.status is distinct from new.status)
  execute function refuse_illegal_email_move();

-- Texts and the list of attachments as one JSON text; gone after their thirty days. The bytes of attachments are files.
create table email_bodies (
  project_id text collate "C" not null,
  livemode boolean not null,
  email_id text collate "C" not null,
  body text not null,
  created_at timestamptz not null,
  primary key (project_id, livemode, email_id)
);
create index email_bodies_age on email_bodies (created_at);

-- One delivery a recipient. Whoever writes here holds the e-mail's row, but for a lease that is extended.
create table email_recipients (
  project_id text collate "C" not null,
  livemode boolean not null,
  email_id text collate "C" not null,
  position smallint not null,
  -- Stands in return addresses.
  id text collate "C" not null unique,
  type text not null check (type in ('to', 'cc', 'bcc')),
  address text collate "C" not null,
  domain text collate "C" not null,
  status text not null check (status in ('scheduled', 'queued', 'sending', 'sent', 'delivery_delayed', 'delivered', 'bounced', 'complained', 'failed', 'suppressed', 'canceled')),
  -- `waiting` becomes `due` at its time; `due` may be claimed; `leased` is being sent; `done` is owed nothing more.
  state text not null check (state in ('waiting', 'due', 'leased', 'done')),
  due_at timestamptz not null,
  expires_at timestamptz not null,
  lease text,
  lease_until timestamptz,
  attempts int not null default 0,
  -- Place in the schedule: how many attempts have failed.
  step int not null default 0,
  smtp_code int,
  enhanced_code text,
  diagnostic text,
  bounce jsonb,
  -- What a simulated recipient does after the delivery, and when.
  sequel text,
  sequel_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, email_id, position),
  check ((state = 'leased') = (lease is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index email_recipients_due on email_recipients (livemode, project_id, domain, due_at) where state = 'due';
create index email_recipients_waiting on email_recipients (due_at) where state = 'waiting';
create index email_recipients_leased on email_recipients (lease_until) where state = 'leased';
create index email_recipients_sequel on email_recipients (sequel_at) where sequel is not null;
create index email_recipients_by_address on email_recipients (project_id, livemode, lower(address) text_pattern_ops, email_id);

create table email_attempts (
  project_id text collate "C" not null,
  livemode boolean not null,
  email_id text collate "C" not null,
  recipient_id text collate "C" not null,
  attempt int not null,
  -- `accepted` is noted as soon as it is heard, before the rest of what it means: a worker that is lost in between must not have it sent again.
  result text not null default 'started' check (result in ('started', 'accepted', 'deferred', 'refused', 'unknown', 'worker_lost')),
  -- Of an accepted one: whether the recipient's own server took it.
  final boolean,
  provider text,
  remote text,
  smtp_code int,
  enhanced_code text,
  diagnostic text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (project_id, livemode, email_id, recipient_id, attempt)
) with (fillfactor = 70);

create table batches (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null check (channel in ('email', 'sms')),
  total int not null,
  accepted int not null,
  -- [{index, id}]: its messages with their places in the request.
  items jsonb not null default '[]',
  errors jsonb not null default '[]',
  created_at timestamptz not null,
  primary key (project_id, livemode, id)
);

-- What a project used of its daily quota.
create table usage_counters (
  project_id text collate "C" not null,
  livemode boolean not null,
  channel text not null check (channel in ('email', 'sms', 'call')),
  day date not null,
  used bigint not null,
  primary key (project_id, livemode, channel, day)
);
