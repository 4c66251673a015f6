import { createSender, type Sender } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { callQueue } from "../channel/tables.sql.ts";
import { realTime } from "../timers.ts";
import { listHangUps } from "./claim.sql.ts";
import { type ClaimedCall, claimCallAlone, claimCalls, leaseMs as usualLeaseMs } from "./claim-calls.ts";
import { endCalls } from "./end-calls.ts";
import type { CallOutcome, NoLine } from "./outcome.ts";
import { type CallRoute, createPlace, type HeldCalls } from "./place-call.ts";

/** One process's caller. */
export interface Caller extends Sender {
  /** Hangs up calls with a hang-up request, wherever it was made. Returns how many. */
  watch(ctx: Ctx): Promise<number>;
}

interface CallerOptions {
  /** Without one for LIVE, LIVE calls stay queued. */
  routes: { live?: Omit<CallRoute, "after"> | undefined; test: Omit<CallRoute, "after"> };
  after?: CallRoute["after"];
  leaseMs?: number;
  /** How long `finish` waits for calls in progress before it hangs up. */
  drainMs?: number;
  /** How long after its start a process takes its first call that is placed alone. */
  aloneAfterMs?: number;
}

export function createCaller({ routes: { live, test }, after = realTime, leaseMs = usualLeaseMs, ...times }: CallerOptions): Caller {
  const held: HeldCalls = new Map();
  const routeOf = (livemode: boolean, route: Omit<CallRoute, "after">) => ({
    livemode,
    // A call lasts for minutes: one that waits in a full process could be placed by another.
    capacity: { concurrency: route.transport.channels, ahead: 0 },
    isOpen: () => route.transport.isOpen,
    send: createPlace({ ...route, after }, held),
  });
  const sender = createSender<ClaimedCall, CallOutcome | NoLine>(
    {
      queue: callQueue,
      hint: "calls",
      routes: [...(live === undefined ? [] : [routeOf(true, live)]), routeOf(false, test)],
      leaseMs,
      claim: (tx, ctx, given) =>
        claimCalls(tx, ctx, { ...given, takeFree: (given.claiming.livemode ? live : test)?.transport.countFree?.() ?? (() => true) }),
      claimAlone: claimCallAlone,
      record: (tx, ctx, ended) =>
        endCalls(
          tx,
          ctx,
          ended.map(({ job, outcome }) => ({ key: job.call, lease: job.lease, ...resultOf(outcome) })),
        ),
    },
    times,
  );
  return { ...sender, watch: (ctx) => watch(ctx, held) };
}

function resultOf(outcome: CallOutcome | NoLine | null) {
  return outcome !== null && "retryMs" in outcome ? { outcome: null, retryMs: outcome.retryMs } : { outcome };
}

async function watch(ctx: Ctx, held: HeldCalls): Promise<number> {
  if (held.size === 0) return 0;
  const leases = new Set([...held.keys()].map((name) => name.slice(name.indexOf(" ") + 1)));
  const unwanted = await listHangUps(ctx.db, [...leases]);
  for (const { id, lease } of unwanted) held.get(`${id} ${lease}`)?.hangUp();
  return 0;
}
