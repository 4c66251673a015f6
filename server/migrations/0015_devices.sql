-- Kinds of devices that a person has signed in with, so that a new one can be told.
create table person_devices (
  person_id text collate "C" not null references people on delete cascade,
  -- A browser and a system, such as `Firefox on Windows`: a few dozen values in all.
  device text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (person_id, device)
);
