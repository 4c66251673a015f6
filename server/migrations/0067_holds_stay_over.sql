-- A hold that is over stays over. A payment that was paid, rejected or taken back after that time used to open it again, and back over the days
-- between: its price then stood beside amounts that other orders had been asked for meanwhile, and their money waited for a person.
create or replace function tend_hold() returns trigger language plpgsql as $$
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
end $$;
