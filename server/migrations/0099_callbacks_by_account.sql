-- The page that tests an account's set-up shows its newest callback.
-- transaction: none
-- step
create index concurrently if not exists gateway_callbacks_by_account on gateway_callbacks (project_id, livemode, credential_id, received_at);
