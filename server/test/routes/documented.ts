/** The answers that the API document promises for each route. */
export type Documented = { method: string; pattern: RegExp; codes: Set<string> }[];

interface Document {
  paths: Record<string, Record<string, { responses?: Record<string, { description?: string }> }>>;
}

/** Reads the codes of each route; the most exact address comes first. */
export function readDocument(document: unknown): Documented {
  return Object.entries((document as Document).paths)
    .sort(([left], [right]) => left.split("{").length - right.split("{").length)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { responses = {} }]) => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`),
        codes: new Set(
          Object.entries(responses).flatMap(([status, { description = "" }]) =>
            [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => `${status} ${code}`),
          ),
        ),
      })),
    );
}
