import { type Ctx, onHint, type Tx } from "#platform/index.ts";
import { type LiveSecrets, openSecrets } from "../endpoint/secrets.ts";
import type { EndpointRow } from "../endpoint/sql.ts";
import { type ClaimedRow, type Ending, lockDueEndpoints, updateClaimed, updateEnded, updatePlanning } from "./claim.sql.ts";
import { judge } from "./judge.ts";
import { noteHealth, successNotedEveryMs } from "./note-health.ts";
import { signHeaders } from "./sign.ts";

export const leaseMs = 30_000;
/** What must be left of a lease before its request begins: the longest exchange, and a second. */
const exchangeMs = 16_000;
export const mostInFlight = 5;
const endpointsAtOnce = 40;
const slots = 512;
const drainMs = 6_000;

/** One process's part in delivering: claims, sends and writes down what came of it. */
export interface Sender {
  /** Writes down what has come back and sends what is due. Does not wait for the answers. */
  run(ctx: Ctx): Promise<number>;
  listen(ctx: Ctx, wake: () => void): () => void;
  /** Waits some seconds for requests under way. What is still out then is sent again when its lease has lapsed. */
  finish(ctx: Ctx): Promise<void>;
}

interface Posted extends ClaimedRow {
  url: string;
  secrets: LiveSecrets;
  leaseUntil: Date;
  at: Date;
  /** Whether a success says more of the endpoint than is known already. */
  is_news: boolean;
}

type Sent = Ending & { is_news: boolean };

/** Results wait in memory for the next transaction, so that many of them share one: the busier, the larger the shares. */
export function createSender(): Sender {
  let ended: Sent[] = [];
  const underWay = new Set<Promise<void>>();
  let ring = () => {};

  const record = async (ctx: Ctx, claim: boolean) => {
    const endings = ended;
    ended = [];
    try {
      return await ctx.transact(async (tx) => {
        // One connection: the second statement waits for the first by itself.
        await Promise.all([updatePlanning(tx), updateEnded(tx, endings, ctx.now())]);
        await noteHealth(tx, ctx, tellingOf(endings));
        return claim ? await claimDue(tx, ctx, slots - underWay.size) : [];
      });
    } catch (error) {
      // Nothing of this is lost: written twice it changes nothing, because its lease is gone after the first time.
      ended = [...endings, ...ended];
      throw error;
    }
  };

  const send = (ctx: Ctx, posted: Posted) => {
    const sending = post(ctx, posted).then((ending) => {
      if (ending !== null) ended.push({ ...ending, is_news: posted.is_news });
      underWay.delete(sending);
      ring();
    });
    underWay.add(sending);
  };

  return {
    async run(ctx) {
      const claimed = await record(ctx, true);
      for (const posted of claimed) send(ctx, posted);
      return new Set(claimed.map((one) => one.endpoint_id)).size >= endpointsAtOnce ? claimed.length : 0;
    },
    listen(ctx, wake) {
      ring = wake;
      return onHint(ctx.db, "deliveries", wake);
    },
    async finish(ctx) {
      const patience = new Promise<void>((resolve) => void setTimeout(resolve, drainMs).unref());
      await Promise.race([Promise.all(underWay), patience]);
      if (ended.length > 0) await record(ctx, false);
    },
  };
}

/** Two statements: endpoints first, then, with their rows held, as many deliveries as each has room for. */
async function claimDue(tx: Tx, ctx: Ctx, room: number): Promise<Posted[]> {
  if (room <= 0) return [];
  const now = ctx.now();
  const endpoints = await lockDueEndpoints(tx, now, Math.min(endpointsAtOnce, Math.ceil(room / mostInFlight)));
  if (endpoints.length === 0) return [];
  // An endpoint whose breaker has just closed gets one delivery to prove itself with.
  const wanted = endpoints.map((endpoint) => ({ ...endpoint, most: endpoint.breaker_until === null ? mostInFlight : 1 }));
  const attemptIds = Array.from({ length: wanted.reduce((sum, one) => sum + one.most, 0) }, () => ctx.id("wat"));
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const rows = await updateClaimed(tx, { endpoints: wanted, now, lease: ctx.id("dlv"), leaseUntil, attemptIds });
  const known = new Map(
    endpoints.map((endpoint) => [endpoint.id, { url: endpoint.url, secrets: openSecrets(ctx.masterKeys, endpoint, now), is_news: isNews(endpoint, now) }]),
  );
  return rows.flatMap((row) => {
    const endpoint = known.get(row.endpoint_id);
    return endpoint === undefined ? [] : [{ ...row, ...endpoint, leaseUntil, at: now }];
  });
}

/** A success of a sound endpoint is written down every few seconds, not every time: its row would be rewritten at each delivery. */
function isNews({ failing_since, breaker_until, last_success_at }: EndpointRow, now: Date): boolean {
  return failing_since !== null || breaker_until !== null || last_success_at === null || now.getTime() - last_success_at.getTime() > successNotedEveryMs;
}

/** All endings of those endpoints of which some ending says something new: what followed a failure counts too. */
function tellingOf(endings: Sent[]): Sent[] {
  const telling = new Set(endings.filter((ending) => ending.status === "failed" || ending.is_news).map((ending) => ending.endpoint_id));
  return endings.filter((ending) => telling.has(ending.endpoint_id));
}

/** Sends one claimed delivery. A process that slept through its lease sends nothing: the delivery is somebody else's by now. */
async function post(ctx: Ctx, posted: Posted): Promise<Ending | null> {
  if (posted.leaseUntil.getTime() - ctx.now().getTime() < exchangeMs) return null;
  try {
    return await exchangeOf(ctx, posted);
  } catch (error) {
    ctx.log.error({ err: error, endpoint: posted.endpoint_id }, "a delivery could not be sent; its lease will lapse");
    return null;
  }
}

/** The exchange of one attempt and what it means. Shared with attempts that are made by hand. */
export async function exchangeOf(ctx: Ctx, posted: ClaimedRow & Pick<Posted, "url" | "secrets" | "at">): Promise<Ending> {
  const { url, secrets, at, ...claimed } = posted;
  const exchange = await ctx.egress.request({
    url,
    method: "POST",
    headers: signHeaders(secrets, { event_id: claimed.event_id, at, body: claimed.body }),
    body: claimed.body,
    owner: `${claimed.project_id} ${claimed.livemode}`,
  });
  return judge(claimed, exchange, { now: ctx.now() });
}
