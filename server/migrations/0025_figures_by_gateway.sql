-- In a file of its own: the new column's lock on the whole table is not held for as long as this takes.
update orders o set paid_gateway = s.gateway
from (
  select distinct on (project_id, livemode, order_id) project_id, livemode, order_id, gateway from payment_sessions
  order by project_id, livemode, order_id, id desc) s
where o.status = 'paid' and o.paid_gateway is null and s.project_id = o.project_id and s.livemode = o.livemode and s.order_id = o.id;
create index orders_by_paid_day on orders (project_id, livemode, paid_at) include (currency, amount_minor, paid_gateway) where status = 'paid';
drop index orders_by_payment;
