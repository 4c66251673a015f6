-- Which gateway the money of a paid order came by, so that figures need not look at its attempts.
alter table orders add column paid_gateway text;

-- A process of the version before, which serves on while this one takes over, does not say it: then it is that of the last attempt.
create function name_paid_gateway() returns trigger language plpgsql as $$
begin
  select s.gateway into new.paid_gateway from payment_sessions s
  where s.project_id = new.project_id and s.livemode = new.livemode and s.order_id = new.id order by s.id desc limit 1;
  return new;
end $$;
create trigger orders_paid_gateway before update of status on orders for each row
  when (new.status = 'paid' and new.paid_gateway is null) execute function name_paid_gateway();
