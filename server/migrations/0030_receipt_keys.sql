-- Telling of incoming transfers is a permission of its own, `receipts:write`: in LIVE such a transfer can pay an order.
alter table api_keys
  -- The account whose transfers a key may tell of, as channel and account: "wechat:main".
  add column receiving_account text collate "C" check (receiving_account ~ '^(wechat|alipay):.+$'),
  -- LIVE keys that told of transfers with `payments:write` until this version and may no longer; when their owners were told of it.
  add column lost_receipts_at timestamptz,
  add column lost_receipts_told_at timestamptz;

-- In TEST nothing moves money, and programs under test go on working.
update api_keys set permissions = permissions || '{receipts:write}', version = version + 1
where not livemode and 'payments:write' = any (permissions) and not 'receipts:write' = any (permissions);

update api_keys k set lost_receipts_at = statement_timestamp()
where k.livemode and 'payments:write' = any (k.permissions) and (k.revoked_at is null or k.revoked_at > statement_timestamp())
  and (k.expires_at is null or k.expires_at > statement_timestamp())
  and k.id in (select a.actor_id from audit_log a where a.livemode and a.actor_kind = 'api_key' and a.action = 'receipt.recorded');
create index api_keys_to_tell on api_keys (id) where lost_receipts_at is not null;
