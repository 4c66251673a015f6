import type { FastifyRequest } from "fastify";
import { chooseLanguage } from "#platform/index.ts";
import { pathOf } from "#requests/index.ts";
import { requestedOf } from "../../public/pay-request.ts";
import type { PageRequest } from "./draw-page.ts";

/** The choices of one request for a page: its language, explicit or by the browser, its theme, its own path. */
export function pageRequest(request: FastifyRequest, files: PageRequest["files"]): PageRequest {
  const requested = requestedOf(request);
  return {
    requested,
    files,
    lang: chooseLanguage({ requested: requested.lang, accepted: request.headers["accept-language"] }),
    path: `./${pathOf(request.url).split("/").pop()}`,
  };
}
