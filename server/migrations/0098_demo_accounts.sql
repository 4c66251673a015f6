-- Demo mode: an account whose provider is simulated inside of this program. There is none in LIVE, whatever a program does. The table has a row an account, so that the
-- check reads it in no time.
alter table gateway_credentials add column demo boolean not null default false constraint gateway_credentials_demo_in_test check (not (demo and livemode));

-- What a simulated provider remembers for one demo account, so that all processes find the same: JSON as its text, which keeps its order.
create table gateway_demo_documents (
  project_id text collate "C" not null,
  livemode boolean not null constraint gateway_demo_documents_in_test check (not livemode),
  credential_id text collate "C" not null,
  kind text collate "C" not null,
  key text collate "C" not null,
  value text not null check (octet_length(value) <= 1048576),
  -- Documents of a kind are listed in the order in which they were first written.
  place bigint generated always as identity,
  -- Of the account itself: its keys and secrets, without which the simulator would not know it any more.
  lasting boolean not null,
  written_at timestamptz not null,
  primary key (project_id, livemode, credential_id, kind, key)
) with (fillfactor = 70);
create index gateway_demo_documents_places on gateway_demo_documents (project_id, livemode, credential_id, place) where not lasting;
create index gateway_demo_documents_age on gateway_demo_documents (written_at) where not lasting;
