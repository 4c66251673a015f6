const lengthMax = 200;

/** The path of a value in a request as errors name it: `customer.email`, `to[0]`, `attachments[0].content`. */
export function paramPath(root: unknown, segments: readonly string[]): string {
  let value = root;
  let path = "";
  for (const segment of segments) {
    path = joinParam(path, Array.isArray(value) ? Number(segment) : segment);
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[segment] : undefined;
  }
  return path.slice(0, lengthMax);
}

/** The path of a member or an item of the value at `path`. */
export function joinParam(path: string, part: string | number): string {
  if (typeof part === "number") return `${path}[${part}]`;
  return path === "" ? part : `${path}.${part}`;
}
