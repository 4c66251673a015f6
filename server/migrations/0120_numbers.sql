-- Numbers and names that projects send SMS and place calls from in LIVE: asked for by the merchant, decided on by an operator.
create table numbers (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  -- As `from` of a message has it: E.164 with its plus sign, a short code, or a name.
  value text collate "C" not null,
  -- Short codes are numbers: they can be answered.
  kind text not null check (kind in ('number', 'alphanumeric')),
  -- ISO 3166-1 alpha-2, of a number in international form.
  country text collate "C",
  channels text[] not null check (channels <@ array['sms', 'call'] and cardinality(channels) between 1 and 2),
  -- Where messages and calls from it may go; null: wherever the project may send to.
  countries text[] check (cardinality(countries) between 1 and 250),
  status text not null check (status in ('requested', 'approved', 'rejected')),
  -- The merchant's words to the operator.
  purpose text,
  -- The operator's words to the merchant.
  rejection_reason text,
  decided_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  unique (project_id, livemode, value),
  constraint numbers_rejected_has_reason check ((status = 'rejected') = (rejection_reason is not null)),
  constraint numbers_requested_is_open check ((status = 'requested') = (decided_at is null)),
  constraint numbers_calls_need_telephones check (value like '+%' or channels = array['sms'])
);
-- What comes in to a number has one reader: it belongs to one project in all of the installation. Asking for it takes it from nobody.
create unique index numbers_of_one_project on numbers (value) where kind = 'number' and livemode and status = 'approved';
create index numbers_by_status on numbers (status, id) where livemode;

create trigger numbers_status_moves after update of status on numbers for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'requested>approved', 'requested>rejected',
    'approved>rejected',
    'rejected>requested', 'rejected>approved']))
  execute function refuse_illegal_move('status');
