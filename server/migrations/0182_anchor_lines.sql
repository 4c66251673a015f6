-- The anchors as they are in the file, and the seal of the one that each follows there, null for the first: a database that is restored to
-- a time after its backup brings the anchors that the backup's file doesn't have. They aren't in audit_anchors, because a day on which the
-- anchors are started again has two.
create table audit_anchor_lines (
  seal text primary key,
  follows text,
  anchor text not null,
  created_at timestamptz not null
);
