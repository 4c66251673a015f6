-- A payment session names its payment method, what belongs to that kind of method alone, and the account that takes the money. The columns of personal
-- codes stay filled for the version before, which reads them, and are removed a version later.
alter table payment_sessions
  add column method text,
  add column method_data jsonb,
  add column account text collate "C";

-- A gateway's payment has no collection profile.
alter table payment_sessions alter column channel drop not null;

-- A session's data as the version before keeps them in columns.
create function personal_data_of(s payment_sessions) returns jsonb language sql immutable as $$
  select jsonb_build_object('type', 'personal_qr', 'profile_id', s.profile_id, 'qr_payload', s.qr_payload, 'qr_asset_id', s.qr_asset_id,
    'payee_name', s.payee_name, 'instructions', s.instructions, 'matching_mode', s.matching_mode, 'remark_code', s.remark_code)
$$;

-- A process of the version before, which serves on while this one takes over, says none of this.
create function complete_session() returns trigger language plpgsql as $$
begin
  new.method := new.gateway;
  new.method_data := personal_data_of(new);
  new.account := (select a.channel || ':' || a.account_ref from askings a
    where a.project_id = new.project_id and a.livemode = new.livemode and a.id = new.asking_id);
  return new;
end $$;
create trigger payment_sessions_complete before insert on payment_sessions for each row when (new.method is null) execute function complete_session();
