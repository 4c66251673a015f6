import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, databaseCode, isUnavailable, platformErrors } from "#platform/index.ts";
import { faultsOf, isValidationFault } from "../validation/faults.ts";

/** The body of every answer from 400 up. */
export interface ErrorBody {
  error: {
    type: string;
    code: string;
    message: string;
    param?: string;
    details?: { param: string; code: string; message: string }[];
    doc_url: string;
    request_id: string;
  };
}

/** Installs the only place that turns an error into an answer. What is in no table shows a fixed sentence; its text goes to the log. */
export function replyWithErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(app, error as FastifyError, { request, reply }));
}

/** Answers with an error, whatever was thrown. */
export function sendError(app: FastifyInstance, thrown: unknown, exchange: { request: FastifyRequest; reply: FastifyReply }): FastifyReply {
  const { request, reply } = exchange;
  const error = toAppError(thrown);
  if (error.status >= 500) app.house.ctx.log.error({ request_id: request.id, err: thrown, method: request.method, path: pathOf(request.url) }, error.code);
  if (error.extras.headers !== undefined) reply.headers(error.extras.headers);
  if (error.status === 401) reply.header("www-authenticate", 'Bearer realm="Tillpost"');
  if (error.status === 503 && error.extras.headers?.["retry-after"] === undefined) reply.header("retry-after", "1");
  return reply
    .code(error.status)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(errorBody(app.house.ctx.publicUrl, error, request.id));
}

/** The public shape of an error. */
export function errorBody(publicUrl: string, error: AppError, requestId: string): ErrorBody {
  const { param, details, fields } = error.extras;
  return {
    error: {
      type: error.type,
      code: error.code,
      message: error.message,
      ...(param === undefined ? {} : { param }),
      ...(details === undefined ? {} : { details }),
      ...fields,
      doc_url: `${publicUrl}/docs/errors#${error.code}`,
      request_id: requestId,
    },
  };
}

function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isValidationFault(thrown)) return faultsOf(thrown);
  const { statusCode, code } = (thrown ?? {}) as { statusCode?: unknown; code?: unknown };
  // Before the database's faults: a caller who hangs up in the middle of a body leaves an ECONNRESET as well.
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) return fromStatus(statusCode, String(code));
  if (isUnavailable(thrown) || isOverloaded(thrown)) return platformErrors.service_unavailable({ cause: thrown });
  return platformErrors.internal_error({ cause: thrown });
}

/** Faults that the framework found in the exchange itself, before any route of ours. */
function fromStatus(status: number, code: string): AppError {
  if (status === 413) return platformErrors.body_too_large();
  if (status === 415 || status === 406) return platformErrors.unsupported_media_type();
  if (code === "FST_ERR_BAD_URL") return platformErrors.parameter_invalid({ message: "The address is not valid." });
  if (code === "FST_ERR_CTP_INVALID_CONTENT_LENGTH")
    return platformErrors.parameter_invalid({ param: "Content-Length", message: "The body is not as long as Content-Length says." });
  return platformErrors.parameter_invalid({ message: "The request could not be read." });
}

/** Statement time-outs, exhausted retries and lock waits: the database is there, but cannot serve this now. */
function isOverloaded(thrown: unknown): boolean {
  return ["57014", "55P03", "40001", "40P01"].includes(databaseCode(thrown) ?? "");
}

/** The path of an address without its query, which may hold what buyers typed. */
export function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}
