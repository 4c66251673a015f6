-- Operators read the log of all merchants, newest first, and name its rows as cursors.
create index audit_log_of_all on audit_log (id);
