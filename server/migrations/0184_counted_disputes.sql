-- All that the buyer got back since a time, if a dispute's provider reported that with the loss, and the row's version that stored it: an
-- earlier version of Tillpost stores later reports without changing these. null: not reported, or stored by an earlier version.
alter table disputes add column counted_minor bigint, add column counted_since timestamptz, add column counted_version int;
