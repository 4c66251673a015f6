import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { loadPageFiles } from "#checkout/index.ts";
import { AppError, narrow, platformErrors } from "#platform/index.ts";
import { sendError, writeLimitHeaders } from "#requests/index.ts";
import { sendPage, wantsHtml } from "../../public/pay-request.ts";
import { drawTrouble, drawUnknown } from "./draw-page.ts";
import { tokenOf } from "./mail-link.ts";
import { pageRequest } from "./page-request.ts";
import { trackingRoutes } from "./tracking.ts";
import { unsubscribeRoutes } from "./unsubscribe.ts";

const minuteMs = 60_000;
const perMinute = 120;
const formBytesMax = 64 * 1024;

/** Targets of links in emails: no credentials, no cookie, no script. The signed token in the address has all data. */
export const mailPages: FastifyPluginAsync = async (app) => {
  const { pathname } = new URL(app.runtime.ctx.mail.baseUrl);
  const { addresses: files } = await loadPageFiles(`${pathname.replace(/\/$/, "")}/static`);
  ignoreForms(app);
  app.addHook("onRoute", (route) => {
    if (route.config?.scope !== "public") throw new Error(`${String(route.method)} ${route.url} is not declared public`);
  });
  app.addHook("onRequest", (request, reply, done) => {
    const actor = { kind: "buyer", id: `…${tokenOf(request).slice(-4)}` } as const;
    request.ctx = narrow(app.runtime.ctx, { actor, requestId: request.id, claim: null }, app.runtime.database);
    countLink(app, request, reply).then(() => done(), done);
  });
  app.setErrorHandler((error, request, reply) => answerFault(app, error as FastifyError, { request, reply, files }));
  await app.register(unsubscribeRoutes(files));
  await app.register(trackingRoutes(files));
};

/**
 * By link (the end of a token is its signature), not by address: mailbox providers fetch images and unsubscribe for all their users from a
 * few addresses.
 */
async function countLink(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const taken = await app.limits
    .bucket("mail link")
    .take(tokenOf(request).slice(-32), { limit: perMinute, windowMs: minuteMs }, request.startedAtMs);
  writeLimitHeaders(reply, taken);
  if (!taken.allowed) throw platformErrors.rate_limited();
}

/** A posted body contains no more than the address, whatever its type. */
function ignoreForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: formBytesMax }, (_request, _body, done) => done(null, null));
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  files: { style: string; mark: string };
}

function answerFault(app: FastifyInstance, error: FastifyError, { request, reply, files }: Exchange): FastifyReply {
  if (!(error instanceof AppError) || !wantsHtml(request) || (error.status >= 500 && error.status !== 503))
    return sendError(app, error, { request, reply });
  if (error.extras.headers !== undefined) reply.headers(error.extras.headers);
  const page = pageRequest(request, files);
  return sendPage(reply, error.status, error.status === 404 ? drawUnknown(page) : drawTrouble(page));
}
