import { nameOf } from "./clean-schema.ts";
import { idFor, story } from "./examples/story.ts";
import type { Schema } from "./types.ts";

/** The context of a value: its schema, and its name there. */
export interface Place {
  /** The enclosing named schema. */
  owner: string;
  /** Its own name; for a list item, the list's. */
  name: string;
  /** For requests: optional fields are only included with an example. */
  isRequest: boolean;
}

type Schemas = Record<string, Schema>;

/** Values of fields with these names if neither the story nor their schema has one. */
const texts: Readonly<Record<string, string>> = {
  actor_id: "usr_01m7wje4wze7as3wcxk3xbrgav",
  code: "resource_missing",
  error_code: "timeout",
  file_sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  invited_by: "usr_01m7wje4wze7as3wcxk3xbrgav",
  last4: "Zq3T",
  message: "This has to be looked at.",
  name: "Corner Books",
  payload: "wxp://f2f0aZq3T8mJ5sQz0T1vYhW8RkCb2LxEpd9p",
  token: "pl_test_mJ5sQz0T1vYhW8RkCb2LxEpd9pQvYhW8",
  updated_by: "usr_01m7wje4wze7as3wcxk3xbrgav",
  url: "https://shop.example.com/webhooks/tillpost",
};

/** A complete example of a schema: from the story, the schema's own examples, or its keywords. */
export function deriveExample(schemas: Schemas, schema: Schema, place: Place): unknown {
  const own = story[`${place.owner}.${place.name}`];
  if (own !== undefined) return structuredClone(own);
  if (schema.$ref !== undefined)
    return deriveExample(schemas, schemas[nameOf(schema.$ref)] ?? {}, { ...place, owner: nameOf(schema.$ref), name: "" });
  if (schema.examples?.[0] !== undefined) return structuredClone(schema.examples[0]);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const branch = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (branch !== undefined) return deriveExample(schemas, branch, place);
  const types = [schema.type ?? (schema.properties === undefined ? "null" : "object")].flat();
  if (types.includes("object") && schema.properties !== undefined) return objectOf(schemas, schema, place);
  return plainValue(schemas, schema, { ...place, types });
}

function objectOf(schemas: Schemas, schema: Schema, place: Place): unknown {
  const required = new Set(schema.required ?? []);
  const owner = place.name === "" ? place.owner : `${place.owner}.${place.name}`;
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, unknown][] => {
    const isGiven = story[`${owner}.${name}`] !== undefined || (place.isRequest && field.examples !== undefined);
    return required.has(name) || isGiven ? [[name, deriveExample(schemas, field, { ...place, owner, name })]] : [];
  });
  const made = Object.fromEntries(fields);
  if (made["id"] === "id") made["id"] = idFor(`${made["object"]}_id`) ?? "id";
  return made;
}

function plainValue(schemas: Schemas, schema: Schema, { types, ...place }: Place & { types: string[] }): unknown {
  const shared = story[place.name];
  if (shared !== undefined && types.includes(kindOf(shared))) return structuredClone(shared);
  if (types.includes("null")) return null;
  if (types.includes("array")) return schema.items === undefined ? [] : [deriveExample(schemas, schema.items, place)];
  if (types.includes("boolean")) return false;
  if (types.includes("integer") || types.includes("number")) return schema.minimum ?? 0;
  if (types.includes("object")) return {};
  if (schema.format === "date-time") return "2026-11-20T14:30:00.000Z";
  return idFor(place.name) ?? texts[place.name] ?? place.name;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "number" ? "integer" : typeof value;
}
