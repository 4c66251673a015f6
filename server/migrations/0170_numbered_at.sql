-- When an event got its number: one whose deliveries couldn't be created gets it after newer ones. null: not yet, or numbered by an earlier
-- version, which numbers events in the order of their creation.
alter table events add column numbered_at timestamptz;
