-- The one clock of all processes, whose own clocks differ: every stored deadline is computed from it and compared with it. It stands still within a statement.
-- Whole milliseconds are what the programs' instants hold, so that a time that was read is equal to the one that is stored.
create function app_now() returns timestamptz language sql stable parallel safe return date_trunc('milliseconds', statement_timestamp());
