import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { loadPageFiles } from "#checkout/index.ts";
import { createKeyCache, createSignIn } from "#identity/index.ts";
import { createInFlight, createMemoryLimits, platformErrors } from "#platform/index.ts";
import {
  allowOrigin,
  answerMissingRoutes,
  answerPreflights,
  collectRoutes,
  createHostCheck,
  createMetrics,
  createSerializerCompiler,
  createUnroutedCount,
  createValidatorCompiler,
  leave,
  limitWaits,
  lingerOverBodies,
  measureLimits,
  pathOf,
  readJsonBodies,
  refuseMissingRoute,
  refuseUnknownQueries,
  replyWithErrors,
  requestErrors,
} from "#requests/index.ts";
import { namedSchemas } from "#schemas/index.ts";
import { authRoutes } from "../auth/index.ts";
import { carrierRoutes } from "../callbacks/carriers.ts";
import { callbackRoutes } from "../callbacks/index.ts";
import { admin, profile } from "../dashboard/index.ts";
import { dashboardFiles } from "../dashboard/static.ts";
import { messaging } from "../messaging/index.ts";
import { mailPages } from "../messaging/pages/index.ts";
import { operations } from "../operations/index.ts";
import { publicRoutes } from "../public/index.ts";
import { simulatorPages } from "../simulator/index.ts";
import { v1 } from "../v1/index.ts";
import { announceEnd } from "../v1-flat/index.ts";
import { disconnectIdle } from "./idle-connections.ts";

/** For every response. */
const plainHeaders = { "x-content-type-options": "nosniff", "cache-control": "no-store" };

