-- Merchants, their projects, the keys of projects, and what people and keys did.
create table merchants (
  id text collate "C" primary key,
  display_name text not null,
  country text,
  verification_status text not null default 'pending' check (verification_status in ('pending', 'verified', 'rejected')),
  verified_at timestamptz,
  messaging_tier text not null default 'free' check (messaging_tier in ('free', 'starter', 'pro', 'enterprise')),
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((verification_status = 'verified') = (verified_at is not null))
);

create table projects (
  id text collate "C" primary key,
  merchant_id text collate "C" not null references merchants,
  name text not null,
  slug text not null,
  default_currency text not null,
  settings jsonb not null default '{}',
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (merchant_id, slug)
);
create index projects_of_merchant on projects (merchant_id, id);

create table api_keys (
  project_id text collate "C" not null references projects,
  livemode boolean not null,
  id text collate "C" not null,
  name text not null,
  -- SHA-256 of the whole key; the key itself is shown once and kept nowhere.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  prefix text not null,
  last4 text not null,
  permissions text[] not null,
  allowed_ips text[] not null default '{}',
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  rotated_from text collate "C",
  created_by text,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id)
);

create table audit_log (
  merchant_id text collate "C" not null references merchants,
  id text collate "C" not null,
  project_id text collate "C" references projects,
  livemode boolean,
  actor_kind text not null,
  actor_id text not null,
  action text not null,
  object_type text not null,
  object_id text,
  detail jsonb not null default '{}',
  request_id text,
  created_at timestamptz not null,
  -- Filled by the chaining worker, once: place in the merchant's chain and SHA-256 over the previous hash and this row.
  position bigint,
  hash bytea,
  primary key (merchant_id, id),
  unique (merchant_id, position),
  check ((position is null) = (hash is null)),
  check ((project_id is null) = (livemode is null))
);
create index audit_log_not_chained on audit_log (merchant_id, id) where position is null;
create index audit_log_of_object on audit_log (merchant_id, object_id, id);

-- The end of each merchant's chain; its row lock lets one worker at a time extend a chain.
create table audit_chains (
  merchant_id text collate "C" primary key references merchants,
  position bigint not null default 0,
  hash bytea not null default '\x0000000000000000000000000000000000000000000000000000000000000000'
);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.position is null
    and (to_jsonb(new) - 'position' - 'hash') = (to_jsonb(old) - 'position' - 'hash') then
    return new;
  end if;
  raise exception 'audit_log is append-only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_audit_change();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_audit_change();

-- How often each key still uses the deprecated flat paths.
create table flat_path_uses (
  project_id text collate "C" not null,
  livemode boolean not null,
  key_id text collate "C" not null,
  endpoint text not null,
  uses bigint not null,
  last_used_at timestamptz not null,
  primary key (project_id, livemode, key_id, endpoint),
  foreign key (project_id, livemode, key_id) references api_keys
);
