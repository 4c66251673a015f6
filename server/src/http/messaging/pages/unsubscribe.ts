import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { readUnsubscribeToken, type UnsubscribeToken, unsubscribe, unsubscribePath } from "#email/index.ts";
import { findMerchant } from "#identity/index.ts";
import { findProject } from "#projects/index.ts";
import { sendPage, wantsHtml } from "../../public/pay-request.ts";
import { drawDone, drawQuestion, type PageRequest, type Subscription } from "./draw-page.ts";
import { refuseLink, tokenOf } from "./mail-link.ts";
import { pageRequest } from "./page-request.ts";

const options = { config: { scope: "public" }, schema: { hide: true } } as const;

/**
 * GET asks and changes nothing, because scanners follow links; POST unsubscribes, for the page's button and for email clients (RFC 8058).
 */
export function unsubscribeRoutes(files: PageRequest["files"]): FastifyPluginAsync {
  return async (app) => {
    app.get(`${unsubscribePath}*`, options, async (request, reply) => {
      const read = readUnsubscribeToken(request.ctx, tokenOf(request));
      if (read === null) return refuseLink(app, request, reply);
      return sendPage(reply, 200, drawQuestion(pageRequest(request, files), await subscriptionOf(request, read)));
    });

    app.post(`${unsubscribePath}*`, options, async (request, reply) => {
      const token = tokenOf(request);
      const read = readUnsubscribeToken(request.ctx, token);
      if (read === null) return refuseLink(app, request, reply);
      await unsubscribe(request.ctx, token);
      // An email client only needs the status.
      if (!wantsHtml(request)) return reply.code(200).send();
      return sendPage(reply, 200, drawDone(pageRequest(request, files), await subscriptionOf(request, read)));
    });
  };
}

async function subscriptionOf({ ctx }: FastifyRequest, { tenant, address }: UnsubscribeToken): Promise<Subscription> {
  const project = await findProject(ctx.db, tenant.project_id);
  const shown = project?.settings.branding?.display_name;
  const merchant = shown !== undefined || project === null ? null : await findMerchant(ctx.db, project.merchant_id);
  return { name: shown ?? merchant?.display_name ?? project?.name ?? "Tillpost", address, livemode: tenant.livemode };
}