/** For responses that a browser can show, unless a page sets its own. */
const pageHeaders = {
  ...plainHeaders,
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** Installs all routes: what all surfaces share, then each surface. `runtime` must be decorated before. */
export async function installServer(app: FastifyInstance): Promise<void> {
  // Started first, because another process may do most of it: the routes that serve the files wait for them, and report a failure.
  loadPageFiles("").catch(() => {});
  disconnectIdle(app.server);
  installShared(app);
  await app.register(operations);
  await app.register(v1, { prefix: "/api/v1" });
  await app.register(authRoutes, { prefix: "/api/auth" });
  await app.register(profile, { prefix: "/api/profile" });
  await app.register(admin, { prefix: "/api/admin" });
  await app.register(messaging, { prefix: "/v1" });
  await app.register(mailPages);
  await app.register(publicRoutes);
  await app.register(callbackRoutes);
  await app.register(carrierRoutes);
  await app.register(simulatorPages);
  await app.register(dashboardFiles);
}

/** Request ids, headers, errors, JSON, CORS, and the state of limits and authentication. */
function installShared(app: FastifyInstance): void {
  refuseUnknownQueries(app);
  collectRoutes(app);
  decorate(app);
  replyWithErrors(app);
  lingerOverBodies(app);
  readJsonBodies(app);
  const schemas = namedSchemas(app.runtime.ctx);
  for (const schema of Object.values(schemas)) app.addSchema(schema);
  app.setValidatorCompiler(createValidatorCompiler(schemas));
  app.setSerializerCompiler(createSerializerCompiler(schemas, app.runtime.settings.checkAnswers === true));
  const https = app.runtime.ctx.publicUrl.startsWith("https://");
  const subdomains = app.runtime.settings.hstsSubdomains ? "; includeSubDomains" : "";
  const always = https ? { "strict-transport-security": `max-age=31536000${subdomains}` } : {};
  const [api, page] = [
    { ...plainHeaders, ...always },
    { ...pageHeaders, ...always },
  ];
  const answersTo = createHostCheck(app);
  let closing = false;
  app.addHook("preClose", (done) => {
    closing = true;
    done();
  });
  app.addHook("onRequest", (request, reply, done) => {
    request.route = request.routeOptions;
    request.startedAtMs = app.runtime.ctx.now().getTime();
    reply.header("request-id", request.id);
    reply.headers(/^\/(api|v1)\//.test(request.url) ? api : page);
    allowOrigin(request, reply);
    announceEnd(app, { request, reply });
    const refuse = (fault: Error) => app.countUnrouted({ request, reply }).then((refusal) => done(refusal ?? fault), done);
    const go = () =>
      Object.entries(request.params as object).some(isEmptyPart) ? void refuseMissingRoute(app, request, reply).catch(done) : done();
    const fault = closing ? platformErrors.service_unavailable({ headers: { connection: "close" } }) : faultOf(request);
    if (fault !== null) return void refuse(fault);
    const isOurs = answersTo(request);
    if (isOurs === true) return go();
    Promise.resolve(isOurs).then((found) => (found ? go() : refuse(requestErrors.host_not_allowed())), done);
  });
  app.addHook("onResponse", (request, reply, done) => {
    leave(app, request);
    app.metrics.observe(request, reply);
    logAnswer(app, request, reply);
    done();
  });
  answerMissingRoutes(app);
  answerPreflights(app);
}

/** `/v1/emails/` isn't an email without an id, although the router matches it. */
function isEmptyPart([name, value]: [string, unknown]): boolean {
  return value === "" && name !== "*";
}

/**
 * Requests that no legitimate client sends. With several `Host` headers, a proxy may use one and this server another; HTTP/1.1 requires
 * one.
 */
function faultOf(request: FastifyRequest): Error | null {
  if (request.url.includes("%00")) return nulInAddress();
  const hosts = request.raw.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  ).length;
  return hosts > 1 || (hosts === 0 && request.raw.httpVersion === "1.1")
    ? platformErrors.parameter_invalid({ param: "Host", reason: "request_unreadable", message: "Send exactly one Host header." })
    : null;
}

function nulInAddress(): Error {
  return platformErrors.parameter_invalid({ reason: "forbidden_characters", message: "The address can't contain NUL characters." });
}

const queueWaitMs = 2_000;
const queueDepthFactor = 5;
const flushMs = 5_000;
const slowMs = 1_000;

function decorate(app: FastifyInstance): void {
  app.decorate("metrics", createMetrics());
  limitWaits(app);
  const keys = createKeyCache(app.runtime.ctx);
  app.decorate("keys", keys);
  const { signUp, passwordWork } = app.runtime.settings;
  app.decorate("signIn", createSignIn(app.runtime.ctx, { signUp, passwordWork, machineNow: () => new Date() }));
  app.decorate("limits", app.runtime.limits ?? createMemoryLimits());
  measureLimits(app);
  app.decorate("countUnrouted", createUnroutedCount(app));
  app.decorate("inFlight", createInFlight({ waitMs: queueWaitMs, depthFactor: queueDepthFactor }));
  for (const name of ["ctx", "route", "tenant", "principal", "claim", "inFlightOf"] as const) app.decorateRequest(name, null as never);
  app.decorateRequest("startedAtMs", 0);
  const flush = () =>
    keys.flushUses().catch((error: unknown) => app.runtime.ctx.log.warn({ err: error }, "last uses of keys couldn't be written"));
  let timer: NodeJS.Timeout | undefined;
  app.addHook("onReady", (done) => {
    timer = setInterval(flush, flushMs).unref();
    done();
  });
  app.addHook("onClose", async () => {
    clearInterval(timer);
    await flush();
    await app.limits.close();
  });
}

/** One line for each refusal and each slow response; the others at debug, which a busy server doesn't pay for. */
function logAnswer(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): void {
  const { log } = app.runtime.ctx;
  const status = reply.statusCode;
  const tookMs = Math.round(reply.elapsedTime);
  const level = status >= 400 ? "info" : tookMs >= slowMs ? "warn" : "debug";
  if (!log.isLevelEnabled(level)) return;
  log[level]({ request_id: request.id, method: request.method, path: maskToken(pathOf(request.url)), status, took_ms: tookMs }, "answered");
}

/** Tokens of payment links are secrets, those of links in emails contain addresses: the log only has their last four characters. */
function maskToken(path: string): string {
  return path.replace(/^(\/[uco]\/).*?(.{0,4})$/, "$1…$2").replace(/pl_(test|live)_[0-9A-Za-z]+(?=[0-9A-Za-z]{4})/, "pl_$1_…");
}
