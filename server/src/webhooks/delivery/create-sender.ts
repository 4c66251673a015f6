import { type Ctx, onHint } from "#platform/index.ts";
import { type ClaimedRow, type Ending, listChanged, updateEnded, updatePlanning, updateReturned } from "./claim.sql.ts";
import { claimDue, endpointsAtOnce } from "./claim-due.ts";
import { judge } from "./judge.ts";
import { noteHealth } from "./note-health.ts";
import { signHeaders } from "./sign.ts";
import { createLines, type Posted } from "./waiting-lines.ts";

const drainMs = 6_000;

/** One process's part in delivering: claims, sends and writes down what came of it. */
export interface Sender {
  /** Writes down what has come back and sends what is due. Does not wait for the answers. */
  run(ctx: Ctx): Promise<number>;
  listen(ctx: Ctx, wake: () => void): () => void;
  /** Gives back what was not sent and waits some seconds for requests under way. What is still out then is sent again when its lease has lapsed. */
  finish(ctx: Ctx): Promise<void>;
}

type Sent = Ending & { is_news: boolean };

/** Results wait in memory for the next transaction, so that many of them share one: the busier, the larger the shares. */
export function createSender(): Sender {
  let ended: Sent[] = [];
  let unsent: Posted[] = [];
  let ring = () => {};
  let holder: string | undefined;
  let claims = 0;
  const underWay = new Set<Promise<unknown>>();

  const lines = createLines({
    async send(ctx, posted) {
      const sending = post(ctx, posted);
      underWay.add(sending);
      const ending = await sending;
      underWay.delete(sending);
      if (ending !== null) ended.push({ ...ending, is_news: posted.is_news });
      return ending?.status === "succeeded";
    },
    giveBack: (posted) => void unsent.push(...posted),
    wake: () => ring(),
  });

  const record = async (ctx: Ctx, claim: boolean) => {
    const [endings, returned] = [ended, unsent];
    [ended, unsent] = [[], []];
    try {
      return await ctx.transact(async (tx) => {
        // One connection: each statement waits for the one before by itself.
        const [changed] = await Promise.all([
          listChanged(tx, lines.waiting(), ctx.now()),
          updatePlanning(tx),
          updateEnded(tx, endings, ctx.now()),
          updateReturned(tx, returned, ctx.now()),
        ]);
        await noteHealth(tx, ctx, tellingOf(endings));
        holder ??= ctx.id("dlv");
        const claiming = { holder, lease: `${holder} ${(claims += 1)}`, full: lines.full(), held: lines.count() };
        return { changed, claimed: claim ? await claimDue(tx, ctx, claiming) : [] };
      });
    } catch (error) {
      // Nothing of this is lost: written twice it changes nothing, because its lease is gone after the first time.
      ended = [...endings, ...ended];
      unsent = [...returned, ...unsent];
      throw error;
    }
  };

  return {
    async run(ctx) {
      const { changed, claimed } = await record(ctx, true);
      for (const id of changed) unsent.push(...lines.drop(id));
      lines.add(ctx, claimed);
      return new Set(claimed.map((one) => one.endpoint_id)).size >= endpointsAtOnce ? claimed.length : 0;
    },
    listen(ctx, wake) {
      ring = wake;
      return onHint(ctx.db, "deliveries", wake);
    },
    async finish(ctx) {
      unsent.push(...lines.drop());
      if (unsent.length > 0) await record(ctx, false);
      const patience = new Promise<void>((resolve) => void setTimeout(resolve, drainMs).unref());
      await Promise.race([Promise.all(underWay), patience]);
      if (ended.length > 0) await record(ctx, false);
    },
  };
}

/** All endings of those endpoints of which some ending says something new: what followed a failure counts too. */
function tellingOf(endings: Sent[]): Sent[] {
  const telling = new Set(endings.filter((ending) => ending.status === "failed" || ending.is_news).map((ending) => ending.endpoint_id));
  return endings.filter((ending) => telling.has(ending.endpoint_id));
}

async function post(ctx: Ctx, posted: Posted): Promise<Ending | null> {
  try {
    return await exchangeOf(ctx, posted);
  } catch (error) {
    ctx.log.error({ err: error, endpoint: posted.endpoint_id }, "a delivery could not be sent; its lease will lapse");
    return null;
  }
}

/** The exchange of one attempt and what it means. Shared with attempts that are made by hand. */
export async function exchangeOf(ctx: Ctx, posted: ClaimedRow & Pick<Posted, "secrets" | "at">): Promise<Ending> {
  const { secrets, at, ...claimed } = posted;
  const exchange = await ctx.egress.request({
    url: claimed.url,
    method: "POST",
    headers: signHeaders(secrets, { event_id: claimed.event_id, at, body: claimed.body }),
    body: claimed.body,
    owner: `${claimed.project_id} ${claimed.livemode}`,
  });
  return judge(claimed, exchange, { now: ctx.now() });
}
