-- A request by a sender's own link host is let in by the domain above that host.
create index domains_by_name on domains (name) where verified_at is not null;
