-- Callbacks name an account by its id alone, or by what its provider calls it. And a payment through a provider can be under way there, and come back from it. When a session ends here, its payment at the provider is closed soon after.
-- transaction: none
-- step
create or replace trigger payment_sessions_status_moves after update of status on payment_sessions for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'pending>processing', 'pending>pending_verify', 'pending>succeeded', 'pending>failed', 'pending>expired', 'pending>canceled',
    'processing>pending', 'processing>pending_verify', 'processing>succeeded', 'processing>failed', 'processing>expired', 'processing>canceled',
    'pending_verify>pending', 'pending_verify>succeeded', 'pending_verify>failed', 'pending_verify>expired', 'pending_verify>canceled',
    'failed>succeeded',
    'expired>succeeded',
    'canceled>pending', 'canceled>succeeded']))
  execute function refuse_illegal_move('status');
-- step
create or replace function hurry_gateway_payment() returns trigger language plpgsql as $$
begin
  update gateway_payments g set due_at = app_now()
  where g.project_id = new.project_id and g.livemode = new.livemode and g.payment_session_id = new.id and g.state = 'due' and g.due_at > app_now();
  return null;
end $$;
-- step
create or replace trigger payment_sessions_hurry after update of status on payment_sessions for each row
  when (old.status in ('pending', 'processing', 'pending_verify') and new.status in ('succeeded', 'failed', 'expired', 'canceled') and new.method_data ->> 'type' = 'gateway')
  execute function hurry_gateway_payment();
-- step
create index concurrently if not exists gateway_credentials_by_id on gateway_credentials (id);
-- step
create index concurrently if not exists gateway_credentials_by_gateway on gateway_credentials (gateway);
