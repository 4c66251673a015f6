-- Logos that projects named before naming one counted as a use.
insert into asset_uses (project_id, livemode, asset_id, used_by)
select a.project_id, a.livemode, a.id, p.id from projects p
join assets a on a.project_id = p.id and a.id = p.settings -> 'branding' ->> 'logo_asset_id' and a.purpose = 'logo'
on conflict do nothing;
