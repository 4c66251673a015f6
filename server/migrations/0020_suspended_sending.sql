-- Merchants whose LIVE mail an operator has stopped, with the reason.
alter table merchants add column sending_suspended_at timestamptz;
alter table merchants add column sending_suspended_reason text;
alter table merchants add constraint merchants_suspension_with_reason check ((sending_suspended_at is null) = (sending_suspended_reason is null));
create index merchants_suspended on merchants (id) where sending_suspended_at is not null;
