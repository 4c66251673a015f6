/** The value at a path of a JSON value; undefined if there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inside, key) => (typeof inside === "object" && inside !== null && Object.hasOwn(inside, key) ? Reflect.get(inside, key) : undefined),
    value,
  );
}

/** The text at a path of a JSON value; null if there is none, or an empty one. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = at(value, ...path);
  return typeof found === "string" && found !== "" ? found : null;
}

/** The list at a path of a JSON value; an empty one if there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}
