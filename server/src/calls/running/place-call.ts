import type { Attempt } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { shareSpeech } from "../audio/share-speech.ts";
import { callFault } from "../change/faults.ts";
import { takeLine } from "../routing/take-line.ts";
import type { Speech } from "../speech.ts";
import type { After } from "../timers.ts";
import type { CallEnd, CallLine, CallTransport } from "../transport.ts";
import { beginCall } from "./begin-call.ts";
import type { ClaimedCall } from "./claim-calls.ts";
import { type HeldCall, holdCall, outgoingOf } from "./hold-call.ts";
import type { CallOutcome, NoLine } from "./outcome.ts";

/** A way to place calls, with what it needs. */
export interface CallRoute {
  transport: CallTransport;
  speech: Speech;
  after: After;
}

/** What a process holds. */
export interface HeldCalls {
  /** Calls that it runs or that wait in it for their line, by the name of their claim. */
  open: Map<string, Pick<HeldCall, "hangUp">>;
  /** Recordings of calls, also of ended ones, that are being stored. */
  saving: Set<Promise<void>>;
}

/** When a call is tried again that no line was free for. Claims count free lines, so this is rare. */
const noLine: NoLine = { retryMs: 2_000 };

/**
 * Creates the function that places one claimed call and runs it to its end. Never throws. null: the network wasn't asked to place it, or
 * the call isn't this worker's anymore.
 */
export function createPlace(
  route: CallRoute,
  held: HeldCalls,
): (ctx: Ctx, claimed: ClaimedCall, attempt: Attempt) => Promise<CallOutcome | NoLine | null> {
  const speechOf = shareSpeech(route.speech);
  return async (ctx, claimed, attempt) => {
    const { call, name } = claimed;
    const { signal } = attempt;
    try {
      if (signal.aborted) return null;
      const outgoing = outgoingOf(claimed);
      if (!route.transport.takes(outgoing)) return unplaced(ctx, { status: "failed", error: callFault("no_route"), hangup_by: null });
      const line = await takeLine(route.transport, outgoing, { signal, onWait: (hangUp) => void held.open.set(name, { hangUp }) });
      if (signal.aborted) {
        if (typeof line !== "string") line.release();
        return null;
      }
      if (line === "busy") return noLine;
      if (line === "unwanted") return canceled(ctx);
      attempt.onAccepted();
      return await placeOn(ctx, { line, speech: speechOf(call), after: route.after, held }, { claimed, signal });
    } catch (err) {
      ctx.log.error({ err, call: call.id }, "a call couldn't be placed");
      return null;
    } finally {
      held.open.delete(name);
    }
  };
}

/** Places a call on its line. From the commit of `beginCall` on, it isn't placed again. */
async function placeOn(
  ctx: Ctx,
  { held, ...ground }: Pick<CallRoute, "speech" | "after"> & { line: CallLine; held: HeldCalls },
  { claimed, signal }: { claimed: ClaimedCall; signal: AbortSignal },
): Promise<CallOutcome | null> {
  let outcome: Awaited<ReturnType<typeof beginCall>> | null = null;
  try {
    outcome = await beginCall(ctx, claimed, ground.line.name);
  } finally {
    if (outcome !== "started") ground.line.release();
  }
  if (outcome === "gone") return null;
  if (outcome === "unwanted") return canceled(ctx);
  const one = holdCall(ctx, ground, claimed);
  held.open.set(claimed.name, one);
  const done = () => void held.saving.delete(saving);
  // `over` throws the same error.
  const saving: Promise<void> = one.saved.then(done, done);
  held.saving.add(saving);
  signal.addEventListener("abort", one.stop, { once: true });
  if (signal.aborted) one.stop();
  return one.over;
}

function canceled(ctx: Ctx): CallOutcome {
  return unplaced(ctx, { status: "canceled", error: null, hangup_by: "caller" });
}

/** The outcome of a call that the network wasn't asked to place. */
function unplaced(ctx: Ctx, end: Pick<CallEnd, "status" | "error" | "hangup_by">): CallOutcome {
  const none = { ringingAt: null, answeredAt: null, answeredBy: null, digits: "", gathered: {}, steps: [], fault: null, stopped: false };
  return { ...none, provider: null, end: { ...end, sip_code: null, reason: null }, at: ctx.now() };
}
