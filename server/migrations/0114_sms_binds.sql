-- Which process holds a bind to a carrier: carriers count connections, so one does. A process that died holds its binds until `held_until`.
create table sms_binds (
  name text collate "C" primary key,
  lease text collate "C" not null,
  held_until timestamptz not null
);
