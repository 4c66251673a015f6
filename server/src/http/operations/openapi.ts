import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifySchema, RouteOptions } from "fastify";
import { commonErrors, listErrors } from "../answers/error-catalogue.ts";

const catalogue = new Map(listErrors().map((entry) => [entry.code, entry]));

/** Collects the document from the routes' own schemas; register before the routes. */
export async function collectOpenapi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Tillpost API",
        version: "1",
        description: "Collect payments for orders: payment links, hosted checkout, personal receiving codes, a ledger and its wallets.",
        license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      },
      servers: [{ url: app.house.ctx.publicUrl, description: "This deployment." }],
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <API key>`." },
          apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The same key in a header of its own." },
        },
      },
    },
    refResolver: { buildLocalReference: (schema, _base, _fragment, index) => String(schema.$id ?? `Schema${index}`) },
    transform: ({ schema, url, route }) => ({ schema: describe(schema, url, route), url }),
  });
}

/** The whole document, as /openapi.json serves it. */
export function openapiOf(app: FastifyInstance): unknown {
  return app.swagger();
}

function describe(schema: FastifySchema | undefined, url: string, route: RouteOptions): FastifySchema {
  if (schema?.hide === true) return schema;
  const config = route.config ?? {};
  const codes = commonErrors({
    scope: config.scope,
    method: String(route.method),
    nested: url.includes(":projectId"),
    hasBody: schema?.body !== undefined || config.form !== undefined,
    hasQuery: schema?.querystring !== undefined,
    movesMoney: config.movesMoney === true,
  });
  const described: FastifySchema = { ...schema, response: { ...(schema?.response as object), ...refusals([...codes, ...(config.errors ?? [])]) } };
  if (config.form !== undefined)
    described.body = { content: { ...(schema?.body as { content?: object } | undefined)?.content, "multipart/form-data": { schema: config.form } } };
  if (config.scope !== "public") described.security = [{ bearer: [] }, { apiKey: [] }];
  if (config.scope !== undefined && config.scope !== "any_key" && config.scope !== "public") {
    described.description = [schema?.description, `Needs the permission \`${config.scope}\`.`].filter(Boolean).join("\n\n");
  }
  return described;
}

function refusals(codes: string[]): Record<string, unknown> {
  const byStatus: Record<string, { description: string; $ref: string }> = {};
  for (const code of [...new Set(codes)]) {
    const entry = catalogue.get(code);
    if (entry === undefined) throw new Error(`a route names an error that no table holds: ${code}`);
    const line = `\`${code}\`: ${entry.message}`;
    const before = byStatus[entry.status]?.description;
    byStatus[entry.status] = { description: before === undefined ? line : `${before}\n\n${line}`, $ref: "Error#" };
  }
  return byStatus;
}
