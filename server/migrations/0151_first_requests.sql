-- What a payment was first requested with, and could be different by the time it is requested again: its provider only accepts the same
-- request again. null: stored by an earlier version.
alter table gateway_payments add column title text, add column locale text, add column link_id text collate "C";
