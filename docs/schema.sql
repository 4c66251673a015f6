-- What the migrations amount to. Written by `npm run generate`.

CREATE OR REPLACE FUNCTION public.app_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN date_trunc('milliseconds'::text, statement_timestamp());

CREATE OR REPLACE FUNCTION public.chain_audit_rows(merchant text, ids text[], positions bigint[], hashes text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update audit_log a set position = u.position, hash = decode(u.hash, 'hex'), keyed = true
  from unnest(ids, positions, hashes) as u (id, position, hash)
  where a.merchant_id = merchant and a.id = u.id collate "C"
$function$;

CREATE OR REPLACE FUNCTION public.compare_credential()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into gateway_comparisons (project_id, livemode, credential_id, gateway, due_at, created_at)
  values (new.project_id, new.livemode, new.id, new.gateway, app_now(), app_now())
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.complete_profile()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.account_ref := 'main';
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.complete_receipt()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select p.merchant_id into new.merchant_id from projects p where p.id = new.project_id;
  new.account_ref := coalesce(new.account_ref, (select c.account_ref from collection_profiles c
    where c.project_id = new.project_id and c.livemode = new.livemode and c.channel = new.channel), 'main');
  new.external_key := external_key_of(new.external_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.complete_received()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select p.merchant_id into new.merchant_id from projects p where p.id = new.project_id;
  if new.gateway in ('wechatpay', 'alipay') then new.external_key := external_key_of(new.external_id); end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.complete_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.method := new.gateway;
  new.method_data := personal_data_of(new);
  new.account := (select a.channel || ':' || a.account_ref from askings a
    where a.project_id = new.project_id and a.livemode = new.livemode and a.id = new.asking_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.count_dispute()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update orders o set amount_disputed_minor = least(o.amount_received_minor - o.amount_refunded_minor - o.amount_refunding_minor,
    (select coalesce(sum(d.amount_minor), 0) from disputes d
      where d.project_id = o.project_id and d.livemode = o.livemode and d.order_id = o.id and d.of_order and d.status in ('opened', 'lost')))
  where o.project_id = new.project_id and o.livemode = new.livemode and o.id = new.order_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_disputes_again()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.amount_disputed_minor := least(new.amount_received_minor - new.amount_refunded_minor - new.amount_refunding_minor,
    (select coalesce(sum(d.amount_minor), 0) from disputes d
      where d.project_id = new.project_id and d.livemode = new.livemode and d.order_id = new.id and d.of_order and d.status in ('opened', 'lost')));
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.count_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  refunded bigint := case when new.status = 'succeeded' then new.amount_minor else 0 end;
  refunding bigint := case when new.status in ('pending', 'requires_action', 'unknown') then new.amount_minor else 0 end;
begin
  if tg_op = 'UPDATE' then
    refunded := refunded - case when old.status = 'succeeded' then old.amount_minor else 0 end;
    refunding := refunding - case when old.status in ('pending', 'requires_action', 'unknown') then old.amount_minor else 0 end;
  end if;
  update orders o set amount_refunded_minor = o.amount_refunded_minor + refunded, amount_refunding_minor = o.amount_refunding_minor + refunding,
    version = o.version + 1, updated_at = app_now()
  where o.project_id = new.project_id and o.livemode = new.livemode and o.id = new.order_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.extend_balance_tail()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into ledger_balance_tail (project_id, livemode, currency, gateway, account, transfer_id, delta_minor, created_at)
  select project_id, livemode, currency, gateway, debit, id, amount_minor, created_at from added
  union all
  select project_id, livemode, currency, gateway, credit, id, -amount_minor, created_at from added;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.external_key_of(given text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE STRICT
AS $function$
  select nullif(lower(regexp_replace(normalize(given, NFKC),
    '[\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff]',
    '', 'g') collate "C"), '')
$function$;

CREATE OR REPLACE FUNCTION public.free_holds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update askings set held_until = least(held_until, new.paid_at + interval '1 hour'), updated_at = new.updated_at
  where project_id = new.project_id and livemode = new.livemode and order_id = new.id and held_until > new.paid_at + interval '1 hour';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.hurry_gateway_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update gateway_payments g set due_at = app_now()
  where g.project_id = new.project_id and g.livemode = new.livemode and g.payment_session_id = new.id and g.state = 'due' and g.due_at > app_now();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.limit_clock_ms()
 RETURNS bigint
 LANGUAGE sql
AS $function$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint $function$;

CREATE OR REPLACE FUNCTION public.name_paid_gateway()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select s.gateway into new.paid_gateway from payment_sessions s
  where s.project_id = new.project_id and s.livemode = new.livemode and s.order_id = new.id order by s.id desc limit 1;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.personal_data_of(s payment_sessions)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select jsonb_build_object('type', 'personal_qr', 'profile_id', s.profile_id, 'qr_payload', s.qr_payload, 'qr_asset_id', s.qr_asset_id,
    'payee_name', s.payee_name, 'instructions', s.instructions, 'matching_mode', s.matching_mode, 'remark_code', s.remark_code)
$function$;

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.position is null and new.keyed
    and (to_jsonb(new) - 'position' - 'hash' - 'keyed') = (to_jsonb(old) - 'position' - 'hash' - 'keyed') then
    return new;
  end if;
  raise exception 'audit_log is append-only';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_illegal_email_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status = new.status then return new; end if;
  if old.status not in ('bounced', 'complained', 'failed', 'suppressed', 'canceled', 'delivered')
    or (old.status = 'delivered' and new.status in ('bounced', 'complained'))
  then return new; end if;
  raise exception 'an e-mail does not move from % to %', old.status, new.status using errcode = '23514', constraint = 'emails_moves';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_illegal_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a row of % does not move from % to %', tg_table_name, to_jsonb(old) ->> tg_argv[0], to_jsonb(new) ->> tg_argv[0]
    using errcode = '23514', constraint = tg_name;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_illegal_order_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status = new.status then return new; end if;
  if (old.status, new.status) in (
    ('unpaid', 'pending_verify'), ('unpaid', 'paid'), ('unpaid', 'failed'), ('unpaid', 'expired'), ('unpaid', 'canceled'),
    ('pending_verify', 'paid'), ('pending_verify', 'unpaid'), ('pending_verify', 'failed'),
    ('expired', 'unpaid'), ('expired', 'pending_verify'), ('expired', 'paid'),
    ('failed', 'pending_verify'), ('failed', 'paid'))
  then return new; end if;
  raise exception 'an order does not move from % to %', old.status, new.status using errcode = '23514', constraint = 'orders_moves';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only: correct it with a new transfer', tg_table_name using errcode = '23001', constraint = tg_name;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_unequal_reversal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from ledger_transfers o
  where o.project_id = new.project_id and o.livemode = new.livemode and o.id = new.reverses and o.kind <> 'reversal'
    and o.currency = new.currency and o.gateway = new.gateway and o.amount_minor = new.amount_minor
    and o.debit = new.credit and o.credit = new.debit;
  if not found then
    raise exception 'a reversal mirrors one earlier transfer of the same tenant' using errcode = '23514', constraint = 'ledger_transfers_mirror';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.roll_balances(most integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.split_received()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  total constant bigint := new.amount_received_minor + new.amount_held_minor;
begin
  new.amount_received_minor := case when new.status = 'paid' then least(total, new.amount_minor) else 0 end;
  new.amount_held_minor := total - new.amount_received_minor;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.tend_hold()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
    ended := new.updated_at;
    if new.status = 'expired' and (tg_op = 'INSERT' or old.status <> 'pending_verify') then ended := least(new.expires_at, ended); end if;
    free := ended + interval '24 hours';
  end if;
  select o.paid_at into paid from orders o where o.project_id = new.project_id and o.livemode = new.livemode and o.id = new.order_id;
  if paid is not null then free := least(free, paid + interval '1 hour'); end if;
  update askings set asked_until = ended, held_until = free, updated_at = new.updated_at
  where project_id = new.project_id and livemode = new.livemode and id = new.asking_id and holding and held_until > new.updated_at;
  return null;
end $function$;

create table amount_locks (
  project_id text collate "C" not null,
  livemode boolean not null,
  profile_id text collate "C" not null,
  payable_amount_minor bigint not null,
  session_id text collate "C" not null,
  held_until timestamp with time zone not null,
  constraint amount_locks_pkey PRIMARY KEY (project_id, livemode, profile_id, payable_amount_minor),
  constraint amount_locks_project_id_livemode_profile_id_fkey FOREIGN KEY (project_id, livemode, profile_id) REFERENCES collection_profiles(project_id, livemode, id),
  constraint amount_locks_payable_amount_minor_check CHECK ((payable_amount_minor > 0))
);

create table api_keys (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  name text not null,
  secret_hash bytea not null,
  prefix text not null,
  last4 text not null,
  permissions text[] not null,
  allowed_ips text[] not null default '{}'::text[],
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  rotated_from text collate "C",
  created_by text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  receiving_account text collate "C",
  lost_receipts_at timestamp with time zone,
  lost_receipts_told_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (project_id, livemode, id),
  constraint api_keys_secret_hash_key UNIQUE (secret_hash),
  constraint api_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint api_keys_receiving_account_check CHECK ((receiving_account ~ '^(wechat|alipay):.+$'::text)),
  constraint api_keys_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE INDEX api_keys_to_tell ON public.api_keys USING btree (id) WHERE (lost_receipts_at IS NOT NULL);

create table askings (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  channel text not null,
  account_ref text collate "C" not null,
  order_id text collate "C" not null,
  mode text not null,
  amount_minor bigint not null,
  nominal_minor bigint not null,
  code text,
  is_fallback boolean not null default false,
  asked_from timestamp with time zone not null,
  asked_until timestamp with time zone not null,
  held_until timestamp with time zone not null,
  holding boolean not null default true,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint askings_pkey PRIMARY KEY (project_id, livemode, id),
  constraint askings_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint askings_project_id_livemode_order_id_fkey FOREIGN KEY (project_id, livemode, order_id) REFERENCES orders(project_id, livemode, id),
  constraint askings_amount_minor_check CHECK ((amount_minor > 0)),
  constraint askings_channel_check CHECK ((channel = ANY (ARRAY['wechat'::text, 'alipay'::text]))),
  constraint askings_check CHECK (((mode = 'remark'::text) = (code IS NOT NULL))),
  constraint askings_mode_check CHECK ((mode = ANY (ARRAY['exact'::text, 'remark'::text, 'unique_amount'::text]))),
  constraint askings_nominal_minor_check CHECK ((nominal_minor > 0))
);
CREATE UNIQUE INDEX askings_amount ON public.askings USING btree (merchant_id, livemode, channel, account_ref, amount_minor) WHERE (holding AND (mode = 'unique_amount'::text));
CREATE INDEX askings_by_amount ON public.askings USING btree (merchant_id, livemode, channel, account_ref, amount_minor, held_until);
CREATE INDEX askings_by_code ON public.askings USING btree (merchant_id, livemode, channel, account_ref, code, held_until) WHERE (code IS NOT NULL);
CREATE INDEX askings_by_nominal ON public.askings USING btree (merchant_id, livemode, channel, account_ref, nominal_minor, held_until);
CREATE UNIQUE INDEX askings_code ON public.askings USING btree (merchant_id, livemode, channel, account_ref, code) WHERE (holding AND (mode = 'remark'::text));
CREATE INDEX askings_of_order ON public.askings USING btree (project_id, livemode, order_id);

create table asset_looks (
  project_id text collate "C" not null,
  livemode boolean not null,
  asset_id text collate "C" not null,
  shades bytea not null,
  constraint asset_looks_pkey PRIMARY KEY (project_id, livemode, asset_id),
  constraint asset_looks_project_id_livemode_asset_id_fkey FOREIGN KEY (project_id, livemode, asset_id) REFERENCES assets(project_id, livemode, id) ON DELETE CASCADE,
  constraint asset_looks_shades_check CHECK ((octet_length(shades) = 8192))
);

create table asset_uses (
  project_id text collate "C" not null,
  livemode boolean not null,
  asset_id text collate "C" not null,
  used_by text collate "C" not null,
  constraint asset_uses_pkey PRIMARY KEY (project_id, livemode, asset_id, used_by),
  constraint asset_uses_project_id_livemode_asset_id_fkey FOREIGN KEY (project_id, livemode, asset_id) REFERENCES assets(project_id, livemode, id)
);

create table assets (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  purpose text not null,
  content_type text not null,
  size_bytes bigint not null,
  width integer not null,
  height integer not null,
  sha256 text not null,
  original_sha256 text not null,
  phash bit(256) not null,
  decoded_payload text,
  decode_fault text,
  storage_key text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  decoded_payloads text[] not null default '{}'::text[],
  constraint assets_pkey PRIMARY KEY (project_id, livemode, id),
  constraint assets_storage_key_key UNIQUE (storage_key),
  constraint assets_check CHECK (((decoded_payload IS NULL) OR (decode_fault IS NULL))),
  constraint assets_content_type_check CHECK ((content_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'image/webp'::text]))),
  constraint assets_decode_fault_check CHECK ((decode_fault = ANY (ARRAY['no_code'::text, 'several_codes'::text]))),
  constraint assets_height_check CHECK ((height > 0)),
  constraint assets_purpose_check CHECK ((purpose = ANY (ARRAY['collection_qr'::text, 'payment_proof'::text, 'logo'::text]))),
  constraint assets_size_bytes_check CHECK ((size_bytes > 0)),
  constraint assets_width_check CHECK ((width > 0))
);
CREATE UNIQUE INDEX assets_by_id ON public.assets USING btree (id);
CREATE INDEX assets_by_original ON public.assets USING btree (project_id, livemode, original_sha256);
CREATE INDEX assets_of_purpose ON public.assets USING btree (project_id, livemode, purpose, created_at);

create table audit_anchor_lines (
  seal text not null,
  follows text,
  anchor text not null,
  created_at timestamp with time zone not null,
  constraint audit_anchor_lines_pkey PRIMARY KEY (seal)
);

create table audit_anchors (
  day date not null,
  chains bigint not null,
  rows bigint not null,
  root text not null,
  created_at timestamp with time zone not null,
  constraint audit_anchors_pkey PRIMARY KEY (day)
);

create table audit_chains (
  merchant_id text collate "C" not null,
  "position" bigint not null default 0,
  hash bytea not null default '\x0000000000000000000000000000000000000000000000000000000000000000'::bytea,
  number bigint,
  keyed_from bigint,
  mac bytea,
  constraint audit_chains_pkey PRIMARY KEY (merchant_id),
  constraint audit_chains_number_key UNIQUE (number),
  constraint audit_chains_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table audit_key (
  id integer not null default 1,
  name text not null,
  sealed text not null,
  chains bigint not null,
  mac bytea not null,
  created_at timestamp with time zone not null,
  constraint audit_key_pkey PRIMARY KEY (id),
  constraint audit_key_id_check CHECK ((id = 1))
);

create table audit_log (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  project_id text collate "C",
  livemode boolean,
  actor_kind text not null,
  actor_id text not null,
  action text not null,
  object_type text not null,
  object_id text,
  detail jsonb not null default '{}'::jsonb,
  request_id text,
  created_at timestamp with time zone not null,
  "position" bigint,
  hash bytea,
  mac bytea,
  keyed boolean not null default false,
  constraint audit_log_pkey PRIMARY KEY (merchant_id, id),
  constraint audit_log_merchant_id_position_key UNIQUE (merchant_id, "position"),
  constraint audit_log_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint audit_log_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint audit_log_check CHECK ((("position" IS NULL) = (hash IS NULL))),
  constraint audit_log_check1 CHECK (((project_id IS NULL) = (livemode IS NULL)))
);
CREATE INDEX audit_log_not_chained ON public.audit_log USING btree (merchant_id, id) WHERE ("position" IS NULL);
CREATE INDEX audit_log_of_all ON public.audit_log USING btree (id);
CREATE INDEX audit_log_of_object ON public.audit_log USING btree (merchant_id, object_id, id);
CREATE INDEX audit_log_of_project ON public.audit_log USING btree (merchant_id, project_id, id);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

create table batches (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null,
  total integer not null,
  accepted integer not null,
  items jsonb not null default '[]'::jsonb,
  errors jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null,
  constraint batches_pkey PRIMARY KEY (project_id, livemode, id),
  constraint batches_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text])))
);
CREATE INDEX batches_to_forget ON public.batches USING btree (created_at) WHERE ((items <> '[]'::jsonb) OR (errors <> '[]'::jsonb));

create table call_line_reports (
  project_id text collate "C" not null,
  livemode boolean not null,
  call_id text collate "C" not null,
  topic text collate "C" not null,
  facts jsonb not null,
  place bigint not null generated always as identity,
  taken boolean not null default false,
  constraint call_line_reports_pkey PRIMARY KEY (project_id, livemode, call_id, topic),
  constraint call_line_reports_project_id_livemode_call_id_fkey FOREIGN KEY (project_id, livemode, call_id) REFERENCES call_lines(project_id, livemode, call_id) ON DELETE CASCADE
);
CREATE INDEX call_line_reports_new ON public.call_line_reports USING btree (project_id, livemode, call_id) WHERE (NOT taken);

create table call_lines (
  project_id text collate "C" not null,
  livemode boolean not null,
  call_id text collate "C" not null,
  document integer not null default 0,
  sealed_document text,
  sealed_sound text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint call_lines_pkey PRIMARY KEY (project_id, livemode, call_id)
);
CREATE INDEX call_lines_expired ON public.call_lines USING btree (expires_at);

create table call_turns (
  project_id text collate "C" not null,
  livemode boolean not null,
  constraint call_turns_pkey PRIMARY KEY (project_id, livemode)
);

create table callback_secrets (
  project_id text collate "C" not null,
  livemode boolean not null,
  secret text not null,
  secret_last4 text not null,
  next_secret text,
  next_secret_last4 text,
  rolled_at timestamp with time zone,
  previous_secret text,
  previous_until timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  failing_told_at timestamp with time zone,
  constraint callback_secrets_pkey PRIMARY KEY (project_id, livemode)
);

create table calls (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  status text not null,
  version integer not null default 1,
  sequence integer not null default 0,
  last_event text,
  from_number text collate "C" not null,
  to_number text collate "C" not null,
  country text collate "C" not null,
  said jsonb,
  voice text,
  language text,
  speed double precision not null,
  ring_s integer not null,
  limit_s integer not null,
  record text,
  tags jsonb not null default '[]'::jsonb,
  metadata jsonb not null default '{}'::jsonb,
  status_callback text,
  batch_id text collate "C",
  provider text,
  sip_code integer,
  hangup_by text,
  answered_by text,
  gathered jsonb not null default '{}'::jsonb,
  digits text not null default ''::text,
  error jsonb,
  duration integer,
  ring_duration integer,
  scheduled_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  started_at timestamp with time zone,
  answered_at timestamp with time zone,
  ended_at timestamp with time zone,
  hangup_asked_at timestamp with time zone,
  state text not null,
  due_at timestamp with time zone not null,
  lease text,
  lease_until timestamp with time zone,
  attempts integer not null default 0,
  deaths smallint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  sealed_said text,
  constraint calls_pkey PRIMARY KEY (project_id, livemode, id),
  constraint calls_duration CHECK (((duration IS NULL) OR ((duration > 0) AND (answered_at IS NOT NULL)))),
  constraint calls_ended CHECK (((status = ANY (ARRAY['completed'::text, 'busy'::text, 'no_answer'::text, 'failed'::text, 'canceled'::text])) = (state = 'done'::text))),
  constraint calls_hangup_by_check CHECK ((hangup_by = ANY (ARRAY['caller'::text, 'callee'::text, 'limit'::text, 'transport'::text]))),
  constraint calls_leased CHECK (((state = 'leased'::text) = (lease IS NOT NULL))),
  constraint calls_record_check CHECK ((record = ANY (ARRAY['mono'::text, 'dual'::text]))),
  constraint calls_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'due'::text, 'leased'::text, 'set_aside'::text, 'done'::text]))),
  constraint calls_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'initiated'::text, 'ringing'::text, 'in_progress'::text, 'completed'::text, 'busy'::text, 'no_answer'::text, 'failed'::text, 'canceled'::text])))
);
CREATE INDEX calls_by_callee ON public.calls USING btree (project_id, livemode, to_number text_pattern_ops, id);
CREATE INDEX calls_by_caller ON public.calls USING btree (project_id, livemode, from_number, id);
CREATE INDEX calls_by_status ON public.calls USING btree (project_id, livemode, status, id);
CREATE INDEX calls_by_tag ON public.calls USING gin (tags jsonb_path_ops) WHERE (tags <> '[]'::jsonb);
CREATE INDEX calls_by_time ON public.calls USING btree (project_id, livemode, created_at);
CREATE INDEX calls_failed ON public.calls USING btree (updated_at) WHERE (status = 'failed'::text);
CREATE INDEX calls_kept ON public.calls USING btree (ended_at) WHERE ((said IS NOT NULL) AND (state = 'done'::text));
CREATE INDEX calls_leased ON public.calls USING btree (lease_until) WHERE (state = 'leased'::text);
CREATE INDEX calls_next ON public.calls USING btree (livemode, project_id, country, due_at, id) WHERE (state = 'due'::text);
CREATE INDEX calls_suspect ON public.calls USING btree (due_at) WHERE ((deaths > 1) AND (state = ANY (ARRAY['due'::text, 'set_aside'::text])));
CREATE INDEX calls_unclaimed ON public.calls USING btree (expires_at) WHERE (state = ANY (ARRAY['due'::text, 'set_aside'::text]));
CREATE INDEX calls_under_way ON public.calls USING btree (livemode, project_id) WHERE (state = 'leased'::text);
CREATE INDEX calls_waiting ON public.calls USING btree (due_at) WHERE (state = 'waiting'::text);
CREATE TRIGGER calls_state_moves AFTER UPDATE OF state ON public.calls FOR EACH ROW WHEN (((old.state <> new.state) AND (((old.state || '>'::text) || new.state) <> ALL (ARRAY['waiting>due'::text, 'waiting>done'::text, 'due>waiting'::text, 'due>leased'::text, 'due>set_aside'::text, 'due>done'::text, 'leased>waiting'::text, 'leased>due'::text, 'leased>set_aside'::text, 'leased>done'::text, 'set_aside>due'::text, 'set_aside>done'::text])))) EXECUTE FUNCTION refuse_illegal_move('state');
CREATE TRIGGER calls_status_moves AFTER UPDATE OF status ON public.calls FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['scheduled>queued'::text, 'scheduled>canceled'::text, 'scheduled>failed'::text, 'queued>scheduled'::text, 'queued>initiated'::text, 'queued>canceled'::text, 'queued>failed'::text, 'initiated>ringing'::text, 'initiated>in_progress'::text, 'initiated>busy'::text, 'initiated>no_answer'::text, 'initiated>failed'::text, 'initiated>canceled'::text, 'ringing>in_progress'::text, 'ringing>busy'::text, 'ringing>no_answer'::text, 'ringing>failed'::text, 'ringing>canceled'::text, 'in_progress>completed'::text, 'in_progress>failed'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table collection_profiles (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null,
  enabled boolean not null,
  qr_payload text,
  qr_asset_id text collate "C",
  payee_name text,
  instructions jsonb not null default '{}'::jsonb,
  matching jsonb not null,
  session_minutes integer not null,
  limits jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  code_changed_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  account_ref text collate "C",
  ignore_rules jsonb not null default '[]'::jsonb,
  constraint collection_profiles_pkey PRIMARY KEY (project_id, livemode, id),
  constraint collection_profiles_channel UNIQUE (project_id, livemode, channel),
  constraint collection_profiles_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint collection_profiles_project_id_livemode_qr_asset_id_fkey FOREIGN KEY (project_id, livemode, qr_asset_id) REFERENCES assets(project_id, livemode, id),
  constraint collection_profiles_channel_check CHECK ((channel = ANY (ARRAY['wechat'::text, 'alipay'::text]))),
  constraint collection_profiles_check CHECK (((qr_payload IS NOT NULL) OR (qr_asset_id IS NOT NULL))),
  constraint collection_profiles_session_minutes_check CHECK (((session_minutes >= 5) AND (session_minutes <= 1440)))
);
CREATE TRIGGER collection_profiles_complete BEFORE INSERT OR UPDATE ON public.collection_profiles FOR EACH ROW WHEN ((new.account_ref IS NULL)) EXECUTE FUNCTION complete_profile();

create table derived_keys (
  number integer not null,
  purpose text not null,
  sealed text not null,
  created_at timestamp with time zone not null,
  constraint derived_keys_pkey PRIMARY KEY (number, purpose)
);

create table disputes (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  gateway text not null,
  credential_id text collate "C" not null,
  provider_dispute_id text collate "C" not null,
  order_id text collate "C",
  payment_session_id text collate "C",
  status text not null,
  amount_minor bigint not null,
  currency text not null,
  reason text,
  in_books boolean not null,
  of_order boolean not null,
  fee_minor bigint,
  fee_currency text,
  transaction_id text collate "C",
  fee_transaction_id text collate "C",
  takings integer not null default 0,
  fee_takings integer not null default 0,
  exception_id text collate "C",
  told_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  counted_minor bigint,
  counted_since timestamp with time zone,
  counted_version integer,
  constraint disputes_pkey PRIMARY KEY (project_id, livemode, id),
  constraint disputes_project_id_livemode_credential_id_provider_dispute_key UNIQUE (project_id, livemode, credential_id, provider_dispute_id),
  constraint disputes_project_id_livemode_exception_id_fkey FOREIGN KEY (project_id, livemode, exception_id) REFERENCES payment_exceptions(project_id, livemode, id),
  constraint disputes_project_id_livemode_order_id_fkey FOREIGN KEY (project_id, livemode, order_id) REFERENCES orders(project_id, livemode, id),
  constraint disputes_project_id_livemode_transaction_id_fkey FOREIGN KEY (project_id, livemode, transaction_id) REFERENCES ledger_transfers(project_id, livemode, id),
  constraint disputes_amount_minor_check CHECK (((amount_minor >= 1) AND (amount_minor <= '99999999999'::bigint))),
  constraint disputes_of_books CHECK ((in_books OR (NOT of_order))),
  constraint disputes_status_check CHECK ((status = ANY (ARRAY['inquiry'::text, 'opened'::text, 'won'::text, 'lost'::text]))),
  constraint disputes_taken CHECK (((transaction_id IS NOT NULL) = (in_books AND (status = ANY (ARRAY['opened'::text, 'lost'::text])))))
);
CREATE INDEX disputes_of_order ON public.disputes USING btree (project_id, livemode, order_id, id) WHERE (order_id IS NOT NULL);
CREATE TRIGGER disputes_counted AFTER INSERT OR UPDATE OF status, amount_minor, of_order ON public.disputes FOR EACH ROW WHEN ((new.order_id IS NOT NULL)) EXECUTE FUNCTION count_dispute();

create table domains (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  name text collate "C" not null,
  status text not null default 'pending'::text,
  token text not null,
  selector text not null,
  public_key text not null,
  private_key text not null,
  records jsonb not null,
  checks integer not null default 0,
  checked_at timestamp with time zone,
  next_check_at timestamp with time zone,
  pending_since timestamp with time zone not null,
  missing_since timestamp with time zone,
  verified_at timestamp with time zone,
  failed_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint domains_pkey PRIMARY KEY (project_id, livemode, id),
  constraint domains_project_id_livemode_name_key UNIQUE (project_id, livemode, name),
  constraint domains_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'verified'::text, 'failed'::text])))
);
CREATE INDEX domains_by_name ON public.domains USING btree (name) WHERE (verified_at IS NOT NULL);
CREATE INDEX domains_to_check ON public.domains USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE TRIGGER domains_status_moves AFTER UPDATE OF status ON public.domains FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['pending>verified'::text, 'pending>failed'::text, 'verified>failed'::text, 'failed>pending'::text, 'failed>verified'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table email_attempts (
  project_id text collate "C" not null,
  livemode boolean not null,
  email_id text collate "C" not null,
  recipient_id text collate "C" not null,
  attempt integer not null,
  result text not null default 'started'::text,
  final boolean,
  provider text,
  remote text,
  smtp_code integer,
  enhanced_code text,
  diagnostic text,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint email_attempts_pkey PRIMARY KEY (project_id, livemode, email_id, recipient_id, attempt),
  constraint email_attempts_result_check CHECK ((result = ANY (ARRAY['started'::text, 'accepted'::text, 'deferred'::text, 'refused'::text, 'unknown'::text, 'worker_lost'::text])))
);

create table email_bodies (
  project_id text collate "C" not null,
  livemode boolean not null,
  email_id text collate "C" not null,
  body text not null,
  created_at timestamp with time zone not null,
  constraint email_bodies_pkey PRIMARY KEY (project_id, livemode, email_id)
);
CREATE INDEX email_bodies_age ON public.email_bodies USING btree (created_at);

create table email_body_parts (
  project_id text collate "C" not null,
  livemode boolean not null,
  email_id text collate "C" not null,
  part integer not null,
  bytes bytea not null,
  constraint email_body_parts_pkey PRIMARY KEY (project_id, livemode, email_id, part),
  constraint email_body_parts_project_id_livemode_email_id_fkey FOREIGN KEY (project_id, livemode, email_id) REFERENCES email_bodies(project_id, livemode, email_id) ON DELETE CASCADE
);

create table email_recipients (
  project_id text collate "C" not null,
  livemode boolean not null,
  email_id text collate "C" not null,
  "position" smallint not null,
  id text collate "C" not null,
  type text not null,
  address text collate "C" not null,
  domain text collate "C" not null,
  status text not null,
  state text not null,
  due_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  lease text,
  lease_until timestamp with time zone,
  attempts integer not null default 0,
  step integer not null default 0,
  smtp_code integer,
  enhanced_code text,
  diagnostic text,
  bounce jsonb,
  sequel text,
  sequel_at timestamp with time zone,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deaths smallint not null default 0,
  constraint email_recipients_pkey PRIMARY KEY (project_id, livemode, email_id, "position"),
  constraint email_recipients_id_key UNIQUE (id),
  constraint email_recipients_check CHECK (((state = 'leased'::text) = (lease IS NOT NULL))),
  constraint email_recipients_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'due'::text, 'leased'::text, 'set_aside'::text, 'done'::text]))),
  constraint email_recipients_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'sending'::text, 'sent'::text, 'delivery_delayed'::text, 'delivered'::text, 'bounced'::text, 'complained'::text, 'failed'::text, 'suppressed'::text, 'canceled'::text]))),
  constraint email_recipients_type_check CHECK ((type = ANY (ARRAY['to'::text, 'cc'::text, 'bcc'::text])))
);
CREATE INDEX email_recipients_by_address ON public.email_recipients USING btree (project_id, livemode, lower(address) text_pattern_ops, email_id);
CREATE INDEX email_recipients_due ON public.email_recipients USING btree (livemode, project_id, domain, due_at) WHERE (state = 'due'::text);
CREATE INDEX email_recipients_leased ON public.email_recipients USING btree (lease_until) WHERE (state = 'leased'::text);
CREATE INDEX email_recipients_sequel ON public.email_recipients USING btree (sequel_at) WHERE (sequel IS NOT NULL);
CREATE INDEX email_recipients_suspect ON public.email_recipients USING btree (due_at) WHERE ((deaths > 1) AND (state = ANY (ARRAY['due'::text, 'set_aside'::text])));
CREATE INDEX email_recipients_waiting ON public.email_recipients USING btree (due_at) WHERE (state = 'waiting'::text);
CREATE TRIGGER email_recipients_state_moves AFTER UPDATE OF state ON public.email_recipients FOR EACH ROW WHEN (((old.state <> new.state) AND (((old.state || '>'::text) || new.state) <> ALL (ARRAY['waiting>due'::text, 'waiting>done'::text, 'due>waiting'::text, 'due>leased'::text, 'due>set_aside'::text, 'due>done'::text, 'leased>waiting'::text, 'leased>due'::text, 'leased>set_aside'::text, 'leased>done'::text, 'set_aside>due'::text, 'set_aside>done'::text])))) EXECUTE FUNCTION refuse_illegal_move('state');
CREATE TRIGGER email_recipients_status_moves AFTER UPDATE OF status ON public.email_recipients FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['scheduled>queued'::text, 'scheduled>canceled'::text, 'scheduled>failed'::text, 'queued>scheduled'::text, 'queued>sending'::text, 'queued>canceled'::text, 'queued>suppressed'::text, 'queued>failed'::text, 'sending>queued'::text, 'sending>sent'::text, 'sending>delivered'::text, 'sending>delivery_delayed'::text, 'sending>bounced'::text, 'sending>complained'::text, 'sending>failed'::text, 'sending>suppressed'::text, 'delivery_delayed>sending'::text, 'delivery_delayed>delivered'::text, 'delivery_delayed>bounced'::text, 'delivery_delayed>failed'::text, 'delivery_delayed>canceled'::text, 'delivery_delayed>sent'::text, 'delivery_delayed>complained'::text, 'delivery_delayed>suppressed'::text, 'sent>delivered'::text, 'sent>delivery_delayed'::text, 'sent>bounced'::text, 'sent>complained'::text, 'delivered>bounced'::text, 'delivered>complained'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table emails (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  status text not null,
  version integer not null default 1,
  sequence integer not null default 0,
  last_event text,
  from_address text collate "C" not null,
  from_text text not null,
  addressees jsonb not null,
  subject text not null,
  category text not null,
  tags jsonb not null default '[]'::jsonb,
  metadata jsonb not null default '{}'::jsonb,
  features jsonb not null default '{}'::jsonb,
  message_id text not null,
  status_callback text,
  batch_id text collate "C",
  size_bytes integer not null,
  recipients integer not null,
  delay_told boolean not null default false,
  opens integer not null default 0,
  clicks integer not null default 0,
  error jsonb,
  provider text,
  scheduled_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  secret boolean not null default false,
  constraint emails_pkey PRIMARY KEY (project_id, livemode, id),
  constraint emails_category_check CHECK ((category = ANY (ARRAY['transactional'::text, 'marketing'::text]))),
  constraint emails_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'sending'::text, 'sent'::text, 'delivery_delayed'::text, 'delivered'::text, 'bounced'::text, 'complained'::text, 'failed'::text, 'suppressed'::text, 'canceled'::text])))
);
CREATE INDEX emails_by_message_id ON public.emails USING btree (message_id);
CREATE INDEX emails_by_sender ON public.emails USING btree (project_id, livemode, from_address, id);
CREATE INDEX emails_by_status ON public.emails USING btree (project_id, livemode, status, id);
CREATE INDEX emails_by_tag ON public.emails USING gin (tags jsonb_path_ops) WHERE (tags <> '[]'::jsonb);
CREATE INDEX emails_by_time ON public.emails USING btree (project_id, livemode, created_at);
CREATE INDEX emails_failed ON public.emails USING btree (updated_at) WHERE (status = 'failed'::text);
CREATE INDEX emails_of_batch ON public.emails USING btree (project_id, livemode, batch_id, id) WHERE (batch_id IS NOT NULL);
CREATE INDEX emails_open ON public.emails USING btree (created_at) WHERE (status = ANY (ARRAY['queued'::text, 'sending'::text, 'delivery_delayed'::text]));
CREATE TRIGGER emails_moves BEFORE UPDATE OF status ON public.emails FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION refuse_illegal_email_move();

