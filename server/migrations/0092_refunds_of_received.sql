-- No order has refunds yet, so this only reads; in a file of its own, so that nobody waits for it.
-- transaction: none
-- step
alter table orders validate constraint orders_refunds_of_received;
