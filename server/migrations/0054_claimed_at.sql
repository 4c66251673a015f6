-- When the buyer of a canceled order said that they had paid it.
alter table orders add column claimed_at timestamptz;
