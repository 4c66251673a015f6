-- As in 0083, for payment sessions and the proofs of payments; and two triggers of 0083 once more, with moves that they left out.
-- transaction: none
-- step
create or replace trigger payment_sessions_status_moves after update of status on payment_sessions for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'pending>pending_verify', 'pending>succeeded', 'pending>failed', 'pending>expired', 'pending>canceled',
    'processing>pending_verify', 'processing>succeeded', 'processing>failed', 'processing>expired', 'processing>canceled',
    'pending_verify>pending', 'pending_verify>succeeded', 'pending_verify>failed', 'pending_verify>expired', 'pending_verify>canceled',
    'failed>succeeded',
    'expired>succeeded',
    'canceled>pending', 'canceled>succeeded']))
  execute function refuse_illegal_move('status');
-- step
create or replace trigger vouchers_status_moves after update of status on vouchers for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'submitted>approved', 'submitted>rejected', 'submitted>superseded']))
  execute function refuse_illegal_move('status');
-- step
-- A reviewer who types the transfer number of an ignored receipt links it.
create or replace trigger receipts_status_moves after update of status on receipts for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'unmatched>matched', 'unmatched>linked', 'unmatched>ignored',
    'matched>unmatched',
    'linked>unmatched',
    'ignored>unmatched', 'ignored>linked']))
  execute function refuse_illegal_move('status');
-- step
-- Programs that know 0073 at most lease a notice without a state of its own, and end it while it is due.
create or replace trigger notices_state_moves after update of state on notices for each row
  when (old.state <> new.state and old.state || '>' || new.state <> all (array[
    'due>leased', 'due>sent', 'due>skipped', 'due>failed',
    'leased>due', 'leased>set_aside', 'leased>sent', 'leased>skipped', 'leased>failed',
    'set_aside>due']))
  execute function refuse_illegal_move('state');
