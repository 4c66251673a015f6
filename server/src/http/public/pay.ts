import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { type LoadedFiles, loadPageFiles } from "#checkout/index.ts";
import { AppError } from "#platform/index.ts";
import { acceptUploads, isValidationFault, sendError, type TakeRoom } from "#requests/index.ts";
import { releaseLimit } from "./limit-links.ts";
import { payApiRoutes } from "./pay-api.ts";
import { payEventRoutes } from "./pay-events.ts";
import { pageRoutes, troublePage, unknownPage } from "./pay-page.ts";
import { backToPage, sendPage, wantsHtml } from "./pay-request.ts";

/** The hosted page and its API. `takeRoom` is shared by all that sends images. */
export function payRoutes(takeRoom: TakeRoom): FastifyPluginAsync {
  return async (app) => {
    const loaded = await loadPageFiles("/static");
    await acceptUploads(app);
    app.setErrorHandler((error, request, reply) => answerFault(app, error as FastifyError, { request, reply, loaded }));
    await app.register(pageRoutes(loaded, takeRoom));
    await app.register(payApiRoutes);
    await app.register(payEventRoutes);
  };
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  loaded: LoadedFiles;
}

/**
 * A program gets the error; a browser that posted a form goes back to the page, which shows it; a page that can't be shown says so. The
 * page's script sends reports with a key, stores those that can't be processed now, and needs the status to know.
 */
function answerFault(app: FastifyInstance, error: FastifyError, exchange: Exchange): FastifyReply {
  const { request, reply, loaded } = exchange;
  const refusal = refusalOf(error);
  if (!wantsHtml(request) || refusal === null) return sendError(app, error, { request, reply });
  // A page retries failed requests: five proofs per hour would be used up while the database is unavailable.
  if (refusal.status === 503) releaseLimit(app, { request, reply });
  const isStored = isNotNow(refusal) && request.headers["idempotency-key"] !== undefined;
  if ((request.method === "POST" && !isStored) || request.routeOptions.config.isReturn === true)
    return backToPage(request, reply, problemOf(error, refusal.code, reply));
  if (refusal.code === "payment_link_not_found") return sendPage(reply, 404, unknownPage(request, loaded));
  if (error instanceof AppError && error.extras.headers !== undefined) reply.headers(error.extras.headers);
  return sendPage(reply, refusal.status, troublePage(request, loaded, refusal.code));
}

/** Whether the same request may be processed later. */
function isNotNow({ code, status }: { code: string; status: number }): boolean {
  return status >= 500 || status === 429 || code === "idempotency_key_in_use";
}

const minuteSeconds = 60;

/** For a buyer, a limit of the payment method differs from a limit of their own requests, and a wait of a minute from one of an hour. */
function problemOf(error: unknown, code: string, reply: FastifyReply): string {
  if (code === "rate_limited" && Number(reply.getHeader("retry-after")) > minuteSeconds) return "rate_limited_hour";
  return code === "limit_reached" && error instanceof AppError && error.extras.param === "gateway" ? "channel_limit" : code;
}

/** The public code and status; internal errors are logged and handled like all others. */
function refusalOf(error: unknown): { code: string; status: number } | null {
  if (error instanceof AppError) return error.status < 500 || error.status > 501 ? error : null;
  if (isValidationFault(error)) return { code: "parameter_invalid", status: 400 };
  return (error as FastifyError).statusCode === 413 ? { code: "file_too_large", status: 413 } : null;
}
