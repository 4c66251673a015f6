-- Payments that their buyers dispute at their bank or provider. What a provider takes back meanwhile leaves the wallet that it came into, and comes back where the dispute is won.
-- transaction: none
-- step
create table if not exists disputes (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  gateway text not null,
  credential_id text collate "C" not null,
  provider_dispute_id text collate "C" not null,
  -- Null where the provider names a payment of ours that is not here.
  order_id text collate "C",
  payment_session_id text collate "C",
  -- `inquiry`: the provider asks, and has taken nothing. `opened`: the money is gone for now. `won`: it is back, or was never taken. `lost`: it stays gone.
  status text not null check (status in ('inquiry', 'opened', 'won', 'lost')),
  amount_minor bigint not null check (amount_minor between 1 and 99999999999),
  currency text not null,
  -- The provider's own word.
  reason text,
  -- Whether the payment's money is in the books in the dispute's currency, so that it can be taken out of them.
  in_books boolean not null,
  -- Whether that money is booked as the order's payment, and not held for it.
  of_order boolean not null,
  -- What the provider keeps for the dispute, where it tells that.
  fee_minor bigint,
  fee_currency text,
  -- The transfers that took the money and the fee, while they stand, and how many there were.
  transaction_id text collate "C",
  fee_transaction_id text collate "C",
  takings int not null default 0,
  fee_takings int not null default 0,
  exception_id text collate "C",
  -- The provider's moment of the newest that it told: what is older changes nothing.
  told_at timestamptz not null,
  ended_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  unique (project_id, livemode, credential_id, provider_dispute_id),
  constraint disputes_of_books check (in_books or not of_order),
  constraint disputes_taken check ((transaction_id is not null) = (in_books and status in ('opened', 'lost'))),
  foreign key (project_id, livemode, order_id) references orders (project_id, livemode, id),
  foreign key (project_id, livemode, exception_id) references payment_exceptions (project_id, livemode, id),
  foreign key (project_id, livemode, transaction_id) references ledger_transfers (project_id, livemode, id)
);
create index if not exists disputes_of_order on disputes (project_id, livemode, order_id, id) where order_id is not null;
-- An order counts what disputes took of it: as much as refunds left. Together they never exceed what it received, whatever a program does.
-- step
alter table orders add column if not exists amount_disputed_minor bigint not null default 0;
-- step
alter table orders drop constraint if exists orders_disputes_of_received;
alter table orders add constraint orders_disputes_of_received
  check (amount_disputed_minor >= 0 and amount_refunded_minor + amount_refunding_minor + amount_disputed_minor <= amount_received_minor) not valid;
-- step
alter table orders validate constraint orders_disputes_of_received;
-- step
create or replace function count_dispute() returns trigger language plpgsql as $$
begin
  update orders o set amount_disputed_minor = least(o.amount_received_minor - o.amount_refunded_minor - o.amount_refunding_minor,
    (select coalesce(sum(d.amount_minor), 0) from disputes d
      where d.project_id = o.project_id and d.livemode = o.livemode and d.order_id = o.id and d.of_order and d.status in ('opened', 'lost')))
  where o.project_id = new.project_id and o.livemode = new.livemode and o.id = new.order_id;
  return null;
end $$;
-- step
create or replace trigger disputes_counted after insert or update of status, amount_minor, of_order on disputes
  for each row when (new.order_id is not null) execute function count_dispute();
-- A refund that fails leaves more of the order to its disputes.
-- step
create or replace function count_disputes_again() returns trigger language plpgsql as $$
begin
  new.amount_disputed_minor := least(new.amount_received_minor - new.amount_refunded_minor - new.amount_refunding_minor,
    (select coalesce(sum(d.amount_minor), 0) from disputes d
      where d.project_id = new.project_id and d.livemode = new.livemode and d.order_id = new.id and d.of_order and d.status in ('opened', 'lost')));
  return new;
end $$;
-- step
create or replace trigger orders_disputed before update of amount_refunded_minor, amount_refunding_minor on orders for each row
  when (new.amount_refunded_minor + new.amount_refunding_minor < old.amount_refunded_minor + old.amount_refunding_minor)
  execute function count_disputes_again();
-- Two kinds of transfers more, and the account that they go through.
-- step
alter table ledger_accounts drop constraint ledger_accounts_code;
alter table ledger_accounts add constraint ledger_accounts_code
  check (code in ('custody', 'sales', 'suspense', 'excess', 'shortfall', 'refunds', 'fees', 'disputes')) not valid;
-- step
alter table ledger_accounts validate constraint ledger_accounts_code;
-- step
alter table ledger_transfers drop constraint ledger_transfers_kind;
alter table ledger_transfers add constraint ledger_transfers_kind
  check (kind in ('order_payment', 'suspense', 'excess', 'refund', 'fee', 'adjustment', 'reversal', 'dispute', 'dispute_reversal')) not valid;
alter table ledger_transfers drop constraint ledger_transfers_kind_accounts;
alter table ledger_transfers add constraint ledger_transfers_kind_accounts check (
    case kind
      when 'order_payment' then credit = 'sales'
      when 'suspense' then credit = 'suspense'
      when 'excess' then credit = 'excess'
      when 'refund' then credit = 'custody'
      when 'fee' then debit = 'fees'
      when 'dispute' then debit = 'disputes' and credit = 'custody'
      when 'dispute_reversal' then debit = 'custody' and credit = 'disputes'
      else true
    end) not valid;
-- step
alter table ledger_transfers validate constraint ledger_transfers_kind;
-- step
alter table ledger_transfers validate constraint ledger_transfers_kind_accounts;
-- Figures count them by the day on which they were booked.
-- step
create index concurrently if not exists ledger_transfers_disputed on ledger_transfers (project_id, livemode, created_at) where kind in ('dispute', 'dispute_reversal');
