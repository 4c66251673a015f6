-- A merchant may ask everyone of its team for a second step.
alter table merchants add column second_step_required boolean not null default false;
-- Until when an operator without a second step may act where this server is reached from elsewhere; set when the first act is tried.
alter table people add column second_step_due_at timestamptz;
-- The session was opened with a passkey, which is a second step by itself. Null: it was not.
alter table person_sessions add column by_passkey boolean;
-- The demo's account: operator only while there is nobody else. Null: no.
alter table people add column provisional_operator boolean;
update people set provisional_operator = true where is_operator and email ~ '^demo-[0-9a-z]{5}@tillpost\.example$';