create table event_sequence (
  one boolean not null default true,
  last bigint not null default 0,
  constraint event_sequence_pkey PRIMARY KEY (one),
  constraint event_sequence_one_check CHECK (one)
);

create table events (
  id text collate "C" not null,
  project_id text collate "C" not null,
  livemode boolean not null,
  event text not null,
  object_id text collate "C",
  body bytea not null,
  sequence bigint,
  created_at timestamp with time zone not null,
  callback_url text,
  test boolean not null default false,
  numbered_at timestamp with time zone,
  constraint events_pkey PRIMARY KEY (project_id, livemode, id)
);
CREATE INDEX events_in_order ON public.events USING btree (project_id, livemode, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX events_not_fanned_out ON public.events USING btree (id) WHERE (sequence IS NULL);
CREATE INDEX events_of_object ON public.events USING btree (project_id, livemode, object_id, id);

create table flat_path_uses (
  project_id text collate "C" not null,
  livemode boolean not null,
  key_id text collate "C" not null,
  endpoint text not null,
  uses bigint not null,
  last_used_at timestamp with time zone not null,
  constraint flat_path_uses_pkey PRIMARY KEY (project_id, livemode, key_id, endpoint),
  constraint flat_path_uses_project_id_livemode_key_id_fkey FOREIGN KEY (project_id, livemode, key_id) REFERENCES api_keys(project_id, livemode, id)
);

create table gateway_attempts (
  project_id text collate "C" not null,
  livemode boolean not null,
  credential_id text collate "C" not null,
  id text collate "C" not null,
  gateway text not null,
  verb text not null,
  reference text,
  try integer not null,
  outcome text not null,
  code text,
  message text,
  provider_request_id text,
  duration_ms integer not null,
  exchanges jsonb not null,
  request_id text,
  created_at timestamp with time zone not null,
  constraint gateway_attempts_pkey PRIMARY KEY (project_id, livemode, credential_id, id)
);
CREATE INDEX gateway_attempts_age ON public.gateway_attempts USING btree (created_at);

create table gateway_callbacks (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  gateway text not null,
  credential_id text collate "C" not null,
  dedupe_key text collate "C" not null,
  event text not null,
  told jsonb not null,
  outcome text,
  state text not null default 'due'::text,
  due_at timestamp with time zone not null,
  lease text,
  lease_until timestamp with time zone,
  attempts integer not null default 0,
  deaths smallint not null default 0,
  received_at timestamp with time zone not null,
  applied_at timestamp with time zone,
  constraint gateway_callbacks_pkey PRIMARY KEY (project_id, livemode, id),
  constraint gateway_callbacks_project_id_livemode_credential_id_dedupe__key UNIQUE (project_id, livemode, credential_id, dedupe_key),
  constraint gateway_callbacks_outcome_check CHECK ((outcome = ANY (ARRAY['applied'::text, 'nothing'::text, 'not_ours'::text]))),
  constraint gateway_callbacks_state_check CHECK ((state = ANY (ARRAY['due'::text, 'leased'::text, 'set_aside'::text, 'done'::text])))
);
CREATE INDEX gateway_callbacks_applied ON public.gateway_callbacks USING btree (applied_at) WHERE (state = 'done'::text);
CREATE INDEX gateway_callbacks_by_account ON public.gateway_callbacks USING btree (project_id, livemode, credential_id, received_at);
CREATE INDEX gateway_callbacks_due ON public.gateway_callbacks USING btree (due_at) WHERE (state = 'due'::text);
CREATE INDEX gateway_callbacks_leased ON public.gateway_callbacks USING btree (lease_until) WHERE (state = 'leased'::text);
CREATE INDEX gateway_callbacks_suspect ON public.gateway_callbacks USING btree (due_at) WHERE ((deaths > 1) AND (state = ANY (ARRAY['due'::text, 'set_aside'::text])));
CREATE INDEX gateway_callbacks_unapplied ON public.gateway_callbacks USING btree (received_at) WHERE (state <> 'done'::text);
CREATE TRIGGER gateway_callbacks_state_moves AFTER UPDATE OF state ON public.gateway_callbacks FOR EACH ROW WHEN (((old.state <> new.state) AND (((old.state || '>'::text) || new.state) <> ALL (ARRAY['due>leased'::text, 'due>done'::text, 'leased>due'::text, 'leased>set_aside'::text, 'leased>done'::text, 'set_aside>due'::text, 'set_aside>done'::text])))) EXECUTE FUNCTION refuse_illegal_move('state');

create table gateway_comparisons (
  project_id text collate "C" not null,
  livemode boolean not null,
  credential_id text collate "C" not null,
  gateway text not null,
  begun_at timestamp with time zone,
  compared_until timestamp with time zone,
  status text,
  ran_at timestamp with time zone,
  lines integer not null default 0,
  differences integer not null default 0,
  error jsonb,
  state text not null default 'due'::text,
  due_at timestamp with time zone not null,
  lease text,
  lease_until timestamp with time zone,
  attempts integer not null default 0,
  deaths smallint not null default 0,
  created_at timestamp with time zone not null,
  read_attempts integer not null default 0,
  constraint gateway_comparisons_pkey PRIMARY KEY (project_id, livemode, credential_id),
  constraint gateway_comparisons_state_check CHECK ((state = ANY (ARRAY['due'::text, 'leased'::text, 'set_aside'::text, 'done'::text]))),
  constraint gateway_comparisons_status_check CHECK ((status = ANY (ARRAY['equal'::text, 'different'::text, 'failed'::text, 'unlisted'::text])))
);
CREATE INDEX gateway_comparisons_due ON public.gateway_comparisons USING btree (due_at) WHERE (state = 'due'::text);
CREATE INDEX gateway_comparisons_leased ON public.gateway_comparisons USING btree (lease_until) WHERE (state = 'leased'::text);
CREATE INDEX gateway_comparisons_suspect ON public.gateway_comparisons USING btree (due_at) WHERE ((deaths > 1) AND (state = ANY (ARRAY['due'::text, 'set_aside'::text])));
CREATE TRIGGER gateway_comparisons_state_moves AFTER UPDATE OF state ON public.gateway_comparisons FOR EACH ROW WHEN (((old.state <> new.state) AND (((old.state || '>'::text) || new.state) <> ALL (ARRAY['due>leased'::text, 'due>done'::text, 'leased>due'::text, 'leased>set_aside'::text, 'leased>done'::text, 'set_aside>due'::text, 'set_aside>done'::text])))) EXECUTE FUNCTION refuse_illegal_move('state');

create table gateway_credentials (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  gateway text not null,
  label text,
  enabled boolean not null,
  "position" integer not null,
  weight integer not null,
  min_minor bigint,
  max_minor bigint,
  currencies text[],
  fields jsonb not null,
  secret_last4 jsonb not null,
  sealed text not null,
  fields_version integer not null default 1,
  status text not null,
  checked_at timestamp with time zone,
  check_error jsonb,
  check_due_at timestamp with time zone,
  check_tries integer not null default 0,
  account text,
  account_name text,
  consecutive_failures integer not null default 0,
  failing_since timestamp with time zone,
  breaker_until timestamp with time zone,
  breaker_trips integer not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  removed_at timestamp with time zone,
  demo boolean not null default false,
  constraint gateway_credentials_pkey PRIMARY KEY (project_id, livemode, id),
  constraint gateway_credentials_demo_in_test CHECK ((NOT (demo AND livemode))),
  constraint gateway_credentials_status_check CHECK ((status = ANY (ARRAY['unchecked'::text, 'checked'::text, 'failed'::text])))
);
CREATE INDEX gateway_credentials_by_gateway ON public.gateway_credentials USING btree (gateway);
CREATE INDEX gateway_credentials_by_id ON public.gateway_credentials USING btree (id);
CREATE INDEX gateway_credentials_check_due ON public.gateway_credentials USING btree (check_due_at) WHERE (check_due_at IS NOT NULL);
CREATE TRIGGER gateway_credentials_compared AFTER INSERT ON public.gateway_credentials FOR EACH ROW EXECUTE FUNCTION compare_credential();

create table gateway_demo_documents (
  project_id text collate "C" not null,
  livemode boolean not null,
  credential_id text collate "C" not null,
  kind text collate "C" not null,
  key text collate "C" not null,
  value text not null,
  place bigint not null generated always as identity,
  lasting boolean not null,
  written_at timestamp with time zone not null,
  constraint gateway_demo_documents_pkey PRIMARY KEY (project_id, livemode, credential_id, kind, key),
  constraint gateway_demo_documents_in_test CHECK ((NOT livemode)),
  constraint gateway_demo_documents_value_check CHECK ((octet_length(value) <= 1048576))
);
CREATE INDEX gateway_demo_documents_age ON public.gateway_demo_documents USING btree (written_at) WHERE (NOT lasting);
CREATE INDEX gateway_demo_documents_places ON public.gateway_demo_documents USING btree (project_id, livemode, credential_id, place) WHERE (NOT lasting);

create table gateway_differences (
  project_id text collate "C" not null,
  livemode boolean not null,
  credential_id text collate "C" not null,
  key text collate "C" not null,
  found_at timestamp with time zone not null,
  constraint gateway_differences_pkey PRIMARY KEY (project_id, livemode, credential_id, key)
);

create table gateway_former_fields (
  project_id text collate "C" not null,
  livemode boolean not null,
  credential_id text collate "C" not null,
  fields_version integer not null,
  sealed text not null,
  ends_at timestamp with time zone not null,
  constraint gateway_former_fields_pkey PRIMARY KEY (project_id, livemode, credential_id, fields_version)
);
CREATE INDEX gateway_former_fields_end ON public.gateway_former_fields USING btree (ends_at);

create table gateway_payments (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  payment_session_id text collate "C" not null,
  order_id text collate "C" not null,
  gateway text not null,
  credential_id text collate "C" not null,
  status text not null default 'creating'::text,
  provider_id text collate "C",
  capture_id text collate "C",
  provider_state text,
  settled_id text collate "C",
  paid_minor bigint,
  paid_currency text,
  paid_at timestamp with time zone,
  fee_minor bigint,
  fee_currency text,
  failure_code text,
  failure_message text,
  exception_id text collate "C",
  opened_at timestamp with time zone,
  action_expires_at timestamp with time zone,
  asks smallint not null default 0,
  looks smallint not null default 0,
  watched_until timestamp with time zone,
  state text not null default 'due'::text,
  due_at timestamp with time zone not null,
  lease text,
  lease_until timestamp with time zone,
  attempts integer not null default 0,
  deaths smallint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  listed_at timestamp with time zone,
  earlier_ids text[],
  silent_asks smallint,
  title text,
  locale text,
  link_id text collate "C",
  page_query text,
  constraint gateway_payments_pkey PRIMARY KEY (project_id, livemode, id),
  constraint gateway_payments_project_id_livemode_payment_session_id_key UNIQUE (project_id, livemode, payment_session_id),
  constraint gateway_payments_project_id_livemode_payment_session_id_fkey FOREIGN KEY (project_id, livemode, payment_session_id) REFERENCES payment_sessions(project_id, livemode, id),
  constraint gateway_payments_done_check CHECK (((status = 'done'::text) = (state = 'done'::text))),
  constraint gateway_payments_state_check CHECK ((state = ANY (ARRAY['due'::text, 'leased'::text, 'set_aside'::text, 'done'::text]))),
  constraint gateway_payments_status_check CHECK ((status = ANY (ARRAY['creating'::text, 'open'::text, 'unknown'::text, 'done'::text])))
);
CREATE INDEX gateway_payments_by_capture ON public.gateway_payments USING btree (project_id, livemode, credential_id, capture_id) WHERE (capture_id IS NOT NULL);
CREATE INDEX gateway_payments_by_earlier ON public.gateway_payments USING gin (earlier_ids) WHERE (earlier_ids IS NOT NULL);
CREATE INDEX gateway_payments_by_number ON public.gateway_payments USING btree (project_id, livemode, gateway, settled_id) WHERE (settled_id IS NOT NULL);
CREATE INDEX gateway_payments_by_provider ON public.gateway_payments USING btree (provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX gateway_payments_by_session ON public.gateway_payments USING btree (payment_session_id);
CREATE INDEX gateway_payments_due ON public.gateway_payments USING btree (due_at) WHERE (state = 'due'::text);
CREATE INDEX gateway_payments_leased ON public.gateway_payments USING btree (lease_until) WHERE (state = 'leased'::text);
CREATE INDEX gateway_payments_open ON public.gateway_payments USING btree (project_id, livemode, order_id) WHERE (status <> 'done'::text);
CREATE INDEX gateway_payments_suspect ON public.gateway_payments USING btree (due_at) WHERE ((deaths > 1) AND (state = ANY (ARRAY['due'::text, 'set_aside'::text])));
CREATE INDEX gateway_payments_unlisted ON public.gateway_payments USING btree (project_id, livemode, credential_id, COALESCE(paid_at, created_at)) WHERE ((settled_id IS NOT NULL) AND (listed_at IS NULL));
CREATE TRIGGER gateway_payments_state_moves AFTER UPDATE OF state ON public.gateway_payments FOR EACH ROW WHEN (((old.state <> new.state) AND (((old.state || '>'::text) || new.state) <> ALL (ARRAY['due>leased'::text, 'due>done'::text, 'leased>due'::text, 'leased>set_aside'::text, 'leased>done'::text, 'set_aside>due'::text, 'set_aside>done'::text])))) EXECUTE FUNCTION refuse_illegal_move('state');
CREATE TRIGGER gateway_payments_status_moves AFTER UPDATE OF status ON public.gateway_payments FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['creating>open'::text, 'creating>unknown'::text, 'creating>done'::text, 'open>done'::text, 'unknown>open'::text, 'unknown>done'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table gateway_refunds (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  payment_session_id text collate "C" not null,
  gateway text not null,
  credential_id text collate "C" not null,
  provider_refund_id text collate "C",
  provider_state text,
  told_at timestamp with time zone,
  request_key text collate "C",
  exception_id text collate "C",
  asks smallint not null default 0,
  state text not null,
  due_at timestamp with time zone not null,
  lease text,
  lease_until timestamp with time zone,
  attempts integer not null default 0,
  deaths smallint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  requested_at timestamp with time zone,
  constraint gateway_refunds_pkey PRIMARY KEY (project_id, livemode, id),
  constraint gateway_refunds_project_id_livemode_id_fkey FOREIGN KEY (project_id, livemode, id) REFERENCES refunds(project_id, livemode, id),
  constraint gateway_refunds_state_check CHECK ((state = ANY (ARRAY['due'::text, 'leased'::text, 'set_aside'::text, 'done'::text])))
);
CREATE UNIQUE INDEX gateway_refunds_at_provider ON public.gateway_refunds USING btree (project_id, livemode, credential_id, provider_refund_id) WHERE (provider_refund_id IS NOT NULL);
CREATE INDEX gateway_refunds_due ON public.gateway_refunds USING btree (due_at) WHERE (state = 'due'::text);
CREATE INDEX gateway_refunds_leased ON public.gateway_refunds USING btree (lease_until) WHERE (state = 'leased'::text);
CREATE INDEX gateway_refunds_of_payment ON public.gateway_refunds USING btree (project_id, livemode, payment_session_id);
CREATE INDEX gateway_refunds_of_request ON public.gateway_refunds USING btree (project_id, livemode, request_key) WHERE (request_key IS NOT NULL);
CREATE INDEX gateway_refunds_suspect ON public.gateway_refunds USING btree (due_at) WHERE ((deaths > 1) AND (state = ANY (ARRAY['due'::text, 'set_aside'::text])));
CREATE TRIGGER gateway_refunds_state_moves AFTER UPDATE OF state ON public.gateway_refunds FOR EACH ROW WHEN (((old.state <> new.state) AND (((old.state || '>'::text) || new.state) <> ALL (ARRAY['due>leased'::text, 'due>done'::text, 'leased>due'::text, 'leased>set_aside'::text, 'leased>done'::text, 'set_aside>due'::text, 'set_aside>done'::text, 'done>due'::text])))) EXECUTE FUNCTION refuse_illegal_move('state');

create table gateway_strays (
  id text collate "C" not null,
  gateway text not null,
  credential_id text collate "C",
  reason text not null,
  path text not null,
  headers jsonb not null,
  body bytea not null,
  received_at timestamp with time zone not null,
  constraint gateway_strays_pkey PRIMARY KEY (id)
);
CREATE INDEX gateway_strays_by_age ON public.gateway_strays USING btree (received_at, id);

create table idempotency_keys (
  project_id text collate "C" not null,
  livemode boolean not null,
  method text not null,
  path text not null,
  key text not null,
  fingerprint text not null,
  result text,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (project_id, livemode, method, path, key)
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);

create table invitations (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  email text not null,
  role text not null,
  token_hash bytea not null,
  language text not null default 'en'::text,
  invited_by text collate "C" not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  accepted_by text collate "C",
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint invitations_pkey PRIMARY KEY (merchant_id, id),
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint invitations_check CHECK (((accepted_at IS NULL) OR (revoked_at IS NULL))),
  constraint invitations_check1 CHECK (((accepted_at IS NULL) = (accepted_by IS NULL))),
  constraint invitations_email_check CHECK ((email = lower(email))),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'reviewer'::text, 'accountant'::text, 'viewer'::text]))),
  constraint invitations_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE UNIQUE INDEX invitations_open ON public.invitations USING btree (merchant_id, email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));

