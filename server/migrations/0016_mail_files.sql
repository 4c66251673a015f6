-- Stored bytes that no message owns: written before attachments are put, taken back when the message's rows commit, written again when its texts go.
create table loose_mail_files (
  storage_key text primary key,
  due_at timestamptz not null
);
create index loose_mail_files_due on loose_mail_files (due_at);
