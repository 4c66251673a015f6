-- Everything that was read in a picture: of several codes, the one of the channel is chosen when the profile is set.
alter table assets add column decoded_payloads text[] not null default '{}';
update assets set decoded_payloads = array[decoded_payload] where decoded_payload is not null;
