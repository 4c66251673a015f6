import { type Alone, type Ctx, createAlone, createLeaseNames, type LeaseNames, onHint, pipeline, type Tx, updatePlanning } from "#platform/index.ts";
import { signaturesIn, signHeaders } from "../../signature/sign.ts";
import { type ClaimedRow, type Ending, listChanged, type SentRow, updateEnded, updateReturned, updateSent } from "./claim.sql.ts";
import { claimAlone, claimDue, endpointsAtOnce } from "./claim-due.ts";
import { judge } from "./judge.ts";
import { noteHealth } from "./note-health.ts";
import { lockLost, takeBack } from "./take-back.ts";
import { createLines, type Lines, type Posted } from "./waiting-lines.ts";

const drainMs = 6_000;
const mostTroubled = 10_000;

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

type Sent = Ending & { is_news: boolean };

/** What one process stores in its next transaction: the busier it is, the more results share one. */
interface Desk {
  ended: Sent[];
  /** Leased deliveries that won't be sent under this lease. */
  unsent: Posted[];
  underWay: Set<Promise<unknown>>;
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
  const desk: Desk = {
    ended: [],
    unsent: [],
    underWay: new Set(),
    sent: new Map(),
    troubled: new Set(),
    names: createLeaseNames(),
    alone: createAlone(),
    wake: () => {},
  };
  const lines = createLines({
    send: (ctx, posted) => send(ctx, desk, posted),
    giveBack: (posted) => giveBack(desk, posted),
    wake: () => desk.wake(),
  });
  return {
    async run(ctx) {
      const { changed, claimed } = await record(ctx, desk, { lines, claim: true });
      for (const id of changed) giveBack(desk, lines.drop(id));
      lines.add(ctx, claimed);
      return new Set(claimed.map((one) => one.endpoint_id)).size >= endpointsAtOnce ? claimed.length : 0;
    },
    listen(ctx, wake) {
      desk.wake = wake;
      return onHint(ctx.db, "deliveries", wake);
    },
    async finish(ctx) {
      giveBack(desk, lines.drop());
      if (desk.unsent.length > 0) await record(ctx, desk, { lines, claim: false });
      const patience = new Promise<void>((resolve) => void setTimeout(resolve, drainMs).unref());
      await Promise.race([Promise.all(desk.underWay), patience]);
      if (desk.ended.length > 0) await record(ctx, desk, { lines, claim: false });
      if (desk.underWay.size > 0) await giveUp(ctx, desk);
    },
  };
}

/** The results of these requests won't be stored: another process repeats them without waiting for their leases to expire. */
async function giveUp(ctx: Ctx, { names }: Desk): Promise<void> {
  await ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const held = await lockLost(tx, { holder: names.holder(ctx) });
    await takeBack(
      tx,
      held.map((one) => ({ ...one, isSetAside: false, wait_ms: 0 })),
    );
  });
}

/** One transaction: results, released deliveries, changed endpoints and due deliveries. */
async function record(ctx: Ctx, desk: Desk, { lines, claim }: { lines: Lines; claim: boolean }): Promise<{ changed: string[]; claimed: Posted[] }> {
  const { ended, unsent } = desk;
  [desk.ended, desk.unsent] = [[], []];
  const sent = [...desk.sent.values()].filter((one) => !one.noted);
  try {
    const recorded = await ctx.transact(async (tx) => {
      const [changed] = await pipeline(tx, (pipe) => [
        listChanged(pipe, lines.waiting()),
        updatePlanning(pipe),
        updateSent(pipe, sent),
        updateEnded(pipe, ended),
        updateReturned(pipe, unsent),
      ]);
      await noteHealth(tx, ctx, tellingOf(ended));
      return { changed, claimed: claim ? await claimBoth(tx, ctx, { desk, lines }) : [] };
    });
    for (const { alone, attempt_id } of recorded.claimed) if (alone) desk.alone.took(attempt_id);
    for (const one of sent) one.noted = true;
    return recorded;
  } catch (error) {
    // Nothing is lost by keeping all of it: storing a result twice changes nothing, because its lease is gone after the first time.
    desk.ended = [...ended, ...desk.ended];
    desk.unsent = [...unsent, ...desk.unsent];
    throw error;
  }
}

/** What is due, and occasionally one of the deliveries that are sent alone. */
async function claimBoth(tx: Tx, ctx: Ctx, { desk, lines }: { desk: Desk; lines: Lines }): Promise<Posted[]> {
  const claim = { holder: desk.names.holder(ctx), lease: desk.names.next(ctx) };
  const alone = desk.alone.looks() ? await claimAlone(tx, ctx, claim) : [];
  const { full, count, reachOf } = lines;
  return [...alone, ...(await claimDue(tx, ctx, { ...claim, full: full(), held: count(), reachOf }))];
}

function giveBack(desk: Desk, posted: Posted[]): void {
  desk.unsent.push(...posted);
  for (const { attempt_id } of posted) desk.alone.ended(attempt_id);
}

/** All results of the endpoints for which some result changes their health: what followed a failure counts too. */
function tellingOf(endings: Sent[]): Sent[] {
  const telling = new Set(endings.filter((ending) => ending.status === "failed" || ending.is_news).map((ending) => ending.endpoint_id));
  return endings.filter((ending) => telling.has(ending.endpoint_id));
}

/** Returns whether the endpoint accepted it. A delivery that could not even be attempted has no result: its lease will expire. */
async function send(ctx: Ctx, desk: Desk, posted: Posted): Promise<boolean> {
  const { project_id, livemode, endpoint_id, event_id, attempt_id } = posted;
  desk.sent.set(attempt_id, { project_id, livemode, endpoint_id, event_id, attempt_id, sent_at: ctx.now(), noted: false });
  const sending = exchangeOf(ctx, posted).catch((error: unknown) => {
    ctx.log.error({ err: error, endpoint: posted.endpoint_id }, "a delivery could not be sent; its lease will lapse");
    return null;
  });
  desk.underWay.add(sending);
  const ending = await sending;
  desk.underWay.delete(sending);
  desk.sent.delete(attempt_id);
  desk.alone.ended(attempt_id);
  if (ending === null) return false;
  const succeeded = ending.status === "succeeded";
  desk.ended.push({ ...ending, is_news: posted.is_news || (succeeded && desk.troubled.has(posted.endpoint_id)) });
  if (succeeded) desk.troubled.delete(posted.endpoint_id);
  else noteTrouble(desk, posted.endpoint_id);
  return succeeded;
}

/** Clears the set when it grows too large: each claim reports its endpoint's health again. */
function noteTrouble({ troubled }: Desk, endpointId: string): void {
  if (troubled.size >= mostTroubled) troubled.clear();
  troubled.add(endpointId);
}

/** Sends one attempt, signed now, and interprets the response. Shared with manual attempts. */
export async function exchangeOf(ctx: Ctx, posted: ClaimedRow & Pick<Posted, "secrets">): Promise<Ending> {
  const { secrets, ...claimed } = posted;
  const sent_at = ctx.now();
  const headers = signHeaders(secrets, { event_id: claimed.event_id, at: sent_at, body: claimed.body });
  const exchange = await ctx.egress.request({
    url: claimed.url,
    method: "POST",
    headers,
    body: claimed.body,
    owner: `${claimed.project_id} ${claimed.livemode}`,
  });
  return judge(claimed, exchange, { now: ctx.now(), sent_at, signatures: signaturesIn(headers) });
}
