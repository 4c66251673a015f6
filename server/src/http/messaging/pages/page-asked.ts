import type { FastifyRequest } from "fastify";
import { chooseLanguage } from "#platform/index.ts";
import { pathOf } from "../../path-of.ts";
import { askedOf } from "../../public/pay-request.ts";
import type { PageAsked } from "./draw-page.ts";

/** The choices of one request for a page: its language, explicit or by the browser, its theme, its own path. */
export function pageAsked(request: FastifyRequest, files: PageAsked["files"]): PageAsked {
  const asked = askedOf(request);
  return {
    asked,
    files,
    lang: chooseLanguage({ requested: asked.lang, accepted: request.headers["accept-language"] }),
    path: `./${pathOf(request.url).split("/").pop()}`,
  };
}