create table ledger_accounts (
  project_id text collate "C" not null,
  livemode boolean not null,
  currency text collate "C" not null,
  gateway text collate "C" not null,
  code text collate "C" not null,
  wallet_id text collate "C",
  created_at timestamp with time zone not null,
  constraint ledger_accounts_pkey PRIMARY KEY (project_id, livemode, currency, gateway, code),
  constraint ledger_accounts_code CHECK ((code = ANY (ARRAY['custody'::text, 'sales'::text, 'suspense'::text, 'excess'::text, 'shortfall'::text, 'refunds'::text, 'fees'::text, 'disputes'::text]))),
  constraint ledger_accounts_currency CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint ledger_accounts_custody_is_wallet CHECK (((wallet_id IS NOT NULL) = (code = 'custody'::text))),
  constraint ledger_accounts_gateway CHECK ((gateway ~ '^[a-z][a-z0-9_]{0,39}$'::text))
);
CREATE UNIQUE INDEX ledger_accounts_wallet ON public.ledger_accounts USING btree (project_id, livemode, wallet_id) WHERE (wallet_id IS NOT NULL);
CREATE TRIGGER ledger_accounts_append_only BEFORE DELETE OR UPDATE ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();

create table ledger_balance_tail (
  project_id text collate "C" not null,
  livemode boolean not null,
  currency text collate "C" not null,
  gateway text collate "C" not null,
  account text collate "C" not null,
  transfer_id text collate "C" not null,
  delta_minor bigint not null,
  created_at timestamp with time zone not null,
  constraint ledger_balance_tail_pkey PRIMARY KEY (project_id, livemode, currency, gateway, account, transfer_id)
);

