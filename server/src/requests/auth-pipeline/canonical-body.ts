/** The parts of a JSON schema that affect how a value is compared. */
interface Described {
  format?: string;
  /** The default of an omitted field. */
  "x-default"?: unknown;
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: Described[];
}

/**
 * A body in comparable form: `cny` is `CNY`, an optional field that is null, empty or its default counts as omitted, and a timestamp is the
 * same in every zone. Values that the schema leaves to the caller, such as metadata, are compared unchanged.
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

/** A text that isn't a timestamp is refused later, when its schema is checked. */
function canonicalInstant(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

/** The fields of any variant of the schema; null if there are none. */
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
