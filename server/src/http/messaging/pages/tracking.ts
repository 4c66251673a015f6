import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from "fastify";
import {
  clickPath,
  findEmailCopy,
  isBot,
  openPath,
  readTrackToken,
  recordClick,
  recordOpen,
  servesLinks,
  type TrackToken,
} from "#email/index.ts";
import { findMerchant } from "#identity/index.ts";
import { findNow } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { sendPage } from "../../public/pay-request.ts";
import { drawLeaving, type PageRequest } from "./draw-page.ts";
import { refuseLink, tokenOf } from "./mail-link.ts";
import { pageRequest } from "./page-request.ts";
import { createRecentClicks, type RecentClicks } from "./recent-clicks.ts";

const options = { config: { scope: "public" }, schema: { hide: true } } as const;

/** How many opens and clicks of one copy are recorded: it can have many links, each with a limit of its own. */
const perCopy = { limit: 60, windowMs: 60_000 } as const;

/** One transparent dot. */
const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Tracked links and the tracking pixel. Both respond right away whatever happens to their record. */
export const trackingRoutes =
  (files: PageRequest["files"]): FastifyPluginAsync =>
  async (app) => {
    const recent = createRecentClicks();

    app.get(`${clickPath}*`, options, async (request, reply) => {
      const token = readTrackToken(request.ctx, "click", tokenOf(request));
      // The target is in the signed token: nothing in the address can be changed by a stranger.
      const target = token?.kind === "click" ? URL.parse(token.url) : null;
      if (token === null || target === null || !/^https?:$/.test(target.protocol)) return refuseLink(app, request, reply);
      await note(app, request, { token, recent });
      if (await leadsOn(request, token)) return reply.code(302).header("location", target.href).send();
      const host = new URL(request.ctx.publicUrl).host;
      return sendPage(reply, 200, drawLeaving(pageRequest(request, files), { host, target, livemode: token.tenant.livemode }));
    });

    app.get(`${openPath}*`, options, async (request, reply) => {
      const token = readTrackToken(request.ctx, "open", tokenOf(request));
      if (token === null) return refuseLink(app, request, reply);
      await note(app, request, { token, recent });
      return reply.type("image/gif").send(dot);
    });
  };

/**
 * On a host that is only for links, they redirect automatically. On the host where people pay and sign in, only those of verified merchants
 * do: it must not lend its reputation to anyone who opens an account.
 */
async function leadsOn({ ctx, host }: FastifyRequest, { tenant }: TrackToken): Promise<boolean> {
  if (await servesLinks(ctx, tenant, host)) return true;
  if (!tenant.livemode) return false;
  const project = await findProject(ctx.db, tenant.project_id);
  const merchant = project === null ? null : await findMerchant(ctx.db, project.merchant_id);
  return merchant?.verification_status === "verified";
}

/**
 * A HEAD isn't a person's action. A machine's GET is reported as one and not counted. Neither errors here nor the copy's limit keep a
 * reader from the link.
 */
async function note(app: FastifyInstance, request: FastifyRequest, given: { token: TrackToken; recent: RecentClicks }): Promise<void> {
  if (request.method === "HEAD") return;
  const { ctx } = request;
  const { token, recent } = given;
  const { tenant, email_id, recipient_id } = token;
  try {
    const taken = await app.limits.bucket("mail copy").take(recipient_id, perCopy, request.startedAtMs);
    if (!taken.allowed) return;
    const copy = await findEmailCopy(ctx, tenant, { email_id, recipient_id });
    if (copy === null) return;
    const url = token.kind === "click" ? token.url : null;
    const at = await findNow(ctx.db);
    const user_agent = request.headers["user-agent"] ?? null;
    const is_machine = isBot({
      kind: token.kind,
      method: request.method,
      user_agent,
      at,
      delivered_at: copy.recipient.delivered_at,
      recent: url === null ? [] : recent.take(recipient_id, { url, at }),
      url,
    });
    const engagement = { tenant, email_id, recipient_id, ip: request.ip, user_agent, is_machine };
    await (url === null ? recordOpen(ctx, engagement) : recordClick(ctx, { ...engagement, url }));
  } catch (error) {
    app.runtime.ctx.log.warn({ err: error, email_id }, "an open or a click couldn't be recorded");
  }
}
