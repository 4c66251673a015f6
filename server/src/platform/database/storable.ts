/** Whether the database takes a text as it is: none of its texts holds NUL or half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/**
 * A value as the database takes it: no text in it holds NUL or half of a surrogate pair, whatever a provider or a stranger wrote. What is neither a text nor a plain
 * object or list stays as it is.
 */
export function storable<T>(value: T): T {
  return clean(value) as T;
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\u0000", "\ufffd").toWellFormed();
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [clean(name), clean(one)]));
}
