import type { Schema } from "./types.ts";

const lists = ["anyOf", "oneOf", "allOf"] as const;
const single = ["items", "additionalProperties", "propertyNames", "not", "if", "then", "else", "contains"] as const;

/** A route's schema as the document shows it: with references into its components, without our own keywords. */
export function cleanSchema(given: unknown): Schema {
  const schema = given as Schema;
  const clean: Schema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith("x-") || ["$id", "kind", "modifier"].includes(keyword)) continue;
    clean[keyword] = keyword === "$ref" ? refOf(value as string) : value;
  }
  const [any, ...others] = Object.values((schema["patternProperties"] ?? {}) as Record<string, Schema>);
  if (any !== undefined && others.length === 0) {
    // A record with any keys, in a form that every reader understands.
    delete clean["patternProperties"];
    clean.additionalProperties = cleanSchema(any);
  }
  for (const keyword of lists) if (schema[keyword] !== undefined) clean[keyword] = schema[keyword].map(cleanSchema);
  for (const keyword of single)
    if (typeof schema[keyword] === "object" && schema[keyword] !== null) clean[keyword] = cleanSchema(schema[keyword]);
  if (schema.properties !== undefined) clean.properties = mapValues(schema.properties, cleanSchema);
  return clean;
}

/** The location of a named schema in the document. */
export function refOf(name: string): string {
  return `#/components/schemas/${name.replace(/#$/, "")}`;
}

/** The name in a reference into the components. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

export function mapValues<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** `createOrder` and `starting_after` as component names. */
export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== "")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}
