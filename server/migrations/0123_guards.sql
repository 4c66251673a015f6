-- What operators allow of LIVE SMS and calls, in the whole installation: one row.
create table messaging_policy (
  singleton boolean primary key default true check (singleton),
  -- ISO 3166-1 alpha-2; null: every country that is not denied.
  allowed_countries text[] check (cardinality(allowed_countries) <= 250),
  denied_countries text[] not null default '{}' check (cardinality(denied_countries) <= 250),
  -- Beginnings of numbers, digits without a plus sign: those that are never reached, and those that are although they cost extra.
  denied_prefixes text[] not null default '{}' check (cardinality(denied_prefixes) <= 1000),
  opened_prefixes text[] not null default '{}' check (cardinality(opened_prefixes) <= 1000),
  version int not null default 1,
  updated_at timestamptz
);
insert into messaging_policy default values;

-- What a segment of an SMS and a started minute of a call cost, in the one currency of the installation; without rows there is no price table.
create table message_price_list (
  singleton boolean primary key default true check (singleton),
  currency text,
  version int not null default 1,
  updated_at timestamptz
);
insert into message_price_list default values;
create table message_prices (
  channel text collate "C" not null check (channel in ('sms', 'call')),
  -- A country, the beginning of numbers in digits, or * for everywhere else.
  destination text collate "C" not null check (destination ~ '^([A-Z]{2}|[0-9]{1,15}|\*)$'),
  -- Millionths of the currency's unit.
  price_micros bigint not null check (price_micros between 0 and 1000000000000),
  primary key (channel, destination)
);

-- What a project's owner and the operators set for its LIVE SMS and calls; a project without a row has the defaults.
create table messaging_limits (
  project_id text collate "C" primary key,
  -- null: the merchant's own country.
  countries text[] check (cardinality(countries) <= 250),
  -- By a cap's name; what is absent is not set.
  caps jsonb not null default '{}',
  operator_caps jsonb not null default '{}',
  -- {marketing, transactional, calls}, each {from, to} or null; what is absent is the default.
  quiet_hours jsonb not null default '{}',
  version int not null default 1,
  updated_at timestamptz not null
);
