-- Whose import of a previewed statement is under way: a retry with the same Idempotency-Key goes on at once where a process ended in the middle.
alter table statement_previews add column applying_by text;
