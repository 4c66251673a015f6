-- The choices of language and colors in the address of the page where the buyer started the payment: they return to that page, and the
-- provider only accepts the same request again. null: stored by an earlier version, which sent none.
alter table gateway_payments add column page_query text;
