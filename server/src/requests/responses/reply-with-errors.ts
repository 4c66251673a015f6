import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, databaseCode, detailsOf, type ErrorDetail, isUnavailable, platformErrors } from "#platform/index.ts";
import { pathOf } from "../path-of.ts";
import { faultsOf, isValidationFault } from "../validation/faults.ts";
import { unsupportedBody } from "./unsupported-body.ts";

/** The body of every response from 400 up. */
export interface ErrorBody {
  error: {
    type: string;
    code: string;
    message: string;
    param?: string;
    details?: ErrorDetail[];
    reason?: string;
    values?: ErrorDetail["values"];
    doc_url: string;
    request_id: string;
  };
  /** Only on the messaging API, where common clients look for them: the code, the message and the status. */
  name?: string;
  message?: string;
  statusCode?: number;
}

/**
 * Installs the only place that turns an error into a response. An error that is in no table has a fixed message; its text goes to the log.
 */
export function replyWithErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(app, error as FastifyError, { request, reply }));
}

/** Responds with an error, whatever was thrown. */
export function sendError(app: FastifyInstance, thrown: unknown, exchange: { request: FastifyRequest; reply: FastifyReply }): FastifyReply {
  const { request, reply } = exchange;
  const error = toAppError(thrown, request);
  if (error.status >= 500)
    app.runtime.ctx.log.error({ request_id: request.id, err: thrown, method: request.method, path: pathOf(request.url) }, error.code);
  if (error.extras.headers !== undefined) reply.headers(error.extras.headers);
  if (error.status === 401) reply.header("www-authenticate", 'Bearer realm="Tillpost"');
  if (error.status === 503 && error.extras.headers?.["retry-after"] === undefined) reply.header("retry-after", "1");
  return reply
    .code(error.status)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send({ ...errorBody(app.runtime.ctx.publicUrl, error, request.id), ...(isMessaging(request.url) ? fieldNames(error) : {}) });
}

function isMessaging(url: string): boolean {
  return /^\/v1(?:[/?]|$)/.test(url);
}

/** The same in the form that programs for other services expect. */
function fieldNames({ code, message, status }: AppError): Pick<ErrorBody, "name" | "message" | "statusCode"> {
  return { name: code, message, statusCode: status };
}

/** The public shape of an error. */
export function errorBody(publicUrl: string, error: AppError, requestId: string): ErrorBody {
  const { param, fields } = error.extras;
  return {
    error: {
      type: error.type,
      code: error.code,
      message: error.message,
      ...(param === undefined ? {} : { param }),
      ...reasonsOf(error),
      ...fields,
      doc_url: `${publicUrl}/docs/errors#${error.code}`,
      request_id: requestId,
    },
  };
}

/** The reason: for each invalid parameter, or for the whole request if there is none. */
function reasonsOf(error: AppError): Pick<ErrorBody["error"], "details" | "reason" | "values"> {
  const { param, reason, values, details } = error.extras;
  if (details !== undefined) return { details };
  if (reason === undefined) return {};
  return param === undefined ? { reason, ...(values === undefined ? {} : { values }) } : { details: detailsOf(error) };
}

function toAppError(thrown: unknown, request: FastifyRequest): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isValidationFault(thrown)) return faultsOf(thrown, request[partOf[thrown.validationContext ?? "body"] ?? "body"]);
  const { statusCode, code } = (thrown ?? {}) as { statusCode?: unknown; code?: unknown };
  // Before the database's errors: a caller who disconnects in the middle of a body also causes an ECONNRESET.
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) return fromStatus(statusCode, String(code), request);
  if (isUnavailable(thrown) || isOverloaded(thrown) || isDiskFull(code)) return platformErrors.service_unavailable({ cause: thrown });
  return platformErrors.internal_error({ cause: thrown });
}

const partOf: Readonly<Record<string, "query" | "params" | "headers">> = { querystring: "query", params: "params", headers: "headers" };

/** Errors that the framework found in the request, before any route of ours. */
function fromStatus(status: number, code: string, request: FastifyRequest): AppError {
  if (status === 413) return platformErrors.body_too_large();
  if (status === 415) return unsupportedBody(request);
  if (status === 406) return platformErrors.unsupported_media_type();
  if (code === "FST_ERR_BAD_URL")
    return platformErrors.parameter_invalid({ reason: "request_unreadable", message: "The address isn't valid." });
  if (code === "FST_ERR_CTP_INVALID_CONTENT_LENGTH")
    return platformErrors.parameter_invalid({
      param: "Content-Length",
      reason: "request_unreadable",
      message: "The body's length doesn't match Content-Length.",
    });
  return platformErrors.parameter_invalid({ reason: "request_unreadable", message: "The request couldn't be read." });
}

/** Statement timeouts, exhausted retries and lock waits: the database is available but can't handle this now. */
function isOverloaded(thrown: unknown): boolean {
  return ["57014", "55P03", "40001", "40P01"].includes(databaseCode(thrown) ?? "");
}

/** Data outside the database: incoming uploads, and files. */
function isDiskFull(code: unknown): boolean {
  return code === "ENOSPC" || code === "EDQUOT" || code === "EROFS";
}
