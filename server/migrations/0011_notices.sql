-- Notices become due, are leased to one worker at a time and end; and Tillpost itself becomes a sender among the others.
alter table notices
  -- While a worker holds a notice, due_at is the end of its lease.
  add column lease text,
  -- Names the notices that are told together, from their first try on.
  add column batch text,
  -- Why it ended without a mail, or why it has to wait.
  add column reason text,
  add column finished_at timestamptz,
  drop constraint notices_state_check,
  -- `skipped`: there was nobody to tell, or nothing left to say.
  add constraint notices_state_check check (state in ('due', 'sent', 'skipped', 'failed')),
  add constraint notices_end_check check ((state = 'due') = (finished_at is null));
-- Notices of one kind to one reader are gathered into one mail, and not sent again too soon.
create index notices_to_gather on notices (kind, recipient, finished_at);
create index notices_finished on notices (finished_at) where state <> 'due';

-- The sender of Tillpost's own mails. Its ids are all zeros, which no clock ever makes, and it has no keys.
insert into merchants (id, display_name, verification_status, verified_at, messaging_tier, created_at, updated_at) values
  ('mer_00000000000000000000000000', 'Tillpost', 'verified', '2026-11-20T00:00:00Z', 'enterprise', '2026-11-20T00:00:00Z', '2026-11-20T00:00:00Z');
insert into projects (id, merchant_id, name, slug, default_currency, created_at, updated_at) values
  ('prj_00000000000000000000000000', 'mer_00000000000000000000000000', 'Tillpost', 'tillpost', 'USD', '2026-11-20T00:00:00Z', '2026-11-20T00:00:00Z');
