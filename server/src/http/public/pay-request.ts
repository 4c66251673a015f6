import type { FastifyReply, FastifyRequest } from "fastify";
import { deviceOf, type PageRequest, query, type renderPayPage } from "#checkout/index.ts";
import { chooseLanguage, languageOf } from "#platform/index.ts";

export type PageFiles = Parameters<typeof renderPayPage>[1]["files"];

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "form-action 'self'",
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

/** Sends a page. What may run and load on it is said here, for every page alike. */
export function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.code(status).headers({ "content-security-policy": pagePolicy, "x-robots-tag": "noindex, nofollow" }).type("text/html; charset=utf-8").send(page);
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
