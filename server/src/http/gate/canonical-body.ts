/** As much of a JSON schema as says how a value is compared. */
interface Described {
  format?: string;
  /** What stands for the field where it is left out. */
  "x-default"?: unknown;
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: Described[];
}

/**
 * A body as the API reads it, for comparison: `cny` is `CNY`, an optional field that is null, empty or its default is one that is left out, and an instant
 * is the same in every zone. What the schema leaves to the caller, such as metadata, is compared as it was written.
 */
export function canonicalBody(body: unknown, schema: unknown): unknown {
  const described = (schema ?? {}) as Described;
  return isObject(body) ? canonicalObject(body, propertiesOf(described) ?? {}) : canonicalValue(body, described);
}

function canonicalValue(value: unknown, schema: Described): unknown {
  if (typeof value === "string") return schema.format === "date-time" ? canonicalInstant(value) : value;
  if (Array.isArray(value)) {
    const { items } = variantsOf(schema).find((variant) => variant.items !== undefined) ?? {};
    return items === undefined ? value : value.map((item) => canonicalValue(item, items));
  }
  const properties = isObject(value) ? propertiesOf(schema) : null;
  return properties === null ? value : canonicalObject(value as Record<string, unknown>, properties);
}

function canonicalObject(value: Record<string, unknown>, properties: Record<string, Described>): Record<string, unknown> {
  const given = Object.entries(value).filter(([name, field]) => field !== null && field !== properties[name]?.["x-default"]);
  const read = given.map(([name, field]): [string, unknown] => [
    name,
    name === "currency" && typeof field === "string" ? field.toUpperCase() : canonicalValue(field, properties[name] ?? {}),
  ]);
  return Object.fromEntries(read.filter(([, field]) => !isObject(field) || Object.keys(field).length > 0));
}

/** A text that is no instant is refused later, where its schema is checked. */
function canonicalInstant(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

/** The fields that any variant of the schema describes; null when it describes none. */
function propertiesOf(schema: Described): Record<string, Described> | null {
  const described = variantsOf(schema).flatMap(({ properties }) => (properties === undefined ? [] : [properties]));
  return described.length === 0 ? null : Object.assign({}, ...described);
}

function variantsOf(schema: Described): Described[] {
  return [schema, ...(schema.anyOf ?? [])];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
