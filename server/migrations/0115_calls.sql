-- Voice calls: a row is the call as its merchant sees it and its place in the queue, so that nothing has to be kept in step.
create table calls (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  status text not null check (status in ('scheduled', 'queued', 'initiated', 'ringing', 'in_progress', 'completed', 'busy', 'no_answer', 'failed', 'canceled')),
  version int not null default 1,
  -- How many events it has had; the last of them.
  sequence int not null default 0,
  last_event text,
  from_number text collate "C" not null,
  to_number text collate "C" not null,
  -- ISO 3166 of `to_number`: calls take turns by it.
  country text collate "C" not null,
  -- {text, audio_url, actions, answer_url, fallback_text, send_digits}; null once it is no longer kept.
  said jsonb,
  voice text,
  language text,
  speed double precision not null,
  -- Seconds that it may ring, and last.
  ring_s int not null,
  limit_s int not null,
  record text check (record in ('mono', 'dual')),
  tags jsonb not null default '[]',
  metadata jsonb not null default '{}',
  status_callback text,
  batch_id text collate "C",
  provider text,
  sip_code int,
  hangup_by text check (hangup_by in ('caller', 'callee', 'limit', 'transport')),
  answered_by text,
  -- What was pressed for each gather, by its name; and all that was pressed.
  gathered jsonb not null default '{}',
  digits text not null default '',
  error jsonb,
  -- Seconds from the answer to the end, and from the first ringing to the answer or the end.
  duration int,
  ring_duration int,
  scheduled_at timestamptz,
  expires_at timestamptz not null,
  started_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  -- When somebody wanted it to end that this process does not hold.
  hangup_asked_at timestamptz,
  -- `waiting` becomes `due` at its time; `due` may be claimed; `leased` is a worker's, which places it or holds it; `done` is owed nothing more.
  state text not null check (state in ('waiting', 'due', 'leased', 'set_aside', 'done')),
  due_at timestamptz not null,
  lease text,
  lease_until timestamptz,
  attempts int not null default 0,
  deaths smallint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  constraint calls_leased check ((state = 'leased') = (lease is not null)),
  constraint calls_ended check ((status in ('completed', 'busy', 'no_answer', 'failed', 'canceled')) = (state = 'done')),
  constraint calls_duration check (duration is null or (duration > 0 and answered_at is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index calls_by_status on calls (project_id, livemode, status, id);
create index calls_by_time on calls (project_id, livemode, created_at);
create index calls_by_callee on calls (project_id, livemode, to_number text_pattern_ops, id);
create index calls_by_caller on calls (project_id, livemode, from_number, id);
create index calls_by_tag on calls using gin (tags jsonb_path_ops) where tags <> '[]';
create index calls_due on calls (livemode, project_id, country, due_at) where state = 'due';
create index calls_suspect on calls (due_at) where deaths > 1 and state in ('due', 'set_aside');
create index calls_waiting on calls (due_at) where state = 'waiting';
create index calls_leased on calls (lease_until) where state = 'leased';
create index calls_under_way on calls (livemode, project_id) where state = 'leased';
create index calls_unclaimed on calls (expires_at) where state in ('due', 'set_aside');
create index calls_kept on calls (ended_at) where said is not null and state = 'done';
create trigger calls_status_moves after update of status on calls for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'scheduled>queued', 'scheduled>canceled', 'scheduled>failed',
    'queued>initiated', 'queued>canceled', 'queued>failed',
    'initiated>ringing', 'initiated>in_progress', 'initiated>busy', 'initiated>no_answer', 'initiated>failed', 'initiated>canceled',
    'ringing>in_progress', 'ringing>busy', 'ringing>no_answer', 'ringing>failed', 'ringing>canceled',
    'in_progress>completed', 'in_progress>failed']))
  execute function refuse_illegal_move('status');
create trigger calls_state_moves after update of state on calls for each row
  when (old.state <> new.state and old.state || '>' || new.state <> all (array[
    'waiting>due', 'waiting>done',
    'due>waiting', 'due>leased', 'due>set_aside', 'due>done',
    'leased>waiting', 'leased>due', 'leased>set_aside', 'leased>done',
    'set_aside>due', 'set_aside>done']))
  execute function refuse_illegal_move('state');

-- Projects that call: who claims calls of one holds its row, so that two processes together never have more of its calls under way than are allowed.
create table call_turns (
  project_id text collate "C" not null,
  livemode boolean not null,
  primary key (project_id, livemode)
);

-- Recordings of calls, or of what a callee said for one verb. The bytes are files.
create table recordings (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null unique,
  call_id text collate "C" not null,
  -- `call`: the whole of it. `verb`: what a record verb kept.
  source text not null check (source in ('call', 'verb')),
  channels smallint not null check (channels in (1, 2)),
  duration_ms int not null check (duration_ms >= 0),
  size_bytes int not null check (size_bytes > 0),
  storage_key text collate "C" not null,
  -- `storing`: its bytes are on their way; such a one is nobody's, and goes with the next sweep. `deleted`: the bytes are still to be removed.
  state text not null check (state in ('storing', 'kept', 'deleted')),
  -- When a sweep takes it: what is kept, at the end of its time.
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (project_id, livemode, id),
  foreign key (project_id, livemode, call_id) references calls (project_id, livemode, id)
);
create index recordings_of_call on recordings (project_id, livemode, call_id, id);
create index recordings_due on recordings (due_at);
