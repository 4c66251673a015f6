import { createLeaseNames } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { queueContract } from "#test/support/queues/queue-contract.ts";
import type { QueueHand } from "#test/support/queues/queue-hand.ts";
import { emitSome, endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { fanOut, reviveExpired } from "../../index.ts";
import { type ClaimedRow, deliveryQueue, type Ending, lockDueEndpoints, updateClaimed, updateEnded } from "./claim.sql.ts";
import { leaseMs } from "./claim-due.ts";
import { updateReturned } from "./returned.sql.ts";
import { lockSuspectEndpoint } from "./suspects.sql.ts";

const app = await testApp({ egress: await localEgress() });
const { ctx } = app;
const tenant = await app.tenant();
await endpointAt(ctx, tenant, "https://127.0.0.1:1/");
const names = async () => (await listDeliveryStates(ctx.db, tenant)).map(({ endpoint_id, event_id }) => `${endpoint_id}/${event_id}`);

queueContract({
  app,
  queue: deliveryQueue,
  leaseMs,
  jobCount: 40,
  kills: 6,
  sweep: () => reviveExpired(ctx),
  sweepBy: reviveExpired,
  async add(count) {
    const before = await names();
    for (let n = 0; n < count; n += 1) {
      await emitSome(ctx, tenant);
      await fanOut(ctx);
      app.clock.advance(1);
    }
    return (await names()).slice(before.length);
  },
  worker(): QueueHand {
    const leases = createLeaseNames();
    const held = new Map<string, ClaimedRow>();
    const heldOf = (jobs: string[]) => jobs.flatMap((job) => held.get(job) ?? []);
    return {
      claim: (limit, alone = false) =>
        ctx.transact(async (tx) => {
          const [holder, lease] = [leases.holder(ctx), leases.next(ctx)];
          const found = alone
            ? await lockSuspectEndpoint(tx, { holder, without: [] })
            : await lockDueEndpoints(tx, { limit: 1, staleAfterMs: 0, holder, full: [] });
          const endpoints = found.map((endpoint) => ({ ...endpoint, most: limit }));
          const attemptIds = Array.from({ length: limit }, () => ctx.id("wat"));
          const rows = await updateClaimed(tx, { endpoints, holder, lease, durationMs: leaseMs, attemptIds, alone });
          return rows.map((row) => {
            const job = `${row.endpoint_id}/${row.event_id}`;
            held.set(job, row);
            return job;
          });
        }),
      end: (jobs) => ctx.transact((tx) => updateEnded(tx, heldOf(jobs).map(endingOf))),
      release: (jobs) => ctx.transact((tx) => updateReturned(tx, heldOf(jobs))),
    };
  },
});

function endingOf({ url: _url, body: _body, attempt: _attempt, ...row }: ClaimedRow): Ending {
  const answer = {
    response_status: 200,
    response_headers: {},
    response_body: "",
    response_truncated: false,
    error_code: null,
    duration_ms: 1,
  };
  return { ...row, ...answer, sent_at: ctx.now(), state: "succeeded", wait_ms: null, status: "succeeded" };
}
