-- Money that goes back: of what an order received, or of what an exception holds. And payments that were taken back out of the books.
create table refunds (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  order_id text collate "C",
  payment_session_id text collate "C",
  -- The exception whose held money goes back; null for a refund of what the order received.
  exception_id text collate "C",
  gateway text not null,
  method text not null check (method in ('gateway', 'manual')),
  status text not null check (status in ('pending', 'requires_action', 'unknown', 'succeeded', 'failed')),
  amount_minor bigint not null check (amount_minor between 1 and 99999999999),
  currency text not null,
  reason text,
  note text,
  -- What a person says of a refund that they made themselves.
  channel text,
  paid_back_by text,
  paid_back_at timestamptz,
  external_transaction_id text,
  asset_id text collate "C",
  gateway_refund_id text,
  next_action jsonb,
  failure_code text,
  failure_note text,
  -- The transfer that takes the money out of the books, once it is out.
  transaction_id text collate "C",
  created_by text not null,
  version int not null default 1,
  succeeded_at timestamptz,
  failed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  constraint refunds_of_something check (order_id is not null or exception_id is not null),
  foreign key (project_id, livemode, order_id) references orders (project_id, livemode, id),
  foreign key (project_id, livemode, exception_id) references payment_exceptions (project_id, livemode, id),
  foreign key (project_id, livemode, transaction_id) references ledger_transfers (project_id, livemode, id)
);
create index refunds_of_order on refunds (project_id, livemode, order_id, id) where order_id is not null;
create index refunds_by_status on refunds (project_id, livemode, status, id);
-- What an exception holds goes back whole, and once.
create unique index refunds_of_exception on refunds (project_id, livemode, exception_id) where exception_id is not null and status <> 'failed';

create trigger refunds_status_moves after update of status on refunds for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'pending>requires_action', 'pending>unknown', 'pending>succeeded', 'pending>failed',
    'requires_action>pending', 'requires_action>unknown', 'requires_action>succeeded', 'requires_action>failed',
    'unknown>pending', 'unknown>requires_action', 'unknown>succeeded', 'unknown>failed',
    'succeeded>failed']))
  execute function refuse_illegal_move('status');

-- An order counts its own refunds: those that succeeded, and those that may yet. Together they never exceed what it received, whatever a program does.
alter table orders add column amount_refunding_minor bigint not null default 0;
alter table orders add constraint orders_refunds_of_received
  check (amount_refunding_minor >= 0 and amount_refunded_minor + amount_refunding_minor <= amount_received_minor) not valid;

create function count_refund() returns trigger language plpgsql as $$
declare
  refunded bigint := case when new.status = 'succeeded' then new.amount_minor else 0 end;
  refunding bigint := case when new.status in ('pending', 'requires_action', 'unknown') then new.amount_minor else 0 end;
begin
  if tg_op = 'UPDATE' then
    refunded := refunded - case when old.status = 'succeeded' then old.amount_minor else 0 end;
    refunding := refunding - case when old.status in ('pending', 'requires_action', 'unknown') then old.amount_minor else 0 end;
  end if;
  update orders o set amount_refunded_minor = o.amount_refunded_minor + refunded, amount_refunding_minor = o.amount_refunding_minor + refunding,
    version = o.version + 1, updated_at = app_now()
  where o.project_id = new.project_id and o.livemode = new.livemode and o.id = new.order_id;
  return null;
end $$;
create trigger refunds_counted after insert or update of status, amount_minor on refunds
  for each row when (new.exception_id is null) execute function count_refund();

-- Each payment that was booked by mistake and taken back out, so that its number can be booked again under another name in the ledger.
create table reversed_payments (
  project_id text collate "C" not null,
  livemode boolean not null,
  gateway text not null,
  external_id text collate "C" not null,
  -- The how manieth reversal of this number it was.
  attempt int not null,
  order_id text collate "C" not null,
  payment_session_id text collate "C",
  receipt_id text collate "C",
  amount_minor bigint not null,
  currency text not null,
  source text not null,
  cause text not null check (cause in ('not_received', 'other_order')),
  note text not null,
  -- Where the money stands since, when it is another order's.
  exception_id text collate "C",
  occurred_at timestamptz not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (project_id, livemode, gateway, external_id, attempt),
  foreign key (project_id, livemode, order_id) references orders (project_id, livemode, id)
);
create index reversed_payments_of_order on reversed_payments (project_id, livemode, order_id);
