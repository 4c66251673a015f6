-- When a refund was last requested again from its provider. Where a lost dispute of its payment was known by then, it is later than what
-- that returned. null: only requested when it was stored, or by an earlier version.
alter table gateway_refunds add column requested_at timestamptz;
