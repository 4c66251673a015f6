-- From here on the texts of Tillpost's own mails that hold a link which opens something are sealed, and go once the mail has left.
-- Those of before that have left go now. Where no mail leaves they stay: operators read them.
delete from email_bodies b using emails e
where e.project_id = 'prj_00000000000000000000000000' and e.livemode and e.provider is distinct from 'outbox'
  and b.project_id = e.project_id and b.livemode = e.livemode and b.email_id = e.id
  and e.tags @> any (array['[{"name":"notice","value":"password_reset"}]', '[{"name":"notice","value":"email_verification"}]',
    '[{"name":"notice","value":"invitation"}]', '[{"name":"notice","value":"order_paid"}]']::jsonb[])
  and not exists (select from email_recipients r where r.project_id = e.project_id and r.livemode = e.livemode and r.email_id = e.id and r.state <> 'done');
