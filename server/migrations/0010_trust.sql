-- In whose name mail may be sent, and who must not be written to any more.
create table domains (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  -- Lower case and in ASCII, as DNS has it.
  name text collate "C" not null,
  status text not null default 'pending' check (status in ('pending', 'verified', 'failed')),
  -- Told to this project alone: publishing it proves that the project, and not a stranger, holds the domain.
  token text not null,
  selector text not null,
  public_key text not null,
  -- Sealed.
  private_key text not null,
  -- What to publish, each with what the last check found.
  records jsonb not null,
  checks int not null default 0,
  checked_at timestamptz,
  -- When the next check is due; null: only when somebody asks for one.
  next_check_at timestamptz,
  -- Since when it is looked for: from its creation, or from when a person asked again after a failure.
  pending_since timestamptz not null,
  -- Since when a verified domain's records cannot be found any more.
  missing_since timestamptz,
  verified_at timestamptz,
  failed_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  unique (project_id, livemode, name)
);
create index domains_to_check on domains (next_check_at) where next_check_at is not null;

create table suppressions (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null check (channel in ('email', 'sms', 'call')),
  -- In lower case: the same mailbox whichever way it was written.
  address text collate "C" not null,
  reason text not null check (reason in ('bounce', 'complaint', 'unsubscribe', 'manual')),
  -- The message that was the cause.
  source_id text collate "C",
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  unique (project_id, livemode, channel, address)
);
create index suppressions_expiring on suppressions (expires_at) where expires_at is not null;
