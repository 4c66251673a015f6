import type { FastifyContextConfig } from "fastify";
import { personScopes, type RouteEntry } from "#requests/index.ts";
import { cleanSchema, nameOf, pascal } from "./clean-schema.ts";
import { refusalsOf } from "./error-answers.ts";
import { headerParameters, headersOf } from "./headers.ts";
import type { Answer, Media, Operation, Parameter, Schema } from "./types.ts";

/** Additional keywords of a route's schema. */
interface Described {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  params?: Schema;
  querystring?: Schema;
  headers?: Schema;
  body?: Schema;
  response?: Record<string, Schema>;
}

/** A route as an operation of the document; bodies and parameters are still inline. */
export function describeOperation(entry: RouteEntry): Operation {
  const { config } = entry;
  const schema = (entry.schema ?? {}) as Described;
  const flat = config.aliasOf !== undefined;
  const body = bodyOf(entry, schema);
  const parameters = parametersOf(entry, schema);
  const needs = needsOf(config);
  const description = [schema.description ?? `${schema.summary}.`, needs].filter(Boolean).join("\n\n");
  return {
    operationId: `${schema.operationId ?? ""}${flat ? "Flat" : ""}`,
    summary: schema.summary ?? "",
    description,
    tags: flat ? ["Deprecated paths"] : [...(schema.tags ?? [])],
    ...(flat ? { deprecated: true } : {}),
    security: securityOf(config),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: body }),
    responses: { ...goodAnswers(entry, schema), ...refusalsOf(entry) },
  };
}

function securityOf({ scope }: FastifyContextConfig): Record<string, string[]>[] {
  if (scope === undefined || scope === "public") return [];
  return personScopes.has(scope) ? [{ session: [] }] : [{ bearer: [] }, { apiKey: [] }, { session: [] }];
}

function parametersOf(entry: RouteEntry, { params, querystring, headers }: Described): Parameter[] {
  return [...inPlace("path", params), ...inPlace("query", querystring), ...inPlace("header", headers), ...headerParameters(entry)];
}

function inPlace(place: Parameter["in"], schema: Schema | undefined): Parameter[] {
  const required = new Set(schema?.required ?? []);
  return [
    ...named(place, schema, required),
    ...Object.entries((schema?.["patternProperties"] ?? {}) as Record<string, Schema>).map(deepObject),
  ];
}

/** Names with a variable part, as `metadata[key]`: an object in the document. */
function deepObject([pattern, property]: [string, Schema]): Parameter {
  const name = /\w+/.exec(pattern)?.[0] ?? "";
  const { description = "", ...value } = cleanSchema(property);
  return {
    name,
    in: "query",
    required: false,
    description: `${description} Written \`${name}[key]=value\`.`,
    style: "deepObject",
    explode: true,
    schema: { type: "object", additionalProperties: value },
  };
}

function named(place: Parameter["in"], schema: Schema | undefined, required: ReadonlySet<string>): Parameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description = "", examples, ...rest } = cleanSchema(property);
    const example = examples?.[0];
    return {
      name,
      in: place,
      required: place === "path" || required.has(name),
      description,
      schema: rest,
      ...(example === undefined ? {} : { example }),
    };
  });
}

function bodyOf({ config, method }: RouteEntry, { body }: Described): NonNullable<Operation["requestBody"]> | null {
  const { content: byType } = (body ?? {}) as { content?: Record<string, Media> };
  const json = config.document ?? byType?.["application/json"]?.schema ?? body;
  const content: Record<string, Media> = {};
  if (json !== undefined && method !== "GET") content["application/json"] = { schema: cleanSchema(json) };
  if (config.form !== undefined) content["multipart/form-data"] = { schema: cleanSchema(config.form) };
  if (Object.keys(content).length === 0) return null;
  const optional =
    config.form === undefined && Object.keys((json as Schema).required ?? {}).length === 0 && (json as Schema).anyOf === undefined;
  return { required: !optional, content };
}

function goodAnswers(entry: RouteEntry, { response = {}, querystring }: Described): Record<string, Answer> {
  const headers = headersOf(entry);
  const files = filesOf(querystring);
  if (Object.keys(response).length === 0) return { 200: { description: "Success.", headers } };
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => {
      const { content, description } = schema as Partial<Answer>;
      if (content !== undefined) {
        const media = Object.fromEntries(Object.entries(content).map(([type, one]) => [type, { ...one, schema: cleanSchema(one.schema) }]));
        return [status, { description: description ?? "Success.", headers, content: media }];
      }
      const clean = cleanSchema(schema);
      const summary =
        clean.$ref === undefined
          ? (clean.description ?? "Success.")
          : `${status === "201" ? "Created" : "Success"}: ${pascal(nameOf(clean.$ref))}.`;
      return [status, { description: summary, headers, content: { "application/json": { schema: clean }, ...files } }];
    }),
  );
}

const fileTypes: Record<string, [type: string, description: string]> = {
  csv: ["text/csv", "With `format=csv`: all matching objects as a file."],
  jsonl: ["application/jsonl", "With `format=jsonl`: all matching objects, one per line."],
};

/** The files that a list is exported as. */
function filesOf(querystring: Schema | undefined): Record<string, Media> {
  const formats = (querystring?.properties?.["format"]?.enum ?? []) as string[];
  return Object.fromEntries(
    formats.flatMap((format) => {
      const [type, description] = fileTypes[format] ?? [];
      return type === undefined || description === undefined ? [] : [[type, { schema: { type: "string", description } }]];
    }),
  );
}

/** Who can call a route, as text. */
function needsOf({ scope, roles, confirmed }: FastifyContextConfig): string | null {
  if (scope === undefined || scope === "any_key" || scope === "public") return null;
  const just = confirmed === true ? " who confirmed their identity within the last ten minutes" : "";
  if (scope === "operator") return `Requires a signed-in operator of this installation${just}.`;
  if (scope === "person") return `Requires a signed-in person${just}.`;
  if (scope === "session") return `Requires a signed-in person${just}. Roles: ${(roles ?? []).join(", ")}.`;
  return `Requires the permission \`${scope}\`.${confirmed === undefined || confirmed === false ? "" : ` Signed-in people must have confirmed their identity within the last ten minutes${confirmed === "live" ? " in LIVE" : ""}.`}`;
}
