import type { Attempt } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { callFault } from "../change/faults.ts";
import type { CallEnd } from "../transport.ts";
import { beginCall } from "./begin-call.ts";
import type { ClaimedCall } from "./claim-calls.ts";
import { type CallRoute, type HeldCall, holdCall } from "./hold-call.ts";
import type { CallOutcome } from "./outcome.ts";

/** Calls that a process runs, by the name of their claim. */
export type HeldCalls = Map<string, HeldCall>;

/**
 * Creates the function that places one claimed call and runs it to its end. Never throws. null: the network wasn't asked to place it, or
 * the call isn't this worker's anymore.
 */
export function createPlace(
  route: CallRoute,
  held: HeldCalls,
): (ctx: Ctx, claimed: ClaimedCall, attempt: Attempt) => Promise<CallOutcome | null> {
  return async (ctx, claimed, attempt) => {
    const { call } = claimed;
    const transport = route.transport.route?.(call.country) ?? route.transport;
    const unplaced = (end: Pick<CallEnd, "status" | "error" | "hangup_by">): CallOutcome => {
      const none = {
        ringingAt: null,
        answeredAt: null,
        answeredBy: null,
        digits: "",
        gathered: {},
        steps: [],
        fault: null,
        stopped: false,
      };
      return { ...none, provider: transport.name, end: { ...end, sip_code: null, reason: null }, at: ctx.now() };
    };
    try {
      if (attempt.signal.aborted) return null;
      if (!transport.takes(call.country)) return unplaced({ status: "failed", error: callFault("no_route"), hangup_by: null });
      attempt.onAccepted();
      const outcome = await beginCall(ctx, claimed, transport.name);
      if (outcome === "gone") return null;
      if (outcome === "unwanted") return unplaced({ status: "canceled", error: null, hangup_by: "caller" });
      const one = holdCall(ctx, { ...route, transport }, claimed);
      held.set(claimed.name, one);
      attempt.signal.addEventListener("abort", one.stop, { once: true });
      if (attempt.signal.aborted) one.stop();
      return await one.over;
    } catch (err) {
      ctx.log.error({ err, call: call.id }, "a call couldn't be placed");
      return null;
    } finally {
      held.delete(claimed.name);
    }
  };
}