create table ledger_balances (
  project_id text collate "C" not null,
  livemode boolean not null,
  currency text collate "C" not null,
  gateway text collate "C" not null,
  account text collate "C" not null,
  balance_minor bigint not null,
  updated_at timestamp with time zone not null,
  constraint ledger_balances_pkey PRIMARY KEY (project_id, livemode, currency, gateway, account)
);

create table ledger_transfers (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  kind text not null,
  source text collate "C" not null,
  currency text collate "C" not null,
  gateway text collate "C" not null,
  debit text collate "C" not null,
  credit text collate "C" not null,
  amount_minor bigint not null,
  order_id text collate "C",
  reference text,
  payment_session_id text collate "C",
  external_transaction_id text,
  reverses text collate "C",
  description text,
  created_by text not null,
  created_at timestamp with time zone not null,
  constraint ledger_transfers_pkey PRIMARY KEY (project_id, livemode, id),
  constraint ledger_transfers_source UNIQUE (project_id, livemode, kind, source),
  constraint ledger_transfers_credit FOREIGN KEY (project_id, livemode, currency, gateway, credit) REFERENCES ledger_accounts(project_id, livemode, currency, gateway, code),
  constraint ledger_transfers_debit FOREIGN KEY (project_id, livemode, currency, gateway, debit) REFERENCES ledger_accounts(project_id, livemode, currency, gateway, code),
  constraint ledger_transfers_reverses FOREIGN KEY (project_id, livemode, reverses) REFERENCES ledger_transfers(project_id, livemode, id),
  constraint ledger_transfers_amount CHECK (((amount_minor >= 1) AND (amount_minor <= '99999999999'::bigint))),
  constraint ledger_transfers_kind CHECK ((kind = ANY (ARRAY['order_payment'::text, 'suspense'::text, 'excess'::text, 'refund'::text, 'fee'::text, 'adjustment'::text, 'reversal'::text, 'dispute'::text, 'dispute_reversal'::text]))),
  constraint ledger_transfers_kind_accounts CHECK (
CASE kind
    WHEN 'order_payment'::text THEN (credit = 'sales'::text)
    WHEN 'suspense'::text THEN (credit = 'suspense'::text)
    WHEN 'excess'::text THEN (credit = 'excess'::text)
    WHEN 'refund'::text THEN (credit = 'custody'::text)
    WHEN 'fee'::text THEN (debit = 'fees'::text)
    WHEN 'dispute'::text THEN ((debit = 'disputes'::text) AND (credit = 'custody'::text))
    WHEN 'dispute_reversal'::text THEN ((debit = 'custody'::text) AND (credit = 'disputes'::text))
    ELSE true
END),
  constraint ledger_transfers_reversal_kind CHECK (((kind = 'reversal'::text) = (reverses IS NOT NULL))),
  constraint ledger_transfers_source_named CHECK ((source <> ''::text)),
  constraint ledger_transfers_two_accounts CHECK ((debit <> credit))
);
CREATE INDEX ledger_transfers_by_reference ON public.ledger_transfers USING btree (project_id, livemode, reference, id) WHERE (reference IS NOT NULL);
CREATE INDEX ledger_transfers_disputed ON public.ledger_transfers USING btree (project_id, livemode, created_at) WHERE (kind = ANY (ARRAY['dispute'::text, 'dispute_reversal'::text]));
CREATE INDEX ledger_transfers_held ON public.ledger_transfers USING btree (project_id, livemode, id) WHERE (kind = ANY (ARRAY['suspense'::text, 'excess'::text]));
CREATE INDEX ledger_transfers_of_order ON public.ledger_transfers USING btree (project_id, livemode, order_id, id) WHERE (order_id IS NOT NULL);
CREATE UNIQUE INDEX ledger_transfers_reversed_once ON public.ledger_transfers USING btree (project_id, livemode, reverses) WHERE (reverses IS NOT NULL);
CREATE TRIGGER ledger_transfers_append_only BEFORE DELETE OR UPDATE ON public.ledger_transfers FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_transfers_mirror BEFORE INSERT ON public.ledger_transfers FOR EACH ROW WHEN ((new.reverses IS NOT NULL)) EXECUTE FUNCTION refuse_unequal_reversal();
CREATE TRIGGER ledger_transfers_no_truncate BEFORE TRUNCATE ON public.ledger_transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_transfers_tail AFTER INSERT ON public.ledger_transfers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION extend_balance_tail();

create table limit_windows (
  name text collate "C" not null,
  used integer not null,
  granted integer not null,
  ends_at_ms bigint not null,
  constraint limit_windows_pkey PRIMARY KEY (name)
);
CREATE INDEX limit_windows_ended ON public.limit_windows USING btree (ends_at_ms);

create table loose_mail_files (
  storage_key text not null,
  due_at timestamp with time zone not null,
  constraint loose_mail_files_pkey PRIMARY KEY (storage_key)
);
CREATE INDEX loose_mail_files_due ON public.loose_mail_files USING btree (due_at);

create table master_key_holders (
  id text collate "C" not null,
  name text not null,
  numbers integer[] not null,
  sealing integer not null,
  signing integer not null,
  seen_at timestamp with time zone not null,
  constraint master_key_holders_pkey PRIMARY KEY (id)
);

create table master_keys (
  number integer not null,
  fingerprint text not null,
  created_at timestamp with time zone not null,
  current_since timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint master_keys_pkey PRIMARY KEY (number),
  constraint master_keys_number_check CHECK ((number > 0))
);

create table members (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  person_id text collate "C" not null,
  role text not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  new_owner_until timestamp with time zone,
  constraint members_pkey PRIMARY KEY (merchant_id, id),
  constraint members_merchant_id_person_id_key UNIQUE (merchant_id, person_id),
  constraint members_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint members_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'reviewer'::text, 'accountant'::text, 'viewer'::text])))
);
CREATE INDEX members_of_person ON public.members USING btree (person_id, merchant_id);

