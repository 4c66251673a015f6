import type { FastifyInstance } from "fastify";
import { listErrors, type RouteEntry } from "#requests/index.ts";
import { namedSchemas } from "#schemas/index.ts";
import { eventNames } from "#webhooks/index.ts";
import { addExamples } from "./add-examples.ts";
import { cleanSchema, mapValues } from "./clean-schema.ts";
import { deliveryHeaders, describeEvents, eventComponents } from "./describe-events.ts";
import { describeOperation } from "./describe-operation.ts";
import { sharedRefusals } from "./error-answers.ts";
import { answerHeaders } from "./headers.ts";
import { chapters, internalChapters, introduction, securitySchemes } from "./introduction.ts";
import { dropUnused, shareParts } from "./share-parts.ts";
import type { Document } from "./types.ts";

/** `public`: what merchants build on. `internal`: the dashboard's own routes, and deprecated paths. */
export type Edition = "public" | "internal";

const own = /^\/api\/(auth|profile|admin)\//;

/** The OpenAPI document of a server, generated from its routes' declarations. */
export function buildDocument(app: FastifyInstance, edition: Edition): Document {
  const { publicUrl } = app.runtime.ctx;
  const document: Document = {
    openapi: "3.1.0",
    info: infoOf(edition),
    servers: [{ url: publicUrl, description: "This deployment." }],
    tags: [],
    paths: {},
    ...(edition === "public" ? { webhooks: describeEvents() } : {}),
    components: {
      securitySchemes,
      schemas: { ...mapValues(namedSchemas(app.runtime.ctx) as Record<string, unknown>, cleanSchema), ...eventComponents() },
      parameters: { ...deliveryHeaders },
      headers: { ...answerHeaders },
      responses: sharedRefusals(publicUrl),
    },
  };
  listEnums(document);
  for (const entry of app.routes) if (entry.schema?.hide !== true && editionOf(entry) === edition) addRoute(app, document, entry);
  shareParts(document);
  addExamples(document);
  dropUnused(document);
  const used = new Set(Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)));
  if (edition === "public") used.add("Webhooks");
  const known = edition === "public" ? chapters : internalChapters;
  document.tags = Object.entries(known).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []));
  return document;
}

function infoOf(edition: Edition): object {
  return {
    title: edition === "public" ? "Tillpost API" : "Tillpost: the dashboard's routes and deprecated paths",
    version: "1",
    description:
      edition === "public" ? introduction : "Nothing here is part of the API that merchants build on: it may change with any release.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  };
}

function editionOf({ url, config }: RouteEntry): Edition {
  return config.aliasOf !== undefined || config.internal === true || own.test(url) ? "internal" : "public";
}

function addRoute(app: FastifyInstance, document: Document, entry: RouteEntry): void {
  const { publicUrl, mail } = app.runtime.ctx;
  const path = entry.url.replaceAll(/:(\w+)/g, "{$1}");
  const apart = entry.url.startsWith("/v1/") && mail.baseUrl !== publicUrl;
  const servers = apart ? { servers: [{ url: mail.baseUrl, description: "The messaging API of this deployment." }] } : {};
  const methods = (document.paths[path] ??= {});
  methods[entry.method.toLowerCase()] = { ...describeOperation(entry), ...servers };
}

/** Names that are stored once instead of being copied. */
function listEnums({ components }: Document): void {
  const error = components.schemas["Error"]?.properties?.["error"]?.properties;
  const codes = listErrors().map(({ code }) => code);
  const types = [...new Set(listErrors().map(({ type }) => type))].sort();
  const event = components.schemas["Event"]?.properties;
  if (event?.["event"] !== undefined) event["event"] = { ...event["event"], enum: [...eventNames] };
  if (error?.["code"] !== undefined) error["code"] = { ...error["code"], enum: codes };
  if (error?.["type"] !== undefined) error["type"] = { ...error["type"], enum: types };
}
