import {
  type Alone,
  type Ctx,
  createAlone,
  createLeaseNames,
  isOwnFault,
  type LeaseNames,
  onHint,
  pipeline,
  type Tx,
  updatePlanning,
} from "#platform/index.ts";
import { signaturesIn, signHeaders } from "../../signature/sign.ts";
import { type ClaimedRow, listChanged, type SentRow, updateEnded, updateSent } from "./claim.sql.ts";
import { claimAlone, claimDue, endpointsAtOnce } from "./claim-due.ts";
import { classifyResponse } from "./classify-response.ts";
import { createEndpointQueues, type EndpointQueues, type Posted } from "./endpoint-queues.ts";
import { noteHealth, type Result } from "./note-health.ts";
import { lockLost, releaseDeliveries } from "./release-deliveries.ts";
import { updateReturned } from "./returned.sql.ts";

const drainMs = 6_000;
const maxTroubled = 10_000;

/** One process's share of delivery: claims, sends and stores results. */
export interface Sender {
  /** Stores results and sends what is due. Does not wait for responses. */
  run(ctx: Ctx): Promise<number>;
  listen(ctx: Ctx, wake: () => void): () => void;
  /**
   * Releases unsent deliveries and waits a few seconds for requests in progress. Those that are still open then are released too, to be
   * sent again immediately.
   */
  finish(ctx: Ctx): Promise<void>;
}

type Sent = Result & { is_news: boolean };

/** What one process stores in its next transaction: the busier it is, the more results share one. */
interface SenderState {
  ended: Sent[];
  /** Leased deliveries that won't be sent under this lease. */
  unsent: Posted[];
  inProgress: Set<Promise<unknown>>;
  /** Requests that have started and not completed; `noted` once this is stored. */
  sent: Map<string, SentRow & { noted: boolean }>;
  /**
   * Endpoints whose last response was not a success. Their next success must be stored, or failures with successes between them would count
   * as consecutive.
   */
  troubled: Set<string>;
  names: LeaseNames;
  alone: Alone;
  wake(): void;
}

export function createSender(): Sender {
  const state: SenderState = {
    ended: [],
    unsent: [],
    inProgress: new Set(),
    sent: new Map(),
    troubled: new Set(),
    names: createLeaseNames(),
    alone: createAlone(),
    wake: () => {},
  };
  const queues = createEndpointQueues({
    send: (ctx, posted) => send(ctx, state, posted),
    release: (posted) => releasePosted(state, posted),
    wake: () => state.wake(),
  });
  return {
    async run(ctx) {
      const { changed, claimed } = await record(ctx, state, { queues, claim: true });
      for (const id of changed) releasePosted(state, queues.drop(id));
      queues.add(ctx, claimed);
      return new Set(claimed.map((one) => one.endpoint_id)).size >= endpointsAtOnce ? claimed.length : 0;
    },
    listen(ctx, wake) {
      state.wake = wake;
      return onHint(ctx.db, "deliveries", wake);
    },
    async finish(ctx) {
      releasePosted(state, queues.drop());
      if (state.unsent.length > 0) await record(ctx, state, { queues, claim: false });
      const patience = new Promise<void>((resolve) => void setTimeout(resolve, drainMs).unref());
      await Promise.race([Promise.all(state.inProgress), patience]);
      if (state.ended.length > 0) await record(ctx, state, { queues, claim: false });
      if (state.inProgress.size > 0) await releaseHeld(ctx, state);
    },
  };
}

/** The results of these requests won't be stored: another process repeats them without waiting for their leases to expire. */
async function releaseHeld(ctx: Ctx, { names }: SenderState): Promise<void> {
  await ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const held = await lockLost(tx, { holder: names.holder(ctx) });
    await releaseDeliveries(
      tx,
      held.map((one) => ({ ...one, isSetAside: false, wait_ms: 0 })),
    );
  });
}

interface Round {
  queues: EndpointQueues;
  claim: boolean;
}

/** A round in which one result that can't be stored doesn't fail the others. */
async function record(ctx: Ctx, state: SenderState, round: Round): Promise<Recorded> {
  return recordTogether(ctx, state, round).catch(async (error: unknown) => {
    if (state.ended.length === 0 || !isOwnFault(error)) throw error;
    await recordApart(ctx, state);
    return recordTogether(ctx, state, round);
  });
}

/**
 * Stores results one by one. One that can't be stored is abandoned: its lease expires, and it is handled as if its worker had been lost.
 */
async function recordApart(ctx: Ctx, state: SenderState): Promise<void> {
  for (let [first] = state.ended; first !== undefined; [first] = state.ended) {
    const one = first;
    await ctx
      .transact(async (tx) => {
        await updatePlanning(tx);
        await updateEnded(tx, [one]);
        await noteHealth(tx, ctx, changesOf([one]));
      })
      .catch((err: unknown) => {
        if (!isOwnFault(err)) throw err;
        ctx.log.error({ err, endpoint: one.endpoint_id, event: one.event_id }, "the result of a delivery can't be recorded");
      });
    state.ended.shift();
  }
}

