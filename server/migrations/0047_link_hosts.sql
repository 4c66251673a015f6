-- A request by a sender's own link host is let in by the domain above that host.
-- transaction: none
-- step
create index concurrently if not exists domains_by_name on domains (name) where verified_at is not null;
