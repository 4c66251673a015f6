import { mapValues, nameOf, pascal, refOf } from "./clean-schema.ts";
import type { Document, Operation, Parameter, Schema } from "./types.ts";

/** Moves common parts of several operations into named components: bodies, lists, responses, parameters; and removes unreferenced ones. */
export function shareParts(document: Document): void {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  for (const operation of operations) nameBodies(document, operation);
  for (const operation of operations) nameLists(document, operation);
  for (const operation of operations) nameAnswers(document, operation);
  nameParameters(document, operations);
  const named = new Map(Object.entries(document.components.schemas).map(([name, schema]) => [fieldsOf(schema), name]));
  for (const [name, schema] of Object.entries(document.components.schemas))
    document.components.schemas[name] = referToNamed(schema, named, true);
}

/** The common part of two schemas with the same fields; null if it has too few to be worth a name. */
function fieldsOf({ properties, required = [], additionalProperties = true }: Schema): string | null {
  return Object.keys(properties ?? {}).length < 4 ? null : JSON.stringify([properties, required, additionalProperties]);
}

/** Replaces copies of a named schema with references. */
function referToNamed(schema: Schema, named: ReadonlyMap<string | null, string>, isRoot: boolean): Schema {
  const fields = isRoot ? null : fieldsOf(schema);
  const name = fields === null ? undefined : named.get(fields);
  if (name !== undefined) {
    const $ref = refOf(name);
    const described = schema.description === undefined ? {} : { description: schema.description };
    return [schema.type].flat().includes("null") ? { anyOf: [{ $ref }, { type: "null" }], ...described } : { $ref, ...described };
  }
  const inner = (one: Schema) => referToNamed(one, named, false);
  return {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties: mapValues(schema.properties, inner) }),
    ...(schema.items === undefined ? {} : { items: inner(schema.items) }),
    ...(schema.anyOf === undefined ? {} : { anyOf: schema.anyOf.map(inner) }),
    ...(schema.oneOf === undefined ? {} : { oneOf: schema.oneOf.map(inner) }),
  };
}

function nameBodies({ components }: Document, { operationId, requestBody }: Operation): void {
  for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
    if (media.schema.$ref !== undefined) continue;
    const base = operationId.replace(/Flat$/, "");
    const name = `${pascal(base)}${type === "multipart/form-data" ? "Form" : "Request"}`;
    put(components.schemas, name, media.schema);
    media.schema = { $ref: refOf(name) };
  }
}

function nameLists({ components }: Document, { operationId, responses }: Operation): void {
  for (const answer of Object.values(responses)) {
    const media = answer.content?.["application/json"];
    const item = media?.schema.properties?.["data"]?.items?.$ref;
    if (media === undefined || item === undefined || media.schema.properties?.["object"]?.enum?.[0] !== "list") continue;
    const name = `${nameOf(item)}List`;
    const same = components.schemas[name];
    const chosen =
      same === undefined || JSON.stringify(same) === JSON.stringify(media.schema)
        ? name
        : `${pascal(operationId.replace(/Flat$/, ""))}List`;
    put(components.schemas, chosen, media.schema);
    media.schema = { $ref: refOf(chosen) };
  }
}

/** Inline schemas of responses get the name of their `object`, or the operation's if another schema has that name. */
function nameAnswers({ components }: Document, { operationId, responses }: Operation): void {
  for (const answer of Object.values(responses)) {
    const media = answer.content?.["application/json"];
    const object = media?.schema.properties?.["object"]?.enum?.[0];
    if (media === undefined || typeof object !== "string") continue;
    const same = components.schemas[pascal(object)];
    const name =
      same === undefined || JSON.stringify(same) === JSON.stringify(media.schema) ? pascal(object) : `${pascal(operationId)}Response`;
    put(components.schemas, name, media.schema);
    media.schema = { $ref: refOf(name) };
  }
}

function put(schemas: Record<string, Schema>, name: string, schema: Schema): void {
  const before = schemas[name];
  if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema))
    throw new Error(`two different schemas of the document are named ${name}`);
  schemas[name] = schema;
}

/** For each parameter name, the version that most operations share becomes a component; the others stay inline. */
function nameParameters({ components }: Document, operations: Operation[]): void {
  const uses = new Map<string, Map<string, number>>();
  for (const parameter of operations.flatMap((operation) => operation.parameters ?? [])) {
    const versions = uses.get(keyOf(parameter)) ?? new Map<string, number>();
    const text = JSON.stringify(parameter);
    uses.set(keyOf(parameter), versions.set(text, (versions.get(text) ?? 0) + 1));
  }
  const shared = new Map<string, string>();
  for (const [key, versions] of uses) {
    const [most] = [...versions].filter(([, count]) => count > 1).sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
    if (most === undefined) continue;
    const parameter = JSON.parse(most[0]) as Parameter;
    const name = pascal(parameter.in === "header" ? parameter.name : key.slice(key.indexOf(" ") + 1));
    components.parameters[name] = parameter;
    shared.set(most[0], name);
  }
  for (const operation of operations) {
    if (operation.parameters === undefined) continue;
    operation.parameters = operation.parameters.map((parameter) => {
      const name = shared.get(JSON.stringify(parameter));
      return name === undefined ? parameter : ({ $ref: `#/components/parameters/${name}` } as Parameter);
    });
  }
}

function keyOf({ name, in: place }: Parameter): string {
  return `${place} ${place === "path" ? `${name} in path` : name}`;
}

/** Removes unreferenced components. */
export function dropUnused(document: Document): void {
  const shared = new Set<string>();
  const { components, ...rest } = document;
  const look = (value: unknown): void => {
    for (const [, kind = "", name = ""] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (shared.has(`${kind}/${name}`)) continue;
      shared.add(`${kind}/${name}`);
      const found = (components as unknown as Record<string, Record<string, unknown>>)[kind]?.[name];
      if (found === undefined) throw new Error(`the document refers to ${kind}/${name}, which does not exist`);
      look(found);
    }
  };
  look(rest);
  // It has no reference in the document: receivers use it to narrow a delivery.
  if (document.webhooks !== undefined) look({ $ref: "#/components/schemas/WebhookEvent" });
  for (const kind of ["schemas", "parameters", "headers", "responses"] as const) {
    for (const name of Object.keys(components[kind])) if (!shared.has(`${kind}/${name}`)) delete components[kind][name];
  }
}
