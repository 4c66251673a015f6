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
  /** How long `finish` waits for recordings after that. */
  savingMs?: number;
  /** How long after its start a process takes its first call that is placed alone. */
  aloneAfterMs?: number;
}

const usualSavingMs = 5_000;

export function createCaller({ routes: { live, test }, after = realTime, leaseMs = usualLeaseMs, ...times }: CallerOptions): Caller {
  const held: HeldCalls = { open: new Map(), saving: new Set() };
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
  return {
    ...sender,
    watch: (ctx) => watch(ctx, held),
    async finish(ctx) {
      await sender.finish(ctx);
      // Ends are stored by now.
      await awaitSaved(ctx, held, times.savingMs ?? usualSavingMs);
    },
  };
}

function resultOf(outcome: CallOutcome | NoLine | null) {
  return outcome !== null && "retryMs" in outcome ? { outcome: null, retryMs: outcome.retryMs } : { outcome };
}

async function awaitSaved(ctx: Ctx, { saving }: HeldCalls, withinMs: number): Promise<void> {
  const late = new Promise<void>((resolve) => void setTimeout(resolve, withinMs).unref());
  await Promise.race([late, Promise.all(saving)]);
  if (saving.size > 0)
    ctx.log.warn(
      { calls: saving.size },
      "this process ends before recordings are stored: those of whole calls are stored later, those of record verbs may be lost",
    );
}

async function watch(ctx: Ctx, { open }: HeldCalls): Promise<number> {
  if (open.size === 0) return 0;
  const leases = new Set([...open.keys()].map((name) => name.slice(name.indexOf(" ") + 1)));
  const unwanted = await listHangUps(ctx.db, [...leases]);
  for (const { id, lease } of unwanted) open.get(`${id} ${lease}`)?.hangUp();
  return 0;
}
