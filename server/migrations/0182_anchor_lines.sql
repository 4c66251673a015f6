-- The anchor as it is in the file, and the seal of the one that it follows there, if any: a database that is restored to a time after its
-- backup brings the anchors that the backup's file doesn't have. Null in rows of earlier versions.
alter table audit_anchors add column anchor text, add column follows text;
