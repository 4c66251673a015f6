import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type AppError, platformErrors } from "#platform/index.ts";
import { allowOrigin, continueUpload, countPeer, errorBody, type HttpRuntime, requestErrors, sendError } from "#requests/index.ts";
import { announceEnd } from "../v1-flat/index.ts";

/**
 * A client that neither sends nor reads anything for this long is disconnected, see `disconnectIdle`: what it doesn't read would stay in
 * memory. Longer than the time between two comments of an event stream.
 */
const idleMs = 120_000;

/** Options of the framework that can only be set when the server is created. */
export function serverOptions(runtime: HttpRuntime): FastifyHttpOptions<Server> {
  const { trustedProxies, idleConnectionMs = idleMs } = runtime.settings;
  return {
    // Our own log lines have request ids and cost nothing if the log is off.
    logger: false,
    genReqId: () => runtime.ctx.id("req"),
    requestIdHeader: false,
    trustProxy: trustedProxies.length === 0 ? false : trustedProxies,
    // A busy machine may take long to start.
    pluginTimeout: 60_000,
    bodyLimit: 256 * 1024,
    // A request without one is refused like all others, not with Node's own text.
    http: { requireHostHeader: false },
    connectionTimeout: idleConnectionMs,
    // Uploads may take longer.
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: refuseToBuild, buildSerializer: refuseToBuild } },
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false, maxParamLength: 300 },
    schemaErrorFormatter: () => new Error("a parameter does not fit its schema"),
    frameworkErrors: (error, request, reply) => void refuseAddress(error, request as FastifyRequest, reply as FastifyReply),
    clientErrorHandler(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket) {
      void answerBrokenRequest(this, error, socket);
    },
  };
}

/**
 * `installServer` sets the compilers of all schemas. Without these two, the framework would load its own first, which is a good part of a
 * start, and never use them.
 */
function refuseToBuild(): never {
  throw new Error("a schema's compiler wasn't set");
}

/** An address that can't be decoded has no route, so none of a route's hooks ran. */
async function refuseAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const app = request.server;
  reply.header("request-id", request.id);
  allowOrigin(request, reply);
  announceEnd(app, { request, reply });
  request.startedAtMs = app.runtime.ctx.now().getTime();
  const refusal = await app.countUnrouted({ request, reply });
  sendError(app, refusal ?? error, { request, reply });
}

/** Data that isn't an HTTP request never reaches a route: the response is written on the bare connection, in the same form. */
async function answerBrokenRequest(app: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): Promise<void> {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  if (isLate && continueUpload(socket)) return;
  const refusal: AppError = isLate
    ? requestErrors.request_timeout()
    : platformErrors.parameter_invalid({
        reason: "request_unreadable",
        message: error.code === "HPE_HEADER_OVERFLOW" ? "The headers are too large." : "This isn't a valid HTTP request.",
      });
  const requestId = app.runtime.ctx.id("req");
  const body = JSON.stringify(errorBody(app.runtime.ctx.publicUrl, refusal, requestId));
  const limit = await countPeer(app, socket.remoteAddress ?? "");
  if (!socket.writable) return void socket.destroy();
  const fields = [
    ["Connection", "close"],
    ["Content-Type", "application/json; charset=utf-8"],
    ["Request-Id", requestId],
    ["Content-Length", String(Buffer.byteLength(body))],
    ...limit,
  ];
  const head = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n`;
  socket.end(`${head}${fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`);
}
