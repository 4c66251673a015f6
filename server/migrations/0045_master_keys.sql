-- Which master keys have sealed secrets here, by what tells one from another and gives none away: a process with another key is refused at its start.

create table master_keys (
  number integer primary key check (number > 0),
  fingerprint text not null,
  created_at timestamptz not null
);
