import type { Ctx, Tenant } from "#platform/index.ts";
import { startCrew, type WorkerCrew } from "#test/support/programs/worker-crew.ts";
import type { SmsWorkerPlan } from "../test/faults/sms-kill/sms-worker.ts";
import type { SmsSink } from "./open-sms-sink.ts";
import type { Traffic } from "./run-served.ts";

/** What the parts of this measurement share. */
export interface SmsBench {
  url: string;
  quick: boolean;
  /** As the role that owns the tables. */
  ctx: Ctx;
  /** A LIVE project, with its own key and a number. */
  live: Tenant;
  authorization: string;
  sink: SmsSink;
  times: { warmupMs: number; measureMs: number };
}

export const benchNumber = "+14155550100";
/** As many as both sides may have without a response. */
export const window = 100;
/** Different messages; a run repeats them. */
export const bodies = 5_000;

export function itemOf(n: number): object {
  return { from: benchNumber, to: `+1415${2_000_000 + n}`, body: `Your order ${n} is on its way.` };
}

/** One message per request. */
export function singles({ authorization }: Pick<SmsBench, "authorization">): Traffic {
  const each = Array.from({ length: bodies }, (_none, n) => ({ headers: authorization, body: JSON.stringify(itemOf(n)) }));
  return { method: "POST", headers: "", body: "", paths: each.map(() => "/v1/sms"), each };
}

/** A process that sends, with one bind to the carrier. */
export function startWorker({ url, sink }: SmsBench): Promise<WorkerCrew> {
  const binds = `smpp://bench:secret@127.0.0.1:${sink.port}?name=bench&window=${window}&tps=10000`;
  const planOf = (): SmsWorkerPlan => ({ url, binds, leaseMs: 45_000, responseMs: 30_000 });
  return startCrew({ program: new URL("../test/faults/sms-kill/sms-worker.ts", import.meta.url), places: 1, planOf });
}
