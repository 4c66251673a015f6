-- Merchants' accounts with payment providers. What a form calls secret is sealed as one value; the rest stands in the clear.
create table gateway_credentials (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  gateway text not null,
  label text,
  enabled boolean not null,
  -- Payments go to the enabled account with the lowest position; among equal ones by weight.
  position int not null,
  weight int not null,
  min_minor bigint,
  max_minor bigint,
  currencies text[],
  fields jsonb not null,
  secret_last4 jsonb not null,
  sealed text not null,
  fields_version int not null default 1,
  -- Whether the provider knows the credentials, as far as it was asked.
  status text not null check (status in ('unchecked', 'checked', 'failed')),
  checked_at timestamptz,
  check_error jsonb,
  check_due_at timestamptz,
  check_tries int not null default 0,
  -- As the provider names it.
  account text,
  account_name text,
  -- How its calls fare: the failures since the provider last answered, and until when it is not asked.
  consecutive_failures int not null default 0,
  failing_since timestamptz,
  breaker_until timestamptz,
  breaker_trips int not null default 0,
  version int not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  removed_at timestamptz,
  primary key (project_id, livemode, id)
) with (fillfactor = 70);
create index gateway_credentials_check_due on gateway_credentials (check_due_at) where check_due_at is not null;

-- All fields of an account as they were before they were given anew, sealed: callbacks that the provider signed with the old ones are believed until then.
create table gateway_former_fields (
  project_id text collate "C" not null,
  livemode boolean not null,
  credential_id text collate "C" not null,
  fields_version int not null,
  sealed text not null,
  ends_at timestamptz not null,
  primary key (project_id, livemode, credential_id, fields_version)
);
create index gateway_former_fields_end on gateway_former_fields (ends_at);
