import type { RouteEntry } from "#requests/route-table.ts";
import { requests } from "../requests.ts";
import type { SeededTenant } from "../world.ts";
import { poisonField, poisonHeader, poisonMessage, poisonText, takesField } from "./fuzz-poison.ts";
import { type Dice, oddBodies, oddTexts, oddTokens } from "./fuzz-values.ts";

/** One request as it is sent over the wire. */
export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body: Buffer | null;
}

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  examples?: unknown[];
  anyOf?: Schema[];
  content?: Record<string, { schema: Schema }>;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PROPFIND"];
const types = [
  "application/json",
  "application/json; charset=utf-16",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/xml",
  "",
  "a/b/c",
  "application/json;",
  "APPLICATION/JSON",
];

/** A request that is nearly right in most places and wrong in some. */
export function fuzzRequest(throwing: Dice, routes: readonly RouteEntry[], worlds: readonly SeededTenant[]): FuzzRequest {
  const world = throwing.pick(worlds);
  const poisoned = throwing.chance(0.05) ? poisonField(throwing) : null;
  const route = throwing.pick(poisoned === null ? routes : routes.filter((one) => takesField(validBody(one, world), poisoned)));
  const method = throwing.chance(0.95) ? route.method : throwing.pick(methods);
  const path = throwing.chance(0.03) ? `/${encodeURI(throwing.pick(oddTexts).toWellFormed())}` : pathOf(throwing, route, world);
  const { body, type } =
    poisoned === null ? bodyOf(throwing, route, world) : jsonOf(poisonMessage(throwing, validBody(route, world), poisoned));
  const headers: FuzzRequest["headers"] = { ...credentials(throwing, world) };
  if (type !== null) headers["content-type"] = type;
  if (throwing.chance(0.2)) headers["idempotency-key"] = headerText(throwing);
  if (throwing.chance(0.1)) headers["if-match"] = headerText(throwing);
  if (throwing.chance(0.1)) headers["accept"] = throwing.pick(["text/html", "*/*", "application/json", headerText(throwing)]);
  if (throwing.chance(0.05)) headers["accept-language"] = throwing.pick(["zh", "zh-CN;q=0.9,en", headerText(throwing)]);
  if (throwing.chance(0.02)) headers["content-encoding"] = throwing.pick(["gzip", "br", "identity"]);
  return { method, path, headers, body };
}

function pathOf(throwing: Dice, route: RouteEntry, { ids }: SeededTenant): string {
  const { id } = requests[`${route.method} ${route.config.aliasOf ?? route.url}`] ?? {};
  const values: Record<string, string> = { ...ids, id: id === undefined ? ids.order : ids[id] };
  const path = route.url
    .replace(/:(\w+)/g, (_all, name: string) => segment(throwing, values[name] ?? ids.order))
    .replace("*", () => segment(throwing, ids.leave));
  const names = Object.keys((route.schema?.querystring as Schema | undefined)?.properties ?? {});
  if (throwing.chance(names.length > 0 ? 0.4 : 0.95)) return path;
  const params = Array.from({ length: 1 + throwing.roll(3) }, () => {
    const name =
      names.length > 0 && throwing.chance(0.85)
        ? throwing.pick(names)
        : throwing.pick(["limit", "expand[]", "a[b][c]", "__proto__", "created[gte]", "created", "lang", ...oddTexts]);
    const value = throwing.chance(0.3)
      ? throwing.pick([...Object.values(ids), "1", "100", "paid", "2026-11-20T00:00:00Z", "total_count"])
      : throwing.pick(oddTexts);
    return throwing.chance(0.9) ? `${encode(name)}=${encode(value)}` : `${encode(name)}${throwing.pick(["", "==", "=%", "=%ff", "=%00"])}`;
  });
  return `${path}?${params.join("&")}`;
}

