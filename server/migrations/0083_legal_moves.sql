-- The states of rows move only as their room's table of moves says. PostgreSQL evaluates the condition itself and calls the function only to refuse. An "after"
-- trigger, because one "before" would lock each row once more.
-- transaction: none
-- step
create or replace function refuse_illegal_move() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % does not move from % to %', tg_table_name, to_jsonb(old) ->> tg_argv[0], to_jsonb(new) ->> tg_argv[0]
    using errcode = '23514', constraint = tg_name;
end $$;
-- step
create or replace trigger merchants_verification_status_moves after update of verification_status on merchants for each row
  when (old.verification_status <> new.verification_status and old.verification_status || '>' || new.verification_status <> all (array[
    'pending>verified', 'pending>rejected',
    'verified>rejected',
    'rejected>verified']))
  execute function refuse_illegal_move('verification_status');
-- step
create or replace trigger receipts_status_moves after update of status on receipts for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'unmatched>matched', 'unmatched>linked', 'unmatched>ignored',
    'matched>unmatched',
    'linked>unmatched',
    'ignored>unmatched']))
  execute function refuse_illegal_move('status');
-- step
create or replace trigger domains_status_moves after update of status on domains for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'pending>verified', 'pending>failed',
    'verified>failed',
    'failed>pending', 'failed>verified']))
  execute function refuse_illegal_move('status');
-- step
create or replace trigger notices_state_moves after update of state on notices for each row
  when (old.state <> new.state and old.state || '>' || new.state <> all (array[
    'due>leased',
    'leased>due', 'leased>set_aside', 'leased>sent', 'leased>skipped', 'leased>failed',
    'set_aside>due']))
  execute function refuse_illegal_move('state');
-- step
create or replace trigger webhook_deliveries_state_moves after update of state on webhook_deliveries for each row
  when (old.state <> new.state and old.state || '>' || new.state <> all (array[
    'due>leased', 'due>skipped',
    'leased>due', 'leased>set_aside', 'leased>succeeded', 'leased>failed', 'leased>skipped',
    'set_aside>due', 'set_aside>leased',
    'succeeded>due', 'succeeded>leased',
    'failed>due', 'failed>leased',
    'skipped>due', 'skipped>leased']))
  execute function refuse_illegal_move('state');
-- step
create or replace trigger email_recipients_status_moves after update of status on email_recipients for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'scheduled>queued', 'scheduled>canceled', 'scheduled>failed',
    'queued>scheduled', 'queued>sending', 'queued>canceled', 'queued>suppressed', 'queued>failed',
    'sending>queued', 'sending>sent', 'sending>delivered', 'sending>delivery_delayed', 'sending>bounced', 'sending>complained', 'sending>failed', 'sending>suppressed',
    'delivery_delayed>sending', 'delivery_delayed>delivered', 'delivery_delayed>bounced', 'delivery_delayed>failed', 'delivery_delayed>canceled', 'delivery_delayed>sent', 'delivery_delayed>complained', 'delivery_delayed>suppressed',
    'sent>delivered', 'sent>delivery_delayed', 'sent>bounced', 'sent>complained',
    'delivered>bounced', 'delivered>complained']))
  execute function refuse_illegal_move('status');
-- step
create or replace trigger email_recipients_state_moves after update of state on email_recipients for each row
  when (old.state <> new.state and old.state || '>' || new.state <> all (array[
    'waiting>due', 'waiting>done',
    'due>waiting', 'due>leased', 'due>set_aside', 'due>done',
    'leased>waiting', 'leased>due', 'leased>set_aside', 'leased>done',
    'set_aside>due', 'set_aside>done']))
  execute function refuse_illegal_move('state');
