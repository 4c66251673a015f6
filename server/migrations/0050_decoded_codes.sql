-- Everything that was read in a picture: of several codes, the one of the channel is chosen when the profile is set.
-- Pictures of before have none here; `decoded_payload` says what was read in them.
alter table assets add column decoded_payloads text[] not null default '{}';