create table merchants (
  id text collate "C" not null,
  display_name text not null,
  country text,
  verification_status text not null default 'pending'::text,
  verified_at timestamp with time zone,
  messaging_tier text not null default 'free'::text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  rejection_reason text,
  sending_suspended_at timestamp with time zone,
  sending_suspended_reason text,
  sending_suspended_by text collate "C",
  shortfall_tolerance_bps integer not null default 100,
  second_step_required boolean not null default false,
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_check CHECK (((verification_status = 'verified'::text) = (verified_at IS NOT NULL))),
  constraint merchants_messaging_tier_check CHECK ((messaging_tier = ANY (ARRAY['free'::text, 'starter'::text, 'pro'::text, 'enterprise'::text]))),
  constraint merchants_shortfall_tolerance CHECK (((shortfall_tolerance_bps >= 0) AND (shortfall_tolerance_bps <= 10000))),
  constraint merchants_suspension_with_reason CHECK (((sending_suspended_at IS NULL) = (sending_suspended_reason IS NULL))),
  constraint merchants_verification_status_check CHECK ((verification_status = ANY (ARRAY['pending'::text, 'verified'::text, 'rejected'::text])))
);
CREATE INDEX merchants_by_status ON public.merchants USING btree (verification_status, id);
CREATE INDEX merchants_suspended ON public.merchants USING btree (id) WHERE (sending_suspended_at IS NOT NULL);
CREATE TRIGGER merchants_verification_status_moves AFTER UPDATE OF verification_status ON public.merchants FOR EACH ROW WHEN (((old.verification_status <> new.verification_status) AND (((old.verification_status || '>'::text) || new.verification_status) <> ALL (ARRAY['pending>verified'::text, 'pending>rejected'::text, 'verified>rejected'::text, 'rejected>verified'::text])))) EXECUTE FUNCTION refuse_illegal_move('verification_status');

create table message_charges (
  project_id text collate "C" not null,
  livemode boolean not null,
  message_id text collate "C" not null,
  channel text not null,
  recipient text collate "C" not null,
  prefix text collate "C" not null,
  measure text not null,
  day date not null,
  unit_amount bigint not null,
  reserved bigint not null,
  amount bigint not null,
  settled boolean not null default false,
  created_at timestamp with time zone not null,
  currency text,
  constraint message_charges_pkey PRIMARY KEY (project_id, livemode, message_id),
  constraint message_charges_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'call'::text])))
);
CREATE INDEX message_charges_by_range ON public.message_charges USING btree (project_id, livemode, channel, prefix, created_at);
CREATE INDEX message_charges_old ON public.message_charges USING btree (created_at);

create table message_price_list (
  singleton boolean not null default true,
  currency text,
  version integer not null default 1,
  updated_at timestamp with time zone,
  constraint message_price_list_pkey PRIMARY KEY (singleton),
  constraint message_price_list_singleton_check CHECK (singleton)
);

create table message_prices (
  channel text collate "C" not null,
  destination text collate "C" not null,
  price_micros bigint not null,
  constraint message_prices_pkey PRIMARY KEY (channel, destination),
  constraint message_prices_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'call'::text]))),
  constraint message_prices_destination_check CHECK ((destination ~ '^([A-Z]{2}|[0-9]{1,15}|\*)$'::text)),
  constraint message_prices_price_micros_check CHECK (((price_micros >= 0) AND (price_micros <= '1000000000000'::bigint)))
);

create table message_spending (
  project_id text collate "C" not null,
  livemode boolean not null,
  measure text collate "C" not null,
  period text collate "C" not null,
  used bigint not null,
  told smallint not null default 0,
  currency text,
  other_currencies jsonb not null default '{}'::jsonb,
  constraint message_spending_pkey PRIMARY KEY (project_id, livemode, measure, period),
  constraint message_spending_measure_check CHECK ((measure = ANY (ARRAY['spend_micros'::text, 'segments'::text, 'minutes'::text]))),
  constraint message_spending_used_check CHECK ((used >= 0))
);
CREATE INDEX message_spending_old ON public.message_spending USING btree (period);

create table messaging_limits (
  project_id text collate "C" not null,
  countries text[],
  caps jsonb not null default '{}'::jsonb,
  operator_caps jsonb not null default '{}'::jsonb,
  quiet_hours jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  updated_at timestamp with time zone not null,
  constraint messaging_limits_pkey PRIMARY KEY (project_id),
  constraint messaging_limits_countries_check CHECK ((cardinality(countries) <= 250))
);

create table messaging_pauses (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null,
  prefix text collate "C" not null,
  cause text not null,
  figures jsonb not null,
  status text not null,
  paused_at timestamp with time zone not null,
  released_at timestamp with time zone,
  constraint messaging_pauses_pkey PRIMARY KEY (project_id, livemode, id),
  constraint messaging_pauses_id_key UNIQUE (id),
  constraint messaging_pauses_cause_check CHECK ((cause = ANY (ARRAY['sequential_numbers'::text, 'dominant_prefix'::text, 'no_conversions'::text]))),
  constraint messaging_pauses_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'call'::text]))),
  constraint messaging_pauses_released CHECK (((status = 'released'::text) = (released_at IS NOT NULL))),
  constraint messaging_pauses_status_check CHECK ((status = ANY (ARRAY['active'::text, 'released'::text])))
);
CREATE UNIQUE INDEX messaging_pauses_active ON public.messaging_pauses USING btree (project_id, livemode, channel, prefix) WHERE (status = 'active'::text);
CREATE INDEX messaging_pauses_by_status ON public.messaging_pauses USING btree (status, id);
CREATE TRIGGER messaging_pauses_status_moves AFTER UPDATE OF status ON public.messaging_pauses FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> 'active>released'::text))) EXECUTE FUNCTION refuse_illegal_move('status');

create table messaging_policy (
  singleton boolean not null default true,
  allowed_countries text[],
  denied_countries text[] not null default '{}'::text[],
  denied_prefixes text[] not null default '{}'::text[],
  opened_prefixes text[] not null default '{}'::text[],
  version integer not null default 1,
  updated_at timestamp with time zone,
  constraint messaging_policy_pkey PRIMARY KEY (singleton),
  constraint messaging_policy_allowed_countries_check CHECK ((cardinality(allowed_countries) <= 250)),
  constraint messaging_policy_denied_countries_check CHECK ((cardinality(denied_countries) <= 250)),
  constraint messaging_policy_denied_prefixes_check CHECK ((cardinality(denied_prefixes) <= 1000)),
  constraint messaging_policy_opened_prefixes_check CHECK ((cardinality(opened_prefixes) <= 1000)),
  constraint messaging_policy_singleton_check CHECK (singleton)
);

create table notices (
  id text collate "C" not null,
  kind text not null,
  recipient text not null,
  params text not null,
  state text not null default 'due'::text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  lease text,
  batch text,
  reason text,
  finished_at timestamp with time zone,
  deaths smallint not null default 0,
  lease_until timestamp with time zone,
  constraint notices_pkey PRIMARY KEY (id),
  constraint notices_end_check CHECK (((state = ANY (ARRAY['due'::text, 'leased'::text, 'set_aside'::text])) = (finished_at IS NULL))),
  constraint notices_state_check CHECK ((state = ANY (ARRAY['due'::text, 'leased'::text, 'set_aside'::text, 'sent'::text, 'skipped'::text, 'failed'::text])))
);
CREATE INDEX notices_due ON public.notices USING btree (due_at) WHERE (state = 'due'::text);
CREATE INDEX notices_finished ON public.notices USING btree (finished_at) WHERE (state <> 'due'::text);
CREATE INDEX notices_leased ON public.notices USING btree (lease_until) WHERE (state = 'leased'::text);
CREATE INDEX notices_suspect ON public.notices USING btree (due_at) WHERE ((deaths > 1) AND (state = ANY (ARRAY['due'::text, 'set_aside'::text])));
CREATE INDEX notices_to_gather ON public.notices USING btree (kind, recipient, finished_at);
CREATE TRIGGER notices_state_moves AFTER UPDATE OF state ON public.notices FOR EACH ROW WHEN (((old.state <> new.state) AND (((old.state || '>'::text) || new.state) <> ALL (ARRAY['due>leased'::text, 'due>sent'::text, 'due>skipped'::text, 'due>failed'::text, 'leased>due'::text, 'leased>set_aside'::text, 'leased>sent'::text, 'leased>skipped'::text, 'leased>failed'::text, 'set_aside>due'::text])))) EXECUTE FUNCTION refuse_illegal_move('state');

