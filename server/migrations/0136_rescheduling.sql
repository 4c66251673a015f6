-- SMS and calls that are queued can be given another time, as e-mails can.
-- transaction: none
-- step
create or replace trigger sms_status_moves after update of status on sms for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'scheduled>queued', 'scheduled>canceled', 'scheduled>failed',
    'queued>scheduled', 'queued>sending', 'queued>canceled', 'queued>failed',
    'sending>queued', 'sending>sent', 'sending>failed',
    'sent>delivered', 'sent>undelivered']))
  execute function refuse_illegal_move('status');
-- step
create or replace trigger calls_status_moves after update of status on calls for each row
  when (old.status <> new.status and old.status || '>' || new.status <> all (array[
    'scheduled>queued', 'scheduled>canceled', 'scheduled>failed',
    'queued>scheduled', 'queued>initiated', 'queued>canceled', 'queued>failed',
    'initiated>ringing', 'initiated>in_progress', 'initiated>busy', 'initiated>no_answer', 'initiated>failed', 'initiated>canceled',
    'ringing>in_progress', 'ringing>busy', 'ringing>no_answer', 'ringing>failed', 'ringing>canceled',
    'in_progress>completed', 'in_progress>failed']))
  execute function refuse_illegal_move('status');
