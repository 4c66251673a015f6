-- transaction: none
-- Attempts are deleted together with the row of their message's texts. Earlier versions deleted the row of Tillpost's own mails with a
-- link that opens something once they had left, so their attempts stayed for ever. They get an empty row again, which goes with them.
-- step: repeat
insert into email_bodies (project_id, livemode, email_id, body, created_at)
select e.project_id, e.livemode, e.id, '{"html":null,"text":null,"headers":{},"attachments":[]}', e.created_at from emails e
where e.project_id = 'prj_00000000000000000000000000' and e.livemode
  and not exists (select from email_bodies b where b.project_id = e.project_id and b.livemode = e.livemode and b.email_id = e.id)
  and exists (select from email_attempts a where a.project_id = e.project_id and a.livemode = e.livemode and a.email_id = e.id)
limit 1000
on conflict do nothing;