create table numbers (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  value text collate "C" not null,
  kind text not null,
  country text collate "C",
  channels text[] not null,
  countries text[],
  status text not null,
  purpose text,
  rejection_reason text,
  decided_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint numbers_pkey PRIMARY KEY (project_id, livemode, id),
  constraint numbers_project_id_livemode_value_key UNIQUE (project_id, livemode, value),
  constraint numbers_calls_need_telephones CHECK (((value ~~ '+%'::text) OR (channels = ARRAY['sms'::text]))),
  constraint numbers_channels_check CHECK (((channels <@ ARRAY['sms'::text, 'call'::text]) AND ((cardinality(channels) >= 1) AND (cardinality(channels) <= 2)))),
  constraint numbers_countries_check CHECK (((cardinality(countries) >= 1) AND (cardinality(countries) <= 250))),
  constraint numbers_kind_check CHECK ((kind = ANY (ARRAY['number'::text, 'alphanumeric'::text]))),
  constraint numbers_rejected_has_reason CHECK (((status = 'rejected'::text) = (rejection_reason IS NOT NULL))),
  constraint numbers_requested_is_open CHECK (((status = 'requested'::text) = (decided_at IS NULL))),
  constraint numbers_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'approved'::text, 'rejected'::text])))
);
CREATE INDEX numbers_by_status ON public.numbers USING btree (status, id) WHERE livemode;
CREATE UNIQUE INDEX numbers_of_one_project ON public.numbers USING btree (value) WHERE ((kind = 'number'::text) AND livemode AND (status = 'approved'::text));
CREATE TRIGGER numbers_status_moves AFTER UPDATE OF status ON public.numbers FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['requested>approved'::text, 'requested>rejected'::text, 'approved>rejected'::text, 'rejected>requested'::text, 'rejected>approved'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table orders (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  reference text not null,
  status text not null default 'unpaid'::text,
  flags text[] not null default '{}'::text[],
  version integer not null default 1,
  amount_minor bigint not null,
  currency text not null,
  exponent smallint not null,
  amount_received_minor bigint not null default 0,
  amount_refunded_minor bigint not null default 0,
  description text,
  metadata jsonb not null default '{}'::jsonb,
  customer jsonb not null default '{}'::jsonb,
  return_url text,
  locale text not null default 'auto'::text,
  failure_code text,
  rejection jsonb,
  expires_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  failed_at timestamp with time zone,
  canceled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  paid_gateway text,
  amount_held_minor bigint not null default 0,
  claimed_at timestamp with time zone,
  amount_refunding_minor bigint not null default 0,
  amount_disputed_minor bigint not null default 0,
  constraint orders_pkey PRIMARY KEY (project_id, livemode, id),
  constraint orders_amount_minor_check CHECK (((amount_minor >= 1) AND (amount_minor <= '99999999999'::bigint))),
  constraint orders_amount_received_minor_check CHECK ((amount_received_minor >= 0)),
  constraint orders_check CHECK (((amount_refunded_minor >= 0) AND (amount_refunded_minor <= amount_received_minor))),
  constraint orders_check1 CHECK (((status = 'paid'::text) = (paid_at IS NOT NULL))),
  constraint orders_disputes_of_received CHECK (((amount_disputed_minor >= 0) AND (((amount_refunded_minor + amount_refunding_minor) + amount_disputed_minor) <= amount_received_minor))),
  constraint orders_refunds_of_received CHECK (((amount_refunding_minor >= 0) AND ((amount_refunded_minor + amount_refunding_minor) <= amount_received_minor))),
  constraint orders_status_check CHECK ((status = ANY (ARRAY['unpaid'::text, 'pending_verify'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'canceled'::text])))
);
CREATE INDEX orders_by_email ON public.orders USING btree (project_id, livemode, lower((customer ->> 'email'::text)) text_pattern_ops) WHERE ((customer ->> 'email'::text) IS NOT NULL);
CREATE INDEX orders_by_metadata ON public.orders USING gin (metadata jsonb_path_ops);
CREATE INDEX orders_by_received_day ON public.orders USING btree (project_id, livemode, paid_at) INCLUDE (currency, amount_minor, amount_received_minor, paid_gateway) WHERE (status = 'paid'::text);
CREATE INDEX orders_by_reference ON public.orders USING btree (project_id, livemode, reference text_pattern_ops);
CREATE INDEX orders_by_status ON public.orders USING btree (project_id, livemode, status, id);
CREATE INDEX orders_by_time ON public.orders USING btree (project_id, livemode, created_at) INCLUDE (status);
CREATE INDEX orders_claimed ON public.orders USING btree (project_id, livemode, claimed_at) WHERE (claimed_at IS NOT NULL);
CREATE INDEX orders_due ON public.orders USING btree (expires_at) WHERE (status = 'unpaid'::text);
CREATE UNIQUE INDEX orders_reference ON public.orders USING btree (project_id, livemode, reference) WHERE (status <> ALL (ARRAY['failed'::text, 'expired'::text, 'canceled'::text]));
CREATE TRIGGER orders_disputed BEFORE UPDATE OF amount_refunded_minor, amount_refunding_minor ON public.orders FOR EACH ROW WHEN (((new.amount_refunded_minor + new.amount_refunding_minor) < (old.amount_refunded_minor + old.amount_refunding_minor))) EXECUTE FUNCTION count_disputes_again();
CREATE TRIGGER orders_holds AFTER UPDATE OF status ON public.orders FOR EACH ROW WHEN ((new.status = 'paid'::text)) EXECUTE FUNCTION free_holds();
CREATE TRIGGER orders_moves BEFORE UPDATE OF status ON public.orders FOR EACH ROW EXECUTE FUNCTION refuse_illegal_order_move();
CREATE TRIGGER orders_paid_gateway BEFORE UPDATE OF status ON public.orders FOR EACH ROW WHEN (((new.status = 'paid'::text) AND (new.paid_gateway IS NULL))) EXECUTE FUNCTION name_paid_gateway();
CREATE TRIGGER orders_received BEFORE UPDATE ON public.orders FOR EACH ROW WHEN ((((new.status <> 'paid'::text) AND (new.amount_received_minor <> 0)) OR ((new.status = 'paid'::text) AND ((new.amount_received_minor > new.amount_minor) OR ((old.status <> 'paid'::text) AND (new.amount_held_minor > 0) AND (new.amount_received_minor < new.amount_minor)))))) EXECUTE FUNCTION split_received();

create table payment_exceptions (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  kind text not null,
  status text not null default 'open'::text,
  order_id text collate "C",
  payment_session_id text collate "C",
  receipt_id text collate "C",
  gateway text not null,
  external_id text not null,
  amount_minor bigint not null,
  currency text not null,
  transaction_id text collate "C",
  detail jsonb not null default '{}'::jsonb,
  resolution text,
  resolution_note text,
  resolved_order_id text collate "C",
  resolved_by text,
  resolved_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint payment_exceptions_pkey PRIMARY KEY (project_id, livemode, id),
  constraint payment_exceptions_project_id_livemode_transaction_id_key UNIQUE (project_id, livemode, transaction_id),
  constraint payment_exceptions_project_id_livemode_transaction_id_fkey FOREIGN KEY (project_id, livemode, transaction_id) REFERENCES ledger_transfers(project_id, livemode, id),
  constraint payment_exceptions_amount CHECK ((amount_minor >= 0)),
  constraint payment_exceptions_kind_check CHECK ((kind = ANY (ARRAY['late'::text, 'duplicate'::text, 'underpaid'::text, 'overpaid'::text, 'unmatched'::text, 'mismatch'::text]))),
  constraint payment_exceptions_resolution_check CHECK ((resolution = ANY (ARRAY['accept'::text, 'refund'::text, 'ignore'::text, 'applied'::text, 'released'::text]))),
  constraint payment_exceptions_status_check CHECK ((status = ANY (ARRAY['open'::text, 'resolved'::text])))
);
CREATE INDEX payment_exceptions_by_status ON public.payment_exceptions USING btree (project_id, livemode, status, id);
CREATE INDEX payment_exceptions_of_order ON public.payment_exceptions USING btree (project_id, livemode, order_id) WHERE (order_id IS NOT NULL);

create table payment_links (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  token text collate "C" not null,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint payment_links_pkey PRIMARY KEY (project_id, livemode, id),
  constraint payment_links_token_key UNIQUE (token),
  constraint payment_links_project_id_livemode_order_id_fkey FOREIGN KEY (project_id, livemode, order_id) REFERENCES orders(project_id, livemode, id)
);
CREATE INDEX payment_links_of_order ON public.payment_links USING btree (project_id, livemode, order_id, id);

create table payment_sessions (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  gateway text not null,
  channel text,
  status text not null,
  amount_minor bigint not null,
  payable_amount_minor bigint not null,
  currency text not null,
  profile_id text collate "C",
  qr_payload text,
  qr_asset_id text collate "C",
  payee_name text,
  instructions jsonb not null default '{}'::jsonb,
  matching_mode text not null default 'exact'::text,
  remark_code text,
  expires_at timestamp with time zone not null,
  reported_at timestamp with time zone,
  verified_at timestamp with time zone,
  reviewed_by text,
  failure_code text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  asking_id text collate "C",
  flags text[] not null default '{}'::text[],
  method text,
  method_data jsonb,
  account text collate "C",
  constraint payment_sessions_pkey PRIMARY KEY (project_id, livemode, id),
  constraint payment_sessions_project_id_livemode_order_id_fkey FOREIGN KEY (project_id, livemode, order_id) REFERENCES orders(project_id, livemode, id),
  constraint payment_sessions_amount_minor_check CHECK ((amount_minor > 0)),
  constraint payment_sessions_matching_mode_check CHECK ((matching_mode = ANY (ARRAY['exact'::text, 'remark'::text, 'unique_amount'::text]))),
  constraint payment_sessions_payable_amount_minor_check CHECK ((payable_amount_minor > 0)),
  constraint payment_sessions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'pending_verify'::text, 'succeeded'::text, 'failed'::text, 'expired'::text, 'canceled'::text])))
);
CREATE INDEX payment_sessions_by_amount ON public.payment_sessions USING btree (project_id, livemode, channel, payable_amount_minor, id);
CREATE INDEX payment_sessions_by_verification ON public.payment_sessions USING btree (project_id, livemode, verified_at) INCLUDE (reported_at) WHERE (verified_at IS NOT NULL);
CREATE INDEX payment_sessions_due ON public.payment_sessions USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE INDEX payment_sessions_of_asking ON public.payment_sessions USING btree (project_id, livemode, asking_id, id) WHERE (asking_id IS NOT NULL);
CREATE INDEX payment_sessions_of_order ON public.payment_sessions USING btree (project_id, livemode, order_id, id) INCLUDE (gateway);
CREATE UNIQUE INDEX payment_sessions_open ON public.payment_sessions USING btree (project_id, livemode, order_id) WHERE (status = ANY (ARRAY['pending'::text, 'processing'::text, 'pending_verify'::text]));
CREATE UNIQUE INDEX payment_sessions_remark ON public.payment_sessions USING btree (project_id, livemode, channel, remark_code) WHERE ((remark_code IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'processing'::text, 'pending_verify'::text])));
CREATE INDEX payment_sessions_waiting ON public.payment_sessions USING btree (project_id, livemode, reported_at, order_id) WHERE (status = 'pending_verify'::text);
CREATE TRIGGER payment_sessions_complete BEFORE INSERT ON public.payment_sessions FOR EACH ROW WHEN ((new.method IS NULL)) EXECUTE FUNCTION complete_session();
CREATE TRIGGER payment_sessions_hold AFTER INSERT OR UPDATE OF status ON public.payment_sessions FOR EACH ROW WHEN ((new.asking_id IS NOT NULL)) EXECUTE FUNCTION tend_hold();
CREATE TRIGGER payment_sessions_hurry AFTER UPDATE OF status ON public.payment_sessions FOR EACH ROW WHEN (((old.status = ANY (ARRAY['pending'::text, 'processing'::text, 'pending_verify'::text])) AND (new.status = ANY (ARRAY['succeeded'::text, 'failed'::text, 'expired'::text, 'canceled'::text])) AND ((new.method_data ->> 'type'::text) = 'gateway'::text))) EXECUTE FUNCTION hurry_gateway_payment();
CREATE TRIGGER payment_sessions_status_moves AFTER UPDATE OF status ON public.payment_sessions FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['pending>processing'::text, 'pending>pending_verify'::text, 'pending>succeeded'::text, 'pending>failed'::text, 'pending>expired'::text, 'pending>canceled'::text, 'processing>pending'::text, 'processing>pending_verify'::text, 'processing>succeeded'::text, 'processing>failed'::text, 'processing>expired'::text, 'processing>canceled'::text, 'pending_verify>pending'::text, 'pending_verify>succeeded'::text, 'pending_verify>failed'::text, 'pending_verify>expired'::text, 'pending_verify>canceled'::text, 'failed>succeeded'::text, 'expired>succeeded'::text, 'canceled>pending'::text, 'canceled>succeeded'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table people (
  id text collate "C" not null,
  email text not null,
  email_verified boolean not null default false,
  name text not null,
  language text not null default 'en'::text,
  image text,
  is_operator boolean not null default false,
  two_factor_enabled boolean not null default false,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  second_step_due_at timestamp with time zone,
  provisional_operator boolean,
  constraint people_pkey PRIMARY KEY (id),
  constraint people_email_key UNIQUE (email),
  constraint people_email_check CHECK ((email = lower(email)))
);

create table person_credentials (
  id text collate "C" not null,
  person_id text collate "C" not null,
  provider_id text not null,
  account_id text not null,
  password text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint person_credentials_pkey PRIMARY KEY (id),
  constraint person_credentials_provider_id_account_id_key UNIQUE (provider_id, account_id),
  constraint person_credentials_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);
CREATE INDEX person_credentials_of_person ON public.person_credentials USING btree (person_id);

create table person_devices (
  person_id text collate "C" not null,
  device text not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  constraint person_devices_pkey PRIMARY KEY (person_id, device),
  constraint person_devices_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);

create table person_passkeys (
  id text collate "C" not null,
  person_id text collate "C" not null,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}'::text[],
  device_type text not null,
  backed_up boolean not null default false,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint person_passkeys_pkey PRIMARY KEY (id),
  constraint person_passkeys_credential_id_key UNIQUE (credential_id),
  constraint person_passkeys_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);
CREATE INDEX person_passkeys_of_person ON public.person_passkeys USING btree (person_id, id);

create table person_sessions (
  id text collate "C" not null,
  person_id text collate "C" not null,
  token text not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone not null,
  active_project_id text collate "C",
  active_livemode boolean not null default false,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  by_passkey boolean,
  constraint person_sessions_pkey PRIMARY KEY (id),
  constraint person_sessions_token_key UNIQUE (token),
  constraint person_sessions_active_project_id_fkey FOREIGN KEY (active_project_id) REFERENCES projects(id),
  constraint person_sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);
CREATE INDEX person_sessions_expired ON public.person_sessions USING btree (expires_at);
CREATE INDEX person_sessions_of_person ON public.person_sessions USING btree (person_id, id);

create table person_two_factors (
  id text collate "C" not null,
  person_id text collate "C" not null,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamp with time zone,
  constraint person_two_factors_pkey PRIMARY KEY (id),
  constraint person_two_factors_person_id_key UNIQUE (person_id),
  constraint person_two_factors_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);

create table person_verifications (
  id text collate "C" not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint person_verifications_pkey PRIMARY KEY (id)
);
CREATE INDEX person_verifications_expired ON public.person_verifications USING btree (expires_at);
CREATE INDEX person_verifications_identifier ON public.person_verifications USING btree (identifier);

