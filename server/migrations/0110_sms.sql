-- SMS: a message is one row, which is its job as well, because it has one recipient. What came in is a message too.
create table sms (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  direction text not null check (direction in ('outbound', 'inbound')),
  status text not null check (status in ('scheduled', 'queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'canceled', 'received')),
  version int not null default 1,
  -- How many events it has had; the last of them.
  sequence int not null default 0,
  last_event text,
  -- `from` and `to` of the API.
  sender text collate "C" not null,
  sender_kind text not null check (sender_kind in ('number', 'alphanumeric', 'short_code')),
  recipient text collate "C" not null,
  -- ISO 3166-1 alpha-2, of the other side.
  country text collate "C" not null,
  encoding text not null check (encoding in ('GSM-7', 'UCS-2', 'binary')),
  segments smallint not null check (segments between 1 and 255),
  -- Parts that a carrier accepted, from the first on.
  segments_sent smallint not null default 0 check (segments_sent between 0 and segments),
  -- Of a message of several parts: what its parts have in common.
  reference smallint,
  -- What an inbound message asked for; an outbound one with it is the answer.
  keyword text check (keyword in ('stop', 'start', 'help')),
  tags jsonb not null default '[]',
  metadata jsonb not null default '{}',
  status_callback text,
  batch_id text collate "C",
  error jsonb,
  provider text,
  -- As in every queue: `waiting` becomes `due` at its time; `due` may be claimed; `leased` is being sent; `done` is owed nothing more.
  state text not null check (state in ('waiting', 'due', 'leased', 'set_aside', 'done')),
  due_at timestamptz not null,
  lease text,
  lease_until timestamptz,
  deaths smallint not null default 0,
  attempts int not null default 0,
  -- Written before the first byte of an attempt leaves: from then on nobody knows what came of it but who answers, and it is never sent again by itself.
  begun boolean not null default false,
  -- When what is known of a sent message decides: its validity is over, or nothing more was reported of its parts.
  settle_at timestamptz,
  -- What a simulated recipient does, and when.
  sequel text,
  sequel_at timestamptz,
  scheduled_at timestamptz,
  expires_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  constraint sms_leased_has_lease check ((state = 'leased') = (lease is not null)),
  constraint sms_begun_is_leased check (not begun or state = 'leased'),
  constraint sms_leased_is_sending check ((state = 'leased') = (status = 'sending')),
  constraint sms_done_is_over check ((state = 'done') = (status not in ('scheduled', 'queued', 'sending'))),
  constraint sms_received_is_inbound check ((direction = 'inbound') = (status = 'received')),
  constraint sms_settled_when_sent check (settle_at is null or status = 'sent')
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index sms_due on sms (livemode, project_id, country, due_at) where state = 'due';
create index sms_waiting on sms (due_at) where state = 'waiting';
create index sms_leased on sms (lease_until) where state = 'leased';
create index sms_suspect on sms (due_at) where deaths > 1 and state in ('due', 'set_aside');
create index sms_open on sms (expires_at) where state in ('due', 'set_aside');
create index sms_settling on sms (settle_at) where settle_at is not null;
create index sms_sequel on sms (sequel_at) where sequel is not null;
create index sms_by_status on sms (project_id, livemode, status, id);
create index sms_by_time on sms (project_id, livemode, created_at);
create index sms_by_sender on sms (project_id, livemode, sender, id);
create index sms_by_recipient on sms (project_id, livemode, recipient, id);
create index sms_of_batch on sms (project_id, livemode, batch_id, id) where batch_id is not null;
create index sms_by_tag on sms using gin (tags jsonb_path_ops) where tags <> '[]';

create trigger sms_status_moves after update of status on sms for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'scheduled>queued', 'scheduled>canceled', 'scheduled>failed',
    'queued>sending', 'queued>canceled', 'queued>failed',
    'sending>queued', 'sending>sent', 'sending>failed',
    'sent>delivered', 'sent>undelivered']))
  execute function refuse_illegal_move('status');
