-- Finds orders by what the merchant keeps with them, without reading the others: `metadata[key]=value`. The tenant leads as everywhere, by the index of its own.
-- transaction: none
-- step
create index concurrently if not exists orders_by_metadata on orders using gin (metadata jsonb_path_ops);
