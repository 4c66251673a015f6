-- What came for an order and is no payment of it: short of its amount, until the rest comes, or beyond it. `amount_received_minor` leaves it out.
-- transaction: none
-- step
alter table orders add column if not exists amount_held_minor bigint not null default 0;
-- The version before counts both in `amount_received_minor`; what it writes is told apart here.
-- step
create or replace function split_received() returns trigger language plpgsql as $$
declare
  total constant bigint := new.amount_received_minor + new.amount_held_minor;
begin
  new.amount_received_minor := case when new.status = 'paid' then least(total, new.amount_minor) else 0 end;
  new.amount_held_minor := total - new.amount_received_minor;
  return new;
end $$;
-- step
create or replace trigger orders_received before update on orders for each row
  when ((new.status <> 'paid' and new.amount_received_minor <> 0)
    or (new.status = 'paid' and (new.amount_received_minor > new.amount_minor
      or (old.status <> 'paid' and new.amount_held_minor > 0 and new.amount_received_minor < new.amount_minor))))
  execute function split_received();
-- What it wrote, by the exceptions that keep the money.
-- step: repeat
update orders o set amount_received_minor = 0, amount_held_minor = coalesce((select sum(e.amount_minor) from payment_exceptions e
    where e.project_id = o.project_id and e.livemode = o.livemode and e.order_id = o.id and e.kind = 'underpaid' and e.status = 'open'), 0)
where (o.project_id, o.livemode, o.id) in (select project_id, livemode, id from orders where status <> 'paid' and amount_received_minor <> 0 limit 1000);
-- step: repeat
update orders o set amount_received_minor = o.amount_received_minor - held.total, amount_held_minor = held.total
from (
  select e.project_id, e.livemode, e.order_id as id, sum(e.amount_minor)::bigint as total
  from payment_exceptions e join orders p on p.project_id = e.project_id and p.livemode = e.livemode and p.id = e.order_id
  where e.kind = 'overpaid' and p.status = 'paid' and p.amount_held_minor = 0
  group by e.project_id, e.livemode, e.order_id limit 1000) held
where o.project_id = held.project_id and o.livemode = held.livemode and o.id = held.id;