create trigger sms_state_moves after update of state on sms for each row
  when (old.state <> new.state and old.state || '>' || new.state <> all (array[
    'waiting>due', 'waiting>done',
    'due>waiting', 'due>leased', 'due>set_aside', 'due>done',
    'leased>waiting', 'leased>due', 'leased>set_aside', 'leased>done',
    'set_aside>due', 'set_aside>done']))
  execute function refuse_illegal_move('state');

-- Texts, gone after their thirty days. Null: somebody deleted it.
create table sms_bodies (
  project_id text collate "C" not null,
  livemode boolean not null,
  sms_id text collate "C" not null,
  body text,
  created_at timestamptz not null,
  primary key (project_id, livemode, sms_id)
);
create index sms_bodies_age on sms_bodies (created_at);

create table sms_attempts (
  project_id text collate "C" not null,
  livemode boolean not null,
  sms_id text collate "C" not null,
  attempt int not null,
  result text not null default 'started' check (result in ('started', 'accepted', 'deferred', 'refused', 'unknown', 'worker_lost')),
  provider text,
  code text,
  message text,
  provider_code text,
  -- Parts that were accepted in it.
  segments_sent smallint not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (project_id, livemode, sms_id, attempt)
) with (fillfactor = 70);

-- Parts that a carrier accepted, under the ids that it gave them, and what it reported of each.
create table sms_parts (
  project_id text collate "C" not null,
  livemode boolean not null,
  sms_id text collate "C" not null,
  place smallint not null,
  provider text collate "C" not null,
  provider_message_id text collate "C",
  -- The same id in lower case, without leading zeros: carriers spell it otherwise in their reports.
  folded_id text collate "C",
  status text not null default 'sent' check (status in ('sent', 'delivered', 'undelivered')),
  code text,
  provider_code text,
  reported_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, livemode, sms_id, place)
) with (fillfactor = 70);
create index sms_parts_by_id on sms_parts (provider, folded_id, created_at) where folded_id is not null;
create trigger sms_parts_status_moves after update of status on sms_parts for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array['sent>delivered', 'sent>undelivered']))
  execute function refuse_illegal_move('status');

-- Reports that came before the answer to the submission was stored. Whose they are is not known yet.
create table sms_early_receipts (
  id bigint generated always as identity primary key,
  provider text collate "C" not null,
  provider_message_id text collate "C" not null,
  folded_id text collate "C" not null,
  status text not null check (status in ('delivered', 'undelivered', 'accepted')),
  code text,
  provider_code text,
  occurred_at timestamptz,
  -- Whether it was held against what was stored meanwhile: the answer may have been stored at the same moment.
  retried boolean not null default false,
  created_at timestamptz not null
);
create index sms_early_receipts_by_id on sms_early_receipts (provider, folded_id);
create index sms_early_receipts_age on sms_early_receipts (created_at);
create index sms_early_receipts_fresh on sms_early_receipts (created_at) where not retried;

-- How a carrier spells in its reports the ids that it gave: what once fitted without doubt decides where several spellings fit.
create table sms_id_forms (
  provider text collate "C" primary key,
  form text not null check (form in ('exact', 'case', 'zeros', 'hexadecimal', 'decimal')),
  learned_at timestamptz not null
);

-- Parts of messages that came in. Whose number they came to is decided once all are there; until a day is over.
create table sms_inbound_parts (
  provider text collate "C" not null,
  sender text collate "C" not null,
  recipient text collate "C" not null,
  -- The reference that the parts have in common, or the carrier's id of a message of one part.
  message_key text collate "C" not null,
  place smallint not null,
  total smallint not null,
  body text not null,
  encoding text not null,
  received_at timestamptz not null,
  -- When it was handed over: for a while its parts stay, so that what is delivered twice is told once.
  joined_at timestamptz,
  primary key (provider, sender, recipient, message_key, place)
);
create index sms_inbound_parts_age on sms_inbound_parts (received_at);

-- The reference that a pair's last message of several parts had.
create table sms_references (
  project_id text collate "C" not null,
  livemode boolean not null,
  sender text collate "C" not null,
  recipient text collate "C" not null,
  reference int not null,
  used_at timestamptz not null,
  primary key (project_id, livemode, sender, recipient)
);
create index sms_references_age on sms_references (used_at);
