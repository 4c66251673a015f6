-- Whose money is seen where: accounts of the two wallets, what was asked on them, and receipts that know both.

-- An account of a wallet that money comes to. Several projects of a merchant may share one; its row is locked while receipts of it are matched.
create table receiving_accounts (
  merchant_id text collate "C" not null references merchants,
  livemode boolean not null,
  channel text not null check (channel in ('wechat', 'alipay')),
  account_ref text collate "C" not null check (account_ref <> ''),
  created_at timestamptz not null,
  primary key (merchant_id, livemode, channel, account_ref)
);

alter table collection_profiles
  add column account_ref text collate "C",
  add column ignore_rules jsonb not null default '[]';

-- What was asked of whom, on which account. A row is never given to another order: while it is `holding`, its amount or code is nobody else's,
-- and its window says who was asked for as long as statements come in. `amount_locks` serves processes of the version before and is read no more.
create table askings (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  merchant_id text collate "C" not null references merchants,
  channel text not null check (channel in ('wechat', 'alipay')),
  account_ref text collate "C" not null,
  order_id text collate "C" not null,
  mode text not null check (mode in ('exact', 'remark', 'unique_amount')),
  -- What the page asked for, and what the order came to.
  amount_minor bigint not null check (amount_minor > 0),
  nominal_minor bigint not null check (nominal_minor > 0),
  code text,
  -- A code asked for because no amount was free: the amount next to it marks nothing.
  is_fallback boolean not null default false,
  asked_from timestamptz not null,
  -- When its last payment session ended or will end, and when its amount or code may be another's.
  asked_until timestamptz not null,
  held_until timestamptz not null,
  holding boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  foreign key (project_id, livemode, order_id) references orders (project_id, livemode, id),
  check ((mode = 'remark') = (code is not null))
);
create unique index askings_amount on askings (merchant_id, livemode, channel, account_ref, amount_minor) where holding and mode = 'unique_amount';
create unique index askings_code on askings (merchant_id, livemode, channel, account_ref, code) where holding and mode = 'remark';
create index askings_by_amount on askings (merchant_id, livemode, channel, account_ref, amount_minor, held_until);
create index askings_by_nominal on askings (merchant_id, livemode, channel, account_ref, nominal_minor, held_until);
create index askings_by_code on askings (merchant_id, livemode, channel, account_ref, code, held_until) where code is not null;
create index askings_of_order on askings (project_id, livemode, order_id);

alter table payment_sessions
  add column asking_id text collate "C",
  add column flags text[] not null default '{}';

-- A hold lasts until a day after its order's last session ended, an hour after the order was paid, and at most a week while a report is undecided.
create function tend_hold() returns trigger language plpgsql as $$
declare
  paid timestamptz;
  ended timestamptz;
  free timestamptz;
begin
  if new.status in ('pending', 'processing') then
    ended := new.expires_at;
    free := ended + interval '24 hours';
  elsif new.status = 'pending_verify' then
    ended := new.updated_at;
    free := coalesce(new.reported_at, new.updated_at) + interval '7 days';
  elsif new.status = 'succeeded' then
    ended := new.updated_at;
    free := ended + interval '1 hour';
  else
    ended := case when new.status = 'expired' then least(new.expires_at, new.updated_at) else new.updated_at end;
    free := ended + interval '24 hours';
  end if;
  select o.paid_at into paid from orders o where o.project_id = new.project_id and o.livemode = new.livemode and o.id = new.order_id;
  if paid is not null then free := least(free, paid + interval '1 hour'); end if;
  update askings set asked_until = ended, held_until = free, updated_at = new.updated_at
  where project_id = new.project_id and livemode = new.livemode and id = new.asking_id and holding;
  return null;
end $$;
create trigger payment_sessions_hold after insert or update of status on payment_sessions for each row
  when (new.asking_id is not null) execute function tend_hold();

create function free_holds() returns trigger language plpgsql as $$
begin
  update askings set held_until = least(held_until, new.paid_at + interval '1 hour'), updated_at = new.updated_at
  where project_id = new.project_id and livemode = new.livemode and order_id = new.id and held_until > new.paid_at + interval '1 hour';
  return null;
end $$;
create trigger orders_holds after update of status on orders for each row when (new.status = 'paid') execute function free_holds();

-- Transfer numbers of the two wallets as they are compared: in one width and case, without blanks and invisible characters.
create function external_key_of(given text) returns text language sql immutable strict as $$
  select nullif(lower(regexp_replace(normalize(given, NFKC),
    '[\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff]',
    '', 'g') collate "C"), '')
$$;

alter table receipts
  add column merchant_id text collate "C",
  add column account_ref text collate "C",
  -- The transfer's number as it is compared; null where the source gave none, or where an older row has the same one.
  add column external_key text collate "C",
  add column has_known_number boolean not null default false,
  -- The wallet's word for what kind of transfer it was.
  add column kind text,
  add column state text not null default 'final' check (state in ('final', 'unfinished', 'refunded', 'partly_refunded')),
  -- The piece of money in the books that it shows. At most one receipt of each source shows one piece.
  add column booked_project_id text collate "C",
  add column booked_external_id text collate "C",
  -- Receipts and approvals that were closed as a set: each is one of these transfers, none is any order's own.
  add column set_id text collate "C",
  add column decided_by text,
  add column decision_reason text,
  add column created_by text,
  -- How often its money was booked and taken back out.
  add column releases int not null default 0;

alter table received_payments
  add column merchant_id text collate "C",
  add column external_key text collate "C",
  add column has_known_number boolean not null default false,
  add column set_id text collate "C";

alter table vouchers add column reference_key text collate "C";

-- Money that is not in the books can be an exception too: a code that came with another amount.
alter table payment_exceptions alter column transaction_id drop not null;
alter table payment_exceptions drop constraint payment_exceptions_resolution_check;
alter table payment_exceptions add constraint payment_exceptions_resolution_check
  check (resolution in ('accept', 'refund', 'ignore', 'applied', 'released')) not valid;

-- A process of the version before, which serves on while this one takes over, says none of this.
create function complete_receipt() returns trigger language plpgsql as $$
begin
  select p.merchant_id into new.merchant_id from projects p where p.id = new.project_id;
  new.account_ref := coalesce(new.account_ref, (select c.account_ref from collection_profiles c
    where c.project_id = new.project_id and c.livemode = new.livemode and c.channel = new.channel), 'main');
  new.external_key := external_key_of(new.external_id);
  return new;
end $$;
create trigger receipts_complete before insert on receipts for each row when (new.merchant_id is null) execute function complete_receipt();

create function complete_received() returns trigger language plpgsql as $$
begin
  select p.merchant_id into new.merchant_id from projects p where p.id = new.project_id;
  if new.gateway in ('wechatpay', 'alipay') then new.external_key := external_key_of(new.external_id); end if;
  return new;
end $$;
create trigger received_payments_complete before insert on received_payments for each row when (new.merchant_id is null) execute function complete_received();

create function complete_profile() returns trigger language plpgsql as $$
begin
  new.account_ref := 'main';
  return new;
end $$;
create trigger collection_profiles_complete before insert or update on collection_profiles for each row
  when (new.account_ref is null) execute function complete_profile();

create index payment_sessions_of_asking on payment_sessions (project_id, livemode, asking_id, id) where asking_id is not null;
create index receipts_of_set on receipts (set_id) where set_id is not null;
create index receipts_followers on receipts (merchant_id, livemode, twin_id) where twin_id is not null;
