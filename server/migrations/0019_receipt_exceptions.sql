-- A receipt whose money settled nothing says which exception it became.
alter table receipts add column exception_id text collate "C";
update receipts r set exception_id = e.id from payment_exceptions e
where e.project_id = r.project_id and e.livemode = r.livemode and e.receipt_id = r.id;
