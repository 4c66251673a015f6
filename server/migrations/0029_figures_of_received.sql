-- Figures count what came in for an order, which is not always what was asked.
create index orders_by_received_day on orders (project_id, livemode, paid_at) include (currency, amount_minor, amount_received_minor, paid_gateway) where status = 'paid';
drop index orders_by_paid_day;