function segment(throwing: Dice, value: string): string {
  if (throwing.chance(0.85)) return value;
  const odd = throwing.pick(oddTexts);
  return throwing
    .pick([encode(odd), encode(odd), value.toUpperCase(), value.slice(0, -1), `${value}x`, "%ff%fe", "%00", "%", ";", "a%2Fb"])
    .slice(0, 4000);
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function credentials(throwing: Dice, { shop }: SeededTenant): Record<string, string> {
  if (throwing.chance(0.85)) return { authorization: `Bearer ${shop.key}` };
  return throwing.pick<Record<string, string>>([
    {},
    { "x-api-key": shop.key },
    { authorization: "Bearer" },
    { authorization: `bearer   ${shop.key}` },
    { authorization: "Basic YTpi" },
    { authorization: `Bearer ${shop.key}`, "x-api-key": "other" },
    { authorization: `Bearer ${headerText(throwing)}` },
    { "x-api-key": headerText(throwing) },
    { cookie: "a=b; __Host-x=1" },
  ]);
}

/** Headers consist of bytes; what no client can send is left to the raw requests. */
function headerText(throwing: Dice): string {
  const text = throwing.chance(0.2) ? poisonHeader(throwing) : throwing.pick(oddTexts).slice(0, 300);
  return text.replace(/[^\x20-\x7e\x80-\xff]/g, "?");
}

function validBody({ method, config, url }: RouteEntry, { ids }: SeededTenant): unknown {
  return requests[`${method} ${config.aliasOf ?? url}`]?.body?.(ids);
}

function jsonOf(value: unknown): { body: Buffer; type: string } {
  return { body: Buffer.from(JSON.stringify(value)), type: "application/json" };
}

function bodyOf(throwing: Dice, route: RouteEntry, world: SeededTenant): { body: Buffer | null; type: string | null } {
  const request = requests[`${route.method} ${route.config.aliasOf ?? route.url}`];
  const schema = jsonSchemaOf(route);
  if (route.method === "GET" && throwing.chance(0.97)) return { body: null, type: null };
  if (request?.payload !== undefined && throwing.chance(0.7)) return brokenForm(throwing, request.payload());
  if (throwing.chance(0.1)) return { body: oddBodies(throwing), type: throwing.pick(types) };
  if (request?.body !== undefined && throwing.chance(0.15)) return jsonOf(request.body(world.ids));
  const text = objectText(throwing, { schema, ids: Object.values(world.ids), depth: 0 });
  const cut = throwing.chance(0.04) ? text.slice(0, throwing.roll(text.length + 1)) : text;
  return { body: Buffer.from(cut), type: throwing.chance(0.95) ? "application/json" : throwing.pick(types) };
}

function jsonSchemaOf(route: RouteEntry): Schema {
  const schema = (route.config.document ?? route.schema?.body ?? {}) as Schema;
  return schema.content?.["application/json"]?.schema ?? schema.anyOf?.at(-1) ?? schema;
}

interface Wanted {
  schema: Schema;
  ids: string[];
  depth: number;
}

/** JSON text of an object that nearly fits its schema: some fields missing, odd, repeated or unknown. */
function objectText(throwing: Dice, wanted: Wanted): string {
  const names = Object.entries(wanted.schema.properties ?? {});
  const fields = names
    .filter(() => throwing.chance(0.7))
    .map(([name, schema]) => {
      const poison = throwing.chance(0.1) ? poisonText(throwing, name) : null;
      return `${JSON.stringify(name)}:${poison ?? valueText(throwing, { ...wanted, schema })}`;
    });
  if (throwing.chance(0.08)) fields.push(`${JSON.stringify(throwing.pick(oddTexts).toWellFormed())}:${throwing.pick(oddTokens)}`);
  if (throwing.chance(0.03) && fields[0] !== undefined) fields.push(fields[0]);
  return `{${fields.join(throwing.chance(0.99) ? "," : ",,")}}`;
}

function valueText(throwing: Dice, wanted: Wanted): string {
  const { schema, ids, depth } = wanted;
  if (throwing.chance(0.12)) return throwing.pick(oddTokens);
  if (throwing.chance(0.12)) return JSON.stringify(throwing.pick(oddTexts));
  if (schema.enum !== undefined) return JSON.stringify(throwing.pick(schema.enum)) ?? "null";
  if (schema.examples !== undefined && throwing.chance(0.5)) return JSON.stringify(throwing.pick(schema.examples)) ?? "null";
  const type = Array.isArray(schema.type) ? throwing.pick(schema.type) : schema.type;
  if (type === "object" || schema.properties !== undefined) return depth > 3 ? "{}" : objectText(throwing, { ...wanted, depth: depth + 1 });
  if (type === "array") return `[${valueText(throwing, { ...wanted, schema: schema.items ?? {}, depth: depth + 1 })}]`;
  if (type === "integer" || type === "number") return String(throwing.pick([1, 5, 20, 300, 600, 9900, 99_999_999_999]));
  if (type === "boolean") return throwing.pick(["true", "false"]);
  return JSON.stringify(throwing.pick([...ids, "INV-1", "CNY", "wechatpay", "accept", "hello"]));
}

function brokenForm(throwing: Dice, { payload, type }: { payload: Buffer; type: string }): { body: Buffer; type: string } {
  const body = Buffer.from(payload);
  const broken = throwing.pick<() => Buffer>([
    () => body,
    () => body.subarray(0, throwing.roll(body.length)),
    () => Buffer.from(body.toString("latin1").replaceAll('name="', 'name="x'), "latin1"),
    () =>
      Buffer.from(
        body.toString("latin1").replace('filename="', `filename="../../${throwing.pick(oddTexts).replace(/[\r\n"]/g, "")}`),
        "latin1",
      ),
    () => Buffer.concat([body.subarray(0, -8), oddBodies(throwing)]),
    () => Buffer.from(body.toString("latin1").replaceAll("\r\n", "\n"), "latin1"),
    () => Buffer.concat([body, body]),
  ])();
  for (let hits = throwing.roll(4); hits > 0 && broken.length > 0; hits -= 1) broken[throwing.roll(broken.length)] = throwing.roll(256);
  return { body: broken, type: throwing.chance(0.9) ? type : throwing.pick(types) };
}
