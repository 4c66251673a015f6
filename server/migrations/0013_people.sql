-- People: how they sign in, which merchants they belong to, and who is asked to join.
create table people (
  id text collate "C" primary key,
  -- In lower case: one address is one person.
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  name text not null,
  language text not null default 'en' check (language in ('en', 'zh')),
  image text,
  -- Operators run the installation: they verify merchants and see every merchant's proofs.
  is_operator boolean not null default false,
  two_factor_enabled boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table person_sessions (
  id text collate "C" primary key,
  person_id text collate "C" not null references people on delete cascade,
  -- SHA-256 of the cookie's token, base64url: a dump of the database opens no session.
  token text not null unique,
  expires_at timestamptz not null,
  -- When the person last proved who they are in this session: at sign-in, or again since.
  confirmed_at timestamptz not null,
  active_project_id text collate "C" references projects,
  active_livemode boolean not null default false,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index person_sessions_of_person on person_sessions (person_id, id);
create index person_sessions_expired on person_sessions (expires_at);

create table person_credentials (
  id text collate "C" primary key,
  person_id text collate "C" not null references people on delete cascade,
  provider_id text not null,
  account_id text not null,
  -- scrypt, salted.
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (provider_id, account_id)
);
create index person_credentials_of_person on person_credentials (person_id);

-- One-time values: password resets, second steps of a sign-in, challenges of passkeys. Identifiers are hashes.
create table person_verifications (
  id text collate "C" primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index person_verifications_identifier on person_verifications (identifier);
create index person_verifications_expired on person_verifications (expires_at);

create table person_two_factors (
  id text collate "C" primary key,
  person_id text collate "C" not null unique references people on delete cascade,
  -- Both encrypted under the master keys.
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count int not null default 0,
  locked_until timestamptz
);

create table person_passkeys (
  id text collate "C" primary key,
  person_id text collate "C" not null references people on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  device_type text not null,
  backed_up boolean not null default false,
  last_used_at timestamptz,
  created_at timestamptz not null
);
create index person_passkeys_of_person on person_passkeys (person_id, id);

create table members (
  merchant_id text collate "C" not null references merchants,
  id text collate "C" not null,
  person_id text collate "C" not null references people on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'reviewer', 'accountant', 'viewer')),
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, person_id)
);
create index members_of_person on members (person_id, merchant_id);

create table invitations (
  merchant_id text collate "C" not null references merchants,
  id text collate "C" not null,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'developer', 'reviewer', 'accountant', 'viewer')),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  language text not null default 'en' check (language in ('en', 'zh')),
  invited_by text collate "C" not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text collate "C",
  revoked_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  check (accepted_at is null or revoked_at is null),
  check ((accepted_at is null) = (accepted_by is null))
);
-- One open invitation an address.
create unique index invitations_open on invitations (merchant_id, email) where accepted_at is null and revoked_at is null;

-- Attempts to sign in, by hashes of account, address and both.
create table sign_in_windows (
  subject text collate "C" primary key,
  used int not null,
  ends_at timestamptz not null
);
create index sign_in_windows_ended on sign_in_windows (ends_at);

alter table merchants add column rejection_reason text;
create index merchants_by_status on merchants (verification_status, id);
create index audit_log_of_project on audit_log (merchant_id, project_id, id);
