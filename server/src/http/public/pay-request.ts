import type { FastifyReply, FastifyRequest } from "fastify";
import { deviceOf, type PageRequest, query, type renderPayPage } from "#checkout/index.ts";
import { chooseLanguage, languageOf } from "#platform/index.ts";

export type PageFiles = Parameters<typeof renderPayPage>[1]["files"];

const pagePolicy = (formsTo = "") =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "connect-src 'self'",
    `form-action 'self'${formsTo === "" ? "" : ` ${formsTo}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** What one request for a page asked for: language, colours, device, and the refusal that sent it here. Unknown parameters are let be, wallet apps add their own. */
export function pageRequest(request: FastifyRequest, given: { locale: string; files: PageFiles; now?: Date }): PageRequest {
  const asked = askedOf(request);
  const ctx = request.ctx ?? request.server.house.ctx;
  return {
    asked,
    lang: chooseLanguage({ asked: asked.lang, set: given.locale, accepted: request.headers["accept-language"] }),
    device: deviceOf(request.headers["user-agent"], ctx.methods),
    methods: ctx.methods,
    isBack: textOf(request, "back") === "paid",
    problem: textOf(request, "problem"),
    now: given.now ?? ctx.now(),
    files: given.files,
  };
}

/** The choices in the address, which links and redirects carry on. */
export function askedOf(request: FastifyRequest): PageRequest["asked"] {
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

/** Browsers that post a form say so; programs that ask for JSON, or for nothing in particular, get JSON. */
export function wantsHtml(request: FastifyRequest): boolean {
  return request.headers.accept?.includes("text/html") === true;
}

/** Sends a page. What may run and load on it is said here, for every page alike; `formsTo` is the one other host that a form of it may go to. */
export function sendPage(reply: FastifyReply, status: number, page: string | { text: string; formsTo: string }): FastifyReply {
  const { text, formsTo } = typeof page === "string" ? { text: page, formsTo: "" } : page;
  return reply
    .code(status)
    .headers({ "content-security-policy": pagePolicy(formsTo), "x-robots-tag": "noindex, nofollow" })
    .type("text/html; charset=utf-8")
    .send(text);
}

/** After a form that started a payment elsewhere: on to the page that leads there. A form's own redirect may not leave this host. */
export function leadAway(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { token } = request.params as { token: string };
  return reply
    .code(303)
    .header("location", `/pay/${encodeURIComponent(token)}/go${query(askedOf(request))}`)
    .send();
}

/** After a form: back to the page, which shows how things stand now, or why they did not change. */
export function backToPage(request: FastifyRequest, reply: FastifyReply, problem?: string): FastifyReply {
  const { token } = request.params as { token: string };
  const kept = query(askedOf(request));
  const reason = problem === undefined ? "" : `${kept === "" ? "?" : "&"}problem=${encodeURIComponent(problem)}`;
  return reply
    .code(303)
    .header("location", `/pay/${encodeURIComponent(token)}${kept}${reason}`)
    .send();
}
