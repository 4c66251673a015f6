-- How each way out is, as each process that holds it sees it. A row is written again every few seconds; one that is not is of a process that has stopped.
create table transport_reports (
  process text collate "C" not null,
  channel text not null,
  name text collate "C" not null,
  -- What it speaks: smpp, sip, relay, …
  kind text not null,
  state text not null check (state in ('idle', 'up', 'down')),
  -- Since when it is so.
  state_at timestamptz,
  paused_until timestamptz,
  error text,
  error_at timestamptz,
  in_flight int not null check (in_flight >= 0),
  -- How much may be in flight at once; null: as much as there is.
  capacity int check (capacity >= 0),
  -- Its process ended as it should.
  stopped boolean not null default false,
  reported_at timestamptz not null,
  primary key (process, channel, name)
);
create index transport_reports_by_time on transport_reports (reported_at);

-- What went out by each way in each minute of the last hours, of all processes together.
create table transport_minutes (
  channel text not null,
  name text collate "C" not null,
  minute timestamptz not null,
  handed int not null default 0 check (handed >= 0),
  failed int not null default 0 check (failed >= 0),
  primary key (channel, name, minute)
);
create index transport_minutes_by_time on transport_minutes (minute);
