-- What earlier versions wrote, in the new columns. In a file of its own: new columns' locks are not held for as long as this takes.
alter table payment_exceptions validate constraint payment_exceptions_resolution_check;

-- Profiles of one merchant with one code are one account.
update collection_profiles c set account_ref = case when n.place = 1 then 'main' else 'main-' || n.place end
from (
  select f.project_id, f.livemode, f.id, dense_rank() over (partition by f.merchant_id, f.livemode, f.channel order by f.first_at, f.code) as place
  from (
    select c.project_id, c.livemode, c.id, c.channel, p.merchant_id, coalesce(c.qr_payload, c.id) as code,
      min(c.created_at) over (partition by p.merchant_id, c.livemode, c.channel, coalesce(c.qr_payload, c.id)) as first_at
    from collection_profiles c join projects p on p.id = c.project_id) f) n
where n.project_id = c.project_id and n.livemode = c.livemode and n.id = c.id;

insert into receiving_accounts (merchant_id, livemode, channel, account_ref, created_at)
select p.merchant_id, c.livemode, c.channel, c.account_ref, min(c.created_at)
from collection_profiles c join projects p on p.id = c.project_id group by p.merchant_id, c.livemode, c.channel, c.account_ref;

-- Lowering by nothing was no way to tell payments apart; a person reviews them.
update collection_profiles set matching = matching || '{"mode": "exact", "max_offset_minor": 99}'
where matching ->> 'mode' = 'unique_amount' and (matching ->> 'max_offset_minor')::int = 0;
update collection_profiles set matching = matching || '{"max_offset_minor": 99}' where (matching ->> 'max_offset_minor')::int = 0;

-- Sessions of an order that asked for the same on the same account are one asking.
insert into askings (project_id, livemode, id, merchant_id, channel, account_ref, order_id, mode, amount_minor, nominal_minor, code, asked_from, asked_until,
  held_until, holding, created_at, updated_at)
select a.project_id, a.livemode, a.id, a.merchant_id, a.channel, a.account_ref, a.order_id, a.mode, a.amount_minor, a.nominal_minor, a.code, a.asked_from,
  a.asked_until, a.held_until,
  a.mode = 'exact' or row_number() over (
    partition by a.merchant_id, a.livemode, a.channel, a.account_ref, a.mode, case when a.mode = 'remark' then a.code else a.amount_minor::text end
    order by a.held_until desc, a.id) = 1,
  a.asked_from, a.asked_until
from (
  select s.project_id, s.livemode, 'ask_' || substr(min(s.id), 4) as id, p.merchant_id, s.channel, c.account_ref, s.order_id,
    case when s.matching_mode = 'remark' and s.remark_code is null then 'exact' else s.matching_mode end as mode,
    s.payable_amount_minor as amount_minor, max(s.amount_minor) as nominal_minor,
    case when s.matching_mode = 'remark' then s.remark_code end as code, min(s.created_at) as asked_from,
    max(case when s.status in ('pending', 'processing', 'expired') then s.expires_at else s.updated_at end) as asked_until,
    least(
      max(case
        when s.status = 'pending_verify' then coalesce(s.reported_at, s.updated_at) + interval '7 days'
        when s.status in ('pending', 'processing', 'expired') then s.expires_at + interval '24 hours'
        else s.updated_at + interval '24 hours' end),
      max(o.paid_at) + interval '1 hour') as held_until
  from payment_sessions s
  join collection_profiles c on c.project_id = s.project_id and c.livemode = s.livemode and c.channel = s.channel
  join projects p on p.id = s.project_id
  join orders o on o.project_id = s.project_id and o.livemode = s.livemode and o.id = s.order_id
  where s.profile_id is not null
  group by s.project_id, s.livemode, p.merchant_id, s.channel, c.account_ref, s.order_id, s.matching_mode, s.payable_amount_minor, s.remark_code) a;

update payment_sessions s set asking_id = a.id
from askings a
where s.profile_id is not null and s.asking_id is null and a.project_id = s.project_id and a.livemode = s.livemode and a.order_id = s.order_id
  and a.channel = s.channel and a.amount_minor = s.payable_amount_minor
  and a.code is not distinct from case when s.matching_mode = 'remark' then s.remark_code end
  and a.mode = case when s.matching_mode = 'remark' and s.remark_code is null then 'exact' else s.matching_mode end;

-- A session that the version before opens meanwhile has no asking yet; its order's next one does.

update receipts r set merchant_id = p.merchant_id, external_key = external_key_of(r.external_id),
  account_ref = coalesce((select c.account_ref from collection_profiles c
    where c.project_id = r.project_id and c.livemode = r.livemode and c.channel = r.channel), 'main')
from projects p where p.id = r.project_id and r.merchant_id is null;
-- Of several rows with one number the oldest keeps it; the others are kept, marked, and listed by `tillpost doctor`.
update receipts r set external_key = null, has_known_number = true
from (
  select project_id, livemode, id, row_number() over (partition by merchant_id, livemode, channel, external_key order by created_at, id) as place
  from receipts where external_key is not null) n
where n.place > 1 and n.project_id = r.project_id and n.livemode = r.livemode and n.id = r.id;
update receipts r set content_hash = r.content_hash || ':' || r.id
from (
  select project_id, livemode, id, row_number() over (partition by merchant_id, livemode, channel, account_ref, content_hash order by created_at, id) as place
  from receipts where content_hash is not null) n
where n.place > 1 and n.project_id = r.project_id and n.livemode = r.livemode and n.id = r.id;
create unique index receipts_external_key on receipts (merchant_id, livemode, channel, external_key) where external_key is not null;
create unique index receipts_content_of_account on receipts (merchant_id, livemode, channel, account_ref, content_hash) where content_hash is not null;
create index receipts_of_account on receipts (merchant_id, livemode, channel, account_ref, amount_minor, occurred_at);

update received_payments r set merchant_id = p.merchant_id, external_key = case when r.gateway in ('wechatpay', 'alipay') then external_key_of(r.external_id) end
from projects p where p.id = r.project_id and r.merchant_id is null;
update received_payments r set external_key = null, has_known_number = true
from (
  select project_id, livemode, gateway, external_id,
    row_number() over (partition by merchant_id, livemode, gateway, external_key order by created_at, project_id, external_id) as place
  from received_payments where external_key is not null) n
where n.place > 1 and n.project_id = r.project_id and n.livemode = r.livemode and n.gateway = r.gateway and n.external_id = r.external_id;
create unique index received_payments_key on received_payments (merchant_id, livemode, gateway, external_key) where external_key is not null;

update receipts r set booked_project_id = m.project_id, booked_external_id = m.external_id
from received_payments m where m.project_id = r.project_id and m.livemode = r.livemode and m.receipt_id = r.id and r.status in ('matched', 'linked');
update receipts r set booked_project_id = t.booked_project_id, booked_external_id = t.booked_external_id
from receipts t
where t.project_id = r.project_id and t.livemode = r.livemode and t.id = r.twin_id and r.booked_external_id is null and t.booked_external_id is not null;
create unique index receipts_booked on receipts (booked_project_id, livemode, channel, booked_external_id, source) where booked_external_id is not null;

update vouchers set reference_key = external_key_of(transaction_reference) where transaction_reference is not null;
create index vouchers_by_reference_key on vouchers (project_id, livemode, reference_key) where reference_key is not null;
