import { testGoingOn } from "#test/support/upgrade/test-going-on.ts";
import { readWritten } from "#test/support/upgrade/written.ts";

/**
 * What the version of 09da3fa couldn't create: it has no SMS and calls, no refunds and fees, no payment in processing, no picture stored as
 * WebP.
 */
const unreachable = [
  "assets.content_type image/webp",
  "batches.channel sms",
  ...["ledger_accounts.code refunds", "ledger_accounts.code fees", "ledger_transfers.kind refund", "ledger_transfers.kind fee"],
  "payment_exceptions.resolution refund",
  "payment_sessions.status processing",
  ...["suppressions.channel sms", "suppressions.channel call", "usage_counters.channel sms", "usage_counters.channel call"],
];

await testGoingOn(readWritten(new URL("../../support/upgrade/written-by-09da3fa.json.gz", import.meta.url)), { absent: unreachable });
