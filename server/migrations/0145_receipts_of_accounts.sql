-- transaction: none
-- Receipts without a number are told apart by account (receipts_content_of_account): two accounts of a project may each receive the same.
-- step
drop index concurrently if exists receipts_content;
