-- Which languages there are stands in one list, in the program: a language more is no migration.
alter table people drop constraint if exists people_language_check;
alter table invitations drop constraint if exists invitations_language_check;
