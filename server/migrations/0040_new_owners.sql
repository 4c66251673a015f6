-- An owner who was added to a merchant that has one already may not, for a day, change what redirects its money.
-- Null: no such time, as for all members of before.
alter table members add column new_owner_until timestamptz;
