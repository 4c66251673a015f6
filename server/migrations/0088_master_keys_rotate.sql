-- Which master key seals is written down here, so that a new one can be handed to every process before it is used. The version before still seals with the highest
-- number that it was given.
alter table master_keys
  add column current_since timestamptz,
  add column revoked_at timestamptz;

-- Keys derived from a master key still verify after it is gone: links in mail, sessions, rows of the audit log. Each is sealed under the current master key.
create table derived_keys (
  number int not null,
  purpose text not null,
  sealed text not null,
  created_at timestamptz not null,
  primary key (number, purpose)
);

-- Which running process holds which master keys, and which one it seals with. A row that was not renewed for a while is of a process that died.
create table master_key_holders (
  id text collate "C" primary key,
  name text not null,
  numbers int[] not null,
  sealing int not null,
  signing int not null,
  seen_at timestamptz not null
);
