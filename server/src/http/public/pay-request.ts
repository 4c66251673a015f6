import type { FastifyReply, FastifyRequest } from "fastify";
import { deviceOf, type PageRequest, query, type renderPayPage } from "#checkout/index.ts";
import type { GatewayBuyer } from "#orders/index.ts";
import { chooseLanguage, languageInfo, languageOf } from "#platform/index.ts";

export type PageFiles = Parameters<typeof renderPayPage>[1]["files"];

const pagePolicy = ({ formsTo, framesTo }: Pick<LeadingPage, "formsTo" | "framesTo">) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "connect-src 'self'",
    ...(framesTo === "" ? [] : [`frame-src ${framesTo}`]),
    `form-action 'self'${formsTo === "" ? "" : ` ${formsTo}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/**
 * The parameters of one request for a page: language, colors, device, and the refusal that led here. Unknown parameters are ignored,
 * because wallet apps add their own.
 */
export function pageRequest(request: FastifyRequest, given: { locale: string; files: PageFiles; now?: Date }): PageRequest {
  const requested = requestedOf(request);
  const ctx = request.ctx ?? request.server.runtime.ctx;
  return {
    requested,
    lang: chooseLanguage({ requested: requested.lang, set: given.locale, accepted: request.headers["accept-language"] }),
    device: deviceOf(request.headers["user-agent"], ctx.methods),
    methods: ctx.methods,
    isBack: isBack(request),
    problem: textOf(request, "problem"),
    now: given.now ?? ctx.now(),
    files: given.files,
  };
}

/** Whether the provider sent the buyer back after the payment, or says so. */
export function isBack(request: FastifyRequest): boolean {
  return textOf(request, "back") === "paid";
}

/** The choices in the address, which links and redirects keep. */
export function requestedOf(request: FastifyRequest): PageRequest["requested"] {
  const lang = languageOf(textOf(request, "lang"));
  const theme = textOf(request, "theme");
  return {
    ...(lang === null ? {} : { lang }),
    ...(theme === "light" || theme === "dark" ? { theme } : {}),
  };
}

function textOf(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === "string" ? value : null;
}

/** The buyer's data that a provider may need. `set`: the order's language, as for the page. */
export function buyerOf(request: FastifyRequest, set: string): GatewayBuyer {
  const requested = requestedOf(request);
  const lang = chooseLanguage({ requested: requested.lang, set, accepted: request.headers["accept-language"] });
  const { locale } = languageInfo(lang);
  return { ip: request.ip, locale, device: buyersDevice(request), openid: null, page_query: query(requested) };
}

/** The device that the request comes from. */
export function buyersDevice({ ctx, headers }: FastifyRequest): GatewayBuyer["device"] {
  return deviceOf(headers["user-agent"], ctx.methods);
}

/** Browsers that post a form say so; programs that accept JSON, or anything, get JSON. */
export function wantsHtml(request: FastifyRequest): boolean {
  return request.headers.accept?.includes("text/html") === true;
}

/** A redirect page: the target may need the buyer's origin. */
interface LeadingPage {
  text: string;
  /** The only other host that a form of it can be submitted to; empty for none. */
  formsTo: string;
  /** The URL scheme of the surrounding app, whose injected code opens frames with it. Empty for none. */
  framesTo: string;
}

/** Sends a page. The policy of every page is set here. */
export function sendPage(reply: FastifyReply, status: number, page: string | LeadingPage): FastifyReply {
  const { text, formsTo, framesTo } = typeof page === "string" ? { text: page, formsTo: "", framesTo: "" } : page;
  if (typeof page !== "string") reply.header("referrer-policy", "strict-origin");
  return reply
    .code(status)
    .headers({ "content-security-policy": pagePolicy({ formsTo, framesTo }), "x-robots-tag": "noindex, nofollow" })
    .type("text/html; charset=utf-8")
    .send(text);
}

/** After a form that started a payment elsewhere: to the redirect page. A form's own redirect can't leave this host. */
export function leadAway(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { token } = request.params as { token: string };
  return reply
    .code(303)
    .header("location", `/pay/${encodeURIComponent(token)}/go${query(requestedOf(request))}`)
    .send();
}

/** After a form: back to the page, which shows the current state, or the error. */
export function backToPage(request: FastifyRequest, reply: FastifyReply, problem?: string): FastifyReply {
  const { token } = request.params as { token: string };
  const current = query(requestedOf(request));
  const reason = problem === undefined ? "" : `${current === "" ? "?" : "&"}problem=${encodeURIComponent(problem)}`;
  return reply
    .code(303)
    .header("location", `/pay/${encodeURIComponent(token)}${current}${reason}`)
    .send();
}
