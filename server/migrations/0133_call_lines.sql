-- Calls under way with carriers that ask over HTTP what a call does next: where the process that holds a call meets those that the carrier asks.
create table call_lines (
  project_id text collate "C" not null,
  livemode boolean not null,
  call_id text collate "C" not null,
  -- What the carrier does now, by number: a document, and the sound that it plays. Both are sealed, because what is said may open something.
  document int not null default 0,
  sealed_document text,
  sealed_sound text,
  -- Later than the call can last: what is left then goes with a sweep.
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (project_id, livemode, call_id)
);
create index call_lines_expired on call_lines (expires_at);

-- What carriers told of such calls. Each topic is told once: carriers repeat themselves.
create table call_line_reports (
  project_id text collate "C" not null,
  livemode boolean not null,
  call_id text collate "C" not null,
  topic text collate "C" not null,
  facts jsonb not null,
  place bigint generated always as identity,
  -- Whether the process that holds the call has it.
  taken boolean not null default false,
  primary key (project_id, livemode, call_id, topic),
  foreign key (project_id, livemode, call_id) references call_lines (project_id, livemode, call_id) on delete cascade
);
create index call_line_reports_new on call_line_reports (project_id, livemode, call_id) where not taken;
