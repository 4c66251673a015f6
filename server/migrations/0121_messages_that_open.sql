-- Messages that carry what opens something, such as a code: their texts stand sealed in the row of the message, and go when it has left or come to nothing.
alter table sms add column sealed_body text;
alter table calls add column sealed_said text;
-- Its sealed texts stand where all texts of e-mails do.
alter table emails add column secret boolean not null default false;
