-- Statements that somebody has looked at before taking them in.
create table statement_previews (
  project_id text collate "C" not null references projects,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null check (channel in ('wechat', 'alipay')),
  account_ref text collate "C",
  file_sha256 text not null,
  -- What the file says, as read: payers' names and notes. Null once it was taken in; the row goes when it expires.
  statement jsonb,
  -- What taking it in came to.
  result jsonb,
  -- A process that is taking it in has until then.
  applying_until timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (project_id, livemode, id)
);
create index statement_previews_by_expiry on statement_previews (expires_at);
