import type { Socket } from "node:net";
import type { FastifyReply, FastifyServerOptions } from "fastify";
import { type AppError, newId, platformErrors } from "#platform/index.ts";
import { errorBody } from "./answers/reply-with-errors.ts";
import type { HttpHouse } from "./house.ts";

/** Options of the framework: what can only be said when the server is made. */
export function serverOptions(house: HttpHouse): FastifyServerOptions {
  const { trustedProxies } = house.settings;
  return {
    // Our own lines carry request ids and cost nothing when nobody reads them.
    logger: false,
    genReqId: () => newId("req"),
    requestIdHeader: false,
    trustProxy: trustedProxies.length === 0 ? false : trustedProxies,
    bodyLimit: 256 * 1024,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false, maxParamLength: 300 },
    schemaErrorFormatter: () => new Error("a parameter does not fit its schema"),
    frameworkErrors: (error, request, reply) => {
      const refusal =
        error.code === "FST_ERR_BAD_URL"
          ? platformErrors.parameter_invalid({ message: "The address is not valid.", cause: error })
          : platformErrors.internal_error({ cause: error });
      const answer = reply as FastifyReply;
      answer
        .code(refusal.status)
        .header("request-id", request.id)
        .type("application/json; charset=utf-8")
        .send(errorBody(house.ctx.publicUrl, refusal, request.id));
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(house, error, socket),
  };
}

/** What is no HTTP request never reaches a route: it is answered on the bare connection, in the same shape. */
function answerBrokenRequest(house: HttpHouse, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const refusal: AppError = platformErrors.parameter_invalid({
    message:
      error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "The request was not sent in time."
        : error.code === "HPE_HEADER_OVERFLOW"
          ? "The headers are too large."
          : "This is not a valid HTTP request.",
  });
  const requestId = newId("req");
  const body = JSON.stringify(errorBody(house.ctx.publicUrl, refusal, requestId));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
