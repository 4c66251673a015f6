-- A queue counts how often a worker died or stalled with a job in its hands, and sets aside the job that did it.
alter table webhook_deliveries add column deaths smallint not null default 0;
alter table webhook_deliveries drop constraint webhook_deliveries_state_check;
alter table webhook_deliveries add constraint webhook_deliveries_state_check
  check (state in ('due', 'leased', 'set_aside', 'succeeded', 'failed', 'skipped')) not valid;

alter table email_recipients add column deaths smallint not null default 0;
alter table email_recipients drop constraint email_recipients_state_check;
alter table email_recipients add constraint email_recipients_state_check check (state in ('waiting', 'due', 'leased', 'set_aside', 'done')) not valid;

-- Notices are leased as everything else is: until now a lease was a later due time.
alter table notices add column deaths smallint not null default 0, add column lease_until timestamptz;
alter table notices drop constraint notices_state_check;
alter table notices add constraint notices_state_check check (state in ('due', 'leased', 'set_aside', 'sent', 'skipped', 'failed')) not valid;
alter table notices drop constraint notices_end_check;
alter table notices add constraint notices_end_check check ((state in ('due', 'leased', 'set_aside')) = (finished_at is null)) not valid;

-- Workers that were lost with jobs in their hands. How many there were of late tells a job that kills its workers from workers that are killed.
create table worker_deaths (
  queue text not null,
  holder text collate "C" not null,
  noticed_at timestamptz not null,
  jobs integer not null,
  primary key (queue, holder)
);
