-- Orders that a receipt paid by itself carry a flag of their own; those of before are known by the money that paid them.
-- transaction: none
-- step: repeat
update orders set flags = array(select flag from unnest(flags || '{auto_matched}'::text[]) flag order by flag) where (project_id, livemode, id) in (
  select o.project_id, o.livemode, o.id from received_payments m
  join orders o on o.project_id = m.project_id and o.livemode = m.livemode and o.id = m.order_id
  where m.source = 'receipt' and m.outcome = 'paid' and o.status = 'paid' and not o.flags && '{auto_matched,manually_verified}'::text[]
  limit 1000);
