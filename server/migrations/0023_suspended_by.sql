-- Who stopped a merchant's LIVE mail.
alter table merchants add column sending_suspended_by text collate "C";
