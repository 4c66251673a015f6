/** Whether the database accepts a text unchanged: it has no NUL and no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/**
 * A value that the database accepts: no text in it has NUL or an unpaired surrogate, whatever a provider or a stranger sent. Values other
 * than texts, plain objects and lists stay unchanged.
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
