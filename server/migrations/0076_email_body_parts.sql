-- Long texts of messages, compressed by the server and cut into parts: no answer or statement holds more than a few of them. PostgreSQL does not try to
-- compress them again. What deletes a message's texts deletes these. The version before cannot read such a message: it holds it and tries it again, and the
-- new version sends it.
create table email_body_parts (
  project_id text collate "C" not null,
  livemode boolean not null,
  email_id text collate "C" not null,
  part int not null,
  bytes bytea not null,
  primary key (project_id, livemode, email_id, part),
  foreign key (project_id, livemode, email_id) references email_bodies (project_id, livemode, email_id) on delete cascade
);
alter table email_body_parts alter column bytes set storage external;
