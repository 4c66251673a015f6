-- Double entry, append-only. A transfer has one tenant, one environment, one currency and one gateway, and both of its accounts
-- are found under exactly these four, so that no statement can express a transfer between two of any of them.
create table ledger_accounts (
  project_id text collate "C" not null,
  livemode boolean not null,
  currency text collate "C" not null constraint ledger_accounts_currency check (currency ~ '^[A-Z]{3}$'),
  gateway text collate "C" not null constraint ledger_accounts_gateway check (gateway ~ '^[a-z][a-z0-9_]{0,39}$'),
  code text collate "C" not null constraint ledger_accounts_code check (code in ('custody', 'sales', 'suspense', 'excess', 'shortfall', 'refunds', 'fees')),
  -- The public name of a custody account: to the merchant it is a wallet.
  wallet_id text collate "C",
  created_at timestamptz not null,
  primary key (project_id, livemode, currency, gateway, code),
  constraint ledger_accounts_custody_is_wallet check ((wallet_id is not null) = (code = 'custody'))
);
create unique index ledger_accounts_wallet on ledger_accounts (project_id, livemode, wallet_id) where wallet_id is not null;

create table ledger_transfers (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  kind text not null constraint ledger_transfers_kind check (kind in ('order_payment', 'suspense', 'excess', 'refund', 'fee', 'adjustment', 'reversal')),
  -- What caused it, in the caller's words; with the kind it makes a second booking of the same cause impossible.
  source text collate "C" not null constraint ledger_transfers_source_named check (source <> ''),
  currency text collate "C" not null,
  gateway text collate "C" not null,
  debit text collate "C" not null,
  credit text collate "C" not null,
  amount_minor bigint not null constraint ledger_transfers_amount check (amount_minor between 1 and 99999999999),
  order_id text collate "C",
  reference text,
  payment_session_id text collate "C",
  external_transaction_id text,
  reverses text collate "C",
  description text,
  created_by text not null,
  created_at timestamptz not null,
  primary key (project_id, livemode, id),
  constraint ledger_transfers_source unique (project_id, livemode, kind, source),
  constraint ledger_transfers_two_accounts check (debit <> credit),
  constraint ledger_transfers_reversal_kind check ((kind = 'reversal') = (reverses is not null)),
  constraint ledger_transfers_kind_accounts check (
    case kind
      when 'order_payment' then credit = 'sales'
      when 'suspense' then credit = 'suspense'
      when 'excess' then credit = 'excess'
      when 'refund' then credit = 'custody'
      when 'fee' then debit = 'fees'
      else true
    end),
  constraint ledger_transfers_debit foreign key (project_id, livemode, currency, gateway, debit)
    references ledger_accounts (project_id, livemode, currency, gateway, code),
  constraint ledger_transfers_credit foreign key (project_id, livemode, currency, gateway, credit)
    references ledger_accounts (project_id, livemode, currency, gateway, code),
  constraint ledger_transfers_reverses foreign key (project_id, livemode, reverses) references ledger_transfers (project_id, livemode, id)
);
create unique index ledger_transfers_reversed_once on ledger_transfers (project_id, livemode, reverses) where reverses is not null;
create index ledger_transfers_of_order on ledger_transfers (project_id, livemode, order_id, id) where order_id is not null;
create index ledger_transfers_by_reference on ledger_transfers (project_id, livemode, reference, id) where reference is not null;
create index ledger_transfers_held on ledger_transfers (project_id, livemode, id) where kind in ('suspense', 'excess');

-- A balance is its snapshot plus its tail: a transfer only adds rows, so that no balance row is waited for; a worker folds the tail in.
create table ledger_balances (
  project_id text collate "C" not null,
  livemode boolean not null,
  currency text collate "C" not null,
  gateway text collate "C" not null,
  account text collate "C" not null,
  -- Debits minus credits.
  balance_minor bigint not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, currency, gateway, account)
);

create table ledger_balance_tail (
  project_id text collate "C" not null,
  livemode boolean not null,
  currency text collate "C" not null,
  gateway text collate "C" not null,
  account text collate "C" not null,
  transfer_id text collate "C" not null,
  delta_minor bigint not null,
  created_at timestamptz not null,
  primary key (project_id, livemode, currency, gateway, account, transfer_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: correct it with a new transfer', tg_table_name using errcode = '23001', constraint = tg_name;
end $$;
create trigger ledger_transfers_append_only before update or delete on ledger_transfers for each row execute function refuse_ledger_change();
create trigger ledger_transfers_no_truncate before truncate on ledger_transfers for each statement execute function refuse_ledger_change();
create trigger ledger_accounts_append_only before update or delete on ledger_accounts for each row execute function refuse_ledger_change();

-- A reversal is its original with the accounts exchanged, whole; a reversal itself is not reversed.
create function refuse_unequal_reversal() returns trigger language plpgsql as $$
begin
  perform from ledger_transfers o
  where o.project_id = new.project_id and o.livemode = new.livemode and o.id = new.reverses and o.kind <> 'reversal'
    and o.currency = new.currency and o.gateway = new.gateway and o.amount_minor = new.amount_minor
    and o.debit = new.credit and o.credit = new.debit;
  if not found then
    raise exception 'a reversal mirrors one earlier transfer of the same tenant' using errcode = '23514', constraint = 'ledger_transfers_mirror';
  end if;
  return new;
end $$;
create trigger ledger_transfers_mirror before insert on ledger_transfers
  for each row when (new.reverses is not null) execute function refuse_unequal_reversal();

create function extend_balance_tail() returns trigger language plpgsql as $$
begin
  insert into ledger_balance_tail (project_id, livemode, currency, gateway, account, transfer_id, delta_minor, created_at)
  select project_id, livemode, currency, gateway, debit, id, amount_minor, created_at from added
  union all
  select project_id, livemode, currency, gateway, credit, id, -amount_minor, created_at from added;
  return null;
end $$;
create trigger ledger_transfers_tail after insert on ledger_transfers
  referencing new table as added for each statement execute function extend_balance_tail();
