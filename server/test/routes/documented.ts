import type { OpenapiDocument } from "#openapi/index.ts";

/** The responses that the API document promises for each route. */
export type Documented = { method: string; pattern: RegExp; codes: Set<string> }[];

/** Reads the codes of each route, its own or those of the shared response; the most specific path is first. */
export function readDocuments(documents: readonly OpenapiDocument[]): Documented {
  return documents
    .flatMap(readDocument)
    .sort((left, right) => left.pattern.source.split("[^/]+").length - right.pattern.source.split("[^/]+").length);
}

function readDocument({ paths, components }: OpenapiDocument): Documented {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { responses = {} }]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`),
      codes: new Set(
        Object.entries(responses).flatMap(
          ([status, { $ref, description = components.responses[$ref?.split("/").at(-1) ?? ""]?.description ?? "" }]) =>
            [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => `${status} ${code}`),
        ),
      ),
    })),
  );
}
