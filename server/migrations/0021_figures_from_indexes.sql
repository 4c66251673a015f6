-- The figures of a large project are read from indexes alone, without a look at its orders.
create index orders_by_payment on orders (project_id, livemode, paid_at) include (id, currency, amount_minor) where status = 'paid';
drop index orders_by_time;
create index orders_by_time on orders (project_id, livemode, created_at) include (status);
create index payment_sessions_by_verification on payment_sessions (project_id, livemode, verified_at) include (reported_at) where verified_at is not null;
drop index payment_sessions_of_order;
create index payment_sessions_of_order on payment_sessions (project_id, livemode, order_id, id) include (gateway);