interface Recorded {
  changed: string[];
  claimed: Posted[];
}

/** One transaction: results, released deliveries, changed endpoints and due deliveries. */
async function recordTogether(ctx: Ctx, state: SenderState, { queues, claim }: Round): Promise<Recorded> {
  const { ended, unsent } = state;
  [state.ended, state.unsent] = [[], []];
  const sent = [...state.sent.values()].filter((one) => !one.noted);
  try {
    const recorded = await ctx.transact(async (tx) => {
      const [changed] = await pipeline(tx, (pipe) => [
        listChanged(pipe, queues.waiting()),
        updatePlanning(pipe),
        updateSent(pipe, sent),
        updateEnded(pipe, ended),
        updateReturned(pipe, unsent),
      ]);
      await noteHealth(tx, ctx, changesOf(ended));
      return { changed, claimed: claim ? await claimBoth(tx, ctx, { state, queues }) : [] };
    });
    for (const { alone, attempt_id } of recorded.claimed) if (alone) state.alone.took(attempt_id);
    for (const one of sent) one.noted = true;
    return recorded;
  } catch (error) {
    // Nothing is lost by keeping all of it: storing a result twice changes nothing, because its lease is gone after the first time.
    state.ended = [...ended, ...state.ended];
    state.unsent = [...unsent, ...state.unsent];
    throw error;
  }
}

/** What is due, and occasionally one of the deliveries that are sent alone. */
async function claimBoth(tx: Tx, ctx: Ctx, { state, queues }: { state: SenderState; queues: EndpointQueues }): Promise<Posted[]> {
  const claim = { holder: state.names.holder(ctx), lease: state.names.next(ctx) };
  const alone = state.alone.looks() ? await claimAlone(tx, ctx, claim) : [];
  const { full, count, slotsByProject, batchLimitOf } = queues;
  const held = { ...count(), byProject: slotsByProject() };
  return [...alone, ...(await claimDue(tx, ctx, { ...claim, full: full(), held, batchLimitOf }))];
}

function releasePosted(state: SenderState, posted: Posted[]): void {
  state.unsent.push(...posted);
  for (const { attempt_id } of posted) state.alone.ended(attempt_id);
}

/** All results of the endpoints for which some result changes their health: what followed a failure counts too. */
function changesOf(endings: Sent[]): Sent[] {
  const telling = new Set(endings.filter((ending) => ending.status === "failed" || ending.is_news).map((ending) => ending.endpoint_id));
  return endings.filter((ending) => telling.has(ending.endpoint_id));
}

/** Returns whether the endpoint accepted it. A delivery that could not even be attempted has no result: its lease will expire. */
async function send(ctx: Ctx, state: SenderState, posted: Posted): Promise<boolean> {
  const { project_id, livemode, endpoint_id, event_id, attempt_id } = posted;
  state.sent.set(attempt_id, { project_id, livemode, endpoint_id, event_id, attempt_id, sent_at: ctx.now(), noted: false });
  const sending = exchangeOf(ctx, posted).catch((error: unknown) => {
    ctx.log.error({ err: error, endpoint: posted.endpoint_id }, "a delivery couldn't be sent; its lease will expire");
    return null;
  });
  state.inProgress.add(sending);
  const ending = await sending;
  state.inProgress.delete(sending);
  state.sent.delete(attempt_id);
  state.alone.ended(attempt_id);
  if (ending === null) return false;
  const succeeded = ending.status === "succeeded";
  state.ended.push({ ...ending, is_news: posted.is_news || (succeeded && state.troubled.has(posted.endpoint_id)) });
  if (succeeded) state.troubled.delete(posted.endpoint_id);
  else noteTrouble(state, posted.endpoint_id);
  return succeeded;
}

/** Clears the set when it grows too large: each claim reports its endpoint's health again. */
function noteTrouble({ troubled }: SenderState, endpointId: string): void {
  if (troubled.size >= maxTroubled) troubled.clear();
  troubled.add(endpointId);
}

/** Sends one attempt, signed now, and interprets the response. Shared with manual attempts. */
export async function exchangeOf(ctx: Ctx, posted: ClaimedRow & Pick<Posted, "secrets" | "version">): Promise<Result> {
  const { secrets, version, ...claimed } = posted;
  const sent_at = ctx.now();
  const headers = signHeaders(secrets, { event_id: claimed.event_id, at: sent_at, body: claimed.body });
  const exchange = await ctx.egress.request({
    url: claimed.url,
    method: "POST",
    headers,
    body: claimed.body,
    owner: `${claimed.project_id} ${claimed.livemode}`,
  });
  return { ...classifyResponse(claimed, exchange, { now: ctx.now(), sent_at, signatures: signaturesIn(headers) }), version };
}
