-- A role that serves without owning the tables adds to the ledger and the audit log, and changes nothing in them. What has to change beside them, the balances and where an
-- audit row stands in its chain, is changed by functions that run with their owner's rights.

create or replace function extend_balance_tail() returns trigger language plpgsql security definer as $$
begin
  insert into ledger_balance_tail (project_id, livemode, currency, gateway, account, transfer_id, delta_minor, created_at)
  select project_id, livemode, currency, gateway, debit, id, amount_minor, created_at from added
  union all
  select project_id, livemode, currency, gateway, credit, id, -amount_minor, created_at from added;
  return null;
end $$;

-- One statement, so that a reader's snapshot holds either the rows of the tail or the sum that took their place.
create function roll_balances(most int) returns bigint language sql volatile security definer as $$
  with taken as (
    delete from ledger_balance_tail where ctid in (select ctid from ledger_balance_tail limit most for update skip locked)
    returning project_id, livemode, currency, gateway, account, delta_minor, created_at
  ), folded as (
    insert into ledger_balances (project_id, livemode, currency, gateway, account, balance_minor, updated_at)
    select project_id, livemode, currency, gateway, account, sum(delta_minor)::bigint, max(created_at)
    from taken group by project_id, livemode, currency, gateway, account
    order by project_id, livemode, currency, gateway, account
    on conflict (project_id, livemode, currency, gateway, account) do update
      set balance_minor = ledger_balances.balance_minor + excluded.balance_minor, updated_at = greatest(ledger_balances.updated_at, excluded.updated_at)
  )
  select count(*) from taken
$$;

-- The trigger of the audit log refuses a row that has its place already.
create function chain_audit_rows(merchant text, ids text[], positions bigint[], hashes text[]) returns void language sql volatile security definer as $$
  update audit_log a set position = u.position, hash = decode(u.hash, 'hex'), keyed = true
  from unnest(ids, positions, hashes) as u (id, position, hash)
  where a.merchant_id = merchant and a.id = u.id collate "C"
$$;

-- With a fixed path nobody puts a table of their own before the owner's. The schema is the one that the tables are in.
do $$
declare
  function text;
begin
  foreach function in array array['extend_balance_tail()', 'roll_balances(int)', 'chain_audit_rows(text, text[], bigint[], text[])'] loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', function, current_schema());
    execute format('revoke all on function %s from public', function);
  end loop;
end $$;
