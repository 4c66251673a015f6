import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { listBehind, listCandidates as listCallCandidates, listExpired as listExpiredCalls } from "#calls/running/claim.sql.ts";
import { listCandidates, listExpired } from "#email/sending/claim.sql.ts";
import { updateLeasedCallbacks } from "#gateways/callback/sql.ts";
import { updateLeasedComparisons } from "#gateways/comparison/sql.ts";
import { updateLeasedPayments } from "#orders/gateway/queue.sql.ts";
import { lockDueOrders } from "#orders/order/due.sql.ts";
import { updateLeasedRefunds } from "#orders/refund/provider/queue.sql.ts";
import type { Tenant } from "#platform/index.ts";
import { updateLeasedNotices } from "#platform/notices/sql.ts";
import type { Tx } from "#platform/sql.ts";
import { listDoubtful, listCandidates as listSmsCandidates } from "#sms/sending/claim.sql.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { listDueVerifications } from "#verifications/due/sql.ts";
import { lockDueEndpoints, updateClaimed } from "#webhooks/delivery/sending/claim.sql.ts";
import { lockSuspectEndpoint } from "#webhooks/delivery/sending/suspects.sql.ts";
import { insertQueues, useProductionClock } from "./plans.sql.ts";

/** A statement that decides by time, and the index that it must use. */
export interface TimedStatement {
  name: string;
  index: string;
  run(tx: Tx): Promise<unknown>;
}

/** The claims of the message channels. */
function messageClaims(tenant: Tenant): TimedStatement[] {
  const { livemode } = tenant;
  const firstPage = { livemode, after: { project_id: "", receiver: "" }, partitions: 40, perPartition: 20, full: [] };
  return [
    {
      name: "recipients that are claimed",
      index: "email_recipients_due",
      run: (tx) => listCandidates(tx, firstPage),
    },
    { name: "recipients whose worker is gone", index: "email_recipients_leased", run: (tx) => listExpired(tx, { limit: 100 }) },
    {
      name: "calls that are claimed",
      index: "calls_next",
      run: (tx) => listCallCandidates(tx, firstPage),
    },
    {
      name: "calls behind those that no line is free for",
      index: "calls_next",
      run: (tx) =>
        listBehind(tx, {
          livemode: tenant.livemode,
          pages: [{ project_id: tenant.project_id, receiver: "US", behind: "" }],
          limit: 100,
        }),
    },
    { name: "calls whose worker is gone", index: "calls_leased", run: (tx) => listExpiredCalls(tx, { limit: 100 }) },
    {
      name: "SMS that are claimed",
      index: "sms_due",
      run: (tx) => listSmsCandidates(tx, firstPage),
    },
    { name: "verifications that are looked at", index: "verifications_due", run: (tx) => listDueVerifications(tx, { limit: 50 }) },
    { name: "SMS whose worker is gone after they began to leave", index: "sms_leased", run: (tx) => listDoubtful(tx, { limit: 100 }) },
  ];
}

/** The claims of webhook deliveries. */
function deliveryClaims(tenant: Tenant): TimedStatement[] {
  const endpoints = Array.from({ length: 20 }, (_, n) => ({ ...tenant, id: `we_${n}`, url: "https://example.com/", most: 20 }));
  const attemptIds = Array.from({ length: 400 }, (_, n) => `wat_${n}`);
  return [
    {
      name: "endpoints that are owed something",
      index: "webhook_deliveries_due",
      run: (tx) => lockDueEndpoints(tx, { limit: 40, staleAfterMs: 5_000, holder: "lse_mine", full: [] }),
    },
    {
      name: "deliveries that are claimed",
      index: "webhook_deliveries_due",
      run: (tx) => updateClaimed(tx, { endpoints, holder: "lse_mine", lease: "lse_new", durationMs: 30_000, attemptIds }),
    },
    {
      name: "the endpoint of a delivery that is sent alone",
      index: "webhook_deliveries_suspect",
      run: (tx) => lockSuspectEndpoint(tx, { holder: "lse_mine", without: [] }),
    },
    {
      name: "deliveries that are sent alone",
      index: "webhook_deliveries_suspect",
      run: (tx) =>
        updateClaimed(tx, {
          endpoints: endpoints.slice(0, 1),
          holder: "lse_mine",
          lease: "lse_new",
          durationMs: 60_000,
          attemptIds,
          alone: true,
        }),
    },
  ];
}

/** The claims of every queue, lapsed leases and expiry, as production sends them. */
export function timedStatements(tenant: Tenant): TimedStatement[] {
  const lease = "lse_new";
  return [
    { name: "orders that expire", index: "orders_due", run: (tx) => lockDueOrders(tx, { limit: 100 }) },
    ...deliveryClaims(tenant),
    ...messageClaims(tenant),
    {
      name: "payments that providers are asked about",
      index: "gateway_payments_due",
      run: (tx) => updateLeasedPayments(tx, { lease, durationMs: 60_000, limit: 32, alone: false }),
    },
    {
      name: "refunds that providers are asked about",
      index: "gateway_refunds_due",
      run: (tx) => updateLeasedRefunds(tx, { lease, durationMs: 60_000, limit: 16, alone: false }),
    },
    {
      name: "callbacks that are applied",
      index: "gateway_callbacks_due",
      run: (tx) => updateLeasedCallbacks(tx, { lease, durationMs: 60_000, limit: 16, alone: false }),
    },
    {
      name: "comparisons of accounts that are claimed",
      index: "gateway_comparisons_due",
      run: (tx) => updateLeasedComparisons(tx, { lease, durationMs: 60_000, limit: 4, alone: false }),
    },
    {
      name: "notices that are claimed",
      index: "notices_due",
      run: (tx) => updateLeasedNotices(tx, { lease, durationMs: 30_000, limit: 50, alone: false }),
    },
  ];
}

/**
 * A connection to a database with production's clock, and a tenant with so many rows in each queue; created before the tests of a file and
 * closed after them.
 */
export async function fullQueues(rows: number): Promise<{ client: pg.Client; tenant: Tenant }> {
  const app = await testApp();
  const { project_id, livemode } = await app.tenant();
  const tenant = { project_id, livemode };
  const client = new pg.Client({ connectionString: app.superuserUrl });
  beforeAll(async () => {
    await client.connect();
    await useProductionClock(client);
    await insertQueues(client, tenant, rows);
  }, 600_000);
  afterAll(() => client.end());
  return { client, tenant };
}