create table projects (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  name text not null,
  slug text not null,
  default_currency text not null,
  settings jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint projects_pkey PRIMARY KEY (id),
  constraint projects_merchant_id_slug_key UNIQUE (merchant_id, slug),
  constraint projects_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX projects_of_merchant ON public.projects USING btree (merchant_id, id);

create table receipts (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null,
  currency text not null,
  amount_minor bigint not null,
  occurred_at timestamp with time zone not null,
  external_id text collate "C",
  content_hash text,
  remark text,
  payer_hint text,
  source text not null,
  status text not null default 'unmatched'::text,
  payment_session_id text collate "C",
  twin_id text collate "C",
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  exception_id text collate "C",
  merchant_id text collate "C",
  account_ref text collate "C",
  external_key text collate "C",
  has_known_number boolean not null default false,
  kind text,
  state text not null default 'final'::text,
  booked_project_id text collate "C",
  booked_external_id text collate "C",
  set_id text collate "C",
  decided_by text,
  decision_reason text,
  created_by text,
  releases integer not null default 0,
  constraint receipts_pkey PRIMARY KEY (project_id, livemode, id),
  constraint receipts_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint receipts_amount_minor_check CHECK ((amount_minor > 0)),
  constraint receipts_channel_check CHECK ((channel = ANY (ARRAY['wechat'::text, 'alipay'::text]))),
  constraint receipts_check CHECK (((external_id IS NULL) = (content_hash IS NOT NULL))),
  constraint receipts_source_check CHECK ((source = ANY (ARRAY['listener'::text, 'statement'::text, 'manual'::text]))),
  constraint receipts_state_check CHECK ((state = ANY (ARRAY['final'::text, 'unfinished'::text, 'refunded'::text, 'partly_refunded'::text]))),
  constraint receipts_status_check CHECK ((status = ANY (ARRAY['unmatched'::text, 'matched'::text, 'linked'::text, 'ignored'::text])))
);
CREATE UNIQUE INDEX receipts_booked ON public.receipts USING btree (booked_project_id, livemode, channel, booked_external_id, source) WHERE (booked_external_id IS NOT NULL);
CREATE INDEX receipts_by_amount ON public.receipts USING btree (project_id, livemode, channel, amount_minor, occurred_at);
CREATE UNIQUE INDEX receipts_content_of_account ON public.receipts USING btree (merchant_id, livemode, channel, account_ref, content_hash) WHERE (content_hash IS NOT NULL);
CREATE UNIQUE INDEX receipts_external ON public.receipts USING btree (project_id, livemode, channel, external_id) WHERE (external_id IS NOT NULL);
CREATE UNIQUE INDEX receipts_external_key ON public.receipts USING btree (merchant_id, livemode, channel, external_key) WHERE (external_key IS NOT NULL);
CREATE INDEX receipts_followers ON public.receipts USING btree (merchant_id, livemode, twin_id) WHERE (twin_id IS NOT NULL);
CREATE INDEX receipts_of_account ON public.receipts USING btree (merchant_id, livemode, channel, account_ref, amount_minor, occurred_at);
CREATE INDEX receipts_of_set ON public.receipts USING btree (set_id) WHERE (set_id IS NOT NULL);
CREATE UNIQUE INDEX receipts_twin ON public.receipts USING btree (project_id, livemode, twin_id, source) WHERE (twin_id IS NOT NULL);
CREATE INDEX receipts_waiting ON public.receipts USING btree (created_at) WHERE (status = 'unmatched'::text);
CREATE TRIGGER receipts_complete BEFORE INSERT ON public.receipts FOR EACH ROW WHEN ((new.merchant_id IS NULL)) EXECUTE FUNCTION complete_receipt();
CREATE TRIGGER receipts_status_moves AFTER UPDATE OF status ON public.receipts FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['unmatched>matched'::text, 'unmatched>linked'::text, 'unmatched>ignored'::text, 'matched>unmatched'::text, 'linked>unmatched'::text, 'ignored>unmatched'::text, 'ignored>linked'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table received_payments (
  project_id text collate "C" not null,
  livemode boolean not null,
  gateway text not null,
  external_id text collate "C" not null,
  order_id text collate "C",
  payment_session_id text collate "C",
  source text not null,
  outcome text not null,
  exception_id text collate "C",
  receipt_id text collate "C",
  amount_minor bigint not null,
  currency text not null,
  occurred_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  merchant_id text collate "C",
  external_key text collate "C",
  has_known_number boolean not null default false,
  set_id text collate "C",
  constraint received_payments_pkey PRIMARY KEY (project_id, livemode, gateway, external_id),
  constraint received_payments_amount_minor_check CHECK ((amount_minor > 0)),
  constraint received_payments_outcome_check CHECK ((outcome = ANY (ARRAY['paid'::text, 'underpaid'::text, 'exception'::text])))
);
CREATE INDEX received_payments_by_amount ON public.received_payments USING btree (project_id, livemode, gateway, amount_minor, occurred_at);
CREATE UNIQUE INDEX received_payments_key ON public.received_payments USING btree (merchant_id, livemode, gateway, external_key) WHERE (external_key IS NOT NULL);
CREATE INDEX received_payments_of_order ON public.received_payments USING btree (project_id, livemode, order_id);
CREATE INDEX received_payments_of_session ON public.received_payments USING btree (project_id, livemode, payment_session_id);
CREATE UNIQUE INDEX received_payments_receipt ON public.received_payments USING btree (project_id, livemode, receipt_id) WHERE (receipt_id IS NOT NULL);
CREATE TRIGGER received_payments_complete BEFORE INSERT ON public.received_payments FOR EACH ROW WHEN ((new.merchant_id IS NULL)) EXECUTE FUNCTION complete_received();

create table receiving_accounts (
  merchant_id text collate "C" not null,
  livemode boolean not null,
  channel text not null,
  account_ref text collate "C" not null,
  created_at timestamp with time zone not null,
  constraint receiving_accounts_pkey PRIMARY KEY (merchant_id, livemode, channel, account_ref),
  constraint receiving_accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint receiving_accounts_account_ref_check CHECK ((account_ref <> ''::text)),
  constraint receiving_accounts_channel_check CHECK ((channel = ANY (ARRAY['wechat'::text, 'alipay'::text])))
);

create table recipient_windows (
  project_id text collate "C" not null,
  livemode boolean not null,
  channel text collate "C" not null,
  recipient text collate "C" not null,
  short_used integer not null,
  short_ends timestamp with time zone not null,
  long_used integer not null,
  long_ends timestamp with time zone not null,
  constraint recipient_windows_pkey PRIMARY KEY (project_id, livemode, channel, recipient)
);
CREATE INDEX recipient_windows_ended ON public.recipient_windows USING btree (long_ends);

create table recordings (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  call_id text collate "C" not null,
  source text not null,
  channels smallint not null,
  duration_ms integer not null,
  size_bytes integer not null,
  storage_key text collate "C" not null,
  state text not null,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint recordings_pkey PRIMARY KEY (project_id, livemode, id),
  constraint recordings_id_key UNIQUE (id),
  constraint recordings_project_id_livemode_call_id_fkey FOREIGN KEY (project_id, livemode, call_id) REFERENCES calls(project_id, livemode, id),
  constraint recordings_channels_check CHECK ((channels = ANY (ARRAY[1, 2]))),
  constraint recordings_duration_ms_check CHECK ((duration_ms >= 0)),
  constraint recordings_size_bytes_check CHECK ((size_bytes > 0)),
  constraint recordings_source_check CHECK ((source = ANY (ARRAY['call'::text, 'verb'::text]))),
  constraint recordings_state_check CHECK ((state = ANY (ARRAY['storing'::text, 'kept'::text, 'deleted'::text])))
);
CREATE INDEX recordings_due ON public.recordings USING btree (due_at);
CREATE INDEX recordings_of_call ON public.recordings USING btree (project_id, livemode, call_id, id);

create table refunds (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  order_id text collate "C",
  payment_session_id text collate "C",
  exception_id text collate "C",
  gateway text not null,
  method text not null,
  status text not null,
  amount_minor bigint not null,
  currency text not null,
  reason text,
  note text,
  channel text,
  paid_back_by text,
  paid_back_at timestamp with time zone,
  external_transaction_id text,
  asset_id text collate "C",
  gateway_refund_id text,
  next_action jsonb,
  failure_code text,
  failure_note text,
  transaction_id text collate "C",
  created_by text not null,
  version integer not null default 1,
  succeeded_at timestamp with time zone,
  failed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  listed_at timestamp with time zone,
  constraint refunds_pkey PRIMARY KEY (project_id, livemode, id),
  constraint refunds_project_id_livemode_exception_id_fkey FOREIGN KEY (project_id, livemode, exception_id) REFERENCES payment_exceptions(project_id, livemode, id),
  constraint refunds_project_id_livemode_order_id_fkey FOREIGN KEY (project_id, livemode, order_id) REFERENCES orders(project_id, livemode, id),
  constraint refunds_project_id_livemode_transaction_id_fkey FOREIGN KEY (project_id, livemode, transaction_id) REFERENCES ledger_transfers(project_id, livemode, id),
  constraint refunds_amount_minor_check CHECK (((amount_minor >= 1) AND (amount_minor <= '99999999999'::bigint))),
  constraint refunds_method_check CHECK ((method = ANY (ARRAY['gateway'::text, 'manual'::text]))),
  constraint refunds_of_something CHECK (((order_id IS NOT NULL) OR (exception_id IS NOT NULL))),
  constraint refunds_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'requires_action'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX refunds_by_gateway_refund ON public.refunds USING btree (project_id, livemode, gateway_refund_id) WHERE (gateway_refund_id IS NOT NULL);
CREATE INDEX refunds_by_status ON public.refunds USING btree (project_id, livemode, status, id);
CREATE INDEX refunds_by_success ON public.refunds USING btree (project_id, livemode, succeeded_at) WHERE ((status = 'succeeded'::text) AND (order_id IS NOT NULL) AND (exception_id IS NULL));
CREATE UNIQUE INDEX refunds_of_exception ON public.refunds USING btree (project_id, livemode, exception_id) WHERE ((exception_id IS NOT NULL) AND (status <> 'failed'::text));
CREATE INDEX refunds_of_order ON public.refunds USING btree (project_id, livemode, order_id, id) WHERE (order_id IS NOT NULL);
CREATE TRIGGER refunds_counted AFTER INSERT OR UPDATE OF status, amount_minor ON public.refunds FOR EACH ROW WHEN ((new.exception_id IS NULL)) EXECUTE FUNCTION count_refund();
CREATE TRIGGER refunds_status_moves AFTER UPDATE OF status ON public.refunds FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['pending>requires_action'::text, 'pending>unknown'::text, 'pending>succeeded'::text, 'pending>failed'::text, 'requires_action>pending'::text, 'requires_action>unknown'::text, 'requires_action>succeeded'::text, 'requires_action>failed'::text, 'unknown>pending'::text, 'unknown>requires_action'::text, 'unknown>succeeded'::text, 'unknown>failed'::text, 'succeeded>failed'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table reversed_payments (
  project_id text collate "C" not null,
  livemode boolean not null,
  gateway text not null,
  external_id text collate "C" not null,
  attempt integer not null,
  order_id text collate "C" not null,
  payment_session_id text collate "C",
  receipt_id text collate "C",
  amount_minor bigint not null,
  currency text not null,
  source text not null,
  cause text not null,
  note text not null,
  exception_id text collate "C",
  occurred_at timestamp with time zone not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  constraint reversed_payments_pkey PRIMARY KEY (project_id, livemode, gateway, external_id, attempt),
  constraint reversed_payments_project_id_livemode_order_id_fkey FOREIGN KEY (project_id, livemode, order_id) REFERENCES orders(project_id, livemode, id),
  constraint reversed_payments_cause_check CHECK ((cause = ANY (ARRAY['not_received'::text, 'other_order'::text])))
);
CREATE INDEX reversed_payments_of_order ON public.reversed_payments USING btree (project_id, livemode, order_id);

create table schema_migration_steps (
  number integer not null,
  checksum text not null,
  steps_done integer not null,
  constraint schema_migration_steps_pkey PRIMARY KEY (number)
);

create table schema_migration_turn (
  one boolean not null,
  constraint schema_migration_turn_pkey PRIMARY KEY (one)
);

create table schema_migrations (
  number integer not null,
  name text not null,
  applied_at timestamp with time zone not null default now(),
  checksum text,
  min_program integer not null default 0,
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table sign_in_windows (
  subject text collate "C" not null,
  used integer not null,
  ends_at timestamp with time zone not null,
  constraint sign_in_windows_pkey PRIMARY KEY (subject)
);
CREATE INDEX sign_in_windows_ended ON public.sign_in_windows USING btree (ends_at);

create table sms (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  direction text not null,
  status text not null,
  version integer not null default 1,
  sequence integer not null default 0,
  last_event text,
  sender text collate "C" not null,
  sender_kind text not null,
  recipient text collate "C" not null,
  country text collate "C" not null,
  encoding text not null,
  segments smallint not null,
  segments_sent smallint not null default 0,
  reference smallint,
  keyword text,
  tags jsonb not null default '[]'::jsonb,
  metadata jsonb not null default '{}'::jsonb,
  status_callback text,
  batch_id text collate "C",
  error jsonb,
  provider text,
  state text not null,
  due_at timestamp with time zone not null,
  lease text,
  lease_until timestamp with time zone,
  deaths smallint not null default 0,
  attempts integer not null default 0,
  begun boolean not null default false,
  settle_at timestamp with time zone,
  sequel text,
  sequel_at timestamp with time zone,
  scheduled_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  sealed_body text,
  category text,
  constraint sms_pkey PRIMARY KEY (project_id, livemode, id),
  constraint sms_begun_is_leased CHECK (((NOT begun) OR (state = 'leased'::text))),
  constraint sms_category_check CHECK ((category = ANY (ARRAY['transactional'::text, 'marketing'::text]))),
  constraint sms_check CHECK (((segments_sent >= 0) AND (segments_sent <= segments))),
  constraint sms_direction_check CHECK ((direction = ANY (ARRAY['outbound'::text, 'inbound'::text]))),
  constraint sms_done_is_over CHECK (((state = 'done'::text) = (status <> ALL (ARRAY['scheduled'::text, 'queued'::text, 'sending'::text])))),
  constraint sms_encoding_check CHECK ((encoding = ANY (ARRAY['GSM-7'::text, 'UCS-2'::text, 'binary'::text]))),
  constraint sms_keyword_check CHECK ((keyword = ANY (ARRAY['stop'::text, 'start'::text, 'help'::text]))),
  constraint sms_leased_has_lease CHECK (((state = 'leased'::text) = (lease IS NOT NULL))),
  constraint sms_leased_is_sending CHECK (((state = 'leased'::text) = (status = 'sending'::text))),
  constraint sms_received_is_inbound CHECK (((direction = 'inbound'::text) = (status = 'received'::text))),
  constraint sms_segments_check CHECK (((segments >= 1) AND (segments <= 255))),
  constraint sms_sender_kind_check CHECK ((sender_kind = ANY (ARRAY['number'::text, 'alphanumeric'::text, 'short_code'::text]))),
  constraint sms_settled_when_sent CHECK (((settle_at IS NULL) OR (status = 'sent'::text))),
  constraint sms_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'due'::text, 'leased'::text, 'set_aside'::text, 'done'::text]))),
  constraint sms_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'sending'::text, 'sent'::text, 'delivered'::text, 'undelivered'::text, 'failed'::text, 'canceled'::text, 'received'::text])))
);
CREATE INDEX sms_by_recipient ON public.sms USING btree (project_id, livemode, recipient, id);
CREATE INDEX sms_by_sender ON public.sms USING btree (project_id, livemode, sender, id);
CREATE INDEX sms_by_status ON public.sms USING btree (project_id, livemode, status, id);
CREATE INDEX sms_by_tag ON public.sms USING gin (tags jsonb_path_ops) WHERE (tags <> '[]'::jsonb);
CREATE INDEX sms_by_time ON public.sms USING btree (project_id, livemode, created_at);
CREATE INDEX sms_due ON public.sms USING btree (livemode, project_id, country, due_at) WHERE (state = 'due'::text);
CREATE INDEX sms_failed ON public.sms USING btree (updated_at) WHERE (status = 'failed'::text);
CREATE INDEX sms_leased ON public.sms USING btree (lease_until) WHERE (state = 'leased'::text);
CREATE INDEX sms_of_batch ON public.sms USING btree (project_id, livemode, batch_id, id) WHERE (batch_id IS NOT NULL);
CREATE INDEX sms_open ON public.sms USING btree (expires_at) WHERE (state = ANY (ARRAY['due'::text, 'set_aside'::text]));
CREATE INDEX sms_sequel ON public.sms USING btree (sequel_at) WHERE (sequel IS NOT NULL);
CREATE INDEX sms_settling ON public.sms USING btree (settle_at) WHERE (settle_at IS NOT NULL);
CREATE INDEX sms_suspect ON public.sms USING btree (due_at) WHERE ((deaths > 1) AND (state = ANY (ARRAY['due'::text, 'set_aside'::text])));
CREATE INDEX sms_waiting ON public.sms USING btree (due_at) WHERE (state = 'waiting'::text);
CREATE TRIGGER sms_state_moves AFTER UPDATE OF state ON public.sms FOR EACH ROW WHEN (((old.state <> new.state) AND (((old.state || '>'::text) || new.state) <> ALL (ARRAY['waiting>due'::text, 'waiting>done'::text, 'due>waiting'::text, 'due>leased'::text, 'due>set_aside'::text, 'due>done'::text, 'leased>waiting'::text, 'leased>due'::text, 'leased>set_aside'::text, 'leased>done'::text, 'set_aside>due'::text, 'set_aside>done'::text])))) EXECUTE FUNCTION refuse_illegal_move('state');
CREATE TRIGGER sms_status_moves AFTER UPDATE OF status ON public.sms FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['scheduled>queued'::text, 'scheduled>canceled'::text, 'scheduled>failed'::text, 'queued>scheduled'::text, 'queued>sending'::text, 'queued>canceled'::text, 'queued>failed'::text, 'sending>queued'::text, 'sending>sent'::text, 'sending>failed'::text, 'sent>delivered'::text, 'sent>undelivered'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table sms_attempts (
  project_id text collate "C" not null,
  livemode boolean not null,
  sms_id text collate "C" not null,
  attempt integer not null,
  result text not null default 'started'::text,
  provider text,
  code text,
  message text,
  provider_code text,
  segments_sent smallint not null default 0,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint sms_attempts_pkey PRIMARY KEY (project_id, livemode, sms_id, attempt),
  constraint sms_attempts_result_check CHECK ((result = ANY (ARRAY['started'::text, 'accepted'::text, 'deferred'::text, 'refused'::text, 'unknown'::text, 'worker_lost'::text])))
);

create table sms_binds (
  name text collate "C" not null,
  lease text collate "C" not null,
  held_until timestamp with time zone not null,
  constraint sms_binds_pkey PRIMARY KEY (name)
);

create table sms_bodies (
  project_id text collate "C" not null,
  livemode boolean not null,
  sms_id text collate "C" not null,
  body text,
  created_at timestamp with time zone not null,
  constraint sms_bodies_pkey PRIMARY KEY (project_id, livemode, sms_id)
);
CREATE INDEX sms_bodies_age ON public.sms_bodies USING btree (created_at);

create table sms_early_receipts (
  id bigint not null generated always as identity,
  provider text collate "C" not null,
  provider_message_id text collate "C" not null,
  folded_id text collate "C" not null,
  status text not null,
  code text,
  provider_code text,
  occurred_at timestamp with time zone,
  retried boolean not null default false,
  created_at timestamp with time zone not null,
  project_id text collate "C",
  livemode boolean,
  sms_id text collate "C",
  place smallint,
  constraint sms_early_receipts_pkey PRIMARY KEY (id),
  constraint sms_early_receipts_status_check CHECK ((status = ANY (ARRAY['delivered'::text, 'undelivered'::text, 'accepted'::text])))
);
CREATE INDEX sms_early_receipts_age ON public.sms_early_receipts USING btree (created_at);
CREATE INDEX sms_early_receipts_by_id ON public.sms_early_receipts USING btree (provider, folded_id);
CREATE INDEX sms_early_receipts_by_message ON public.sms_early_receipts USING btree (project_id, livemode, sms_id) WHERE (sms_id IS NOT NULL);
CREATE INDEX sms_early_receipts_fresh ON public.sms_early_receipts USING btree (created_at) WHERE (NOT retried);

create table sms_id_forms (
  provider text collate "C" not null,
  form text not null,
  learned_at timestamp with time zone not null,
  constraint sms_id_forms_pkey PRIMARY KEY (provider),
  constraint sms_id_forms_form_check CHECK ((form = ANY (ARRAY['exact'::text, 'case'::text, 'zeros'::text, 'hexadecimal'::text, 'decimal'::text])))
);

create table sms_inbound_parts (
  provider text collate "C" not null,
  sender text collate "C" not null,
  recipient text collate "C" not null,
  message_key text collate "C" not null,
  place smallint not null,
  total smallint not null,
  body text not null,
  encoding text not null,
  received_at timestamp with time zone not null,
  joined_at timestamp with time zone,
  constraint sms_inbound_parts_pkey PRIMARY KEY (provider, sender, recipient, message_key, place)
);
CREATE INDEX sms_inbound_parts_age ON public.sms_inbound_parts USING btree (received_at);

create table sms_parts (
  project_id text collate "C" not null,
  livemode boolean not null,
  sms_id text collate "C" not null,
  place smallint not null,
  provider text collate "C" not null,
  provider_message_id text collate "C",
  folded_id text collate "C",
  status text not null default 'sent'::text,
  code text,
  provider_code text,
  reported_at timestamp with time zone,
  created_at timestamp with time zone not null,
  occurred_at timestamp with time zone,
  constraint sms_parts_pkey PRIMARY KEY (project_id, livemode, sms_id, place),
  constraint sms_parts_status_check CHECK ((status = ANY (ARRAY['sent'::text, 'delivered'::text, 'undelivered'::text])))
);
CREATE INDEX sms_parts_by_id ON public.sms_parts USING btree (provider, folded_id, created_at) WHERE (folded_id IS NOT NULL);
CREATE TRIGGER sms_parts_status_moves AFTER UPDATE OF status ON public.sms_parts FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['sent>delivered'::text, 'sent>undelivered'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table sms_references (
  project_id text collate "C" not null,
  livemode boolean not null,
  sender text collate "C" not null,
  recipient text collate "C" not null,
  reference integer not null,
  used_at timestamp with time zone not null,
  constraint sms_references_pkey PRIMARY KEY (project_id, livemode, sender, recipient)
);
CREATE INDEX sms_references_age ON public.sms_references USING btree (used_at);

create table statement_previews (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null,
  account_ref text collate "C",
  file_sha256 text not null,
  statement jsonb,
  result jsonb,
  applying_until timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  applying_by text,
  constraint statement_previews_pkey PRIMARY KEY (project_id, livemode, id),
  constraint statement_previews_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint statement_previews_channel_check CHECK ((channel = ANY (ARRAY['wechat'::text, 'alipay'::text])))
);
CREATE INDEX statement_previews_by_expiry ON public.statement_previews USING btree (expires_at);

create table suppressions (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  channel text not null,
  address text collate "C" not null,
  reason text not null,
  source_id text collate "C",
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint suppressions_pkey PRIMARY KEY (project_id, livemode, id),
  constraint suppressions_project_id_livemode_channel_address_key UNIQUE (project_id, livemode, channel, address),
  constraint suppressions_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'call'::text]))),
  constraint suppressions_reason_check CHECK ((reason = ANY (ARRAY['bounce'::text, 'complaint'::text, 'unsubscribe'::text, 'manual'::text])))
);
CREATE INDEX suppressions_expiring ON public.suppressions USING btree (expires_at) WHERE (expires_at IS NOT NULL);

