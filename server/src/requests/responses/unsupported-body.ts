import type { FastifyRequest } from "fastify";
import { type AppError, platformErrors } from "#platform/index.ts";

/** The refusal of a body whose type the route doesn't support: the given type, and the supported one. */
export function unsupportedBody({ headers, routeOptions }: FastifyRequest): AppError {
  const { config, schema } = routeOptions;
  const isForm = config?.form !== undefined || config?.upload === true;
  const wanted = [...(isForm ? ["multipart/form-data"] : []), ...(schema?.body === undefined && isForm ? [] : ["application/json"])].join(
    " or ",
  );
  const given =
    headers["content-type"]
      ?.split(";", 1)[0]
      ?.trim()
      .replaceAll(/[^\w/+.-]/g, "")
      .slice(0, 80) ?? "";
  if (given === "")
    return platformErrors.unsupported_media_type({ message: `The request has a body but no Content-Type. Send Content-Type: ${wanted}.` });
  const hint =
    given === "application/x-www-form-urlencoded" ? " (curl sends a form unless you add -H 'Content-Type: application/json'.)" : "";
  return platformErrors.unsupported_media_type({
    message: `The content type ${given} isn't supported here. Send Content-Type: ${wanted}.${hint}`,
  });
}
