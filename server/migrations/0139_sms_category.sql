-- A message that is rescheduled keeps the quiet hours of its kind. null: none are kept, as for codes, answers to words, and what was accepted before.
alter table sms add column category text check (category in ('transactional', 'marketing'));
