import swagger from "@fastify/swagger";
import type { FastifyContextConfig, FastifyInstance, FastifySchema, RouteOptions } from "fastify";
import { commonErrors, listErrors } from "../answers/error-catalogue.ts";
import { personScopes } from "../gate/refusal-of.ts";

const catalogue = new Map(listErrors().map((entry) => [entry.code, entry]));

const introduction = `Collect payments for orders: payment links, a hosted page, personal receiving codes, a ledger and its wallets. Under \`/v1\`: send e-mail, singly or in batches, and see what became of it.

**Keys.** Send one as \`Authorization: Bearer …\` or as \`X-API-Key\`. A \`svc_test_\` key sees the TEST environment of its project, a \`svc_live_\` key the LIVE one; nothing crosses over.

**Amounts** are whole numbers of the currency's minor unit. **Times** are ISO 8601 in UTC.

**Repeating.** Give a POST an \`Idempotency-Key\` and send it again as often as you like within 72 hours: it takes effect once, and the answer says \`Idempotent-Replayed: true\` when it is the first one again.

**Lists** come newest first. Pass \`next_cursor\` as \`starting_after\` to read on.

**Limits.** Every answer shows the window of its key and endpoint in \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; a 429 says in \`Retry-After\` how long to wait.

**Errors** have one shape. Decide by \`error.code\`; name \`error.request_id\` when you ask for help.`;

/** The chapters of the document, in reading order. */
const chapters = {
  Orders: "What is to be paid, and what can be done to it.",
  "Payment links": "The address that a buyer pays at, and what whoever holds it may do there without a key.",
  Exceptions: "Money that settled no order by itself.",
  "Collection profiles": "The personal receiving codes that buyers pay to.",
  Receipts: "Money seen on a personal code: from a listener, a statement or a person.",
  Assets: "Pictures: of codes, of proofs, of logos.",
  "Transactions and wallets": "The ledger.",
  "E-mail": "Messages: send one or a hundred, see what became of each recipient's copy.",
  Domains: "The domains that mail is sent from, and the DNS records that prove it.",
  Suppressions: "Addresses that nothing more is sent to.",
  Projects: "The business unit that a key belongs to.",
  "API keys": "What programs sign their requests with. Only signed-in people make them.",
  "Signing in": "How people come in: for pages of this server, with a cookie.",
  Profile: "The signed-in person.",
  Team: "Who belongs to the merchant.",
  Operators: "Across all merchants, for those who run this installation.",
  Merchant: "The account that projects belong to.",
};

/** Collects the document from the routes' own schemas; register before the routes. */
export async function collectOpenapi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Tillpost API",
        version: "1",
        description: introduction,
        license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      },
      servers: [{ url: app.house.ctx.publicUrl, description: "This deployment." }],
      tags: Object.entries(chapters).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <API key>`." },
          apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The same key in a header of its own." },
          session: {
            type: "apiKey",
            in: "cookie",
            name: "__Host-tillpost.session_token",
            description: "The cookie of a signed-in person, for pages of this server.",
          },
        },
      },
    },
    refResolver: { buildLocalReference: (schema, _base, _fragment, index) => String(schema.$id ?? `Schema${index}`) },
    transform: ({ schema, url, route }) => ({ schema: atItsHost(app, url, describe(schema, url, route)), url }),
  });
}

/** The messaging API may have an address of its own. */
function atItsHost(app: FastifyInstance, url: string, schema: FastifySchema): FastifySchema {
  const { publicUrl, mail } = app.house.ctx;
  if (!url.startsWith("/v1/") || mail.baseUrl === publicUrl) return schema;
  return Object.assign({}, schema, { servers: [{ url: mail.baseUrl, description: "The messaging API of this deployment." }] });
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
    fresh: config.fresh,
  });
  const described: FastifySchema = { ...schema, response: { ...(schema?.response as object), ...refusals([...codes, ...(config.errors ?? [])]) } };
  if (config.form !== undefined)
    described.body = { content: { ...(schema?.body as { content?: object } | undefined)?.content, "multipart/form-data": { schema: config.form } } };
  if (config.document !== undefined) described.body = config.document;
  if (config.scope !== "public")
    described.security = personScopes.has(config.scope ?? "") ? [{ session: [] }] : [{ bearer: [] }, { apiKey: [] }, { session: [] }];
  const needs = needsOf(config);
  if (needs !== null) described.description = [schema?.description, needs].filter(Boolean).join("\n\n");
  return described;
}

/** Who may call a route, in words. */
function needsOf({ scope, roles, fresh }: FastifyContextConfig): string | null {
  if (scope === undefined || scope === "any_key" || scope === "public") return null;
  const just = fresh === true ? " who confirmed within ten minutes that it is them" : "";
  if (scope === "operator") return `Needs a signed-in operator of this installation${just}.`;
  if (scope === "person") return `Needs a signed-in person${just}.`;
  if (scope === "session") return `Needs a signed-in person${just}: ${(roles ?? []).join(", ")}.`;
  return `Needs the permission \`${scope}\`${fresh === undefined || fresh === false ? "" : `, and of people a confirmation within ten minutes${fresh === "live" ? " in LIVE" : ""}`}.`;
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