create table traffic_counts (
  project_id text collate "C" not null,
  livemode boolean not null,
  channel text collate "C" not null,
  prefix text collate "C" not null,
  slot timestamp with time zone not null,
  messages integer not null default 0,
  codes integer not null default 0,
  approved integer not null default 0,
  constraint traffic_counts_pkey PRIMARY KEY (project_id, livemode, channel, prefix, slot)
);
CREATE INDEX traffic_counts_by_time ON public.traffic_counts USING btree (slot);

create table transport_minutes (
  channel text not null,
  name text collate "C" not null,
  minute timestamp with time zone not null,
  handed integer not null default 0,
  failed integer not null default 0,
  constraint transport_minutes_pkey PRIMARY KEY (channel, name, minute),
  constraint transport_minutes_failed_check CHECK ((failed >= 0)),
  constraint transport_minutes_handed_check CHECK ((handed >= 0))
);
CREATE INDEX transport_minutes_by_time ON public.transport_minutes USING btree (minute);

create table transport_reports (
  process text collate "C" not null,
  channel text not null,
  name text collate "C" not null,
  kind text not null,
  state text not null,
  state_at timestamp with time zone,
  paused_until timestamp with time zone,
  error text,
  error_at timestamp with time zone,
  in_flight integer not null,
  capacity integer,
  stopped boolean not null default false,
  reported_at timestamp with time zone not null,
  constraint transport_reports_pkey PRIMARY KEY (process, channel, name),
  constraint transport_reports_capacity_check CHECK ((capacity >= 0)),
  constraint transport_reports_in_flight_check CHECK ((in_flight >= 0)),
  constraint transport_reports_state_check CHECK ((state = ANY (ARRAY['idle'::text, 'up'::text, 'down'::text])))
);
CREATE INDEX transport_reports_by_time ON public.transport_reports USING btree (reported_at);

create table unowned_files (
  storage_key text not null,
  due_at timestamp with time zone not null,
  constraint unowned_files_pkey PRIMARY KEY (storage_key)
);
CREATE INDEX unowned_files_due ON public.unowned_files USING btree (due_at);

create table usage_counters (
  project_id text collate "C" not null,
  livemode boolean not null,
  channel text not null,
  day date not null,
  used bigint not null,
  constraint usage_counters_pkey PRIMARY KEY (project_id, livemode, channel, day),
  constraint usage_counters_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'call'::text])))
);
CREATE INDEX usage_counters_by_day ON public.usage_counters USING btree (day);

create table verification_windows (
  project_id text collate "C" not null,
  livemode boolean not null,
  subject text collate "C" not null,
  used integer not null,
  ends_at timestamp with time zone not null,
  constraint verification_windows_pkey PRIMARY KEY (project_id, livemode, subject)
);
CREATE INDEX verification_windows_ended ON public.verification_windows USING btree (ends_at);

create table verifications (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  status text not null,
  version integer not null default 1,
  sequence integer not null default 0,
  last_event text,
  recipient text collate "C" not null,
  country text collate "C",
  channels text[] not null,
  channel text not null,
  sender text,
  locale text,
  template text not null,
  origin text,
  code_length smallint not null,
  code_mac text,
  key_number integer not null,
  checks_left smallint not null,
  sends_left smallint not null,
  sends jsonb not null default '[]'::jsonb,
  fallback_s integer,
  fallback_at timestamp with time zone,
  error jsonb,
  tier text not null,
  metadata jsonb not null default '{}'::jsonb,
  due_at timestamp with time zone not null,
  looks integer not null default 0,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint verifications_pkey PRIMARY KEY (project_id, livemode, id),
  constraint verifications_channels_check CHECK ((cardinality(channels) > 0)),
  constraint verifications_checks_left_check CHECK ((checks_left >= 0)),
  constraint verifications_code CHECK (((status = 'pending'::text) = (code_mac IS NOT NULL))),
  constraint verifications_code_length_check CHECK (((code_length >= 4) AND (code_length <= 10))),
  constraint verifications_ended CHECK (((status = 'pending'::text) = (ended_at IS NULL))),
  constraint verifications_sends_left_check CHECK ((sends_left >= 0)),
  constraint verifications_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'failed'::text, 'expired'::text, 'canceled'::text])))
);
CREATE INDEX verifications_by_recipient ON public.verifications USING btree (project_id, livemode, recipient, id);
CREATE INDEX verifications_by_status ON public.verifications USING btree (project_id, livemode, status, id);
CREATE INDEX verifications_by_time ON public.verifications USING btree (project_id, livemode, created_at);
CREATE INDEX verifications_due ON public.verifications USING btree (due_at) WHERE (status = 'pending'::text);
CREATE TRIGGER verifications_status_moves AFTER UPDATE OF status ON public.verifications FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['pending>approved'::text, 'pending>failed'::text, 'pending>expired'::text, 'pending>canceled'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table vouchers (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  payment_session_id text collate "C" not null,
  status text not null,
  asset_id text collate "C",
  transaction_reference text,
  payer_name text,
  paid_at timestamp with time zone,
  amount_minor bigint,
  note text,
  sha256 text,
  risk_flags text[] not null default '{}'::text[],
  reviewed_by text,
  reviewed_at timestamp with time zone,
  rejection_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  reference_key text collate "C",
  constraint vouchers_pkey PRIMARY KEY (project_id, livemode, id),
  constraint vouchers_project_id_livemode_order_id_fkey FOREIGN KEY (project_id, livemode, order_id) REFERENCES orders(project_id, livemode, id),
  constraint vouchers_status_check CHECK ((status = ANY (ARRAY['submitted'::text, 'approved'::text, 'rejected'::text, 'superseded'::text])))
);
CREATE INDEX vouchers_by_asset ON public.vouchers USING btree (project_id, livemode, asset_id) WHERE (asset_id IS NOT NULL);
CREATE INDEX vouchers_by_image ON public.vouchers USING btree (project_id, livemode, sha256) WHERE (sha256 IS NOT NULL);
CREATE INDEX vouchers_by_reference ON public.vouchers USING btree (project_id, livemode, transaction_reference) WHERE (transaction_reference IS NOT NULL);
CREATE INDEX vouchers_by_reference_key ON public.vouchers USING btree (project_id, livemode, reference_key) WHERE (reference_key IS NOT NULL);
CREATE INDEX vouchers_of_order ON public.vouchers USING btree (project_id, livemode, order_id, id);
CREATE UNIQUE INDEX vouchers_open ON public.vouchers USING btree (project_id, livemode, order_id) WHERE (status = 'submitted'::text);
CREATE TRIGGER vouchers_status_moves AFTER UPDATE OF status ON public.vouchers FOR EACH ROW WHEN (((old.status <> new.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['submitted>approved'::text, 'submitted>rejected'::text, 'submitted>superseded'::text])))) EXECUTE FUNCTION refuse_illegal_move('status');

create table webhook_attempts (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  event text not null,
  attempt integer not null,
  trigger text not null,
  status text not null default 'started'::text,
  url text not null,
  response_status integer,
  response_headers jsonb,
  response_body text,
  response_truncated boolean,
  error_code text,
  duration_ms integer,
  next_attempt_at timestamp with time zone,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  sent_at timestamp with time zone,
  constraint webhook_attempts_pkey PRIMARY KEY (project_id, livemode, endpoint_id, id),
  constraint webhook_attempts_status_check CHECK ((status = ANY (ARRAY['started'::text, 'succeeded'::text, 'failed'::text]))),
  constraint webhook_attempts_trigger_check CHECK ((trigger = ANY (ARRAY['automatic'::text, 'manual'::text, 'test'::text, 'replay'::text]))) NOT VALID
);
CREATE INDEX webhook_attempts_age ON public.webhook_attempts USING brin (created_at);
CREATE UNIQUE INDEX webhook_attempts_numbered ON public.webhook_attempts USING btree (project_id, livemode, endpoint_id, event_id, attempt);

create table webhook_deliveries (
  project_id text collate "C" not null,
  livemode boolean not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  sequence bigint not null,
  state text not null,
  step integer not null default 0,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  lease text,
  lease_until timestamp with time zone,
  back_to text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  callback boolean not null default false,
  replay boolean not null default false,
  deaths smallint not null default 0,
  constraint webhook_deliveries_pkey PRIMARY KEY (project_id, livemode, endpoint_id, event_id),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['due'::text, 'leased'::text, 'set_aside'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text])))
);
CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING brin (created_at);
CREATE INDEX webhook_deliveries_callbacks_due ON public.webhook_deliveries USING btree (created_at) WHERE (callback AND (state = 'due'::text));
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (project_id, livemode, endpoint_id, due_at) WHERE (state = 'due'::text);
CREATE INDEX webhook_deliveries_failed ON public.webhook_deliveries USING btree (updated_at) WHERE (state = 'failed'::text);
CREATE INDEX webhook_deliveries_leased ON public.webhook_deliveries USING btree (project_id, livemode, endpoint_id) WHERE (state = 'leased'::text);
CREATE INDEX webhook_deliveries_of_callbacks ON public.webhook_deliveries USING btree (project_id, livemode, event_id) WHERE callback;
CREATE INDEX webhook_deliveries_open ON public.webhook_deliveries USING btree (project_id, livemode, sequence) WHERE ((state <> 'succeeded'::text) AND (NOT callback));
CREATE INDEX webhook_deliveries_suspect ON public.webhook_deliveries USING btree (due_at) WHERE ((deaths > 1) AND (state = ANY (ARRAY['due'::text, 'set_aside'::text])));
CREATE TRIGGER webhook_deliveries_state_moves AFTER UPDATE OF state ON public.webhook_deliveries FOR EACH ROW WHEN (((old.state <> new.state) AND (((old.state || '>'::text) || new.state) <> ALL (ARRAY['due>leased'::text, 'due>skipped'::text, 'due>failed'::text, 'leased>due'::text, 'leased>set_aside'::text, 'leased>succeeded'::text, 'leased>failed'::text, 'leased>skipped'::text, 'set_aside>due'::text, 'set_aside>leased'::text, 'succeeded>due'::text, 'succeeded>leased'::text, 'failed>due'::text, 'failed>leased'::text, 'skipped>due'::text, 'skipped>leased'::text])))) EXECUTE FUNCTION refuse_illegal_move('state');

create table webhook_endpoints (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  url text not null,
  events text[] not null,
  description text,
  status text not null default 'enabled'::text,
  disabled_reason text,
  secret text,
  secret_last4 text,
  next_secret text,
  next_secret_last4 text,
  rolled_at timestamp with time zone,
  previous_secret text,
  previous_until timestamp with time zone,
  api_version text not null,
  consecutive_failures integer not null default 0,
  failing_since timestamp with time zone,
  warnings integer not null default 0,
  last_success_at timestamp with time zone,
  breaker_until timestamp with time zone,
  breaker_trips integer not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  kind text not null default 'endpoint'::text,
  history_checked_at timestamp with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (project_id, livemode, id),
  constraint webhook_endpoints_check CHECK (((kind = 'endpoint'::text) = (secret IS NOT NULL))),
  constraint webhook_endpoints_kind_check CHECK ((kind = ANY (ARRAY['endpoint'::text, 'callback'::text]))),
  constraint webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);
CREATE UNIQUE INDEX webhook_callback_origins ON public.webhook_endpoints USING btree (project_id, livemode, url) WHERE (kind = 'callback'::text);
CREATE INDEX webhook_endpoints_failing ON public.webhook_endpoints USING btree (failing_since) WHERE ((failing_since IS NOT NULL) AND (status = 'enabled'::text) AND (removed_at IS NULL));
CREATE INDEX webhook_endpoints_passing ON public.webhook_endpoints USING btree (COALESCE(history_checked_at, created_at)) WHERE ((kind = 'callback'::text) OR (removed_at IS NOT NULL));
CREATE INDEX webhook_endpoints_registered ON public.webhook_endpoints USING btree (project_id, livemode, removed_at) WHERE (kind = 'endpoint'::text);

create table webhook_skips (
  project_id text collate "C" not null,
  livemode boolean not null,
  endpoint_id text collate "C" not null,
  id bigint not null generated always as identity,
  due_before timestamp with time zone not null,
  kept_events text[],
  constraint webhook_skips_pkey PRIMARY KEY (project_id, livemode, endpoint_id, id)
);

create table worker_deaths (
  queue text not null,
  holder text collate "C" not null,
  noticed_at timestamp with time zone not null,
  jobs integer not null,
  constraint worker_deaths_pkey PRIMARY KEY (queue, holder)
);
