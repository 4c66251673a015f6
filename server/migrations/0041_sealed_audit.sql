-- The audit log's chains are keyed: who can write to the database but does not hold the master keys cannot make a row or a chain that fits.
alter table audit_log
  -- HMAC over the row under a key derived from the master keys, with that key's version in front; null: written by the version before.
  add column mac bytea,
  -- True where `hash` is keyed. The version before cannot set it, so its chaining worker is refused while both run.
  add column keyed boolean not null default false;

alter table audit_chains
  -- 1, 2, 3 … in the order in which chains began: a missing one shows.
  add column number bigint unique,
  -- The rows up to this position are chained by plain SHA-256, as the version before did; their last hash is sealed by `mac`.
  add column keyed_from bigint,
  -- HMAC over merchant, number, keyed_from, position and hash.
  add column mac bytea;

-- The chains' key, sealed under the master keys, and how many chains there are.
create table audit_key (
  id int primary key default 1 check (id = 1),
  name text not null,
  sealed text not null,
  chains bigint not null,
  -- HMAC over `chains`.
  mac bytea not null,
  created_at timestamptz not null
);

-- On which days the ends of all chains were anchored outside the database.
create table audit_anchors (
  day date primary key,
  chains bigint not null,
  rows bigint not null,
  root text not null,
  created_at timestamptz not null
);

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.position is null and new.keyed
    and (to_jsonb(new) - 'position' - 'hash' - 'keyed') = (to_jsonb(old) - 'position' - 'hash' - 'keyed') then
    return new;
  end if;
  raise exception 'audit_log is append-only';
end $$;
