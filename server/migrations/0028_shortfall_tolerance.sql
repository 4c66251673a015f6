-- How much less than was asked for a merchant takes for the whole without being asked, in hundredths of a percent.
alter table merchants add column shortfall_tolerance_bps int not null default 100
  constraint merchants_shortfall_tolerance check (shortfall_tolerance_bps between 0 and 10000);
